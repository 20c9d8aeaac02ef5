#pragma once

#include <string>
#include <string_view>
#include <vector>

// The word splitting of NIST's mteval-v13a.pl, on which the tokenizers 13a, zh and TER's normalisation are built.
namespace nmt::metrics {

// What the three users of the rules differ in.
struct WesternRules {
  // The line is taken to have a space at both ends, so that a full stop at the very end becomes a word of its own.
  bool padded = true;
  // "John's " is two words, "John" and "'s".
  bool possessive = false;
  // Code points beyond ASCII that are words of their own; nullptr for none.
  bool (*isolated)(char32_t) = nullptr;
};

// Splits `text` into words, appended to `out` as views into `text`. Written in the script as four substitutions, done
// here in one pass:
//   1. each ASCII symbol, except ' - . and the comma, is a word;
//   2. a stop (. or ,) is a word unless a digit stands before it; a stop that directly follows one split off by
//      this rule is left to rule 3, as the substitution has already used up the character before it;
//   3. a stop is a word unless a digit stands behind it;
//   4. a dash behind a digit is a word.
// Only ASCII digits count as digits.
void split_western(std::string_view text, const WesternRules& rules, std::vector<std::string_view>& out);

// `text` with `to` for each `from`, left to right.
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// Makes &quot; &amp; &lt; &gt; plain, in this order, each over the whole line ("&amp;lt;" becomes "<").
std::string unescape_entities(std::string_view text);

}  // namespace nmt::metrics
