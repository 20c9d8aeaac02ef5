#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "text/tokenizer.h"
#include "translate/search_engine.h"

namespace nmt::test {

// Each byte is a piece.
class ByteTokenizer : public Tokenizer {
 public:
  std::vector<PieceId> encode(std::string_view text) const override {
    std::vector<PieceId> pieces;
    for (const char c : strip(text))
      pieces.push_back(static_cast<PieceId>(kSpecialPieces + static_cast<unsigned char>(c)));
    return pieces;
  }
  std::vector<TextSpan> piece_spans(std::string_view text) const override {
    std::vector<TextSpan> spans;
    const std::string_view kept = strip(text);
    const auto first = static_cast<size_t>(kept.data() - text.data());
    for (size_t i = 0; i < kept.size(); ++i) spans.push_back({first + i, first + i + 1});
    return spans;
  }
  std::vector<PieceId> resample(std::span<const PieceId> ids, double, uint64_t) const override {
    return {ids.begin(), ids.end()};
  }
  std::string decode(std::span<const PieceId> ids) const override {
    std::string text;
    for (const PieceId id : ids) {
      if (id >= kSpecialPieces) text += static_cast<char>(id - kSpecialPieces);
    }
    return text;
  }
  DecodedLine decode_spans(std::span<const PieceId> ids) const override {
    DecodedLine line;
    for (const PieceId id : ids) {
      const size_t begin = line.text.size();
      if (id >= kSpecialPieces) line.text += static_cast<char>(id - kSpecialPieces);
      line.spans.push_back({begin, line.text.size()});
    }
    return line;
  }
  int64_t vocab_size() const override { return kSpecialPieces + 256; }
  std::string piece(PieceId id) const override {
    return id == kSpecialPieces + 0xff ? "<0xFF>" : std::string("p").append(std::to_string(id));
  }
  const std::string& digest() const override { return digest_; }
  const std::string& serialized() const override { return digest_; }

 private:
  std::string digest_ = "bytes";
};

inline TokenizerPair byte_tokenizers() {
  const auto tokenizer = std::make_shared<ByteTokenizer>();
  return {tokenizer, tokenizer};
}

// Translates each source by a function of its own pieces and request, and notes what it was asked for.
class FakeEngine : public SearchEngine {
 public:
  using Translate = std::function<std::vector<Hypothesis>(const std::vector<PieceId>&, const SentenceRequest&)>;

  explicit FakeEngine(Translate translate = copy) : translate_(std::move(translate)) {}

  static std::vector<Hypothesis> copy(const std::vector<PieceId>& source, const SentenceRequest&) {
    Hypothesis hypothesis;
    hypothesis.pieces = source;
    hypothesis.log_prob = -1;
    hypothesis.score = -0.5;
    return {hypothesis};
  }

  std::vector<std::vector<Hypothesis>> search(const SearchTask& task, const SearchOptions&) const override {
    if (task.sources.size() > memory_for) throw std::bad_alloc();
    std::vector<std::vector<Hypothesis>> all;
    for (size_t i = 0; i < task.sources.size(); ++i) all.push_back(translate_(task.sources[i], task.requests.at(i)));
    const std::lock_guard<std::mutex> lock(mutex_);
    batch_sizes.push_back(task.sources.size());
    for (size_t i = 0; i < task.sources.size(); ++i) {
      longest = std::max(longest, task.sources[i].size());
      keys.push_back(task.requests[i].sampling_key);
    }
    return all;
  }

  size_t memory_for = 1000000;  // sentences
  mutable std::vector<size_t> batch_sizes;
  mutable std::vector<uint64_t> keys;
  mutable size_t longest = 0;

 private:
  Translate translate_;
  mutable std::mutex mutex_;
};

}  // namespace nmt::test
