#include "cli/eval_score.h"

#include <algorithm>
#include <thread>

#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"
#include "metrics/length_plot.h"
#include "metrics/report.h"

namespace nmt {

using metrics::InputCounts;
using metrics::Metric;
using metrics::PairedTest;

namespace {

constexpr size_t kTokenizedLines = 100;  // so many make a warning

using Metrics = std::vector<std::unique_ptr<Metric>>;

Metrics make_metrics(const EvalOptions& options) {
  const auto wanted = [&](const char* name) {
    return std::find(options.metrics.begin(), options.metrics.end(), name) != options.metrics.end();
  };
  Metrics out;
  if (wanted("bleu")) {
    metrics::BleuOptions bleu = options.bleu;
    bleu.effective_order |= options.sentence_level;
    out.push_back(std::make_unique<metrics::Bleu>(bleu));
  }
  if (wanted("chrf")) out.push_back(std::make_unique<metrics::Chrf>(options.chrf));
  if (wanted("ter")) out.push_back(std::make_unique<metrics::Ter>(options.ter));
  return out;
}

int thread_count(const EvalOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

PairedTest paired_test(const EvalOptions& options) {
  if (options.paired_bs) return PairedTest::kBootstrap;
  return options.paired_ar ? PairedTest::kRandomization : PairedTest::kNone;
}

metrics::ReportStyle report_style(const EvalOptions& options) {
  return {options.width, options.score_only, options.short_signature,
          options.sacrebleu_signature ? metrics::SignatureVersion::kSacreBleu : metrics::SignatureVersion::kNmt};
}

metrics::Signature signature_of(const EvalOptions& options, const Metric& metric, size_t references) {
  metrics::Signature out(references);
  if (options.confidence) out.add_resampling("bs", options.confidence_n);
  if (options.paired_bs) out.add_resampling("bs", options.paired_bs_n);
  if (options.paired_ar) out.add_resampling("ar", options.paired_ar_n);
  if (options.confidence || paired_test(options) != PairedTest::kNone) out.add_seed(options.seed);
  metric.describe(out);
  return out;
}

metrics::ScoresByLength scores_by_length(const Metric& metric, const metrics::SystemCounts& counts) {
  metrics::ScoresByLength out;
  for (size_t k = 0; k < out.size(); ++k) {
    if (!counts.sums_by_length[k].empty()) out[k] = metric.value(counts.sums_by_length[k]);
  }
  return out;
}

// Adds what resampling says of one metric to the results of all systems.
void resample(const EvalOptions& options, const Metric& metric, size_t m, const InputCounts& counts,
              std::vector<metrics::SystemResult>& systems) {
  const PairedTest test = paired_test(options);
  const size_t samples =
      options.confidence ? options.confidence_n : (options.paired_bs ? options.paired_bs_n : options.paired_ar_n);
  const metrics::ResamplingOptions resampling = {samples, options.seed, thread_count(options)};
  std::vector<double> baseline_scores;
  for (size_t s = 0; s < systems.size(); ++s) {
    metrics::MetricResult& result = systems[s].metrics[m];
    const std::vector<double>& lines = counts.systems[s][m].lines;
    const double difference = result.score.value - systems[0].metrics[m].score.value;
    if (test == PairedTest::kRandomization) {
      if (s > 0) {
        result.p_value =
            metrics::paired_randomization_p(metric, counts.systems[0][m].lines, lines, difference, resampling);
      }
      continue;
    }
    const std::vector<double> scores = metrics::bootstrap_scores(metric, lines, resampling);
    result.interval = metrics::interval(scores);
    if (s == 0) baseline_scores = scores;
    if (s > 0) result.p_value = metrics::paired_bootstrap_p(baseline_scores, scores, difference);
  }
}

std::vector<metrics::SystemResult> results_of(const EvalOptions& options, const Metrics& measures,
                                              const InputCounts& counts, const std::vector<std::string>& names,
                                              size_t references) {
  std::vector<metrics::SystemResult> out;
  for (size_t s = 0; s < names.size(); ++s) {
    metrics::SystemResult& system = out.emplace_back();
    system.name = names[s];
    for (size_t m = 0; m < measures.size(); ++m) {
      const metrics::SystemCounts& of_metric = counts.systems[s][m];
      metrics::MetricResult result = {
          measures[m]->score(of_metric.sums), signature_of(options, *measures[m], references), {}, {}, {}};
      if (options.by_length) result.by_length = scores_by_length(*measures[m], of_metric);
      system.metrics.push_back(std::move(result));
    }
  }
  if (options.confidence || paired_test(options) != PairedTest::kNone) {
    for (size_t m = 0; m < measures.size(); ++m) resample(options, *measures[m], m, counts, out);
  }
  return out;
}

// One line of text for each line of the input.
void write_sentences(const EvalOptions& options, const Metric& metric, const InputCounts& counts, size_t references,
                     std::ostream& out) {
  const metrics::ReportStyle style = report_style(options);
  const std::vector<double>& lines = counts.systems[0][0].lines;
  metrics::MetricResult result = {{}, signature_of(options, metric, references), {}, {}, {}};
  for (size_t at = 0; at < lines.size(); at += metric.statistics()) {
    result.score = metric.score(std::span<const double>(lines).subspan(at, metric.statistics()));
    out << metrics::result_text(result, style) << '\n';
  }
}

void warn_of_input(const EvalOptions& options, const InputCounts& counts, const std::vector<std::string>& names) {
  if (counts.replaced > 0) {
    log::warn("{} ill-formed parts of the input are no UTF-8 and count as U+FFFD.",
              with_thousands(static_cast<int64_t>(counts.replaced)));
  }
  for (size_t s = 0; s < names.size() && !options.force; ++s) {
    if (counts.tokenized_lines[s] < kTokenizedLines) continue;
    log::warn(
        "{} lines of {} look tokenized (they end in ' .' or hold subword marks). Scores of tokenized text don't "
        "compare "
        "with published ones: score detokenized text, or silence this with --force.",
        with_thousands(static_cast<int64_t>(counts.tokenized_lines[s])), names[s]);
  }
}

void write_plot(const EvalOptions& options, const std::vector<metrics::SystemResult>& systems,
                const metrics::LinesByLength& lines) {
  std::vector<metrics::PlotSeries> series;
  series.reserve(systems.size());
  for (const metrics::SystemResult& system : systems) {
    series.push_back({system.name.substr(system.name.rfind('/') + 1), *system.metrics[0].by_length});
  }
  write_file_atomic(options.plot, metrics::length_plot(systems[0].metrics[0].score.name, series, lines));
  log::info("Wrote {}.", options.plot);
}

}  // namespace

metrics::ScoreInput open_eval_files(const EvalOptions& options) {
  metrics::ScoreInput input;
  for (const std::string& path : options.hypotheses) {
    input.hypotheses.push_back(std::make_unique<metrics::FileLines>(path));
  }
  for (const std::string& path : options.references) {
    input.references.push_back(std::make_unique<metrics::FileLines>(path));
  }
  if (options.by_length) input.source = std::make_unique<metrics::FileLines>(options.source);
  return input;
}

void score_input(const EvalOptions& options, metrics::ScoreInput input, std::vector<std::string> names,
                 std::ostream& out) {
  const Metrics measures = make_metrics(options);
  const PairedTest test = paired_test(options);
  const size_t references = input.references.size();
  const bool keep_lines = options.sentence_level || options.confidence || test != PairedTest::kNone;
  const InputCounts counts =
      metrics::count_input(measures, std::move(input), {options.invalid_utf8, keep_lines, thread_count(options)});
  warn_of_input(options, counts, names);
  if (options.sentence_level) {
    write_sentences(options, *measures[0], counts, references, out);
    return;
  }
  if (test != PairedTest::kNone) names[0] = "Baseline: " + names[0];
  const std::vector<metrics::SystemResult> systems = results_of(options, measures, counts, names, references);
  const metrics::ReportStyle style = report_style(options);
  const metrics::LinesByLength& lines = counts.lines_by_length;
  if (systems.size() == 1) {
    const auto& results = systems[0].metrics;
    out << (options.json ? metrics::single_json(results, style, lines) : metrics::single_text(results, style, lines));
  } else if (options.json) {
    out << metrics::systems_json(systems, test, style, lines);
  } else {
    out << metrics::systems_text(systems, test, options.paired_bs ? options.paired_bs_n : options.paired_ar_n, style,
                                 lines);
  }
  if (!options.plot.empty()) write_plot(options, systems, lines);
}

}  // namespace nmt
