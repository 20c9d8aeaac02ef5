#include "metrics/parallel_count.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>

#include "base/error.h"
#include "base/random.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/corpus.h"
#include "metrics/ter.h"
#include "support/temporary_folder.h"

namespace nmt::metrics {
namespace {

using Lines = std::vector<std::string>;

std::vector<std::unique_ptr<Metric>> all_metrics() {
  std::vector<std::unique_ptr<Metric>> out;
  out.push_back(std::make_unique<Bleu>(BleuOptions{}));
  out.push_back(std::make_unique<Chrf>(ChrfOptions{.word_order = 2}));
  out.push_back(std::make_unique<Ter>(TerOptions{.normalized = true, .asian_support = true}));
  return out;
}

ScoreInput files(const Lines& hypotheses, const Lines& references, const std::string& source = "") {
  ScoreInput input;
  for (const std::string& path : hypotheses) input.hypotheses.push_back(std::make_unique<FileLines>(path));
  for (const std::string& path : references) input.references.push_back(std::make_unique<FileLines>(path));
  if (!source.empty()) input.source = std::make_unique<FileLines>(source);
  return input;
}

// Text of `lines` lines over a small vocabulary; the same for the same seed.
std::string make_text(size_t lines, uint64_t seed) {
  const Lines vocabulary = {"a", "house", "by", "the", "sea", ",", "näher", "3.5", "水", "is", "not", "far."};
  SplitMix64 random(seed);
  std::string out;
  for (size_t i = 0; i < lines; ++i) {
    for (uint64_t left = random.below(25); left > 0; --left) out += vocabulary[random.below(vocabulary.size())] + " ";
    out += '\n';
  }
  return out;
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

class ParallelCount : public testing::Test {
 protected:
  std::string gzip_file(const std::string& name, const std::string& content) {
    const std::string path = (folder_.path() / name).string();
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path;
  }

  InputCounts count(const Lines& hypotheses, const Lines& references, const CountOptions& options = {},
                    const std::string& source = "") {
    return count_input(all_metrics(), files(hypotheses, references, source), options);
  }

  test::TemporaryFolder folder_;
};

TEST_F(ParallelCount, ThreadsDoNotChangeAnything) {
  const std::string hypothesis = folder_.file("h", make_text(3000, 1));
  const Lines references = {folder_.file("r1", make_text(3000, 2)), folder_.file("r2", make_text(3000, 3)),
                            folder_.file("r3", make_text(3000, 4))};
  const InputCounts one = count({hypothesis}, references, {.keep_lines = true, .threads = 1}, hypothesis);
  const InputCounts four = count({hypothesis}, references, {.keep_lines = true, .threads = 4}, hypothesis);
  EXPECT_EQ(one.lines, 3000u);
  for (size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(one.systems[0][m].sums, four.systems[0][m].sums);
    EXPECT_EQ(one.systems[0][m].lines, four.systems[0][m].lines);
    EXPECT_EQ(one.systems[0][m].sums_by_length, four.systems[0][m].sums_by_length);
  }
}

TEST_F(ParallelCount, FilesCountAsLinesInMemory) {
  const std::string h = folder_.file("h", make_text(700, 1));
  const std::string r = folder_.file("r", make_text(700, 2));
  const InputCounts counts = count({h, r}, {r});
  Lines hypotheses = read_lines(h);
  std::vector<Lines> references;
  for (const std::string& line : read_lines(r)) references.push_back({line.substr(0, line.find_last_not_of(' ') + 1)});
  for (std::string& line : hypotheses) line.resize(line.find_last_not_of(' ') + 1);
  const auto metrics = all_metrics();
  for (size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(counts.systems[0][m].sums, count_corpus(*metrics[m], hypotheses, references).sums);
    EXPECT_EQ(metrics[m]->value(counts.systems[1][m].sums), m == 2 ? 0.0 : 100.0);
  }
}

TEST_F(ParallelCount, GzipReadsAsPlain) {
  const std::string text = make_text(600, 5);
  const InputCounts counts = count({gzip_file("h.gz", text)}, {folder_.file("r", text)});
  EXPECT_EQ(counts.lines, 600u);
  EXPECT_EQ(Bleu({}).value(counts.systems[0][0].sums), 100.0);
}

TEST_F(ParallelCount, UnequalLineCountsNameBothFilesAndCounts) {
  const std::string longer = folder_.file("longer", make_text(1500, 1));
  const std::string shorter = folder_.file("shorter", make_text(1200, 1));
  for (const int threads : {1, 3}) {
    EXPECT_EQ(error_of([&] {
                count({longer}, {longer, shorter}, {.threads = threads});
              }),
              "Line by line the two texts belong together, but " + longer + " has 1,500 lines and " + shorter +
                  " has 1,200.");
  }
  EXPECT_NE(
      error_of([&] { count({shorter}, {longer}); }).find(shorter + " has 1,200 lines and " + longer + " has 1,500"),
      std::string::npos);
}

TEST_F(ParallelCount, EmptyFilesAreRefused) {
  const std::string empty = folder_.file("empty", "");
  EXPECT_NE(error_of([&] { count({empty}, {empty}); }).find(empty + " is empty"), std::string::npos);
  const std::string one = folder_.file("one", "a\n");
  EXPECT_NE(error_of([&] { count({one}, {empty}); }).find(empty + " has 0"), std::string::npos);
}

TEST_F(ParallelCount, MissingFilesAreNamed) {
  EXPECT_NE(error_of([&] { count({"/nowhere/h"}, {"/nowhere/r"}); }).find("/nowhere/h"), std::string::npos);
}

TEST_F(ParallelCount, InvalidUtf8IsRefusedByLineOrReplaced) {
  const std::string bad = folder_.file("bad", "good\nworse \xC3( text\n");
  const std::string good = folder_.file("good", "good\nworse \xEF\xBF\xBD( text\n");
  EXPECT_NE(error_of([&] { count({bad}, {good}); }).find(bad + ":2: byte 7"), std::string::npos);
  const InputCounts counts = count({bad}, {good}, {.invalid_utf8 = InvalidUtf8::kReplace});
  EXPECT_EQ(counts.replaced, 1u);
  EXPECT_EQ(counts.systems[0][2].sums[0], 0);
}

TEST_F(ParallelCount, TheEarliestFaultIsReportedWhateverTheThreads) {
  std::string text = make_text(4000, 1);
  text += "\xFF\n" + make_text(4000, 2) + "\xFF\n";
  const std::string bad = folder_.file("bad", text);
  for (const int threads : {1, 4}) {
    EXPECT_NE(error_of([&] { count({bad}, {bad}, {.threads = threads}); }).find(bad + ":4001:"), std::string::npos);
  }
}

TEST_F(ParallelCount, ByteOrderMarkAndCarriageReturnsDoNotCount) {
  const std::string dos = folder_.file("dos", "\xEF\xBB\xBFone two\r\nthree\r\n");
  const std::string unix = folder_.file("unix", "one two\nthree\n");
  EXPECT_EQ(count({dos}, {unix}).systems[0][2].sums, (std::vector<double>{0, 3}));
}

TEST_F(ParallelCount, WhiteSpaceAtTheEndOfLinesDoesNotCount) {
  const std::string blanks = folder_.file("blanks", "one two \t\r\n three\xE3\x80\x80\xC2\x85\n");
  const std::string none = folder_.file("none", "one two\n three\n");
  std::vector<std::unique_ptr<Metric>> metrics;
  metrics.push_back(std::make_unique<Chrf>(ChrfOptions{.whitespace = true}));
  const InputCounts counts = count_input(metrics, files({blanks}, {none}), {});
  EXPECT_EQ(Chrf({.whitespace = true}).value(counts.systems[0][0].sums), 100.0);
  EXPECT_EQ(counts.systems[0][0].sums[0], 13);
}

TEST_F(ParallelCount, GarbageIsScoredOrRefusedButNeverCrashes) {
  SplitMix64 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string bytes;
    for (uint64_t left = random.below(4000); left > 0; --left) {
      bytes += round % 2 == 0 ? static_cast<char>(random.next()) : "\0 .,-'s&;\xE3\x80\xF0<5\n"[random.below(16)];
    }
    const std::string path = folder_.file("garbage", bytes + "\n");
    const InputCounts counts = count({path}, {path}, {.invalid_utf8 = InvalidUtf8::kReplace}, path);
    const std::vector<double>& bleu = counts.systems[0][0].sums;
    for (size_t n = 0; n < 4; ++n) EXPECT_EQ(bleu[2 + n], bleu[6 + n]) << "all n-grams match, round " << round;
  }
}

TEST_F(ParallelCount, TokenizedTextIsNoticed) {
  EXPECT_TRUE(looks_tokenized("It rains ."));
  EXPECT_TRUE(looks_tokenized("it ra@@ ins"));
  EXPECT_TRUE(looks_tokenized("▁it ▁rains"));
  EXPECT_FALSE(looks_tokenized("It rains."));
  std::string text;
  for (int i = 0; i < 150; ++i) text += i % 3 == 0 ? "So .\n" : "So.\n";
  const std::string path = folder_.file("h", text);
  EXPECT_EQ(count({path}, {path}).tokenized_lines, (std::vector<size_t>{50}));
}

TEST_F(ParallelCount, SourceLengthsFallIntoBucketsOfTen) {
  const auto words = [](size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += "w ";
    return out + "\n";
  };
  EXPECT_EQ(length_bucket(""), 0u);
  EXPECT_EQ(length_bucket(words(1)), 0u);
  EXPECT_EQ(length_bucket(words(10)), 0u);
  EXPECT_EQ(length_bucket(words(11)), 1u);
  EXPECT_EQ(length_bucket(words(60)), 5u);
  EXPECT_EQ(length_bucket(words(61)), 6u);
  EXPECT_EQ(length_bucket(words(1000)), 6u);
  EXPECT_EQ(bucket_label(0) + bucket_label(5) + bucket_label(6), "1-1051-6061+");

  const std::string source = folder_.file("s", words(3) + words(12) + words(13));
  const std::string hypothesis = folder_.file("h", "a b\nc d\ne f\n");
  const std::string reference = folder_.file("r", "a b\nc x\ne f\n");
  const InputCounts counts = count({hypothesis}, {reference}, {}, source);
  EXPECT_EQ(counts.lines_by_length, (std::array<size_t, kLengthBuckets>{1, 2}));
  EXPECT_EQ(counts.systems[0][2].sums_by_length[0], (std::vector<double>{0, 2}));
  EXPECT_EQ(counts.systems[0][2].sums_by_length[1], (std::vector<double>{1, 4}));
  EXPECT_TRUE(counts.systems[0][2].sums_by_length[2].empty());
}

}  // namespace
}  // namespace nmt::metrics
