#pragma once

#include <span>
#include <string>

#include "translate/attention_map.h"

namespace nmt {

// One SVG image (SVG 1.1 with CSS) of all maps, those of a figure side by side.
std::string attention_svg(std::span<const AttentionFigure> figures);

// One HTML page of all maps that loads nothing from elsewhere. Maps of a figure stand side by side where the window is
// wide enough; one that is wider than the window scrolls by itself. Weights are told on pointing at a cell, and cell by
// cell with the arrow keys; under each map they are written in words. Light and dark as the reader prefers.
std::string attention_page(std::span<const AttentionFigure> figures);

}  // namespace nmt
