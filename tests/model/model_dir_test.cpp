#include "model/model_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "model/model_copy.h"
#include "model/model_report.h"
#include "model/models.h"
#include "tensor/random.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

class ModelDir : public testing::Test {
 public:
  ModelDir() : root_(fs::path(testing::TempDir()) / ("model-dir-" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~ModelDir() override { fs::remove_all(root_); }

 protected:
  // A model whose weights depend on the seed, with a stand-in for its tokenizer.
  fs::path save(const std::string& name, uint64_t seed, const ModelConfig& config = testing_models::small_config(),
                const std::string& tokenizer = "pieces") {
    const fs::path directory = root_ / name;
    fs::create_directories(directory);
    std::ofstream(directory / "joint.spm") << tokenizer;
    seed_random(seed);
    Seq2Seq model(config, 20, 20);
    ModelDirConfig whole;
    whole.model = config;
    save_model_dir(directory, whole, model, {"joint.spm"}, R"({"updates": 7})", training_text_);
    return directory;
  }

  std::string error_of(const fs::path& directory) {
    try {
      load_model_dir(directory, torch::kCPU);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }

  static void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = read_file(file);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(file) << text.replace(at, from.size(), to);
  }

  const fs::path root_;
  std::optional<TrainingText> training_text_;
};

TEST_F(ModelDir, LoadedModelIsTheSavedOne) {
  const LoadedModel a = load_model_dir(save("a", 1), torch::kCPU);
  seed_random(1);
  Seq2Seq expected(testing_models::small_config(), 20, 20);
  const auto got = a.model->parameters(), want = expected->parameters();
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(torch::equal(got[i], want[i]));
  EXPECT_FALSE(a.model->is_training());
  EXPECT_EQ(a.card.training_summary, R"({"updates":7})");
}

TEST_F(ModelDir, TellsWhatTextItWasTrainedOn) {
  EXPECT_EQ(read_model_card(save("old", 1)).training_text, std::nullopt);
  training_text_ = TrainingText{41, 0.125};
  EXPECT_EQ(read_model_card(save("a", 1)).training_text, training_text_);
  EXPECT_NE(model_report_text(root_ / "a").find("lines of up to 41 source pieces, 12% of them of several sentences"),
            std::string::npos);
  average_models({save("b", 2), root_ / "a"}, root_ / "mean");
  EXPECT_EQ(read_model_card(root_ / "mean").training_text, training_text_);
  replace_in(root_ / "a/model_card.json", "41", "0");
  EXPECT_NE(error_of(root_ / "a").find("longest_source must be above 0"), std::string::npos);
  replace_in(root_ / "a/model_card.json", "\"longest_source\"", "\"longest\"");
  EXPECT_NE(error_of(root_ / "a").find("incomplete or malformed"), std::string::npos);
}

TEST_F(ModelDir, NothingOfTheMachineIsInside) {
  const fs::path directory = save("a", 1);
  for (const auto& entry : fs::directory_iterator(directory)) {
    EXPECT_EQ(read_file(entry.path()).find(root_.string()), std::string::npos) << entry.path();
  }
}

TEST_F(ModelDir, AnyChangedOrTruncatedFileIsRefused) {
  for (const char* name : {"config.json", "model.safetensors", "joint.spm", "model_card.json"}) {
    const std::string whole = read_file(save("a", 1) / name);
    for (const size_t length : {size_t{0}, size_t{1}, whole.size() / 2, whole.size() - 1}) {
      const fs::path directory = save("a", 1);
      std::ofstream(directory / name, std::ios::trunc) << whole.substr(0, length);
      if (std::string(name) == "model_card.json" && length == whole.size() - 1) continue;  // only the line end is gone
      EXPECT_NE(error_of(directory), "") << name << " cut to " << length;
    }
    const fs::path directory = save("a", 1);
    fs::remove(directory / name);
    EXPECT_NE(error_of(directory), "") << name << " removed";
  }
}

TEST_F(ModelDir, OtherFormatVersionNamesBothVersions) {
  const fs::path directory = save("a", 1);
  replace_in(directory / "model_card.json", "\"format_version\": 1", "\"format_version\": 99");
  const std::string message = error_of(directory);
  EXPECT_NE(message.find("99"), std::string::npos) << message;
  EXPECT_NE(message.find("reads version 1"), std::string::npos) << message;
}

TEST_F(ModelDir, ClaimsThatDontFitTheWeightsAreRefusedBeforeAllocation) {
  const fs::path directory = save("a", 1);
  replace_in(directory / "model_card.json", "\"source_vocab\": 20", "\"source_vocab\": 2000000000");
  EXPECT_NE(error_of(directory).find("don't fit"), std::string::npos) << error_of(directory);
}

TEST_F(ModelDir, ResolvesRunsToTheirBestModel) {
  const fs::path model = save("run/checkpoints/step-00000007", 1);
  std::ofstream(root_ / "run" / "train_log.jsonl") << "";
  EXPECT_THROW(resolve_model_dir(root_ / "run"), ModelError);
  fs::create_directory_symlink("checkpoints/step-00000007", root_ / "run" / "best");
  EXPECT_TRUE(fs::equivalent(resolve_model_dir(root_ / "run"), model));
  EXPECT_EQ(resolve_model_dir(model), model);
  EXPECT_THROW(resolve_model_dir(root_ / "nothing"), ModelError);
  EXPECT_THROW(resolve_model_dir(model / "config.json"), ModelError);
  EXPECT_THROW(resolve_model_dir(root_), ModelError);
}

TEST_F(ModelDir, ExportCopiesTheModelAlone) {
  const fs::path model = save("a", 1);
  std::ofstream(model / "optimizer.safetensors") << "large";
  export_model(model, root_ / "copy");
  EXPECT_EQ(error_of(root_ / "copy"), "");
  EXPECT_FALSE(fs::exists(root_ / "copy" / "optimizer.safetensors"));
  EXPECT_THROW(export_model(model, root_ / "copy"), UsageError) << "exists already";
  std::ofstream(model / "joint.spm") << "changed";
  EXPECT_THROW(export_model(model, root_ / "second"), ModelError);
  EXPECT_FALSE(fs::exists(root_ / "second"));
}

TEST_F(ModelDir, AverageIsTheMeanOfEveryWeight) {
  const std::vector<fs::path> models = {save("a", 1), save("b", 2), save("c", 3)};
  average_models(models, root_ / "mean");
  std::vector<std::vector<torch::Tensor>> weights;
  for (const fs::path& model : models) weights.push_back(load_model_dir(model, torch::kCPU).model->parameters());
  const auto mean = load_model_dir(root_ / "mean", torch::kCPU).model->parameters();
  for (size_t i = 0; i < mean.size(); ++i) {
    const auto expected = (weights[0][i] + weights[1][i] + weights[2][i]) / 3;
    EXPECT_TRUE(torch::allclose(mean[i], expected, 1e-6, 1e-7));
  }
}

TEST_F(ModelDir, AverageRefusesWhatDoesntMatch) {
  const fs::path a = save("a", 1);
  ModelConfig config = testing_models::small_config();
  config.attention = AttentionScore::kGeneral;
  try {
    average_models({a, save("b", 2, config)}, root_ / "mean");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("model.attention"), std::string::npos) << error.what();
  }
  EXPECT_THROW(average_models({a, save("c", 2, testing_models::small_config(), "other")}, root_ / "mean"), ModelError);
  EXPECT_THROW(average_models({a}, root_ / "mean"), UsageError);
  EXPECT_FALSE(fs::exists(root_ / "mean"));
}

TEST_F(ModelDir, ReportCountsTheParametersOfEachPart) {
  const auto report = nlohmann::json::parse(model_report_json(save("a", 1)));
  const LoadedModel loaded = load_model_dir(root_ / "a", torch::kCPU);
  int64_t sum = 0;
  for (const auto& count : report["parameters_of_part"]) sum += count.get<int64_t>();
  EXPECT_EQ(sum, loaded.model->parameter_count());
  EXPECT_EQ(report["parameters_of_part"]["decoder.attention"], 12 * 16 + 12 * 16 + 12);
  EXPECT_NE(model_report_text(root_ / "a").find("20 source pieces"), std::string::npos);
}

}  // namespace
}  // namespace nmt
