#include "metrics/length_plot.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

namespace nmt::metrics {

namespace {

constexpr double kLeft = 60, kRight = 620, kTop = 40, kBottom = 320;  // of the plot's area, px
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

// The axis ends at the next ten above the best score.
double axis_end(const std::vector<PlotSeries>& series) {
  double best = 0;
  for (const PlotSeries& one : series) {
    for (const auto& score : one.scores) best = std::max(best, score.value_or(0));
  }
  return std::max(10.0, std::ceil(best / 10) * 10);
}

std::string draw_axes(const std::string& metric, double end, const LinesByLength& lines) {
  std::string out = fmt::format("<text x=\"{}\" y=\"24\" text-anchor=\"middle\">{} by source length</text>\n",
                                (kLeft + kRight) / 2, escape_xml(metric));
  constexpr int kTicks = 5;
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double value = end * tick / kTicks;
    const double y = kBottom - (kBottom - kTop) * tick / kTicks;
    out +=
        fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, y, kRight, y);
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", kLeft - 8, y + 4, value);
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

std::string draw_curve(const PlotSeries& series, size_t index, double end) {
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
    const double y = kBottom - (kBottom - kTop) * *series.scores[bucket] / end;
    path += fmt::format("{}{:.1f} {:.1f}", pen_down ? " L" : " M", x, y);
    points += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{:.2f}</title></circle>\n", x,
                          y, colour, *series.scores[bucket]);
    pen_down = true;
  }
  if (path.empty()) path = " M0 0";
  const double legend = kTop + 16 + 16 * static_cast<double>(index);
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
                     path.substr(1), colour, dash) +
         points +
         fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{}\">{}</text>\n", kRight - 8, legend, colour,
                     escape_xml(series.name));
}

}  // namespace

std::string length_plot(const std::string& metric, const std::vector<PlotSeries>& series, const LinesByLength& lines) {
  const double end = axis_end(series);
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" viewBox=\"0 0 640 400\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"640\" height=\"400\" fill=\"white\"/>\n" +
      draw_axes(metric, end, lines);
  for (size_t i = 0; i < series.size(); ++i) out += draw_curve(series[i], i, end);
  return out + "</svg>\n";
}

}  // namespace nmt::metrics
