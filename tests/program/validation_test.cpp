// The BLEU that training reports is that of `nmt translate` and `nmt eval` with the model it saved.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/random.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

std::string run(const std::vector<std::string>& arguments) {
  const ProcessResult result = run_nmt(arguments, {.timeout_s = 600});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  return result.output;
}

TEST(Validation, ReportsTheBleuThatTheFinishedModelHas) {
  const TemporaryFolder folder;
  SplitMix64 random(1);
  const std::vector<std::pair<std::string, std::string>> words = {
      {"un", "one"}, {"deux", "two"}, {"trois", "three"}, {"quatre", "four"}};
  for (const std::string part : {"train", "valid"}) {
    std::string source, target;
    for (int i = 0; i < (part == "train" ? 400 : 40); ++i) {
      for (uint64_t count = 4 + random.below(5); count > 0; --count) {
        const auto& [french, english] = words[random.below(words.size())];
        source += french + (count > 1 ? " " : "\n");
        target += english + (count > 1 ? " " : "\n");
      }
    }
    folder.file(part + ".fr", source);
    folder.file(part + ".en", target);
  }
  const auto path = [&](const std::string& name) { return (folder.path() / name).string(); };
  folder.file("c.json", R"({"data": {"train": {"src": "train.fr", "tgt": "train.en"},
                                     "valid": {"src": "valid.fr", "tgt": "valid.en"}},
    "text": {"vocab_size": "auto"}, "search": {"beam": 4, "length_penalty": 0.6, "max_length_extra": 3},
    "model": {"embedding_dim": 16, "encoder_dim": 16, "decoder_dim": 32, "attention_dim": 16, "readout_dim": 16},
    "train": {"max_updates": 150, "optimizer": {"learning_rate": 0.01}}})");
  run({"train", "--config", path("c.json"), "--output", path("run"), "--device", "cpu", "--threads", "1"});
  nlohmann::json validation;  // of the best model: the highest BLEU, the first of equals
  for (const std::string& line : read_lines(path("run/train_log.jsonl"))) {
    const auto event = nlohmann::json::parse(line);
    if (event.at("event") != "validation") continue;
    if (validation.is_null() || event.at("bleu") > validation.at("bleu")) validation = event;
  }
  ASSERT_FALSE(validation.is_null());
  EXPECT_EQ(validation.at("search"), "beam 4, length penalty 0.6");
  const double reported = validation.at("bleu");
  EXPECT_GT(reported, 1);
  EXPECT_LT(reported, 99);
  run({"translate", "--model", path("run"), "--input", path("valid.fr"), "--output", path("out.en"), "--device",
       "cpu"});
  const auto score = nlohmann::json::parse(run({"eval", "--hypothesis", path("out.en"), "--reference", path("valid.en"),
                                                "--metrics", "bleu", "--format", "json", "--width", "10"}));
  EXPECT_NEAR(score.at("score").get<double>(), reported, 1e-6) << score;
}

}  // namespace
}  // namespace nmt::test
