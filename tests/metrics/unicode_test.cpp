#include "metrics/unicode.h"

#include <gtest/gtest.h>

#include <vector>

#include "metrics/bleu_tokenizer.h"

namespace nmt::metrics {
namespace {

std::vector<std::string> words(BleuTokenizer tokenizer, std::string_view line, bool lowercase = false) {
  BleuWords splitter(tokenizer, lowercase);
  std::vector<std::string> out;
  for (const std::string_view word : splitter.tokenize(line)) out.emplace_back(word);
  return out;
}

using Words = std::vector<std::string>;

TEST(Unicode, WhiteSpaceIsPythons) {
  // All of str.isspace() in Python, and neighbours that are not.
  const std::vector<std::string> spaces = {
      "\t",           "\n",           "\v",           "\f",           "\r",
      "\x1c",         "\x1d",         "\x1e",         "\x1f",         " ",
      "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
      "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
      "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
      "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
  for (const std::string& space : spaces) {
    EXPECT_EQ(space_bytes(space, 0), space.size());
    EXPECT_EQ(rstrip_spaces("x" + space), "x");
    EXPECT_EQ(strip_spaces(space + "x" + space), "x");
  }
  for (const std::string other :
       {"a", "\x08", "\x0e", "\x1b", "\x7f", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xE1\xA0\x8E"}) {
    EXPECT_EQ(space_bytes(other, 0), 0u);
    EXPECT_EQ(rstrip_spaces("x" + other), "x" + other);
  }
}

TEST(Unicode, LowerCaseIsPythons) {
  EXPECT_EQ(to_lower("ABC Straße"), "abc straße");
  EXPECT_EQ(to_lower("ΟΔΟΣ ΣΑΣ Σ ΣΑ"), "οδος σας σ σα");  // sigma at a word's end
  EXPECT_EQ(to_lower("ΑΣ."), "ας.");
  EXPECT_EQ(to_lower("İ"), "i\xCC\x87");  // i and a combining dot
  EXPECT_EQ(to_lower("I"), "i");
  EXPECT_EQ(to_lower("ẞǅ"), "ßǆ");
}

TEST(Unicode, CutOffCharactersAreNotReadBeyond) {
  for (const std::string text : {"\xE3\x80", "\xE2", "\xF0\x9F\x98", "\xC2", "\xFF", "\x80"}) {
    size_t at = 0;
    EXPECT_EQ(next_code_point(text, at), 0xFFFDu);
    EXPECT_LE(at, text.size());
    EXPECT_EQ(space_bytes(text, 0), 0u);
    EXPECT_EQ(rstrip_spaces(text), text);
  }
}

TEST(BleuWords, ThirteenA) {
  const auto k13a = BleuTokenizer::k13a;
  EXPECT_EQ(words(k13a, "Hello, world."), (Words{"Hello", ",", "world", "."}));
  EXPECT_EQ(words(k13a, "1,000.5 5. x.5"), (Words{"1,000.5", "5", ".", "x", ".", "5"}));
  EXPECT_EQ(words(k13a, "a..b 5..5"), (Words{"a", ".", ".", "b", "5", ".", ".", "5"}));
  EXPECT_EQ(words(k13a, "a.,5"), (Words{"a", ".", ",5"}));
  EXPECT_EQ(words(k13a, "2019-2020 a-b"), (Words{"2019", "-", "2020", "a-b"}));
  EXPECT_EQ(words(k13a, "don't 'so'"), (Words{"don't", "'so'"}));
  EXPECT_EQ(words(k13a, "<skipped>&quot;x&amp;lt;"), (Words{"\"", "x", "<"}));
  EXPECT_EQ(words(k13a, "„So“ – ja"), (Words{"„So“", "–", "ja"}));
  EXPECT_EQ(words(k13a, ""), Words{});
}

TEST(BleuWords, International) {
  EXPECT_EQ(words(BleuTokenizer::kIntl, "„So“ – ja!"), (Words{"„", "So", "“", "–", "ja", "!"}));
  EXPECT_EQ(words(BleuTokenizer::kIntl, "€5,50 in 2019."), (Words{"€", "5,50", "in", "2019."}));
}

TEST(BleuWords, Chinese) {
  EXPECT_EQ(words(BleuTokenizer::kZh, "图书馆9:30开门。"), (Words{"图", "书", "馆", "9", ":", "30", "开", "门", "。"}));
  // The line's ends are not padded with spaces: a stop there stays.
  EXPECT_EQ(words(BleuTokenizer::kZh, ".5 in 2019."), (Words{".5", "in", "2019."}));
}

TEST(BleuWords, CharactersAndNone) {
  EXPECT_EQ(words(BleuTokenizer::kChar, "ä b\u3000c"), (Words{"ä", "b", "c"}));
  EXPECT_EQ(words(BleuTokenizer::kNone, " a.b\u00a0c "), (Words{"a.b", "c"}));
  EXPECT_EQ(words(BleuTokenizer::kNone, "A Σ", true), (Words{"a", "σ"}));
}

}  // namespace
}  // namespace nmt::metrics
