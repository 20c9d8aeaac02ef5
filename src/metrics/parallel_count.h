#pragma once

#include <array>
#include <memory>
#include <vector>

#include "metrics/line_source.h"
#include "metrics/metric.h"
#include "metrics/source_length.h"

namespace nmt::metrics {

// What is scored: systems against the same references, in step.
struct ScoreInput {
  std::vector<std::unique_ptr<LineSource>> hypotheses;  // one for each system
  std::vector<std::unique_ptr<LineSource>> references;  // one or more
  std::unique_ptr<LineSource> source;                   // for scores by source length; may be null
};

struct CountOptions {
  InvalidUtf8 invalid_utf8 = InvalidUtf8::kError;
  bool keep_lines = false;  // statistics of every line, for resampling and scores of lines: 8 bytes a number
  int threads = 1;          // results don't depend on it
};

// Statistics of one system under one metric.
struct SystemCounts {
  std::vector<double> sums;
  std::vector<double> lines;                                       // line after line; empty unless keep_lines
  std::array<std::vector<double>, kLengthBuckets> sums_by_length;  // all of them empty without a source
};

struct InputCounts {
  size_t lines = 0;
  std::vector<std::vector<SystemCounts>> systems;  // [system][metric]
  std::vector<size_t> tokenized_lines;             // [system]: hypotheses that look tokenized
  std::array<size_t, kLengthBuckets> lines_by_length = {};
  size_t replaced = 0;  // ill-formed parts made U+FFFD
};

// True where a hypothesis looks as if it hadn't been detokenized: it ends in " .", or holds marks of subword pieces
// ("@@ ", U+2581). Scores of such text don't compare with those of others (field experience: 37.0 or 32.3 for the same
// system).
bool looks_tokenized(std::string_view hypothesis);

// Counts all systems under all metrics in one pass: blocks of lines are read in order and counted by `threads`. Memory
// doesn't grow with the number of lines unless keep_lines asks for it. Throws DataError as LineReader and BlockReader,
// and InterruptedError where a stop was requested.
InputCounts count_input(const std::vector<std::unique_ptr<Metric>>& metrics, ScoreInput input,
                        const CountOptions& options);

}  // namespace nmt::metrics
