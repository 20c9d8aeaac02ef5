#include "translate/output_format.h"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/strings.h"
#include "translate/number_text.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kFormatNames = {"text", "tsv", "jsonl", "marian-n-best"};

// One row for each translation, joined by line ends.
std::string rows(const Translation& translation, const std::function<std::string(size_t)>& row) {
  std::string all;
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    if (i > 0) all += '\n';
    all += row(i);
  }
  return all;
}

Json alignment_json(const std::vector<WordLink>& links) {
  Json json = Json::array();
  for (const WordLink& link : links) json.push_back({link.source, link.target});
  return json;
}

Json shown_numbers(const std::vector<float>& numbers) {
  Json json = Json::array();
  for (const float number : numbers) json.push_back(shown_number(number));
  return json;
}

Json shown_rows(const std::vector<std::vector<float>>& rows) {
  Json json = Json::array();
  for (const std::vector<float>& row : rows) json.push_back(shown_numbers(row));
  return json;
}

Json hypothesis_json(const TranslatedSegment& segment, size_t i) {
  const Hypothesis& one = segment.hypotheses[i];
  Json json = {{"text", segment.texts[i]},
               {"score", shown_number(one.score)},
               {"log_prob", shown_number(one.log_prob)},
               {"finished", one.finished},
               {"pieces", one.pieces}};
  for (const int32_t phrase : one.missing) json["missing"].push_back(segment.constraints[static_cast<size_t>(phrase)]);
  if (!one.piece_log_probs.empty()) json["piece_log_probs"] = shown_numbers(one.piece_log_probs);
  if (!one.attention.empty()) json["attention"] = shown_rows(one.attention);
  if (!segment.word_attention.empty()) json["word_attention"] = shown_rows(segment.word_attention[i]);
  return json;
}

std::string json_line(const Translation& translation, int64_t number) {
  Json json = {{"translations", Json::array()}, {"segments", Json::array()}};
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    Json one = {{"text", translation.texts[i]},
                {"score", shown_number(translation.scores[i])},
                {"log_prob", shown_number(translation.log_probs[i])}};
    if (!translation.alignments.empty()) one["alignment"] = alignment_json(translation.alignments[i]);
    json["translations"].push_back(std::move(one));
  }
  for (const TranslatedSegment& segment : translation.segments) {
    Json part = {{"source", segment.source}, {"source_pieces", segment.source_pieces}, {"hypotheses", Json::array()}};
    for (size_t i = 0; i < segment.hypotheses.size(); ++i) part["hypotheses"].push_back(hypothesis_json(segment, i));
    json["segments"].push_back(std::move(part));
  }
  // The id as it came in: parsed, a long number would lose digits.
  const std::string id = translation.id.empty() ? "" : ",\"id\":" + translation.id;
  return "{\"line\":" + std::to_string(number) + id + "," +
         json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(1);
}

// A tab in a text would look like the end of its column.
std::string without_tabs(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
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
  const auto alignment = [&](size_t i, const char* separator) {
    return translation.alignments.empty() ? "" : separator + pharaoh(translation.alignments[i]);
  };
  switch (format) {
    case OutputFormat::kText: return translation.text() + alignment(0, " ||| ");
    case OutputFormat::kTsv:
      return rows(translation, [&](size_t i) {
        return std::to_string(number) + '\t' + std::to_string(i + 1) + '\t' + score(i) + '\t' + log_prob(i) + '\t' +
               without_tabs(translation.texts[i]) + alignment(i, "\t");
      });
    case OutputFormat::kMarianNBest:
      return rows(translation, [&](size_t i) {
        return std::to_string(number - 1) + " ||| " + translation.texts[i] + alignment(i, " ||| ") +
               " ||| F0= " + log_prob(i) + " ||| " + score(i);
      });
    case OutputFormat::kJsonl: return json_line(translation, number);
  }
  throw InternalError("An output format without a name.");
}

}  // namespace nmt
