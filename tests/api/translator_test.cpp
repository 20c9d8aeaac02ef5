// nmt::Translator through the public header alone, as a program that links libnmt.so has it. The model is the one of
// tests/program, French number words to English ones.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nmt/translator.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <utility>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const std::string kModel = std::string(NMT_SOURCE_DIR) + "/tests/program/numbers_model";

TranslatorOptions on_cpu(int64_t threads = 1) {
  TranslatorOptions options;
  options.device = "cpu";
  options.threads = threads;
  return options;
}

std::vector<std::string> texts_of(const std::vector<TranslatedLine>& lines) {
  std::vector<std::string> texts;
  for (const TranslatedLine& line : lines) texts.push_back(line.text());
  return texts;
}

// Up to six number words a line, of every length.
std::vector<std::string> number_lines(size_t count) {
  const char* words[] = {"un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"};
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    std::string line = words[i % 10];
    for (size_t j = 0; j < (i * 7) % 6; ++j) line += std::string(" ") + words[(i * 3 + j * j + 1) % 10];
    lines.push_back(line);
  }
  return lines;
}

// The text of all results with their scores to four places, to compare.
std::string dump(const std::vector<TranslatedLine>& lines) {
  std::string all;
  for (const TranslatedLine& line : lines) {
    for (const TranslatedText& one : line.translations) {
      char score[64];
      std::snprintf(score, sizeof score, "%.4f\t%.4f\t", one.score, one.log_prob);
      all += score + one.text + "\n";
    }
  }
  return all;
}

TEST(PublicTranslator, GivesTextAndScores) {
  const Translator translator(kModel, on_cpu());
  const TranslatedLine line = translator.translate("trois un sept");
  ASSERT_THAT(line.translations, SizeIs(1));
  EXPECT_EQ(line.text(), "three one seven");
  // What version 0.1.0 printed when the model was made.
  EXPECT_NEAR(line.translations[0].score, -0.026037190575152636, 1e-4);
  EXPECT_NEAR(line.translations[0].log_prob, -0.03905578586272895, 1e-4);
  EXPECT_FALSE(line.split);
  EXPECT_FALSE(line.cut);
  EXPECT_EQ(line.replaced_utf8, 0);
}

TEST(PublicTranslator, GivesOneResultForEachLineInOrder) {
  const Translator translator(kModel, on_cpu());
  EXPECT_THAT(texts_of(translator.translate_lines({"cinq", "", "dix dix huit neuf quatre deux", " \t", "un"})),
              ElementsAre("five", "", "ten ten eight nine four two", "", "one"));
  EXPECT_THAT(translator.translate_lines({}), SizeIs(0));
}

TEST(PublicTranslator, PiecesSumToTheLogProbability) {
  const Translator translator(kModel, on_cpu());
  EXPECT_THAT(translator.translate("deux").translations[0].pieces, SizeIs(0));
  TranslationOptions options;
  options.pieces = true;
  const TranslatedText text = translator.translate("deux six", options).translations[0];
  double sum = 0;
  std::string spelt;
  for (const PieceScore& piece : text.pieces) {
    sum += piece.log_prob;
    spelt += piece.piece;
  }
  EXPECT_EQ(spelt, "▁two▁six</s>");
  EXPECT_NEAR(sum, text.log_prob, 1e-5);
}

std::string pairs_of(const TranslatedText& text) {
  std::string all;
  for (const WordPair& pair : text.alignment)
    all += std::to_string(pair.source) + "-" + std::to_string(pair.target) + " ";
  return all;
}

// Number words are translated one by one, so the alignment is known; in parts too, where numbers go on.
TEST(PublicTranslator, AlignsWords) {
  TranslatorOptions opening = on_cpu();
  opening.max_source_length = 4;
  const Translator translator(kModel, opening);
  TranslationOptions options;
  EXPECT_EQ(pairs_of(translator.translate("trois un sept", options).translations[0]), "");
  options.alignment = true;
  EXPECT_EQ(pairs_of(translator.translate("trois un sept", options).translations[0]), "0-0 1-1 2-2 ");
  EXPECT_EQ(pairs_of(translator.translate("un deux trois quatre cinq six", options).translations[0]),
            "0-0 1-1 2-2 3-3 4-4 5-5 ");
  options.prefixes = {"six seven"};
  EXPECT_EQ(translator.translate("trois un sept", options).translations[0].alignment.size(), 3u);
  options.prefixes = {};
  EXPECT_EQ(pairs_of(translator.translate(" ", options).translations[0]), "");
}

// The largest weight of a row is where its word is linked to; a line in parts has a block for each part.
TEST(PublicTranslator, GivesTheWeightsOfAlignments) {
  TranslatorOptions opening = on_cpu();
  opening.max_source_length = 4;
  const Translator translator(kModel, opening);
  TranslationOptions options;
  options.n_best = 2;
  EXPECT_THAT(translator.translate("trois un sept", options).translations[0].attention, SizeIs(0));
  options.attention = true;
  for (const auto& [line, blocks] :
       {std::pair("trois un sept", 1u), {"un deux trois quatre cinq six", 2u}, {" ", 0u}}) {
    const TranslatedLine found = translator.translate(line, options);
    EXPECT_THAT(found.translations[0].alignment, SizeIs(0));  // not asked for
    EXPECT_THAT(found.translations[0].attention, SizeIs(blocks)) << line;
    int64_t next = 0;
    for (const AttentionBlock& block : found.translations[0].attention) {
      EXPECT_EQ(block.first_source, next);
      EXPECT_EQ(block.first_target, next);
      for (size_t row = 0; row < block.weights.size(); ++row, ++next) {
        const std::vector<float>& weights = block.weights[row];
        const auto largest = std::max_element(weights.begin(), weights.end());
        EXPECT_EQ(static_cast<size_t>(largest - weights.begin()), row) << line;
        double sum = 0;
        for (const float weight : weights) sum += weight;
        EXPECT_GT(sum, 0.5);
        EXPECT_LE(sum, 1 + 1e-5);
      }
    }
  }
}

TEST(PublicTranslator, ConstraintsAreMetOrToldOf) {
  const Translator translator(kModel, on_cpu());
  TranslationOptions options;
  options.constraints = {{"nine"}, {}, {"seven eight", "five"}};
  const std::vector<TranslatedLine> lines = translator.translate_lines({"trois un", "trois un", "cinq"}, options);
  EXPECT_THAT(lines[0].text(), testing::HasSubstr("nine"));
  EXPECT_EQ(lines[1].text(), "three one");
  EXPECT_THAT(lines[2].text(), testing::AllOf(testing::HasSubstr("seven eight"), testing::HasSubstr("five")));
  EXPECT_THAT(lines[0].translations[0].missing, SizeIs(0));
  options.constraints = {{"nine", "two"}};
  options.forbid = {"nine"};
  EXPECT_THAT(translator.translate("trois", options).translations[0].missing, ElementsAre("nine"));
  options.forbid = {};
  options.sample = true;
  EXPECT_THROW(translator.translate("trois", options), Error);
}

// A prefix that the vocabulary can't spell is the unknown piece; it looks at "deux" or "un".
TEST(PublicTranslator, UnknownWordsAreShownOrReplaced) {
  const TemporaryFolder folder;
  TranslatorOptions opening = on_cpu();
  TranslationOptions options;
  options.prefixes = {"\u2603"};
  const Translator plain(kModel, opening);
  EXPECT_EQ(plain.translate("deux", options).text(), "<unk>");
  options.unknown = "?";
  EXPECT_EQ(plain.translate("deux", options).text(), "?");
  options.replace_unknown = true;
  EXPECT_EQ(plain.translate("deux", options).text(), "deux");
  opening.dictionary = folder.file("words", "deux\tzwei\n");
  const Translator translator(kModel, opening);
  EXPECT_EQ(translator.translate("deux", options).text(), "zwei");
  options.replace_unknown = false;
  EXPECT_EQ(translator.translate("deux", options).text(), "?");
  opening.dictionary = folder.file("none", "");
  try {
    const Translator refused(kModel, opening);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
}

TEST(PublicTranslator, TellsWhatItDidToALine) {
  TranslatorOptions options = on_cpu();
  options.max_source_length = 4;
  const Translator translator(kModel, options);
  const TranslatedLine split = translator.translate("un deux trois quatre cinq six");
  EXPECT_TRUE(split.split);
  EXPECT_EQ(split.text(), "one two three four five six");
  EXPECT_EQ(translator.translate("un \xff deux").replaced_utf8, 1);
  TranslationOptions short_one;
  short_one.max_length_ratio = 0.01;
  short_one.max_length_extra = 1;
  const TranslatedLine cut = translator.translate("un deux", short_one);
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.text(), "one");
}

TEST(PublicTranslator, PrefixesAreKept) {
  const Translator translator(kModel, on_cpu());
  TranslationOptions options;
  options.prefixes = {"seven", ""};
  EXPECT_THAT(texts_of(translator.translate_lines({"trois un", "trois un"}, options)),
              ElementsAre("seven one", "three one"));
}

TEST(PublicTranslator, CanBeMoved) {
  Translator first(kModel, on_cpu());
  Translator second = std::move(first);
  EXPECT_EQ(second.translate("un").text(), "one");
  first = Translator(kModel, on_cpu());
  second = std::move(first);
  EXPECT_EQ(second.translate("deux").text(), "two");
}

TEST(PublicTranslator, AnEnsembleOfOneModelTwiceIsThatModel) {
  const Translator one(kModel, on_cpu());
  for (const auto average : {TranslatorOptions::Average::kLog, TranslatorOptions::Average::kLinear}) {
    TranslatorOptions options = on_cpu();
    options.average = average;
    options.weights = {1, 3};
    const Translator two = Translator::ensemble({kModel, kModel}, options);
    const TranslatedText expected = one.translate("trois un sept").translations[0];
    const TranslatedText found = two.translate("trois un sept").translations[0];
    EXPECT_EQ(found.text, expected.text);
    EXPECT_NEAR(found.log_prob, expected.log_prob, 1e-5);
  }
}

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
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%.4f\t%.4f\t", std::stod(score), std::stod(log_prob));
    program.output += numbers + text + "\n";
  }
  return program;
}

// The program and the library must not differ in what an option means.
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

TEST(PublicTranslator, SeveralThreadsGetWhatOneGets) {
  const std::vector<std::string> lines = number_lines(60);
  TranslationOptions options;
  options.n_best = 2;
  const Translator alone(kModel, on_cpu(1));
  const std::string expected = dump(alone.translate_lines(lines, options));
  const Translator shared(kModel, on_cpu(1));
  const Translator wide(kModel, on_cpu(3));  // threads of its own, at the same time
  std::vector<std::string> found(6);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      if (t % 3 == 0) {
        found[t] = dump(wide.translate_lines(lines, options));
      } else if (t % 3 == 1) {
        found[t] = dump(shared.translate_lines(lines, options));
      } else {
        for (const std::string& line : lines) found[t] += dump({shared.translate(line, options)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], expected) << "thread " << t;
}

TEST(PublicTranslator, LoadsLibTorchWithTheFirstModelOnly) {
  const auto loaded = [](const char* name) { return ::dlopen(name, RTLD_NOW | RTLD_NOLOAD) != nullptr; };
  if (loaded("libnmt_torch.so")) GTEST_SKIP() << "another test of this process has loaded it; ctest runs each alone";
  EXPECT_FALSE(loaded("libtorch_cpu.so"));
  EXPECT_THROW(Translator("", TranslatorOptions{.threads = -1}), Error);  // refused before anything is loaded
  EXPECT_FALSE(loaded("libtorch_cpu.so"));
  const Translator translator(kModel, on_cpu());
  EXPECT_TRUE(loaded("libtorch_cpu.so"));
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "nmt_open_backend"), nullptr) << "its symbols are the program's now";
}

TEST(PublicTranslator, LeavesTheProcessAsItWas) {
  std::signal(SIGTERM, [](int) {});
  const int signals[] = {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGABRT};
  const auto state = [&signals] {
    std::string all = std::setlocale(LC_ALL, nullptr);
    for (const int signal : signals) {
      struct sigaction action = {};
      ::sigaction(signal, nullptr, &action);
      std::ostringstream address;
      address << reinterpret_cast<const void*>(action.sa_handler);
      all += " " + address.str();
    }
    for (char** variable = environ; *variable != nullptr; ++variable) all += std::string("\n") + *variable;
    return all;
  };
  const std::string before = state();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  {
    const Translator translator(kModel, on_cpu(2));
    translator.translate_lines(number_lines(70));
    EXPECT_THROW(Translator("/nowhere"), Error);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(state(), before);
}

// A program that uses LibTorch too keeps its number of threads, however calls overlap.
TEST(PublicTranslator, LeavesLibTorchsNumberOfThreadsAsItWas) {
  const Translator one(kModel, on_cpu(1));
  void* const torch = ::dlopen("libtorch_cpu.so", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(torch, nullptr);
  const auto set_threads = reinterpret_cast<void (*)(int)>(::dlsym(torch, "_ZN2at15set_num_threadsEi"));
  const auto threads_now = reinterpret_cast<int (*)()>(::dlsym(torch, "_ZN2at15get_num_threadsEv"));
  ASSERT_TRUE(set_threads != nullptr && threads_now != nullptr);
  set_threads(5);
  const Translator two(kModel, on_cpu(2));
  EXPECT_EQ(threads_now(), 5);
  const std::vector<std::string> lines = number_lines(200);
  std::vector<std::thread> callers;
  for (const Translator* translator : {&one, &two, &one}) {
    callers.emplace_back([translator, &lines] {
      for (int i = 0; i < 10; ++i) translator->translate_lines(lines);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(threads_now(), 5);
  int of_a_new_thread = 0;
  std::thread([&] { of_a_new_thread = threads_now(); }).join();
  EXPECT_EQ(of_a_new_thread, 5);
}

}  // namespace
}  // namespace nmt::test
