#include "cli/corpus_profile.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"

namespace nmt {

namespace {

struct LineCounts {
  int64_t characters = 0;  // without white space
  int64_t words = 0;
};

LineCounts count_line(const std::string& line, TextProfile& profile) {
  LineCounts counts;
  bool in_word = false;
  for (int32_t at = 0; at < static_cast<int32_t>(line.size());) {
    UChar32 c;
    U8_NEXT(line.data(), at, static_cast<int32_t>(line.size()), c);
    const bool space = u_isUWhiteSpace(c);
    counts.characters += !space;
    counts.words += !space && !in_word;
    in_word = !space;
    if (u_isalpha(c)) ++profile.letters[static_cast<char32_t>(c)];
  }
  return counts;
}

}  // namespace

TextProfile profile_text(const std::string& path) {
  constexpr size_t kLongest = 10000;
  TextProfile profile;
  std::vector<int64_t> lines_of_length(kLongest + 1);
  int64_t characters = 0, words = 0;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (find_invalid_utf8(line) != std::string::npos) {
      throw DataError(path + ":" + std::to_string(reader.line_number()) + ": not UTF-8.");
    }
    const LineCounts counts = count_line(line, profile);
    characters += counts.characters;
    words += counts.words;
    profile.blank_lines += counts.characters == 0;
    ++lines_of_length[std::min(static_cast<size_t>(counts.characters), kLongest)];
  }
  profile.lines = reader.line_number();
  profile.characters_per_word = words == 0 ? 0 : static_cast<double>(characters) / static_cast<double>(words);
  const int64_t wanted = profile.lines - profile.lines / 100;
  int64_t seen = 0;
  for (size_t length = 0; length <= kLongest && seen < wanted; ++length) {
    seen += lines_of_length[length];
    profile.long_line_characters = static_cast<int64_t>(length);
  }
  return profile;
}

double shared_letters(const TextProfile& text, const TextProfile& other) {
  int64_t all = 0, shared = 0;
  for (const auto& [letter, times] : text.letters) {
    all += times;
    if (other.letters.contains(letter)) shared += times;
  }
  return all == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(all);
}

}  // namespace nmt
