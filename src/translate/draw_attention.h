#pragma once

#include <optional>
#include <string>
#include <vector>

#include "translate/attention_map.h"

namespace nmt {

// What is to be shown.
struct AttentionRequest {
  std::vector<std::string> models;                  // model or run directories; each gets a map of its own
  std::vector<std::string> lines;                   // any bytes
  std::optional<std::vector<std::string>> targets;  // a translation of each line; else each model's own
  AttentionLevel level = AttentionLevel::kWords;
  int64_t max_pieces = 1000;  // given pairs with more on a side get a note and no map
  std::string device = "auto";
  int threads = 0;
};

// One figure for each line, in order, with one map for each model; several where a model translated a long line in
// parts. Models are opened one after the other. Throws ModelError where a model has no attention, and what
// open_models() and translating throw.
std::vector<AttentionFigure> draw_attention(const AttentionRequest& request);

}  // namespace nmt
