#include "cli/average_command.h"

#include <memory>

#include "base/error.h"
#include "cli/library_loader.h"
#include "cli/output_path.h"
#include "cli/torch_verbs.h"

namespace nmt {

void add_average_command(CommandLine& line) {
  auto options = std::make_shared<AverageOptions>();
  CLI::App& verb = line.add_verb(
      "average", "Average the weights of several checkpoints into one model",
      "Example:\n"
      "  nmt average runs/first/checkpoints/step-00000900 runs/first/checkpoints/step-00001000 --output averaged\n"
      "\n"
      "The models must agree in network, text settings and tokenizers. The mean of the last checkpoints of a run is\n"
      "often better than each of them.\n");
  verb.add_option("MODEL", options->models, "Model or run directories, two or more")
      ->required()
      ->expected(1, 1000)
      ->check(not_empty());
  add_output_flag(verb, options->output, "New directory", "DIR")->required();
  line.on_run(verb, [options] {
    if (options->models.size() < 2) {
      throw UsageError("An average needs two models or more; " + options->models.front() + " is one.");
    }
    call_torch_verb<decltype(nmt_average)>("nmt_average", *options);
  });
}

}  // namespace nmt
