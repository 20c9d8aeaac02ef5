# Compile options of every target of ours, and the two functions that define a folder of src/ and its tests.

add_library(nmt_options INTERFACE)
target_include_directories(nmt_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(nmt_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
target_compile_definitions(nmt_options INTERFACE NMT_VERSION="${PROJECT_VERSION}")
# GCC 12 warns wrongly of copies inside std::string, overlapping or out of bounds (GCC bugs 105651, 105329).
target_compile_options(nmt_options INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
if(NMT_WERROR)
  target_compile_options(nmt_options INTERFACE -Werror)
endif()
# What tests run with. Where programs load LibTorch late, GCC 12's leak sanitizer crashes while it follows what libraries
# keep for each thread; so it is told not to.
set(NMT_TEST_ENVIRONMENT ASAN_OPTIONS=intercept_tls_get_addr=0)

if(NMT_SANITIZE)
  target_compile_options(nmt_options INTERFACE -fsanitize=${NMT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(nmt_options INTERFACE -fsanitize=${NMT_SANITIZE})
endif()

# nmt_folder(NAME [TORCH] LINKS targets...): src/NAME as an object library `nmt_NAME`. TORCH units share one
# precompiled header of LibTorch (see cmake/Torch.cmake).
function(nmt_folder name)
  cmake_parse_arguments(ARG "TORCH" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NMT_FOLDERS AND NOT name IN_LIST NMT_FOLDERS)
    return()
  endif()
  if(NOT sources)  # headers only
    add_library(nmt_${name} INTERFACE)
    target_link_libraries(nmt_${name} INTERFACE nmt_options ${ARG_LINKS})
    return()
  endif()
  add_library(nmt_${name} OBJECT ${sources})
  target_link_libraries(nmt_${name} PUBLIC nmt_options ${ARG_LINKS})
  if(ARG_TORCH)
    target_link_libraries(nmt_${name} PUBLIC nmt::torch)
    target_precompile_headers(nmt_${name} REUSE_FROM nmt_torch_pch)
  endif()
endfunction()

# nmt_test_folder(NAME [TORCH] LINKS targets...): tests/NAME/*_test.cpp as the GoogleTest program `test_NAME`.
function(nmt_test_folder name)
  cmake_parse_arguments(ARG "TORCH" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(ARG_TORCH AND NMT_TORCH_TESTS)
    list(FILTER sources INCLUDE REGEX "/(${NMT_TORCH_TESTS})[^/]*$")
  endif()
  if(NOT sources OR (NMT_FOLDERS AND NOT name IN_LIST NMT_FOLDERS))
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE nmt_options ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE NMT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" NMT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(ARG_TORCH)
    target_link_libraries(test_${name} PRIVATE nmt::torch)
    target_compile_options(test_${name} PRIVATE -fPIC)  # as the precompiled header; CMake says -fPIE for programs
    target_precompile_headers(test_${name} REUSE_FROM nmt_torch_pch)
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX "${NMT_TEST_PREFIX}${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 900 ENVIRONMENT ${NMT_TEST_ENVIRONMENT})
endfunction()
