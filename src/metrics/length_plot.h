#pragma once

#include <string>
#include <vector>

#include "metrics/report.h"

namespace nmt::metrics {

struct PlotSeries {
  std::string name;
  ScoresByLength scores;
};

// Score against source length, a curve for each system, as figure 2 of Bahdanau, Cho and Bengio (2014): an SVG document
// 640 px wide. The number of lines of each bucket stands below the axis, the names below that; a bucket without lines
// breaks the curve.
std::string length_plot(const std::string& metric, const std::vector<PlotSeries>& series, const LinesByLength& lines);

}  // namespace nmt::metrics
