#include <filesystem>

#include "base/file.h"
#include "config/config_helpers.h"

namespace nmt {
namespace {

const std::filesystem::path kConfigs = std::filesystem::path(NMT_SOURCE_DIR) / "configs";

TEST(ConfigFiles, AllOfThemLoad) {
  int loaded = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.path().extension() != ".json") continue;
    const bool reference = entry.path().filename() == "reference.json";  // names no text and no end
    EXPECT_NO_THROW(load_config(entry.path().string(), reference ? complete() : std::vector<Override>{}))
        << entry.path();
    ++loaded;
  }
  EXPECT_GE(loaded, 1);
}

TEST(ConfigFiles, TheReferenceIsWhatTheStructsSay) {
  EXPECT_EQ(read_file(kConfigs / "reference.json"), reference_config())
      << "write it anew: build/nmt config show > configs/reference.json";
}

TEST(ConfigFiles, TheReferenceHoldsTheDefaultsAndSaysWhatIsRequired) {
  const Config read = parse_config(reference_config(), "reference.json", "/", complete());
  Config defaults = parse_complete("{}");
  EXPECT_THAT(differing_keys(read, defaults), testing::IsEmpty());
  try {
    parse_config(reference_config(), "reference.json", "/");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("data.train.src: required"));
    EXPECT_THAT(error.what(), testing::HasSubstr("data.train.tgt: required"));
    EXPECT_THAT(error.what(), testing::HasSubstr("training would never end"));
  }
}

TEST(ConfigFiles, EveryLineOfTheReferenceFitsAScreen) {
  for (const std::string& line : read_lines((kConfigs / "reference.json").string()))
    EXPECT_LE(line.size(), 120) << line;
}

}  // namespace
}  // namespace nmt
