#include "translate/model_engine.h"

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <new>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "data/batch.h"
#include "search/beam_search.h"
#include "translate/model_stepper.h"

namespace nmt {

namespace {

bool is_out_of_memory(const c10::Error& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  return std::string_view(error.what_without_backtrace()).find("can't allocate memory") != std::string_view::npos;
}

class ModelEngine : public SearchEngine {
 public:
  ModelEngine(std::vector<Seq2Seq> models, std::vector<double> weights, EnsembleAverage average)
      : models_(std::move(models)), weights_(std::move(weights)), average_(average) {}

  std::vector<std::vector<Hypothesis>> search(const SearchTask& task, const SearchOptions& options) const override {
    const c10::InferenceMode no_gradients;
    try {
      const Batch batch = make_source_batch(task.sources).to(models_.front()->output_weight().device());
      return beam_search(*stepper_of(batch), options, task.requests);
    } catch (const c10::Error& error) {
      if (is_out_of_memory(error)) throw std::bad_alloc();
      throw;
    }
  }

 private:
  std::unique_ptr<Stepper> stepper_of(const Batch& batch) const {
    std::vector<std::unique_ptr<Stepper>> steppers;
    for (const Seq2Seq& model : models_) {
      if (model->is_training()) throw InternalError("A model translates in evaluation mode only.");
      steppers.push_back(std::make_unique<ModelStepper>(model, batch));
    }
    if (steppers.size() == 1) return std::move(steppers.front());
    return std::make_unique<EnsembleStepper>(std::move(steppers), weights_, average_);
  }

  std::vector<Seq2Seq> models_;
  std::vector<double> weights_;
  EnsembleAverage average_;
};

}  // namespace

std::shared_ptr<const SearchEngine> make_model_engine(Seq2Seq model) {
  return make_ensemble_engine({std::move(model)}, {}, EnsembleAverage::kLog);
}

std::shared_ptr<const SearchEngine> make_ensemble_engine(std::vector<Seq2Seq> models, std::vector<double> weights,
                                                         EnsembleAverage average) {
  if (models.empty()) throw InternalError("An ensemble without a model.");
  return std::make_shared<ModelEngine>(std::move(models), std::move(weights), average);
}

}  // namespace nmt
