#include "text/tokenizer_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "base/error.h"
#include "base/random.h"
#include "support/temporary_folder.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/training_lines.h"

namespace nmt {
namespace {

using testing::HasSubstr;

std::string invented_text(int lines, uint64_t seed) {
  SplitMix64 random(seed);
  std::string text;
  for (int i = 0; i < lines; ++i) {
    for (uint64_t words = 3 + random.below(8); words > 0; --words) {
      for (uint64_t letters = 1 + random.below(5); letters > 0; --letters) {
        text += static_cast<char>('a' + random.below(12));
      }
      text += ' ';
    }
    text.back() = '\n';
  }
  return text;
}

TokenizerTraining options_for(const std::string& file, int64_t vocab_size) {
  TokenizerTraining options;
  options.files = {file};
  options.vocab_size = AutoSize{vocab_size};
  return options;
}

std::string message_of(const TokenizerTraining& options) {
  try {
    train_tokenizer(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

class TokenizerTrainer : public testing::TestWithParam<TokenizerType> {
 protected:
  const test::TemporaryFolder folder_;
};

TEST_P(TokenizerTrainer, GivesTheSizeAskedFor) {
  auto options = options_for(folder_.file("t", invented_text(300, 1)), 400);
  options.type = GetParam();
  const auto made = train_tokenizer(options);
  EXPECT_EQ(made.vocab_size, 400);
  EXPECT_EQ(made.lines_read, 300);
  EXPECT_EQ(made.lines_used, 300);
  EXPECT_EQ(made.model, train_tokenizer(options).model);  // the same bytes again
}

TEST_P(TokenizerTrainer, TooLargeNamesTheLargestThatWorks) {
  auto options = options_for(folder_.file("t", invented_text(100, 2)), 100000);
  options.type = GetParam();
  const std::string message = message_of(options);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(message, found, std::regex("at most ([0-9,]+)"))) << message;
  EXPECT_THAT(message, HasSubstr("100,000 pieces is larger than this text allows"));
  EXPECT_THAT(message, HasSubstr("Set vocab_size to auto"));
  std::string digits = found[1];
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  options.vocab_size.value = std::stoll(digits);
  EXPECT_EQ(train_tokenizer(options).vocab_size, options.vocab_size.value);
  if (GetParam() == TokenizerType::kBpe) {  // and no larger one does
    ++options.vocab_size.value;
    EXPECT_THAT(message_of(options), HasSubstr("larger than this text allows"));
  }
}

TEST_P(TokenizerTrainer, TooSmallNamesWhatTheAlphabetNeeds) {
  auto options = options_for(folder_.file("t", invented_text(100, 3)), 20);
  options.type = GetParam();
  // 12 letters and the word mark, 4 special pieces, 256 bytes.
  EXPECT_THAT(message_of(options), HasSubstr("need 273."));
  options.vocab_size.value = 1;
  EXPECT_THAT(message_of(options), HasSubstr("A vocabulary of 1 piece is too small for this text"));
  options.byte_fallback = false;
  options.vocab_size.value = 10;
  EXPECT_THAT(message_of(options), HasSubstr("need 17."));
  options.vocab_size.value = 4;
  EXPECT_THAT(message_of(options), HasSubstr("need 17."));
}

TEST_P(TokenizerTrainer, AutoFitsAnyCorpus) {
  for (const int lines : {1, 3, 50, 2000}) {
    auto options = options_for(folder_.file("t", invented_text(lines, 4)), 0);
    options.type = GetParam();
    const auto made = train_tokenizer(options);
    EXPECT_GT(made.vocab_size, 256) << lines;
    EXPECT_LE(made.vocab_size, 1000) << lines;
  }
}

TEST_P(TokenizerTrainer, AutoTakesTwiceALargeAlphabet) {
  std::string text;
  for (int c = 0x4E00; c < 0x4E00 + 1000; ++c) {  // 1,000 ideographs, twice
    for (int i = 0; i < 2; ++i) {
      text += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
               static_cast<char>(0x80 | (c & 63))};
    }
    if (c % 10 == 0) text += '\n';
  }
  auto options = options_for(folder_.file("t", text), 0);
  options.type = GetParam();
  EXPECT_GE(train_tokenizer(options).vocab_size, 1000);
}

TEST_P(TokenizerTrainer, OneEndlessWordIsNoTrouble) {
  SplitMix64 random(8);
  std::string word;
  for (int i = 0; i < 70000; ++i) word += static_cast<char>('a' + random.below(12));
  auto options = options_for(folder_.file("t", word + "\n" + invented_text(20, 5)), 300);
  options.type = GetParam();
  const auto made = train_tokenizer(options);
  EXPECT_EQ(made.lines_used, 21);
  const auto tokenizer = make_sentencepiece_tokenizer(made.model, Normalization::kNfc, "test");
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(word)), word);
}

INSTANTIATE_TEST_SUITE_P(Types, TokenizerTrainer, testing::Values(TokenizerType::kBpe, TokenizerType::kUnigram),
                         [](const auto& type) { return std::string(name_of(type.param)); });

TEST(TokenizerTrainerText, NoTextIsADataError) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(train_tokenizer(options_for(folder.file("empty", ""), 300)), DataError);
  EXPECT_THROW(train_tokenizer(options_for(folder.file("blank", "\n \n\u3000\n"), 300)), DataError);
  EXPECT_THROW(train_tokenizer(options_for("/nowhere/t", 300)), DataError);
}

TEST(TokenizerTrainerText, InvalidUtf8IsAnErrorOrReplacedAndCounted) {
  const test::TemporaryFolder folder;
  auto options = options_for(folder.file("t", invented_text(50, 1) + "caf\xE9\n"), 0);
  EXPECT_THROW(train_tokenizer(options), DataError);
  options.invalid_utf8 = InvalidUtf8::kReplace;
  EXPECT_EQ(train_tokenizer(options).replaced_lines, 1);
}

TEST(TokenizerTrainerText, WarnsOfSegmentedText) {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "so@@ me tex@@ t\n";
  EXPECT_THAT(train_tokenizer(options_for(folder.file("t", text), 0)).warning, HasSubstr("already cut"));
}

TEST(TrainingLines, DrawsTheSameLinesForTheSameSeed) {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "line " + std::to_string(i) + "\n";
  auto options = options_for(folder.file("t", text), 0);
  options.training_lines = 100;
  const auto first = draw_training_lines(options);
  EXPECT_EQ(first.parts.size(), 100u);
  EXPECT_EQ(first.lines_read, 1000);
  EXPECT_EQ(first.parts, draw_training_lines(options).parts);
  options.seed = 2;
  EXPECT_NE(first.parts, draw_training_lines(options).parts);
  // A uniform draw: the mean of 100 line numbers lies within 5 standard deviations of 499.5 (sd 288.7 / 10).
  double sum = 0;
  for (const auto& part : first.parts) sum += std::stod(part.substr(5));
  EXPECT_NEAR(sum / 100, 499.5, 145);
}

TEST(TrainingLines, LongLinesAreCutAtBlanksAndNeverInCharacters) {
  EXPECT_EQ(cut_long_line("aa bb cc", 5), (std::vector<std::string>{"aa bb", " cc"}));
  EXPECT_EQ(cut_long_line("abcdefg", 3), (std::vector<std::string>{"abc", "def", "g"}));
  EXPECT_EQ(cut_long_line("\u4E2D\u6587\u6587", 4), (std::vector<std::string>{"\u4E2D", "\u6587", "\u6587"}));
}

TEST(AutoVocabSize, GrowsWithTheSquareRoot) {
  EXPECT_EQ(auto_vocab_size(0), 256);
  EXPECT_EQ(auto_vocab_size(4000000), 8000);
  EXPECT_EQ(auto_vocab_size(1000000000), 32000);
}

}  // namespace
}  // namespace nmt
