# `cmake --install build --prefix P`: the program, the libraries, the headers, the CMake package `nmt`, documents.
#
# P can be moved: everything finds everything else relative to itself. LibTorch is found where this build found it, or,
# if it was installed too (`cmake --install build --prefix P --component LibTorch`), in P/lib/nmt.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nmt)
file(RELATIVE_PATH libraries_from_programs /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(nmt PROPERTIES INSTALL_RPATH $ORIGIN/${libraries_from_programs})
set_target_properties(nmt_core nmt_api PROPERTIES INSTALL_RPATH $ORIGIN)
set(libraries nmt_core)
if(NMT_TORCH)
  list(APPEND libraries nmt_torch)
  set(torch_rpath $ORIGIN $ORIGIN/nmt/torch/lib ${NMT_TORCH_LIB_DIR})
  if(EXISTS ${NMT_WHEELS}/nvidia)
    list(APPEND torch_rpath ${NMT_WHEELS}/nvidia/cu13/lib)
  endif()
  set_target_properties(nmt_torch PROPERTIES INSTALL_RPATH "${torch_rpath}" INSTALL_RPATH_USE_LINK_PATH ON)
  if(TARGET nmt_cuda)
    list(APPEND libraries nmt_cuda)
    set_target_properties(nmt_cuda PROPERTIES INSTALL_RPATH "${torch_rpath}" INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endif()

install(TARGETS nmt RUNTIME)
install(TARGETS ${libraries} LIBRARY)
install(TARGETS nmt_api EXPORT nmtTargets LIBRARY)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/nmt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_SOURCE_DIR}/src/base/error.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nmt)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT nmtTargets NAMESPACE nmt:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/nmtConfig.cmake.in ${CMAKE_BINARY_DIR}/nmtConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/nmtConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/nmtConfig.cmake ${CMAKE_BINARY_DIR}/nmtConfigVersion.cmake DESTINATION ${package_dir})

# The wheels' folders keep their places to each other, by which LibTorch's libraries find theirs.
if(NMT_TORCH_LIB_DIR)
  install(DIRECTORY ${NMT_TORCH_LIB_DIR} DESTINATION ${CMAKE_INSTALL_LIBDIR}/nmt/torch
    COMPONENT LibTorch EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.so*")
  install(DIRECTORY ${NMT_WHEELS}/nvidia DESTINATION ${CMAKE_INSTALL_LIBDIR}/nmt
    COMPONENT LibTorch EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.so*")
endif()
