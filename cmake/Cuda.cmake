# What CUDA's operators (src/ops/cuda/) are built with: nvcc of CUDA 13, which this LibTorch was built for, on the path,
# in NMT_WHEELS (scripts/setup --cuda) or under CUDA_PATH. Where there is none, nmt is built without them.
set(NMT_CUDA_ARCHITECTURES 75 CACHE STRING
    "GPUs to compile for, as 75;80;86;89;90;100;120; newer ones compile the last one's PTX when they first run it")

find_program(NMT_NVCC nvcc HINTS ${NMT_WHEELS}/nvidia/cu13/bin ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin
             DOC "CUDA's compiler; set to OFF to build without CUDA's operators")
find_library(NMT_CUDART NAMES libcudart.so.13 HINTS ${NMT_WHEELS}/nvidia/cu13 ENV CUDA_PATH /usr/local/cuda
             PATH_SUFFIXES lib lib64 DOC "CUDA's runtime")

# nmt_find_cuda(RESULT): whether CUDA's operators can be built.
function(nmt_find_cuda result)
  set(${result} OFF PARENT_SCOPE)
  if(NOT NMT_NVCC OR NOT NMT_CUDART OR NMT_SANITIZE OR NMT_FOLDERS)
    return()
  endif()
  execute_process(COMMAND ${NMT_NVCC} --version OUTPUT_VARIABLE version ERROR_VARIABLE version RESULT_VARIABLE failure)
  if(failure OR NOT version MATCHES "release 13\\.")
    message(STATUS "CUDA's operators aren't built: ${NMT_NVCC} isn't of CUDA 13")
    return()
  endif()
  set(${result} ON PARENT_SCOPE)
endfunction()

# nmt_compile_cuda(SOURCE OBJECT): compiles SOURCE, a path below src/, and sets OBJECT to the object file.
function(nmt_compile_cuda source object)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${source}.o)
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  set(codes "")
  foreach(architecture ${NMT_CUDA_ARCHITECTURES})
    list(APPEND codes -gencode arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  list(GET NMT_CUDA_ARCHITECTURES -1 newest)
  list(APPEND codes -gencode arch=compute_${newest},code=compute_${newest})
  set(strict "")
  if(NMT_WERROR)
    set(strict --Werror all-warnings)
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${NMT_NVCC} -std=c++20 -O3 ${codes} ${strict} -ccbin ${CMAKE_CXX_COMPILER}
            -Xcompiler=-fPIC,-Wall,-Wextra,-Wshadow -I ${CMAKE_SOURCE_DIR}/src -MD -MF ${output}.d
            -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${output}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPFILE ${output}.d
    COMMENT "Building CUDA object ${source}.o"
    VERBATIM)
  set(${object} ${output} PARENT_SCOPE)
endfunction()
