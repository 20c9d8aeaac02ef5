#pragma once

#include <filesystem>
#include <string>

namespace nmt {

// What `nmt inspect` tells of a model: sizes, parameters of each part, vocabularies, training summary, files with
// their digests. Every file is checked on the way. Throws ModelError.
std::string model_report_text(const std::filesystem::path& model);
std::string model_report_json(const std::filesystem::path& model);  // one object, two blanks of indentation

}  // namespace nmt
