#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "config/config.h"
#include "config/reader.h"

namespace nmt {

// Puts the values of --set into the tree of the file, and their keys into context.overridden.
void apply_overrides(nlohmann::ordered_json& root, const std::vector<Override>& overrides, ReadContext& context);

}  // namespace nmt
