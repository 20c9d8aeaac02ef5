#include "train/schedule.h"

#include <algorithm>
#include <cmath>

namespace nmt {

double learning_rate(const ScheduleConfig& config, double peak, int64_t update, const PlateauState& plateau) {
  const double at = static_cast<double>(update);
  const double warmup = static_cast<double>(config.warmup_updates);
  if (at < warmup) return peak * at / warmup;
  double rate = peak;
  switch (config.kind) {
    case ScheduleKind::kConstant: break;
    case ScheduleKind::kInverseSqrt: rate *= std::sqrt(std::max(warmup, 1.0) / at); break;
    case ScheduleKind::kPlateau: rate *= plateau.factor; break;
  }
  return std::max(rate, std::min(config.min_learning_rate, peak));
}

bool lower_on_plateau(const ScheduleConfig& config, PlateauState& plateau, ValidMetric metric, double value) {
  if (config.kind != ScheduleKind::kPlateau) return false;
  plateau.watch.see(metric, value);
  if (plateau.watch.waited <= config.plateau_patience) return false;
  plateau.watch.waited = 0;
  plateau.factor *= config.plateau_factor;
  return true;
}

}  // namespace nmt
