#include "base/paired_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Body>
std::string data_error(Body body) {
  try {
    body();
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(SameLineCount, IsTheReadersCount) {
  const TemporaryFolder folder;
  const std::string two = folder.file("two", "a\r\nb");
  check_same_line_count(two, folder.file("also two", "\n\n"));
  const std::string none = folder.file("none", "");
  EXPECT_THAT(data_error([&] { check_same_line_count(two, none); }),
              AllOf(HasSubstr(two + " has 2 lines"), HasSubstr(none + " has 0")));
  EXPECT_THAT(data_error([&] { check_same_line_count(folder.file("one", "x"), two); }), HasSubstr("has 1 line and"));
}

TEST(SameLineCount, LeavesAloneWhatCantBeReadTwice) {
  const TemporaryFolder folder;
  check_same_line_count("-", folder.file("two", "a\nb\n"));
  check_same_line_count(folder.file("two", "a\nb\n"), "/dev/null");
  check_same_line_count("/nowhere", "-");
}

TEST(PartnerLines, GoAlongAndTellBothCounts) {
  const TemporaryFolder folder;
  const std::string three = folder.file("three", "a\nb\nc\n");
  const std::string two = folder.file("two", "d\ne\n");
  const auto first_line = [](LineReader& reader) {
    std::string line;
    reader.next(line);
  };
  {
    LineReader lead(two);
    PartnerLines partner(lead, two);
    EXPECT_THAT(partner.take(1), ElementsAre("d"));
    EXPECT_THAT(partner.take(1), ElementsAre("e"));
    partner.finish();
  }
  LineReader longer(three);
  first_line(longer);
  PartnerLines shorter(longer, two);
  EXPECT_THAT(data_error([&] { shorter.take(3); }), AllOf(HasSubstr(three + " has 3"), HasSubstr(two + " has 2")));
  LineReader lead(two);
  PartnerLines more(lead, three);
  EXPECT_THAT(more.take(2), ElementsAre("a", "b"));
  EXPECT_THAT(data_error([&] { more.finish(); }), AllOf(HasSubstr(two + " has 2"), HasSubstr(three + " has 3")));
  EXPECT_NE(data_error([&] { PartnerLines(lead, "/nowhere"); }), "");
}

}  // namespace
}  // namespace nmt
