#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "config/field.h"

namespace nmt {

// The command line: `nmt VERB [VERB] [flags]`. A verb is registered by one function of its own, in
// cli/<verb>_command.{h,cpp}:
//
//   void add_train_command(CommandLine& line) {
//     auto options = std::make_shared<TrainOptions>();
//     CLI::App& verb = line.add_verb("train", "Train a translator.", "Example:\n  nmt train --config my.json\n");
//     verb.add_option("--config", options->config, "Configuration file")->required();
//     line.on_run(verb, [options] { ... });
//   }
//
// What is wrong with the arguments is thrown as UsageError, with the nearest flag or verb.
class CommandLine {
 public:
  CommandLine();

  // A verb with the flags that all verbs have (--help, --quiet, --verbose, --version). `footer` ends its help: an
  // example, and the defaults and units that the flags' own lines don't tell.
  CLI::App& add_verb(const std::string& name, const std::string& description, const std::string& footer);

  // A verb of a verb, as `nmt config show`. The outer one then needs one of its inner verbs.
  CLI::App& add_verb(CLI::App& outer, const std::string& name, const std::string& description,
                     const std::string& footer);

  // Flags that do nothing unless one of `needed` is given, at least `times` times, are refused without it.
  void only_with(CLI::App& verb, const std::vector<std::string>& flags, const std::vector<std::string>& needed,
                 size_t times = 1);

  // The same for flags that do nothing under another condition: of `flags` that are given `why` tells it, and gives
  // nothing where it doesn't hold.
  void refuse_idle(CLI::App& verb, const std::vector<std::string>& flags, std::function<std::string()> why);

  // What is said of an argument that belongs to no flag: where it should have gone. "See '... --help'" without.
  void advise_on_strays(const CLI::App& verb, std::string advice);

  // What the verb does. Runs after the whole command line was understood.
  void on_run(CLI::App& verb, std::function<void()> body);

  // Parses and runs; prints help or the version where asked for. Values of type FILE and DIR can't be empty. Throws
  // nmt::Error.
  void run(std::vector<std::string> arguments);

 private:
  void add_common_flags(CLI::App& verb);

  CLI::App root_;
  log::Verbosity verbosity_ = log::Verbosity::kNormal;
  std::vector<std::function<void()>> rules_;  // between flags
  std::map<const CLI::App*, std::string> advice_;
  std::function<void()> chosen_;
};

// Checks for flags, with messages as those of the configuration: "--beam: expected a whole number between 1 and 1000,
// found 'x'".
CLI::Validator whole_number_in(const Range& range);
CLI::Validator number_in(const Range& range);
CLI::Validator one_of(std::vector<std::string> names);
CLI::Validator not_empty();  // of paths

// A flag that may be given several times, each time with one value; what follows it belongs to it no more.
CLI::Option* may_repeat(CLI::Option* option);

}  // namespace nmt
