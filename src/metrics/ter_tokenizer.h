#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/ter.h"

namespace nmt::metrics {

// Splits lines into words as Tercom's normaliser does. The views of tokenize() live until its next call, or as long as
// `line`, whichever ends first.
class TerWords {
 public:
  explicit TerWords(const TerOptions& options) : options_(options) {}

  const std::vector<std::string_view>& tokenize(std::string_view line);

  // The same for a reference, which sacreBLEU normalises twice. That changes words at a full stop: "it's." becomes
  // "it's ." and then "it 's .", "..7" becomes ". .7" and then ". . 7". Hypotheses are normalised once.
  const std::vector<std::string_view>& tokenize_reference(std::string_view line);

 private:
  void remove_punctuation();

  TerOptions options_;
  std::string lowered_;
  std::string unescaped_;
  std::string stripped_;  // words without their punctuation
  std::string joined_;    // a reference between its two passes
  std::vector<std::string_view> words_;
};

}  // namespace nmt::metrics
