#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/strings.h"
#include "metrics/unicode.h"
#include "support/shared.h"

// The metric cases beside the checkout: real system outputs with sacreBLEU's scores.
namespace nmt::metrics {

inline std::filesystem::path shared_metrics() { return test::shared_folder() / "data/metrics"; }

// Files of a folder, read once, as sacreBLEU's command reads them: white space at the end of a line is dropped.
class FileCache {
 public:
  explicit FileCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::vector<std::string>& lines(const std::string& name) {
    auto [found, is_new] = files_.try_emplace(name);
    if (is_new) {
      found->second = read_lines((folder_ / name).string());
      for (std::string& line : found->second) line = std::string(rstrip_spaces(line));
    }
    return found->second;
  }

  // The references of each line, from a comma-separated list of files. Behind a file's name a "?" says that its empty
  // lines are no references.
  const std::vector<std::vector<std::string>>& references(const std::string& names) {
    auto [found, is_new] = references_.try_emplace(names);
    if (is_new) {
      for (const std::string& name : split(names, ',')) {
        const bool may_lack = name.ends_with('?');
        const std::vector<std::string>& file = lines(name.substr(0, name.size() - may_lack));
        found->second.resize(file.size());
        for (size_t i = 0; i < file.size(); ++i) {
          if (!may_lack || !file[i].empty()) found->second[i].push_back(file[i]);
        }
      }
    }
    return found->second;
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::vector<std::string>> files_;
  std::map<std::string, std::vector<std::vector<std::string>>> references_;
};

// A tab-separated file with a header line: one map from column to value for each row.
inline std::vector<std::map<std::string, std::string>> read_table(const std::filesystem::path& path) {
  const std::vector<std::string> lines = read_lines(path.string());
  const std::vector<std::string> header = split(lines.at(0), '\t');
  std::vector<std::map<std::string, std::string>> rows;
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> fields = split(lines[i], '\t');
    std::map<std::string, std::string>& row = rows.emplace_back();
    for (size_t k = 0; k < header.size(); ++k) row[header[k]] = fields.at(k);
  }
  return rows;
}

}  // namespace nmt::metrics
