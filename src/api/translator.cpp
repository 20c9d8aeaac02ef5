#include <dlfcn.h>
#include <nmt/translator.h>

#include <filesystem>
#include <utility>

#include "api/backend.h"
#include "api/library_of_torch.h"

namespace nmt {

namespace {

std::filesystem::path folder_of_this_library() {
  Dl_info here;
  if (::dladdr(reinterpret_cast<const void*>(&folder_of_this_library), &here) == 0) {
    throw InternalError("The folder of libnmt.so is unknown.");
  }
  return std::filesystem::absolute(here.dli_fname).parent_path();
}

// LibTorch's symbols stay out of the program's (RTLD_LOCAL).
decltype(&nmt_open_backend) backend_opener() {
  static void* const library = open_torch_library({folder_of_this_library()}, RTLD_NOW | RTLD_LOCAL, "nmt::Translator");
  const auto version =
      reinterpret_cast<decltype(&nmt_library_version)>(function_of_torch_library(library, "nmt_library_version"));
  if (std::string(version()) != NMT_VERSION) {
    throw ResourceError("libnmt.so is of version " NMT_VERSION ", libnmt_torch.so beside it of version " +
                        std::string(version()) + "; install them together.");
  }
  return reinterpret_cast<decltype(&nmt_open_backend)>(function_of_torch_library(library, "nmt_open_backend"));
}

void check_count(const char* what, size_t given, size_t lines) {
  if (given == 0 || given == lines) return;
  throw UsageError("There are " + std::to_string(given) + " " + what + " for " + std::to_string(lines) +
                   (lines == 1 ? " line" : " lines") + "; give one for each line (an empty one for none), or none.");
}

}  // namespace

Translator::Translator(const std::string& model, const TranslatorOptions& options)
    : Translator(ensemble({model}, options)) {}

Translator::Translator(std::unique_ptr<const TranslatorBackend> backend) : backend_(std::move(backend)) {}

Translator Translator::ensemble(const std::vector<std::string>& models, const TranslatorOptions& options) {
  validate(options);
  return Translator(std::unique_ptr<const TranslatorBackend>(backend_opener()(models, options)));
}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

TranslatedLine Translator::translate(const std::string& line, const TranslationOptions& options) const {
  return std::move(translate_lines({line}, options).front());
}

std::vector<TranslatedLine> Translator::translate_lines(const std::vector<std::string>& lines,
                                                        const TranslationOptions& options) const {
  validate(options);
  check_count("prefixes", options.prefixes.size(), lines.size());
  check_count("lists of constraints", options.constraints.size(), lines.size());
  return backend_->translate(lines, options);
}

}  // namespace nmt
