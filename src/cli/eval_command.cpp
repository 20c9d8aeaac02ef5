#include "cli/eval_command.h"

#include <memory>
#include <ostream>

#include "base/error.h"
#include "cli/eval_score.h"

namespace nmt::cli {

namespace {

constexpr const char* kExample =
    "Example:\n"
    "  nmt eval --hypothesis out.de --reference ref.de --metrics bleu,chrf,ter --format text\n"
    "Files are raw, detokenized UTF-8 text, one segment a line, plain or gzip; '-' is standard input.";

// A flag whose text is turned into a value by `parse`, which throws UsageError.
template <class Parse>
CLI::Option* add_parsed(CLI::App* app, const std::string& flag, Parse parse, const std::string& help) {
  return app->add_option_function<std::string>(flag, parse, help);
}

void add_input(CLI::App* app, EvalOptions& o) {
  const char* group = "Input";
  app->add_option("--hypothesis", o.hypotheses, "File to be scored; repeat it for several systems")->group(group);
  app->add_option("--reference", o.references, "File of references; repeat it for several references")->group(group);
  app->add_option("--source", o.source, "File of source lines, for --by-length")->group(group);
  add_parsed(
      app, "--invalid-utf8",
      [&o](const std::string& text) {
        if (text != "error" && text != "replace") {
          throw UsageError("--invalid-utf8 is '" + text + "'; expected error or replace.");
        }
        o.invalid_utf8 = text == "error" ? metrics::InvalidUtf8::kError : metrics::InvalidUtf8::kReplace;
      },
      "Bytes that are no UTF-8: error, or replace by U+FFFD [error]")
      ->group(group);
}

void add_bleu(CLI::App* app, EvalOptions& o) {
  const char* group = "BLEU";
  add_parsed(
      app, "--tokenize", [&o](const std::string& text) { o.bleu.tokenizer = metrics::parse_tokenizer(text); },
      "13a, intl, char, none or zh [13a]")
      ->group(group);
  app->add_flag("--lowercase", o.bleu.lowercase, "Compare without case")->group(group);
  add_parsed(
      app, "-s,--smooth-method", [&o](const std::string& text) { o.bleu.smoothing = metrics::parse_smoothing(text); },
      "For orders without a match: exp, floor, add-k or none [exp]")
      ->group(group);
  app->add_option("--smooth-value", o.bleu.smooth_value, "Of floor [0.1] and add-k [1]")->group(group);
  app->add_option("--max-ngram-order", o.bleu.max_ngram_order, "Longest n-gram, in words [4]")->group(group);
  app->add_flag("--effective-order", o.bleu.effective_order,
                "Leave out orders that the output is too short for (always so with --sentence-level)")
      ->group(group);
  app->add_flag("--force", o.force, "No warning of text that looks tokenized")->group(group);
}

void add_chrf(CLI::App* app, EvalOptions& o) {
  const char* group = "chrF";
  app->add_option("--chrf-char-order", o.chrf.char_order, "Longest n-gram, in characters [6]")->group(group);
  app->add_option("--chrf-word-order", o.chrf.word_order, "Longest n-gram, in words; 2 is chrF++ [0]")->group(group);
  app->add_option("--chrf-beta", o.chrf.beta, "How much more recall weighs than precision [2]")->group(group);
  app->add_flag("--chrf-whitespace", o.chrf.whitespace, "Count white space as characters")->group(group);
  app->add_flag("--chrf-lowercase", o.chrf.lowercase, "Compare without case")->group(group);
  app->add_flag("--chrf-eps-smoothing", o.chrf.eps_smoothing, "Mean over all orders, as chrF++.py and NLTK")
      ->group(group);
}

void add_ter(CLI::App* app, EvalOptions& o) {
  const char* group = "TER";
  app->add_flag("--ter-normalized", o.ter.normalized, "Split punctuation off words, make entities plain")->group(group);
  app->add_flag("--ter-asian-support", o.ter.asian_support, "Treat Han characters and CJK punctuation one by one")
      ->group(group);
  app->add_flag("--ter-no-punct", o.ter.no_punctuation, "Leave punctuation out")->group(group);
  app->add_flag("--ter-case-sensitive", o.ter.case_sensitive, "Tell upper from lower case")->group(group);
}

void add_chance(CLI::App* app, EvalOptions& o) {
  const char* group = "Chance";
  app->add_flag("--confidence", o.confidence, "95% interval of the score, by bootstrap resampling")->group(group);
  app->add_option("--confidence-n", o.confidence_n, "Samples [1000]")->group(group);
  app->add_flag("--paired-bs", o.paired_bs, "Systems against the first, by paired bootstrap resampling")->group(group);
  app->add_option("--paired-bs-n", o.paired_bs_n, "Samples [1000]")->group(group);
  app->add_flag("--paired-ar", o.paired_ar, "Systems against the first, by approximate randomization")->group(group);
  app->add_option("--paired-ar-n", o.paired_ar_n, "Trials [10000]")->group(group);
  app->add_option("--seed", o.seed, "Of the random numbers [12345]")->group(group);
}

void add_report(CLI::App* app, EvalOptions& o) {
  const char* group = "Report";
  add_parsed(
      app, "-f,--format",
      [&o](const std::string& text) {
        if (text != "json" && text != "text") throw UsageError("--format is '" + text + "'; expected json or text.");
        o.json = text == "json";
      },
      "json or text [json]; --sentence-level is always text")
      ->group(group);
  app->add_option("-w,--width", o.width, "Digits behind the point [1]")->group(group);
  app->add_flag("-b,--score-only", o.score_only, "The figures alone")->group(group);
  app->add_flag("--short", o.short_signature, "Short signatures in text")->group(group);
  app->add_flag("--sacrebleu-signature", o.sacrebleu_signature,
                "The signature that sacreBLEU prints for these settings, instead of one that names nmt")
      ->group(group);
  app->add_flag("--by-length", o.by_length, "Scores by words of the source, in steps of ten")->group(group);
  app->add_option("--plot", o.plot, "SVG file for the first metric --by-length")->group(group);
  app->add_option("--threads", o.threads, "Threads; the result is the same for any number [1]")->group(group);
}

}  // namespace

CLI::App* add_eval(CLI::App& root, EvalOptions& options) {
  CLI::App* app = root.add_subcommand("eval", "Score translations: BLEU, chrF and TER, with sacreBLEU's figures");
  app->footer(kExample);
  add_input(app, options);
  app->add_option("-m,--metrics", options.metrics, "Some of bleu,chrf,ter [bleu]")->delimiter(',');
  app->add_flag("--sentence-level", options.sentence_level, "A score for each line");
  add_bleu(app, options);
  add_chrf(app, options);
  add_ter(app, options);
  add_chance(app, options);
  add_report(app, options);
  return app;
}

int run_eval(const EvalOptions& options, std::ostream& out, const Translate& translate) {
  if (options.models.empty()) {
    check(options, options.hypotheses.size());
    score_input(options, open_files(options), options.hypotheses, out);
    return 0;
  }
  if (!options.hypotheses.empty()) throw UsageError("--model translates --source; it doesn't go with --hypothesis.");
  if (options.source.empty()) throw UsageError("--model needs --source FILE, the text to translate.");
  check(options, 1);
  metrics::ScoreInput input = open_files(options);
  const std::string name = "the translation of " + options.source;
  input.hypotheses.push_back(std::make_unique<metrics::MemoryLines>(translate(options), name));
  score_input(options, std::move(input), {name}, out);
  return 0;
}

}  // namespace nmt::cli
