#include "search/beam_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/stop.h"
#include "search/beam.h"
#include "search/candidates.h"
#include "search/constraints.h"
#include "search/diversity.h"
#include "search/phrase_candidates.h"
#include "search/sampler.h"
#include "search/step_scores.h"

namespace nmt {

namespace {

torch::Tensor int_tensor(const std::vector<int64_t>& values) {
  return torch::tensor(values, torch::TensorOptions().dtype(torch::kInt64));
}

// What each group of the beam is searched with.
SearchOptions group_options(SearchOptions options) {
  check(options);
  options.beam /= options.diversity_groups;
  options.n_best = std::min(options.n_best, options.beam);
  return options;
}

class Search {
 public:
  Search(Stepper& stepper, const SearchOptions& options, const std::vector<SentenceRequest>& requests);
  std::vector<std::vector<Hypothesis>> run();

 private:
  // What is searched for with one beam: a sentence, or one of its diversity groups.
  struct Sentence {
    Beam beam;
    SentenceRequest request;
    PhraseSet phrases;
    int64_t source_length;  // end mark included
    int64_t number;         // in the batch
    int64_t group;
    int64_t first_row;

    bool forced() const { return static_cast<size_t>(beam.depth()) < request.prefix.size(); }
    PieceId forced_piece() const { return request.prefix[static_cast<size_t>(beam.depth())]; }
  };

  torch::Tensor last_pieces() const;  // [N] int64
  void keep_attention(const torch::Tensor& attention);
  std::vector<float> forced_log_probs(const StepOutput& output) const;
  void forbid(torch::Tensor& scores) const;
  StepScores needed_scores(const StepOutput& output) const;
  std::vector<Candidate> chosen_of(Sentence& sentence, const StepScores& scores) const;
  std::vector<Candidate> best_of(const Sentence& sentence, const StepScores& scores) const;
  std::vector<Candidate> diverse_of(const Sentence& sentence, const StepScores& scores) const;
  std::vector<Candidate> phrased_of(Sentence& sentence, const StepScores& scores) const;
  std::vector<Candidate> samples_of(const Sentence& sentence, const StepScores& scores) const;
  void advance(const StepScores& scores, const std::vector<float>& forced);
  void drop_done_and_reorder();
  std::vector<std::vector<Hypothesis>> merged_results() const;
  Beam::AttentionOf attention_of(const Sentence& sentence) const;
  [[noreturn]] void throw_invalid(const Sentence& sentence, PieceId piece) const;

  Stepper& stepper_;
  int64_t groups_;
  int64_t n_best_;
  SearchOptions options_;  // of each group
  DiversityPenalty diversity_;
  std::vector<Sentence> sentences_;  // the groups of a sentence side by side
  std::vector<size_t> active_;       // those still searched for, in the order of their rows
  std::vector<std::vector<Hypothesis>> results_;
  std::vector<torch::Tensor> attention_;  // of each step [N,S], where it is needed
  torch::Tensor never_;                   // pieces that are never produced
  int64_t step_ = 0;
  int64_t rows_;  // N
};

Search::Search(Stepper& stepper, const SearchOptions& options, const std::vector<SentenceRequest>& requests)
    : stepper_(stepper),
      groups_(options.diversity_groups),
      n_best_(options.n_best),
      options_(group_options(options)),
      diversity_(options.diversity_penalty),
      results_(static_cast<size_t>(stepper.sentences() * groups_)),
      rows_(stepper.sentences() * groups_) {
  const int64_t sentences = stepper.sentences();
  if (!requests.empty() && static_cast<int64_t>(requests.size()) != sentences) {
    throw InternalError("Search got " + std::to_string(requests.size()) + " requests for " + std::to_string(sentences) +
                        " sentences.");
  }
  for (int64_t b = 0; b < sentences; ++b) {
    const SentenceRequest request = requests.empty() ? SentenceRequest{} : requests[static_cast<size_t>(b)];
    check_request(request, options, stepper.vocab_size());
    const int64_t length = stepper.source_length(b);
    const int64_t limit = std::max(options_.max_pieces(length - 1), static_cast<int64_t>(request.prefix.size()));
    const PhraseSet phrases(possible_phrases(request.phrases, options_, limit, stepper.vocab_size()),
                            options_.continues_word);
    for (int64_t group = 0; group < groups_; ++group) {
      active_.push_back(sentences_.size());
      sentences_.push_back({Beam(options_, length - 1, request.prefix.size(), phrases.pieces()), request, phrases,
                            length, b, group, b * groups_ + group});
    }
  }
  std::vector<int64_t> never;
  for (const PieceId piece : pieces_never_produced(options, stepper.vocab_size())) never.push_back(piece);
  never_ = int_tensor(never);
}

std::vector<std::vector<Hypothesis>> Search::run() {
  if (groups_ > 1) {
    std::vector<int64_t> rows;
    for (const Sentence& sentence : sentences_) rows.push_back(sentence.number);
    stepper_.reorder(int_tensor(rows));
  }
  while (!active_.empty()) {
    if (stop_requested()) throw InterruptedError("Interrupted while searching.");
    StepOutput output = stepper_.step(last_pieces());
    keep_attention(output.attention);
    const std::vector<float> forced = forced_log_probs(output);
    forbid(output.scores);
    advance(needed_scores(output), forced);
    drop_done_and_reorder();
    ++step_;
  }
  return groups_ == 1 ? std::move(results_) : merged_results();
}

// Of each row, at least those that may be looked at.
StepScores Search::needed_scores(const StepOutput& output) const {
  if (options_.sampling.enabled) return StepScores::normalized(output);
  const bool all =
      std::any_of(active_.begin(), active_.end(), [this](size_t index) { return !sentences_[index].phrases.empty(); });
  return StepScores::of(output, all ? stepper_.vocab_size() : options_.beam * groups_);
}

torch::Tensor Search::last_pieces() const {
  std::vector<int64_t> pieces;
  for (const size_t index : active_) {
    const Beam& beam = sentences_[index].beam;
    for (const Beam::Prefix& prefix : beam.live()) pieces.push_back(beam.last_piece(prefix));
  }
  return int_tensor(pieces);
}

void Search::keep_attention(const torch::Tensor& attention) {
  const bool needed = options_.attention || options_.rule.coverage_penalty != 0;
  if (!needed || !attention.defined()) return;
  attention_.push_back(attention.to(torch::kCPU, torch::kFloat32).contiguous());
}

// Log-probabilities of the pieces that target prefixes force at this step, in the order of the sentences forced.
std::vector<float> Search::forced_log_probs(const StepOutput& output) const {
  std::vector<int64_t> rows;
  std::vector<int64_t> pieces;
  for (const size_t index : active_) {
    const Sentence& sentence = sentences_[index];
    if (!sentence.forced()) continue;
    rows.push_back(sentence.first_row);  // a forced sentence has one live prefix
    pieces.push_back(sentence.forced_piece());
  }
  if (rows.empty()) return {};
  const torch::Device device = output.scores.device();
  const torch::Tensor at_rows = int_tensor(rows).to(device);
  const torch::Tensor chosen = output.scores.index({at_rows, int_tensor(pieces).to(device)}).unsqueeze(1);
  const torch::Tensor normalizer = output.normalizer.defined() ? output.normalizer.index({at_rows}) : torch::Tensor();
  const torch::Tensor flat =
      StepOutput{chosen, normalizer, {}}.log_probs().to(torch::kCPU, torch::kFloat32).contiguous();
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

void Search::forbid(torch::Tensor& scores) const {
  constexpr float kImpossible = -std::numeric_limits<float>::infinity();
  const torch::Device device = scores.device();
  scores.index_fill_(1, never_.to(device), kImpossible);
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
  scores.index_put_({int_tensor(rows).to(device), int_tensor(pieces).to(device)},
                    torch::full({}, kImpossible, scores.options()));
}

std::vector<Candidate> Search::chosen_of(Sentence& sentence, const StepScores& scores) const {
  if (options_.sampling.enabled) return samples_of(sentence, scores);
  if (!sentence.phrases.empty()) return phrased_of(sentence, scores);
  return sentence.group > 0 ? diverse_of(sentence, scores) : best_of(sentence, scores);
}

std::vector<Candidate> Search::diverse_of(const Sentence& sentence, const StepScores& scores) const {
  PieceId invalid = -1;
  std::vector<Candidate> chosen = diversity_.choose(sentence.beam, sentence.first_row, scores, invalid);
  if (invalid >= 0) throw_invalid(sentence, invalid);
  return chosen;
}

std::vector<Candidate> Search::phrased_of(Sentence& sentence, const StepScores& scores) const {
  Beam& beam = sentence.beam;
  PhraseCandidates found = choose_with_phrases(beam, sentence.phrases, scores, sentence.first_row);
  if (found.invalid >= 0) throw_invalid(sentence, found.invalid);
  for (const Candidate& end : found.incomplete) {
    const Beam::Prefix& prefix = beam.live()[static_cast<size_t>(end.row)];
    const size_t missing = sentence.phrases.missing(beam.pieces_of(prefix)).size();
    beam.end_without(end, missing, sentence.first_row, attention_of(sentence));
  }
  return std::move(found.kept);
}

std::vector<Candidate> Search::best_of(const Sentence& sentence, const StepScores& scores) const {
  BestCandidates best(sentence.beam.open_places());
  int64_t row = 0;
  for (const Beam::Prefix& prefix : sentence.beam.live()) {
    const PieceId invalid = best.offer(row, prefix.log_prob, scores.row(sentence.first_row + row));
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
    const std::span<const float> values = scores.row(sentence.first_row + row).scores;
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
  int64_t number = -1;
  for (const size_t index : active_) {
    Sentence& sentence = sentences_[index];
    if (sentence.number != std::exchange(number, sentence.number)) diversity_.start_sentence();
    std::vector<Candidate> chosen;
    if (sentence.forced()) {
      const float log_prob = *next_forced++;
      if (!(log_prob <= kLargestLogProb)) throw_invalid(sentence, sentence.forced_piece());
      chosen.push_back({0, sentence.forced_piece(), log_prob,
                        sentence.beam.live().front().log_prob + static_cast<double>(log_prob)});
    } else {
      chosen = chosen_of(sentence, scores);
      if (groups_ > 1) diversity_.note(chosen);
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
      for (Hypothesis& one : results_[index]) one.missing = sentence.phrases.missing(one.pieces);
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
  if (!same) stepper_.reorder(int_tensor(rows));
}

std::vector<std::vector<Hypothesis>> Search::merged_results() const {
  std::vector<std::vector<Hypothesis>> merged;
  for (auto group = results_.begin(); group != results_.end(); group += groups_) {
    merged.push_back(merge_groups({group, group + groups_}, static_cast<size_t>(n_best_)));
  }
  return merged;
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
                      " at step " + std::to_string(step_ + 1) + " of sentence " + std::to_string(sentence.number + 1) +
                      " of the batch.");
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(Stepper& stepper, const SearchOptions& options,
                                                 const std::vector<SentenceRequest>& requests) {
  return Search(stepper, options, requests).run();
}

}  // namespace nmt
