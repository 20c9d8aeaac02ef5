#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace nmt {
namespace {

namespace fs = std::filesystem;
using Folders = std::set<std::string>;

const fs::path kSource = fs::path(NMT_SOURCE_DIR) / "src";

// Which folder may include which; what those may include is allowed too.
const std::map<std::string, Folders> kMayInclude = {
    {"base", {}},
    {"config", {"base"}},
    {"metrics", {"base"}},
    {"text", {"base", "config"}},
    {"tensor", {"base"}},
    {"data", {"base", "config", "text", "tensor"}},
    {"ops", {"tensor"}},
    {"model", {"config", "tensor", "ops"}},
    {"search", {"config", "tensor"}},
    {"translate", {"text", "data", "model", "search"}},
    {"eval", {"translate", "metrics", "data"}},
    {"train", {"text", "data", "model"}},
    {"cli", {"config", "metrics", "text", "translate", "eval", "train"}},
};
const Folders kWithoutTorch = {"base", "config", "metrics", "text"};

Folders allowed_for(const std::string& folder) {
  Folders allowed = {folder};
  for (const std::string& direct : kMayInclude.at(folder)) allowed.merge(allowed_for(direct));
  return allowed;
}

// The program itself, apart from what runs inside libnmt_torch.so, links no torch.
bool runs_without_torch(const fs::path& file) {
  const std::string folder = file.begin()->string();
  return kWithoutTorch.contains(folder) || (folder == "cli" && !file.filename().string().starts_with("torch_"));
}

// What the include lines of one file (its path below src/) break.
std::vector<std::string> broken_rules(const fs::path& file, std::istream& text) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  static const std::regex torch(R"(^(torch|ATen|c10|caffe2)/.*)");
  std::vector<std::string> broken;
  Folders allowed = allowed_for(file.begin()->string());
  if (file.begin()->string() == "cli" && runs_without_torch(file)) {
    allowed = kWithoutTorch;
    allowed.insert("cli");
  }
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, include)) continue;
    const std::string target = match[2];
    const std::string where = file.string() + " includes " + target;
    if (match[1] == "<") {
      if (runs_without_torch(file) && std::regex_match(target, torch)) broken.push_back(where + ": torch");
    } else if (!fs::exists(kSource / target)) {
      broken.push_back(where + ": write the path below src/");
    } else if (!allowed.contains(fs::path(target).begin()->string())) {
      broken.push_back(where + ": upwards");
    }
  }
  return broken;
}

TEST(Layers, EveryFileIncludesOnlyWhatItsFolderMay) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kSource)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh" && extension != ".inc") {
      continue;
    }
    const fs::path file = fs::relative(entry.path(), kSource);
    ASSERT_TRUE(kMayInclude.contains(file.begin()->string())) << file << " is in a folder that the design doesn't know";
    std::ifstream text(entry.path());
    EXPECT_THAT(broken_rules(file, text), testing::IsEmpty());
    ++files;
  }
  EXPECT_GT(files, 20);
}

TEST(Layers, BrokenRulesAreFound) {
  const auto broken = [](const std::string& file, const std::string& line) {
    std::istringstream text("#pragma once\n" + line + "\n");
    return broken_rules(file, text).size();
  };
  EXPECT_EQ(broken("config/x.h", "#include \"base/error.h\""), 0u);
  EXPECT_EQ(broken("base/x.h", "#include \"config/config.h\""), 1u);
  EXPECT_EQ(broken("metrics/x.h", "#include \"config/config.h\""), 1u);
  EXPECT_EQ(broken("text/x.h", "  #  include \"cli/verbs.h\" // why"), 1u);
  EXPECT_EQ(broken("train/x.h", "#include \"base/error.h\""), 0u);
  EXPECT_EQ(broken("config/x.h", "#include \"config.h\""), 1u);
  EXPECT_EQ(broken("text/x.h", "#include <torch/types.h>"), 1u);
  EXPECT_EQ(broken("model/x.h", "#include <torch/types.h>"), 0u);
  EXPECT_EQ(broken("cli/train_command.cpp", "#include <ATen/core/Tensor.h>"), 1u);
  EXPECT_EQ(broken("cli/torch_train.cpp", "#include <ATen/core/Tensor.h>"), 0u);
}

TEST(Layers, NoFolderIsAboveItself) {
  for (const auto& [folder, direct] : kMayInclude) {
    for (const std::string& lower : direct) EXPECT_FALSE(allowed_for(lower).contains(folder)) << folder;
  }
}

}  // namespace
}  // namespace nmt
