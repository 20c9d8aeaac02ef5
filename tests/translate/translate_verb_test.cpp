#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/words.h"
#include "cli/torch_verbs.h"
#include "small_model.h"

namespace nmt {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

// nmt translate, as the program calls it, with a small random model.
class TranslateVerb : public ::testing::Test {
 protected:
  TranslateOptions options() const {
    TranslateOptions options;
    options.models = {model_};
    options.device = "cpu";
    options.threads = 2;
    options.min_length = 3;
    return options;
  }

  std::vector<std::string> translate(TranslateOptions options, const std::string& input) const {
    options.input = folder_.file("in", input);
    options.output = (folder_.path() / "out").string();
    nmt_translate(options);
    return read_lines(options.output);
  }

  const test::TemporaryFolder folder_;
  const std::string model_ = test::make_model(folder_, "model", test::small_tokenizers(folder_, 60, 1), 5);
};

TEST_F(TranslateVerb, GivesALineForEachLine) {
  const std::string nasty("ab cd\n\n \xc2\xa0\nbad \xff\nnul \0.\r\n\tlast", 30);
  const std::vector<std::string> out = translate(options(), nasty);
  ASSERT_THAT(out, SizeIs(6));
  EXPECT_NE(out[0], "");
  EXPECT_EQ(out[1], "");
  EXPECT_EQ(out[2], "");
  EXPECT_EQ(translate(options(), ""), std::vector<std::string>{});
  EXPECT_EQ(translate(options(), "\n\n\n"), std::vector<std::string>(3));
}

TEST_F(TranslateVerb, NBestRowsNameTheirLine) {
  TranslateOptions three = options();
  three.n_best = 3;
  const std::vector<std::string> rows = translate(three, "ab cd\nabc\n");
  ASSERT_THAT(rows, SizeIs(::testing::AllOf(::testing::Gt(2), ::testing::Le(6))));  // fewer where the limit cut some
  EXPECT_THAT(rows.front(), StartsWith("0 ||| "));
  EXPECT_THAT(rows.back(), StartsWith("1 ||| "));
  three.format = "tsv";
  const std::vector<std::string> cells = split(translate(three, "ab cd\nabc\n")[1], '\t');
  ASSERT_THAT(cells, SizeIs(5));
  EXPECT_EQ(cells[0], "1");
  EXPECT_EQ(cells[1], "2");
  EXPECT_LT(std::stod(cells[3]), std::stod(cells[2]));  // divided by more than 1
  three.format = "text";
  EXPECT_THAT(translate(three, "ab cd\nabc\n"), SizeIs(2));
}

TEST_F(TranslateVerb, JsonTellsWhatTheScoresAreMadeOf) {
  TranslateOptions json = options();
  json.format = "jsonl";
  const nlohmann::json line = nlohmann::json::parse(translate(json, "ab cd\n").at(0));
  const nlohmann::json& segment = line.at("segments").at(0);
  const nlohmann::json& best = segment.at("hypotheses").at(0);
  const auto log_probs = best.at("piece_log_probs").get<std::vector<double>>();
  EXPECT_EQ(log_probs.size(), best.at("pieces").size() + (best.at("finished").get<bool>() ? 1 : 0));
  const double sum = std::accumulate(log_probs.begin(), log_probs.end(), 0.0);
  EXPECT_NEAR(best.at("log_prob").get<double>(), sum, 1e-5);
  EXPECT_NEAR(best.at("score").get<double>(), sum / ((5.0 + double(log_probs.size())) / 6), 1e-5);
  EXPECT_EQ(best.at("attention").size(), log_probs.size());
  EXPECT_EQ(best.at("attention").at(0).size(), segment.at("source_pieces").size() + 1);
}

TEST_F(TranslateVerb, WhatFollowsATabIsHowTheTranslationBegins) {
  TranslateOptions tsv = options();
  tsv.input_format = "tsv";
  const std::vector<std::string> out = translate(tsv, "ab cd\tgad bi\nab cd\n");
  EXPECT_THAT(out[0], StartsWith("gad bi"));
  EXPECT_EQ(out[1], translate(options(), "ab cd\n")[0]);
}

TEST_F(TranslateVerb, JsonLinesAreTranslatedAsTheirTextIsAndKeepTheirId) {
  TranslateOptions json = options();
  json.input_format = json.format = "jsonl";
  const std::string input =
      "{\"text\": \"ab cd\", \"id\": [\"x\", 1]}\n\n{\"text\": \"ab\\ncd\", \"prefix\": \"gad bi\"}\n";
  const std::vector<std::string> out = translate(json, input);
  ASSERT_THAT(out, SizeIs(3));
  const auto text_of = [&](size_t i) { return nlohmann::json::parse(out[i]).at("translations").at(0).at("text"); };
  EXPECT_EQ(text_of(0), translate(options(), "ab cd\n")[0]);
  EXPECT_EQ(text_of(1), "");
  EXPECT_THAT(std::string(text_of(2)), StartsWith("gad bi"));
  EXPECT_EQ(nlohmann::json::parse(out[0]).at("id").dump(), R"(["x",1])");
  EXPECT_FALSE(nlohmann::json::parse(out[2]).contains("id"));
}

TEST_F(TranslateVerb, LinesBeforeAMalformedOneAreWritten) {
  TranslateOptions json = options();
  json.input_format = "jsonl";
  try {
    translate(json, "{\"text\": \"ab cd\"}\n\n{\"text\": \"ab\"}\n{\"txt\": \"ab\"}\n{\"text\": \"ab\"}\n");
    FAIL() << "a misspelt key went through";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("in:4: unknown key 'txt'"));
  }
  const std::vector<std::string> written = read_lines((folder_.path() / "out.partial").string());
  EXPECT_EQ(written, translate(options(), "ab cd\n\nab\n"));
}

// The words of a text, between blanks.
bool has_words(const std::string& text, const std::string& words) {
  return (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

TEST_F(TranslateVerb, ConstraintsAppearInTheirLinesAndChangeNoOther) {
  const std::vector<std::string> phrases = {"", "gad", "bi hij fe", "", "a a", "jjj", "abcdefghij"};
  std::string plain, json, tsv;
  for (const std::string& phrase : phrases) {
    plain += "ab cd\n";
    json += "{\"text\": \"ab cd\", \"constraints\": [\"" + phrase + "\"]}\n";
    tsv += "ab cd\t\t" + phrase + "\n";
  }
  TranslateOptions constrained = options();
  constrained.input_format = "jsonl";
  const std::vector<std::string> usual = translate(options(), plain);
  for (const int64_t beam : {3, 1}) {
    constrained.beam = beam;
    const std::vector<std::string> out = translate(constrained, json);
    ASSERT_THAT(out, SizeIs(phrases.size()));
    for (size_t i = 0; i < phrases.size(); ++i) {
      if (!phrases[i].empty()) {
        EXPECT_TRUE(has_words(out[i], phrases[i])) << out[i] << " lacks " << phrases[i];
      } else if (beam == 3) {
        EXPECT_EQ(out[i], usual[i]);
      }
    }
    TranslateOptions one_by_one = constrained;
    one_by_one.batch_sentences = 1;
    one_by_one.threads = 1;
    EXPECT_EQ(translate(one_by_one, json), out);
    one_by_one.input_format = "tsv";
    EXPECT_EQ(translate(one_by_one, tsv), out);
  }
  constrained.models.push_back(test::make_model(folder_, "second", test::small_tokenizers(folder_, 60, 1), 6));
  EXPECT_TRUE(has_words(translate(constrained, json)[2], phrases[2]));
}

TEST_F(TranslateVerb, ConstraintsThatCannotBeMetAreTold) {
  TranslateOptions json = options();
  json.input_format = json.format = "jsonl";
  json.forbid = {"gad"};
  const std::vector<std::string> out = translate(json, "{\"text\": \"ab cd\", \"constraints\": [\"bi\", \"gad\"]}\n");
  const nlohmann::json best = nlohmann::json::parse(out.at(0)).at("segments").at(0).at("hypotheses").at(0);
  EXPECT_EQ(best.at("missing"), nlohmann::json::array({"gad"}));
  EXPECT_TRUE(has_words(best.at("text"), "bi"));
  json.forbid.clear();
  for (const bool sampled : {true, false}) {
    json.sample = sampled;
    json.diversity_groups = sampled ? 1 : 3;
    try {
      translate(json, "{\"text\": \"ab\"}\n{\"text\": \"ab cd\", \"constraints\": [\"gad\"]}\n");
      FAIL() << "accepted";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("in:2: constraints can't be combined with --"));
    }
  }
}

TEST_F(TranslateVerb, ForbiddenWordsDoNotAppear) {
  const std::string input = "ab cd ef\nfe ga bi jd\nabc\nae bd ca\nhij\n";
  TranslateOptions some = options();
  some.forbid_unknown = true;
  some.forbid_file = folder_.file("forbidden", "\n");
  std::string listed;
  for (int round = 0; round < 4; ++round) {  // what comes instead is forbidden next
    std::vector<std::string> words;
    for (const std::string& line : translate(some, input)) {
      for (const std::string& word : split(line, ' ')) {
        EXPECT_THAT(some.forbid, ::testing::Not(::testing::Contains(word))) << line;
        EXPECT_FALSE(has_words(listed, word)) << line;
        words.push_back(word);
      }
    }
    for (const std::string& word : words) {
      if (word.size() % 2 == 0) some.forbid.push_back(word);
      if (word.size() % 2 == 1) listed += " " + word + " \n";
    }
    folder_.file("forbidden", listed);
  }
  EXPECT_GT(some.forbid.size(), 5U);
  TranslateOptions bad = options();
  bad.forbid = {""};
  EXPECT_THROW(translate(bad, "a\n"), UsageError);
  bad = options();
  bad.forbid_file = "/nowhere";
  EXPECT_THROW(translate(bad, "a\n"), DataError);
}

TEST_F(TranslateVerb, DiversityGroupsGiveOtherTranslations) {
  TranslateOptions diverse = options();
  diverse.n_best = 3;
  const auto texts = [&] {
    std::vector<std::string> found;
    for (const std::string& row : translate(diverse, "ab cd ef\nfe ga bi jd\n")) {
      found.push_back(row.substr(0, row.find(" ||| F0=")));
    }
    return found;
  };
  const std::vector<std::string> usual = texts();
  diverse.diversity_groups = 3;
  diverse.diversity_penalty = 2;
  const std::vector<std::string> out = texts();
  EXPECT_NE(out, usual);
  diverse.batch_sentences = 1;
  EXPECT_EQ(texts(), out);
  diverse.diversity_groups = 2;  // of a beam of 3
  EXPECT_THROW(texts(), UsageError);
}

TEST_F(TranslateVerb, SamplesDependOnTheSeedAndTheLineOnly) {
  TranslateOptions sampled = options();
  sampled.sample = true;
  const std::string input = "ab cd\nab cd\nde\n\nfe ga bi\n";
  const std::vector<std::string> first = translate(sampled, input);
  EXPECT_NE(first[0], first[1]);
  sampled.batch_sentences = 1;
  EXPECT_EQ(translate(sampled, input), first);
  sampled.seed = 2;
  EXPECT_NE(translate(sampled, input), first);
}

// The links of "text ||| 0-0 1-2": for each target word, in order, its source word.
std::vector<size_t> sources_of(const std::string& result) {
  const size_t bar = result.rfind(" ||| ");
  if (bar == std::string::npos) return {};
  std::vector<size_t> sources(words_of(result.substr(0, bar)).size(), 1000);
  if (bar + 5 == result.size()) return sources;
  for (const std::string& link : split(result.substr(bar + 5), ' ')) {
    sources.at(std::stoul(link.substr(link.find('-') + 1))) = std::stoul(link);
  }
  return sources;
}

TEST_F(TranslateVerb, EachTargetWordIsAlignedWithASourceWord) {
  TranslateOptions aligned = options();
  aligned.alignment = "hard";
  const std::string input = "ab  cd\t\tef\u00a0gh\n\n  fe ga\n" + std::string(300, 'b') + " jd\nab cd ef\n";
  const std::vector<std::string> lines = split(input, '\n');
  for (const int64_t longest : {250, 3}) {
    aligned.max_source_length = longest;
    const std::vector<std::string> out = translate(aligned, input);
    ASSERT_THAT(out, SizeIs(5));
    EXPECT_EQ(out[1], " ||| ");
    for (size_t i = 0; i < out.size(); ++i) {
      for (const size_t source : sources_of(out[i])) EXPECT_LT(source, words_of(lines[i]).size()) << out[i];
    }
    aligned.batch_sentences = 1;
    EXPECT_EQ(translate(aligned, input), out);
    aligned.batch_sentences.reset();
  }
}

TEST_F(TranslateVerb, AlignmentsAreTheMeanOfAnEnsembleAndNeedAttention) {
  const test::TemporaryFolder folder;
  const auto tokenizers = test::small_tokenizers(folder, 60, 1);
  const std::string none = test::make_model(folder, "none", tokenizers, 6, 0, AttentionScore::kNone);
  TranslateOptions aligned = options();
  aligned.alignment = "hard";
  aligned.models = {none};
  try {
    translate(aligned, "ab\n");
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has no attention (its model.attention is none)"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
  aligned.alignment = "";
  aligned.replace_unknown = true;
  EXPECT_THROW(translate(aligned, "ab\n"), ModelError);
  aligned.replace_unknown = false;
  EXPECT_NO_THROW(translate(aligned, "ab\n"));
  aligned.alignment = "soft";
  aligned.format = "jsonl";
  aligned.models = {model_, none};
  const auto line = nlohmann::json::parse(translate(aligned, "ab cd ef\n").at(0));
  const std::string text = line.at("translations").at(0).at("text");
  const auto rows =
      line.at("segments").at(0).at("hypotheses").at(0).at("word_attention").get<std::vector<std::vector<double>>>();
  EXPECT_EQ(rows.size(), words_of(text).size());
  for (const std::vector<double>& row : rows) {
    ASSERT_EQ(row.size(), 3U);
    EXPECT_LE(std::accumulate(row.begin(), row.end(), 0.0), 1 + 1e-5);
  }
  EXPECT_EQ(line.at("translations").at(0).at("alignment").size(), rows.size());
}

TEST_F(TranslateVerb, UnknownPiecesAreShownReplacedOrTranslated) {
  TranslateOptions tsv = options();  // a letter that the tokenizer doesn't know, in how the translation begins
  tsv.input_format = "tsv";
  const std::string input = "ab\tgad \u0416 bi\n";
  EXPECT_THAT(translate(tsv, input)[0], StartsWith("gad <unk> bi"));
  tsv.unknown = "UNK";
  EXPECT_THAT(translate(tsv, input)[0], StartsWith("gad UNK bi"));
  tsv.replace_unknown = true;
  EXPECT_THAT(translate(tsv, input)[0], StartsWith("gad ab bi"));
  tsv.replace_unknown = false;
  tsv.dictionary = folder_.file("dictionary", "ab\tA B\n");
  tsv.alignment = "hard";
  const std::string both = translate(tsv, input)[0];
  EXPECT_THAT(both, StartsWith("gad A B bi"));
  EXPECT_THAT(sources_of(both), ::testing::Each(0U));
  tsv.dictionary = folder_.file("dictionary", "cd\tA B\n");
  EXPECT_THAT(translate(tsv, input)[0], StartsWith("gad ab bi"));
  tsv.dictionary = folder_.file("dictionary", "cd A B\n");
  EXPECT_THROW(translate(tsv, input), DataError);
}

TEST_F(TranslateVerb, EveryFlagReachesTheSearch) {
  const std::string input = "ab cd ef\nfe ga bi jd\nabc\nae bd ca\nhij\n";
  TranslateOptions with_scores = options();
  with_scores.format = "tsv";
  const std::vector<std::string> usual = translate(with_scores, input);
  const auto differs = [&](const std::function<void(TranslateOptions&)>& change) {
    TranslateOptions changed = with_scores;
    change(changed);
    return translate(changed, input) != usual;
  };
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.beam = 1; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.normalization = "none"; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.length_penalty = 0; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.word_reward = -5; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.coverage_penalty = 3; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.no_repeat_ngram = 1, o.max_length_extra = 30; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.max_length_ratio = 0.1, o.max_length_extra = 0; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.min_length = 8; }));
  EXPECT_TRUE(differs([](TranslateOptions& o) { o.max_source_length = 2; }));
}

TEST_F(TranslateVerb, MistakesAreTold) {
  TranslateOptions bad = options();
  bad.precision = "float8";
  EXPECT_THROW(translate(bad, "a\n"), UsageError);
  bad = options();
  bad.beam = 2;
  bad.n_best = 3;
  EXPECT_THROW(translate(bad, "a\n"), UsageError);
  bad = options();
  bad.weights = {1, 2};
  EXPECT_THROW(translate(bad, "a\n"), UsageError);
  bad = options();
  bad.models = {"/nowhere"};
  EXPECT_THROW(translate(bad, "a\n"), ModelError);
  bad = options();
  bad.input = "/nowhere";
  EXPECT_THROW(nmt_translate(bad), DataError);
}

}  // namespace
}  // namespace nmt
