#include "search/phrase_candidates.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace nmt {

namespace {

bool possible(float log_prob) { return log_prob > -std::numeric_limits<float>::infinity(); }

// One step of one sentence. Nearly all continuations of a prefix lead to the same bank, that of a piece which no phrase
// waits for; these are offered a row at a time, and the few others singly.
class Choice {
 public:
  Choice(const Beam& beam, const PhraseSet& phrases, const StepScores& scores, int64_t first_row)
      : beam_(beam),
        phrases_(phrases),
        scores_(scores),
        first_row_(first_row),
        places_(std::max(beam.open_places(), static_cast<size_t>(phrases.pieces() + 1))) {}

  PhraseCandidates run() {
    for (const Beam::Prefix& prefix : beam_.live()) {
      rows_.push_back(row_of(prefix));
      most_awaited_ += rows_.back().awaited.size();
    }
    for (size_t i = 0; i < rows_.size() && result_.invalid < 0; ++i) {
      if (!beam_.at_limit()) add_pieces(static_cast<int64_t>(i));
      add_end(static_cast<int64_t>(i));
    }
    take_others();
    result_.kept = allocate_places(std::move(candidates_), phrases_.pieces() + 1, places_);
    return std::move(result_);
  }

 private:
  struct Row {
    double log_prob;
    PhraseSet::Progress progress;
    std::vector<PieceId> awaited;  // pieces that need a look of their own, in ascending order
  };

  Row row_of(const Beam::Prefix& prefix) const {
    PhraseSet::Progress progress = phrases_.follow(beam_.pieces_of(prefix));
    std::vector<PieceId> awaited = phrases_.next_pieces(progress);
    return {prefix.log_prob, std::move(progress), std::move(awaited)};
  }

  float value(int64_t row, PieceId piece) const {
    return scores_.row(first_row_ + row).log_prob(static_cast<size_t>(piece));
  }

  Candidate candidate(int64_t row, PieceId piece) const {
    const float log_prob = value(row, piece);
    return {row, piece, log_prob, rows_[static_cast<size_t>(row)].log_prob + static_cast<double>(log_prob)};
  }

  void add_pieces(int64_t row) {
    const Row& here = rows_[static_cast<size_t>(row)];
    for (const PieceId piece : here.awaited) {
      if (!possible(value(row, piece))) continue;
      PhraseSet::Progress after = here.progress;
      phrases_.advance(after, piece);
      candidates_.push_back({candidate(row, piece), phrases_.bank(after)});
    }
    if (phrases_.undecided(here.progress)) {
      offer_where(row, true);
      offer_where(row, false);
    } else {
      offer(bank_of_others(here, false), row, scores_.row(first_row_ + row));
    }
  }

  // Only the pieces that continue a word, or only the others: they lead to different banks.
  void offer_where(int64_t row, bool continuing) {
    const RowScores all = scores_.row(first_row_ + row);
    std::vector<float> values;
    std::vector<int64_t> pieces;
    for (size_t i = 0; i < all.scores.size(); ++i) {
      if (phrases_.continues_word(static_cast<PieceId>(i)) != continuing) continue;
      values.push_back(all.scores[i]);
      pieces.push_back(static_cast<int64_t>(i));
    }
    offer(bank_of_others(rows_[static_cast<size_t>(row)], continuing), row, {values, all.normalizer, pieces});
  }

  void offer(int64_t bank, int64_t row, const RowScores& scores) {
    // Room for what take_others() passes over.
    auto& best = others_.try_emplace(bank, places_ + most_awaited_ + rows_.size()).first->second;
    const PieceId invalid = best.offer(row, rows_[static_cast<size_t>(row)].log_prob, scores);
    if (invalid >= 0) result_.invalid = invalid;
  }

  int64_t bank_of_others(const Row& row, bool continuing) const {
    const std::vector<int32_t>& stays = continuing ? row.progress.settled : row.progress.met;
    return phrases_.bank({PhraseSet::Progress{}.node, stays, stays});
  }

  void add_end(int64_t row) {
    const float log_prob = value(row, kEosId);
    if (!possible(log_prob)) return;
    if (!(log_prob <= kLargestLogProb)) {
      result_.invalid = kEosId;
    } else if (phrases_.complete(rows_[static_cast<size_t>(row)].progress)) {
      candidates_.push_back({candidate(row, kEosId), phrases_.pieces()});
    } else {
      result_.incomplete.push_back(candidate(row, kEosId));
    }
  }

  // The best of the pieces that no phrase waits for.
  void take_others() {
    for (auto& [bank, best] : others_) {
      for (const Candidate& one : best.take()) {
        const std::vector<PieceId>& awaited = rows_[static_cast<size_t>(one.row)].awaited;
        if (one.piece == kEosId || std::binary_search(awaited.begin(), awaited.end(), one.piece)) continue;
        candidates_.push_back({one, bank});
      }
    }
  }

  const Beam& beam_;
  const PhraseSet& phrases_;
  const StepScores& scores_;
  int64_t first_row_;
  size_t places_;
  std::vector<Row> rows_;
  size_t most_awaited_ = 0;
  std::map<int64_t, BestCandidates> others_;  // by bank
  std::vector<BankedCandidate> candidates_;
  PhraseCandidates result_;
};

}  // namespace

std::vector<Candidate> allocate_places(std::vector<BankedCandidate> candidates, int64_t banks, size_t places) {
  std::sort(candidates.begin(), candidates.end(),
            [](const BankedCandidate& a, const BankedCandidate& b) { return better(a.candidate, b.candidate); });
  const auto count = static_cast<size_t>(banks);
  std::vector<size_t> free(count, places / count);
  for (size_t i = 0; i < places % count; ++i) ++free[count - 1 - i];
  std::vector<bool> taken(candidates.size(), false);
  size_t left = std::min(places, candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    size_t& places_of_bank = free[static_cast<size_t>(candidates[i].bank)];
    if (places_of_bank == 0) continue;
    --places_of_bank;
    --left;
    taken[i] = true;
  }
  std::vector<Candidate> kept;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!taken[i] && left == 0) continue;
    if (!taken[i]) --left;
    kept.push_back(candidates[i].candidate);
  }
  return kept;
}

PhraseCandidates choose_with_phrases(const Beam& beam, const PhraseSet& phrases, const StepScores& scores,
                                     int64_t first_row) {
  return Choice(beam, phrases, scores, first_row).run();
}

}  // namespace nmt
