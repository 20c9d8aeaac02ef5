#include "translate/score_format.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/strings.h"
#include "translate/number_text.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEndMark = "</s>";

// Of the predictions: the target's pieces and the end mark.
std::vector<std::string> tokens_of(const ForcedPair& pair, const Tokenizer& target) {
  std::vector<std::string> tokens;
  if (pair.piece_log_probs.empty()) return tokens;
  for (const PieceId id : pair.target_pieces) tokens.push_back(target.piece(id));
  tokens.emplace_back(kEndMark);
  return tokens;
}

std::string token_log_probs(const ForcedPair& pair) {
  std::vector<std::string> numbers;
  for (const float log_prob : pair.piece_log_probs) numbers.push_back(number_text(log_prob));
  return join(numbers, " ");
}

std::string json_line(const ForcedPair& pair, int64_t number, const Tokenizer& target, const ScoreStyle& style) {
  Json json = {{"line", number}, {"log_prob", nullptr}, {"score", nullptr}, {"length", pair.predictions()}};
  if (pair.too_long) {
    json["too_long"] = true;
  } else {
    json["log_prob"] = shown_number(pair.log_prob);
    json["score"] = shown_number(pair.score(style.rule));
  }
  if (style.per_token) {
    json["tokens"] = Json::array();
    const std::vector<std::string> tokens = tokens_of(pair, target);
    for (size_t i = 0; i < tokens.size(); ++i) {
      json["tokens"].push_back({{"piece", tokens[i]}, {"log_prob", shown_number(pair.piece_log_probs[i])}});
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

ScoreFormat parse_score_format(const std::string& word) {
  if (word == "text") return ScoreFormat::kText;
  if (word == "tsv") return ScoreFormat::kTsv;
  if (word == "jsonl") return ScoreFormat::kJsonl;
  throw UsageError("There is no format '" + word + "' of scores; there are text, tsv and jsonl.");
}

std::string format_score(const ForcedPair& pair, int64_t number, const Tokenizer& target, const ScoreStyle& style) {
  if (style.format == ScoreFormat::kJsonl) return json_line(pair, number, target, style);
  const auto shown = [&](double value) {
    return number_text(pair.too_long ? std::numeric_limits<double>::quiet_NaN() : value);
  };
  std::string line = shown(pair.log_prob);
  if (style.format == ScoreFormat::kTsv) {
    line = std::to_string(number) + '\t' + shown(pair.score(style.rule)) + '\t' + line + '\t' +
           std::to_string(pair.predictions());
    if (style.per_token) line += '\t' + join(tokens_of(pair, target), " ");
  }
  if (style.per_token) line += '\t' + token_log_probs(pair);
  return line;
}

}  // namespace nmt
