#pragma once

#include <cstdint>

#include "config/train_config.h"
#include "train/watch.h"

namespace nmt {

// What the plateau schedule remembers; the other schedules are functions of the update alone.
struct PlateauState {
  Watch watch;
  double factor = 1;  // what the learning rate is multiplied by so far

  bool operator==(const PlateauState&) const = default;
};

// The learning rate of update `update` (from 1), with peak rate p and W warm-up updates:
//   warm-up (all kinds)   p * update / W                  while update <= W
//   constant              p
//   inverse_sqrt          p * sqrt(max(W, 1) / update)    (as Vaswani et al. 2017, section 5.3, with p reached at W)
//   plateau               p * plateau.factor
// After the warm-up it is never below the configured minimum (or p, where that is smaller).
double learning_rate(const ScheduleConfig& config, double peak, int64_t update, const PlateauState& plateau);

// Takes in the result of a validation: after more than plateau_patience validations without improvement the rate is
// multiplied by plateau_factor, and the waiting begins anew. True where it was lowered.
bool lower_on_plateau(const ScheduleConfig& config, PlateauState& plateau, ValidMetric metric, double value);

}  // namespace nmt
