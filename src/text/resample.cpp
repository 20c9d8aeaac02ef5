#include "text/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nmt {

namespace {

// Part of the text from symbol `begin` up to, not including, symbol `end`. Symbols lie side by side in one string.
std::string_view span_text(const SymbolText& text, size_t begin, size_t end) {
  const char* first = text.symbols[begin].data();
  const std::string_view last = text.symbols[end - 1];
  return {first, static_cast<size_t>(last.data() + last.size() - first)};
}

void append_span(const SymbolText& text, const PieceLookup& vocabulary, size_t begin, size_t end,
                 std::vector<PieceId>& out) {
  if (end - begin == 1) {
    out.insert(out.end(), text.fallback[begin].begin(), text.fallback[begin].end());
  } else {
    out.push_back(vocabulary.id(span_text(text, begin, end)));
  }
}

// BPE-dropout on one word, symbols [begin, end).
void sample_word(const SymbolText& text, const PieceLookup& vocabulary, double rate, SplitMix64& random, size_t begin,
                 size_t end, std::vector<PieceId>& out) {
  constexpr double kNoMerge = -std::numeric_limits<double>::infinity();
  std::vector<size_t> cuts;  // where parts begin, and `end`
  for (size_t i = begin; i <= end; ++i) cuts.push_back(i);
  const auto merge_score = [&](size_t part) {  // of parts `part` and `part + 1`
    const PieceId id = vocabulary.id(span_text(text, cuts[part], cuts[part + 2]));
    return id < 0 ? kNoMerge : vocabulary.score(id);
  };
  std::vector<double> scores;
  for (size_t part = 0; part + 2 < cuts.size(); ++part) scores.push_back(merge_score(part));
  for (;;) {
    size_t best = scores.size();
    for (size_t part = 0; part < scores.size(); ++part) {
      if (scores[part] == kNoMerge || random.unit() < rate) continue;
      if (best == scores.size() || scores[part] > scores[best]) best = part;
    }
    if (best == scores.size()) break;
    cuts.erase(cuts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    scores.erase(scores.begin() + static_cast<std::ptrdiff_t>(best));
    if (best < scores.size()) scores[best] = merge_score(best);
    if (best > 0) scores[best - 1] = merge_score(best - 1);
  }
  for (size_t part = 0; part + 1 < cuts.size(); ++part) append_span(text, vocabulary, cuts[part], cuts[part + 1], out);
}

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return std::isinf(b) ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

std::vector<PieceId> sample_bpe(const SymbolText& text, const PieceLookup& vocabulary, double rate,
                                SplitMix64& random) {
  std::vector<PieceId> out;
  const size_t symbols = text.symbols.size();
  for (size_t begin = 0; begin < symbols;) {
    size_t end = begin + 1;
    while (end < symbols && text.symbols[end] != "\u2581") ++end;
    sample_word(text, vocabulary, rate, random, begin, end, out);
    begin = end;
  }
  return out;
}

std::vector<PieceId> sample_unigram(const SymbolText& text, const PieceLookup& vocabulary, double alpha,
                                    SplitMix64& random) {
  struct Edge {
    size_t begin;
    double score;  // alpha x log probability
  };
  const size_t symbols = text.symbols.size();
  std::vector<std::vector<Edge>> ending(symbols + 1);  // edges by where they end
  std::vector<double> forward(symbols + 1, -std::numeric_limits<double>::infinity());
  forward[0] = 0;
  for (size_t end = 1; end <= symbols; ++end) {
    for (size_t begin = end > vocabulary.longest_piece ? end - vocabulary.longest_piece : 0; begin < end; ++begin) {
      const PieceId id = vocabulary.id(span_text(text, begin, end));
      if (id < 0 && begin + 1 < end) continue;
      constexpr double kUnseenScore = -30;  // of a symbol without a piece of its own: it has no other way anyhow
      ending[end].push_back({begin, alpha * (id < 0 ? kUnseenScore : vocabulary.score(id))});
      forward[end] = log_add(forward[end], forward[begin] + ending[end].back().score);
    }
  }
  std::vector<size_t> cuts = {symbols};
  while (cuts.back() > 0) {
    const size_t end = cuts.back();
    double left = random.unit();
    size_t chosen = ending[end].back().begin;
    for (const Edge& edge : ending[end]) {
      left -= std::exp(forward[edge.begin] + edge.score - forward[end]);
      if (left < 0) {
        chosen = edge.begin;
        break;
      }
    }
    cuts.push_back(chosen);
  }
  std::vector<PieceId> out;
  for (size_t i = cuts.size() - 1; i > 0; --i) append_span(text, vocabulary, cuts[i], cuts[i - 1], out);
  return out;
}

}  // namespace nmt
