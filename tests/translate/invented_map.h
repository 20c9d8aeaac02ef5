#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "translate/attention_map.h"

namespace nmt::test {

// A map of these words, strong along the diagonal.
inline AttentionMap invented_map(const std::vector<std::string>& source, const std::vector<std::string>& target,
                                 const std::string& model = "a model") {
  AttentionMap map;
  map.model = model;
  for (const std::string& word : source) map.source += (map.source.empty() ? "" : " ") + word;
  for (const std::string& word : target) map.target += (map.target.empty() ? "" : " ") + word;
  map.source_labels = source;
  map.target_labels = target;
  map.source_labels.emplace_back("</s>");
  map.target_labels.emplace_back("</s>");
  for (size_t t = 0; t < map.target_labels.size(); ++t) {
    std::vector<float>& row = map.weights.emplace_back();
    float sum = 0;
    for (size_t s = 0; s < map.source_labels.size(); ++s) {
      const double place = double(t) * double(map.source_labels.size()) / double(map.target_labels.size());
      row.push_back(static_cast<float>(std::exp(-std::pow(double(s) - place, 2))));
      sum += row.back();
    }
    for (float& weight : row) weight /= sum;
  }
  return map;
}

}  // namespace nmt::test
