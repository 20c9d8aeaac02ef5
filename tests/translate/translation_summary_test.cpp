#include "translate/translation_summary.h"

#include <gtest/gtest.h>

#include "fakes.h"
#include "translate/translator.h"

namespace nmt {
namespace {

TranslationSummary summarize(const std::vector<std::string>& lines, const std::shared_ptr<test::FakeEngine>& engine) {
  TextTranslatorOptions options;
  options.max_source_pieces = 20;
  const TextTranslator translator(test::byte_tokenizers(), engine, SearchOptions(), options);
  TranslationSummary summary(*translator.tokenizers().source);
  std::vector<LineRequest> requests;
  for (const std::string& line : lines) requests.push_back({line, "", 0});
  const std::vector<Translation> translations = translator.translate(requests);
  for (size_t i = 0; i < lines.size(); ++i) summary.add(static_cast<int64_t>(i + 1), lines[i], translations[i]);
  return summary;
}

TEST(TranslationSummary, CountsWhatHappened) {
  const auto cut_sevens = [](const std::vector<PieceId>& source, const SentenceRequest& request) {
    std::vector<Hypothesis> found = test::FakeEngine::copy(source, request);
    found[0].finished = source.size() != 7;
    return found;
  };
  const TranslationSummary summary =
      summarize({"abc", "", "\xff", "seven77", "words that are too long. for one search"},
                std::make_shared<test::FakeEngine>(cut_sevens));
  EXPECT_EQ(summary.lines(), 5);
  EXPECT_EQ(summary.split_lines(), 1);
  EXPECT_EQ(summary.cut_lines(), 1);
  EXPECT_EQ(summary.replaced_lines(), 1);
  const std::string text = summary.text(2);
  EXPECT_NE(text.find("5 lines (1 blank), "), std::string::npos) << text;
  EXPECT_NE(text.find(" in 2.0s: 2.5 lines/s, "), std::string::npos) << text;
  EXPECT_NE(text.find("; 1 line too long and translated in parts; 1 line cut at the length limit; 1 line with bytes"),
            std::string::npos)
      << text;
  EXPECT_TRUE(summary.warnings("in.txt").empty());
}

TEST(TranslationSummary, NamesPhrasesThatAreMissing) {
  Hypothesis best;
  best.missing = {1};
  Translation translation;
  translation.segments.push_back({"x", {70}, {best}, {"x"}, false, 0, {"tea", "cup"}});
  TranslationSummary summary{test::ByteTokenizer()};
  summary.add(7, "x", translation);
  EXPECT_EQ(summary.lacking_lines(), 1);
  EXPECT_NE(summary.text(1).find("; 1 line without a phrase that must appear"), std::string::npos);
}

TEST(TranslationSummary, WarnsOfTextThatIsSegmentedAlready) {
  const TranslationSummary summary =
      summarize({"th@@ is", "is@@ n't", "pl@@ ain"}, std::make_shared<test::FakeEngine>());
  ASSERT_EQ(summary.warnings("in.txt").size(), 1U);
  EXPECT_NE(summary.warnings("in.txt")[0].find("in.txt"), std::string::npos);
}

TEST(TranslationSummary, WarnsOfManyUnknownOrBytePieces) {
  // In the byte tokenizer of the tests the byte FF is a byte piece; U+FFFD's bytes are plain pieces.
  class AllBytes : public test::ByteTokenizer {
   public:
    std::string piece(PieceId) const override { return "<0x41>"; }
  };
  Translation translation;
  translation.segments.push_back({"x", std::vector<PieceId>(60, 70), {Hypothesis()}, {"x"}, false});
  TranslationSummary summary{AllBytes()};
  summary.add(1, "x", translation);
  ASSERT_EQ(summary.warnings("in.txt").size(), 1U);
  EXPECT_NE(summary.warnings("in.txt")[0].find("100% of the source pieces of in.txt"), std::string::npos);
}

}  // namespace
}  // namespace nmt
