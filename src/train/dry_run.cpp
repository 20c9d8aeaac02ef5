#include "train/dry_run.h"

#include <chrono>

#include "data/batcher.h"
#include "train/learner.h"

namespace nmt {

namespace {

constexpr double kTinyRate = 1e-6;  // weights are thrown away; they only have to stay finite

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

DryRunReport dry_run(const Config& config, const TrainerParts& parts, double seconds) {
  Learner learner(parts.model, config.train, parts.device);
  Batcher batcher(parts.corpus, config.train, {config.text.sampling_alpha, parts.tokenizers});
  DryRunReport report;
  reset_peak_memory(parts.device);
  const Batch largest = batcher.largest_batch();
  report.largest_sentences = largest.sentences();
  report.largest_source = largest.source.size(1);
  report.largest_target = largest.target_input.size(1);
  learner.rehearse(largest);
  learner.learn({largest}, kTinyRate, 0);
  const auto begin = std::chrono::steady_clock::now();
  int64_t tokens = 0;
  do {
    tokens += learner.learn({batcher.next()}, kTinyRate, 0).target_tokens;
  } while (seconds_since(begin) < seconds && batcher.position().epoch == 0);
  report.memory = peak_memory(parts.device);
  report.target_tokens_per_second = static_cast<double>(tokens) / seconds_since(begin);
  const CorpusSummary& summary = parts.corpus->summary();
  report.epoch_seconds = static_cast<double>(summary.target_pieces + summary.kept) / report.target_tokens_per_second;
  return report;
}

}  // namespace nmt
