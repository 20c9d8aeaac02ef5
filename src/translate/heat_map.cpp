#include "translate/heat_map.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "translate/label_text.h"

namespace nmt {

namespace {

constexpr double kWindow = 1200;    // pixels that maps side by side should fit into
constexpr double kMostSpace = 720;  // pixels that the cells of a map fill at most where they can be of any size
constexpr double kLeastSpace = 300;
constexpr double kSmallestCell = 18;  // pixels; a label's line still fits
constexpr double kLargestCell = 44;
constexpr double kWidestCell = 92;       // for labels that lie on top of their column
constexpr double kLongestLabel = 120;    // pixels
constexpr double kGap = 6;               // between labels and cells
constexpr double kValueCell = 28;        // a cell as wide as this shows its value
constexpr float kSmallestValue = 0.05F;  // that is shown in a cell

// Where everything is.
struct Layout {
  double font = 13;  // pixels
  double cell_width = 0;
  double cell_height = 0;
  double left = 0;  // of the cells
  double top = 0;
  bool upright = false;  // the source labels stand upright in their columns, else they are turned
};

double widest(const std::vector<std::string>& labels, double font) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, font * label_width(label));
  return std::min(width, kLongestLabel);
}

Layout lay_out(const AttentionMap& map, size_t maps) {
  Layout layout;
  const double space = std::clamp(kWindow / static_cast<double>(maps) - kLongestLabel, kLeastSpace, kMostSpace);
  const auto most = static_cast<double>(std::max<size_t>({map.source_labels.size(), map.target_labels.size(), 1}));
  layout.cell_height = layout.cell_width = std::clamp(std::floor(space / most), kSmallestCell, kLargestCell);
  if (layout.cell_height < 24) layout.font = 12;
  const double source = widest(map.source_labels, layout.font);
  const double wanted = std::max(layout.cell_width, source + 2 * kGap);
  layout.upright = wanted <= kWidestCell && wanted * static_cast<double>(map.source_labels.size()) <= space;
  if (layout.upright) layout.cell_width = wanted;
  layout.top = (layout.upright ? 1.4 * layout.font : source) + kGap;
  layout.left = widest(map.target_labels, layout.font) + kGap;
  return layout;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string attribute(const char* name, double value) { return std::string(" ") + name + "=\"" + number(value) + "\""; }

// The label, and all of it for who points at it where it had to be shortened.
std::string label_content(const std::string& label, double font) {
  const std::string shown = shorten_label(label, kLongestLabel / font);
  return (shown == label ? "" : "<title>" + escape_markup(label) + "</title>") + escape_markup(shown) + "</text>\n";
}

std::string source_labels(const AttentionMap& map, const Layout& layout) {
  std::string out;
  for (size_t s = 0; s < map.source_labels.size(); ++s) {
    const double middle = layout.left + (static_cast<double>(s) + 0.5) * layout.cell_width;
    out += "<text class=\"s\"";
    if (layout.upright) {
      out += attribute("x", middle) + attribute("y", layout.top - kGap) + " text-anchor=\"middle\"";
    } else {
      const std::string x = number(middle + 0.35 * layout.font);
      const std::string y = number(layout.top - kGap);
      out += " x=\"" + x + "\" y=\"" + y + "\" transform=\"rotate(-90 " + x + " " + y + ")\"";
    }
    out += attribute("font-size", layout.font) + ">" + label_content(map.source_labels[s], layout.font);
  }
  return out;
}

std::string target_label(const AttentionMap& map, const Layout& layout, size_t t) {
  const double middle = layout.top + (static_cast<double>(t) + 0.5) * layout.cell_height;
  return "<text class=\"t\"" + attribute("x", layout.left - kGap) + attribute("y", middle + 0.35 * layout.font) +
         " text-anchor=\"end\"" + attribute("font-size", layout.font) + ">" +
         label_content(map.target_labels[t], layout.font);
}

std::string cell(const AttentionMap& map, const Layout& layout, size_t t, size_t s) {
  const float weight = map.weights[t][s];
  return "<rect class=\"c\"" + attribute("x", layout.left + static_cast<double>(s) * layout.cell_width) +
         attribute("y", layout.top + static_cast<double>(t) * layout.cell_height) +
         attribute("width", layout.cell_width) + attribute("height", layout.cell_height) + " fill-opacity=\"" +
         weight_text(weight, true) + "\"><title>" +
         escape_markup(map.target_labels[t] + " \u2190 " + map.source_labels[s]) + " " + weight_text(weight, true) +
         "</title></rect>\n";
}

std::string value(const Layout& layout, float weight, size_t t, size_t s) {
  if (layout.cell_width < kValueCell || layout.cell_height < 20 || weight < kSmallestValue) return "";
  const char* shade = weight < 0.5F ? "v0" : weight < 0.8F ? "v1" : "v2";
  return std::string("<text class=\"v ") + shade + "\"" +
         attribute("x", layout.left + (static_cast<double>(s) + 0.5) * layout.cell_width) +
         attribute("y", layout.top + (static_cast<double>(t) + 0.5) * layout.cell_height + 4) +
         " text-anchor=\"middle\" font-size=\"11\">" + weight_text(weight, false) + "</text>\n";
}

}  // namespace

std::string weight_text(float weight, bool precise) {
  char text[32];
  std::snprintf(text, sizeof text, precise ? "%.3f" : "%.2f", static_cast<double>(weight));
  return text;
}

Drawing draw_heat_map(const AttentionMap& map, size_t maps) {
  const Layout layout = lay_out(map, maps);
  Drawing drawing;
  const double width = layout.cell_width * static_cast<double>(map.source_labels.size());
  const double height = layout.cell_height * static_cast<double>(map.target_labels.size());
  drawing.width = layout.left + width + 1;
  drawing.height = layout.top + height + 1;
  drawing.body = "<rect class=\"f\"" + attribute("x", layout.left) + attribute("y", layout.top) +
                 attribute("width", width) + attribute("height", height) + "/>\n" + source_labels(map, layout);
  for (size_t t = 0; t < map.target_labels.size(); ++t) drawing.body += target_label(map, layout, t);
  std::string values;
  for (size_t t = 0; t < map.weights.size(); ++t) {
    drawing.body += "<g>\n";
    for (size_t s = 0; s < map.weights[t].size(); ++s) {
      drawing.body += cell(map, layout, t, s);
      values += value(layout, map.weights[t][s], t, s);
    }
    drawing.body += "</g>\n";
  }
  drawing.body += values;
  return drawing;
}

std::string heat_map_style() {
  return "svg{font-family:system-ui,'Noto Sans','DejaVu Sans',sans-serif}\n"
         ".f{fill:#ffffff;stroke:#8a94a0}\n"
         ".c{fill:#1f5fa8;stroke:#c9d0d8;stroke-width:.5}\n"
         ".c:hover,.c.at{stroke:#c2410c;stroke-width:2}\n"
         ".s,.t{fill:#1b1f24;unicode-bidi:plaintext}\n"
         ".v{pointer-events:none}\n"
         ".v0,.v1{fill:#1b1f24}\n"
         ".v2{fill:#ffffff}\n"
         "@media (prefers-color-scheme:dark){\n"
         ".f{fill:#16191d;stroke:#6b7680}\n"
         ".c{fill:#8ec5ff;stroke:#3a424b}\n"
         ".c:hover,.c.at{stroke:#ffb27a}\n"
         ".s,.t,.v0{fill:#e6e9ed}\n"
         ".v1,.v2{fill:#0b0d10}\n"
         "}\n";
}

std::string describe_heat_map(const AttentionMap& map) {
  std::string text = "Largest weight of each target token:";
  for (size_t t = 0; t < map.weights.size(); ++t) {
    const auto most = std::max_element(map.weights[t].begin(), map.weights[t].end());
    const auto s = static_cast<size_t>(most - map.weights[t].begin());
    text += (t == 0 ? " " : "; ") + map.target_labels[t] + " \u2190 " + map.source_labels[s] + " " +
            weight_text(*most, false);
  }
  return text + ".";
}

}  // namespace nmt
