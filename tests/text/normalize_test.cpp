#include "text/normalize.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace nmt {
namespace {

TEST(Normalize, NfcComposes) {
  EXPECT_EQ(normalize("e\u0301", Normalization::kNfc), "\u00E9");
  EXPECT_EQ(normalize("e\u0301", Normalization::kNone), "e\u0301");
  EXPECT_EQ(normalize("\uFB01", Normalization::kNfc), "\uFB01");  // the ligature fi is only compatible
}

TEST(Normalize, NfkcTakesCompatibleForms) {
  EXPECT_EQ(normalize("\uFB01 \u2460 \uFF21", Normalization::kNfkc), "fi 1 A");
  EXPECT_EQ(normalize("\u00B4", Normalization::kNfkc), "\u0301");  // UAX 15: blank + acute; the blank goes
}

TEST(Normalize, WhiteSpaceGoesAtTheEndsOnly) {
  EXPECT_EQ(normalize(" \t\u00A0a  b\u00A0c \r", Normalization::kNfc), "a  b\u00A0c");
  EXPECT_EQ(normalize(" \u3000\r", Normalization::kNfc), "");
}

TEST(Normalize, KeepsNulAndTags) {
  EXPECT_EQ(normalize(std::string("\u00E9\0b", 4), Normalization::kNfc), std::string("\u00E9\0b", 4));
}

TEST(Utf8Policy, ErrorNamesFileLineAndByte) {
  Utf8Policy policy{InvalidUtf8::kError};
  std::string good = "caf\u00E9";
  policy.apply(good, "x.txt", 1);
  std::string bad = "caf\xE9 au lait";
  try {
    policy.apply(bad, "x.txt", 7);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("x.txt:7: the bytes from byte 4 on are not UTF-8.", 0), 0u)
        << error.what();
  }
}

TEST(Utf8Policy, ReplaceCounts) {
  Utf8Policy policy{InvalidUtf8::kReplace};
  std::string bad = "caf\xE9 \xFF";
  policy.apply(bad, "x.txt", 1);
  EXPECT_EQ(bad, "caf\uFFFD \uFFFD");
  EXPECT_EQ(policy.replaced_parts, 2);
  EXPECT_EQ(policy.replaced_lines, 1);
}

}  // namespace
}  // namespace nmt
