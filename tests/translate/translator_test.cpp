#include "translate/translator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "base/error.h"
#include "base/stop.h"
#include "base/words.h"
#include "fakes.h"
#include "translate/parallel.h"

namespace nmt {
namespace {

using test::FakeEngine;

TextTranslatorOptions small(int64_t batch, int64_t max_pieces = 250, int threads = 1) {
  return {max_pieces, batch, threads};
}

TextTranslator make(const std::shared_ptr<FakeEngine>& engine, TextTranslatorOptions options = {}) {
  return TextTranslator(test::byte_tokenizers(), engine, SearchOptions(), options);
}

std::vector<std::string> numbered_lines(size_t count) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) lines.push_back(std::string(1 + (i * 7) % 13, 'x') + std::to_string(i));
  return lines;
}

// What was searched for.
std::vector<std::string> searched(const TextTranslatorOptions& options, const std::string& line) {
  const std::vector<Translation> found = make(std::make_shared<FakeEngine>(), options).translate({{line, ""}});
  std::vector<std::string> parts;
  for (const TranslatedSegment& segment : found[0].segments) parts.push_back(segment.source);
  return parts;
}

TEST(TextTranslator, SplitsLinesAsTheModelWasTrained) {
  using Parts = std::vector<std::string>;
  const std::string line = "One is here. Two is there.";
  TextTranslatorOptions options;
  split_as_trained(options, std::nullopt);
  EXPECT_EQ(searched(options, line), Parts{line});
  split_as_trained(options, TrainingText{100, 0.01});  // knows lines of several sentences
  EXPECT_EQ(searched(options, line), Parts{line});
  split_as_trained(options, TrainingText{100, 0.009});
  EXPECT_EQ(searched(options, line), (Parts{"One is here.", "Two is there."}));
  EXPECT_EQ(searched(options, "One is here"), Parts{"One is here"});
  split_as_trained(options, TrainingText{20, 0.01});  // hasn't seen so long a line
  EXPECT_EQ(searched(options, line), (Parts{"One is here.", "Two is there."}));
  split_as_trained(options, TrainingText{8, 0});
  EXPECT_EQ(searched(options, "One, two. Six"), (Parts{"One,", "two.", "Six"}));
}

TEST(TextTranslator, RefusesOutputsThatNeedAttentionWithoutAny) {
  TextTranslatorOptions options;
  options.any_attention = false;
  const TextTranslator translator = make(std::make_shared<FakeEngine>(), options);
  OutputOptions output;
  output.alignment = AlignmentKind::kHard;
  EXPECT_THROW(translator.with(SearchOptions(), output), ModelError);
  output = {{"<unk>", true, nullptr}};
  EXPECT_THROW(translator.with(SearchOptions(), output), ModelError);
}

TEST(TextTranslator, KeepsTheOrderWhateverBatchAndThreads) {
  const std::vector<std::string> lines = numbered_lines(101);
  for (const int64_t batch : {1, 2, 7, 64, 1000}) {
    for (const int threads : {1, 2, 5}) {
      const auto engine = std::make_shared<FakeEngine>();
      EXPECT_EQ(translate_lines(make(engine, small(batch, 250, threads)), lines), lines);
      EXPECT_EQ(engine->batch_sizes.size(), (101U + static_cast<size_t>(batch) - 1) / static_cast<size_t>(batch));
    }
  }
}

TEST(TextTranslator, GivesAsManyAsItGetsAroundEveryBatchSize) {
  for (const int64_t batch : {1, 3, 8}) {
    for (const int threads : {1, 3}) {
      const TextTranslator translator = make(std::make_shared<FakeEngine>(), small(batch, 250, threads));
      for (size_t count = 0; count <= 4 * static_cast<size_t>(batch) * static_cast<size_t>(threads) + 1; ++count) {
        std::vector<std::string> lines = numbered_lines(count);
        for (size_t i = 2; i < count; i += 5) lines[i] = "";  // blank lines fill no place in a batch
        ASSERT_EQ(translate_lines(translator, lines), lines) << batch << " " << threads;
      }
    }
  }
}

TEST(TextTranslator, BlankLinesStayBlankWithoutASearch) {
  const auto engine = std::make_shared<FakeEngine>();
  const std::vector<std::string> blank = {"", " ", "\t\r", "\u00a0\u3000", "\u2003 \x0b"};
  EXPECT_EQ(translate_lines(make(engine), blank), std::vector<std::string>(5));
  EXPECT_TRUE(engine->batch_sizes.empty());
  EXPECT_EQ(translate_lines(make(engine), {"", "a", ""}), (std::vector<std::string>{"", "a", ""}));
  EXPECT_EQ(engine->batch_sizes, std::vector<size_t>{1});
  EXPECT_TRUE(translate_lines(make(engine), {}).empty());
}

TEST(TextTranslator, NoOutputHoldsALineEnd) {
  const auto engine = std::make_shared<FakeEngine>([](const std::vector<PieceId>&, const SentenceRequest&) {
    Hypothesis one;
    for (const char c : std::string("a\nb\rc")) one.pieces.push_back(static_cast<PieceId>(kSpecialPieces + c));
    return std::vector<Hypothesis>{one};
  });
  EXPECT_EQ(translate_lines(make(engine), {"x"}), std::vector<std::string>{"a b c"});
}

TEST(TextTranslator, OddBytesGoThrough) {
  const auto engine = std::make_shared<FakeEngine>();
  const std::vector<std::string> odd = {std::string("nul\0here", 8),  "tab\there",
                                        "bell\x07 esc\x1b[0m",        "a\rb",
                                        "\u202eright to left \u0634", "\U0001F469\u200d\U0001F680"};
  const std::vector<std::string> out = translate_lines(make(engine), odd);
  ASSERT_EQ(out.size(), odd.size());
  EXPECT_EQ(out[0], odd[0]);
  EXPECT_EQ(out[3], "a b");
  EXPECT_EQ(out[5], odd[5]);
}

TEST(TextTranslator, InvalidUtf8IsReplacedAndCounted) {
  const auto engine = std::make_shared<FakeEngine>();
  const auto translations = make(engine).translate({{"caf\xe9 \xff", "", 0}, {"caf\u00e9", "", 1}});
  EXPECT_EQ(translations[0].text(), "caf\ufffd \ufffd");
  EXPECT_EQ(translations[0].replaced_utf8, 2);
  EXPECT_EQ(translations[1].replaced_utf8, 0);
}

TEST(TextTranslator, OutOfMemoryHalvesTheBatchAndGoesOn) {
  const auto engine = std::make_shared<FakeEngine>();
  engine->memory_for = 5;
  const std::vector<std::string> lines = numbered_lines(64);
  EXPECT_EQ(translate_lines(make(engine, small(64)), lines), lines);
  EXPECT_EQ(engine->batch_sizes, std::vector<size_t>(16, 4));
  engine->memory_for = 0;
  EXPECT_THROW(translate_lines(make(engine), lines), ResourceError);
}

TEST(TextTranslator, LongLinesAreSplitAndJoinedAgain) {
  const auto engine = std::make_shared<FakeEngine>();
  std::string line;
  for (int i = 0; i < 50; ++i) line += (i == 0 ? "" : " ") + std::string("This is sentence ") + std::to_string(i) + ".";
  const auto translations = make(engine, small(64, 60)).translate({{line, "", 0}, {"short", "", 1}});
  EXPECT_EQ(translations[0].text(), line);
  EXPECT_TRUE(translations[0].split());
  EXPECT_FALSE(translations[1].split());
  EXPECT_LE(engine->longest, 60U);
  for (const TranslatedSegment& segment : translations[0].segments) EXPECT_EQ(segment.source.back(), '.');
  const double segments = static_cast<double>(translations[0].segments.size());
  EXPECT_DOUBLE_EQ(translations[0].scores[0], -0.5 * segments);
  EXPECT_DOUBLE_EQ(translations[0].log_probs[0], -1 * segments);
}

TEST(TextTranslator, PartsOfALongLineKeepTheNumbersOfItsWords) {
  const auto engine = std::make_shared<FakeEngine>();
  const std::string line = "One two  three. Four\u00a0five. " + std::string(40, 'x') + " six seven. Eight.";
  const std::vector<TextSpan> words = words_of(line);
  const auto translations = make(engine, small(64, 16)).translate({{line, "", 0}});
  for (const TranslatedSegment& segment : translations[0].segments) {
    const std::string_view whole = part_of(line, words.at(segment.first_word));
    const std::string_view first = part_of(segment.source, words_of(segment.source).at(0));
    EXPECT_NE(whole.find(first), std::string_view::npos) << segment.source;
  }
  EXPECT_EQ(translations[0].segments.back().first_word, 8U);
}

TEST(TextTranslator, ProgressEndsAtAll) {
  std::vector<double> parts;
  TextTranslatorOptions options = small(10, 250, 3);
  options.on_progress = [&](double part) { parts.push_back(part); };
  make(std::make_shared<FakeEngine>(), options).translate(std::vector<LineRequest>(25, {"x", "", 0}));
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.back(), 1);
}

TEST(TextTranslator, ALineOfAMegabyteIsOneLineOut) {
  const auto engine = std::make_shared<FakeEngine>();
  const std::string line(1 << 20, 'x');
  const std::vector<std::string> out = translate_lines(make(engine, small(64, 200)), {"a", line, "b"});
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[1], line);
  EXPECT_LE(engine->longest, 200U);
}

TEST(TextTranslator, GivesAllHypothesesAndMarksCutOnes) {
  const auto engine = std::make_shared<FakeEngine>([](const std::vector<PieceId>& source, const SentenceRequest&) {
    std::vector<Hypothesis> found;
    for (size_t i = 0; i < std::min<size_t>(3, source.size()); ++i) {
      Hypothesis one;
      one.pieces.assign(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(i + 1));
      one.score = -static_cast<double>(i);
      one.finished = source.size() < 5;
      found.push_back(one);
    }
    return found;
  });
  const auto translations = make(engine).translate({{"abc", "", 0}, {"z", "", 1}, {"long line", "", 2}});
  EXPECT_EQ(translations[0].texts, (std::vector<std::string>{"a", "ab", "abc"}));
  EXPECT_EQ(translations[0].scores, (std::vector<double>{0, -1, -2}));
  EXPECT_FALSE(translations[0].cut());
  EXPECT_EQ(translations[1].texts, std::vector<std::string>{"z"});
  EXPECT_TRUE(translations[2].cut());
  EXPECT_EQ(translations[0].source_pieces(), 3);
  EXPECT_EQ(translations[0].target_pieces(), 1);
}

TEST(TextTranslator, ThePrefixGoesToTheFirstPartOfItsLine) {
  const auto engine = std::make_shared<FakeEngine>([](const std::vector<PieceId>&, const SentenceRequest& request) {
    Hypothesis one;
    one.pieces = request.prefix;
    one.pieces.push_back(kSpecialPieces + '!');
    return std::vector<Hypothesis>{one};
  });
  const auto out =
      make(engine, small(2, 11)).translate({{"a", "She", 0}, {"b", "", 1}, {"one two three four", "Yes", 2}});
  EXPECT_EQ(out[0].text(), "She!");
  EXPECT_EQ(out[1].text(), "!");
  EXPECT_EQ(out[2].text(), "Yes! !");
}

TEST(TextTranslator, WhatIsSampledDependsOnTheLineNotOnItsBatch) {
  const auto keys_of = [](int64_t batch, const std::vector<LineRequest>& lines) {
    const auto engine = std::make_shared<FakeEngine>();
    make(engine, small(batch)).translate(lines);
    return std::multiset<uint64_t>(engine->keys.begin(), engine->keys.end());
  };
  const std::vector<LineRequest> lines = {{"a", "", 10}, {"a", "", 11}, {"bb", "", 12}};
  const std::multiset<uint64_t> singly = keys_of(1, lines);
  EXPECT_EQ(singly, keys_of(3, lines));
  EXPECT_EQ(std::set<uint64_t>(singly.begin(), singly.end()).size(), 3U);
  EXPECT_TRUE(singly.contains(*keys_of(1, {{"a", "", 11}}).begin()));
}

TEST(TextTranslator, AStopRequestInterrupts) {
  const auto engine = std::make_shared<FakeEngine>();
  request_stop();
  EXPECT_THROW(translate_lines(make(engine), {"a"}), InterruptedError);
  clear_stop_request();
}

TEST(TextTranslator, OptionsOutOfRangeAreRefused) {
  const auto engine = std::make_shared<FakeEngine>();
  EXPECT_THROW(make(engine, small(0)), UsageError);
  EXPECT_THROW(make(engine, small(1, 0)), UsageError);
  SearchOptions search;
  search.beam = 0;
  EXPECT_THROW(TextTranslator(test::byte_tokenizers(), engine, search), UsageError);
}

TEST(ForEachInParallel, CallsEachOnceAndThrowsTheFirstException) {
  for (const int threads : {0, 1, 3, 50}) {
    std::vector<std::atomic<int>> calls(20);
    for_each_in_parallel(calls.size(), threads, [&](size_t i) { ++calls[i]; });
    for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
    EXPECT_THROW(for_each_in_parallel(20, threads,
                                      [](size_t i) {
                                        if (i == 7) throw DataError("seven");
                                      }),
                 DataError);
  }
}

}  // namespace
}  // namespace nmt
