#pragma once

#include <charconv>
#include <string>
#include <type_traits>

namespace nmt {

// The shortest decimal that reads back as the same number; "nan" where it is none.
template <class Number>
requires std::is_floating_point_v<Number> std::string number_text(Number number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

}  // namespace nmt
