#pragma once

#include <nmt/translator.h>

#include <string>
#include <vector>

// What libnmt.so, which programs link, wants of libnmt_torch.so, which it opens when it is first needed. Both are of
// one version. Everything here throws nmt::Error and nothing else.
namespace nmt {

class TranslatorBackend {
 public:
  virtual ~TranslatorBackend() = default;

  // The options are valid, apart from what only the model can tell.
  virtual std::vector<TranslatedLine> translate(const std::vector<std::string>& lines,
                                                const TranslationOptions& options) const = 0;
};

}  // namespace nmt

extern "C" {
const char* nmt_library_version();
nmt::TranslatorBackend* nmt_open_backend(const std::vector<std::string>& models, const nmt::TranslatorOptions& options);
}
