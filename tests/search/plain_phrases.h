#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "base/random.h"
#include "reference_search.h"
#include "search/phrases.h"

// Phrases that must appear, by counting anew in every text; and the search for them as docs/search.md defines it.
namespace nmt::test {

struct PlainPhrases {
  std::vector<RequiredPhrase> phrases;
  std::vector<bool> continues_word;

  int64_t pieces() const {
    int64_t sum = 0;
    for (const RequiredPhrase& one : phrases) sum += static_cast<int64_t>(one.pieces.size());
    return sum;
  }

  int64_t count(const RequiredPhrase& phrase, const Pieces& text) const {
    int64_t found = 0;
    for (size_t at = 0; at < text.size(); ++at) {
      found += stands_at(phrase.pieces, phrase.ends_word, text, at) ? 1 : 0;
      if (at == 0 && !phrase.at_start.empty()) found += stands_at(phrase.at_start, phrase.ends_word, text, 0) ? 1 : 0;
    }
    return found;
  }

  std::vector<int32_t> missing(const Pieces& text) const {
    std::map<Pieces, int64_t> left;
    for (const RequiredPhrase& one : phrases) left[one.pieces] = count(one, text);
    std::vector<int32_t> missing;
    for (size_t i = 0; i < phrases.size(); ++i) {
      if (left[phrases[i].pieces]-- <= 0) missing.push_back(static_cast<int32_t>(i));
    }
    return missing;
  }

  // Pieces of the phrases met, and of the longest beginning of another that the text ends in.
  int64_t bank(const Pieces& text) const {
    const std::vector<int32_t> lacks = missing(text);
    int64_t whole = pieces();
    size_t begun = 0;
    for (const int32_t i : lacks) {
      const RequiredPhrase& phrase = phrases[static_cast<size_t>(i)];
      const size_t most = phrase.pieces.size() - 1;
      whole -= static_cast<int64_t>(phrase.pieces.size());
      for (size_t k = 1; k <= most && k <= text.size(); ++k) {
        if (std::equal(text.end() - static_cast<std::ptrdiff_t>(k), text.end(), phrase.pieces.begin())) {
          begun = std::max(begun, k);
        }
      }
      if (text.size() < phrase.at_start.size() && std::equal(text.begin(), text.end(), phrase.at_start.begin())) {
        begun = std::max(begun, std::min(text.size(), most));
      }
    }
    return whole + static_cast<int64_t>(begun);
  }

 private:
  bool stands_at(const Pieces& phrase, bool ends_word, const Pieces& text, size_t at) const {
    const size_t end = at + phrase.size();
    if (end > text.size() ||
        !std::equal(phrase.begin(), phrase.end(), text.begin() + static_cast<std::ptrdiff_t>(at))) {
      return false;
    }
    return !ends_word || end == text.size() || !continues_word[static_cast<size_t>(text[end])];
  }
};

// One to three phrases of one to three pieces, some twice, some with another form at the start.
inline PlainPhrases random_phrases(uint64_t seed, int64_t vocab) {
  SplitMix64 random(seed);
  const auto words = static_cast<uint64_t>(vocab - 4);
  const auto piece = [&] { return static_cast<PieceId>(4 + random.below(words)); };
  PlainPhrases made;
  for (int64_t i = 0; i < vocab; ++i) made.continues_word.push_back(i >= 4 && random.below(3) == 0);
  for (uint64_t left = 1 + random.below(3); left > 0; --left) {
    RequiredPhrase phrase;
    for (uint64_t size = 1 + random.below(3); size > 0; --size) phrase.pieces.push_back(piece());
    if (random.below(3) == 0) {
      for (uint64_t size = 1 + random.below(3); size > 0; --size) phrase.at_start.push_back(piece());
      if (phrase.at_start == phrase.pieces) phrase.at_start.clear();
    }
    phrase.ends_word = random.below(2) == 0;
    const bool known = std::any_of(made.phrases.begin(), made.phrases.end(),
                                   [&](const RequiredPhrase& one) { return one.pieces == phrase.pieces; });
    if (!known) made.phrases.push_back(phrase);
  }
  if (random.below(4) == 0) made.phrases.push_back(made.phrases.front());
  return made;
}

struct PlainChoice {
  double total;
  size_t row;
  PieceId piece;
  int64_t bank;
};

// Evenly among the banks, the rest to the highest; then the best of what is left. `all` is sorted, best first.
inline std::vector<PlainChoice> share_out(const std::vector<PlainChoice>& all, int64_t banks, size_t places) {
  std::vector<PlainChoice> kept;
  std::vector<bool> taken(all.size());
  for (int64_t bank = banks - 1, from_top = 0; bank >= 0; --bank, ++from_top) {
    const auto share = places / static_cast<size_t>(banks) +
                       (static_cast<size_t>(from_top) < places % static_cast<size_t>(banks) ? 1 : 0);
    size_t got = 0;
    for (size_t i = 0; i < all.size() && got < share; ++i) {
      if (all[i].bank == bank) taken[i] = true, ++got;
    }
  }
  auto used = static_cast<size_t>(std::count(taken.begin(), taken.end(), true));
  for (size_t i = 0; i < all.size(); ++i) {
    if (!taken[i] && used < places) taken[i] = true, ++used;
    if (taken[i]) kept.push_back(all[i]);
  }
  return kept;
}

// To the length limit, without ever stopping early.
inline std::vector<Found> reference_phrase_beam(const Task& task, const PlainPhrases& phrases, size_t beam) {
  struct Row {
    Pieces pieces;
    double log_prob;
  };
  const int64_t all_pieces = phrases.pieces();
  const size_t width = beam + static_cast<size_t>(all_pieces);
  std::vector<Row> live = {{{}, 0}};
  std::vector<Found> finished;
  std::vector<std::pair<size_t, Found>> incomplete;  // with what they lack
  for (int64_t depth = 0; depth <= task.max_pieces && !live.empty() && finished.size() < width; ++depth) {
    std::vector<PlainChoice> choices;
    for (size_t r = 0; r < live.size(); ++r) {
      const std::vector<float> row = task.table(task.sentence, live[r].pieces);
      for (PieceId v = 0; v < static_cast<PieceId>(row.size()); ++v) {
        const auto value = static_cast<double>(row[static_cast<size_t>(v)]);
        if (std::isinf(value) || !takes(task, live[r].pieces, v)) continue;
        const double total = live[r].log_prob + value;
        Pieces longer = live[r].pieces;
        longer.push_back(v);
        const size_t lacks = phrases.missing(live[r].pieces).size();
        if (v == kEosId && lacks > 0) {
          incomplete.emplace_back(lacks, Found{live[r].pieces, total, task.score(total, depth + 1), true});
        } else if (v == kEosId || depth < task.max_pieces) {
          choices.push_back({total, r, v, v == kEosId ? all_pieces : phrases.bank(longer)});
        }
      }
    }
    std::sort(choices.begin(), choices.end(), [](const PlainChoice& a, const PlainChoice& b) {
      return std::tuple(-a.total, a.row, a.piece) < std::tuple(-b.total, b.row, b.piece);
    });
    const size_t places = std::max(static_cast<size_t>(all_pieces) + 1, width - finished.size());
    std::vector<Row> next;
    for (const PlainChoice& one : share_out(choices, all_pieces + 1, places)) {
      Pieces pieces = live[one.row].pieces;
      if (one.piece == kEosId) {
        finished.push_back({pieces, one.total, task.score(one.total, depth + 1), true});
      } else {
        pieces.push_back(one.piece);
        next.push_back({pieces, one.total});
      }
    }
    if (next.empty() && finished.empty()) break;
    live = next;
  }
  if (finished.empty()) {
    std::stable_sort(incomplete.begin(), incomplete.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second.score > b.second.score;
    });
    for (const auto& [lacks, found] : incomplete) finished.push_back(found);
    return finished;
  }
  sort_by_score(finished);
  return finished;
}

}  // namespace nmt::test
