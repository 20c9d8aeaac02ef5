#pragma once

#include <cstdint>
#include <string>

#include "search/score.h"
#include "translate/forced_decoder.h"

namespace nmt {

// How the scores of pairs of lines are written.
enum class ScoreFormat {
  kText,  // the log-probability
  kTsv,   // number, score, log-probability, predictions
  kJsonl  // an object with the same, and the tokens
};

// "text", "tsv" or "jsonl". Throws UsageError for any other word.
ScoreFormat parse_score_format(const std::string& word);

struct ScoreStyle {
  ScoreFormat format = ScoreFormat::kText;
  bool per_token = false;  // the log-probability of each target piece and of the end mark too
  ScoreRule rule;
};

// What is written for pair `number` (from 1), without the line end. Log-probabilities are natural logarithms; those of
// a pair that was too long are "nan", in JSON null.
std::string format_score(const ForcedPair& pair, int64_t number, const Tokenizer& target, const ScoreStyle& style);

}  // namespace nmt
