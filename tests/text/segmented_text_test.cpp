#include "text/segmented_text.h"

#include <gtest/gtest.h>

namespace nmt {
namespace {

TEST(SegmentedText, PlainTextIsQuiet) {
  SegmentedTextCheck check;
  for (int i = 0; i < 100; ++i) check.add("Write to me@@example.org, please.");
  check.add("one strange@@ line");
  EXPECT_EQ(check.warning("x"), "");
}

TEST(SegmentedText, BpeMarksAreNamed) {
  SegmentedTextCheck check;
  for (int i = 0; i < 80; ++i) check.add("plain");
  for (int i = 0; i < 20; ++i) check.add("un@@ us@@ ual");
  const std::string warning = check.warning("train.en");
  EXPECT_NE(warning.find("train.en"), std::string::npos);
  EXPECT_NE(warning.find("20 of 100"), std::string::npos);
  EXPECT_NE(warning.find("@@ "), std::string::npos);
}

TEST(SegmentedText, SentencePieceMarksAreNamed) {
  SegmentedTextCheck check;
  for (int i = 0; i < 3; ++i) check.add("\u2581un us ual");
  EXPECT_NE(check.warning("x").find("U+2581"), std::string::npos);
}

TEST(SegmentedText, ACoupleOfLinesProveNothing) {
  SegmentedTextCheck check;
  check.add("a@@ b");
  check.add("a@@ b");
  EXPECT_EQ(check.warning("x"), "");
}

}  // namespace
}  // namespace nmt
