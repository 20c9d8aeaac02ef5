#pragma once

#include <filesystem>
#include <vector>

namespace nmt {

// Copies the model that `from` means (a model directory, or the best one of a run) to the new directory `to`: what
// translation needs and nothing else, each file checked against the model card first. `to` appears complete or not at
// all. Throws ModelError, UsageError (`to` exists and isn't an empty directory), ResourceError.
void export_model(const std::filesystem::path& from, const std::filesystem::path& to);

// Writes to the new directory `to` the model whose every weight is the mean over the models `from` (two or more), which
// must agree in configuration, vocabularies and tokenizers; the search defaults are those of the first. Averaging the
// last checkpoints of a run often gives a better model than any of them (Junczys-Dowmunt et al. 2016). Throws as
// export_model, and ModelError that names the first model that doesn't match and the keys that differ.
void average_models(const std::vector<std::filesystem::path>& from, const std::filesystem::path& to);

}  // namespace nmt
