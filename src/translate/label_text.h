#pragma once

#include <string>
#include <string_view>

namespace nmt {

// How wide a text gets at most in a usual sans-serif font, in units of the font size. Fonts differ, so it is an
// estimate on the large side. `text` must be well-formed UTF-8.
double label_width(std::string_view text);

// `text` where it is no wider than `width`, else what fits of its beginning (whole characters as readers see them,
// Unicode annex 29) and "…".
std::string shorten_label(std::string_view text, double width);

// `text` for XML and HTML, between tags and in quoted attributes. Characters that XML doesn't allow become U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace nmt
