#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nmt {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

// Writes tensors to a file in the safetensors format: 8 bytes with the length of a JSON header (little-endian), the
// header (name -> dtype, shape, data_offsets), the data in row-major order. Atomic and flushed to disk; the same
// tensors give the same bytes. Throws ResourceError ("No space left on device").
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors);

// All tensors of a file, on the CPU. Everything the header says is checked before it is used: sizes, types, offsets
// inside the file, no overlap, no gap. Throws ModelError that names the file and what is wrong with it.
std::map<std::string, torch::Tensor> read_safetensors(const std::filesystem::path& path);

// Copies the tensors of a file into `targets` (any device), which must be matched exactly: the same names, shapes and
// types, and finite values. Throws ModelError that names the first difference.
void load_safetensors_into(const std::filesystem::path& path, const NamedTensors& targets);

}  // namespace nmt
