#include "cli/config_command.h"

#include <memory>

#include "base/error.h"
#include "base/strings.h"
#include "cli/config_suggestion.h"
#include "cli/config_summary.h"
#include "cli/shared_flags.h"
#include "cli/standard_streams.h"
#include "config/config.h"

namespace nmt {

namespace {

struct FileOptions {
  std::string file;
  std::vector<Override> overrides;
};

struct SuggestOptions {
  CorpusFiles train;
  CorpusFiles valid;
};

void add_show(CommandLine& line, CLI::App& config) {
  auto options = std::make_shared<FileOptions>();
  CLI::App& verb = line.add_verb(config, "show", "Print a configuration with all its values, or the reference",
                                 "Example:\n"
                                 "  nmt config show                  every key, what it means, its range and default\n"
                                 "  nmt config show my.json          what my.json amounts to, paths absolute\n");
  verb.add_option("FILE", options->file, "Configuration; - reads standard input; none: the reference")
      ->check(not_empty());
  add_set_flag(verb, options->overrides);
  line.on_run(verb, [options] {
    if (options->file.empty() && !options->overrides.empty()) {
      throw UsageError("'nmt config show --set' needs the configuration FILE to change.");
    }
    write_standard_output(options->file.empty() ? reference_config()
                                                : to_json(load_config(options->file, options->overrides)));
  });
}

void add_check(CommandLine& line, CLI::App& config) {
  auto options = std::make_shared<FileOptions>();
  CLI::App& verb =
      line.add_verb(config, "check", "Check a configuration and the files it names; tell what it would do",
                    "Example:\n"
                    "  nmt config check my.json --set train.max_epochs=5\n"
                    "\n"
                    "Exit code 0: training can start; 2: the configuration is wrong; 3: its texts are; 4: a tokenizer\n"
                    "that it names is. Whether the text has enough for text.vocab_size shows when the tokenizer\n"
                    "is learned; see 'nmt train --dry-run'.\n");
  verb.add_option("FILE", options->file, "Configuration; - reads standard input")->required()->check(not_empty());
  add_set_flag(verb, options->overrides);
  line.on_run(verb, [options] {
    const Config loaded = load_config(options->file, options->overrides);
    const std::vector<std::string> missing = missing_files(loaded);
    if (!missing.empty()) throw DataError(join(missing, "\n"));
    write_standard_output(summarize(loaded));
  });
}

void add_schema(CommandLine& line, CLI::App& config) {
  CLI::App& verb =
      line.add_verb(config, "schema", "Print the JSON Schema of the configuration",
                    "Example:\n"
                    "  nmt config schema > nmt.schema.json\n"
                    "\n"
                    "Draft 2020-12; editors complete and check keys with it. Rules between keys are not in\n"
                    "it: 'nmt config check' knows them.\n");
  line.on_run(verb, [] { write_standard_output(config_schema()); });
}

void add_suggest(CommandLine& line, CLI::App& config) {
  auto options = std::make_shared<SuggestOptions>();
  CLI::App& verb =
      line.add_verb(config, "suggest", "Print a configuration that suits a corpus",
                    "Example:\n"
                    "  nmt config suggest --src train.fr --tgt train.en > my.json\n"
                    "  nmt train --config my.json\n"
                    "\n"
                    "Looks at the number of pairs, their lengths and their letters. A starting point: the\n"
                    "sizes are rules of thumb. Validation text, where there is some, chooses the best\n"
                    "checkpoint and ends training.\n");
  verb.add_option("--src", options->train.source, "Source text, plain or gzip")->type_name("FILE")->required();
  verb.add_option("--tgt", options->train.target, "Target text, line by line its translation")
      ->type_name("FILE")
      ->required();
  CLI::Option* valid_source =
      verb.add_option("--valid-src", options->valid.source, "Source text for validation")->type_name("FILE");
  CLI::Option* valid_target =
      verb.add_option("--valid-tgt", options->valid.target, "Its translation")->type_name("FILE");
  valid_source->needs(valid_target);
  valid_target->needs(valid_source);
  line.advise_on_strays(verb, "Texts are given by --src FILE and --tgt FILE.");
  line.on_run(verb, [options] { write_standard_output(suggest_config(options->train, options->valid)); });
}

}  // namespace

void add_config_command(CommandLine& line) {
  CLI::App& verb = line.add_verb("config", "Show, check or suggest a configuration",
                                 "Example:\n"
                                 "  nmt config suggest --src train.fr --tgt train.en > my.json\n"
                                 "  nmt config check my.json\n");
  add_show(line, verb);
  add_check(line, verb);
  add_schema(line, verb);
  add_suggest(line, verb);
}

}  // namespace nmt
