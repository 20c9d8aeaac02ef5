#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/train_config.h"
#include "train/train_state.h"

namespace nmt {

// When things are to be done in training: questions about a state, asked between updates. Answers depend on the state
// and the configuration only, so a resumed run gives the same ones.
class Agenda {
 public:
  // Validation is never due where there is no text for it.
  Agenda(const TrainConfig& train, const ValidConfig& valid, bool with_validation);

  bool log_due(const TrainState& state) const;

  // Neither is due while updates are being skipped; what was missed meanwhile is due afterwards.
  bool validation_due(const TrainState& state) const;
  bool save_due(const TrainState& state, int64_t saved_update) const;  // saved_update: of the newest checkpoint, or -1

  // Why training ends here, as "max_updates 1000 reached"; nullopt where it goes on.
  std::optional<std::string> reason_to_stop(const TrainState& state) const;

  // The part of the work that is done, in [0,1], by the limit that will end it first; nullopt without limits.
  // pairs_in_epoch serves the part of an epoch.
  std::optional<double> progress(const TrainState& state, int64_t pairs_in_epoch) const;

 private:
  TrainConfig train_;
  ValidConfig valid_;
  bool with_validation_;
};

}  // namespace nmt
