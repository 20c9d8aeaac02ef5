// Each mistake that a user is likely to make gives one clear sentence and the exit code of its kind (README.md), and
// leaves nothing behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/file.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Matcher;
using testing::Not;

const fs::path kModel = fs::path(NMT_SOURCE_DIR) / "tests" / "program" / "numbers_model";

class PromisedErrors : public testing::Test {
 protected:
  PromisedErrors() {
    std::string source, target;
    for (int i = 0; i < 40; ++i) {
      source += "un deux trois\n";
      target += "one two three\n";
    }
    folder_.file("a.fr", source);
    folder_.file("a.en", target);
    folder_.file("empty", "");
    folder_.file("short.en", "one\ntwo\n");
    write_config("");
  }

  // A sound configuration with further top-level text in front.
  void write_config(const std::string& more) const {
    folder_.file("c.json", "{" + more + R"( "data": {"train": {"src": "a.fr", "tgt": "a.en"}},
      "text": {"vocab_size": "auto"},
      "model": {"embedding_dim": 8, "encoder_dim": 8, "decoder_dim": 8, "attention_dim": 8, "readout_dim": 8},
      "train": {"max_updates": 1}})");
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  void expect(const std::vector<std::string>& arguments, int code, const Matcher<const std::string&>& message,
              const std::string& input = "") const {
    const ProcessResult result = run_nmt(arguments, {.input = input});
    EXPECT_EQ(result.exit_code, code) << result.errors;
    EXPECT_THAT(result.errors, message);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, Not(testing::AnyOf(HasSubstr("terminate called"), HasSubstr("Exception raised from"),
                                                  HasSubstr("frame #"))));
  }
  void expect_train(const std::vector<std::string>& more, int code, const Matcher<const std::string&>& message) const {
    std::vector<std::string> arguments = {"train", "--config", path("c.json"), "--output", path("run")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect(arguments, code, message);
    EXPECT_FALSE(fs::exists(path("run") + "/last"));
  }
  // Translating with a copy of the model after `change`.
  void expect_bad_model(const std::function<void(const fs::path&)>& change,
                        const Matcher<const std::string&>& message) const {
    const fs::path copy = folder_.path() / "model";
    fs::remove_all(copy);
    fs::copy(kModel, copy);
    change(copy);
    expect({"translate", "--model", copy.string()}, 4, message, "un\n");
  }

  TemporaryFolder folder_;
};

TEST_F(PromisedErrors, MissingFiles) {
  expect({"train", "--config", path("no.json"), "--output", path("run")}, 2, HasSubstr("no.json"));
  expect_train({"--set", "data.train.src=" + path("no.fr")}, 3, AllOf(HasSubstr("data.train.src"), HasSubstr("no.fr")));
  expect({"translate", "--model", kModel.string(), "--input", path("no.fr")}, 3, HasSubstr("no.fr"));
  expect({"translate", "--model", path("no-model")}, 4, HasSubstr("no-model"));
  expect({"eval", "--hypothesis", path("no.out"), "--reference", path("a.en")}, 3, HasSubstr("no.out"));
}

TEST_F(PromisedErrors, UnreadableConfiguration) {
  folder_.file("c.json", "{\n  \"data\": {\n");
  expect_train({}, 2, HasSubstr("c.json:3"));
  folder_.file("c.json", std::string("\x00\xff\xfe{", 4));
  expect_train({}, 2, HasSubstr("c.json:1"));
}

TEST_F(PromisedErrors, UnknownKeyNamesTheNearest) {
  write_config(R"("trian": {"max_updates": 1},)");
  expect_train({}, 2, AllOf(HasSubstr("trian"), HasSubstr("'train'")));
  write_config("");
  expect_train({"--set", "model.embeding_dim=8"}, 2, HasSubstr("embedding_dim"));
}

TEST_F(PromisedErrors, WrongTypeAndOutOfRange) {
  expect_train({"--set", "model.embedding_dim=\"wide\""}, 2,
               AllOf(HasSubstr("model.embedding_dim"), HasSubstr("a whole number")));
  expect_train({"--set", "model.dropout_embedding=1.5"}, 2,
               AllOf(HasSubstr("model.dropout_embedding"), HasSubstr("below 1")));
}

TEST_F(PromisedErrors, LineCountsDiffer) {
  expect_train({"--set", "data.train.tgt=" + path("short.en")}, 3,
               AllOf(HasSubstr("a.fr"), HasSubstr("short.en"), HasSubstr("40"), HasSubstr("2")));
  expect({"eval", "--hypothesis", path("a.en"), "--reference", path("short.en")}, 3,
         AllOf(HasSubstr("a.en"), HasSubstr("short.en"), HasSubstr("40"), HasSubstr("2")));
}

TEST_F(PromisedErrors, EmptyCorpus) {
  expect_train({"--set", "data.train.src=" + path("empty"), "--set", "data.train.tgt=" + path("empty")}, 3,
               HasSubstr("empty"));
}

TEST_F(PromisedErrors, VocabularyLargerThanTheCorpusAllows) {
  expect_train({"--set", "text.vocab_size=8000"}, 2,
               AllOf(HasSubstr("8,000"), HasSubstr("vocab_size"), HasSubstr("auto")));
}

TEST_F(PromisedErrors, CorruptTruncatedAndForeignModels) {
  expect_bad_model([](const fs::path& at) { fs::resize_file(at / "model.safetensors", 20000); },
                   HasSubstr("model.safetensors"));
  expect_bad_model([](const fs::path& at) { fs::resize_file(at / "model.safetensors", 0); },
                   HasSubstr("model.safetensors"));
  expect_bad_model(
      [](const fs::path& at) {
        std::fstream file(at / "model.safetensors", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(30000);
        file << "damage";
      },
      HasSubstr("model.safetensors"));
  expect_bad_model([](const fs::path& at) { fs::remove(at / "source.spm"); }, HasSubstr("source.spm"));
  expect_bad_model(
      [](const fs::path& at) {
        fs::copy_file(at / "target.spm", at / "source.spm", fs::copy_options::overwrite_existing);
      },
      HasSubstr("source.spm"));
  expect_bad_model(
      [](const fs::path& at) {
        std::string card = read_file(at / "model_card.json");
        card.replace(card.find("\"format_version\": 1"), 19, "\"format_version\": 9");
        std::ofstream(at / "model_card.json") << card;
      },
      AllOf(HasSubstr("format version 9"), HasSubstr("1")));
}

TEST_F(PromisedErrors, OutputAlreadyHoldsARun) {
  const std::vector<std::string> train = {"train", "--config", path("c.json"), "--output", path("run"), "--quiet"};
  ASSERT_EQ(run_nmt(train).exit_code, 0);
  expect(train, 2, AllOf(HasSubstr("run"), HasSubstr("--resume"), HasSubstr("--overwrite")));
}

// A limit on the size of files stands for the disk: every verb names what it couldn't write and why, and leaves nothing
// under the final name nor beside it, but for `.partial` with the lines that were done.
TEST_F(PromisedErrors, DiskFullWhileSaving) {
  std::string numbers;
  for (int i = 0; i < 300; ++i) numbers += "un deux trois\n";
  folder_.file("many.fr", numbers);
  const std::string model = kModel.string();
  const struct {
    std::vector<std::string> arguments;
    std::string output, named;
    uint64_t room;  // bytes
  } cases[] = {
      {{"train", "--config", path("c.json"), "--device", "cpu"}, "run", "run/cache", 100},
      {{"translate", "--model", model, "--input", path("many.fr"), "--device", "cpu"}, "out", "out.partial", 1000},
      {{"score", "--model", model, "--source", path("many.fr"), "--target", path("many.fr"), "--device", "cpu"},
       "scores",
       "scores.partial",
       1000},
      {{"attention", "--model", model, "--source", "un deux", "--device", "cpu"}, "a.html", "a.html", 1000},
      {{"average", model, model}, "mean", "mean", 20000},
      {{"export", model}, "copy", "copy", 20000},
      {{"tokenizer", "train", "--input", path("a.fr"), "--vocab-size", "auto"}, "t.spm", "t.spm", 100},
      {{"tokenizer", "encode", "--model", model + "/source.spm", "--input", path("many.fr")}, "pieces", "pieces", 1000},
      {{"eval", "--hypothesis", path("a.en"), "--reference", path("a.en"), "--source", path("a.fr"), "--by-length"},
       "plot.svg",
       "plot.svg",
       1000}};
  for (const auto& one : cases) {
    std::vector<std::string> arguments = one.arguments;
    const std::string output = path(one.output);
    if (arguments[0] != "export") arguments.emplace_back(arguments[0] == "eval" ? "--plot" : "--output");
    arguments.push_back(output);
    const ProcessResult result = run_nmt(arguments, {.largest_file = one.room});
    EXPECT_EQ(result.exit_code, 5) << one.output << ": " << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr(path(one.named)), HasSubstr("File too large")));
    if (arguments[0] == "train") {
      EXPECT_FALSE(fs::exists(output + "/last"));
      continue;
    }
    EXPECT_FALSE(fs::exists(output)) << one.output;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      EXPECT_EQ(entry.path().string().find(output + ".tmp"), std::string::npos) << entry.path();
    }
  }
}

TEST_F(PromisedErrors, CudaWithoutCuda) {
  if (fs::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has a GPU";
  expect_train({"--device", "cuda"}, 5, HasSubstr("cuda"));
  EXPECT_FALSE(fs::exists(path("run"))) << "refused before anything is written";
  expect({"translate", "--model", kModel.string(), "--device", "cuda:3"}, 5, HasSubstr("cuda"), "un\n");
}

}  // namespace
}  // namespace nmt::test
