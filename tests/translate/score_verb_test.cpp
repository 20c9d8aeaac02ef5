#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "cli/torch_verbs.h"
#include "small_model.h"
#include "translate/score_summary.h"

namespace nmt {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// nmt score, as the program calls it, with a small random model.
class ScoreVerb : public ::testing::Test {
 protected:
  ScoreOptions options() const {
    ScoreOptions options;
    options.models = {model_};
    options.device = "cpu";
    options.threads = 2;
    return options;
  }

  std::vector<std::string> score(ScoreOptions options, const std::string& source, const std::string& target) const {
    options.source = folder_.file("source", source);
    options.target = folder_.file("target", target);
    options.output = (folder_.path() / "out").string();
    nmt_score(options);
    return read_lines(options.output);
  }

  const test::TemporaryFolder folder_;
  const std::string model_ = test::make_model(folder_, "model", test::small_tokenizers(folder_, 60, 1), 5);
};

TEST_F(ScoreVerb, GivesANumberForEachPair) {
  const std::vector<std::string> out = score(options(), "ab cd\n\nab\r\n\xff\nx", "ga\n\n\r\nb\nc d\n");
  ASSERT_THAT(out, SizeIs(5));
  for (const size_t i : {0, 2, 3, 4}) EXPECT_LT(std::stod(out[i]), 0);
  EXPECT_EQ(out[1], "0");
  EXPECT_THAT(score(options(), "", ""), SizeIs(0));
}

// Translates, and scores what came out: both verbs say the same of a line whose text is cut into the pieces found.
TEST_F(ScoreVerb, ReproducesWhatTranslateSays) {
  std::string source;
  for (const std::string& line : test::invented_lines(40, 3)) source += line + "\n";
  TranslateOptions translate;
  translate.models = {model_};
  translate.device = "cpu";
  translate.input = folder_.file("in", source);
  translate.output = (folder_.path() / "translated").string();
  translate.format = "jsonl";
  translate.normalization = "average";
  translate.coverage_penalty = 0.2;
  translate.word_reward = 0.1;
  translate.max_length_extra = 60;
  nmt_translate(translate);
  const TokenizerPair tokenizers = test::small_tokenizers(folder_, 60, 1);
  std::vector<nlohmann::json> found;
  std::string target;
  for (const std::string& line : read_lines(translate.output)) {
    found.push_back(nlohmann::json::parse(line));
    target += found.back().at("translations").at(0).at("text").get<std::string>() + "\n";
  }
  ScoreOptions again = options();
  again.format = "tsv";
  again.normalization = translate.normalization;
  again.coverage_penalty = translate.coverage_penalty;
  again.word_reward = translate.word_reward;
  const std::vector<std::string> rows = score(again, source, target);
  ASSERT_THAT(rows, SizeIs(found.size()));
  int compared = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const nlohmann::json& best = found[i].at("translations").at(0);
    const std::vector<std::string> cells = split(rows[i], '\t');
    ASSERT_THAT(cells, SizeIs(4));
    EXPECT_EQ(cells[0], std::to_string(i + 1));
    if (found[i].at("segments").empty()) {
      EXPECT_EQ(rows[i], std::to_string(i + 1) + "\t0\t0\t0");
      continue;
    }
    const nlohmann::json& hypothesis = found[i].at("segments").at(0).at("hypotheses").at(0);
    const auto pieces = hypothesis.at("pieces").get<std::vector<PieceId>>();
    if (!hypothesis.at("finished") || tokenizers.target->encode(best.at("text").get<std::string>()) != pieces) continue;
    EXPECT_NEAR(std::stod(cells[1]), best.at("score").get<double>(), 1e-4);
    EXPECT_NEAR(std::stod(cells[2]), best.at("log_prob").get<double>(), 1e-4);
    EXPECT_EQ(std::stoul(cells[3]), pieces.size() + 1);
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

TEST_F(ScoreVerb, TellsOfEachTokenWhereAsked) {
  ScoreOptions tokens = options();
  tokens.per_token = true;
  const auto sum = [](const std::string& numbers) {
    double total = 0;
    for (const std::string& number : split(numbers, ' ')) total += std::stod(number);
    return total;
  };
  const std::vector<std::string> text = split(score(tokens, "ab\n", "cd ef\n").at(0), '\t');
  ASSERT_THAT(text, SizeIs(2));
  EXPECT_NEAR(sum(text[1]), std::stod(text[0]), 1e-4);
  tokens.format = "tsv";
  const std::vector<std::string> row = split(score(tokens, "ab\n", "cd ef\n").at(0), '\t');
  ASSERT_THAT(row, SizeIs(6));
  const std::vector<std::string> pieces = split(row[4], ' ');
  EXPECT_EQ(pieces.back(), "</s>");
  EXPECT_EQ(join({pieces.begin(), pieces.end() - 1}, ""), "▁cd▁ef");
  EXPECT_EQ(std::to_string(pieces.size()), row[3]);
  EXPECT_NEAR(sum(row[5]), std::stod(row[2]), 1e-4);
  tokens.format = "jsonl";
  const nlohmann::json json = nlohmann::json::parse(score(tokens, "ab\n", "cd ef\n").at(0));
  EXPECT_EQ(json.at("line"), 1);
  EXPECT_EQ(json.at("length"), pieces.size());
  EXPECT_EQ(json.at("tokens").at(0).at("piece"), pieces[0]);
  EXPECT_NEAR(json.at("log_prob").get<double>(), std::stod(row[2]), 1e-6);
  EXPECT_NEAR(json.at("score").get<double>(), std::stod(row[1]), 1e-6);
}

TEST_F(ScoreVerb, PairsThatAreTooLongStayInTheirPlace) {
  ScoreOptions shorter = options();
  shorter.max_length = 10;
  const std::string source = "ab\nab\ncd\n";
  const std::string target = "cd\n" + std::string(100, 'a') + "\nef\n";
  const std::vector<std::string> out = score(shorter, source, target);
  ASSERT_THAT(out, SizeIs(3));
  EXPECT_EQ(out[1], "nan");
  EXPECT_LT(std::stod(out[2]), 0);
  shorter.format = "jsonl";
  const nlohmann::json json = nlohmann::json::parse(score(shorter, source, target).at(1));
  EXPECT_TRUE(json.at("log_prob").is_null());
  EXPECT_TRUE(json.at("too_long").get<bool>());
}

TEST_F(ScoreVerb, MistakesAreTold) {
  const auto message = [&](const std::string& source, const std::string& target) -> std::string {
    try {
      score(options(), source, target);
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("a\nb\nc\n", "a\n"), HasSubstr("source has 3 lines and "));
  EXPECT_THAT(message("a\n", "a\nb\n"), HasSubstr("target has 2."));
  EXPECT_THAT(message("", "a\n"), HasSubstr("has 0 lines and "));
  ScoreOptions bad = options();
  bad.models = {"/nowhere"};
  EXPECT_THROW(score(bad, "a\n", "a\n"), ModelError);
  bad = options();
  bad.weights = {1, 2};
  EXPECT_THROW(score(bad, "a\n", "a\n"), UsageError);
  bad.source = bad.target = "/nowhere";
  EXPECT_THROW(nmt_score(bad), DataError);
}

TEST(ScoreSummary, CountsPiecesWordsAndOddLines) {
  ForcedPair pair;
  pair.target = "a  bc";
  pair.target_pieces = {4, 5, 6};
  pair.source_pieces = {4};
  pair.piece_log_probs = {-1, -1, -1, -1};
  pair.log_prob = -4;
  ForcedPair blank;
  ForcedPair too_long = pair;
  too_long.too_long = true;
  too_long.piece_log_probs.clear();
  too_long.log_prob = 0;
  too_long.replaced_utf8 = 2;
  ScoreSummary summary;
  summary.add(1, pair);
  summary.add(2, blank);
  summary.add(3, too_long);
  EXPECT_NEAR(summary.perplexity_per_piece(), std::exp(1.0), 1e-9);
  EXPECT_NEAR(summary.perplexity_per_word(), std::exp(4.0 / 3), 1e-9);
  EXPECT_EQ(summary.text(2),
            "3 pairs (1 blank): log-probability -4.0000 of 4 pieces and end marks, perplexity 2.7183 a piece, 3.7937 a "
            "word, in 2.0s; 1 pair too long for a score; 1 pair with bytes that were not UTF-8.");
  EXPECT_EQ(ScoreSummary().text(1), "0 pairs.");
}

}  // namespace
}  // namespace nmt
