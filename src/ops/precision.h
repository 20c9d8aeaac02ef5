#pragma once

#include <string>

namespace c10 {
struct Device;
}

namespace nmt {

// How matrix products with weights are computed; everything else stays float32.
//   kFloat32   as they are
//   kBfloat16  both factors rounded to bfloat16 (8 bits of mantissa), sums in float32; where LibTorch computes
//              them (AMX, GPU) results are rounded too
//   kInt8      weights rounded to 8 bits with a scale for each output, inputs to 8 bits (7 without VNNI) with a scale
//              for each row, sums exact
enum class Precision { kFloat32, kBfloat16, kInt8 };

// "float32", "bfloat16" or "int8". Throws UsageError for any other word.
Precision parse_precision(const std::string& word);

// What the products of the backward pass are computed in where those of the forward pass are in `precision`: itself,
// but for kInt8 kBfloat16 where our own kernels have it, else kFloat32. Gradients differ too much in size for 8 bits;
// the rounding of the forward pass is left out of them (the straight-through estimator of Bengio, Leonard and
// Courville, arXiv 1308.3432).
Precision gradient_precision(Precision precision);

// Throws ResourceError where the device has no instructions for it: it would be slower than float32. In training every
// weight is rounded anew for each batch, which pays with our own kernels only.
void check_precision(Precision precision, const c10::Device& device);
void check_training_precision(Precision precision, const c10::Device& device);

}  // namespace nmt
