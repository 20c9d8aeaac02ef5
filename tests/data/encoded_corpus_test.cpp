#include "data/encoded_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "base/stop.h"
#include "data/made_up_corpus.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class SmallCorpus : public testing::Test {
 protected:
  SmallCorpus() {
    set_text("4 5\n\n6\n4 4 4 4\n7 8 9\n\u3000\n5\n", "10\n11\n \n12\n13 14\n15\n4 4 4 4\n");
    data_.max_source_pieces = 3;
    data_.max_target_pieces = 4;
    data_.max_length_ratio = 3;
  }

  void set_text(const std::string& source, const std::string& target) {
    data_.train.src.value = folder_.file("t.src", source);
    data_.train.tgt.value = folder_.file("t.tgt", target);
  }

  std::shared_ptr<const EncodedCorpus> open(const TokenizerPair& tokenizers = test::word_tokenizers()) const {
    return EncodedCorpus::open_or_build(cache_, data_, text_, tokenizers, 1);
  }

  auto shard_time() const { return fs::last_write_time(cache_ / "pairs-00000.bin"); }

  const test::TemporaryFolder folder_;
  const fs::path cache_ = folder_.path() / "run" / "cache";
  DataConfig data_;
  TextConfig text_;
};

TEST_F(SmallCorpus, FiltersPairsNotLines) {
  const auto corpus = open();
  ASSERT_EQ(corpus->size(), 2);
  EXPECT_EQ(corpus->example(0), (Example{{4, 5}, {10}, 1}));
  EXPECT_EQ(corpus->example(1), (Example{{7, 8, 9}, {13, 14}, 5}));
  EXPECT_EQ(corpus->source_length(1), 3);
  EXPECT_EQ(corpus->target_length(1), 2);
  EXPECT_EQ(corpus->longest_source(), 3);
  EXPECT_EQ(corpus->longest_target(), 2);
  const CorpusSummary& summary = corpus->summary();
  EXPECT_EQ(summary.read, 7);
  EXPECT_EQ(summary.kept, 2);
  EXPECT_THAT(summary.dropped(DropReason::kBlank).first_lines, ElementsAre(2, 3, 6));
  EXPECT_THAT(summary.dropped(DropReason::kSourceTooLong).first_lines, ElementsAre(4));
  EXPECT_THAT(summary.dropped(DropReason::kLengthRatio).first_lines, ElementsAre(7));
  EXPECT_EQ(summary.source_pieces, 5);
  EXPECT_EQ(summary.target_pieces, 3);
}

TEST_F(SmallCorpus, LinesOfSeveralSentencesAreCounted) {
  set_text("4! 5\n4!\n4. 5\n6! 7! 8 9\n", "10\n11\n12\n13\n");  // the last is too long
  data_.max_source_pieces = 3;
  EXPECT_EQ(open()->summary().several_sentences, 1);
  EXPECT_EQ(open()->summary().several_sentences, 1);  // from the cache
}

TEST_F(SmallCorpus, TargetsAreBoundedToo) {
  data_.max_target_pieces = 1;
  EXPECT_THAT(open()->summary().dropped(DropReason::kTargetTooLong).first_lines, ElementsAre(5, 7));
}

TEST_F(SmallCorpus, TheCacheIsUsedAgain) {
  const auto first = open();
  const auto time = shard_time();
  const auto second = open();
  EXPECT_EQ(shard_time(), time);
  EXPECT_EQ(second->summary(), first->summary());
  EXPECT_EQ(second->digest(), first->digest());
}

TEST_F(SmallCorpus, TheCacheIsMadeAnewWhereAnythingDiffers) {
  const auto before = open();
  const auto time = shard_time();
  data_.max_length_ratio = 0;
  EXPECT_EQ(open()->size(), 3);
  EXPECT_NE(shard_time(), time);
  set_text("4\n", "5\n");
  EXPECT_EQ(open()->size(), 1);
  text_.normalization = Normalization::kNfkc;
  const auto time_of_nfc = shard_time();
  open();
  EXPECT_NE(shard_time(), time_of_nfc);
  EXPECT_EQ(before->example(1).line, 5);  // still mapped
}

TEST_F(SmallCorpus, DamageIsNoticedAndRepaired) {
  const auto good = open();
  const std::string shard = read_file(cache_ / "pairs-00000.bin");
  const std::string manifest = read_file(cache_ / "manifest.json");
  std::string flipped = shard;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  for (const std::string& bad :
       {std::string(), shard.substr(0, shard.size() - 1), shard.substr(0, 40), shard + "x", flipped}) {
    write_file_atomic(cache_ / "pairs-00000.bin", bad);
    EXPECT_EQ(open()->digest(), good->digest());
    EXPECT_EQ(read_file(cache_ / "pairs-00000.bin"), shard);
  }
  fs::remove(cache_ / "pairs-00000.bin");
  EXPECT_EQ(open()->digest(), good->digest());
  for (const std::string& bad : {std::string(), std::string("{"), std::string("[]"), std::string("\xFF\xFE"),
                                 manifest.substr(0, manifest.size() / 2), std::string("{\"format_version\": \"x\"}")}) {
    write_file_atomic(cache_ / "manifest.json", bad);
    EXPECT_EQ(open()->digest(), good->digest());
    EXPECT_EQ(read_file(cache_ / "manifest.json"), manifest);
  }
}

TEST_F(SmallCorpus, WhatAnInterruptedRunLeftIsRemoved) {
  fs::create_directories(cache_);
  std::ofstream(cache_ / "pairs-00007.bin") << "old";
  std::ofstream(cache_ / "pairs-00000.bin.tmp-abcdef") << "half";
  open();
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(cache_)) names.push_back(entry.path().filename());
  EXPECT_THAT(names, testing::UnorderedElementsAre("manifest.json", "pairs-00000.bin"));
}

TEST_F(SmallCorpus, NothingLeftIsAnErrorThatSaysWhy) {
  set_text("\n4 4 4 4\n", "5\n5\n");
  try {
    open();
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("2 pairs read, 0 kept; dropped: 1 with a blank side (line 1), 1 with a source "
                                        "too long (line 2)."));
  }
}

TEST_F(SmallCorpus, UnequalCountsComeBeforeAnythingElse) {
  set_text("4\n5\n", "4\n");
  EXPECT_THROW(open(), DataError);
  EXPECT_FALSE(fs::exists(cache_));
}

TEST_F(SmallCorpus, ADiskThatIsFullIsAResourceError) {
  set_text("4 5 6\n", "4 5 6\n");
  data_.max_length_ratio = 0;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tiny = {20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tiny);
  std::string message;
  try {
    open();
  } catch (const ResourceError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(message, HasSubstr("pairs-00000.bin"));
  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_TRUE(fs::is_empty(cache_));
  EXPECT_EQ(open()->size(), 1);
}

TEST_F(SmallCorpus, AFolderThatCannotBeMadeIsAResourceError) {
  std::ofstream(folder_.path() / "run") << "a file";
  EXPECT_THROW(open(), ResourceError);
}

TEST_F(SmallCorpus, StopsWhenAsked) {
  request_stop();
  EXPECT_THROW(open(), InterruptedError);
  clear_stop_request();
  EXPECT_EQ(open()->size(), 2);
}

TEST(EncodedCorpus, AnyNumberOfThreadsGivesTheSame) {
  const test::MadeUpCorpus made(20000);
  const std::string digest = made.open(1)->digest();
  for (const int threads : {2, 3, 7}) {
    fs::remove_all(made.folder.path() / "cache");
    EXPECT_EQ(made.open(threads)->digest(), digest);
  }
}

// A line is a number, and its pieces are that number many times: much to store of little text.
class RepeatingTokenizer : public test::WordTokenizer {
 public:
  static constexpr size_t kTimes = 200;
  std::vector<PieceId> encode(std::string_view text) const override {
    return std::vector<PieceId>(kTimes, static_cast<PieceId>(4 + std::stoi(std::string(text)) % 900));
  }
};

// What this process may have in memory of its own, while the object lives.
struct MemoryLimit {
  explicit MemoryLimit(uint64_t bytes_more) {
    ::getrlimit(RLIMIT_DATA, &before);
    std::ifstream status("/proc/self/status");
    uint64_t now = 0;
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmData:")) now = std::stoull(line.substr(7)) << 10;
    }
    const rlimit limit = {now + bytes_more, before.rlim_max};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_DATA, &before); }
  rlimit before = {};
};

// The pieces of the corpus, 270 MB in the shards and twice that as numbers, never are in memory together.
TEST(EncodedCorpus, ManyShardsHoldEachPairOnceInBoundedMemory) {
  constexpr int64_t kPairs = 330000;
  const test::MadeUpCorpus made(0);
  std::string numbers;
  for (int64_t i = 0; i < kPairs; ++i) numbers += std::to_string(i) + "\n";
  made.folder.file("train.src", numbers);
  made.folder.file("train.tgt", numbers);
  const auto tokenizer = std::make_shared<RepeatingTokenizer>();
  std::shared_ptr<const EncodedCorpus> corpus;
  {
#if !defined(__SANITIZE_ADDRESS__)  // which needs memory without end
    const MemoryLimit limit(uint64_t{280} << 20);
#endif
    corpus = made.open(1, {tokenizer, tokenizer});
  }
  ASSERT_EQ(corpus->size(), kPairs);
  EXPECT_EQ(std::distance(fs::directory_iterator(made.folder.path() / "cache"), {}), 6) << "5 shards and the manifest";
  for (int64_t i = 0; i < kPairs; ++i) {
    const Example pair = i % 1000 < 2 ? corpus->example(i) : Example();
    if (pair.line == 0) continue;
    ASSERT_EQ(pair.line, i + 1);
    ASSERT_EQ(pair.source, tokenizer->encode(std::to_string(i)));
    ASSERT_EQ(pair.target, pair.source);
  }
  int64_t line = 0;
  for (int64_t i = 0; i < kPairs; i += 50) {  // at the shards' ends
    EXPECT_GT(corpus->example(i).line, line);
    line = corpus->example(i).line;
  }
}

TEST(EncodedCorpus, WarnsOfTextThatTheTokenizerDoesNotFit) {
  class Bytes : public test::WordTokenizer {
   public:
    std::vector<PieceId> encode(std::string_view) const override { return {5, 6, 7}; }
    std::string piece(PieceId id) const override { return id < 7 ? "<0x41>" : "x"; }
  };
  const test::MadeUpCorpus made(0);
  made.folder.file("train.src", "tr@@ ois\nqu@@ atre\nun@@ un\n");
  made.folder.file("train.tgt", "three\nfour\none one\n");
  const auto log_of = [&](const TokenizerPair& tokenizers) {
    testing::internal::CaptureStdout();  // where the log goes in tests
    made.open(1, tokenizers);
    return testing::internal::GetCapturedStdout();
  };
  const auto bytes = std::make_shared<Bytes>();
  const std::string log = log_of({bytes, bytes});
  EXPECT_THAT(log, HasSubstr("train.src looks as if it were already cut into subwords"));
  EXPECT_THAT(log, HasSubstr("67% of the pieces of " + made.config.data.train.tgt.value));
  EXPECT_THAT(log, testing::Not(HasSubstr("train.tgt looks")));
  made.folder.file("train.src", "4\n5\n");
  made.folder.file("train.tgt", "6\n7\n");
  EXPECT_THAT(log_of(test::word_tokenizers()), testing::Not(testing::AnyOf(HasSubstr("looks"), HasSubstr("% of"))));
}

TEST(EncodedCorpus, LargeVocabulariesKeepTheirIds) {
  const test::MadeUpCorpus made(0);
  made.folder.file("train.src", "70000 5\n");
  made.folder.file("train.tgt", "99999\n");
  EXPECT_EQ(made.open(1, test::word_tokenizers(100000))->example(0), (Example{{70000, 5}, {99999}, 1}));
}

TEST(EncodedCorpus, AnErrorInAThreadIsThrown) {
  const test::MadeUpCorpus made(0);
  made.folder.file("train.src", "4\n4\nnot a number\n");
  made.folder.file("train.tgt", "4\n4\n4\n");
  EXPECT_THROW(made.open(3), std::invalid_argument);
}

}  // namespace
}  // namespace nmt
