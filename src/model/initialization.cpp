#include "model/initialization.h"

#include <torch/nn/init.h>

#include <cmath>
#include <string>

namespace nmt {

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void initialize(const std::string& name, torch::Tensor& parameter) {
  if (parameter.dim() < 2) {
    parameter.zero_();
  } else if (ends_with(name, "embedding")) {
    parameter.normal_(0, 1 / std::sqrt(static_cast<double>(parameter.size(1))));
  } else if (ends_with(name, "recurrent_weight")) {
    for (const torch::Tensor& gate : parameter.chunk(3, 0)) torch::nn::init::orthogonal_(gate);
  } else if (ends_with(name, "input_weight")) {
    for (const torch::Tensor& gate : parameter.chunk(3, 0)) torch::nn::init::xavier_uniform_(gate);
  } else {
    torch::nn::init::xavier_uniform_(parameter);
  }
}

}  // namespace

void initialize_parameters(torch::nn::Module& model) {
  const torch::NoGradGuard no_grad;
  for (auto& item : model.named_parameters()) initialize(item.key(), item.value());
}

}  // namespace nmt
