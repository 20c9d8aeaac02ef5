#include "cli/score_command.h"

#include <memory>

#include "base/error.h"
#include "base/paired_lines.h"
#include "cli/library_loader.h"
#include "cli/output_path.h"
#include "cli/shared_flags.h"
#include "cli/torch_verbs.h"

namespace nmt {

namespace {

constexpr const char* kFooter =
    "Example:\n"
    "  nmt score --model runs/my --source test.fr --target test.en\n"
    "  nmt translate --model runs/my < test.fr | nmt score --model runs/my --source test.fr --target -\n"
    "  nmt score --model runs/my --source big.fr.gz --target big.en.gz --format tsv --output scores.tsv\n"
    "\n"
    "One line out for each pair of lines, in order: the log-probability that the model gives the target line, which\n"
    "is the natural logarithm of its probability, summed over its pieces and the end mark. tsv gives line, score,\n"
    "log-probability and length, where length counts the end mark and score is as in nmt translate --help:\n"
    "(log-probability + R x length) / N + C x coverage. --per-token adds the log-probability of each piece, tsv the\n"
    "pieces before; jsonl gives the same by name. The closing line on standard error has the sum and the perplexity,\n"
    "exp(-sum / n), n being pieces and end marks, or words and line ends. See docs/score.md.\n";

void add_text_flags(CLI::App& verb, ScoreOptions& options) {
  verb.add_option("--source", options.source, "Source text, plain or gzip; - is standard input")
      ->type_name("FILE")
      ->required();
  verb.add_option("--target", options.target, "Its translations, line by line; - is standard input")
      ->type_name("FILE")
      ->required();
  verb.add_option("--max-length", options.max_length, "Pairs with more pieces on a side get no score but nan")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000000)))
      ->capture_default_str();
}

void add_output_flags(CLI::App& verb, ScoreOptions& options) {
  add_output_flag(verb, options.output, "Scores; - is standard output")->capture_default_str();
  verb.add_option("--format", options.format, "text, tsv or jsonl")
      ->type_name("KIND")
      ->check(one_of({"text", "tsv", "jsonl"}))
      ->capture_default_str();
  verb.add_flag("--per-token", options.per_token, "The log-probability of each piece too");
}

}  // namespace

void add_score_command(CommandLine& line) {
  auto options = std::make_shared<ScoreOptions>();
  CLI::App& verb = line.add_verb("score", "Tell how probable given translations are", kFooter);
  add_model_flags(verb, options->models, options->weights, options->average);
  add_text_flags(verb, *options);
  add_output_flags(verb, *options);
  add_score_rule_flags(verb, options->normalization, options->length_penalty, options->word_reward,
                       options->coverage_penalty);
  verb.add_option("--batch-sentences", options->batch_sentences, "Pairs scored together [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 100000)));
  add_device_flags(verb, options->device, options->threads);
  add_ensemble_rules(line, verb);
  line.refuse_idle(verb, {"--normalization", "--length-penalty", "--word-reward", "--coverage-penalty"}, [options] {
    return std::string(options->format == "text" ? "with --format text, which has no score" : "");
  });
  line.refuse_idle(verb, {"--length-penalty"}, [options] { return unless_gnmt(options->normalization); });
  line.advise_on_strays(verb,
                        "Texts are given by --source FILE and --target FILE, each model by a --model of its own.");
  line.on_run(verb, [options] {
    check_output(options->output, {options->source, options->target});
    if (options->source == "-" && options->target == "-") {
      throw UsageError("Only one of --source and --target can be standard input.");
    }
    check_same_line_count(options->source, options->target);
    call_torch_verb<decltype(nmt_score)>("nmt_score", *options);
  });
}

}  // namespace nmt
