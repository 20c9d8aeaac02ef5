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

TEST(TranslationSummary, CountsLinesOfSeveralSentencesWithoutAWarning) {
  TextTranslatorOptions options;
  split_as_trained(options, TrainingText{20, 0});
  const TextTranslator translator(test::byte_tokenizers(), std::make_shared<test::FakeEngine>(), SearchOptions(),
                                  options);
  const std::vector<std::string> lines = {"One. Two.", "One.", "words that are too long. for one search"};
  std::vector<LineRequest> requests;
  for (const std::string& line : lines) requests.push_back({line, "", 0});
  const std::vector<Translation> translations = translator.translate(requests);
  TranslationSummary summary(*translator.tokenizers().source);
  const auto warnings_of = [&](size_t i) {
    testing::internal::CaptureStdout();  // where the log goes in tests
    summary.add(static_cast<int64_t>(i + 1), lines[i], translations[i]);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(warnings_of(0), "");
  EXPECT_EQ(warnings_of(1), "");
  EXPECT_NE(warnings_of(2).find("too long"), std::string::npos);
  EXPECT_EQ(summary.lines_of_several_sentences(), 1);
  EXPECT_EQ(summary.split_lines(), 1);
  EXPECT_NE(summary.text(2).find("; 1 line too long and translated in parts; 1 line of several sentences, translated "
                                 "one by one."),
            std::string::npos)
      << summary.text(2);
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

TEST(TranslationSummary, ShortensLongPhrasesAndLists) {
  Hypothesis best;
  best.missing = {0, 1, 2, 3, 4};
  Translation translation;
  translation.segments.push_back({"x", {70}, {best}, {"x"}, false, 0, {std::string(100000, 'a'), "b", "c", "d", "e"}});
  TranslationSummary summary{test::ByteTokenizer()};
  testing::internal::CaptureStdout();  // where the log goes in tests
  summary.add(7, "x", translation);
  const std::string warning = testing::internal::GetCapturedStdout();
  EXPECT_NE(warning.find("lacks '" + std::string(60, 'a') + "...' and 'b' and 'c' and 2 more, which must appear"),
            std::string::npos)
      << warning;
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
