#include "translate/model_engine.h"

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "data/batch.h"
#include "search/beam_search.h"

namespace nmt {

namespace {

bool is_out_of_memory(const c10::Error& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  return std::string_view(error.what_without_backtrace()).find("can't allocate memory") != std::string_view::npos;
}

class ModelEngine : public SearchEngine {
 public:
  explicit ModelEngine(std::shared_ptr<const ModelEnsemble> models) : models_(std::move(models)) {}

  std::vector<std::vector<Hypothesis>> search(const SearchTask& task, const SearchOptions& options) const override {
    const c10::InferenceMode no_gradients;
    try {
      return beam_search(*models_->start(make_source_batch(task.sources)), options, task.requests);
    } catch (const c10::Error& error) {
      if (is_out_of_memory(error)) throw std::bad_alloc();
      throw;
    }
  }

 private:
  std::shared_ptr<const ModelEnsemble> models_;
};

}  // namespace

std::shared_ptr<const SearchEngine> make_model_engine(Seq2Seq model) {
  return make_ensemble_engine(std::make_shared<ModelEnsemble>(std::vector<Seq2Seq>{std::move(model)},
                                                              std::vector<double>{}, EnsembleAverage::kLog));
}

std::shared_ptr<const SearchEngine> make_ensemble_engine(std::shared_ptr<const ModelEnsemble> models) {
  return std::make_shared<ModelEngine>(std::move(models));
}

}  // namespace nmt
