#include "translate/word_dictionary.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/words.h"
#include "text/normalize.h"

namespace nmt {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower;
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode code = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                            code);
  if (U_FAILURE(code)) throw InternalError(std::string("ICU can't lower a word: ") + u_errorName(code));
  return lower;
}

// What is wrong with a line of a dictionary; empty where nothing is.
std::string fault_of(const std::string& line, const std::vector<std::string>& cells) {
  if (find_invalid_utf8(line) != std::string_view::npos) return "is not UTF-8";
  if (cells.size() != 2) return "has " + std::to_string(cells.size()) + (cells.size() == 1 ? " column" : " columns");
  if (words_of(cells[0]).size() != 1) return "has no single word before the tab";
  return is_blank(cells[1]) ? "has no translation after the tab" : "";
}

}  // namespace

WordDictionary::WordDictionary(const std::string& path) {
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (is_blank(line)) continue;
    const std::vector<std::string> cells = split(line, '\t');
    if (const std::string fault = fault_of(line, cells); !fault.empty()) {
      throw DataError(reader.path() + ":" + std::to_string(reader.line_number()) + ": the line " + fault +
                      "; a dictionary has lines of a source word, a tab and its translation.");
    }
    translations_.emplace(normalize(cells[0], Normalization::kNfc), strip(cells[1]));
  }
  if (translations_.empty()) throw DataError("The dictionary " + reader.path() + " holds no words.");
}

std::optional<std::string> WordDictionary::find(std::string_view word) const {
  const std::string written = normalize(word, Normalization::kNfc);
  auto found = translations_.find(written);
  if (found == translations_.end()) found = translations_.find(lower_case(written));
  if (found == translations_.end()) return std::nullopt;
  return found->second;
}

}  // namespace nmt
