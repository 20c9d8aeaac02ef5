#include "translate/open_translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "small_model.h"

namespace nmt {
namespace {

using test::invented_lines;
using test::make_model;
using test::small_tokenizers;
using test::TemporaryFolder;
using ::testing::HasSubstr;

OpenOptions on_cpu(int threads, std::optional<int64_t> batch = {}) {
  OpenOptions options;
  options.device = "cpu";
  options.threads = threads;
  options.batch_sentences = batch;
  options.adjust_search = [](SearchOptions& search) { search.min_length_ratio = 0.5; };  // else many end at once
  return options;
}

std::string message_of(const std::vector<std::string>& models) {
  try {
    open_translator(models, on_cpu(1));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(OpenTranslator, TextDependsOnNeitherBatchNorThreadsNorOrder) {
  const TemporaryFolder folder;
  const std::string model = make_model(folder, "model", small_tokenizers(folder, 60, 1), 5);
  std::vector<std::string> lines = invented_lines(60, 2);
  const std::vector<std::string> alone = translate_lines(open_translator({model}, on_cpu(1, 1)), lines);
  ASSERT_EQ(alone.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_TRUE(!lines[i].empty() || alone[i].empty());
  EXPECT_GT(std::set<std::string>(alone.begin(), alone.end()).size(), 20U);
  for (const int threads : {1, 3}) {
    for (const int64_t batch : {7, 64}) {
      EXPECT_EQ(translate_lines(open_translator({model}, on_cpu(threads, batch)), lines), alone);
    }
  }
  std::reverse(lines.begin(), lines.end());
  std::vector<std::string> reversed = translate_lines(open_translator({model}, on_cpu(2)), lines);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, alone);
}

TEST(OpenTranslator, TakesTheSavedSearchAndAdjustsIt) {
  const TemporaryFolder folder;
  const std::string model = make_model(folder, "model", small_tokenizers(folder, 60, 1), 5);
  EXPECT_EQ(open_translator({model}, on_cpu(1)).search_options().beam, 3);
  OpenOptions options = on_cpu(1);
  options.adjust_search = [](SearchOptions& search) { search.beam = 7; };
  EXPECT_EQ(open_translator({model}, options).search_options().beam, 7);
  options.adjust_search = [](SearchOptions& search) { search.beam = 0; };
  EXPECT_THROW(open_translator({model}, options), UsageError);
}

TEST(OpenTranslator, AModelTwiceIsLikeTheModelAndTwoModelsAreNot) {
  const TemporaryFolder folder;
  const TokenizerPair tokenizers = small_tokenizers(folder, 60, 1);
  const std::string a = make_model(folder, "a", tokenizers, 5);
  const std::string b = make_model(folder, "b", tokenizers, 6);
  const std::vector<std::string> lines = invented_lines(20, 3);
  const std::vector<std::string> single = translate_lines(open_translator({a}, on_cpu(1)), lines);
  for (const EnsembleAverage average : {EnsembleAverage::kLog, EnsembleAverage::kLinear}) {
    OpenOptions options = on_cpu(1);
    options.average = average;
    EXPECT_EQ(translate_lines(open_translator({a, a}, options), lines), single);
    EXPECT_NE(translate_lines(open_translator({a, b}, options), lines), single);
    options.weights = {1e9, 1};
    EXPECT_EQ(translate_lines(open_translator({a, b}, options), lines), single);
  }
}

TEST(OpenTranslator, PartsThatDontBelongTogetherAreNamed) {
  const TemporaryFolder folder;
  const TokenizerPair tokenizers = small_tokenizers(folder, 60, 1);
  const std::string good = make_model(folder, "good", tokenizers, 5);
  const std::string other = make_model(folder, "other", small_tokenizers(folder, 60, 9), 5);
  EXPECT_THAT(message_of({good, other}), HasSubstr("different source vocabularies"));
  EXPECT_THAT(message_of({make_model(folder, "wrong", tokenizers, 5, 3)}),
              HasSubstr("63 source pieces, its tokenizer 60"));
  EXPECT_THAT(message_of({(folder.path() / "nowhere").string()}), HasSubstr("nowhere"));
}

}  // namespace
}  // namespace nmt
