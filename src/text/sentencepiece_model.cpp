#include "text/sentencepiece_model.h"

#include <cstdint>

#include "base/error.h"

namespace nmt {

namespace {

struct Malformed {};

// Fields of a protocol buffers message (encoding: protobuf.dev/programming-guides/encoding), one after another.
class MessageFields {
 public:
  explicit MessageFields(std::string_view bytes) : bytes_(bytes) {}

  bool next() {
    if (bytes_.empty()) return false;
    const uint64_t tag = varint();
    number = tag >> 3;
    value = 0;
    content = {};
    switch (tag & 7) {
      case 0: value = varint(); break;
      case 1: content = take(8); break;
      case 2: content = take(varint()); break;
      case 5: content = take(4); break;
      default: throw Malformed();
    }
    if (number == 0) throw Malformed();
    return true;
  }

  uint64_t number = 0;
  uint64_t value = 0;        // of a number
  std::string_view content;  // of anything else

 private:
  uint64_t varint() {
    uint64_t out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      out |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return out;
    }
    throw Malformed();
  }

  std::string_view take(uint64_t count) {
    if (count > bytes_.size()) throw Malformed();
    const std::string_view out = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return out;
  }

  std::string_view bytes_;
};

SentencePieceModelInfo read_fields(std::string_view model_bytes) {
  constexpr uint64_t kPieces = 1, kTrainerSpec = 2, kNormalizerSpec = 3;  // in ModelProto
  constexpr uint64_t kModelType = 3;                                      // in TrainerSpec
  constexpr uint64_t kName = 1;                                           // in NormalizerSpec
  SentencePieceModelInfo info;
  int64_t pieces = 0;
  for (MessageFields model(model_bytes); model.next();) {
    pieces += model.number == kPieces;
    if (model.number == kTrainerSpec) {
      for (MessageFields spec(model.content); spec.next();) {
        if (spec.number != kModelType) continue;
        if (spec.value < 1 || spec.value > 4) throw Malformed();
        info.type = static_cast<SentencePieceModelInfo::Type>(spec.value);
      }
    } else if (model.number == kNormalizerSpec) {
      for (MessageFields spec(model.content); spec.next();) {
        if (spec.number == kName) info.normalizer = std::string(spec.content);
      }
    }
  }
  if (pieces == 0) throw Malformed();
  return info;
}

}  // namespace

SentencePieceModelInfo read_sentencepiece_info(std::string_view model_bytes, const std::string& origin) {
  try {
    return read_fields(model_bytes);
  } catch (const Malformed&) {
    throw ModelError(origin + " is not a SentencePiece model, or it is damaged.");
  }
}

}  // namespace nmt
