#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "text/normalize.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"

namespace nmt {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const Tokenizer> tokenizer_for(Normalization form, bool byte_fallback = true) {
  const test::TemporaryFolder folder;
  TokenizerTraining training;
  training.files = {folder.file("t", "The cat sits on the mat.\nThe dog sees the caf\u00e9 cat.\n")};
  training.vocab_size = AutoSize{0};
  training.byte_fallback = byte_fallback;
  training.character_coverage = 1;
  return make_sentencepiece_tokenizer(train_tokenizer(training).model, form, "test");
}

std::vector<std::string> parts(std::string_view text, const std::vector<TextSpan>& spans) {
  std::vector<std::string> parts;
  for (const TextSpan& span : spans) parts.emplace_back(part_of(text, span));
  return parts;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

TEST(NormalizeTraced, IsNormalizeAndTellsOrigins) {
  for (const Normalization form : {Normalization::kNone, Normalization::kNfc, Normalization::kNfkc}) {
    for (const std::string line :
         {"", " \u00a0", " plain ", "cafe\u0301 au lait", "\u00b4x y\u00b4", "\ufb01n \u2126"}) {
      const TracedText traced = normalize_traced(line, form);
      EXPECT_EQ(traced.text, normalize(line, form));
      ASSERT_EQ(traced.origin.size(), traced.text.size() + 1);
      EXPECT_TRUE(std::is_sorted(traced.origin.begin(), traced.origin.end()));
      EXPECT_LE(traced.origin.back(), line.size());
    }
  }
  EXPECT_THAT(normalize_traced(" ae\u0301b ", Normalization::kNfc).origin, ElementsAre(1, 2, 2, 5, 6));
}

TEST(PieceSpans, CoverTheTextAsGiven) {
  const auto tokenizer = tokenizer_for(Normalization::kNfc);
  for (const std::string text :
       {"The cat sees", "cafe\u0301 cat", "The  \u4e2d\u6587\tcat", "\U0001F469\u200d\U0001F680 dog", "x"}) {
    const auto spans = tokenizer->piece_spans(text);
    EXPECT_EQ(spans.size(), tokenizer->encode(text).size());
    EXPECT_EQ(joined(parts(text, spans)), text);
  }
  std::string length;  // whose pieces don't fit what a short text's did
  for (int i = 0; i < 200; ++i) length += "The \u4e2d\u6587 cat sits ";
  length += "on";
  EXPECT_EQ(joined(parts(length, tokenizer->piece_spans(length))), length);
  const std::string padded = "  The cat\u00a0";
  EXPECT_EQ(joined(parts(padded, tokenizer->piece_spans(padded))), "The cat");
  EXPECT_TRUE(tokenizer->piece_spans(" \u3000").empty());
}

TEST(PieceSpans, DontShiftWhereNormalisationAddsABlank) {
  const auto tokenizer = tokenizer_for(Normalization::kNfkc);
  const std::string text = "cat\u00b4 dog";  // NFKC: "cat", a blank, an accent
  const std::vector<TextSpan> spans = tokenizer->piece_spans(text);
  const std::vector<TextSpan> words = words_of(text);
  ASSERT_EQ(words.size(), 2U);
  const auto ids = tokenizer->encode(text);
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string piece = tokenizer->piece(ids[i]);
    EXPECT_TRUE(piece.find('g') == std::string::npos || spans[i].end > words[1].begin) << piece;
    EXPECT_TRUE(piece.find('c') == std::string::npos || spans[i].end <= words[0].end) << piece;
  }
  EXPECT_LE(spans.back().end, text.size());
}

TEST(DecodeSpans, AreThePartsThatThePiecesSpell) {
  const auto tokenizer = tokenizer_for(Normalization::kNfc);
  for (const std::string text : {"The cat sees", "caf\u00e9 cat", "The \u4e2d\u6587 cat"}) {
    const auto ids = tokenizer->encode(text);
    const DecodedLine line = tokenizer->decode_spans(ids);
    EXPECT_EQ(line.text, text);
    ASSERT_EQ(line.spans.size(), ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      std::string piece = tokenizer->piece(ids[i]);
      if (piece.starts_with("<0x")) continue;
      if (piece.starts_with("\u2581")) piece.replace(0, 3, i == 0 ? "" : " ");
      EXPECT_EQ(part_of(line.text, line.spans[i]), piece);
    }
  }
}

TEST(DecodeSpans, BytesOfACharacterShareItsPart) {
  const auto tokenizer = tokenizer_for(Normalization::kNfc);
  const auto all = tokenizer->encode("a \u4e2d");
  const std::vector<PieceId> ids(all.end() - 4, all.end());  // a blank and three bytes
  EXPECT_THAT(parts("\u4e2d", tokenizer->decode_spans(ids).spans), ElementsAre("", "\u4e2d", "\u4e2d", "\u4e2d"));
  const std::vector<PieceId> broken = {ids[1], ids[0], kEosId, ids[2]};
  const DecodedLine line = tokenizer->decode_spans(broken);
  EXPECT_EQ(line.text, "\ufffd \ufffd");
  EXPECT_THAT(parts(line.text, line.spans), ElementsAre("\ufffd", " ", "", "\ufffd"));
}

TEST(DecodeSpans, AnUnknownPieceIsItsMark) {
  const auto tokenizer = tokenizer_for(Normalization::kNfc, false);
  const auto ids = tokenizer->encode("cat \u4e2d\u6587 dog");
  const DecodedLine line = tokenizer->decode_spans(ids);
  EXPECT_EQ(line.text, "cat \u2047 dog");
  const auto unknown = static_cast<size_t>(std::find(ids.begin(), ids.end(), kUnkId) - ids.begin());
  EXPECT_EQ(part_of(line.text, line.spans.at(unknown)), "\u2047");
}

}  // namespace
}  // namespace nmt
