#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "base/error.h"
#include "base/strings.h"
#include "cli/eval_score.h"

namespace nmt {

namespace {

const std::vector<std::string> kMetricNames = {"bleu", "chrf", "ter"};

void check_at_least(size_t value, size_t least, const char* flag) {
  if (value < least) throw UsageError(fmt::format("{} is {}; expected {} or more.", flag, value, least));
}

void check_metric_names(const std::vector<std::string>& names) {
  if (names.empty()) throw UsageError("--metrics names none; expected some of " + join(kMetricNames, ", ") + ".");
  for (const std::string& name : names) {
    if (std::find(kMetricNames.begin(), kMetricNames.end(), name) != kMetricNames.end()) continue;
    throw UsageError("Unknown metric '" + name + "'; expected some of " + join(kMetricNames, ", ") + "." +
                     did_you_mean(name, kMetricNames));
  }
}

void check_sentence_level(const EvalOptions& options, size_t systems) {
  if (options.metrics.size() > 1) throw UsageError("--sentence-level takes one metric; name it with --metrics.");
  if (systems > 1) throw UsageError("--sentence-level takes one hypothesis.");
  if (options.confidence || options.paired_bs || options.paired_ar || options.by_length) {
    throw UsageError("--sentence-level doesn't go with --confidence, --paired-bs, --paired-ar or --by-length.");
  }
}

void check_inputs(const EvalOptions& options) {
  if (options.references.empty()) throw UsageError("No reference; expected --reference FILE (may repeat).");
  std::vector<std::string> all = options.hypotheses;
  all.insert(all.end(), options.references.begin(), options.references.end());
  all.push_back(options.source);
  if (std::count(all.begin(), all.end(), "-") > 1)
    throw UsageError("Standard input (-) can be read for one file only.");
  for (size_t i = 0; i < options.hypotheses.size(); ++i) {
    const auto end = options.hypotheses.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(options.hypotheses.begin(), end, *end) != end) {
      throw UsageError("The hypothesis " + *end + " is given twice; systems are told apart by their file.");
    }
  }
}

}  // namespace

void check(const EvalOptions& options, size_t systems) {
  check_metric_names(options.metrics);
  check_inputs(options);
  if (systems == 0) throw UsageError("No hypothesis; expected --hypothesis FILE (- reads standard input).");
  if (options.sentence_level) check_sentence_level(options, systems);
  const bool paired = options.paired_bs || options.paired_ar;
  if (options.paired_bs && options.paired_ar) throw UsageError("--paired-bs and --paired-ar exclude each other.");
  if (paired && systems == 1) {
    throw UsageError("A paired test compares systems with the first: give --hypothesis twice or more.");
  }
  if (options.confidence && systems > 1) {
    throw UsageError("--confidence takes one hypothesis; for several, --paired-bs gives intervals.");
  }
  if (options.by_length && options.source.empty()) throw UsageError("--by-length needs --source FILE.");
  if (!options.plot.empty() && !options.by_length) throw UsageError("--plot draws scores --by-length: give both.");
  if (options.by_length && options.score_only) throw UsageError("--by-length doesn't go with --score-only.");
  check_at_least(options.confidence_n, 2, "--confidence-n");
  check_at_least(options.paired_bs_n, 2, "--paired-bs-n");
  check_at_least(options.paired_ar_n, 1, "--paired-ar-n");
  if (options.threads < 0) throw UsageError(fmt::format("--threads is {}; expected 0 or more.", options.threads));
  if (options.width < 0 || options.width > 17) {
    throw UsageError(fmt::format("--width is {}; expected 0 to 17 digits.", options.width));
  }
  metrics::check(options.bleu);
  metrics::check(options.chrf);
}

}  // namespace nmt
