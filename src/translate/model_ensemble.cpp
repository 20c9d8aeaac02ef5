#include "translate/model_ensemble.h"

#include <utility>

#include "base/error.h"
#include "translate/model_stepper.h"

namespace nmt {

ModelEnsemble::ModelEnsemble(std::vector<Seq2Seq> models, std::vector<double> weights, EnsembleAverage average)
    : models_(std::move(models)), weights_(std::move(weights)), average_(average) {
  if (models_.empty()) throw InternalError("An ensemble without a model.");
}

std::unique_ptr<Stepper> ModelEnsemble::start(const Batch& batch) const {
  const Batch there = batch.to(models_.front()->output_weight().device());
  std::vector<std::unique_ptr<Stepper>> steppers;
  for (const Seq2Seq& model : models_) {
    if (model->is_training()) throw InternalError("A model translates in evaluation mode only.");
    steppers.push_back(std::make_unique<ModelStepper>(model, there));
  }
  if (steppers.size() == 1) return std::move(steppers.front());
  return std::make_unique<EnsembleStepper>(std::move(steppers), weights_, average_);
}

}  // namespace nmt
