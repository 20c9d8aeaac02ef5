#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>

#include "cli/eval_options.h"

// nmt eval: hypotheses against references.
namespace nmt::cli {

// Adds the verb to `root`; its flags are read into `options`.
CLI::App* add_eval(CLI::App& root, EvalOptions& options);

// Translates options.source with options.models: one line for each.
using Translate = std::function<std::vector<std::string>(const EvalOptions&)>;

// Scores and writes the report to `out`. `translate` is called where models are given. Throws nmt::Error; 0 when done.
int run_eval(const EvalOptions& options, std::ostream& out, const Translate& translate = {});

}  // namespace nmt::cli
