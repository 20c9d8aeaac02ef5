#include "cli/tokenizer_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"
#include "text/normalize.h"

namespace nmt {
namespace {

using testing::HasSubstr;

class TokenizerCommand : public testing::Test {
 protected:
  TokenizerCommand() {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "The cat sees the dog and the mouse " + std::to_string(i * i) + ".\n";
    text_ = folder_.file("text", text);
    model_ = path("model.spm");
    run({"train", "--input", text_, "--output", model_, "--vocab-size", "310", "--quiet"});
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  static void run(std::vector<std::string> arguments) {
    CommandLine line;
    add_tokenizer_command(line);
    arguments.insert(arguments.begin(), "tokenizer");
    line.run(std::move(arguments));
  }

  std::string through(const std::string& verb, const std::string& input, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {verb,       "--model",   model_,   "--input", folder_.file("in", input),
                                          "--output", path("out"), "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    run(arguments);
    return read_file(path("out"));
  }

  const test::TemporaryFolder folder_;
  std::string text_;
  std::string model_;
};

TEST_F(TokenizerCommand, EncodeAndDecodeAreInverse) {
  const std::string text = std::string("The cat  sees.\n\n \u00A0\n") + "e\u0301 \U0001F600\u200D x\ty\n" +
                           std::string("nul\0 esc\x1b \rcr\n", 14) + "<s> </s> <unk> <0x41> @@ \u05E9\u05DC\n" +
                           "last line without its end";
  const std::string expected = std::string("The cat  sees.\n\n\n") + "\u00E9 \U0001F600\u200D x\ty\n" +
                               std::string("nul\0 esc\x1b \rcr\n", 14) + "<s> </s> <unk> <0x41> @@ \u05E9\u05DC\n" +
                               "last line without its end\n";
  EXPECT_EQ(through("decode", through("encode", text)), expected);
  const std::string ids = through("encode", text, {"--output-format", "ids"});
  EXPECT_EQ(ids.find_first_not_of("0123456789 \n"), std::string::npos);
  EXPECT_EQ(through("decode", ids, {"--input-format", "ids"}), expected);
}

TEST_F(TokenizerCommand, NormalizationIsChosen) {
  EXPECT_EQ(through("decode", through("encode", "e\u0301 \uFB01\n", {"--normalization", "none"})), "e\u0301 \uFB01\n");
  EXPECT_EQ(through("decode", through("encode", "e\u0301 \uFB01\n", {"--normalization", "nfkc"})), "\u00E9 fi\n");
}

TEST_F(TokenizerCommand, InvalidUtf8IsReplacedOrAnError) {
  EXPECT_EQ(through("decode", through("encode", "a\xFF\n")), "a\uFFFD\n");
  EXPECT_THROW(through("encode", "a\xFF\n", {"--invalid-utf8", "error"}), DataError);
}

TEST_F(TokenizerCommand, WhatIsNoPieceIsNamedAndNoOutputIsLeft) {
  try {
    through("decode", "\u2581The\nfoobar\n");
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("in:2: 'foobar' is no piece"));
  }
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  for (const char* bad : {"-1\n", "310\n", "99999999999999\n", "1x\n"}) {
    EXPECT_THROW(through("decode", bad, {"--input-format", "ids"}), DataError) << bad;
  }
}

TEST_F(TokenizerCommand, SpecialPiecesGiveNothing) {
  EXPECT_EQ(through("decode", "<s> \u2581The </s> <pad>\n"), "The\n");
  EXPECT_EQ(through("decode", "1\n", {"--input-format", "ids"}), "\u2047\n");
}

TEST_F(TokenizerCommand, TrainRefusesWhatCannotBe) {
  const auto train = [&](const std::string& input, const std::string& size) {
    run({"train", "--input", input, "--output", path("other.spm"), "--vocab-size", size, "--quiet"});
  };
  EXPECT_THROW(train(text_, "100000"), UsageError);
  EXPECT_THROW(train(text_, "0"), UsageError);
  EXPECT_THROW(train(text_, "many"), UsageError);
  EXPECT_THROW(train("/dev/null", "auto"), DataError);
  EXPECT_THROW(train("/nowhere", "auto"), DataError);
  EXPECT_THROW(train(text_, "1"), UsageError);
  EXPECT_FALSE(std::filesystem::exists(path("other.spm")));
  train(text_, "auto");
  EXPECT_TRUE(std::filesystem::exists(path("other.spm")));
}

TEST_F(TokenizerCommand, TheDefaultSizeGivesWayToWhatTheTextAllows) {
  run({"train", "--input", text_, "--output", path("fitting.spm"), "--quiet"});
  run({"train", "--input", text_, "--output", path("auto.spm"), "--vocab-size", "auto", "--quiet"});
  EXPECT_EQ(read_file(path("fitting.spm")), read_file(path("auto.spm")));
  EXPECT_THROW(run({"train", "--input", text_, "--output", path("x"), "--vocab-size", "8000"}), UsageError);
}

TEST_F(TokenizerCommand, OfADirectoryTheFilesToGiveAreNamed) {
  const auto complaint = [&] {
    try {
      through("encode", "a\n");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::filesystem::create_directories(path("run/best"));
  model_ = path("run");
  EXPECT_EQ(complaint(), model_ + " is a directory; --model takes the file of a tokenizer, and it holds none.");
  folder_.file("run/best/target.spm", "");
  folder_.file("run/best/source.spm", "");
  folder_.file("run/best/config.json", "");
  const std::string files = path("run/best/source.spm") + " or " + path("run/best/target.spm") + ".";
  EXPECT_EQ(complaint(), model_ + " is a directory; --model takes the file of a tokenizer: " + files);
  model_ = path("run/best");
  EXPECT_EQ(complaint(), model_ + " is a directory; --model takes the file of a tokenizer: " + files);
}

TEST_F(TokenizerCommand, AModelThatIsNoneIsAModelError) {
  model_ = text_;
  EXPECT_THROW(through("encode", "a\n"), ModelError);
  model_ = "/nowhere";
  EXPECT_THROW(through("decode", "a\n"), ModelError);
}

}  // namespace
}  // namespace nmt
