#include "cli/inspect_command.h"

#include <memory>

#include "cli/library_loader.h"
#include "cli/torch_verbs.h"

namespace nmt {

void add_inspect_command(CommandLine& line) {
  auto options = std::make_shared<InspectOptions>();
  auto format = std::make_shared<std::string>("text");
  CLI::App& verb =
      line.add_verb("inspect", "Tell what a model is: sizes, parameters, vocabulary, training",
                    "Example:\n"
                    "  nmt inspect runs/first\n"
                    "  nmt inspect my-model --format json\n"
                    "\n"
                    "Every file of the model is checked on the way. Of a run its best checkpoint is shown.\n");
  verb.add_option("MODEL", options->model, "Model or run directory")->required()->check(not_empty());
  verb.add_option("--format", *format, "text or json")
      ->type_name("F")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  line.on_run(verb, [options, format] {
    options->json = *format == "json";
    call_torch_verb<decltype(nmt_inspect)>("nmt_inspect", *options);
  });
}

}  // namespace nmt
