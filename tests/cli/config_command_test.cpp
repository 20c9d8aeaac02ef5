#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// A folder with a small corpus and a configuration for it.
class ConfigCommand : public testing::Test {
 protected:
  std::string config(const std::string& text) { return folder_.file("run.json", text); }
  std::string complete() {
    folder_.file("a.fr", "la souris\nle chat\n");
    folder_.file("a.en", "the mouse\nthe cat\n");
    return config(R"({"data": {"train": {"src": "a.fr", "tgt": "a.en"}}, "train": {"max_epochs": 3}})");
  }
  std::string repeated(const std::string& line, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += line + "\n";
    return out;
  }
  const std::filesystem::path& path() const { return folder_.path(); }

  TemporaryFolder folder_;
};

TEST_F(ConfigCommand, ShowWithoutAFileIsTheReference) {
  EXPECT_EQ(run_nmt({"config", "show"}).output, read_file(std::string(NMT_SOURCE_DIR) + "/configs/reference.json"));
}

TEST_F(ConfigCommand, ShowResolvesValuesAndPaths) {
  const ProcessResult result = run_nmt(
      {"config", "show", complete(), "--set", "train.seed=5", "--set", "data.valid.src=v", "--set", "data.valid.tgt=w"},
      {.working_directory = "/tmp"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const json shown = json::parse(result.output);
  EXPECT_EQ(shown["train"]["seed"], 5);
  EXPECT_EQ(shown["data"]["train"]["src"], (path() / "a.fr").string());
  EXPECT_EQ(shown["data"]["valid"]["src"], "/tmp/v");
  EXPECT_EQ(shown["model"]["attention"], "additive");
}

TEST_F(ConfigCommand, ConfigurationsComeFromStandardInputToo) {
  const ProcessResult result =
      run_nmt({"config", "show", "-"},
              {.input = R"({"data": {"train": {"src": "a", "tgt": "b"}}, "train": {"max_updates": 1}})",
               .working_directory = "/tmp"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(json::parse(result.output)["data"]["train"]["src"], "/tmp/a");
}

TEST_F(ConfigCommand, CheckTellsWhatWouldBeDone) {
  const ProcessResult result = run_nmt({"config", "check", complete()});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output,
            "text        2 pairs to train on, none for validation\n"
            "vocabulary  joint, bpe of 8,000 pieces, to be trained\n"
            "model       embedding 256, bidirectional GRU encoder 2 x 256 (1 layer), additive attention, gru decoder "
            "512, tanh readout\n"
            "training    adam, learning rate 0.001 (constant), batches of at most 2,048 target positions, seed 1\n"
            "end         after 3 epochs\n"
            "validation  none\n");
}

TEST_F(ConfigCommand, CheckReportsEveryViolationWithFileLineAndPath) {
  const std::string file = config("{\"train\": {\n\"bach_tokens\": 1,\n\"seed\": \"x\"}}");
  const ProcessResult result = run_nmt({"config", "check", file, "--set", "search.bean=3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  for (const std::string& part :
       {"nmt: error: " + file + ":2: train.bach_tokens: unknown key. Did you mean 'batch_tokens'?\n",
        "nmt: error: " + file + ":3: train.seed: expected a whole number",
        "nmt: error: " + file + ": data.train.src: required",
        std::string("nmt: error: --set search.bean: unknown key. Did you mean 'beam'?\n")}) {
    EXPECT_THAT(result.errors, HasSubstr(part));
  }
}

TEST_F(ConfigCommand, CheckFindsFilesThatAreNotThere) {
  const std::string file = complete();
  std::filesystem::remove(path() / "a.en");
  const ProcessResult result = run_nmt({"config", "check", file});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.errors,
            "nmt: error: data.train.tgt: can't read " + (path() / "a.en").string() + ": No such file or directory.\n");
}

TEST_F(ConfigCommand, CheckComparesLineCounts) {
  const std::string file = complete();
  folder_.file("a.en", "the mouse\n");
  const ProcessResult result = run_nmt({"config", "check", file});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.errors,
              HasSubstr((path() / "a.fr").string() + " has 2 lines and " + (path() / "a.en").string() + " has 1."));
  folder_.file("a.en", "");
  folder_.file("a.fr", "");
  EXPECT_EQ(run_nmt({"config", "check", file}).exit_code, 3);
}

TEST_F(ConfigCommand, AMissingConfigurationIsAnErrorOfUsage) {
  const ProcessResult result = run_nmt({"config", "check", "/nowhere/run.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "nmt: error: The configuration can't be read. Can't open /nowhere/run.json: No such file or "
            "directory.\n");
}

TEST_F(ConfigCommand, SchemaIsJson) {
  const json schema = json::parse(run_nmt({"config", "schema"}).output);
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_TRUE(schema["properties"]["model"]["properties"].contains("attention"));
}

TEST_F(ConfigCommand, SuggestionsPassTheCheckAndGrowWithTheCorpus) {
  const std::string small_fr = folder_.file("s.fr", repeated("elle aime le thé vert", 1000));
  const std::string small_en = folder_.file("s.en", repeated("she likes green tea", 1000));
  const std::string large_fr = folder_.file("l.fr", repeated("elle aime le thé vert", 40000));
  const std::string large_en = folder_.file("l.en", repeated("she likes green tea", 40000));
  const ProcessResult small = run_nmt({"config", "suggest", "--src", small_fr, "--tgt", small_en});
  ASSERT_EQ(small.exit_code, 0) << small.errors;
  EXPECT_THAT(small.errors, HasSubstr("No validation text"));
  const ProcessResult large = run_nmt({"config", "suggest", "--src", large_fr, "--tgt", large_en, "--valid-src",
                                       small_fr, "--valid-tgt", small_en, "--quiet"});
  ASSERT_EQ(large.exit_code, 0) << large.errors;
  EXPECT_EQ(large.errors, "");
  const json a = json::parse(small.output), b = json::parse(large.output);
  EXPECT_EQ(a["text"]["vocab_size"], "auto");
  EXPECT_EQ(b["text"]["vocab_size"], 8000);
  EXPECT_LT(a["model"]["decoder_dim"], b["model"]["decoder_dim"]);
  EXPECT_GT(b["valid"]["patience"], 0);
  for (const std::string& text : {small.output, large.output}) {
    const ProcessResult checked = run_nmt({"config", "check", "-"}, {.input = text});
    EXPECT_EQ(checked.exit_code, 0) << checked.errors;
  }
}

TEST_F(ConfigCommand, SuggestionsShareAVocabularyBetweenLikeScriptsOnly) {
  const std::string french = folder_.file("a", repeated("elle aime le thé vert", 10));
  const std::string english = folder_.file("b", repeated("she likes green tea at twelve", 10));
  const std::string greek = folder_.file("c", repeated("της αρέσει το πράσινο τσάι", 10));
  const auto joint = [&](const std::string& source, const std::string& target) {
    return json::parse(run_nmt({"config", "suggest", "--src", source, "--tgt", target}).output)["text"]["joint"];
  };
  EXPECT_EQ(joint(french, folder_.file("d", repeated("elle aime le thé vert", 10))), true);
  EXPECT_EQ(joint(french, greek), false);
  EXPECT_EQ(joint(greek, english), false);
}

TEST_F(ConfigCommand, SuggestWarnsOfATinyCorpus) {
  const auto warnings = [&](int lines) {
    const std::string source = folder_.file("a", repeated("la souris", lines));
    const std::string target = folder_.file("b", repeated("the mouse", lines));
    return run_nmt({"config", "suggest", "--src", source, "--tgt", target}).errors;
  };
  EXPECT_THAT(warnings(20), HasSubstr("20 pairs are too few to learn a language from"));
  EXPECT_THAT(warnings(1), HasSubstr("1 pair is too few"));
  EXPECT_THAT(warnings(1000), Not(HasSubstr("too few")));
}

TEST_F(ConfigCommand, SuggestNamesWhatIsWrongWithTheCorpus) {
  const std::string two = folder_.file("two", "a\nb\n"), three = folder_.file("three", "a\nb\nc\n");
  const std::string latin1 = folder_.file("latin1", "a\ncaf\xe9\n"), empty = folder_.file("empty", "");
  const std::string empty_too = folder_.file("empty_too", "");
  const auto run = [](const std::string& source, const std::string& target) {
    return run_nmt({"config", "suggest", "--src", source, "--tgt", target});
  };
  EXPECT_THAT(run(two, three).errors, HasSubstr(two + " has 2 lines and " + three + " has 3"));
  EXPECT_THAT(run(two, latin1).errors, HasSubstr(latin1 + ":2: not UTF-8"));
  EXPECT_THAT(run(empty, empty_too).errors, HasSubstr("holds no text"));
  EXPECT_THAT(run(two, "/nowhere").errors, HasSubstr("/nowhere"));
  for (const auto& result : {run(two, three), run(two, latin1), run(empty, empty_too), run(two, "/nowhere")}) {
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.output, "");
  }
}

TEST_F(ConfigCommand, SuggestRefusesOneFileForBothSides) {
  const std::string text = folder_.file("text", "a\nb\n"), other = folder_.file("other", "c\nd\n");
  const std::string link = (folder_.path() / "link").string();
  std::filesystem::create_symlink(text, link);
  for (const auto& files : {std::vector<std::string>{"--src", text, "--tgt", text},
                            {"--src", text, "--tgt", link},
                            {"--src", text, "--tgt", other, "--valid-src", link, "--valid-tgt", text}}) {
    std::vector<std::string> arguments = {"config", "suggest"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    const ProcessResult result = run_nmt(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, HasSubstr("are the same file; a translator learns from a text and its translation."));
  }
}

}  // namespace
}  // namespace nmt::test
