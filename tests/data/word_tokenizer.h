#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

namespace nmt::test {

// Words are numbers, and the number is the id: easy to check by hand.
class WordTokenizer : public Tokenizer {
 public:
  explicit WordTokenizer(int64_t vocab_size = 1000) : vocab_size_(vocab_size) {}

  std::vector<PieceId> encode(std::string_view text) const override {
    std::vector<PieceId> ids;
    if (is_blank(text)) return ids;
    for (const std::string& word : split(strip(text), ' ')) ids.push_back(std::stoi(word));
    return ids;
  }
  std::vector<TextSpan> piece_spans(std::string_view text) const override { return words_of(text); }
  std::vector<PieceId> resample(std::span<const PieceId> ids, double, uint64_t seed) const override {
    std::vector<PieceId> out(ids.begin(), ids.end());
    if (seed % 2 == 0) out.push_back(kUnkId);
    return out;
  }
  std::string decode(std::span<const PieceId>) const override { return ""; }
  DecodedLine decode_spans(std::span<const PieceId> ids) const override {
    return {"", std::vector<TextSpan>(ids.size())};
  }
  int64_t vocab_size() const override { return vocab_size_; }
  std::string piece(PieceId id) const override { return std::to_string(id); }
  const std::string& serialized() const override { return name_; }
  const std::string& digest() const override { return name_; }

 private:
  int64_t vocab_size_;
  std::string name_ = "words";
};

// Fails when a pair is cut anew.
class FailingTokenizer : public WordTokenizer {
 public:
  std::vector<PieceId> resample(std::span<const PieceId>, double, uint64_t) const override {
    throw std::runtime_error("no more");
  }
};

inline TokenizerPair word_tokenizers(int64_t vocab_size = 1000) {
  const auto both = std::make_shared<WordTokenizer>(vocab_size);
  return {both, both};
}

}  // namespace nmt::test
