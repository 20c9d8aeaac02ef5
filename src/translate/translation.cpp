#include "translate/translation.h"

#include <algorithm>

namespace nmt {

bool Translation::cut() const {
  return std::any_of(segments.begin(), segments.end(),
                     [](const TranslatedSegment& segment) { return !segment.hypotheses.front().finished; });
}

std::vector<std::string> Translation::missing() const {
  std::vector<std::string> phrases;
  for (const TranslatedSegment& segment : segments) {
    for (const int32_t i : segment.hypotheses.front().missing) {
      phrases.push_back(segment.constraints[static_cast<size_t>(i)]);
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
