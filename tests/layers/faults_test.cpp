// docs/faults.md names tests: each must exist, and each fault must have one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace nmt {
namespace {

namespace fs = std::filesystem;

const fs::path kProject = NMT_SOURCE_DIR;
constexpr int kFaults = 42;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// As folder.Suite.Name, without what parameters add to a name in ctest.
std::set<std::string> tests_in_the_sources() {
  const std::regex in_cpp(R"(\nTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  const std::regex in_python(R"(\nclass (\w+)\(unittest\.TestCase\)|\n    def (test_\w+)\()");
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "tests")) {
    const fs::path& file = entry.path();
    const bool cpp = file.extension() == ".cpp";
    if (!cpp && file.extension() != ".py") continue;
    const std::string text = content_of(file);
    const std::string folder = fs::relative(file, kProject / "tests").begin()->string();
    std::string suite;  // of Python
    for (std::sregex_iterator match(text.begin(), text.end(), cpp ? in_cpp : in_python), end; match != end; ++match) {
      if (cpp) suite = (*match)[1];
      if (!cpp && (*match)[1].matched) suite = (*match)[1];
      if ((*match)[2].matched) found.insert(folder + "." + suite + "." + (*match)[2].str());
    }
  }
  return found;
}

struct Row {
  std::string first;  // the first cell
  std::vector<std::string> tests;
};

std::vector<Row> rows_of(const std::string& page) {
  const std::regex test(R"(`([a-z]+)\.(?:\w+/)?(\w+)\.(\w+)`)");
  std::vector<Row> rows;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.find(" tests |") != std::string::npos) continue;
    Row row = {line.substr(2, line.find(" |", 2) - 2), {}};
    const std::string cell = line.substr(line.rfind(" | ") + 3);
    for (std::sregex_iterator match(cell.begin(), cell.end(), test), end; match != end; ++match) {
      row.tests.push_back((*match)[1].str() + "." + (*match)[2].str() + "." + (*match)[3].str());
    }
    EXPECT_EQ(2 * row.tests.size(), static_cast<size_t>(std::count(cell.begin(), cell.end(), '`')))
        << "not a name of a test: " << cell;
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(Faults, EachHasTestsThatExist) {
  const std::set<std::string> known = tests_in_the_sources();
  EXPECT_TRUE(known.contains("layers.Faults.EachHasTestsThatExist"));
  EXPECT_GT(known.size(), 500u);
  int faults = 0;
  for (const Row& row : rows_of(content_of(kProject / "docs" / "faults.md"))) {
    EXPECT_THAT(row.tests, testing::Not(testing::IsEmpty())) << row.first;
    for (const std::string& test : row.tests) EXPECT_TRUE(known.contains(test)) << row.first << ": no test " << test;
    if (std::isdigit(static_cast<unsigned char>(row.first[0])) == 0) continue;
    ++faults;
    EXPECT_EQ(row.first, std::to_string(faults));
  }
  EXPECT_EQ(faults, kFaults);
}

}  // namespace
}  // namespace nmt
