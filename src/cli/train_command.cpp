#include "cli/train_command.h"

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/library_loader.h"
#include "cli/output_path.h"
#include "cli/shared_flags.h"
#include "cli/torch_verbs.h"

namespace nmt {

namespace {

constexpr const char* kFooter =
    "Example:\n"
    "  nmt train --config my.json --set train.max_minutes=30 --output runs/first\n"
    "  nmt train --resume --output runs/first --set train.max_minutes=60\n"
    "  nmt translate --model runs/first < text.fr\n"
    "\n"
    "The configuration tells the texts, the network and when training ends ('nmt config show' lists all keys,\n"
    "'nmt config suggest' writes one for a corpus). Its relative paths are relative to it, those of --set to the\n"
    "working directory. The run directory gets checkpoints, the log and the links 'best' and 'last'.\n"
    "Ctrl-C finishes the update, saves and ends with exit code 130; --resume goes on from there, by the run's own\n"
    "configuration (what --set gave it included) where no --config is given.\n";

// runs/my for a/b/my.json
std::string default_output(const std::string& config) {
  return "runs/" + (config == "-" ? "stdin" : std::filesystem::path(config).stem().string());
}

}  // namespace

void add_train_command(CommandLine& line) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App& verb = line.add_verb("train", "Train a translator on parallel text", kFooter);
  verb.add_option("--config", options->config,
                  "Configuration, JSON with comments; - reads standard input [with --resume: the run's own]")
      ->type_name("FILE");
  add_set_flag(verb, options->overrides);
  add_output_flag(verb, options->output, "Run directory [runs/ and the configuration's name]", "DIR");
  CLI::Option* resume = verb.add_flag("--resume", options->resume, "Go on from the run directory's last checkpoint");
  verb.add_flag("--overwrite", options->overwrite, "Replace a run that the run directory holds")->excludes(resume);
  verb.add_flag("--dry-run", options->dry_run,
                "Check everything, run the largest batch once, tell the memory and time to expect");
  add_device_flags(verb, options->device, options->threads);
  line.advise_on_strays(verb, "The configuration is given by --config FILE.");
  line.on_run(verb, [options] {
    if (options->config.empty() && !options->resume) {
      throw UsageError("--config is required. See 'nmt train --help'.");
    }
    if (options->config.empty() && options->output.empty()) {
      throw UsageError("--resume needs the run: give its directory by --output, or its --config.");
    }
    if (options->output.empty()) options->output = default_output(options->config);
    call_torch_verb<decltype(nmt_train)>("nmt_train", *options);
  });
}

}  // namespace nmt
