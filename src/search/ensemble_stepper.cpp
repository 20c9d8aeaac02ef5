#include "search/ensemble_stepper.h"

#include <ATen/ATen.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/error.h"

namespace nmt {

namespace {

std::vector<double> normalized(std::vector<double> weights, size_t members) {
  if (weights.empty()) weights.assign(members, 1);
  if (weights.size() != members) {
    throw UsageError("Found " + counted(std::ssize(weights), "weight") + " for " +
                     counted(static_cast<int64_t>(members), "model") + " of an ensemble.");
  }
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight > 0) || !std::isfinite(weight)) throw UsageError("The weights of an ensemble must be above 0.");
    sum += weight;
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

EnsembleStepper::EnsembleStepper(std::vector<std::unique_ptr<Stepper>> members, std::vector<double> weights,
                                 EnsembleAverage average)
    : members_(std::move(members)), weights_(normalized(std::move(weights), members_.size())), average_(average) {
  for (const auto& member : members_) {
    if (member->sentences() != sentences() || member->vocab_size() != vocab_size()) {
      throw InternalError("The members of an ensemble differ in sentences or vocabulary.");
    }
  }
}

StepOutput EnsembleStepper::step(const torch::Tensor& last_pieces) {
  torch::Tensor log_probs;  // [N,V]
  torch::Tensor attention;  // [N,S]
  double attending = 0;     // weight of the members that have attention
  for (size_t i = 0; i < members_.size(); ++i) {
    const StepOutput output = members_[i]->step(last_pieces);
    const torch::Tensor of_member = output.log_probs();
    const torch::Tensor part =
        average_ == EnsembleAverage::kLog ? of_member * weights_[i] : of_member + std::log(weights_[i]);
    if (!log_probs.defined()) {
      log_probs = part;
    } else {
      log_probs = average_ == EnsembleAverage::kLog ? log_probs + part : at::logaddexp(log_probs, part);
    }
    if (!output.attention.defined()) continue;
    const torch::Tensor weighted = output.attention * weights_[i];
    attention = attention.defined() ? attention + weighted : weighted;
    attending += weights_[i];
  }
  if (average_ == EnsembleAverage::kLog) log_probs = at::log_softmax(log_probs, 1);
  if (attention.defined()) attention = attention / attending;
  return {log_probs, {}, attention};
}

void EnsembleStepper::reorder(const torch::Tensor& rows) {
  for (const auto& member : members_) member->reorder(rows);
}

}  // namespace nmt
