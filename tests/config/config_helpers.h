#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "config/config.h"

namespace nmt {

// The smallest configuration that is complete, as overrides for a text that lacks it.
inline std::vector<Override> complete() {
  return {{"data.train.src", "a.src"}, {"data.train.tgt", "a.tgt"}, {"train.max_epochs", "1"}};
}

inline Config parse_complete(const std::string& text, std::vector<Override> more = {}) {
  std::vector<Override> overrides = complete();
  overrides.insert(overrides.end(), more.begin(), more.end());
  return parse_config(text, "run.json", "/base", overrides);
}

// The message of the UsageError that reading `text` gives (exit code 2); empty where it is taken.
inline std::string complaint(const std::string& text, std::vector<Override> more = {}) {
  try {
    parse_complete(text, std::move(more));
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

}  // namespace nmt
