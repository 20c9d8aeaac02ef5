#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace nmt {

// How a configuration struct tells of itself. Each struct has one function
//
//   template <class Self, class Visitor> static void fields(Self& self, Visitor& visit);
//
// that calls, for each member in order, visit(key, member, rule, comment). Parsing, printing, validation, the schema
// and the reference configuration are all visitors, so a key, its default, its range and its comment stand in one
// place. A member that is itself a configuration struct is visited with visit.section(key, member, comment).

// Values that a member may take; ends are included unless said otherwise. Booleans and enumerations need no rule.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
  bool high_excluded = false;
};
inline constexpr Range any_value() { return {}; }
inline constexpr Range between(double low, double high) { return {low, high, false, false}; }
inline constexpr Range at_least(double low) { return {low, std::numeric_limits<double>::infinity(), false, false}; }
inline constexpr Range above(double low) { return {low, std::numeric_limits<double>::infinity(), true, false}; }
inline constexpr Range from_below(double low, double high) { return {low, high, false, true}; }   // [low, high)
inline constexpr Range above_up_to(double low, double high) { return {low, high, true, false}; }  // (low, high]

// Names of an enumeration's values, in the order of their numbers from 0; specialised beside each enumeration.
template <class Enum>
struct EnumNames;

template <class Enum>
std::string_view name_of(Enum value) {
  return EnumNames<Enum>::names[static_cast<size_t>(value)];
}

// A path of a file: relative paths in a configuration file are relative to that file, those of --set and flags to the
// working directory. Resolved to an absolute path when a configuration is read. Empty where not given.
struct PathField {
  std::string value;
  bool empty() const { return value.empty(); }
  bool operator==(const PathField&) const = default;
};

}  // namespace nmt
