#include "search/constraints.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace nmt {

namespace {

void check_piece(PieceId piece, int64_t vocab_size, const std::string& where) {
  if (piece >= 0 && piece < vocab_size && piece != kPadId && piece != kBosId && piece != kEosId) return;
  throw UsageError("A " + where + " holds piece " + std::to_string(piece) + ", which no translation can hold.");
}

}  // namespace

void check_request(const SentenceRequest& request, const SearchOptions& options, int64_t vocab_size) {
  for (const PieceId piece : request.prefix) check_piece(piece, vocab_size, "target prefix");
  for (const RequiredPhrase& phrase : request.phrases) {
    for (const PieceId piece : phrase.pieces) check_piece(piece, vocab_size, "phrase that must appear");
    for (const PieceId piece : phrase.at_start) check_piece(piece, vocab_size, "phrase that must appear");
  }
  if (request.phrases.empty()) return;
  if (options.sampling.enabled) throw UsageError("Sampling can't hold to phrases that must appear.");
  if (options.diversity_groups > 1) throw UsageError("Diversity groups can't hold to phrases that must appear.");
}

std::vector<RequiredPhrase> possible_phrases(std::vector<RequiredPhrase> phrases, const SearchOptions& options,
                                             int64_t max_pieces, int64_t vocab_size) {
  const std::vector<PieceId> never = pieces_never_produced(options, vocab_size);
  const auto holds = [](std::span<const PieceId> pieces, PieceId piece) {
    return std::find(pieces.begin(), pieces.end(), piece) != pieces.end();
  };
  for (RequiredPhrase& phrase : phrases) {
    const std::span<const PieceId> pieces = phrase.pieces;
    bool possible = static_cast<int64_t>(pieces.size()) <= max_pieces;
    for (size_t i = 0; possible && i < pieces.size(); ++i) {
      possible = !holds(never, pieces[i]) &&
                 !(options.filter && holds(options.filter->forbidden_after(pieces.first(i)), pieces[i]));
    }
    if (!possible) phrase.pieces.clear();
  }
  return phrases;
}

std::vector<PieceId> pieces_never_produced(const SearchOptions& options, int64_t vocab_size) {
  std::vector<PieceId> pieces = options.forbidden;
  if (options.filter) {
    const std::vector<PieceId> filtered = options.filter->never();
    pieces.insert(pieces.end(), filtered.begin(), filtered.end());
  }
  pieces.push_back(kPadId);
  pieces.push_back(kBosId);
  if (options.forbid_unknown) pieces.push_back(kUnkId);
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  std::erase_if(pieces, [&](PieceId piece) { return piece < 0 || piece >= vocab_size; });
  return pieces;
}

void append_bans(const Beam& beam, int64_t first_row, const SearchOptions& options, std::vector<Ban>& bans) {
  if (beam.end_allowed() && options.no_repeat_ngram == 0 && !options.filter) return;
  int64_t row = first_row;
  for (const Beam::Prefix& prefix : beam.live()) {
    if (!beam.end_allowed()) bans.push_back({row, kEosId});
    if (options.no_repeat_ngram > 0 || options.filter) {
      const std::vector<PieceId> pieces = beam.pieces_of(prefix);
      if (options.no_repeat_ngram > 0) {
        for (const PieceId piece : repeating_pieces(pieces, options.no_repeat_ngram)) bans.push_back({row, piece});
      }
      if (options.filter) {
        for (const PieceId piece : options.filter->forbidden_after(pieces)) bans.push_back({row, piece});
      }
    }
    ++row;
  }
}

std::vector<PieceId> repeating_pieces(std::span<const PieceId> pieces, int64_t n) {
  const auto context = static_cast<size_t>(n - 1);
  std::vector<PieceId> repeating;
  if (pieces.size() < context) return repeating;
  const std::span<const PieceId> last = pieces.last(context);
  for (size_t begin = 0; begin + context < pieces.size(); ++begin) {
    if (std::equal(last.begin(), last.end(), pieces.begin() + static_cast<std::ptrdiff_t>(begin))) {
      repeating.push_back(pieces[begin + context]);
    }
  }
  return repeating;
}

}  // namespace nmt
