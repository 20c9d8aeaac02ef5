#pragma once

#include <torch/types.h>

#include <memory>

#include "ops/precision.h"
#include "ops/right_factor.h"

namespace nmt {

// input [..,K], weight [N,K], bias [N] or undefined -> input weight^T + bias [..,N], float32. Differentiable; gradients
// are products in gradient_precision(precision).
torch::Tensor product(const torch::Tensor& input, const torch::Tensor& weight, const torch::Tensor& bias,
                      Precision precision);

// A weight and its bias made ready once for many products without gradients. Safe to share between threads.
class PackedWeight {
 public:
  // weight [N,K], bias [N] or undefined
  PackedWeight(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision);

  torch::Tensor product(const torch::Tensor& input) const;  // [..,K] -> [..,N] float32

 private:
  RightFactor factor_;
  torch::Tensor bias_;
};

// The product of one layer: with the weight that each call gives, or with one packed before.
class WeightProduct {
 public:
  // What products that gradients flow through are computed in; those without stay float32.
  void set_training_precision(Precision precision) { training_precision_ = precision; }
  Precision training_precision() const { return training_precision_; }

  // From now on products without gradients use a packed copy of the weight.
  void pack(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision) {
    packed_ = std::make_shared<PackedWeight>(weight, bias, precision);
  }

  // From now on products use the weight that each call gives.
  void unpack() { packed_.reset(); }

  torch::Tensor operator()(const torch::Tensor& input, const torch::Tensor& weight,
                           const torch::Tensor& bias = {}) const;

 private:
  Precision training_precision_ = Precision::kFloat32;
  std::shared_ptr<const PackedWeight> packed_;
};

}  // namespace nmt
