#include "data/corpus_shard.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

const std::vector<Example> kPairs = {{{4, 5, 6}, {7}, 1}, {{65535}, {8, 9}, 3}, {{10, 11}, {}, 1000000000000}};

std::string write(const std::filesystem::path& path, uint32_t id_bytes) {
  ShardWriter writer(id_bytes);
  for (const Example& pair : kPairs) writer.add(pair);
  return writer.finish(path);
}

TEST(CorpusShard, GivesBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  for (const uint32_t id_bytes : {2u, 4u}) {
    const auto path = folder.path() / "x.bin";
    const std::string digest = write(path, id_bytes);
    EXPECT_EQ(digest, sha256_of_file(path));
    const MappedShard shard(path);
    ASSERT_EQ(shard.records().size(), kPairs.size());
    for (size_t i = 0; i < kPairs.size(); ++i) EXPECT_EQ(shard.example(i), kPairs[i]) << id_bytes;
  }
}

TEST(CorpusShard, LargeIdsNeedFourBytes) {
  const test::TemporaryFolder folder;
  ShardWriter writer(4);
  writer.add({{999999}, {65536}, 1});
  writer.finish(folder.path() / "x.bin");
  EXPECT_EQ(MappedShard(folder.path() / "x.bin").example(0), (Example{{999999}, {65536}, 1}));
}

TEST(CorpusShard, AnyOtherLengthIsDamage) {
  const test::TemporaryFolder folder;
  write(folder.path() / "x.bin", 2);
  const std::string good = read_file(folder.path() / "x.bin");
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW(MappedShard{folder.file("y.bin", good.substr(0, length))}, DataError) << length;
  }
  EXPECT_THROW(MappedShard{folder.file("y.bin", good + "x")}, DataError);
  EXPECT_THROW(MappedShard{folder.path() / "none.bin"}, DataError);
}

TEST(CorpusShard, FlippedBytesNeverLeadOutsideTheFile) {
  const test::TemporaryFolder folder;
  write(folder.path() / "x.bin", 2);
  const std::string good = read_file(folder.path() / "x.bin");
  SplitMix64 random(1);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = good;
    bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    try {
      const MappedShard shard(folder.file("y.bin", bytes));
      for (size_t pair = 0; pair < shard.records().size(); ++pair) shard.example(pair);
    } catch (const DataError&) {
    }
  }
}

}  // namespace
}  // namespace nmt
