#include "cli/torch_validation.h"

#include <memory>

#include "data/validation_set.h"

namespace nmt {

Validate make_validation(const Config& config, const TrainerParts& parts) {
  if (config.data.valid.src.empty()) return nullptr;
  const auto set =
      std::make_shared<ValidationSet>(load_validation_set(config.data.valid, config.text, parts.tokenizers));
  const auto batches = std::make_shared<std::vector<Batch>>(set->batches(BatchLimits::of(config.train)));
  return [model = parts.model, device = parts.device, set, batches]() mutable {
    ValidationReport report;
    report.loss = teacher_forced_loss(model, *batches, device);
    return report;
  };
}

}  // namespace nmt
