#include "train/reporter.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/log.h"
#include "base/strings.h"

namespace nmt {

using Json = nlohmann::ordered_json;

namespace {

constexpr size_t kLinesShown = 10;

double per(double sum, double count) { return count > 0 ? sum / count : 0; }
// Of all threads of this process since it began.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double per(double sum, int64_t count) { return per(sum, static_cast<double>(count)); }

std::string metric_name(ValidMetric metric) {
  return metric == ValidMetric::kBleu ? "BLEU" : std::string(name_of(metric));
}

// A rank of ValidationReport.
std::string format_rank(ValidMetric metric, double score) {
  if (metric == ValidMetric::kBleu && score < 0)
    return fmt::format("loss {:.4f} with BLEU below {}", -score, kTellingBleu);
  return fmt::format("{} {:.{}f}", metric_name(metric), score, metric == ValidMetric::kLoss ? 4 : 2);
}

// What a new best needs to be.
const char* needed(ValidMetric metric, double rank) {
  return metric == ValidMetric::kBleu && rank >= 0 ? "more" : "less";
}

std::string format_lines(const std::vector<int64_t>& lines) {
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(lines.size(), kLinesShown); ++i) shown.push_back(std::to_string(lines[i]));
  if (lines.size() > kLinesShown) shown.push_back(fmt::format("... {} in all, see train_log.jsonl", lines.size()));
  return join(shown, ", ");
}

}  // namespace

Reporter::Reporter(const std::filesystem::path& log_file, const Config& config, int64_t pairs_in_epoch)
    : log_(log_file),
      precision_(name_of(config.train.precision)),
      metric_(config.valid.metric),
      max_bad_steps_(config.train.max_bad_steps),
      pairs_in_epoch_(pairs_in_epoch) {}

double Reporter::epoch(const TrainState& state) const {
  return static_cast<double>(state.epochs_finished()) +
         per(static_cast<double>(state.position.pairs), std::max<int64_t>(1, pairs_in_epoch_));
}

void Reporter::write(const std::string& event, const TrainState& state, const Json& fields) {
  bar_.clear();
  Json all = {{"update", state.update}, {"epoch", epoch(state)}, {"seconds", state.seconds}};
  all.update(fields);
  log_.write(event, all);
}

void Reporter::started(const StartReport& report) {
  log_.write("start", {{"nmt", NMT_VERSION},
                       {"device", report.device},
                       {"threads", report.threads},
                       {"precision", precision_},
                       {"parameters", report.parameters},
                       {"pairs", report.pairs},
                       {"corpus", report.corpus},
                       {"memory_bytes", report.memory},
                       {"resumed_update", report.resumed_update ? Json(*report.resumed_update) : Json(nullptr)}});
  log::info("Device: {}, products in {}.", report.device, precision_);
  log::info("Model: {} parameters.", with_thousands(report.parameters));
  log::info("Memory: about {}, with the largest batch ({}).", format_bytes(report.memory), report.largest_batch);
  if (report.resumed_update) log::info("Resumed at update {}.", *report.resumed_update);
}

void Reporter::progress(const TrainState& state, std::optional<double> part) {
  if (!bar_.visible()) return;
  const LogSums& sums = state.since_log;
  std::string text =
      fmt::format("epoch {:.2f}  update {}  loss {:.3f}  {} tokens/s", epoch(state), state.update,
                  per(sums.loss, sums.target_tokens),
                  with_thousands(std::llround(per(static_cast<double>(sums.target_tokens), sums.seconds))));
  if (part && *part > 0) text += "  " + format_duration(state.seconds * (1 - *part) / *part) + " left";
  bar_.show(part, text);
}

void Reporter::updates_done(const TrainState& state, double learning_rate, double data_wait_seconds) {
  const LogSums& sums = state.since_log;
  const auto known = [&](double value) { return sums.applied > 0 ? Json(value) : Json(nullptr); };
  const double loss = per(sums.loss, sums.target_tokens);
  const double nll = per(sums.nll, sums.target_tokens);
  const double rate = per(static_cast<double>(sums.target_tokens), sums.seconds);
  const double norm = per(sums.gradient_norm, sums.applied);
  write("train", state,
        {{"loss", known(loss)},
         {"nll", known(nll)},
         {"perplexity", known(std::exp(nll))},
         {"learning_rate", learning_rate},
         {"gradient_norm", known(norm)},
         {"sentences", sums.sentences},
         {"source_tokens", sums.source_tokens},
         {"target_tokens", sums.target_tokens},
         {"target_tokens_per_second", rate},
         {"data_wait_seconds", data_wait_seconds},
         {"processor_seconds", processor_seconds()},
         {"skipped", sums.skipped}});
  if (sums.applied == 0) {
    log::info("update {}  epoch {:.2f}  every update since the last line was skipped", state.update, epoch(state));
    return;
  }
  log::info("update {}  epoch {:.2f}  loss {:.4f}  perplexity {:.2f}  rate {:.3g}  gradient {:.2f}  {} tokens/s  {}",
            state.update, epoch(state), loss, std::exp(nll), learning_rate, norm, with_thousands(std::llround(rate)),
            format_duration(state.seconds));
}

std::string Reporter::best_line(const TrainState& state, double score, bool is_best) const {
  if (is_best) return "best so far";
  if (!state.best) return fmt::format("no best yet, since {} isn't a number", metric_name(metric_));
  return fmt::format("best stays update {} ({}; a new best needs {}), {} without improvement", state.best->update,
                     format_rank(metric_, state.best->rank), needed(metric_, state.best->rank), state.patience.waited) +
         (std::isnan(score) ? ", since this one isn't a number" : "");
}

void Reporter::validated(const TrainState& state, const ValidationReport& report, bool is_best, double seconds) {
  const double score = report.score(metric_);
  Json samples = Json::array();
  for (const ValidationSample& sample : report.samples) {
    samples.push_back(
        {{"source", sample.source}, {"reference", sample.reference}, {"translation", sample.translation}});
  }
  const std::string why = best_line(state, score, is_best);
  write("validation", state,
        {{"loss", report.loss},
         {"perplexity", report.perplexity()},
         {"bleu", report.bleu ? Json(*report.bleu) : Json(nullptr)},
         {"bleu_signature", report.bleu_signature},
         {"search", report.search},
         {"unfinished", report.unfinished},
         {"metric", name_of(metric_)},
         {"is_best", is_best},
         {"best_update", state.best ? Json(state.best->update) : Json(nullptr)},
         {"best_score", state.best ? Json(state.best->rank) : Json(nullptr)},
         {"waited", state.patience.waited},
         {"why", why},
         {"samples", std::move(samples)},
         {"validation_seconds", seconds}});
  std::string line = fmt::format("Validation at update {}: loss {:.4f}, perplexity {:.2f}", state.update, report.loss,
                                 report.perplexity());
  if (report.bleu) line += fmt::format(", BLEU {:.2f} ({}; {})", *report.bleu, report.search, report.bleu_signature);
  log::info("{}, in {}: {}.", line, format_duration(seconds), why);
  if (report.unfinished > 0) log::info("  {} translations were cut off by the length limit.", report.unfinished);
  for (const ValidationSample& sample : report.samples) {
    log::info("  source       {}", sample.source);
    log::info("  reference    {}", sample.reference);
    log::info("  translation  {}", sample.translation);
  }
}

void Reporter::rate_lowered(const TrainState& state) {
  write("rate_lowered", state, {{"factor", state.plateau.factor}});
  log::info("Learning rate lowered to {:.3g} of its peak: validation has stopped improving.", state.plateau.factor);
}

void Reporter::skipped(const TrainState& state, const LearnReport& report, const std::vector<int64_t>& lines) {
  write("skipped", state,
        {{"loss", report.loss},
         {"gradient_norm", report.gradient_norm},
         {"in_a_row", state.skipped_in_a_row},
         {"lines", lines}});
  log::warn("Update {} skipped ({} of at most {} in a row): {} isn't finite. Training lines: {}.", state.update,
            state.skipped_in_a_row, max_bad_steps_, std::isfinite(report.loss) ? "the gradient" : "the loss",
            format_lines(lines));
}

void Reporter::saved(const TrainState& state, const std::filesystem::path& directory, double seconds) {
  write("save", state, {{"checkpoint", directory.filename().string()}, {"save_seconds", seconds}});
  log::info("Saved {} in {}.", directory.string(), format_duration(seconds));
}

void Reporter::stopped(const TrainState& state, const std::string& reason) {
  write("stop", state, {{"reason", reason}});
  log::info("Training ended at update {}, epoch {:.2f}, after {}: {}.", state.update, epoch(state),
            format_duration(state.seconds), reason);
}

}  // namespace nmt
