#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "search/hypothesis.h"
#include "table_stepper.h"

// Slow and plain searches, one sentence at a time, that share no code with src/search.
namespace nmt::test {

struct Found {
  Pieces pieces;
  double log_prob = 0;
  double score = 0;
  bool finished = true;
};

using Scorer = std::function<double(double log_prob, int64_t predictions)>;
using Allowed = std::function<bool(const Pieces& prefix, PieceId next)>;

struct Task {
  Table table;
  int64_t sentence = 0;
  int64_t max_pieces = 4;
  Scorer score = [](double log_prob, int64_t) { return log_prob; };
  Allowed allowed = [](const Pieces&, PieceId) { return true; };
};

inline bool takes(const Task& task, const Pieces& prefix, PieceId next) {
  return next != kPadId && next != kBosId && task.allowed(prefix, next);
}

inline void sort_by_score(std::vector<Found>& found) {
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.score > b.score; });
}

// Every sequence of at most max_pieces pieces that ends, best first.
inline void enumerate(const Task& task, const Pieces& prefix, double log_prob, std::vector<Found>& all) {
  const std::vector<float> row = task.table(task.sentence, prefix);
  for (PieceId v = 0; v < static_cast<PieceId>(row.size()); ++v) {
    const float value = row[static_cast<size_t>(v)];
    if (std::isinf(value) || !takes(task, prefix, v)) continue;
    const double total = log_prob + static_cast<double>(value);
    if (v == kEosId) {
      all.push_back({prefix, total, task.score(total, static_cast<int64_t>(prefix.size()) + 1), true});
    } else if (static_cast<int64_t>(prefix.size()) < task.max_pieces) {
      Pieces longer = prefix;
      longer.push_back(v);
      enumerate(task, longer, total, all);
    }
  }
}
inline std::vector<Found> all_translations(const Task& task) {
  std::vector<Found> all;
  enumerate(task, {}, 0, all);
  sort_by_score(all);
  return all;
}

// Beam search as docs/search.md defines it, to the length limit: it never stops early.
inline std::vector<Found> reference_beam(const Task& task, size_t beam, size_t enough) {
  struct Row {
    Pieces pieces;
    double log_prob;
  };
  std::vector<Row> live = {{{}, 0}};
  std::vector<Found> finished;
  for (int64_t depth = 0; depth <= task.max_pieces; ++depth) {
    std::vector<std::tuple<double, size_t, PieceId>> choices;  // minus total, row, piece: sorted as ties demand
    for (size_t r = 0; r < live.size(); ++r) {
      const std::vector<float> row = task.table(task.sentence, live[r].pieces);
      for (PieceId v = 0; v < static_cast<PieceId>(row.size()); ++v) {
        if (std::isinf(row[static_cast<size_t>(v)]) || !takes(task, live[r].pieces, v)) continue;
        choices.emplace_back(-(live[r].log_prob + static_cast<double>(row[static_cast<size_t>(v)])), r, v);
      }
    }
    std::sort(choices.begin(), choices.end());
    choices.resize(std::min({choices.size(), beam, enough - finished.size()}));
    std::vector<Row> next;
    for (const auto& [minus, r, v] : choices) {
      if (v == kEosId) {
        finished.push_back({live[r].pieces, -minus, task.score(-minus, depth + 1), true});
      } else if (depth < task.max_pieces) {
        Pieces longer = live[r].pieces;
        longer.push_back(v);
        next.push_back({longer, -minus});
      }
    }
    if (next.empty() && finished.empty()) break;
    live = next;
    if (live.empty() || finished.size() >= enough) break;
  }
  if (finished.empty()) {
    for (const Row& row : live) {
      finished.push_back(
          {row.pieces, row.log_prob, task.score(row.log_prob, static_cast<int64_t>(row.pieces.size())), false});
    }
  }
  sort_by_score(finished);
  return finished;
}

// The first `count` of what was wanted, or all where there are fewer.
inline void expect_same(const std::vector<Hypothesis>& got, const std::vector<Found>& wanted, size_t count) {
  ASSERT_EQ(got.size(), std::min(count, wanted.size()));
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].pieces, wanted[i].pieces) << "hypothesis " << i;
    EXPECT_NEAR(got[i].log_prob, wanted[i].log_prob, 1e-9);
    EXPECT_NEAR(got[i].score, wanted[i].score, 1e-9);
    EXPECT_EQ(got[i].finished, wanted[i].finished);
  }
}

}  // namespace nmt::test
