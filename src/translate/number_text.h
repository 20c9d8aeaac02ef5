#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace nmt {

// Scores and log-probabilities are sums of float32 numbers, good for about six decimals; so many are shown, in every
// format. -0 becomes 0.
inline double shown_number(double number) { return std::round(number * 1e6) / 1e6 + 0.0; }

// The same as text without zeros at its end: "-3.5", "nan".
inline std::string number_text(double number) {
  char text[512];
  const auto end = std::to_chars(text, text + sizeof text, shown_number(number), std::chars_format::fixed).ptr;
  return {text, end};
}

}  // namespace nmt
