#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "model/model_dir.h"
#include "ops/precision.h"
#include "text/tokenizer.h"
#include "translate/model_ensemble.h"

namespace nmt {

// How models are opened.
struct ModelOptions {
  std::string device = "auto";  // see select_device
  int threads = 0;              // 0: one for each core
  std::vector<double> weights;  // of several models; none: equal ones
  EnsembleAverage average = EnsembleAverage::kLog;
  Precision precision = Precision::kFloat32;  // of the products with the models' weights
};

// Models that translate together, as they were saved.
struct OpenedModels {
  TokenizerPair tokenizers;
  ModelDirConfig config;  // of the first
  std::shared_ptr<const ModelEnsemble> ensemble;
  int parallel_batches = 1;                        // that keep the threads busy
  bool any_attention = true;                       // whether a model has any
  std::optional<TrainingText> training_text = {};  // of the first
};

// Opens model directories, or the best models of run directories; several are an ensemble. Throws ModelError (also
// where a model and its tokenizers, or the models' vocabularies, don't fit each other), ResourceError (device),
// UsageError.
OpenedModels open_models(const std::vector<std::string>& models, const ModelOptions& options);

}  // namespace nmt
