#pragma once

#include <cstdint>
#include <string>

#include "translate/translation.h"

namespace nmt {

// How the translations of a line are written.
enum class OutputFormat {
  kText,         // the best translation alone; with an alignment "text ||| 0-0 1-2"
  kTsv,          // number, rank, score, log-probability, text (and alignment): a row for each translation
  kJsonl,        // one JSON object for each line, with everything known
  kMarianNBest,  // "number ||| text ||| F0= log-probability ||| score", the number from 0: a row for each translation;
                 // an alignment stands after the text
};

// "text", "tsv", "jsonl" or "marian-n-best". Throws UsageError for any other word.
OutputFormat parse_output_format(const std::string& word);

// What is written for line `number` (from 1), without the last line end. Log-probabilities are natural logarithms.
std::string format_translation(const Translation& translation, int64_t number, OutputFormat format);

}  // namespace nmt
