#include "metrics/length_plot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

namespace nmt::metrics {

namespace {

constexpr double kLeft = 60, kRight = 620, kTop = 40, kBottom = 320;  // of the plot's area, px
constexpr double kLegend = 404, kLegendLine = 18;                     // first line of text, height of a line
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr const char* kDashes[] = {"none", "6 3", "2 3", "8 3 2 3"};

std::string escape_xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

double x_of(size_t bucket) { return kLeft + (kRight - kLeft) * (static_cast<double>(bucket) + 0.5) / kLengthBuckets; }

struct Axis {
  double step;  // between ticks
  double end;
};

// Ends at the first tick at or above the best score; at most ten ticks.
Axis choose_axis(const std::vector<PlotSeries>& series) {
  double best = 1;
  for (const PlotSeries& one : series) {
    for (const auto& score : one.scores) best = std::max(best, score.value_or(0));
  }
  double step = 10;
  while (best > 10 * step) step *= 2;
  return {step, std::ceil(best / step) * step};
}

double y_of(double score, const Axis& axis) { return kBottom - (kBottom - kTop) * score / axis.end; }

std::string draw_axes(const std::string& metric, const Axis& axis, const LinesByLength& lines) {
  std::string out = fmt::format("<text x=\"{}\" y=\"24\" text-anchor=\"middle\">{} by source length</text>\n",
                                (kLeft + kRight) / 2, escape_xml(metric));
  const auto ticks = std::lround(axis.end / axis.step);
  for (int64_t i = 0; i <= ticks; ++i) {
    const double tick = static_cast<double>(i) * axis.step;
    const double y = y_of(tick, axis);
    out +=
        fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, y, kRight, y);
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", kLeft - 8, y + 4, tick);
  }
  for (size_t bucket = 0; bucket < kLengthBuckets; ++bucket) {
    out += fmt::format(
        "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text x=\"{:.1f}\" y=\"{}\" "
        "text-anchor=\"middle\" fill=\"#777\">{}</text>\n",
        x_of(bucket), kBottom + 18, bucket_label(bucket), x_of(bucket), kBottom + 34, lines[bucket]);
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">words of the source (below: lines)</text>\n",
                     (kLeft + kRight) / 2, kBottom + 56);
  return out;
}

std::string draw_curve(const PlotSeries& series, size_t index, const Axis& axis) {
  const char* colour = kColours[index % std::size(kColours)];
  const char* dash = kDashes[index / std::size(kColours) % std::size(kDashes)];
  std::string path;
  std::string points;
  bool pen_down = false;
  for (size_t bucket = 0; bucket < kLengthBuckets; ++bucket) {
    if (!series.scores[bucket]) {
      pen_down = false;
      continue;
    }
    const double x = x_of(bucket);
    const double y = y_of(*series.scores[bucket], axis);
    path += fmt::format("{}{:.1f} {:.1f}", pen_down ? " L" : " M", x, y);
    points += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{:.2f}</title></circle>\n", x,
                          y, colour, *series.scores[bucket]);
    pen_down = true;
  }
  if (path.empty()) path = " M0 0";
  const std::string stroke =
      fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"", colour, dash);
  const double legend = kLegend + kLegendLine * static_cast<double>(index);
  return fmt::format("<path d=\"{}\" {}/>\n", path.substr(1), stroke) + points +
         fmt::format("<path d=\"M{} {} h30\" {}/>\n<text x=\"{}\" y=\"{}\">{}</text>\n", kLeft, legend - 4, stroke,
                     kLeft + 38, legend, escape_xml(series.name));
}

}  // namespace

std::string length_plot(const std::string& metric, const std::vector<PlotSeries>& series, const LinesByLength& lines) {
  const Axis axis = choose_axis(series);
  const double height = kLegend + kLegendLine * static_cast<double>(series.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{0}\" viewBox=\"0 0 640 {0}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"640\" height=\"{0}\" fill=\"white\"/>\n",
      height);
  out += draw_axes(metric, axis, lines);
  for (size_t i = 0; i < series.size(); ++i) out += draw_curve(series[i], i, axis);
  return out + "</svg>\n";
}

}  // namespace nmt::metrics
