#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "metrics/bleu.h"
#include "metrics/metric.h"

namespace nmt::metrics {

// A metric from its name and the arguments of sacreBLEU's class; nullptr for one that isn't known.
inline std::unique_ptr<Metric> metric_from_params(const std::string& name, const nlohmann::json& params) {
  if (name.starts_with("BLEU")) {
    BleuOptions options;
    for (const auto& [key, value] : params.items()) {
      if (key == "tokenize") options.tokenizer = parse_tokenizer(value.get<std::string>());
      if (key == "lowercase") options.lowercase = value.get<bool>();
      if (key == "smooth_method") options.smoothing = parse_smoothing(value.get<std::string>());
      if (key == "smooth_value" && !value.is_null()) options.smooth_value = value.get<double>();
      if (key == "max_ngram_order") options.max_ngram_order = value.get<int>();
      if (key == "effective_order") options.effective_order = value.get<bool>();
    }
    return std::make_unique<Bleu>(options);
  }
  return nullptr;
}

}  // namespace nmt::metrics
