#include "translate/score_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/counted.h"
#include "base/log.h"
#include "base/strings.h"
#include "base/words.h"

namespace nmt {

namespace {

constexpr int64_t kLinesNamed = 5;

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

void warn_of_first(int64_t count, int64_t number, const std::string& what) {
  if (count <= kLinesNamed) log::warn("Line {}: {}.", number, what);
  if (count == kLinesNamed) log::warn("Further lines of this kind are only counted.");
}

std::string pairs_that_are(int64_t count, const char* what) {
  return count == 0 ? "" : "; " + counted(count, "pair") + " " + what;
}

}  // namespace

void ScoreSummary::add(int64_t number, const ForcedPair& pair) {
  ++pairs_;
  if (pair.blank()) ++blank_;
  if (pair.replaced_utf8 > 0) {
    warn_of_first(++replaced_, number,
                  "bytes that are not UTF-8 became U+FFFD in " + counted(pair.replaced_utf8, "place"));
  }
  if (pair.too_long) {
    const size_t longest = std::max(pair.source_pieces.size(), pair.target_pieces.size());
    warn_of_first(++too_long_, number,
                  "with " + counted(static_cast<int64_t>(longest), "piece") +
                      " it is too long and gets no score; see --max-length");
  }
  if (pair.predictions() == 0) return;
  predictions_ += pair.predictions();
  words_ += static_cast<int64_t>(words_of(pair.target).size()) + 1;
  log_prob_ += pair.log_prob;
}

double ScoreSummary::perplexity_per_piece() const { return std::exp(-log_prob_ / static_cast<double>(predictions_)); }

double ScoreSummary::perplexity_per_word() const { return std::exp(-log_prob_ / static_cast<double>(words_)); }

std::string ScoreSummary::text(double seconds) const {
  std::string text = counted(pairs_, "pair");
  if (blank_ > 0) text += " (" + with_thousands(blank_) + " blank)";
  if (predictions_ > 0) {
    text += ": log-probability " + fixed(log_prob_, 4) + " of " + with_thousands(predictions_) +
            " pieces and end marks, perplexity " + fixed(perplexity_per_piece(), 4) + " a piece, " +
            fixed(perplexity_per_word(), 4) + " a word, in " + format_duration(seconds);
  }
  text += pairs_that_are(too_long_, "too long for a score");
  text += pairs_that_are(replaced_, "with bytes that were not UTF-8");
  return text + ".";
}

}  // namespace nmt
