#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/train_config.h"
#include "data/validation_set.h"
#include "model/seq2seq.h"

namespace nmt {

// One line of the validation text with its translation, to be shown.
struct ValidationSample {
  std::string source;
  std::string reference;
  std::string translation;
};

inline constexpr double kTellingBleu = 1;  // below it BLEU is chance

// How good the model is on the validation text.
struct ValidationReport {
  double loss = 0;             // negative log-likelihood a target token (end marks counted), natural log, unsmoothed
  std::optional<double> bleu;  // 0 to 100, of translated, detokenized text
  std::string bleu_signature;
  std::string search;      // settings the translations were found with, as "beam 5, length penalty 1"
  int64_t unfinished = 0;  // translations cut off by the length limit
  std::vector<ValidationSample> samples;

  double perplexity() const;  // e^loss
  double score(ValidMetric metric) const;

  // What validations are compared by: the score, but minus the loss, which is below any BLEU, where BLEU is the metric
  // and below kTellingBleu. So a model that doesn't translate yet, but learns, improves.
  double rank(ValidMetric metric) const;
};

// Judges the model that is being trained; handed in, since train/ doesn't translate. Called with the model in
// evaluation mode and without gradients. May throw InterruptedError where a stop is requested.
using Validate = std::function<ValidationReport()>;

// The loss of ValidationReport by teacher forcing, over batches of target pieces.
double teacher_forced_loss(Seq2Seq& model, const std::vector<Batch>& batches, const torch::Device& device);

}  // namespace nmt
