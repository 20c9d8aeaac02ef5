#include "translate/open_translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <set>

#include "base/error.h"
#include "base/random.h"
#include "model/model_dir.h"
#include "support/temporary_folder.h"
#include "tensor/random.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"
#include "text/tokenizers.h"

namespace nmt {
namespace {

using test::TemporaryFolder;
using ::testing::HasSubstr;

std::vector<std::string> invented_lines(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    std::string line;
    for (uint64_t words = random.below(12); words > 0; --words) {
      if (!line.empty()) line += ' ';
      for (uint64_t letters = 1 + random.below(4); letters > 0; --letters) {
        line += static_cast<char>('a' + random.below(10));
      }
    }
    lines.push_back(line);
  }
  return lines;
}

TokenizerPair small_tokenizers(const TemporaryFolder& folder, int64_t pieces, uint64_t seed) {
  std::string text;
  for (const std::string& line : invented_lines(400, seed)) text += line + "\n";
  TokenizerTraining training;
  training.files = {folder.file("text", text)};
  training.vocab_size = AutoSize{pieces};
  training.byte_fallback = false;
  const auto tokenizer = make_sentencepiece_tokenizer(train_tokenizer(training).model, Normalization::kNfc, "test");
  return {tokenizer, tokenizer};
}

// A model directory with random weights; `source_vocab` differs from the tokenizer's to make one that is wrong.
std::string make_model(const TemporaryFolder& folder, const std::string& name, const TokenizerPair& tokenizers,
                       uint64_t seed, int64_t wrong_by = 0) {
  const std::filesystem::path directory = folder.path() / name;
  std::filesystem::create_directory(directory);
  ModelDirConfig config;
  config.model.embedding_dim = config.model.encoder_dim = config.model.readout_dim = 8;
  config.model.decoder_dim = config.model.attention_dim = 16;
  config.search.beam = 3;
  seed_random(seed);
  const int64_t vocab = tokenizers.target->vocab_size();
  Seq2Seq model(config.model, vocab + wrong_by, vocab);
  {
    const torch::NoGradGuard no_gradients;
    for (torch::Tensor& parameter : model->parameters()) parameter.mul_(3);
  }
  save_tokenizers(tokenizers, directory);
  save_model_dir(directory, config, model, {"joint.spm"}, "{}");
  return directory.string();
}

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
