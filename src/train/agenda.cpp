#include "train/agenda.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace nmt {

namespace {

// Whether a multiple of `step` lies in (from, to].
bool passed_multiple(int64_t from, int64_t to, int64_t step) { return to / step > from / step; }

}  // namespace

Agenda::Agenda(const TrainConfig& train, const ValidConfig& valid, bool with_validation)
    : train_(train), valid_(valid), with_validation_(with_validation) {}

bool Agenda::log_due(const TrainState& state) const { return state.update > 0 && state.update % train_.log_every == 0; }

bool Agenda::validation_due(const TrainState& state) const {
  if (!with_validation_ || state.skipped_in_a_row > 0) return false;
  if (valid_.every_updates > 0) return passed_multiple(state.validated_update, state.update, valid_.every_updates);
  return valid_.every_epochs > 0 && state.epochs_finished() - state.validated_epochs >= valid_.every_epochs;
}

bool Agenda::save_due(const TrainState& state, int64_t saved_update) const {
  if (state.skipped_in_a_row > 0 || state.update == 0 || state.update == saved_update) return false;
  if (train_.save_every > 0 && passed_multiple(std::max<int64_t>(0, saved_update), state.update, train_.save_every))
    return true;
  const bool validates = with_validation_ && (valid_.every_updates > 0 || valid_.every_epochs > 0);
  if (validates) return state.validated_update == state.update;
  return train_.save_every == 0 && state.at_epoch_end();
}

std::optional<std::string> Agenda::reason_to_stop(const TrainState& state) const {
  if (train_.max_updates > 0 && state.update >= train_.max_updates) {
    return fmt::format("max_updates {} reached", train_.max_updates);
  }
  if (train_.max_epochs > 0 && state.epochs_finished() >= train_.max_epochs) {
    return fmt::format("max_epochs {} reached", train_.max_epochs);
  }
  if (train_.max_minutes > 0 && state.seconds >= 60 * train_.max_minutes) {
    return fmt::format("max_minutes {} reached", train_.max_minutes);
  }
  if (valid_.patience > 0 && state.patience.waited >= valid_.patience) {
    return fmt::format("no better {} in {} validations (patience {})", name_of(valid_.metric), state.patience.waited,
                       valid_.patience);
  }
  return std::nullopt;
}

std::optional<double> Agenda::progress(const TrainState& state, int64_t pairs_in_epoch) const {
  std::optional<double> furthest;
  const auto consider = [&](double done, double limit) {
    if (limit > 0) furthest = std::max(furthest.value_or(0), std::min(1.0, done / limit));
  };
  consider(static_cast<double>(state.update), static_cast<double>(train_.max_updates));
  const double part =
      static_cast<double>(state.position.pairs) / static_cast<double>(std::max<int64_t>(1, pairs_in_epoch));
  consider(static_cast<double>(state.epochs_finished()) + part, static_cast<double>(train_.max_epochs));
  consider(state.seconds, 60 * train_.max_minutes);
  return furthest;
}

}  // namespace nmt
