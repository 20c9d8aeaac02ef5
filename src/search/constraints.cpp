#include "search/constraints.h"

#include <algorithm>

namespace nmt {

std::vector<PieceId> pieces_never_produced(const SearchOptions& options, int64_t vocab_size) {
  std::vector<PieceId> pieces = options.forbidden;
  pieces.push_back(kPadId);
  pieces.push_back(kBosId);
  if (options.forbid_unknown) pieces.push_back(kUnkId);
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  std::erase_if(pieces, [&](PieceId piece) { return piece < 0 || piece >= vocab_size; });
  return pieces;
}

void append_bans(const Beam& beam, int64_t first_row, const SearchOptions& options, std::vector<Ban>& bans) {
  if (beam.end_allowed() && options.no_repeat_ngram == 0) return;
  int64_t row = first_row;
  for (const Beam::Prefix& prefix : beam.live()) {
    if (!beam.end_allowed()) bans.push_back({row, kEosId});
    if (options.no_repeat_ngram > 0) {
      for (const PieceId piece : repeating_pieces(beam.pieces_of(prefix), options.no_repeat_ngram)) {
        bans.push_back({row, piece});
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
