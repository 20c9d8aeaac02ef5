#include "metrics/corpus.h"

#include "base/error.h"

namespace nmt::metrics {

namespace {

void check_shape(const std::vector<std::string>& hypotheses, const std::vector<std::vector<std::string>>& references) {
  if (hypotheses.size() != references.size()) {
    throw DataError(std::to_string(hypotheses.size()) + " hypotheses but references for " +
                    std::to_string(references.size()) + " lines; expected the same number.");
  }
  if (hypotheses.empty()) throw DataError("There is no line to score.");
  for (size_t i = 0; i < references.size(); ++i) {
    if (references[i].empty()) throw DataError("Line " + std::to_string(i + 1) + " has no reference.");
  }
}

}  // namespace

CorpusCounts count_corpus(const Metric& metric, const std::vector<std::string>& hypotheses,
                          const std::vector<std::vector<std::string>>& references) {
  check_shape(hypotheses, references);
  const auto counter = metric.make_counter();
  std::vector<double> sums(metric.statistics(), 0.0);
  std::vector<double> line(metric.statistics());
  std::vector<std::string_view> views;
  size_t number = references.front().size();
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    views.assign(references[i].begin(), references[i].end());
    if (views.size() != number) number = 0;
    counter->set_references(views);
    counter->count(hypotheses[i], line);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += line[k];
  }
  CorpusCounts out = {std::move(sums), Signature(number)};
  metric.describe(out.signature);
  return out;
}

}  // namespace nmt::metrics
