#include <filesystem>
#include <fstream>

#include "config/config_helpers.h"

namespace nmt {
namespace {

using testing::HasSubstr;

TEST(ConfigRead, UnknownKeysNameTheNearestOne) {
  EXPECT_EQ(complaint("{\"train\": {\n\"bach_tokens\": 3}}"),
            "run.json:2: train.bach_tokens: unknown key. Did you mean 'batch_tokens'?");
  EXPECT_EQ(complaint("{\"model\": {\"batch_tokens\": 3}}"),
            "run.json:1: model.batch_tokens: unknown key; batch_tokens belongs to train.");
  EXPECT_EQ(complaint("{\"learning_rate\": 3}"),
            "run.json:1: learning_rate: unknown key; learning_rate belongs to train.optimizer.");
  EXPECT_EQ(complaint("{\"modle\": {}}"), "run.json:1: modle: unknown key. Did you mean 'model'?");
  EXPECT_EQ(complaint("{\"train\": {\"optimizer\": {\"learning_rat\": 1}}}"),
            "run.json:1: train.optimizer.learning_rat: unknown key. Did you mean 'learning_rate'?");
  EXPECT_EQ(complaint("{\"valid\": {\"early_stopping_xyz\": 1}}"),
            "run.json:1: valid.early_stopping_xyz: unknown key.");
  EXPECT_EQ(complaint("{\"train.seed\": 1}"),
            "run.json:1: train.seed: unknown key; in the file a section is an object: \"train\": {\"seed\": ...}.");
}

struct BadValue {
  const char *section, *key, *value, *expected;
};
class WrongValue : public testing::TestWithParam<BadValue> {};

TEST_P(WrongValue, SaysWhatWasExpectedAndWhatWasFound) {
  const std::string section = GetParam().section, key = GetParam().key, value = GetParam().value;
  EXPECT_EQ(complaint("{\"" + section + "\": {\"" + key + "\": " + value + "}}"),
            "run.json:1: " + section + "." + key + ": expected " + GetParam().expected + ".");
}

const BadValue kBadValues[] = {
    {"model", "encoder_layers", "\"two\"", "a whole number between 1 and 16, found the string \"two\""},
    {"model", "encoder_layers", "17", "a whole number between 1 and 16, found the number 17"},
    {"model", "encoder_layers", "0", "a whole number between 1 and 16, found the number 0"},
    {"model", "encoder_layers", "1.5", "a whole number between 1 and 16, found the number 1.5"},
    {"model", "encoder_layers", "true", "a whole number between 1 and 16, found true"},
    {"model", "encoder_layers", "null", "a whole number between 1 and 16, found null"},
    {"model", "encoder_layers", "[1]", "a whole number between 1 and 16, found a list"},
    {"model", "encoder_layers", "{}", "a whole number between 1 and 16, found an object"},
    {"train", "log_every", "9223372036854775808", "a whole number of at least 1, found the number 9223372036854775808"},
    {"train", "log_every", "-9223372036854775809",
     "a whole number of at least 1, found the number -9.223372036854776e+18"},
    {"train", "log_every", "1e18", "a whole number of at least 1, found the number 1e+18"},
    {"train", "seed", "9007199254740992",
     "a whole number between 0 and 9007199254740991, found the number 9007199254740992"},
    {"train", "label_smoothing", "1", "a number of at least 0 and below 1, found the number 1"},
    {"train", "label_smoothing", "\"NaN\"", "a number of at least 0 and below 1, found the string \"NaN\""},
    {"search", "max_length_ratio", "0", "a number above 0 and at most 1000, found the number 0"},
    {"text", "joint", "\"true\"", "true or false, found the string \"true\""},
    {"text", "joint", "1", "true or false, found the number 1"},
    {"text", "vocab_size", "\"Auto\"", "a whole number between 1 and 1000000, or \"auto\", found the string \"Auto\""},
    {"text", "vocab_size", "0", "a whole number between 1 and 1000000, or \"auto\", found the number 0"},
    {"text", "source_model", "3", "the path of a file, found the number 3"},
    {"text", "source_model", "\"a\\u0000b\"", "the path of a file, found the string \"a\\u0000b\""},
    {"model", "attention", "3",
     "one of additive, additive_linear, dot, scaled_dot, general, none, found the number 3"}};

INSTANTIATE_TEST_SUITE_P(Config, WrongValue, testing::ValuesIn(kBadValues));

TEST(ConfigRead, WrongNamesListTheNamesAndTheNearest) {
  EXPECT_EQ(
      complaint("{\"model\": {\"decoder_cell\": \"conditional_gr\"}}"),
      "run.json:1: model.decoder_cell: expected one of gru, conditional_gru, found the string \"conditional_gr\". "
      "Did you mean 'conditional_gru'?");
}

TEST(ConfigRead, ASectionMustBeAnObject) {
  EXPECT_EQ(complaint("{\"model\": []}"), "run.json:1: model: expected an object in braces, found a list.");
}

TEST(ConfigRead, WholeNumbersMayBeWrittenAsFloats) {
  const Config config = parse_complete("{\"train\": {\"max_updates\": 1e6, \"seed\": 3.0, \"log_every\": 2e0}}");
  EXPECT_EQ(config.train.max_updates, 1000000);
  EXPECT_EQ(config.train.seed, 3);
  EXPECT_EQ(config.train.log_every, 2);
}

TEST(ConfigRead, NegativeZeroIsZero) {
  const Config config = parse_complete("{\"train\": {\"label_smoothing\": -0.0, \"seed\": -0}}");
  EXPECT_FALSE(std::signbit(config.train.label_smoothing));
  EXPECT_EQ(config.train.seed, 0);
}

TEST(ConfigRead, AllViolationsAreReportedAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(complaint("{\"train\": {\n\"seed\": -1,\n\"sed\": 1},\n\"text\": {\"type\": \"bpee\"},\n"
                      "\"model\": {\n\"attention\": \"dot\"},\n\"extra\": 0}",
                      {{"model.decoder_dim", "100"}, {"search.beam", "0"}}),
            "run.json:2: train.seed: expected a whole number between 0 and 9007199254740991, found the number -1.\n"
            "run.json:3: train.sed: unknown key. Did you mean 'seed'?\n"
            "run.json:4: text.type: expected one of bpe, unigram, found the string \"bpee\". Did you mean 'bpe'?\n"
            "run.json:6: model.attention is dot, so model.decoder_dim (100) must equal 2 x model.encoder_dim (512); "
            "general has no such limit.\n"
            "run.json:7: extra: unknown key.\n"
            "--set search.beam: expected a whole number between 1 and 1000, found the number 0.");
}

TEST(ConfigRead, NothingFollowsFromAValueThatCouldNotBeRead) {
  const std::vector<Override> files = {{"data.train.src", "a"}, {"data.train.tgt", "b"}};
  for (const char* text : {"{\"train\": {\"max_updates\": \"many\"}}", "{\"train\": {\"max_update\": 10}}"}) {
    try {
      parse_config(text, "run.json", "/", files);
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("train.max_update"));
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("never end")));
    }
  }
}

TEST(ConfigRead, PathsOfTheFileAreRelativeToItAndThoseOfSetToTheWorkingDirectory) {
  const Config config = parse_config(
      R"({"data": {"train": {"src": "text/a.fr", "tgt": "/abs/a.en"}, "valid": {"src": "../v.fr", "tgt": "v.en"}}})",
      "run.json", "/base/conf", {{"train.max_epochs", "1"}, {"text.source_model", "m.model"}});
  EXPECT_EQ(config.data.train.src.value, "/base/conf/text/a.fr");
  EXPECT_EQ(config.data.train.tgt.value, "/abs/a.en");
  EXPECT_EQ(config.data.valid.src.value, "/base/v.fr");
  EXPECT_EQ(config.text.source_model.value, (std::filesystem::current_path() / "m.model").string());
  EXPECT_TRUE(config.text.target_model.empty());
}

TEST(ConfigRead, LoadTakesPathsFromTheFoldersOfTheFile) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "config_load";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "run.json") << R"({"data": {"train": {"src": "a", "tgt": "b"}}, "train": {"max_epochs": 2}})";
  const Config config = load_config((folder / "run.json").string());
  EXPECT_EQ(config.data.train.src.value, (folder / "a").string());
  EXPECT_EQ(config.train.max_epochs, 2);
}

TEST(ConfigRead, AnUnreadableFileIsAUsageError) {
  for (const char* path : {"/nowhere/run.json", "/"}) {
    try {
      load_config(path);
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
    }
  }
}

TEST(ConfigRead, MissingFilesAreNamedWithTheirKeys) {
  const Config config = parse_complete("{}", {{"data.train.src", "/nowhere/a"}, {"data.train.tgt", "/"}});
  EXPECT_THAT(missing_files(config),
              testing::ElementsAre("data.train.src: can't read /nowhere/a: No such file or directory.",
                                   "data.train.tgt: expected a file, but / is a folder."));
}

}  // namespace
}  // namespace nmt
