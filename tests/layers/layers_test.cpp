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
    {"api", {"translate"}},
    {"cli", {"config", "metrics", "text", "translate", "eval", "train", "api"}},
};
const Folders kWithoutTorch = {"base", "config", "metrics", "text"};

Folders allowed_for(const std::string& folder) {
  Folders allowed = {folder};
  for (const std::string& direct : kMayInclude.at(folder)) allowed.merge(allowed_for(direct));
  return allowed;
}

// The program itself and libnmt.so, apart from what runs inside libnmt_torch.so, link no torch.
bool runs_without_torch(const fs::path& file) {
  const std::string folder = file.begin()->string();
  const bool mixed = folder == "cli" || folder == "api";
  return kWithoutTorch.contains(folder) || (mixed && !file.filename().string().starts_with("torch_"));
}

Folders allowed_for_file(const fs::path& file) {
  const std::string folder = file.begin()->string();
  if (!runs_without_torch(file) || kWithoutTorch.contains(folder)) return allowed_for(folder);
  if (folder == "api") return {"api", "base"};  // libnmt.so holds nothing else
  Folders allowed = kWithoutTorch;
  allowed.insert({"cli", "api"});
  return allowed;
}

// What the include lines of one file (its path below src/) break.
std::vector<std::string> broken_rules(const fs::path& file, std::istream& text) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  static const std::regex torch(R"(^(torch|ATen|c10|caffe2)/.*)");
  std::vector<std::string> broken;
  const Folders allowed = allowed_for_file(file);
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
  EXPECT_EQ(broken("api/translator.cpp", "#include <ATen/core/Tensor.h>"), 1u);
  EXPECT_EQ(broken("api/translator.cpp", "#include \"config/config.h\""), 1u);
  EXPECT_EQ(broken("api/torch_backend.cpp", "#include \"translate/translation.h\""), 0u);
  EXPECT_EQ(broken("translate/translator.h", "#include \"api/backend.h\""), 1u);
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// First groups of all matches.
std::set<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  return found;
}

const std::regex kDeclaredType(R"((?:^|\n)(?:struct|class|enum class)(?: NMT_PUBLIC)? (\w+))");

// Whoever installs nmt has these headers and the C++ library. A type of ours by the same name as a public one would be
// taken for it by the linker.
TEST(Layers, PublicHeadersStandAlone) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSource.parent_path() / "include/nmt")) {
    const std::string text = content_of(entry.path());
    for (const std::string& target : all_matches(text, std::regex(R"(#\s*include\s*([<"][^>"]+[>"]))"))) {
      EXPECT_TRUE(std::regex_match(target, std::regex("<(nmt/)?[a-z_]+(\\.h)?>"))) << entry.path() << " " << target;
    }
    names.merge(all_matches(text, kDeclaredType));
  }
  EXPECT_TRUE(names.contains("Translator") && names.contains("TranslatedLine")) << "the public types aren't found";
  names.erase("TranslatorBackend");  // declared there, defined in api/
  for (const auto& entry : fs::recursive_directory_iterator(kSource)) {
    if (!entry.is_regular_file()) continue;
    for (const std::string& name : all_matches(content_of(entry.path()), kDeclaredType)) {
      EXPECT_FALSE(names.contains(name)) << entry.path() << " has a type of the name of the public " << name;
    }
  }
}

TEST(Layers, NoFolderIsAboveItself) {
  for (const auto& [folder, direct] : kMayInclude) {
    for (const std::string& lower : direct) EXPECT_FALSE(allowed_for(lower).contains(folder)) << folder;
  }
}

}  // namespace
}  // namespace nmt
