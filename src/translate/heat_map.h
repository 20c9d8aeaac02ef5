#pragma once

#include <string>

#include "translate/attention_map.h"

namespace nmt {

// A drawing in SVG: what stands inside <svg>, and its size in pixels.
struct Drawing {
  std::string body;
  double width = 0;
  double height = 0;
};

// An attention map as a heat map: a cell for each weight, the stronger the larger, source tokens above, target tokens
// at the left. Cells are as large as the number of tokens allows (18 to 44 pixels) and tell token, token and weight
// when pointed at. Long labels are shortened and tell the whole when pointed at. Nothing overlaps (for usual fonts).
// Colours come from heat_map_style(). `maps` is the number of maps that stand side by side: the more, the smaller they
// are.
Drawing draw_heat_map(const AttentionMap& map, size_t maps = 1);

// The style sheet of the drawings: light, and dark where the reader prefers it.
std::string heat_map_style();

// In words: of each target token the source token with the largest weight.
std::string describe_heat_map(const AttentionMap& map);

// A weight with two decimals; three in `precise`.
std::string weight_text(float weight, bool precise);

}  // namespace nmt
