#include "data/parallel_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using testing::HasSubstr;

class ParallelCorpus : public testing::Test {
 protected:
  ParallelFilesConfig files(const std::string& source, const std::string& target) const {
    ParallelFilesConfig out;
    out.src.value = folder_.file("a.src", source);
    out.tgt.value = folder_.file("a.tgt", target);
    return out;
  }

  static std::vector<TextPair> read(const ParallelFilesConfig& files, InvalidUtf8 policy = InvalidUtf8::kError) {
    std::vector<TextPair> out;
    ParallelReader reader(files, policy);
    for (TextPair pair; reader.next(pair);) out.push_back(pair);
    return out;
  }

  static std::string gzip(const std::string& text) {
    std::string out(text.size() + 200, '\0');
    z_stream stream = {};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  const test::TemporaryFolder folder_;
};

template <class Action>
std::string data_error(Action action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ParallelCorpus, UnequalCountsNameBothPathsAndCounts) {
  const auto given = files("a\nb\nc\n", "A\nB\n");
  const std::string message = data_error([&] { count_pairs(given); });
  EXPECT_THAT(message, HasSubstr(given.src.value + " has 3"));
  EXPECT_THAT(message, HasSubstr(given.tgt.value + " has 2"));
  EXPECT_THAT(data_error([&] { read(given); }), HasSubstr("ends after line 2"));
}

TEST_F(ParallelCorpus, NoTextAtAllIsAnError) {
  EXPECT_THAT(data_error([&] { count_pairs(files("", "")); }), HasSubstr("empty"));
  EXPECT_THAT(data_error([&] { count_pairs({{"/nowhere/a"}, {"/nowhere/b"}}); }), HasSubstr("/nowhere/a"));
  EXPECT_THAT(data_error([&] { count_pairs({{"/dev/zero"}, {"/dev/zero"}}); }), HasSubstr("not a regular file"));
  EXPECT_THAT(data_error([&] { count_pairs({{"/tmp"}, {"/tmp"}}); }), HasSubstr("not a regular file"));
}

TEST_F(ParallelCorpus, LineEndsOfAnyProgram) {
  const auto given = files("\xEF\xBB\xBFone\r\ntw\ro\nthree", "1\n2\r\n3\n");
  EXPECT_EQ(count_pairs(given), 3);
  const auto pairs = read(given);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].source, "one");
  EXPECT_EQ(pairs[1].source, "tw\ro");
  EXPECT_EQ(pairs[1].target, "2");
  EXPECT_EQ(pairs[2].source, "three");
  EXPECT_EQ(pairs[2].line, 3);
}

TEST_F(ParallelCorpus, NulBytesAreText) {
  const auto pairs = read(files(std::string("a\0b\nc\n", 6), "x\ny\n"));
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].source, std::string("a\0b", 3));
}

TEST_F(ParallelCorpus, InvalidUtf8NamesItsSide) {
  const auto given = files("a\nb\n", "A\n\xFF\xFE\n");
  EXPECT_THAT(data_error([&] { read(given); }), HasSubstr(given.tgt.value + ":2"));
  EXPECT_EQ(read(given, InvalidUtf8::kReplace)[1].target, "\uFFFD\uFFFD");
}

TEST_F(ParallelCorpus, GzipIsReadAndATruncatedOneIsAnError) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string packed = gzip(text);
  EXPECT_EQ(count_pairs(files(packed, text)), 5000);
  EXPECT_EQ(read(files(packed, text))[4999].source, std::to_string(4999 * 7919));
  for (const size_t length : {size_t{3}, size_t{20}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_NE(data_error([&] { count_pairs(files(packed.substr(0, length), text)); }), "") << length;
  }
}

TEST(CorpusSummary, TellsCountsReasonsAndFirstLines) {
  CorpusSummary summary;
  summary.read = 29000;
  summary.kept = 28992;
  for (const int64_t line : {4, 9, 12, 17, 20, 31, 40}) summary.drop(DropReason::kBlank, line);
  summary.drop(DropReason::kSourceTooLong, 5);
  EXPECT_EQ(
      summary.text(),
      "29,000 pairs read, 28,992 kept; dropped: 7 with a blank side (lines 4, 9, 12, 17, 20, ...), 1 with a source "
      "too long (line 5).");
  EXPECT_EQ(CorpusSummary{}.text(), "0 pairs read, 0 kept.");
}

}  // namespace
}  // namespace nmt
