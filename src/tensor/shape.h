#pragma once

#include <torch/types.h>

#include <string_view>

namespace nmt {

// Throws InternalError "<name> must be [..]; it is [..]" unless `tensor` has exactly these sizes; -1 stands for any.
void check_shape(const torch::Tensor& tensor, at::IntArrayRef expected, std::string_view name);

// mask[b][s] = s < lengths[b]: true at real positions. lengths: [B] int64 on the CPU -> [B,longest] bool on `device`.
torch::Tensor length_mask(const torch::Tensor& lengths, int64_t longest, const torch::Device& device);

}  // namespace nmt
