#include "search/ensemble_stepper.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "reference_search.h"
#include "search/beam_search.h"
#include "table_stepper.h"

namespace nmt {
namespace {

using test::Pieces;
using test::Table;
using test::TableStepper;

EnsembleStepper ensemble(const std::vector<Table>& tables, int64_t vocab, std::vector<double> weights,
                         EnsembleAverage average) {
  std::vector<std::unique_ptr<Stepper>> members;
  for (const Table& table : tables) {
    members.push_back(
        std::make_unique<TableStepper>(table, vocab, std::vector<int64_t>{0, 1}, std::vector<int64_t>{4, 4}));
  }
  return EnsembleStepper(std::move(members), std::move(weights), average);
}

// The mixture written out: probabilities 3/4 and 1/4, by sum or by product.
Table mixture(const Table& a, const Table& b, EnsembleAverage average) {
  return [=](int64_t sentence, const Pieces& prefix) {
    const std::vector<float> first = a(sentence, prefix);
    const std::vector<float> second = b(sentence, prefix);
    std::vector<double> probabilities;
    double sum = 0;
    for (size_t v = 0; v < first.size(); ++v) {
      const double p = std::exp(double(first[v]));
      const double q = std::exp(double(second[v]));
      probabilities.push_back(average == EnsembleAverage::kLinear ? 0.75 * p + 0.25 * q
                                                                  : std::pow(p, 0.75) * std::pow(q, 0.25));
      sum += probabilities.back();
    }
    std::vector<float> row;
    for (const double p : probabilities) row.push_back(static_cast<float>(std::log(p / sum)));
    return row;
  };
}

TEST(EnsembleStepper, SearchesTheMixture) {
  constexpr int64_t kVocab = 7;
  const Table a = test::random_table(1, kVocab, 2);
  const Table b = test::random_table(2, kVocab, 3);
  SearchOptions options;
  options.beam = 1000;
  options.n_best = 5;
  options.max_length_ratio = 1;
  options.max_length_extra = 0;
  for (const EnsembleAverage average : {EnsembleAverage::kLog, EnsembleAverage::kLinear}) {
    EnsembleStepper stepper = ensemble({a, b}, kVocab, {3, 1}, average);
    const auto found = beam_search(stepper, options);
    for (int64_t sentence : {0, 1}) {
      test::Task task{mixture(a, b, average), sentence, 3,
                      [](double p, int64_t n) { return p / ((5.0 + double(n)) / 6); }};
      const auto wanted = test::all_translations(task);
      for (size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(found[static_cast<size_t>(sentence)][i].pieces, wanted[i].pieces);
        EXPECT_NEAR(found[static_cast<size_t>(sentence)][i].score, wanted[i].score, 1e-5);
      }
    }
  }
}

TEST(EnsembleStepper, AveragesTheAttentionOfThoseThatHaveIt) {
  const Table table = test::random_table(1, 6, 1);
  auto with_attention = [&](float weight) {
    auto stepper = std::make_unique<TableStepper>(table, 6, std::vector<int64_t>{0}, std::vector<int64_t>{2});
    stepper->attend([weight](int64_t, const Pieces&) { return std::vector<float>{weight, 1 - weight}; });
    return stepper;
  };
  std::vector<std::unique_ptr<Stepper>> members;
  members.push_back(with_attention(0.2F));
  members.push_back(std::make_unique<TableStepper>(table, 6, std::vector<int64_t>{0}, std::vector<int64_t>{2}));
  members.push_back(with_attention(0.8F));
  EnsembleStepper stepper(std::move(members), {1, 5, 3}, EnsembleAverage::kLinear);
  const StepOutput output = stepper.step(torch::tensor({int64_t{kBosId}}));
  EXPECT_NEAR(output.attention[0][0].item<float>(), 0.65, 1e-6);
}

TEST(EnsembleStepper, TakesTheNormalizersOfItsMembersOff) {
  const Table table = test::random_table(1, 6, 1);
  for (const EnsembleAverage average : {EnsembleAverage::kLinear, EnsembleAverage::kLog}) {
    std::vector<std::unique_ptr<Stepper>> members;
    for (const double shift : {3.5, -1.25}) {
      auto member = std::make_unique<TableStepper>(table, 6, std::vector<int64_t>{0}, std::vector<int64_t>{2});
      member->shift(shift);
      members.push_back(std::move(member));
    }
    EnsembleStepper stepper(std::move(members), {}, average);
    const torch::Tensor got = stepper.step(torch::tensor({int64_t{kBosId}})).log_probs();
    EXPECT_TRUE(torch::allclose(got, torch::tensor(table(0, {})).unsqueeze(0), 0, 1e-5));
  }
}

TEST(EnsembleStepper, RefusesBadWeights) {
  const Table table = test::random_table(1, 6, 1);
  EXPECT_THROW(ensemble({table, table}, 6, {1}, EnsembleAverage::kLog), UsageError);
  EXPECT_THROW(ensemble({table, table}, 6, {1, 0}, EnsembleAverage::kLog), UsageError);
  EXPECT_THROW(ensemble({table}, 6, {std::nan("")}, EnsembleAverage::kLog), UsageError);
}

}  // namespace
}  // namespace nmt
