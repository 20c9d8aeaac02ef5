#include "translate/forbidden_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "list_tokenizer.h"

namespace nmt {
namespace {

using test::ListTokenizer;
using Ids = std::vector<PieceId>;

const ListTokenizer kTokenizer(
    {"\u2581",         "c",      "a",      "t",         "s",      "\u2581cat", "\u2581Cat",        "ca", "at",
     "\u2581category", "-",      "(",      "\u2581dog", "do",     "g",         "\u2581do",         "g.", "cat)",
     "\u2581(cat)",    "\u00e9", "\u732b", "<0xC3>",    "<0xA9>", "C",         "\u2581a\u2581cat", "!"});

Ids forbidden_after(const PieceFilter& filter, const Ids& prefix) {
  Ids all = filter.never();
  const auto more = filter.forbidden_after(prefix);
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  return all;
}

std::vector<std::string> names_after(const PieceFilter& filter, const Ids& prefix) {
  std::vector<std::string> names;
  for (const PieceId id : forbidden_after(filter, prefix)) names.push_back(kTokenizer.piece(id));
  return names;
}

TEST(ForbiddenText, AWordIsKeptOutHoweverItIsCut) {
  const auto filter = make_forbidden_text(kTokenizer, {"cat"});
  const auto after = [&](const std::string& text) { return names_after(*filter, kTokenizer.encode(text)); };
  using ::testing::UnorderedElementsAre;
  const std::vector<std::string> always = {"\u2581cat", "\u2581Cat", "\u2581(cat)", "\u2581a\u2581cat"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), always.begin(), always.end());
    return ::testing::UnorderedElementsAreArray(more);
  };
  EXPECT_THAT(after("dog"), with({}));
  EXPECT_THAT(after("dog ca"), with({"t"}));
  EXPECT_THAT(after("dog c"), with({"at"}));
  EXPECT_THAT(after("dog Ca"), with({"t"}));
  EXPECT_THAT(after("dog-"), with({"cat)"}));
  EXPECT_THAT(after("dogca"), with({}));
  EXPECT_THAT(after(""), with({"cat)"}));  // nothing before it
}

// Whether one of the words stands in the text with its end behind `from`, by looking at every place.
bool holds(const std::string& text, size_t from, const std::vector<std::string>& words) {
  const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0; };
  for (const std::string& word : words) {
    for (size_t at = 0; at + word.size() <= text.size(); ++at) {
      const size_t end = at + word.size();
      if (end <= from || text.compare(at, word.size(), word) != 0) continue;
      const bool begins = !joins(word.front()) || at == 0 || !joins(text[at - 1]);
      const bool ends = !joins(word.back()) || end == text.size() || !joins(text[end]);
      if (begins && ends) return true;
    }
  }
  return false;
}

TEST(ForbiddenText, AgreesWithLookingThroughTheTextAfterEveryPrefix) {
  const std::vector<std::string> words = {"cat", "Cat",  "a cat", "A cat",   "g.",
                                          "G.",  "at-a", "At-a",  "\u00e9t", "\u00c9t"};
  const auto filter = make_forbidden_text(kTokenizer, {"cat", "a cat", "g.", "at-a", "\u00e9t"});
  const PieceId han = kTokenizer.encode("\u732b")[1];  // what joins words isn't told by bytes there
  SplitMix64 random(3);
  size_t some = 0;
  for (int round = 0; round < 3000; ++round) {
    Ids prefix;
    for (uint64_t left = random.below(30); left > 0; --left) {
      const auto id = static_cast<PieceId>(4 + random.below(26));
      if (id != han && !kTokenizer.piece(id).starts_with("<0x")) prefix.push_back(id);
    }
    Ids wanted;
    const std::string before = kTokenizer.spell(prefix);
    for (PieceId id = 4; id < kTokenizer.vocab_size(); ++id) {
      if (id == han || kTokenizer.piece(id).starts_with("<0x")) continue;
      if (holds(before + kTokenizer.spell(Ids{id}), before.size(), words)) wanted.push_back(id);
    }
    ASSERT_EQ(forbidden_after(*filter, prefix), wanted) << before;
    some += wanted.size() > filter->never().size() ? 1 : 0;
  }
  EXPECT_GT(some, 300U);
}

TEST(ForbiddenText, CharactersSpeltInBytesAreRead) {
  const auto filter = make_forbidden_text(kTokenizer, {"c\u00e9"});
  const PieceId c = kTokenizer.encode("c").back();
  const PieceId first = 4 + 21, second = 4 + 22;
  ASSERT_EQ(kTokenizer.piece(second), "<0xA9>");
  EXPECT_THAT(names_after(*filter, {c}), ::testing::ElementsAre("\u00e9"));
  EXPECT_THAT(names_after(*filter, {c, first}), ::testing::ElementsAre("<0xA9>"));
  EXPECT_THAT(names_after(*filter, {first}), ::testing::IsEmpty());
}

TEST(ForbiddenText, ScriptsWithoutBlanksHaveNoWordBoundaries) {
  const auto filter = make_forbidden_text(kTokenizer, {"\u732b"});
  EXPECT_THAT(names_after(*filter, kTokenizer.encode("dog")), ::testing::ElementsAre("\u732b"));
}

TEST(ForbiddenText, WhatCannotBeSpeltForbidsNothingAndABlankIsRefused) {
  EXPECT_TRUE(make_forbidden_text(kTokenizer, {"xyz"})->never().empty());
  EXPECT_THROW(make_forbidden_text(kTokenizer, {"cat", " "}), UsageError);
}

}  // namespace
}  // namespace nmt
