#include "text/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "text/normalize.h"
#include "text/resample.h"
#include "text/sentencepiece_log.h"
#include "text/sentencepiece_model.h"

namespace nmt {

namespace {

constexpr std::string_view kWordMark = "\u2581";  // how pieces write a blank
constexpr std::string_view kUnknownText = "\u2047";
constexpr std::string_view kReplacement = "\uFFFD";

enum class PieceKind : uint8_t { kText, kSilent, kUnknown, kByte };

// A spelling as people read it: word marks and line feeds become blanks, ill-formed parts U+FFFD, and white space at
// both ends goes. `ends` are the ends of the pieces in the spelling.
DecodedLine readable(const std::string& spelling, const std::vector<size_t>& ends) {
  std::string text;
  std::vector<TextSpan> at;  // of each byte of the spelling: what its character became
  for (size_t begin = 0; begin < spelling.size();) {
    const CodePoint here = code_point_at(spelling, begin);
    const std::string_view bytes = std::string_view(spelling).substr(begin, here.bytes);
    const size_t before = text.size();
    text += bytes == kWordMark || bytes == "\n" ? " " : here.value < 0 ? kReplacement : bytes;
    at.insert(at.end(), here.bytes, {before, text.size()});
    begin += here.bytes;
  }
  const std::string_view kept = strip(text);
  const auto cut = [&](size_t byte) {
    const auto first = static_cast<size_t>(kept.data() - text.data());
    return std::clamp(byte, first, first + kept.size()) - first;
  };
  DecodedLine line;
  size_t begin = 0;
  for (const size_t end : ends) {
    if (begin < end) {
      line.spans.push_back({cut(at[begin].begin), cut(at[end - 1].end)});
    } else {
      const size_t here = line.spans.empty() ? 0 : line.spans.back().end;
      line.spans.push_back({here, here});
    }
    begin = end;
  }
  line.text = kept;
  return line;
}

class SentencePieceTokenizer final : public Tokenizer {
 public:
  SentencePieceTokenizer(const std::string& model_bytes, Normalization form, const std::string& origin)
      : form_(form),
        info_(read_sentencepiece_info(model_bytes, origin)),
        serialized_(model_bytes),
        digest_(sha256(model_bytes)) {
    silence_sentencepiece();
    const auto status = processor_.LoadFromSerializedProto(model_bytes);
    if (!status.ok()) throw ModelError(origin + " is not a usable SentencePiece model: " + status.message() + ".");
    check_special_ids(origin);
    for (PieceId id = 0; id < processor_.GetPieceSize(); ++id) add_piece(id, origin);
    lookup_.id = [this](std::string_view text) { return text_piece(text); };
    lookup_.score = [this](PieceId id) { return static_cast<double>(processor_.GetScore(id)); };
  }

  std::vector<PieceId> encode(std::string_view text) const override {
    std::vector<PieceId> ids;
    const std::string line = normalize(text, form_);
    if (line.empty()) return ids;
    const auto status = processor_.Encode(line, &ids);
    if (!status.ok()) throw InternalError(std::string("SentencePiece can't encode a line: ") + status.message());
    return ids;
  }

  std::vector<TextSpan> piece_spans(std::string_view text) const override {
    const TracedText line = normalize_traced(text, form_);
    std::vector<TextSpan> spans;
    if (line.text.empty()) return spans;
    const auto encoded = processor_.EncodeAsImmutableProto(line.text);  // owns what its pieces look at
    for (const auto& piece : encoded.pieces()) {
      spans.push_back({line.origin.at(piece.begin()), line.origin.at(piece.end())});
    }
    return spans;
  }

  std::vector<PieceId> resample(std::span<const PieceId> ids, double alpha, uint64_t seed) const override {
    const std::string spelt = spell(ids, "\xFF");  // a byte that no piece holds: unknown stays unknown
    const SymbolText text = symbols_of(spelt);
    SplitMix64 random(seed);
    return info_.type == SentencePieceModelInfo::Type::kBpe ? sample_bpe(text, lookup_, alpha, random)
                                                            : sample_unigram(text, lookup_, alpha, random);
  }

  std::string decode(std::span<const PieceId> ids) const override { return decode_spans(ids).text; }

  DecodedLine decode_spans(std::span<const PieceId> ids) const override {
    std::vector<size_t> ends;
    return readable(spell(ids, kUnknownText, &ends), ends);
  }

  int64_t vocab_size() const override { return static_cast<int64_t>(pieces_.size()); }

  std::string piece(PieceId id) const override {
    if (!known(id)) throw InternalError("No piece has id " + std::to_string(id) + ".");
    return pieces_[static_cast<size_t>(id)];
  }

  const std::string& serialized() const override { return serialized_; }
  const std::string& digest() const override { return digest_; }

 private:
  void check_special_ids(const std::string& origin) const {
    const auto& p = processor_;
    if (p.pad_id() == kPadId && p.unk_id() == kUnkId && p.bos_id() == kBosId && p.eos_id() == kEosId) return;
    const auto id = [](int value) { return value < 0 ? std::string("none") : std::to_string(value); };
    throw ModelError("The special pieces of " + origin + " have the ids pad " + id(p.pad_id()) + ", unk " +
                     id(p.unk_id()) + ", bos " + id(p.bos_id()) + ", eos " + id(p.eos_id()) +
                     "; nmt needs 0, 1, 2, 3. Train it with `nmt tokenizer train`, or with spm_train --pad_id=0 "
                     "--unk_id=1 --bos_id=2 --eos_id=3.");
  }

  void add_piece(PieceId id, const std::string& origin) {
    const std::string& text = processor_.IdToPiece(id);
    PieceKind kind = PieceKind::kText;
    unsigned char byte = 0;
    if (processor_.IsUnknown(id)) {
      kind = PieceKind::kUnknown;
    } else if (processor_.IsByte(id)) {
      kind = PieceKind::kByte;
      const char* digits = text.data() + 3;  // "<0x41>"
      if (text.size() != 6 || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) {
        throw ModelError(origin + " has a damaged byte piece, '" + replace_invalid_utf8(text) + "'.");
      }
      byte_ids_[byte] = id;
    } else if (processor_.IsControl(id) || processor_.IsUnused(id)) {
      kind = PieceKind::kSilent;
    } else {
      lookup_.longest_piece = std::max(lookup_.longest_piece, count_code_points(text));
    }
    if (find_invalid_utf8(text) != std::string_view::npos) throw ModelError(origin + " has a piece that isn't UTF-8.");
    pieces_.push_back(text);
    kinds_.push_back(kind);
    bytes_.push_back(static_cast<char>(byte));
  }

  bool known(PieceId id) const { return id >= 0 && static_cast<size_t>(id) < pieces_.size(); }

  PieceId text_piece(std::string_view text) const {
    const PieceId id = processor_.PieceToId(text);
    return known(id) && kinds_[static_cast<size_t>(id)] == PieceKind::kText ? id : -1;
  }

  // The pieces side by side, word marks as they are. `ends` gets the end of each piece.
  std::string spell(std::span<const PieceId> ids, std::string_view unknown, std::vector<size_t>* ends = nullptr) const {
    std::string out;
    for (const PieceId id : ids) {
      const auto at = static_cast<size_t>(id);
      switch (known(id) ? kinds_[at] : PieceKind::kSilent) {
        case PieceKind::kText: out += pieces_[at]; break;
        case PieceKind::kByte: out += bytes_[at]; break;
        case PieceKind::kUnknown: out += unknown; break;
        case PieceKind::kSilent: break;
      }
      if (ends != nullptr) ends->push_back(out.size());
    }
    return out;
  }

  SymbolText symbols_of(std::string_view text) const {
    SymbolText out;
    for (size_t begin = 0; begin < text.size();) {
      size_t end = begin + 1;
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
      const std::string_view symbol = text.substr(begin, end - begin);
      out.symbols.push_back(symbol);
      out.fallback.push_back(alone(symbol));
      begin = end;
    }
    return out;
  }

  std::vector<PieceId> alone(std::string_view symbol) const {
    const PieceId id = text_piece(symbol);
    if (id >= 0) return {id};
    std::vector<PieceId> spelt;
    for (const char c : symbol) {
      const PieceId byte = byte_ids_[static_cast<unsigned char>(c)];
      if (byte < 0 || c == '\xFF') return {kUnkId};
      spelt.push_back(byte);
    }
    return spelt;
  }

  sentencepiece::SentencePieceProcessor processor_;
  Normalization form_;
  SentencePieceModelInfo info_;
  std::string serialized_;
  std::string digest_;
  std::vector<std::string> pieces_;
  std::vector<PieceKind> kinds_;
  std::vector<char> bytes_;  // of the byte pieces
  std::vector<PieceId> byte_ids_ = std::vector<PieceId>(256, -1);
  PieceLookup lookup_;
};

}  // namespace

std::shared_ptr<const Tokenizer> make_sentencepiece_tokenizer(const std::string& model_bytes, Normalization form,
                                                              const std::string& origin) {
  return std::make_shared<SentencePieceTokenizer>(model_bytes, form, origin);
}

std::shared_ptr<const Tokenizer> load_sentencepiece_tokenizer(const std::filesystem::path& file, Normalization form) {
  std::string bytes;
  try {
    bytes = read_file(file);
  } catch (const DataError& error) {
    throw ModelError(error.what());
  }
  return make_sentencepiece_tokenizer(bytes, form, file.string());
}

}  // namespace nmt
