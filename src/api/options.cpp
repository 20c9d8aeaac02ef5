#include <nmt/translator.h>

#include <cmath>

namespace nmt {

namespace {

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

[[noreturn]] void refuse(const char* name, double value, const std::string& expected) {
  throw UsageError(std::string(name) + " is " + number(value) + "; expected " + expected + ".");
}

void whole_number(const char* name, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return;
  throw UsageError(std::string(name) + " is " + std::to_string(value) + "; expected a whole number from " +
                   std::to_string(least) + " to " + std::to_string(most) + ".");
}

// Comparisons are written so that they refuse what isn't a number.
void between(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most)) refuse(name, value, "a number from " + number(least) + " to " + number(most));
}

void above_up_to(const char* name, double value, double bound, double most) {
  if (value > bound && value <= most) return;
  refuse(name, value, "a number above " + number(bound) + ", at most " + number(most));
}

}  // namespace

void validate(const TranslatorOptions& options) {
  whole_number("threads", options.threads, 0, 1024);
  if (options.max_source_length) whole_number("max_source_length", *options.max_source_length, 1, 100000);
  if (options.batch_sentences) whole_number("batch_sentences", *options.batch_sentences, 1, 100000);
  for (const double weight : options.weights) above_up_to("A weight", weight, 0, 1e9);
}

void validate(const TranslationOptions& options) {
  if (options.beam) whole_number("beam", *options.beam, 1, 1000);
  whole_number("n_best", options.n_best, 1, 1000);
  if (options.beam && options.n_best > *options.beam) {
    throw UsageError("n_best is " + std::to_string(options.n_best) + " and beam " + std::to_string(*options.beam) +
                     "; search can't give more translations than it keeps.");
  }
  above_up_to("patience", options.patience, 0, 1000);
  if (options.length_penalty) between("length_penalty", *options.length_penalty, 0, 100);
  between("word_reward", options.word_reward, -1000, 1000);
  between("coverage_penalty", options.coverage_penalty, 0, 1000);
  if (options.max_length_ratio) above_up_to("max_length_ratio", *options.max_length_ratio, 0, 1000);
  if (options.max_length_extra) whole_number("max_length_extra", *options.max_length_extra, 0, 100000);
  whole_number("min_length", options.min_length, 0, 100000);
  whole_number("no_repeat_ngram", options.no_repeat_ngram, 0, 1000);
  whole_number("diversity_groups", options.diversity_groups, 1, 1000);
  between("diversity_penalty", options.diversity_penalty, 0, 1000);
  above_up_to("temperature", options.temperature, 0, 1000);
  whole_number("top_k", options.top_k, 0, 1000000);
  above_up_to("top_p", options.top_p, 0, 1);
}

}  // namespace nmt
