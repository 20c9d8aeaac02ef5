#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace nmt {

// Translations of single words, for what a model doesn't know.
class WordDictionary {
 public:
  // Reads lines of a source word, a tab and its translation (one or more words); plain or gzip. Blank lines are passed
  // over; the first of several translations of a word counts. Throws DataError that names file and line.
  explicit WordDictionary(const std::string& path);

  // The translation of a word as it is written, else of the word in lower case. Unicode forms (NFC, NFD) don't matter.
  std::optional<std::string> find(std::string_view word) const;

  size_t size() const { return translations_.size(); }

 private:
  std::unordered_map<std::string, std::string> translations_;  // by source word in NFC
};

}  // namespace nmt
