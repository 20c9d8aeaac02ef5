# The imported target nmt::torch, and nmt_torch_pch, the precompiled header that all torch units share.
#
# Two sources are accepted: an official LibTorch folder given by -DCMAKE_PREFIX_PATH, or the wheels that
# scripts/setup unpacks under third_party/ (headers and CPU libraries; CUDA is opened at run time, src/tensor/device.cpp).
set(NMT_WHEELS ${CMAKE_SOURCE_DIR}/third_party CACHE PATH "Where scripts/setup unpacked the torch wheels")

if(EXISTS ${NMT_WHEELS}/torch/lib/libtorch_cpu.so)
  set(NMT_TORCH_LIB_DIR ${NMT_WHEELS}/torch/lib)
  add_library(nmt_torch_import INTERFACE)
  # The wheel brings headers of another fmt than the one spdlog was built with; Debian's must be found first.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include_first)
  find_path(NMT_FMT_INCLUDE fmt/core.h NO_CMAKE_PATH REQUIRED)
  file(CREATE_LINK ${NMT_FMT_INCLUDE}/fmt ${CMAKE_BINARY_DIR}/include_first/fmt SYMBOLIC)
  target_include_directories(nmt_torch_import SYSTEM BEFORE INTERFACE
    ${CMAKE_BINARY_DIR}/include_first
    ${NMT_WHEELS}/torch/include ${NMT_WHEELS}/torch/include/torch/csrc/api/include)
  target_link_libraries(nmt_torch_import INTERFACE
    ${NMT_TORCH_LIB_DIR}/libtorch_cpu.so ${NMT_TORCH_LIB_DIR}/libc10.so ${NMT_TORCH_LIB_DIR}/libgomp.so.1)
  target_link_options(nmt_torch_import INTERFACE -Wl,--allow-shlib-undefined)
  list(APPEND CMAKE_BUILD_RPATH ${NMT_TORCH_LIB_DIR} ${NMT_WHEELS}/nvidia/cu13/lib)
else()
  find_package(Torch REQUIRED)
  add_library(nmt_torch_import INTERFACE)
  target_link_libraries(nmt_torch_import INTERFACE torch)
  target_link_options(nmt_torch_import INTERFACE -fopenmp)
endif()
# at::parallel_for is a template: without OpenMP in our units it would run on one thread.
target_compile_options(nmt_torch_import INTERFACE -fopenmp)
add_library(nmt::torch ALIAS nmt_torch_import)

file(WRITE ${CMAKE_BINARY_DIR}/torch_pch.cpp.in "// Carrier of the precompiled header.\n")
configure_file(${CMAKE_BINARY_DIR}/torch_pch.cpp.in ${CMAKE_BINARY_DIR}/torch_pch.cpp COPYONLY)
add_library(nmt_torch_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/torch_pch.cpp)
target_link_libraries(nmt_torch_pch PUBLIC nmt_options nmt::torch)
# What nearly all of them include; torch/torch.h as a whole would cost each unit some seconds more.
target_precompile_headers(nmt_torch_pch PUBLIC <torch/types.h> <torch/utils.h> <torch/nn/module.h> <torch/nn/pimpl.h>)
target_compile_options(nmt_torch_pch PUBLIC $<$<BOOL:${NMT_CCACHE}>:-fpch-preprocess>)
