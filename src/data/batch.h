#pragma once

#include <torch/types.h>

#include <vector>

#include "data/example.h"

namespace nmt {

// Sentences padded to rectangles: B sentences, S source positions, T target positions, all lengths with the end mark.
// The teacher-forcing shift lives here: position t of target_input is what the decoder reads before it must give
// position t of target_output.
struct Batch {
  torch::Tensor source;          // [B,S] int64: pieces, end mark, padding
  torch::Tensor source_lengths;  // [B] int64 on the CPU, end mark included
  torch::Tensor target_input;    // [B,T] int64: begin mark, pieces, padding; undefined without targets
  torch::Tensor target_output;   // [B,T] int64: pieces, end mark, padding
  torch::Tensor target_lengths;  // [B] int64 on the CPU, end mark included
  int64_t source_tokens = 0;     // real positions, end marks included
  int64_t target_tokens = 0;
  std::vector<int64_t> lines;  // [B] where the sentences stand in the corpus

  int64_t sentences() const { return source.size(0); }
  Batch to(const torch::Device& device) const;  // lengths stay on the CPU
};

// Pads examples, in the given order. A side without pieces is its end mark alone.
Batch make_batch(const std::vector<Example>& examples);

// The same for translation: the target members stay undefined, lines are numbered from 1.
Batch make_source_batch(const std::vector<std::vector<PieceId>>& sources);

}  // namespace nmt
