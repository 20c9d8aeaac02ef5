#pragma once

#include <memory>
#include <vector>

#include "search/stepper.h"

namespace nmt {

// How the predictions of several models become one.
enum class EnsembleAverage {
  kLog,    // p proportional to the product of p_i^w_i (geometric mean)
  kLinear  // p = sum of w_i p_i
};

// Several models that step together over the same sentences and the same vocabularies. Weights are scaled to sum to 1.
class EnsembleStepper : public Stepper {
 public:
  // One weight above 0 for each member, or none for equal weights. Throws UsageError where weights are missing or bad,
  // InternalError where members differ in sentences or vocabulary.
  EnsembleStepper(std::vector<std::unique_ptr<Stepper>> members, std::vector<double> weights, EnsembleAverage average);

  int64_t sentences() const override { return members_.front()->sentences(); }
  int64_t source_length(int64_t b) const override { return members_.front()->source_length(b); }
  int64_t vocab_size() const override { return members_.front()->vocab_size(); }

  // Attention is the weighted mean over the members that have any.
  StepOutput step(const torch::Tensor& last_pieces) override;
  void reorder(const torch::Tensor& rows) override;

 private:
  std::vector<std::unique_ptr<Stepper>> members_;
  std::vector<double> weights_;
  EnsembleAverage average_;
};

}  // namespace nmt
