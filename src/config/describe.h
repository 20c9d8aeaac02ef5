#pragma once

#include <spdlog/fmt/fmt.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "config/field.h"
#include "config/text_config.h"

namespace nmt {

// What a key may hold, in words, for messages and the reference: "a whole number between 1 and 16".
inline std::string describe_range(const Range& range) {
  const bool has_low = range.low != -std::numeric_limits<double>::infinity();
  const bool has_high = range.high != std::numeric_limits<double>::infinity();
  if (has_low && has_high && !range.low_excluded && !range.high_excluded) {
    return fmt::format(" between {} and {}", range.low, range.high);
  }
  std::string out;
  if (has_low) out += (range.low_excluded ? " above " : " of at least ") + fmt::to_string(range.low);
  if (has_low && has_high) out += " and";
  if (has_high) out += (range.high_excluded ? " below " : " at most ") + fmt::to_string(range.high);
  return out;
}

inline bool in_range(double value, const Range& range) {
  return (range.low_excluded ? value > range.low : value >= range.low) &&
         (range.high_excluded ? value < range.high : value <= range.high);
}

template <class Enum>
std::vector<std::string> enum_names() {
  return {EnumNames<Enum>::names.begin(), EnumNames<Enum>::names.end()};
}

inline std::string describe_values(const bool&, const Range&) { return "true or false"; }
inline std::string describe_values(const int64_t&, const Range& range) {
  return "a whole number" + describe_range(range);
}
inline std::string describe_values(const double&, const Range& range) { return "a number" + describe_range(range); }
inline std::string describe_values(const AutoSize&, const Range& range) {
  return "a whole number" + describe_range(range) + ", or \"auto\"";
}
inline std::string describe_values(const PathField&, const Range&) { return "the path of a file"; }
template <class Enum>
requires std::is_enum_v<Enum> std::string describe_values(const Enum&, const Range&) {
  return "one of " + join(enum_names<Enum>(), ", ");
}

}  // namespace nmt
