#include "cli/translate_command.h"

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
    "  echo 'Elle aime le thé vert' | nmt translate --model runs/demo\n"
    "  nmt translate --model runs/demo --input test.fr --output test.en --beam 10\n"
    "  nmt translate --model runs/a --model runs/b --n-best 5 --format jsonl < test.fr\n"
    "  nmt translate --model runs/demo --alignment hard --replace-unknown < test.fr\n"
    "  echo '{\"text\": \"Elle aime le thé vert\", \"prefix\": \"She\", \"constraints\": [\"green tea\"]}' |\n"
    "    nmt translate --model runs/demo --input-format jsonl\n"
    "  nmt translate --model runs/demo --forbid damn --forbid-file banned.txt < test.fr\n"
    "  nmt translate --model runs/demo --beam 6 --n-best 6 --diversity-groups 3 < test.fr\n"
    "\n"
    "One line out for each line in, in order, an empty line for an empty one; with --format tsv and marian-n-best one\n"
    "row for each translation: tsv gives line, rank, score, log-probability and text, jsonl everything that is known.\n"
    "--alignment hard adds links as 0-0 2-1: words of the line and of its translation (what stands between white\n"
    "space, from 0), for each target word the source word that it attends to most; after ||| in text and\n"
    "marian-n-best, as the last column in tsv. soft adds the weights to jsonl. --replace-unknown puts the most "
    "attended\n"
    "source word, or its translation in the --dictionary (lines of a word, a tab and its translation), where the "
    "model\n"
    "gave the unknown piece; only models without text.byte_fallback do.\n"
    "Flags left out take the model's own values. Lengths are in pieces of the model's\n"
    "tokenizer. Log-probabilities are natural logarithms, summed over the pieces and the end mark. The score that\n"
    "translations are ranked by is (log-probability + R x length) / N + C x coverage, where length counts the end\n"
    "mark, R is the word reward, C the coverage penalty, and N is 1, length, or ((5 + length) / 6)^A for\n"
    "--normalization none, average, gnmt (Wu et al. 2016), A being the length penalty. float32 gives the same text "
    "for\n"
    "any batch size, order and thread count. The output appears under its name when it is whole; until then it is\n"
    "FILE.partial. See docs/search.md and docs/translate.md.\n";

void add_input_flags(CLI::App& verb, TranslateOptions& options) {
  add_model_flags(verb, options.models, options.weights, options.average);
  verb.add_option("--input", options.input, "Text, plain or gzip; - is standard input")
      ->type_name("FILE")
      ->capture_default_str();
  verb.add_option("--input-format", options.input_format,
                  "text; tsv: text, its prefix, phrases that must appear; jsonl: the same as objects")
      ->type_name("KIND")
      ->check(one_of({"text", "tsv", "jsonl"}))
      ->capture_default_str();
  verb.add_option("--max-source-length", options.max_source_length,
                  "Only longer lines, in pieces, are translated in parts [as the model was trained]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 100000)));
}

void add_output_flags(CLI::App& verb, TranslateOptions& options) {
  add_output_flag(verb, options.output, "Translations; - is standard output")->capture_default_str();
  verb.add_option("--format", options.format,
                  "text, tsv, jsonl or marian-n-best [text, or marian-n-best with --n-best]")
      ->type_name("KIND")
      ->check(one_of({"text", "tsv", "jsonl", "marian-n-best"}));
  verb.add_option("--n-best", options.n_best, "Translations printed for each line; the model's beam widens to it")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)))
      ->capture_default_str();
}

void add_word_flags(CLI::App& verb, TranslateOptions& options) {
  verb.add_option("--alignment", options.alignment, "Which words belong together: hard, or soft with --format jsonl")
      ->type_name("KIND")
      ->check(one_of({"hard", "soft"}));
  verb.add_option("--unknown", options.unknown, "How a word unknown to the model is shown")
      ->type_name("TEXT")
      ->capture_default_str();
  verb.add_flag("--replace-unknown", options.replace_unknown, "Copy the source word in its place");
  verb.add_option("--dictionary", options.dictionary, "The same, translating the source word where the file has it")
      ->type_name("FILE");
}

void add_sampling_flags(CLI::App& verb, TranslateOptions& options) {
  verb.add_flag("--sample", options.sample, "Draw translations at random instead of searching for the best");
  verb.add_option("--temperature", options.temperature, "Below 1 draws likely pieces more often")
      ->type_name("T")
      ->check(number_in(above_up_to(0, 1000)))
      ->capture_default_str();
  verb.add_option("--top-k", options.top_k, "Draw among the K likeliest pieces; 0 among all")
      ->type_name("K")
      ->check(whole_number_in(between(0, 1000000)))
      ->capture_default_str();
  verb.add_option("--top-p", options.top_p, "Draw among the likeliest pieces that have this probability together")
      ->type_name("P")
      ->check(number_in(above_up_to(0, 1)))
      ->capture_default_str();
  verb.add_option("--seed", options.seed, "The same seed draws the same, in float32 whatever batch size and threads")
      ->type_name("N")
      ->check(whole_number_in(between(0, 9e15)))
      ->capture_default_str();
}

void add_search_flags(CLI::App& verb, TranslateOptions& options) {
  verb.add_option("--beam", options.beam, "Hypotheses kept for each sentence; 1 is greedy search [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)));
  verb.add_option("--patience", options.patience, "Search ends after patience x beam finished translations")
      ->type_name("P")
      ->check(number_in(above_up_to(0, 1000)))
      ->capture_default_str();
  verb.add_option("--max-length-ratio", options.max_length_ratio,
                  "Longest translation, in pieces for each piece of the source [the model's]")
      ->type_name("R")
      ->check(number_in(above_up_to(0, 1000)));
  verb.add_option("--max-length-extra", options.max_length_extra, "Pieces allowed beyond that [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(0, 100000)));
  verb.add_option("--min-length", options.min_length, "Shortest translation, in pieces")
      ->type_name("N")
      ->check(whole_number_in(between(0, 100000)))
      ->capture_default_str();
  verb.add_option("--no-repeat-ngram", options.no_repeat_ngram, "No N pieces twice in a translation; 0 allows all")
      ->type_name("N")
      ->check(whole_number_in(between(0, 1000)))
      ->capture_default_str();
  verb.add_flag("--forbid-unknown", options.forbid_unknown, "Never give the unknown piece");
  may_repeat(verb.add_option("--forbid", options.forbid, "Word or phrase that no translation may hold; may repeat"))
      ->type_name("TEXT");
  verb.add_option("--forbid-file", options.forbid_file, "More of them, one on each line")->type_name("FILE");
  verb.add_option("--diversity-groups", options.diversity_groups,
                  "The beam in N groups that avoid each other's words, for n-best lists that differ")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)))
      ->capture_default_str();
  verb.add_option("--diversity-penalty", options.diversity_penalty,
                  "Log-probability that a group forgoes for each group before it that chose the same piece")
      ->type_name("P")
      ->check(number_in(between(0, 1000)))
      ->capture_default_str();
}

}  // namespace

void add_translate_command(CommandLine& line) {
  auto options = std::make_shared<TranslateOptions>();
  CLI::App& verb = line.add_verb("translate", "Translate text, line by line", kFooter);
  add_input_flags(verb, *options);
  add_output_flags(verb, *options);
  add_word_flags(verb, *options);
  add_search_flags(verb, *options);
  add_score_rule_flags(verb, options->normalization, options->length_penalty, options->word_reward,
                       options->coverage_penalty);
  add_sampling_flags(verb, *options);
  verb.add_option("--batch-sentences", options->batch_sentences, "Sentences translated together [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 100000)));
  verb.add_option("--precision", options->precision, "Of matrix products on CPU: float32, bfloat16 or int8")
      ->type_name("P")
      ->check(one_of({"float32", "bfloat16", "int8"}))
      ->capture_default_str();
  add_device_flags(verb, options->device, options->threads);
  add_ensemble_rules(line, verb);
  line.only_with(verb, {"--temperature", "--top-k", "--top-p", "--seed"}, {"--sample"});
  line.refuse_idle(verb, {"--beam", "--patience", "--diversity-groups"},
                   [options] { return std::string(options->sample ? "with --sample" : ""); });
  line.only_with(verb, {"--diversity-penalty"}, {"--diversity-groups"});
  line.refuse_idle(verb, {"--length-penalty"}, [options] { return unless_gnmt(options->normalization); });
  line.advise_on_strays(verb, "Text is given by --input FILE, each model by a --model of its own.");
  line.on_run(verb, [options] {
    if (options->n_best > 1 && options->format == "text") {
      throw UsageError(
          "--format text prints one translation a line; several (--n-best) need tsv, jsonl or marian-n-best.");
    }
    if (options->beam && options->n_best > *options->beam) {
      throw UsageError("--n-best (" + std::to_string(options->n_best) + ") can't exceed --beam (" +
                       std::to_string(*options->beam) + ").");
    }
    if (options->alignment == "soft" && options->format != "jsonl") {
      throw UsageError("--alignment soft needs --format jsonl; the other formats hold hard ones.");
    }
    check_output(options->output, {options->input, options->dictionary, options->forbid_file});
    call_torch_verb<decltype(nmt_translate)>("nmt_translate", *options);
  });
}

}  // namespace nmt
