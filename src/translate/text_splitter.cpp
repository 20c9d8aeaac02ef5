#include "translate/text_splitter.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "text/sentences.h"

namespace nmt {

namespace {

// Places to cut, from the best to the last resort.
enum class Level { kSentence, kPunctuation, kLineBreak, kCharacter };

std::unique_ptr<icu::BreakIterator> make_iterator(Level level) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale& root = icu::Locale::getRoot();
  std::unique_ptr<icu::BreakIterator> iterator;
  switch (level) {
    case Level::kSentence:
    case Level::kPunctuation:
    case Level::kLineBreak: iterator.reset(icu::BreakIterator::createLineInstance(root, status)); break;
    case Level::kCharacter: iterator.reset(icu::BreakIterator::createCharacterInstance(root, status)); break;
  }
  if (U_FAILURE(status)) throw InternalError(std::string("ICU's text segmentation fails: ") + u_errorName(status));
  return iterator;
}

bool ends_with_punctuation(std::string_view text) {
  const std::string_view shown = strip(text);
  if (shown.empty()) return false;
  auto at = static_cast<int32_t>(shown.size());
  UChar32 last;
  U8_PREV(shown.data(), 0, at, last);
  return last >= 0 && u_ispunct(last) != 0;
}

// The text between the places to cut of one level, white space included.
std::vector<std::string_view> pieces_between_breaks(std::string_view text, Level level) {
  if (level == Level::kSentence) return sentences_of(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> iterator = make_iterator(level);
  UText* view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status);
  iterator->setText(view, status);
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    const std::string_view part = text.substr(begin, static_cast<size_t>(at) - begin);
    if (level == Level::kPunctuation && static_cast<size_t>(at) < text.size() && !ends_with_punctuation(part)) continue;
    parts.push_back(part);
    begin = static_cast<size_t>(at);
  }
  utext_close(view);
  if (U_FAILURE(status)) throw InternalError(std::string("ICU's text segmentation fails: ") + u_errorName(status));
  return parts;
}

class Splitter {
 public:
  Splitter(int64_t limit, const std::function<int64_t(std::string_view)>& count_pieces)
      : limit_(std::max<int64_t>(limit, 1)), count_pieces_(count_pieces) {}

  void split(std::string_view text, Level level) {
    const int64_t pieces = count(text);
    if (pieces <= limit_) {
      parts_.push_back(text);
    } else if (level == Level::kCharacter) {
      cut_evenly(text, pieces);
    } else {
      pack(text, pieces, level);
    }
  }

  const std::vector<std::string_view>& parts() const { return parts_; }

 private:
  int64_t count(std::string_view text) const {
    if (stop_requested()) throw InterruptedError("Interrupted while splitting a line.");
    return count_pieces_(text);
  }

  // Puts as many neighbours together as fit. A part counts less inside a text than alone, so counts are scaled.
  void pack(std::string_view text, int64_t pieces, Level level) {
    const Level next = static_cast<Level>(static_cast<int>(level) + 1);
    const std::vector<std::string_view> atoms = pieces_between_breaks(text, level);
    if (atoms.size() < 2) return split(text, next);
    std::vector<double> counts;
    double sum = 0;
    for (const std::string_view atom : atoms) {
      counts.push_back(static_cast<double>(count(atom)));
      sum += counts.back();
    }
    const double scale = static_cast<double>(pieces) / std::max(sum, 1.0);
    std::string_view open;
    double open_count = 0;
    for (size_t i = 0; i < atoms.size(); ++i) {
      const double here = counts[i] * scale;
      if (!open.empty() && open_count + here > static_cast<double>(limit_)) {
        close(open, open_count, next);
        open = {};
        open_count = 0;
      }
      open = open.empty() ? atoms[i] : std::string_view(open.data(), open.size() + atoms[i].size());
      open_count += here;
    }
    close(open, open_count, next);
  }

  void close(std::string_view text, double pieces, Level next) {
    if (text.empty()) return;
    if (pieces > static_cast<double>(limit_)) {
      split(text, next);
    } else {
      parts_.push_back(text);
    }
  }

  void cut_evenly(std::string_view text, int64_t pieces) {
    const std::vector<std::string_view> characters = pieces_between_breaks(text, Level::kCharacter);
    const auto parts = std::min(static_cast<size_t>((pieces + limit_ - 1) / limit_), characters.size());
    for (size_t i = 0; i < parts; ++i) {
      const char* begin = characters[i * characters.size() / parts].data();
      const std::string_view last = characters[(i + 1) * characters.size() / parts - 1];
      parts_.emplace_back(begin, static_cast<size_t>(last.data() + last.size() - begin));
    }
  }

  int64_t limit_;
  const std::function<int64_t(std::string_view)>& count_pieces_;
  std::vector<std::string_view> parts_;
};

}  // namespace

std::vector<TextPart> split_text(std::string_view text, int64_t limit,
                                 const std::function<int64_t(std::string_view)>& count_pieces, Sentences sentences) {
  Splitter splitter(limit, count_pieces);
  if (sentences == Sentences::kTogether) {
    splitter.split(text, Level::kSentence);
  } else {
    for (const std::string_view sentence : sentences_of(text)) splitter.split(sentence, Level::kPunctuation);
  }
  std::vector<TextPart> parts;
  const char* end_before = text.data();
  for (const std::string_view part : splitter.parts()) {
    const std::string_view shown = strip(part);
    if (shown.empty()) continue;
    parts.push_back({shown, !parts.empty() && shown.data() != end_before});
    end_before = shown.data() + shown.size();
  }
  return parts;
}

}  // namespace nmt
