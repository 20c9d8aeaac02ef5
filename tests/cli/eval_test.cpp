#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "cli/eval_command.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

const std::filesystem::path kData = std::filesystem::path(NMT_SOURCE_DIR) / "tests/metrics/data";

EvalOptions parse(Arguments arguments) {
  EvalOptions options;
  CLI::App app;
  add_eval_flags(app, options);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  return options;
}

std::string eval(const Arguments& arguments) {
  std::ostringstream out;
  run_eval(parse(arguments), out);
  return out.str();
}

std::string usage_error(const Arguments& arguments) {
  try {
    eval(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

// Runs in the folder of the texts, so that systems have short names.
class Eval : public testing::Test {
 public:
  Eval() : before_(std::filesystem::current_path()) { std::filesystem::current_path(kData); }
  ~Eval() override { std::filesystem::current_path(before_); }

 protected:
  const Arguments one_ = {"--hypothesis", "system1.txt", "--reference", "reference1.txt"};
  const Arguments two_ = {"--hypothesis", "system1.txt", "system2.txt", "--reference", "reference1.txt"};

  static Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

 private:
  std::filesystem::path before_;
};

// What scripts/make_metric_goldens had sacreBLEU's command print, to the letter.
TEST_F(Eval, PrintsWhatSacreBleuPrints) {
  const json commands = json::parse(read_file("commands.json"));
  EXPECT_EQ(commands.size(), 12u);
  for (const json& command : commands) {
    Arguments arguments = {"--sacrebleu-signature"};
    for (const json& file : command["hypotheses"]) arguments.insert(arguments.end(), {"--hypothesis", file});
    for (const json& file : command["references"]) arguments.insert(arguments.end(), {"--reference", file});
    for (const json& argument : command["arguments"]) arguments.push_back(argument);
    EXPECT_EQ(eval(arguments), command["output"].get<std::string>()) << command["arguments"].dump();
  }
}

TEST_F(Eval, SignaturesNameThisProgramUnlessAskedOtherwise) {
  EXPECT_EQ(json::parse(eval(one_))["signature"],
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:nmt-" NMT_VERSION);
  EXPECT_EQ(json::parse(eval(with(one_, {"--sacrebleu-signature"})))["version"], "2.6.0");
}

TEST_F(Eval, FlagsMayRepeatOrListTheirValues) {
  EXPECT_EQ(eval(with(one_, {"-m", "bleu,chrf,ter"})), eval(with(one_, {"-m", "ter", "-m", "chrf", "bleu"})));
  EXPECT_EQ(eval(two_),
            eval({"--reference", "reference1.txt", "--hypothesis", "system1.txt", "--hypothesis", "system2.txt"}));
}

TEST_F(Eval, ConfidenceIsReportedBesideTheScore) {
  const json found = json::parse(eval(with(one_, {"--confidence", "--confidence-n", "200", "-w", "3"})));
  const std::string signature = found["signature"];
  EXPECT_TRUE(signature.starts_with("nrefs:1|bs:200|seed:12345|case:mixed|")) << signature;
  EXPECT_NEAR(found["confidence_mean"].get<double>(), found["score"].get<double>(), 3);
  EXPECT_GT(found["confidence_var"].get<double>(), 0);
  EXPECT_TRUE(found["confidence"].get<std::string>().starts_with("μ = "));
  EXPECT_EQ(eval(with(one_, {"--confidence"})), eval(with(one_, {"--confidence", "--threads", "3"})));
}

TEST_F(Eval, PairedTestsCompareWithTheFirst) {
  for (const std::string test : {"--paired-bs", "--paired-ar"}) {
    const json found = json::parse(eval(with(two_, {"-m", "bleu", "ter", test})));
    EXPECT_EQ(found[0]["system"], "Baseline: system1.txt");
    EXPECT_TRUE(found[0]["BLEU"]["p_value"].is_null());
    const double p = found[1]["BLEU"]["p_value"];
    EXPECT_GT(p, 0);
    EXPECT_LE(p, 1);
    EXPECT_EQ(found[1]["TER"]["ci"].is_null(), test == "--paired-ar");
  }
  const std::string text = eval(with(two_, {"--paired-bs", "--format", "text"}));
  EXPECT_NE(text.find("BLEU (μ ± 95% CI)"), std::string::npos);
  EXPECT_NE(text.find("(p = 0."), std::string::npos);
  EXPECT_NE(text.find("nrefs:1|bs:1000|seed:12345|"), std::string::npos);
}

TEST_F(Eval, ScoresBySourceLength) {
  const Arguments by_length = {"--source", "reference2.txt", "--by-length", "-m", "bleu", "ter"};
  const json found = json::parse(eval(with(one_, by_length)));
  ASSERT_EQ(found[0]["by_length"].size(), 7u);
  EXPECT_EQ(found[0]["by_length"][0]["source_words"], "1-10");
  int lines = 0;
  for (const json& bucket : found[0]["by_length"]) lines += bucket["lines"].get<int>();
  EXPECT_EQ(lines, 28);
  EXPECT_TRUE(found[1]["by_length"][6]["score"].is_null());
  EXPECT_EQ(json::parse(eval(with(two_, by_length)))[1]["by_length"]["TER"].size(), 7u);
  EXPECT_NE(eval(with(two_, with(by_length, {"-f", "text"}))).find("TER by source length"), std::string::npos);
}

TEST_F(Eval, PlotIsAnSvgWithACurveForEachSystem) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "plot.svg").string();
  eval(with(two_, {"--source", "reference2.txt", "--by-length", "--plot", path}));
  const std::string svg = read_file(path);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("BLEU by source length"), std::string::npos);
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '<'), std::count(svg.begin(), svg.end(), '>'));
  size_t curves = 0;
  for (size_t at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) ++curves;
  EXPECT_EQ(curves, 4u) << "a curve and its legend for each";
}

TEST_F(Eval, ContradictionsAreUsageErrors) {
  EXPECT_NE(usage_error({"--reference", "reference1.txt"}).find("--hypothesis"), std::string::npos);
  EXPECT_NE(usage_error({"--hypothesis", "system1.txt"}).find("--reference"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"-m", "blue"})).find("Did you mean 'bleu'?"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--sentence-level", "-m", "bleu,ter"})).find("one metric"), std::string::npos);
  EXPECT_NE(usage_error(with(two_, {"--sentence-level"})).find("one hypothesis"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--sentence-level", "--confidence"})).find("doesn't go"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--paired-bs"})).find("twice"), std::string::npos);
  EXPECT_NE(usage_error(with(two_, {"--paired-bs", "--paired-ar"})).find("exclude"), std::string::npos);
  EXPECT_NE(usage_error(with(two_, {"--confidence"})).find("--paired-bs"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--by-length"})).find("--source"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--plot", "x.svg"})).find("--by-length"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--hypothesis", "system1.txt"})).find("twice"), std::string::npos);
  EXPECT_NE(usage_error({"--hypothesis", "-", "--reference", "-"}).find("Standard input"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--chrf-char-order", "0"})).find("both 0"), std::string::npos);
  EXPECT_NE(usage_error(with(one_, {"--tokenize", "spm"})).find("13a, intl, char, none, zh"), std::string::npos);
}

TEST_F(Eval, ModelsAreTranslatedFirst) {
  EvalOptions options = parse({"--source", "reference2.txt", "--reference", "reference1.txt"});
  options.models = {"model"};
  std::ostringstream out;
  run_eval(options, out, [](const EvalOptions& asked) {
    EXPECT_EQ(asked.source, "reference2.txt");
    return read_lines("reference1.txt");
  });
  EXPECT_EQ(json::parse(out.str())["score"], 100.0);
  options.hypotheses = {"system1.txt"};
  EXPECT_THROW(run_eval(options, out), UsageError);
}

TEST_F(Eval, TranslationsOfAnotherLengthAreRefused) {
  EvalOptions options = parse({"--source", "reference2.txt", "--reference", "reference1.txt"});
  options.models = {"model"};
  std::ostringstream out;
  try {
    run_eval(options, out, [](const EvalOptions&) { return std::vector<std::string>{"one"}; });
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()),
              "Line by line the two texts belong together, but the translation of reference2.txt has 1 line and "
              "reference1.txt has 28.");
  }
}

}  // namespace
}  // namespace nmt
