#pragma once

#include <string>

namespace nmt {

struct CorpusFiles {
  std::string source;
  std::string target;
};

// A configuration for a corpus, as JSON with absolute paths and only the keys that differ from their defaults or
// matter most. `valid` may be empty. Throws DataError where a text can't be read, isn't UTF-8, or where source and
// target differ in their number of lines.
std::string suggest_config(const CorpusFiles& train, const CorpusFiles& valid);

}  // namespace nmt
