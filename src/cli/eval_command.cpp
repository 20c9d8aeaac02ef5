#include "cli/eval_command.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "cli/eval_score.h"
#include "cli/library_loader.h"
#include "cli/output_path.h"
#include "cli/torch_verbs.h"

namespace nmt {

namespace {

constexpr const char* kFooter =
    "Example:\n"
    "  nmt eval --hypothesis out.de --reference ref.de --metrics bleu,chrf,ter --format text\n"
    "  nmt eval --model runs/my --source test.en --reference ref.de\n"
    "  nmt eval --hypothesis a.de b.de --reference ref1.de ref2.de --paired-bs --format text\n"
    "\n"
    "Files are raw, detokenized UTF-8 text, one segment a line, plain or gzip; - is standard input. Figures equal "
    "those\n"
    "of sacreBLEU 2.6.0, whose flags have the same names. BLEU and chrF go from 0 to 100, higher is better; TER is\n"
    "edits per 100 words of the reference, lower is better.\n";

void add_input(CLI::App& verb, EvalOptions& o) {
  const char* group = "Input";
  verb.add_option("--hypothesis", o.hypotheses, "Text to be scored; several are systems, reported side by side")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--reference", o.references, "References; several files are alternatives for each line")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--source", o.source, "Source text, for --by-length and --model")->type_name("FILE")->group(group);
  may_repeat(verb.add_option("--model", o.models,
                             "Translate --source with this model or run first; may repeat, several are an ensemble"))
      ->type_name("DIR")
      ->group(group);
  verb.add_option("--beam", o.beam, "Beam of the translation with --model [the model's]")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)))
      ->group(group);
  verb.add_option("--device", o.device, "Where --model translates: auto, cpu, cuda or cuda:N")
      ->type_name("D")
      ->capture_default_str()
      ->group(group);
  verb.add_option_function<std::string>(
          "--invalid-utf8",
          [&o](const std::string& text) {
            o.invalid_utf8 = text == "error" ? metrics::InvalidUtf8::kError : metrics::InvalidUtf8::kReplace;
          },
          "Bytes that are not UTF-8: error, or replace (by U+FFFD) [error]")
      ->check(one_of({"error", "replace"}))
      ->type_name("WHAT")
      ->group(group);
}

void add_bleu(CLI::App& verb, EvalOptions& o) {
  const char* group = "BLEU";
  verb.add_option_function<std::string>(
          "--tokenize", [&o](const std::string& text) { o.bleu.tokenizer = metrics::parse_tokenizer(text); },
          "What splits words: 13a, intl, char, none or zh [13a]")
      ->type_name("NAME")
      ->group(group);
  verb.add_flag("--lowercase", o.bleu.lowercase, "Compare without case")->group(group);
  verb.add_option_function<std::string>(
          "-s,--smooth-method", [&o](const std::string& text) { o.bleu.smoothing = metrics::parse_smoothing(text); },
          "Smoothing of orders without a match: exp, floor, add-k or none [exp]")
      ->type_name("NAME")
      ->group(group);
  verb.add_option("--smooth-value", o.bleu.smooth_value, "Value of --smooth-method floor [0.1] or add-k [1]")
      ->type_name("X")
      ->check(number_in(between(0, 1e9)))
      ->group(group);
  verb.add_option("--max-ngram-order", o.bleu.max_ngram_order, "Longest n-gram, in words")
      ->type_name("N")
      ->check(whole_number_in(between(1, 1000)))
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--effective-order", o.bleu.effective_order,
                "Leave out orders that the output is too short for; --sentence-level always does")
      ->group(group);
  verb.add_flag("--force", o.force, "No warning of text that looks tokenized")->group(group);
}

void add_chrf(CLI::App& verb, EvalOptions& o) {
  const char* group = "chrF";
  const auto add_number = [&](const char* flag, int& value, int least, const char* help) {
    verb.add_option(flag, value, help)
        ->type_name("N")
        ->check(whole_number_in(between(least, 1000)))
        ->capture_default_str()
        ->group(group);
  };
  add_number("--chrf-char-order", o.chrf.char_order, 0, "Longest n-gram, in characters");
  add_number("--chrf-word-order", o.chrf.word_order, 0, "Longest n-gram, in words; 2 makes it chrF++");
  add_number("--chrf-beta", o.chrf.beta, 0, "How many times as much recall weighs as precision");
  verb.add_flag("--chrf-whitespace", o.chrf.whitespace, "Count white space as characters")->group(group);
  verb.add_flag("--chrf-lowercase", o.chrf.lowercase, "Compare without case")->group(group);
  verb.add_flag("--chrf-eps-smoothing", o.chrf.eps_smoothing, "Mean over all orders, as chrF++.py and NLTK")
      ->group(group);
}

void add_ter(CLI::App& verb, EvalOptions& o) {
  const char* group = "TER";
  verb.add_flag("--ter-normalized", o.ter.normalized,
                "Split punctuation off words, read &amp; and the like as characters")
      ->group(group);
  verb.add_flag("--ter-asian-support", o.ter.asian_support,
                "With --ter-normalized, split Han characters; with --ter-no-punct, leave CJK punctuation out")
      ->group(group);
  verb.add_flag("--ter-no-punct", o.ter.no_punctuation, "Leave punctuation out")->group(group);
  verb.add_flag("--ter-case-sensitive", o.ter.case_sensitive, "Tell upper from lower case")->group(group);
}

void add_chance(CLI::App& verb, EvalOptions& o) {
  const char* group = "Confidence and significance";
  const auto add_samples = [&](const char* flag, size_t& value, int least, const char* help) {
    verb.add_option(flag, value, help)
        ->type_name("N")
        ->check(whole_number_in(between(least, 10000000)))
        ->capture_default_str()
        ->group(group);
  };
  verb.add_flag("--confidence", o.confidence, "95 % interval of the score, by bootstrap resampling")->group(group);
  add_samples("--confidence-n", o.confidence_n, 2, "Samples of --confidence");
  verb.add_flag("--paired-bs", o.paired_bs, "Compare each system with the first, by paired bootstrap resampling")
      ->group(group);
  add_samples("--paired-bs-n", o.paired_bs_n, 2, "Samples of --paired-bs");
  verb.add_flag("--paired-ar", o.paired_ar, "Compare each system with the first, by approximate randomization")
      ->group(group);
  add_samples("--paired-ar-n", o.paired_ar_n, 1, "Trials of --paired-ar");
  verb.add_option("--seed", o.seed, "Seed of the resampling")->type_name("N")->capture_default_str()->group(group);
}

void add_report(CLI::App& verb, EvalOptions& o) {
  const char* group = "Report";
  verb.add_option_function<std::string>(
          "-f,--format", [&o](const std::string& text) { o.json = text == "json"; },
          "json or text [json]; with --sentence-level always text")
      ->check(one_of({"json", "text"}))
      ->type_name("FORM")
      ->group(group);
  verb.add_option("-w,--width", o.width, "Digits behind the decimal point")
      ->type_name("N")
      ->check(whole_number_in(between(0, 17)))
      ->capture_default_str()
      ->group(group);
  verb.add_flag("-b,--score-only", o.score_only, "Print the figures alone")->group(group);
  verb.add_flag("--short", o.short_signature, "Print short signatures (in text)")->group(group);
  verb.add_flag("--sacrebleu-signature", o.sacrebleu_signature,
                "The signature that sacreBLEU prints for these settings, instead of one that names nmt")
      ->group(group);
  verb.add_flag("--by-length", o.by_length,
                "Scores by words of the source (between white space), in steps of ten; needs --source")
      ->group(group);
  verb.add_option("--plot", o.plot, "Draw the first metric --by-length into this SVG file")
      ->type_name("FILE")
      ->group(group);
}

// Flags of a metric that isn't asked for, and of a computation that isn't, do nothing.
void add_rules(CommandLine& line, CLI::App& verb, const std::shared_ptr<EvalOptions>& options) {
  for (const auto& [group, metric] : {std::pair("BLEU", "bleu"), {"chrF", "chrf"}, {"TER", "ter"}}) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : verb.get_options()) {
      if (option->get_group() == group && option->get_name() != "--force") flags.push_back(option->get_name());
    }
    line.refuse_idle(verb, flags, [options, metric = std::string(metric)] {
      const std::vector<std::string>& wanted = options->metrics;
      return std::find(wanted.begin(), wanted.end(), metric) == wanted.end() ? "without --metrics " + metric : "";
    });
  }
  line.refuse_idle(verb, {"--smooth-value"}, [options] {
    const bool counts = options->bleu.smoothing == metrics::BleuSmoothing::kFloor ||
                        options->bleu.smoothing == metrics::BleuSmoothing::kAddK;
    return std::string(counts ? "" : "without --smooth-method floor or add-k");
  });
  line.only_with(verb, {"--beam", "--device"}, {"--model"});
  line.only_with(verb, {"--source"}, {"--model", "--by-length"});
  line.only_with(verb, {"--confidence-n"}, {"--confidence"});
  line.only_with(verb, {"--paired-bs-n"}, {"--paired-bs"});
  line.only_with(verb, {"--paired-ar-n"}, {"--paired-ar"});
  line.only_with(verb, {"--seed"}, {"--confidence", "--paired-bs", "--paired-ar"});
}

std::vector<std::string> inputs_of(const EvalOptions& options) {
  std::vector<std::string> inputs = options.hypotheses;
  inputs.insert(inputs.end(), options.references.begin(), options.references.end());
  inputs.push_back(options.source);
  return inputs;
}

std::vector<std::string> translate_source(const EvalOptions& options) {
  std::vector<std::string> translations;
  TranslateForEvalOptions request;
  request.models = options.models;
  request.source = options.source;
  request.beam = options.beam;
  request.device = options.device;
  request.threads = options.threads;
  request.translations = &translations;
  call_torch_verb<decltype(nmt_translate_for_eval)>("nmt_translate_for_eval", request);
  return translations;
}

}  // namespace

void add_eval_flags(CLI::App& verb, EvalOptions& options) {
  add_input(verb, options);
  verb.add_option("-m,--metrics", options.metrics, "Some of bleu, chrf, ter, with commas or blanks between [bleu]")
      ->type_name("NAME")
      ->delimiter(',');
  verb.add_flag("--sentence-level", options.sentence_level, "A score for each line, by one metric");
  verb.add_option("--threads", options.threads,
                  "CPU threads, 0 for as many as there are cores; results don't depend on it")
      ->type_name("N")
      ->check(whole_number_in(between(0, 1024)))
      ->capture_default_str();
  add_bleu(verb, options);
  add_chrf(verb, options);
  add_ter(verb, options);
  add_chance(verb, options);
  add_report(verb, options);
}

void add_eval_command(CommandLine& line) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App& verb = line.add_verb("eval", "Score translations: BLEU, chrF, TER", kFooter);
  add_eval_flags(verb, *options);
  add_rules(line, verb, options);
  line.advise_on_strays(
      verb, "Texts are given by --hypothesis FILE and --reference FILE, each model by a --model of its own.");
  line.on_run(verb, [options] {
    check_output(options->plot.empty() ? "-" : options->plot, inputs_of(*options));
    run_eval(*options, std::cout, translate_source);
  });
}

void run_eval(const EvalOptions& options, std::ostream& out, const TranslateSource& translate) {
  if (options.models.empty()) {
    check(options, options.hypotheses.size());
    score_input(options, open_eval_files(options), options.hypotheses, out);
    return;
  }
  if (!options.hypotheses.empty()) throw UsageError("--model translates --source; it doesn't go with --hypothesis.");
  if (options.source.empty()) throw UsageError("--model needs --source FILE, the text to translate.");
  check(options, 1);
  metrics::ScoreInput input = open_eval_files(options);
  const std::string name = "the translation of " + options.source;
  input.hypotheses.push_back(std::make_unique<metrics::MemoryLines>(translate(options), name));
  score_input(options, std::move(input), {name}, out);
}

}  // namespace nmt
