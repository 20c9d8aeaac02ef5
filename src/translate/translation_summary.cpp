#include "translate/translation_summary.h"

#include <algorithm>
#include <cstdio>

#include "base/counted.h"
#include "base/log.h"
#include "base/shorten.h"
#include "base/strings.h"
#include "text/byte_pieces.h"

namespace nmt {

namespace {

constexpr int64_t kLinesNamed = 5;
constexpr size_t kPhrasesNamed = 3;
constexpr int64_t kPiecesToJudge = 50;  // below it a rate of odd pieces says nothing
constexpr double kManyOddPieces = 0.2;

std::string one_decimal(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number < 100 ? "%.1f" : "%.0f", number);
  return text;
}

// "'green tea' and 'cup'", of many the first few.
std::string names_of(const std::vector<std::string>& phrases) {
  std::vector<std::string> names;
  for (const std::string& phrase : phrases) {
    if (names.size() == kPhrasesNamed) {
      names.push_back(with_thousands(static_cast<int64_t>(phrases.size() - kPhrasesNamed)) + " more");
      break;
    }
    names.push_back("'" + shortened(phrase) + "'");
  }
  return join(names, " and ");
}

void append_count(std::string& text, int64_t lines, const char* what) {
  if (lines > 0) text += "; " + counted(lines, "line") + " " + what;
}

}  // namespace

TranslationSummary::TranslationSummary(const Tokenizer& source) : odd_(static_cast<size_t>(source.vocab_size())) {
  for (size_t id = 0; id < odd_.size(); ++id) {
    const auto piece = static_cast<PieceId>(id);
    odd_[id] = piece == kUnkId || is_byte_piece(source.piece(piece));
  }
}

void TranslationSummary::Note::add(int64_t number, const std::string& what) {
  if (++lines <= kLinesNamed) log::warn("Line {}: {}.", number, what);
  if (lines == kLinesNamed) log::warn("Further lines of this kind are only counted.");
}

void TranslationSummary::add(int64_t number, const std::string& line, const Translation& translation) {
  ++lines_;
  segmented_.add(line);
  if (translation.segments.empty()) ++blank_lines_;
  source_pieces_ += translation.source_pieces();
  target_pieces_ += translation.target_pieces();
  for (const TranslatedSegment& segment : translation.segments) {
    odd_pieces_ += std::count_if(segment.source_pieces.begin(), segment.source_pieces.end(),
                                 [this](PieceId piece) { return odd_[static_cast<size_t>(piece)]; });
  }
  if (translation.replaced_utf8 > 0) {
    replaced_.add(number, "bytes that are not UTF-8 became U+FFFD in " + counted(translation.replaced_utf8, "place"));
  }
  if (translation.split() && !translation.too_long) ++several_sentences_;
  if (translation.split() && translation.too_long) {
    split_.add(number, "with " + counted(translation.source_pieces(), "piece") +
                           " it was too long and was translated in " +
                           counted(std::ssize(translation.segments), "part"));
  }
  if (translation.cut()) cut_.add(number, "its translation reached the length limit without an end");
  if (const std::vector<std::string> missing = translation.missing(); !missing.empty()) {
    missing_.add(number, "its translation lacks " + names_of(missing) + ", which must appear");
  }
}

std::string TranslationSummary::text(double seconds) const {
  std::string text = counted(lines_, "line");
  if (blank_lines_ > 0) text += " (" + with_thousands(blank_lines_) + " blank)";
  text += ", " + with_thousands(source_pieces_) + " source and " + with_thousands(target_pieces_) +
          " target pieces in " + format_duration(seconds);
  if (seconds > 0) {
    text += ": " + one_decimal(static_cast<double>(lines_) / seconds) + " lines/s, " +
            one_decimal(static_cast<double>(target_pieces_) / seconds) + " target pieces/s";
  }
  append_count(text, split_.lines, "too long and translated in parts");
  append_count(text, several_sentences_, "of several sentences, translated one by one");
  append_count(text, cut_.lines, "cut at the length limit");
  append_count(text, missing_.lines, "without a phrase that must appear");
  append_count(text, replaced_.lines, "with bytes that were not UTF-8");
  return text + ".";
}

std::vector<std::string> TranslationSummary::warnings(const std::string& input_name) const {
  std::vector<std::string> warnings;
  if (std::string segmented = segmented_.warning(input_name); !segmented.empty()) {
    warnings.push_back(std::move(segmented));
  }
  const double share = static_cast<double>(odd_pieces_) / static_cast<double>(std::max<int64_t>(source_pieces_, 1));
  if (source_pieces_ >= kPiecesToJudge && share >= kManyOddPieces) {
    warnings.push_back(one_decimal(100 * share) + "% of the source pieces of " + input_name +
                       " are unknown or single bytes: is it the language, the script and the raw text that the model "
                       "was trained on?");
  }
  return warnings;
}

}  // namespace nmt
