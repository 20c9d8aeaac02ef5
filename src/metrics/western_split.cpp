#include "metrics/western_split.h"

#include <array>

#include "metrics/unicode.h"

namespace nmt::metrics {

namespace {

enum class ByteClass : unsigned char { kPlain, kSpace, kSymbol, kStop, kDash, kDigit, kApostrophe, kWide };

constexpr std::array<ByteClass, 256> make_classes() {
  std::array<ByteClass, 256> classes = {};
  for (int c = 0; c < 256; ++c) {
    ByteClass& out = classes[static_cast<size_t>(c)];
    if (c >= 0x80) out = ByteClass::kWide;
    if ((c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20)) out = ByteClass::kSpace;
    if ((c > 0x20 && c <= '&') || (c >= '(' && c <= '+') || c == '/') out = ByteClass::kSymbol;
    if ((c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~')) out = ByteClass::kSymbol;
    if (c >= '0' && c <= '9') out = ByteClass::kDigit;
    if (c == '.' || c == ',') out = ByteClass::kStop;
    if (c == '-') out = ByteClass::kDash;
    if (c == '\'') out = ByteClass::kApostrophe;
  }
  return classes;
}

constexpr std::array<ByteClass, 256> kClasses = make_classes();

ByteClass class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

class WesternSplitter {
 public:
  WesternSplitter(std::string_view text, const WesternRules& rules, std::vector<std::string_view>& out)
      : text_(text), rules_(rules), out_(out), has_before_(rules.padded) {}

  void run() {
    while (at_ < text_.size()) {
      const ByteClass kind = class_of(text_[at_]);
      bool split_off = false;
      switch (kind) {
        case ByteClass::kPlain:
        case ByteClass::kDigit: ++at_; break;
        case ByteClass::kSpace: skip(1); break;
        case ByteClass::kSymbol: cut(1); break;
        case ByteClass::kStop: split_off = stop(); break;
        case ByteClass::kDash: before_ == ByteClass::kDigit ? cut(1) : step(1); break;
        case ByteClass::kApostrophe: apostrophe(); break;
        case ByteClass::kWide: wide(); break;
      }
      before_ = kind;
      before_split_off_ = split_off;
      has_before_ = true;
    }
    finish_word();
  }

 private:
  void step(size_t bytes) { at_ += bytes; }

  void finish_word() {
    if (begin_ < at_) out_.push_back(text_.substr(begin_, at_ - begin_));
  }

  // Ends the word before and leaves out the next `bytes`.
  void skip(size_t bytes) {
    finish_word();
    begin_ = at_ += bytes;
  }

  // Ends the word before and makes the next `bytes` a word.
  void cut(size_t bytes) {
    finish_word();
    out_.push_back(text_.substr(at_, bytes));
    begin_ = at_ += bytes;
  }

  // Rules 2 and 3; returns whether rule 2 applied.
  bool stop() {
    const bool rule2 =
        has_before_ && before_ != ByteClass::kDigit && !(before_ == ByteClass::kStop && before_split_off_);
    const bool rule3 = at_ + 1 < text_.size() ? class_of(text_[at_ + 1]) != ByteClass::kDigit : rules_.padded;
    if (rule2 || rule3) {
      cut(1);
    } else {
      step(1);
    }
    return rule2;
  }

  void apostrophe() {
    if (rules_.possessive && at_ + 1 < text_.size() && text_[at_ + 1] == 's') {
      const bool at_end = at_ + 2 == text_.size();
      if (at_end || text_[at_ + 2] == ' ' || class_of(text_[at_ + 2]) == ByteClass::kSymbol) skip(0);
    }
    step(1);
  }

  void wide() {
    if (const size_t space = space_bytes(text_, at_)) {
      skip(space);
      return;
    }
    size_t end = at_;
    const char32_t c = next_code_point(text_, end);
    if (rules_.isolated != nullptr && rules_.isolated(c)) {
      cut(end - at_);
    } else {
      at_ = end;
    }
  }

  std::string_view text_;
  const WesternRules& rules_;
  std::vector<std::string_view>& out_;
  size_t at_ = 0;
  size_t begin_ = 0;  // of the word being read
  ByteClass before_ = ByteClass::kSpace;
  bool has_before_;                // false only at the start of a line that isn't padded
  bool before_split_off_ = false;  // the character before is a stop that rule 2 split off
};

}  // namespace

void split_western(std::string_view text, const WesternRules& rules, std::vector<std::string_view>& out) {
  WesternSplitter(text, rules, out).run();
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  size_t at = 0;
  for (size_t found = text.find(from); found != std::string_view::npos; found = text.find(from, at)) {
    out.append(text.substr(at, found - at)).append(to);
    at = found + from.size();
  }
  return out.append(text.substr(at));
}

std::string unescape_entities(std::string_view text) {
  std::string out = replace_all(text, "&quot;", "\"");
  out = replace_all(out, "&amp;", "&");
  out = replace_all(out, "&lt;", "<");
  return replace_all(out, "&gt;", ">");
}

}  // namespace nmt::metrics
