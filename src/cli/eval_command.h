#pragma once

#include <functional>
#include <iosfwd>

#include "cli/command_line.h"
#include "cli/eval_options.h"

// nmt eval: hypotheses against references.
namespace nmt {

void add_eval_command(CommandLine& line);

// The verb's flags, read into `options`, which must live as long as the verb.
void add_eval_flags(CLI::App& verb, EvalOptions& options);

// Translates options.source with options.models: one line for each.
using TranslateSource = std::function<std::vector<std::string>(const EvalOptions&)>;

// Scores and writes the report to `out`. `translate` is called where models are given. Throws nmt::Error.
void run_eval(const EvalOptions& options, std::ostream& out, const TranslateSource& translate = {});

}  // namespace nmt
