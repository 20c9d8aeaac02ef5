#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/precision.h"
#include "search/ensemble_stepper.h"
#include "translate/translator.h"

namespace nmt {

// What a user may choose about a model opened for translation.
struct OpenOptions {
  std::string device = "auto";                        // see select_device
  Precision precision = Precision::kFloat32;          // of the products with the models' weights
  int threads = 0;                                    // 0: one for each core
  std::function<void(SearchOptions&)> adjust_search;  // changes the search that the model was saved with
  std::vector<std::string> forbidden;                 // words and phrases that no translation may hold
  std::optional<int64_t> max_source_pieces;           // lines up to it are searched whole; else split_as_trained()
  OutputOptions output = {};
  std::function<void(double)> on_progress = {};  // see TextTranslatorOptions
  std::optional<int64_t> batch_sentences;        // else what the model was saved with
  std::vector<double> weights;                   // of several models; none: equal ones
  EnsembleAverage average = EnsembleAverage::kLog;
};

// Opens model directories, or the best models of run directories; several are an ensemble, searched as the first was
// saved. Throws ModelError (also where the output asks for attention and none of the models has it, and where a model
// and its tokenizers, or the models' vocabularies, don't fit each other), ResourceError (device), UsageError.
TextTranslator open_translator(const std::vector<std::string>& models, const OpenOptions& options);

}  // namespace nmt
