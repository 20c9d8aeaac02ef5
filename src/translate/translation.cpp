#include "translate/translation.h"

namespace nmt {

bool Translation::cut() const {
  return std::any_of(segments.begin(), segments.end(),
                     [](const TranslatedSegment& segment) { return !segment.hypotheses.front().finished; });
}

std::vector<std::string> Translation::missing(size_t i) const {
  std::vector<std::string> phrases;
  for (const TranslatedSegment& segment : segments) {
    for (const int32_t phrase : segment.hypotheses[hypothesis_of(segment, i)].missing) {
      phrases.push_back(segment.constraints[static_cast<size_t>(phrase)]);
    }
  }
  return phrases;
}

int64_t Translation::source_pieces() const {
  int64_t pieces = 0;
  for (const TranslatedSegment& segment : segments) pieces += static_cast<int64_t>(segment.source_pieces.size());
  return pieces;
}

int64_t Translation::target_pieces() const {
  int64_t pieces = 0;
  for (const TranslatedSegment& segment : segments) {
    pieces += static_cast<int64_t>(segment.hypotheses.front().pieces.size());
  }
  return pieces;
}

}  // namespace nmt
