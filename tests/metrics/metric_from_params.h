#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/metric.h"
#include "metrics/ter.h"

namespace nmt::metrics {

// A metric from its name and the arguments of sacreBLEU's class.
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
  if (name.starts_with("chrF")) {
    ChrfOptions options;
    for (const auto& [key, value] : params.items()) {
      if (key == "char_order") options.char_order = value.get<int>();
      if (key == "word_order") options.word_order = value.get<int>();
      if (key == "beta") options.beta = value.get<int>();
      if (key == "whitespace") options.whitespace = value.get<bool>();
      if (key == "lowercase") options.lowercase = value.get<bool>();
      if (key == "eps_smoothing") options.eps_smoothing = value.get<bool>();
    }
    return std::make_unique<Chrf>(options);
  }
  TerOptions options;
  for (const auto& [key, value] : params.items()) {
    if (key == "normalized") options.normalized = value.get<bool>();
    if (key == "no_punct") options.no_punctuation = value.get<bool>();
    if (key == "asian_support") options.asian_support = value.get<bool>();
    if (key == "case_sensitive") options.case_sensitive = value.get<bool>();
  }
  return std::make_unique<Ter>(options);
}

}  // namespace nmt::metrics
