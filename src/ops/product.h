#pragma once

#include <torch/types.h>

#include <memory>
#include <string>

namespace nmt {

// How matrix products with weights are computed; everything else stays float32.
//   kFloat32   as they are
//   kBfloat16  both factors rounded to bfloat16 (8 bits of mantissa), sums in float32, results rounded to bfloat16
//   kInt8      without gradients only: weights rounded to 8 bits with a scale for each output, inputs to 8 bits with
//              one scale, sums exact
enum class Precision { kFloat32, kBfloat16, kInt8 };

// "float32", "bfloat16" or "int8". Throws UsageError for any other word.
Precision parse_precision(const std::string& word);

// Throws ResourceError where the device has no instructions for it: it would be slower than float32.
void check_precision(Precision precision, const torch::Device& device);

// input [..,K], weight [N,K], bias [N] or undefined -> input weight^T + bias [..,N], float32. Differentiable; not for
// kInt8.
torch::Tensor product(const torch::Tensor& input, const torch::Tensor& weight, const torch::Tensor& bias,
                      Precision precision);

// The parts that operators with their own backward pass are made of. Left is [M,K], right [K,N], results are float32;
// not for kInt8. A factor of several products is rounded once, by as_factor(), and then not again.
torch::Tensor as_factor(const torch::Tensor& tensor, Precision precision);
torch::Tensor matrix_product(const torch::Tensor& left, const torch::Tensor& right, Precision precision);
// out [M,N] += left right
void add_product_(torch::Tensor out, const torch::Tensor& left, const torch::Tensor& right, Precision precision);
// out [M,N] = start [N] or [M,N] + left right
void add_product_out(torch::Tensor out, const torch::Tensor& start, const torch::Tensor& left,
                     const torch::Tensor& right, Precision precision);

// A weight and its bias made ready once for many products without gradients. Safe to share between threads.
class PackedWeight {
 public:
  // weight [N,K], bias [N] or undefined. For kInt8 `input_range` is the largest magnitude that an input can have; with
  // 0, unknown, each call finds its own, so that rows depend on what stands beside them.
  PackedWeight(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision, double input_range);
  ~PackedWeight();

  torch::Tensor product(const torch::Tensor& input) const;  // [..,K] -> [..,N] float32

 private:
  struct Int8;
  torch::Tensor weight_;  // bfloat16
  torch::Tensor bias_;
  std::unique_ptr<Int8> int8_;
};

// The product of one layer: with the weight that each call gives, or with one packed before.
class WeightProduct {
 public:
  // What products that gradients flow through are computed in; those without stay float32.
  void set_training_precision(Precision precision) { training_precision_ = precision; }
  Precision training_precision() const { return training_precision_; }

  // From now on products use a packed copy of the weight.
  void pack(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision, double input_range) {
    if (precision != Precision::kFloat32) {
      packed_ = std::make_shared<PackedWeight>(weight, bias, precision, input_range);
    }
  }

  torch::Tensor operator()(const torch::Tensor& input, const torch::Tensor& weight,
                           const torch::Tensor& bias = {}) const;

 private:
  Precision training_precision_ = Precision::kFloat32;
  std::shared_ptr<const PackedWeight> packed_;
};

}  // namespace nmt
