// What nmt::Translator throws: always nmt::Error, of the kind that says whose the fault is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nmt/translator.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kModel = fs::path(NMT_SOURCE_DIR) / "tests/program/numbers_model";

void expect_error(ErrorKind kind, const std::string& part, const std::function<void()>& body) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.exit_code(), static_cast<int>(kind));
    EXPECT_THAT(error.what(), HasSubstr(part));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

TEST(PublicErrors, AMissingModelIsNamed) {
  expect_error(ErrorKind::kModel, "/nowhere/model", [] { Translator("/nowhere/model"); });
  const TemporaryFolder folder;
  expect_error(ErrorKind::kModel, folder.path().string(), [&] { Translator(folder.path().string()); });
  expect_error(ErrorKind::kUsage, "no model", [] { Translator::ensemble({}); });
}

// Each file of a model empty, cut short, replaced by garbage, changed in one byte, and missing.
TEST(PublicErrors, ADamagedModelIsRefused) {
  for (const auto& entry : fs::directory_iterator(kModel)) {
    const std::string name = entry.path().filename().string();
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(stream)), {});
    std::string changed = whole;
    changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
    for (const std::string& content :
         {std::string(), whole.substr(0, whole.size() / 2), std::string(5000, '\xfe'), changed}) {
      const TemporaryFolder folder;
      fs::copy(kModel, folder.path(), fs::copy_options::recursive);
      folder.file(name, content);
      if (name == "model_card.json" && content == changed) continue;  // the card has no digest of itself
      expect_error(ErrorKind::kModel, folder.path().string(), [&] { Translator(folder.path().string()); });
    }
    const TemporaryFolder folder;
    fs::copy(kModel, folder.path(), fs::copy_options::recursive);
    fs::remove(folder.path() / name);
    expect_error(ErrorKind::kModel, folder.path().string(), [&] { Translator(folder.path().string()); });
  }
}

TEST(PublicErrors, OpeningOptionsOutOfRangeAreNamed) {
  using Options = TranslatorOptions;
  const std::vector<std::pair<std::string, std::function<void(Options&)>>> cases = {
      {"threads is -1", [](Options& o) { o.threads = -1; }},
      {"threads is 5000", [](Options& o) { o.threads = 5000; }},
      {"max_source_length is 0", [](Options& o) { o.max_source_length = 0; }},
      {"batch_sentences is 0", [](Options& o) { o.batch_sentences = 0; }},
      {"weight is 0", [](Options& o) { o.weights = {0}; }},
      {"2 weights for 1 model",
       [](Options& o) {
         o.weights = {1, 1};
       }},
      {"Device 'gpu'", [](Options& o) { o.device = "gpu"; }},
  };
  for (const auto& [part, set] : cases) {
    Options options;
    options.device = "cpu";
    set(options);
    expect_error(ErrorKind::kUsage, part, [&] { Translator(kModel.string(), options); });
  }
}

TEST(PublicErrors, SearchOptionsOutOfRangeAreNamed) {
  using Options = TranslationOptions;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::function<void(Options&)>>> cases = {
      {"beam is 0", [](Options& o) { o.beam = 0; }},
      {"beam is 1001", [](Options& o) { o.beam = 1001; }},
      {"n_best is 0", [](Options& o) { o.n_best = 0; }},
      {"n_best is 3 and beam 2", [](Options& o) { o.beam = 2, o.n_best = 3; }},
      {"patience is 0", [](Options& o) { o.patience = 0; }},
      {"length_penalty is -0.5", [](Options& o) { o.length_penalty = -0.5; }},
      {"word_reward is nan", [nan](Options& o) { o.word_reward = nan; }},
      {"coverage_penalty is -1", [](Options& o) { o.coverage_penalty = -1; }},
      {"max_length_ratio is inf", [infinity](Options& o) { o.max_length_ratio = infinity; }},
      {"max_length_extra is -1", [](Options& o) { o.max_length_extra = -1; }},
      {"min_length is -1", [](Options& o) { o.min_length = -1; }},
      {"no_repeat_ngram is -1", [](Options& o) { o.no_repeat_ngram = -1; }},
      {"temperature is 0", [](Options& o) { o.temperature = 0; }},
      {"top_k is -1", [](Options& o) { o.top_k = -1; }},
      {"top_p is 1.5", [](Options& o) { o.top_p = 1.5; }},
      {"diversity_groups is 0", [](Options& o) { o.diversity_groups = 0; }},
      {"diversity_penalty is nan", [nan](Options& o) { o.diversity_penalty = nan; }},
      {"nothing to forbid", [](Options& o) { o.forbid = {" "}; }},
      {"2 lists of constraints for 1 line;",
       [](Options& o) {
         o.constraints = {{"two"}, {}};
       }},
      {"A line has 101 constraints", [](Options& o) { o.constraints = {std::vector<std::string>(101, "two")}; }},
      {"2 prefixes for 1 line;",
       [](Options& o) {
         o.prefixes = {"a", "b"};
       }},
  };
  TranslatorOptions opening;
  opening.device = "cpu";
  const Translator translator(kModel.string(), opening);
  for (const auto& [part, set] : cases) {
    Options options;
    set(options);
    expect_error(ErrorKind::kUsage, part, [&] { translator.translate("un", options); });
  }
  EXPECT_EQ(translator.translate("un").text(), "one");  // still whole
}

TEST(PublicErrors, ADeviceThatIsNotThereIsAResourceError) {
  TranslatorOptions options;
  options.device = "cuda:99";
  expect_error(ErrorKind::kResource, "cuda:99", [&] { Translator(kModel.string(), options); });
}

}  // namespace
}  // namespace nmt::test
