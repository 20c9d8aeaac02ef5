#include "cli/translate_command.h"

#include <memory>

#include "base/error.h"
#include "cli/library_loader.h"
#include "cli/shared_flags.h"
#include "cli/torch_verbs.h"

namespace nmt {

namespace {

constexpr const char* kFooter =
    "Example:\n"
    "  echo 'Elle aime le the vert' | nmt translate --model runs/demo\n"
    "  nmt translate --model runs/demo --input test.fr --output test.en --beam 10\n"
    "\n"
    "One line out for each line in, in order, an empty line for an empty one. Flags left out take the model's own\n"
    "values. Lengths are in pieces of the model's tokenizer; scores are natural logarithms divided by\n"
    "((5 + length) / 6)^A, A the length penalty. float32 gives the same text for any batch size and thread count.\n";

void add_search_flags(CLI::App& verb, TranslateOptions& options) {
  verb.add_option("--beam", options.beam, "Hypotheses kept for each sentence; 1 is greedy search [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)));
  verb.add_option("--n-best", options.n_best, "Translations printed for each line, at most the beam")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)))
      ->capture_default_str();
  verb.add_option("--length-penalty", options.length_penalty, "0 ranks by the sum of log-probabilities [the model's]")
      ->type_name("A")
      ->check(number_in(between(0, 100)));
  verb.add_option("--max-length-ratio", options.max_length_ratio,
                  "Longest translation, in pieces for each piece of the source [the model's]")
      ->type_name("R")
      ->check(number_in(above_up_to(0, 1000)));
  verb.add_option("--max-length-extra", options.max_length_extra, "Pieces allowed beyond that [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(0, 100000)));
}

}  // namespace

void add_translate_command(CommandLine& line) {
  auto options = std::make_shared<TranslateOptions>();
  CLI::App& verb = line.add_verb("translate", "Translate text, line by line", kFooter);
  verb.add_option("--model", options->models, "Model or run directory; several are an ensemble")
      ->type_name("DIR")
      ->required()
      ->expected(1)
      ->take_all();
  verb.add_option("--input", options->input, "Text, plain or gzip; - is standard input")
      ->type_name("FILE")
      ->capture_default_str();
  verb.add_option("--output", options->output, "Translations; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_search_flags(verb, *options);
  verb.add_option("--batch-sentences", options->batch_sentences, "Sentences translated together [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 100000)));
  verb.add_option("--precision", options->precision, "Of matrix products on CPU: float32, bfloat16 or int8")
      ->type_name("P")
      ->check(one_of({"float32", "bfloat16", "int8"}))
      ->capture_default_str();
  add_device_flags(verb, options->device, options->threads);
  line.on_run(verb, [options] {
    if (options->beam && options->n_best > *options->beam) {
      throw UsageError("--n-best (" + std::to_string(options->n_best) + ") can't exceed --beam (" +
                       std::to_string(*options->beam) + ").");
    }
    call_torch_verb<decltype(nmt_translate)>("nmt_translate", *options);
  });
}

}  // namespace nmt
