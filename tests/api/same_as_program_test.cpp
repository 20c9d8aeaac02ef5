// The program and the library must not differ in what an option means.
#include <gtest/gtest.h>
#include <nmt/translator.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "number_words.h"
#include "support/process.h"

namespace nmt::test {
namespace {

// `nmt translate --format tsv` with further flags, its rows in the form of dump().
ProcessResult run_translate(const std::vector<std::string>& flags, const std::vector<std::string>& lines) {
  std::vector<std::string> command = {"translate", "--model", kModel,     "--device", "cpu",
                                      "--threads", "1",       "--format", "tsv"};
  command.insert(command.end(), flags.begin(), flags.end());
  std::string input;
  for (const std::string& line : lines) input += line + "\n";
  ProcessResult program = run_nmt(command, {.input = input});
  std::istringstream rows(std::exchange(program.output, ""));
  for (std::string number, rank, score, log_prob, text;
       std::getline(rows, number, '\t') && std::getline(rows, rank, '\t') && std::getline(rows, score, '\t') &&
       std::getline(rows, log_prob, '\t') && std::getline(rows, text);) {
    program.output += four_decimals(std::stod(score), std::stod(log_prob)) + text + "\n";
  }
  return program;
}

struct Case {
  std::vector<std::string> flags;
  std::function<void(TranslationOptions&)> set;
};

TEST(PublicTranslator, MeansByEachOptionWhatTheProgramMeans) {
  using Options = TranslationOptions;
  const std::vector<Case> cases = {
      {{}, [](Options&) {}},
      {{"--beam", "7", "--n-best", "3", "--patience", "2"},
       [](Options& o) { o.beam = 7, o.n_best = 3, o.patience = 2; }},
      {{"--n-best", "12", "--normalization", "none"},
       [](Options& o) { o.n_best = 12, o.normalization = Options::Normalization::kNone; }},
      {{"--n-best", "3", "--normalization", "average", "--word-reward", "1.5"},
       [](Options& o) { o.n_best = 3, o.normalization = Options::Normalization::kAverage, o.word_reward = 1.5; }},
      {{"--n-best", "3", "--length-penalty", "0.3", "--coverage-penalty", "2"},
       [](Options& o) { o.n_best = 3, o.length_penalty = 0.3, o.coverage_penalty = 2; }},
      {{"--max-length-ratio", "0.5", "--max-length-extra", "1"},
       [](Options& o) { o.max_length_ratio = 0.5, o.max_length_extra = 1; }},
      {{"--min-length", "5", "--no-repeat-ngram", "1", "--forbid-unknown"},
       [](Options& o) { o.min_length = 5, o.no_repeat_ngram = 1, o.forbid_unknown = true; }},
      {{"--forbid", "seven", "--forbid", "ten ten"},
       [](Options& o) {
         o.forbid = {"seven", "ten ten"};
       }},
      {{"--beam", "6", "--n-best", "6", "--diversity-groups", "3"},
       [](Options& o) { o.beam = 6, o.n_best = 6, o.diversity_groups = 3; }},
      {{"--beam", "6", "--n-best", "6", "--diversity-groups", "2", "--diversity-penalty", "9"},
       [](Options& o) { o.beam = 6, o.n_best = 6, o.diversity_groups = 2, o.diversity_penalty = 9; }},
      {{"--sample", "--temperature", "3", "--seed", "5"},
       [](Options& o) { o.sample = true, o.temperature = 3, o.seed = 5; }},
      {{"--sample", "--temperature", "9", "--top-k", "4", "--top-p", "0.9"},
       [](Options& o) { o.sample = true, o.temperature = 9, o.top_k = 4, o.top_p = 0.9; }},
  };
  const std::vector<std::string> lines = {"trois un sept", "dix dix huit neuf quatre deux", "cinq", "un un"};
  const Translator translator(kModel, on_cpu());
  std::vector<std::string> different;
  for (const Case& c : cases) {
    const ProcessResult program = run_translate(c.flags, lines);
    ASSERT_EQ(program.exit_code, 0) << program.errors;
    TranslationOptions options;
    c.set(options);
    const std::string ours = dump(translator.translate_lines(lines, options));
    EXPECT_EQ(ours, program.output) << testing::PrintToString(c.flags);
    different.push_back(ours);
  }
  // None of the options is without effect here.
  std::sort(different.begin(), different.end());
  EXPECT_EQ(std::unique(different.begin(), different.end()), different.end());
}

TEST(PublicTranslator, MeansByPrecisionWhatTheProgramMeans) {
  const std::vector<std::string> lines = number_lines(20);
  for (const auto& [name, precision] : {std::pair("float32", TranslatorOptions::Precision::kFloat32),
                                        std::pair("bfloat16", TranslatorOptions::Precision::kBfloat16),
                                        std::pair("int8", TranslatorOptions::Precision::kInt8)}) {
    const ProcessResult program = run_translate({"--precision", name}, lines);
    TranslatorOptions options = on_cpu();
    options.precision = precision;
    try {
      EXPECT_EQ(dump(Translator(kModel, options).translate_lines(lines)), program.output) << name;
    } catch (const Error& error) {  // a processor without the instructions
      EXPECT_EQ(error.exit_code(), program.exit_code) << name << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace nmt::test
