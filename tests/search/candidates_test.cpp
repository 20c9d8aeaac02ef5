#include "search/candidates.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <limits>
#include <random>

#include "search/step_scores.h"

namespace nmt {
namespace {

// Few distinct values, so that ties are common.
torch::Tensor coarse_rows(int64_t rows, int64_t vocab, uint64_t seed) {
  std::mt19937_64 random(seed);
  torch::Tensor all = torch::empty({rows, vocab});
  for (int64_t i = 0; i < all.numel(); ++i) {
    all.data_ptr<float>()[i] = -static_cast<float>(random() % 40) / 4;
  }
  return all;
}

std::vector<Candidate> by_sorting(const torch::Tensor& rows, const std::vector<double>& prefix, size_t k) {
  std::vector<Candidate> all;
  for (int64_t r = 0; r < rows.size(0); ++r) {
    for (int64_t v = 0; v < rows.size(1); ++v) {
      const float value = rows[r][v].item<float>();
      all.push_back({r, static_cast<PieceId>(v), value, prefix[static_cast<size_t>(r)] + static_cast<double>(value)});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.total > b.total; });
  all.resize(std::min(all.size(), k));
  return all;
}

TEST(Candidates, AreThoseThatSortingEverythingGives) {
  for (const int64_t vocab : {1, 63, 64, 65, 200, 1000}) {
    for (const size_t k : {size_t{1}, size_t{2}, size_t{5}, size_t{70}}) {
      const torch::Tensor rows = coarse_rows(3, vocab, static_cast<uint64_t>(vocab) + k);
      const std::vector<double> prefix = {-2, -2.25, -3};
      const StepScores scores = StepScores::all({rows, {}, {}});
      BestCandidates best(k);
      for (int64_t r = 0; r < 3; ++r) EXPECT_EQ(best.offer(r, prefix[static_cast<size_t>(r)], scores.row(r)), -1);
      const std::vector<Candidate> got = best.take();
      const std::vector<Candidate> wanted = by_sorting(rows, prefix, k);
      ASSERT_EQ(got.size(), wanted.size());
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].row, wanted[i].row);
        EXPECT_EQ(got[i].piece, wanted[i].piece);
        EXPECT_EQ(got[i].total, wanted[i].total);
      }
    }
  }
}

TEST(Candidates, TheBestOfEachRowAreEnough) {
  torch::manual_seed(3);
  const torch::Tensor rows = torch::log_softmax(torch::randn({4, 300}) * 3, 1);
  BestCandidates from_all(6);
  BestCandidates from_best(6);
  const StepScores all = StepScores::of({rows, {}, {}}, 6);
  const StepScores best = StepScores::best({rows, {}, {}}, 6);
  EXPECT_TRUE(all.row(0).pieces.empty());
  EXPECT_EQ(best.row(0).scores.size(), 6U);
  for (int64_t r = 0; r < 4; ++r) {
    from_all.offer(r, -double(r), all.row(r));
    from_best.offer(r, -double(r), best.row(r));
  }
  const std::vector<Candidate> a = from_all.take();
  const std::vector<Candidate> b = from_best.take();
  ASSERT_EQ(a.size(), 6U);
  ASSERT_EQ(b.size(), 6U);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(a[i].row, b[i].row);
    EXPECT_EQ(a[i].piece, b[i].piece);
    EXPECT_EQ(a[i].total, b[i].total);
  }
}

// Rows far from normalized, so that taking the normalizer off rounds; coarse, so that many candidates are as good as
// the worst that is kept, where skipping a block must not lose any.
TEST(Candidates, TheNormalizerOfARowIsTakenOffItsScores) {
  for (const double normalizer : {-1e4, -3.3, 0.1, 7.7, 123.456, 1e6}) {
    for (const size_t k : {size_t{1}, size_t{7}, size_t{100}}) {
      const torch::Tensor scores = coarse_rows(3, 640, k) * 0.1 + normalizer;
      const torch::Tensor normalizers = torch::full({3, 1}, normalizer);
      const std::vector<double> prefix = {-2, -2.25, -3};
      BestCandidates best(k);
      const StepScores step = StepScores::of({scores, normalizers, {}}, static_cast<int64_t>(k));
      for (int64_t r = 0; r < 3; ++r) EXPECT_EQ(best.offer(r, prefix[static_cast<size_t>(r)], step.row(r)), -1);
      const std::vector<Candidate> got = best.take();
      const std::vector<Candidate> wanted = by_sorting(scores - normalizers, prefix, k);
      ASSERT_EQ(got.size(), wanted.size());
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].row, wanted[i].row) << normalizer << " " << i;
        EXPECT_EQ(got[i].piece, wanted[i].piece) << normalizer << " " << i;
        EXPECT_EQ(got[i].total, wanted[i].total) << normalizer << " " << i;
      }
    }
  }
}

TEST(Candidates, ANormalizerThatIsNoNumberIsNoticed) {
  for (const float normalizer : {std::nanf(""), -std::numeric_limits<float>::infinity()}) {
    const std::vector<float> row(200, -1);
    BestCandidates best(1);
    EXPECT_EQ(best.offer(0, 0, {row, normalizer}), 0);
  }
}

TEST(Candidates, NanIsNoticedWhereverItStands) {
  for (const size_t at : {size_t{0}, size_t{63}, size_t{64}, size_t{130}}) {
    std::vector<float> row(131, -1);
    row[0] = -0.001F;
    row[at] = std::nanf("");
    BestCandidates best(1);
    EXPECT_EQ(best.offer(0, 0, {row}), static_cast<PieceId>(at));
  }
}

}  // namespace
}  // namespace nmt
