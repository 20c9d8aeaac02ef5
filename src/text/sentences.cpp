#include "text/sentences.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/ures.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_set>

#include "base/error.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/words.h"

namespace nmt {

namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status)) throw InternalError(std::string("ICU's text segmentation fails: ") + u_errorName(status));
}

// "Prof.", not "on." or "cat.", which are words in other languages than the one that they are abbreviations in.
bool has_a_capital_alone(const std::string& abbreviation) {
  const CodePoint first = code_point_at(abbreviation, 0);
  if (first.bytes >= abbreviation.size()) return false;
  return u_isupper(first.value) && u_islower(code_point_at(abbreviation, first.bytes).value);
}

void add_abbreviations(const char* language, std::unordered_set<std::string>& all) {
  UErrorCode status = U_ZERO_ERROR;
  UResourceBundle* breaks = ures_open(U_ICUDATA_NAME "-brkitr", language, &status);
  UResourceBundle* exceptions = ures_getByKey(breaks, "exceptions", nullptr, &status);
  UResourceBundle* list = ures_getByKey(exceptions, "SentenceBreak", nullptr, &status);
  for (int32_t i = 0; U_SUCCESS(status) && i < ures_getSize(list); ++i) {
    char text[64];
    int32_t length = sizeof text;
    UErrorCode too_long = U_ZERO_ERROR;
    ures_getUTF8StringByIndex(list, i, text, &length, true, &too_long);
    if (U_SUCCESS(too_long) && has_a_capital_alone(text)) all.insert(text);
  }
  ures_close(list);
  ures_close(exceptions);
  ures_close(breaks);
}

// Those of all languages that ICU has any of: a text doesn't say its language. None where its data lack them.
const std::unordered_set<std::string>& abbreviations() {
  static const std::unordered_set<std::string> all = [] {
    std::unordered_set<std::string> found;
    for (const char* language : {"de", "en", "es", "fr", "it", "pt", "ru"}) add_abbreviations(language, found);
    return found;
  }();
  return all;
}

// "Mrs", "vgl": nothing that can be spoken. All in capitals ("TV") it is a name.
bool lacks_vowels(const std::string& word) {
  constexpr std::string_view kConsonants = "bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ";
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return word.find_first_not_of(kConsonants) == std::string::npos && std::any_of(word.begin(), word.end(), is_small);
}

// "3.", "J.", "U.S.", "Ph.D.", "Mrs." or "Prof.": the last word's full stop need not be the sentence's.
bool ends_in_abbreviation(std::string_view sentence) {
  std::string_view shown = strip(sentence);
  if (!shown.ends_with('.')) return false;
  shown.remove_suffix(1);
  if (shown.empty()) return false;
  const std::string word(part_of(shown, words_of(shown).back()));
  const std::vector<std::string> parts = split(word, '.');
  const auto is_digit = [](unsigned char c) { return c >= '0' && c <= '9'; };
  if (parts.size() == 1 && std::all_of(word.begin(), word.end(), is_digit)) return true;
  const auto is_short = [&](const std::string& part) {
    const size_t letters = count_code_points(part);
    return letters == 1 || (letters == 2 && parts.size() > 1);
  };
  return std::all_of(parts.begin(), parts.end(), is_short) || lacks_vowels(word) ||
         abbreviations().contains(word + ".");
}

}  // namespace

std::vector<std::string_view> sentences_of(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  thread_local const std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  check(status);
  UText* const view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status);
  iterator->setText(view, status);
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  for (int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    const auto end = static_cast<size_t>(at);
    const std::string_view sentence = text.substr(begin, end - begin);
    if (end < text.size() && ends_in_abbreviation(sentence)) continue;
    sentences.push_back(sentence);
    begin = end;
  }
  utext_close(view);
  check(status);
  return sentences;
}

}  // namespace nmt
