#pragma once

#include <string>
#include <vector>

namespace nmt {

// One thing wrong with a configuration. Violations are collected, sorted by line and reported together.
struct Violation {
  int line = 0;      // in the file; 0 where it isn't about a line of the file
  std::string text;  // whole message: "run.json:12: train.seed: expected ..."
};

// The messages in the order of their lines, one a line.
std::string report(std::vector<Violation> violations);

}  // namespace nmt
