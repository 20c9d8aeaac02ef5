#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt::metrics {

// How BLEU splits a line into words. BLEU figures compare only where this is the same, hence its name in signatures.
enum class BleuTokenizer {
  k13a,   // NIST's mteval-v13a.pl, WMT's choice: for languages with spaces
  kIntl,  // mteval-v14.pl --international-tokenization: by Unicode punctuation and symbols
  kChar,  // each code point that is no white space
  kNone,  // the text's own spaces: for text that is tokenized already
  kZh     // each Chinese character, the rest as 13a
};

// The name as written on the command line and in signatures.
const char* tokenizer_name(BleuTokenizer tokenizer);

// The reverse. Throws UsageError that lists the supported ones; tokenizers that only sacreBLEU has (ja-mecab,
// ko-mecab, spm, flores101, flores200, spBLEU-1K need dictionaries or model files) get an answer of their own.
BleuTokenizer parse_tokenizer(std::string_view name);

// Splits lines into words. The views of tokenize() live until its next call, or as long as `line`, whichever ends
// first.
class BleuWords {
 public:
  BleuWords(BleuTokenizer tokenizer, bool lowercase) : tokenizer_(tokenizer), lowercase_(lowercase) {}

  const std::vector<std::string_view>& tokenize(std::string_view line);

 private:
  void tokenize_13a(std::string_view line);
  void tokenize_intl(std::string_view line);
  void tokenize_char(std::string_view line);
  void tokenize_zh(std::string_view line);

  BleuTokenizer tokenizer_;
  bool lowercase_;
  std::string lowered_;
  std::string unescaped_;
  std::vector<std::string_view> words_;
};

}  // namespace nmt::metrics
