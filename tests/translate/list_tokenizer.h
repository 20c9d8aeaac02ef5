#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fakes.h"

namespace nmt::test {

// Pieces given as a list, "▁" being a blank; text is cut into the longest ones, from the left.
class ListTokenizer : public ByteTokenizer {
 public:
  explicit ListTokenizer(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::vector<PieceId> encode(std::string_view given) const override {
    std::string text = is_blank(given) ? "" : "\u2581" + std::string(strip(given));
    for (size_t at = 0; (at = text.find(' ', at)) != std::string::npos;) text.replace(at, 1, "\u2581");
    std::vector<PieceId> ids;
    for (size_t at = 0; at < text.size();) {
      size_t best = pieces_.size();
      for (size_t i = 0; i < pieces_.size(); ++i) {
        const bool fits = text.compare(at, pieces_[i].size(), pieces_[i]) == 0;
        if (fits && (best == pieces_.size() || pieces_[i].size() > pieces_[best].size())) best = i;
      }
      const bool known = best < pieces_.size();
      ids.push_back(known ? static_cast<PieceId>(kSpecialPieces + static_cast<int64_t>(best)) : kUnkId);
      at += known ? pieces_[best].size() : code_point_at(text, at).bytes;
    }
    return ids;
  }

  // With blanks at its ends.
  std::string spell(std::span<const PieceId> ids) const {
    std::string text;
    for (const PieceId id : ids) {
      std::string part = id < kSpecialPieces ? "" : piece(id);
      if (part.starts_with("<0x")) part = static_cast<char>(std::stoi(part.substr(3, 2), nullptr, 16));
      for (size_t at = 0; (at = part.find("\u2581")) != std::string::npos;) part.replace(at, 3, " ");
      text += part;
    }
    return text;
  }
  std::string decode(std::span<const PieceId> ids) const override { return std::string(strip(spell(ids))); }

  int64_t vocab_size() const override { return kSpecialPieces + static_cast<int64_t>(pieces_.size()); }
  std::string piece(PieceId id) const override {
    return id < kSpecialPieces ? "<special>" : pieces_[static_cast<size_t>(id - kSpecialPieces)];
  }

 private:
  std::vector<std::string> pieces_;
};

}  // namespace nmt::test
