#include "translate/count_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/stop.h"
#include "fakes.h"
#include "support/temporary_folder.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"
#include "translate/translator.h"

namespace nmt {
namespace {

std::string words(size_t bytes) {
  std::string text;
  for (size_t i = 0; text.size() < bytes; ++i) text += "the cat " + std::to_string(i % 97) + " sees the dog, ";
  return text + "end";
}

// Notes the longest text that it got, and can ask to stop at the n-th.
class WatchingTokenizer : public test::ByteTokenizer {
 public:
  std::vector<PieceId> encode(std::string_view text) const override {
    longest = std::max(longest, text.size());
    if (++calls == stop_at) request_stop();
    return test::ByteTokenizer::encode(text);
  }
  mutable size_t longest = 0;
  mutable int calls = 0;
  int stop_at = 0;
};

TEST(CountPieces, OfALongTextIsTheNumberThatEncodingItGives) {
  const test::TemporaryFolder folder;
  for (const TokenizerType type : {TokenizerType::kBpe, TokenizerType::kUnigram}) {
    TokenizerTraining training;
    training.files = {folder.file("text", words(2000) + "\n")};
    training.type = type;
    training.vocab_size = AutoSize{0};
    const auto made =
        make_sentencepiece_tokenizer(train_tokenizer(training).model, Normalization::kNfc, "the new tokenizer");
    for (const size_t bytes : {size_t{0}, size_t{100}, kMostBytesToCount - 3, 3 * kMostBytesToCount}) {
      const std::string text = words(bytes);
      EXPECT_EQ(count_pieces(*made, text), std::ssize(made->encode(text))) << bytes;
    }
  }
}

TEST(CountPieces, TextWithoutBlanksIsDividedBetweenCharacters) {
  std::string text;
  while (text.size() < 3 * kMostBytesToCount) text += "\u4E2D\u6587x";
  const WatchingTokenizer tokenizer;
  EXPECT_EQ(count_pieces(tokenizer, text), std::ssize(test::ByteTokenizer().encode(text)));
  EXPECT_LE(tokenizer.longest, kMostBytesToCount);
}

TEST(CountPieces, AStopIsNoticedInTheMiddle) {
  WatchingTokenizer tokenizer;
  tokenizer.stop_at = 2;
  EXPECT_THROW(count_pieces(tokenizer, words(9 * kMostBytesToCount)), InterruptedError);
  EXPECT_EQ(tokenizer.calls, 2);
  clear_stop_request();
}

TEST(CountPieces, NoLineIsEncodedWholeThatIsSplitAnyway) {
  const auto tokenizer = std::make_shared<WatchingTokenizer>();
  const TextTranslator translator({tokenizer, tokenizer}, std::make_shared<test::FakeEngine>(), SearchOptions(), {});
  const std::string text = words(5 * kMostBytesToCount);
  const std::vector<Translation> found = translator.translate({{text, ""}});
  EXPECT_TRUE(found[0].too_long);
  size_t parts = 0;
  for (const TranslatedSegment& segment : found[0].segments) parts += segment.source.size() + 1;
  EXPECT_EQ(parts, text.size() + 1);
  EXPECT_LE(tokenizer->longest, kMostBytesToCount);
}

}  // namespace
}  // namespace nmt
