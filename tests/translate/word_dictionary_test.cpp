#include "translate/word_dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(WordDictionary, FindsTheWordAsWrittenThenInLowerCase) {
  const test::TemporaryFolder folder;
  const WordDictionary words(
      folder.file("d", "th\u00e9\ttea\r\n\nparis\tParis, town\nParis\tParis\nth\u00e9\tsecond\n\u00c5\tA ring\n"));
  EXPECT_EQ(words.size(), 4U);
  EXPECT_THAT(words.find("th\u00e9"), Optional(std::string("tea")));
  EXPECT_THAT(words.find("the\u0301"), Optional(std::string("tea")));  // NFD
  EXPECT_THAT(words.find("TH\u00c9"), Optional(std::string("tea")));
  EXPECT_THAT(words.find("Paris"), Optional(std::string("Paris")));
  EXPECT_THAT(words.find("PARIS"), Optional(std::string("Paris, town")));
  EXPECT_THAT(words.find("\u212b"), Optional(std::string("A ring")));  // the Angstrom sign
  EXPECT_EQ(words.find("the"), std::nullopt);
  EXPECT_EQ(words.find(""), std::nullopt);
}

TEST(WordDictionary, ReadsGzip) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "d.gz").string();
  const gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "chat\tcat\n");
  gzclose(file);
  EXPECT_THAT(WordDictionary(path).find("chat"), Optional(std::string("cat")));
}

TEST(WordDictionary, NamesTheLineThatIsWrong) {
  const test::TemporaryFolder folder;
  const auto message = [&](const std::string& content) -> std::string {
    try {
      WordDictionary{folder.file("dict.tsv", content)};
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("a\tb\n\nchat cat\n"), HasSubstr("dict.tsv:3: the line has 1 column;"));
  EXPECT_THAT(message("a\tb\tc\n"), HasSubstr("dict.tsv:1: the line has 3 columns;"));
  EXPECT_THAT(message("pomme de terre\tpotato\n"), HasSubstr("no single word before the tab"));
  EXPECT_THAT(message("a\tb\nc\t \n"), HasSubstr("dict.tsv:2: the line has no translation"));
  EXPECT_THAT(message("\tb\n"), HasSubstr("no single word"));
  EXPECT_THAT(message("caf\xe9\tcoffee\n"), HasSubstr("dict.tsv:1: the line is not UTF-8"));
  EXPECT_THAT(message(""), HasSubstr("dict.tsv holds no words"));
  EXPECT_THAT(message("\x1f\x8bgarbage"), HasSubstr("dict.tsv"));
  EXPECT_THROW(WordDictionary("/nowhere"), DataError);
}

}  // namespace
}  // namespace nmt
