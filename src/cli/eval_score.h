#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/eval_options.h"

namespace nmt {

// Throws UsageError where options contradict each other or `systems`, the number of hypotheses, or a value is out of
// range. To be called before anything is read.
void check(const EvalOptions& options, size_t systems);

// The files of `options` as input, in its order; options.models isn't looked at. Throws DataError.
metrics::ScoreInput open_eval_files(const EvalOptions& options);

// Scores `input`, wherever its hypotheses come from, and writes the report to `out`; `names` are those of the systems.
// A plot is written to its file. Throws DataError for the input's faults.
void score_input(const EvalOptions& options, metrics::ScoreInput input, std::vector<std::string> names,
                 std::ostream& out);

}  // namespace nmt
