#include "search/beam_search.h"

#include <ATen/ATen.h>

#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "search/beam.h"
#include "search/candidates.h"
#include "search/constraints.h"
#include "search/sampler.h"
#include "search/step_scores.h"

namespace nmt {

namespace {

torch::Tensor int_tensor(std::vector<int64_t> values) {
  return torch::tensor(values, torch::TensorOptions().dtype(torch::kInt64));
}

void check_prefix_piece(PieceId piece, int64_t vocab_size) {
  if (piece >= 0 && piece < vocab_size && piece != kPadId && piece != kBosId && piece != kEosId) return;
  throw UsageError("A target prefix holds piece " + std::to_string(piece) + ", which no translation can hold.");
}

class Search {
 public:
  Search(Stepper& stepper, const SearchOptions& options, const std::vector<SentenceRequest>& requests);
  std::vector<std::vector<Hypothesis>> run();

 private:
  struct Sentence {
    Beam beam;
    SentenceRequest request;
    int64_t source_length;  // end mark included
    int64_t first_row = 0;

    bool forced() const { return static_cast<size_t>(beam.depth()) < request.prefix.size(); }
    PieceId forced_piece() const { return request.prefix[static_cast<size_t>(beam.depth())]; }
  };

  torch::Tensor last_pieces() const;  // [N] int64
  void keep_attention(const torch::Tensor& attention);
  std::vector<float> forced_log_probs(const torch::Tensor& log_probs) const;
  void forbid(torch::Tensor& log_probs) const;
  std::vector<Candidate> best_of(const Sentence& sentence, const StepScores& scores) const;
  std::vector<Candidate> samples_of(const Sentence& sentence, const StepScores& scores) const;
  void advance(const StepScores& scores, const std::vector<float>& forced);
  void drop_done_and_reorder();
  Beam::AttentionOf attention_of(const Sentence& sentence) const;
  [[noreturn]] void throw_invalid(const Sentence& sentence, PieceId piece) const;

  Stepper& stepper_;
  const SearchOptions& options_;
  std::vector<Sentence> sentences_;
  std::vector<size_t> active_;  // sentences that are still searched for, in the order of their rows
  std::vector<std::vector<Hypothesis>> results_;
  std::vector<torch::Tensor> attention_;  // of each step [N,S], where it is needed
  torch::Tensor never_;                   // pieces that are never produced
  int64_t step_ = 0;
  int64_t rows_;  // N
};

Search::Search(Stepper& stepper, const SearchOptions& options, const std::vector<SentenceRequest>& requests)
    : stepper_(stepper),
      options_(options),
      results_(static_cast<size_t>(stepper.sentences())),
      rows_(stepper.sentences()) {
  check(options);
  const int64_t sentences = stepper.sentences();
  if (!requests.empty() && static_cast<int64_t>(requests.size()) != sentences) {
    throw InternalError("Search got " + std::to_string(requests.size()) + " requests for " + std::to_string(sentences) +
                        " sentences.");
  }
  for (int64_t b = 0; b < sentences; ++b) {
    SentenceRequest request = requests.empty() ? SentenceRequest{} : requests[static_cast<size_t>(b)];
    for (const PieceId piece : request.prefix) check_prefix_piece(piece, stepper.vocab_size());
    const int64_t length = stepper.source_length(b);
    sentences_.push_back({Beam(options_, length - 1, request.prefix.size()), std::move(request), length, b});
    active_.push_back(static_cast<size_t>(b));
  }
  std::vector<int64_t> never;
  for (const PieceId piece : pieces_never_produced(options, stepper.vocab_size())) never.push_back(piece);
  never_ = int_tensor(never);
}

std::vector<std::vector<Hypothesis>> Search::run() {
  while (!active_.empty()) {
    StepOutput output = stepper_.step(last_pieces());
    keep_attention(output.attention);
    const std::vector<float> forced = forced_log_probs(output.log_probs);
    forbid(output.log_probs);
    const int64_t needed = options_.sampling.enabled ? stepper_.vocab_size() : options_.beam;
    advance(StepScores::of(output.log_probs, needed), forced);
    drop_done_and_reorder();
    ++step_;
  }
  return std::move(results_);
}

torch::Tensor Search::last_pieces() const {
  std::vector<int64_t> pieces;
  for (const size_t index : active_) {
    const Beam& beam = sentences_[index].beam;
    for (const Beam::Prefix& prefix : beam.live()) pieces.push_back(beam.last_piece(prefix));
  }
  return int_tensor(std::move(pieces));
}

void Search::keep_attention(const torch::Tensor& attention) {
  const bool needed = options_.attention || options_.rule.coverage_penalty != 0;
  if (!needed || !attention.defined()) return;
  attention_.push_back(attention.to(torch::kCPU, torch::kFloat32).contiguous());
}

// Log-probabilities of the pieces that target prefixes force at this step, in the order of the sentences forced.
std::vector<float> Search::forced_log_probs(const torch::Tensor& log_probs) const {
  std::vector<int64_t> rows;
  std::vector<int64_t> pieces;
  for (const size_t index : active_) {
    const Sentence& sentence = sentences_[index];
    if (!sentence.forced()) continue;
    rows.push_back(sentence.first_row);  // a forced sentence has one live prefix
    pieces.push_back(sentence.forced_piece());
  }
  if (rows.empty()) return {};
  const torch::Device device = log_probs.device();
  const torch::Tensor chosen =
      log_probs.index({int_tensor(rows).to(device), int_tensor(pieces).to(device)}).to(torch::kCPU, torch::kFloat32);
  const torch::Tensor flat = chosen.contiguous();
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

void Search::forbid(torch::Tensor& log_probs) const {
  constexpr float kImpossible = -std::numeric_limits<float>::infinity();
  const torch::Device device = log_probs.device();
  log_probs.index_fill_(1, never_.to(device), kImpossible);
  std::vector<Ban> bans;
  for (const size_t index : active_) {
    append_bans(sentences_[index].beam, sentences_[index].first_row, options_, bans);
  }
  if (bans.empty()) return;
  std::vector<int64_t> rows;
  std::vector<int64_t> pieces;
  for (const Ban& ban : bans) {
    rows.push_back(ban.row);
    pieces.push_back(ban.piece);
  }
  log_probs.index_put_({int_tensor(rows).to(device), int_tensor(pieces).to(device)},
                       torch::full({}, kImpossible, log_probs.options()));
}

std::vector<Candidate> Search::best_of(const Sentence& sentence, const StepScores& scores) const {
  BestCandidates best(sentence.beam.open_places());
  int64_t row = 0;
  for (const Beam::Prefix& prefix : sentence.beam.live()) {
    const int64_t at = sentence.first_row + row;
    const PieceId invalid = best.offer(row, prefix.log_prob, scores.values(at), scores.pieces(at));
    if (invalid >= 0) throw_invalid(sentence, invalid);
    ++row;
  }
  return best.take();
}

// One draw for each live prefix; the single prefix at the start gives n_best of them.
std::vector<Candidate> Search::samples_of(const Sentence& sentence, const StepScores& scores) const {
  const bool at_start = static_cast<size_t>(step_) == sentence.request.prefix.size();
  const auto draws = at_start ? static_cast<size_t>(options_.n_best) : sentence.beam.live().size();
  std::vector<Candidate> samples;
  for (size_t i = 0; i < draws; ++i) {
    const int64_t row = at_start ? 0 : static_cast<int64_t>(i);
    const std::span<const float> values = scores.values(sentence.first_row + row);
    for (const float& value : values) {
      if (!(value <= kLargestLogProb)) throw_invalid(sentence, static_cast<PieceId>(&value - values.data()));
    }
    const double uniform = uniform_of(options_.sampling.seed, sentence.request.sampling_key, i, step_);
    const PieceId piece = draw_piece(values, options_.sampling, uniform);
    if (piece < 0) continue;
    const float log_prob = values[static_cast<size_t>(piece)];
    const double total = sentence.beam.live()[static_cast<size_t>(row)].log_prob + static_cast<double>(log_prob);
    samples.push_back({row, piece, log_prob, total});
  }
  return samples;
}

void Search::advance(const StepScores& scores, const std::vector<float>& forced) {
  auto next_forced = forced.begin();
  for (const size_t index : active_) {
    Sentence& sentence = sentences_[index];
    std::vector<Candidate> chosen;
    if (sentence.forced()) {
      const float log_prob = *next_forced++;
      if (!(log_prob <= kLargestLogProb)) throw_invalid(sentence, sentence.forced_piece());
      chosen.push_back({0, sentence.forced_piece(), log_prob,
                        sentence.beam.live().front().log_prob + static_cast<double>(log_prob)});
    } else {
      chosen = options_.sampling.enabled ? samples_of(sentence, scores) : best_of(sentence, scores);
    }
    sentence.beam.advance(chosen, sentence.first_row, attention_of(sentence));
  }
}

void Search::drop_done_and_reorder() {
  std::vector<size_t> active;
  std::vector<int64_t> rows;
  for (const size_t index : active_) {
    Sentence& sentence = sentences_[index];
    if (sentence.beam.done()) {
      results_[index] = sentence.beam.hypotheses(attention_of(sentence));
      continue;
    }
    sentence.first_row = static_cast<int64_t>(rows.size());
    for (const Beam::Prefix& prefix : sentence.beam.live()) rows.push_back(prefix.row);
    active.push_back(index);
  }
  active_ = std::move(active);
  if (active_.empty()) return;
  bool same = static_cast<int64_t>(rows.size()) == rows_;
  for (size_t i = 0; same && i < rows.size(); ++i) same = rows[i] == static_cast<int64_t>(i);
  rows_ = static_cast<int64_t>(rows.size());
  if (!same) stepper_.reorder(int_tensor(std::move(rows)));
}

Beam::AttentionOf Search::attention_of(const Sentence& sentence) const {
  return [this, length = static_cast<size_t>(sentence.source_length)](int64_t step,
                                                                      int64_t row) -> std::span<const float> {
    if (attention_.empty()) return {};
    const torch::Tensor& weights = attention_[static_cast<size_t>(step)];
    return {weights.const_data_ptr<float>() + row * weights.size(1), length};
  };
}

void Search::throw_invalid(const Sentence& sentence, PieceId piece) const {
  throw InternalError("The model gave no log-probability (NaN or above 0) for piece " + std::to_string(piece) +
                      " at step " + std::to_string(step_ + 1) + " of sentence " +
                      std::to_string(&sentence - sentences_.data() + 1) + " of the batch.");
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(Stepper& stepper, const SearchOptions& options,
                                                 const std::vector<SentenceRequest>& requests) {
  return Search(stepper, options, requests).run();
}

}  // namespace nmt
