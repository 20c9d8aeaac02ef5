#include "text/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace nmt {
namespace {

// A vocabulary of pieces with scores, ids in the order of the map.
struct SmallVocabulary {
  std::vector<std::pair<std::string, double>> pieces;

  PieceLookup lookup() const {
    PieceLookup out;
    out.id = [this](std::string_view text) {
      for (size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].first == text) return static_cast<PieceId>(i);
      }
      return static_cast<PieceId>(-1);
    };
    out.score = [this](PieceId id) { return pieces[static_cast<size_t>(id)].second; };
    for (const auto& [text, score] : pieces) out.longest_piece = std::max(out.longest_piece, text.size());
    return out;
  }

  SymbolText symbols(const std::string& text) const {
    SymbolText out;
    for (size_t i = 0; i < text.size(); ++i) {
      out.symbols.push_back(std::string_view(text).substr(i, 1));
      out.fallback.push_back({lookup().id(out.symbols.back())});
    }
    return out;
  }

  std::string show(const std::vector<PieceId>& ids) const {
    std::string out;
    for (const PieceId id : ids) out += (out.empty() ? "" : " ") + pieces[static_cast<size_t>(id)].first;
    return out;
  }
};

constexpr int kDraws = 40000;
// Five standard deviations of a frequency: a right sampler fails once in a million.
double tolerance(double p) { return 5 * std::sqrt(p * (1 - p) / kDraws) + 1e-9; }

TEST(SampleBpe, FrequenciesAreThoseOfThePaper) {
  const SmallVocabulary vocabulary{{{"a", 0}, {"b", 0}, {"c", 0}, {"ab", -1}, {"bc", -2}}};
  const std::string text = "abc";
  const double p = 0.3;
  // Both merges overlap: the better is passed over with probability p, then the other one.
  const std::map<std::string, double> expected = {{"ab c", 1 - p}, {"a bc", p * (1 - p)}, {"a b c", p * p}};
  std::map<std::string, double> seen;
  SplitMix64 random(5);
  const SymbolText symbols = vocabulary.symbols(text);
  const PieceLookup lookup = vocabulary.lookup();
  for (int i = 0; i < kDraws; ++i) seen[vocabulary.show(sample_bpe(symbols, lookup, p, random))] += 1.0 / kDraws;
  ASSERT_EQ(seen.size(), expected.size());
  for (const auto& [cut, share] : expected) EXPECT_NEAR(seen[cut], share, tolerance(share)) << cut;
}

TEST(SampleBpe, RateNoneMergesBestFirstAndRateOneNever) {
  const SmallVocabulary vocabulary{{{"a", 0}, {"b", 0}, {"c", 0}, {"ab", -2}, {"bc", -1}, {"abc", -3}}};
  const std::string text = "abc";
  SplitMix64 random(1);
  EXPECT_EQ(vocabulary.show(sample_bpe(vocabulary.symbols(text), vocabulary.lookup(), 0, random)), "abc");
  EXPECT_EQ(vocabulary.show(sample_bpe(vocabulary.symbols(text), vocabulary.lookup(), 1, random)), "a b c");
}

TEST(SampleUnigram, FrequenciesAreThoseOfAllSegmentationsEnumerated) {
  const SmallVocabulary vocabulary{{{"a", std::log(0.2)},
                                    {"b", std::log(0.1)},
                                    {"c", std::log(0.15)},
                                    {"ab", std::log(0.25)},
                                    {"bc", std::log(0.05)},
                                    {"abc", std::log(0.03)}}};
  const double alpha = 0.5;
  std::map<std::string, double> expected = {
      {"a b c", 0.2 * 0.1 * 0.15}, {"ab c", 0.25 * 0.15}, {"a bc", 0.2 * 0.05}, {"abc", 0.03}};
  double sum = 0;
  for (auto& [cut, weight] : expected) sum += weight = std::pow(weight, alpha);
  std::map<std::string, double> seen;
  SplitMix64 random(9);
  const std::string text = "abc";
  const SymbolText symbols = vocabulary.symbols(text);
  const PieceLookup lookup = vocabulary.lookup();
  for (int i = 0; i < kDraws; ++i)
    seen[vocabulary.show(sample_unigram(symbols, lookup, alpha, random))] += 1.0 / kDraws;
  ASSERT_EQ(seen.size(), expected.size());
  for (const auto& [cut, weight] : expected) EXPECT_NEAR(seen[cut], weight / sum, tolerance(weight / sum)) << cut;
}

}  // namespace
}  // namespace nmt
