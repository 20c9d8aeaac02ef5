#include "data/batch.h"

#include <gtest/gtest.h>

namespace nmt {
namespace {

torch::Tensor rows(std::initializer_list<std::vector<int64_t>> values) {
  std::vector<torch::Tensor> out;
  for (const auto& row : values) out.push_back(torch::tensor(row, torch::kInt64));
  return torch::stack(out);
}

TEST(Batch, PadsShiftsAndCounts) {
  const Batch batch = make_batch({{{10, 11, 12}, {20}, 7}, {{13}, {21, 22}, 9}});
  EXPECT_TRUE(batch.source.equal(rows({{10, 11, 12, kEosId}, {13, kEosId, kPadId, kPadId}})));
  EXPECT_TRUE(batch.source_lengths.equal(torch::tensor({4, 2}, torch::kInt64)));
  EXPECT_TRUE(batch.target_input.equal(rows({{kBosId, 20, kPadId}, {kBosId, 21, 22}})));
  EXPECT_TRUE(batch.target_output.equal(rows({{20, kEosId, kPadId}, {21, 22, kEosId}})));
  EXPECT_TRUE(batch.target_lengths.equal(torch::tensor({2, 3}, torch::kInt64)));
  EXPECT_EQ(batch.source_tokens, 6);
  EXPECT_EQ(batch.target_tokens, 5);
  EXPECT_EQ(batch.lines, (std::vector<int64_t>{7, 9}));
  EXPECT_EQ(batch.sentences(), 2);
}

TEST(Batch, ASideWithoutPiecesIsItsEndMark) {
  const Batch batch = make_batch({{{}, {}, 1}});
  EXPECT_TRUE(batch.source.equal(rows({{kEosId}})));
  EXPECT_TRUE(batch.target_input.equal(rows({{kBosId}})));
  EXPECT_TRUE(batch.target_output.equal(rows({{kEosId}})));
  EXPECT_EQ(batch.target_tokens, 1);
}

TEST(Batch, WithoutTargetsForTranslation) {
  const Batch batch = make_source_batch({{5, 6}, {}});
  EXPECT_TRUE(batch.source.equal(rows({{5, 6, kEosId}, {kEosId, kPadId, kPadId}})));
  EXPECT_FALSE(batch.target_input.defined());
  EXPECT_FALSE(batch.target_output.defined());
  EXPECT_EQ(batch.target_tokens, 0);
  EXPECT_FALSE(batch.to(torch::kCPU).target_input.defined());
  EXPECT_EQ(batch.lines, (std::vector<int64_t>{1, 2}));
}

}  // namespace
}  // namespace nmt
