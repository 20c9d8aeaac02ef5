#include "cli/average_command.h"

#include <memory>

#include "cli/library_loader.h"
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
  verb.add_option("MODEL", options->models, "Model or run directories, two or more")->required()->expected(2, 1000);
  verb.add_option("--output", options->output, "New directory")->type_name("DIR")->required();
  line.on_run(verb, [options] { call_torch_verb<decltype(nmt_average)>("nmt_average", *options); });
}

}  // namespace nmt
