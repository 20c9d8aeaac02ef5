#pragma once

#include <cstdint>

#include "train/trainer.h"

namespace nmt {

// What training is expected to need.
struct DryRunReport {
  int64_t largest_sentences = 0;  // of the largest batch
  int64_t largest_source = 0;     // its source and target positions each
  int64_t largest_target = 0;
  uint64_t memory = 0;                  // bytes on the device, or resident where that is the CPU
  double target_tokens_per_second = 0;  // measured
  double epoch_seconds = 0;             // expected, validation not counted
};

// Runs forward pass, backward pass and update of the largest batch, then of ordinary ones for about `seconds`. The
// model's weights are changed; nothing is written. Throws ResourceError where memory doesn't suffice.
DryRunReport dry_run(const Config& config, const TrainerParts& parts, double seconds);

}  // namespace nmt
