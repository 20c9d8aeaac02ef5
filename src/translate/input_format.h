#pragma once

#include <cstdint>
#include <string>

#include "translate/translator.h"

namespace nmt {

// How the lines of the input say what is to be translated.
enum class InputFormat {
  kText,  // the line is the text
  kTsv,   // text, target prefix, and any number of constraints, divided by tabs
  kJsonl  // an object for each line, as {"text": "...", "prefix": "...", "constraints": ["..."]}; a blank line is blank
};

// "text", "tsv" or "jsonl". Throws UsageError for any other word.
InputFormat parse_input_format(const std::string& word);

// What line `number` (from 1) of `input` asks for. Of an object every key must be known, but for those that begin with
// "_". Throws DataError that begins with input:number.
LineRequest parse_line(const std::string& line, int64_t number, InputFormat format, const std::string& input);

}  // namespace nmt
