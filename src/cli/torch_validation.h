#pragma once

#include "config/config.h"
#include "train/trainer.h"

namespace nmt {

// Judges parts.model on the validation text of the configuration: loss by teacher forcing and, where asked for, BLEU of
// translations found as `nmt translate` finds them. Empty where there is no such text. Loads the text; throws as
// load_validation_set.
Validate make_validation(const Config& config, const TrainerParts& parts);

}  // namespace nmt
