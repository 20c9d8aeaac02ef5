#include "translate/output_format.h"

#include <array>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/strings.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kFormatNames = {"text", "tsv", "jsonl", "marian-n-best"};

// The shortest decimal that reads back as the same double.
std::string number_text(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

// One row for each translation, joined by line ends.
std::string rows(const Translation& translation, const std::function<std::string(size_t)>& row) {
  std::string all;
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    if (i > 0) all += '\n';
    all += row(i);
  }
  return all;
}

Json hypothesis_json(const TranslatedSegment& segment, size_t i) {
  const Hypothesis& one = segment.hypotheses[i];
  Json json = {{"text", segment.texts[i]},
               {"score", one.score},
               {"log_prob", one.log_prob},
               {"finished", one.finished},
               {"pieces", one.pieces}};
  for (const int32_t phrase : one.missing) json["missing"].push_back(segment.constraints[static_cast<size_t>(phrase)]);
  if (!one.piece_log_probs.empty()) json["piece_log_probs"] = one.piece_log_probs;
  if (!one.attention.empty()) json["attention"] = one.attention;
  return json;
}

std::string json_line(const Translation& translation, int64_t number) {
  Json json = {{"line", number}};
  if (!translation.id.empty()) json["id"] = Json::parse(translation.id);
  json["translations"] = Json::array();
  json["segments"] = Json::array();
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    json["translations"].push_back(
        {{"text", translation.texts[i]}, {"score", translation.scores[i]}, {"log_prob", translation.log_probs[i]}});
  }
  for (const TranslatedSegment& segment : translation.segments) {
    Json part = {{"source", segment.source}, {"source_pieces", segment.source_pieces}, {"hypotheses", Json::array()}};
    for (size_t i = 0; i < segment.hypotheses.size(); ++i) part["hypotheses"].push_back(hypothesis_json(segment, i));
    json["segments"].push_back(std::move(part));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

OutputFormat parse_output_format(const std::string& word) {
  for (size_t i = 0; i < kFormatNames.size(); ++i) {
    if (word == kFormatNames[i]) return static_cast<OutputFormat>(i);
  }
  const std::vector<std::string> names(kFormatNames.begin(), kFormatNames.end());
  throw UsageError("There is no output format '" + word + "'; there are " + join(names, ", ") + "." +
                   did_you_mean(word, names));
}

std::string format_translation(const Translation& translation, int64_t number, OutputFormat format) {
  const auto score = [&](size_t i) { return number_text(translation.scores[i]); };
  const auto log_prob = [&](size_t i) { return number_text(translation.log_probs[i]); };
  switch (format) {
    case OutputFormat::kText: return translation.text();
    case OutputFormat::kTsv:
      return rows(translation, [&](size_t i) {
        return std::to_string(number) + '\t' + std::to_string(i + 1) + '\t' + score(i) + '\t' + log_prob(i) + '\t' +
               translation.texts[i];
      });
    case OutputFormat::kMarianNBest:
      return rows(translation, [&](size_t i) {
        return std::to_string(number - 1) + " ||| " + translation.texts[i] + " ||| F0= " + log_prob(i) + " ||| " +
               score(i);
      });
    case OutputFormat::kJsonl: return json_line(translation, number);
  }
  throw InternalError("An output format without a name.");
}

}  // namespace nmt
