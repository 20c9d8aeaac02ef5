#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.h"
#include "base/file.h"
#include "cli/torch_verbs.h"
#include "small_model.h"

namespace nmt {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class AttentionVerb : public ::testing::Test {
 protected:
  AttentionOptions options(const std::string& format) const {
    AttentionOptions options;
    options.models = {model_};
    options.format = format;
    options.output = (folder_.path() / "out").string();
    options.device = "cpu";
    options.threads = 2;
    return options;
  }

  static std::string run(const AttentionOptions& options) {
    nmt_attention(options);
    return read_file(options.output);
  }

  static json run_json(const AttentionOptions& options) { return json::parse(run(options)).at("figures"); }

  static void expect_a_map(const json& map) {
    ASSERT_EQ(map.at("weights").size(), map.at("target_labels").size());
    for (const json& row : map.at("weights")) {
      ASSERT_EQ(row.size(), map.at("source_labels").size());
      const auto weights = row.get<std::vector<double>>();
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-4);
    }
  }

  const test::TemporaryFolder folder_;
  const TokenizerPair tokenizers_ = test::small_tokenizers(folder_, 60, 1);
  const std::string model_ = test::make_model(folder_, "model", tokenizers_, 5);
};

TEST_F(AttentionVerb, ShowsAGivenTranslation) {
  AttentionOptions given = options("json");
  given.source = "ab cdef g";
  given.target = "hij a";
  const json figures = run_json(given);
  ASSERT_EQ(figures.size(), 1U);
  const json& map = figures[0].at("maps").at(0);
  EXPECT_EQ(map.at("source_labels"), (std::vector<std::string>{"ab", "cdef", "g", "</s>"}));
  EXPECT_EQ(map.at("target_labels"), (std::vector<std::string>{"hij", "a", "</s>"}));
  EXPECT_EQ(map.at("model"), model_);
  expect_a_map(map);
  given.pieces = true;
  const json pieces = run_json(given)[0].at("maps").at(0);
  EXPECT_EQ(pieces.at("source_labels").size(), tokenizers_.source->encode(*given.source).size() + 1);
  EXPECT_THAT(pieces.at("source_labels").at(0).get<std::string>(), HasSubstr("▁"));
  expect_a_map(pieces);
}

// The weights are those that nmt translate reports of the same pieces.
TEST_F(AttentionVerb, ShowsTheModelsOwnTranslation) {
  AttentionOptions own = options("json");
  own.source = "ab cdef g";
  own.pieces = true;
  const json map = run_json(own)[0].at("maps").at(0);
  TranslateOptions translate;
  translate.models = {model_};
  translate.device = "cpu";
  translate.format = "jsonl";
  translate.input = folder_.file("in", *own.source + "\n");
  translate.output = (folder_.path() / "translated").string();
  nmt_translate(translate);
  const json line = json::parse(read_lines(translate.output).at(0));
  EXPECT_EQ(map.at("target"), line.at("translations").at(0).at("text"));
  const json& wanted = line.at("segments").at(0).at("hypotheses").at(0).at("attention");
  ASSERT_EQ(map.at("weights").size(), wanted.size());
  for (size_t t = 0; t < wanted.size(); ++t) {
    EXPECT_THAT(map.at("weights")[t].get<std::vector<double>>(),
                ::testing::Pointwise(::testing::DoubleNear(1e-5), wanted[t].get<std::vector<double>>()));
  }
}

TEST_F(AttentionVerb, ModelsOfDifferentTokenizersStandSideBySide) {
  AttentionOptions both = options("json");
  both.models.push_back(test::make_model(folder_, "other", test::small_tokenizers(folder_, 40, 9), 7));
  both.input = folder_.file("in", "ab cd\r\n\nef\xff\n");
  both.target_file = folder_.file("targets", "a\n\nb c\n");
  both.pieces = true;
  const json figures = run_json(both);
  ASSERT_EQ(figures.size(), 3U);
  EXPECT_EQ(figures[0].at("title"), "Line 1");
  EXPECT_EQ(figures[1].at("note"), "A blank line.");
  EXPECT_TRUE(figures[1].at("maps").empty());
  for (const size_t i : {0, 2}) {
    ASSERT_EQ(figures[i].at("maps").size(), 2U);
    EXPECT_EQ(figures[i].at("maps")[1].at("model"), both.models[1]);
    for (const json& map : figures[i].at("maps")) expect_a_map(map);
  }
  both.format = "html";
  EXPECT_THAT(run(both), HasSubstr("<!DOCTYPE html>"));
  both.format = "svg";
  EXPECT_THAT(run(both), ::testing::StartsWith("<svg xmlns="));
}

TEST_F(AttentionVerb, WhatIsTooLongIsSaid) {
  AttentionOptions given = options("json");
  given.source = std::string(3000, 'a');
  given.target = "b";
  EXPECT_THAT(run_json(given)[0].at("note").get<std::string>(), HasSubstr("Too long"));
}

TEST_F(AttentionVerb, AModelWithoutAttentionIsRefused) {
  AttentionOptions none = options("json");
  ModelDirConfig config;
  config.model.attention = AttentionScore::kNone;
  config.model.embedding_dim = config.model.encoder_dim = config.model.readout_dim = config.model.decoder_dim = 8;
  const std::filesystem::path directory = folder_.path() / "none";
  std::filesystem::create_directory(directory);
  save_tokenizers(tokenizers_, directory);
  const int64_t vocab = tokenizers_.target->vocab_size();
  save_model_dir(directory, config, Seq2Seq(config.model, vocab, vocab), {"joint.spm"}, "{}");
  none.models.push_back(directory.string());
  none.source = "ab";
  try {
    nmt_attention(none);
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr(directory.string() + " has no attention"));
  }
  EXPECT_FALSE(std::filesystem::exists(none.output));
}

// $NMT_DEMO_MODEL: a model trained on the sentences of data/demo.
TEST(DemoModel, LooksAtVertForGreenAndAtTheForTea) {
  const char* model = std::getenv("NMT_DEMO_MODEL");
  if (model == nullptr || *model == '\0') GTEST_SKIP() << "set NMT_DEMO_MODEL to the model that scripts/demo made";
  const test::TemporaryFolder folder;
  AttentionOptions options;
  options.models = {model};
  options.source = "Elle aime le thé vert";
  options.target = "She likes green tea";
  options.format = "json";
  options.output = (folder.path() / "out").string();
  options.device = "cpu";
  nmt_attention(options);
  const json map = json::parse(read_file(options.output)).at("figures").at(0).at("maps").at(0);
  const auto source = map.at("source_labels").get<std::vector<std::string>>();
  ASSERT_EQ(source, (std::vector<std::string>{"Elle", "aime", "le", "thé", "vert", "</s>"}));
  const auto looks_at = [&](size_t t) {
    const auto row = map.at("weights").at(t).get<std::vector<double>>();
    return source[static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin())];
  };
  EXPECT_EQ(looks_at(0), "Elle");
  EXPECT_EQ(looks_at(2), "vert");
  EXPECT_EQ(looks_at(3), "thé");
}

}  // namespace
}  // namespace nmt
