#include "cli/export_command.h"

#include <memory>

#include "cli/library_loader.h"
#include "cli/torch_verbs.h"

namespace nmt {

void add_export_command(CommandLine& line) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App& verb =
      line.add_verb("export", "Copy a trained model out of its run, to give away",
                    "Example:\n"
                    "  nmt export runs/first my-model\n"
                    "  nmt translate --model my-model < text.fr\n"
                    "\n"
                    "The copy holds what translation needs (configuration, weights, tokenizers, model card) and\n"
                    "no path of this machine; each file is checked first. Of a run its best checkpoint is taken.\n");
  verb.add_option("MODEL", options->model, "Model or run directory")->required()->check(not_empty());
  verb.add_option("OUTPUT", options->output, "New directory")->required()->check(not_empty());
  line.on_run(verb, [options] { call_torch_verb<decltype(nmt_export)>("nmt_export", *options); });
}

}  // namespace nmt
