#include "train/validation.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/stop.h"
#include "ops/vocabulary_loss.h"

namespace nmt {

double ValidationReport::perplexity() const { return std::exp(loss); }

double ValidationReport::score(ValidMetric metric) const {
  switch (metric) {
    case ValidMetric::kLoss: return loss;
    case ValidMetric::kPerplexity: return perplexity();
    case ValidMetric::kBleu: break;
  }
  return bleu.value_or(std::numeric_limits<double>::quiet_NaN());
}

double ValidationReport::rank(ValidMetric metric) const {
  const double value = score(metric);
  return metric == ValidMetric::kBleu && value < kTellingBleu ? -loss : value;
}

double teacher_forced_loss(Seq2Seq& model, const std::vector<Batch>& batches, const torch::Device& device) {
  const at::NoGradGuard no_grad;
  double nll = 0;
  int64_t tokens = 0;
  for (const Batch& on_cpu : batches) {
    if (stop_requested()) throw InterruptedError("Interrupted.");
    const Batch batch = on_cpu.to(device);
    const torch::Tensor states = model->forward(batch.source, batch.source_lengths, batch.target_input);  // [B,T,R]
    const VocabularyLoss loss =
        vocabulary_loss(states, model->output_weight(), model->output_bias(), batch.target_output);
    nll += loss.nll.item<double>();
    tokens += loss.tokens;
  }
  return nll / static_cast<double>(tokens);
}

}  // namespace nmt
