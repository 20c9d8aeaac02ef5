#include <chrono>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/log.h"
#include "base/paired_lines.h"
#include "base/stop.h"
#include "cli/torch_line_verb.h"
#include "cli/torch_score_rule.h"
#include "cli/torch_verbs.h"
#include "tensor/reused_memory.h"
#include "translate/line_pipeline.h"
#include "translate/open_models.h"
#include "translate/score_format.h"
#include "translate/score_summary.h"

namespace nmt {

namespace {

ScoreStyle style_of(const ScoreOptions& options, const SearchConfig& saved) {
  ScoreStyle style;
  style.format = parse_score_format(options.format);
  style.per_token = options.per_token;
  style.rule.normalization = parse_normalization(options.normalization);
  style.rule.alpha = options.length_penalty.value_or(saved.length_penalty);
  style.rule.word_reward = options.word_reward;
  style.rule.coverage_penalty = options.coverage_penalty;
  return style;
}

ForcedDecoder make_decoder(OpenedModels opened, const ScoreOptions& options) {
  ForcedOptions how;
  how.batch_sentences = options.batch_sentences.value_or(opened.config.search.batch_sentences);
  how.max_pieces = options.max_length;
  how.threads = opened.parallel_batches;
  how.coverage = options.coverage_penalty != 0;
  return {std::move(opened.tokenizers), std::move(opened.ensemble), how};
}

ModelOptions model_options(const ScoreOptions& options) {
  return {options.device, static_cast<int>(options.threads), options.weights, parse_average(options.average)};
}

void score(const ScoreOptions& options) {
  install_stop_handler();
  LineReader sources(options.source);
  PartnerLines targets(sources, options.target);
  OpenedModels opened = open_models(options.models, model_options(options));
  const ScoreStyle style = style_of(options, opened.config.search);
  const ForcedDecoder decoder = make_decoder(std::move(opened), options);
  LineWriter writer(options.output);
  ScoreSummary summary;
  const auto score_window = [&](const std::vector<std::string>& lines, int64_t first) {
    const std::vector<std::string> partners = targets.take(lines.size());
    std::vector<LinePair> pairs;
    for (size_t i = 0; i < lines.size(); ++i) pairs.push_back({lines[i], partners[i]});
    std::vector<std::string> results;
    for (const ForcedPair& pair : decoder.decode(pairs)) {
      const int64_t number = first + static_cast<int64_t>(results.size());
      summary.add(number, pair);
      results.push_back(format_score(pair, number, *decoder.tokenizers().target, style));
    }
    return results;
  };
  const PipelineOptions pipeline = pipeline_for(decoder.options().batch_sentences, decoder.options().threads);
  const auto begin = std::chrono::steady_clock::now();
  run_line_pipeline(sources, writer, score_window, pipeline);
  targets.finish();
  writer.finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  log::info("{}", summary.text(seconds.count()));
}

}  // namespace

}  // namespace nmt

void nmt_score(const nmt::ScoreOptions& options) {
  nmt::reuse_tensor_memory();
  nmt::with_line_verb_errors([&] { nmt::score(options); });
}
