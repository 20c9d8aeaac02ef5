#include "base/file.h"
#include "base/log.h"
#include "base/stop.h"
#include "cli/torch_verbs.h"
#include "tensor/reused_memory.h"
#include "tensor/torch_guard.h"
#include "translate/open_translator.h"
#include "translate/translation_summary.h"

namespace nmt {

namespace {

// As `nmt translate` does, warnings of what the text does to the model included.
void translate_for_eval(const TranslateForEvalOptions& options) {
  install_stop_handler();
  const std::vector<std::string> lines = read_lines(options.source);
  OpenOptions open;
  open.device = options.device;
  open.threads = static_cast<int>(options.threads);
  open.adjust_search = [&](SearchOptions& search) { search.beam = options.beam.value_or(search.beam); };
  const TextTranslator translator = open_translator(options.models, open);
  std::vector<LineRequest> requests;
  requests.reserve(lines.size());
  for (const std::string& line : lines) requests.push_back({line, "", requests.size()});
  TranslationSummary summary(*translator.tokenizers().source);
  const std::vector<Translation> translations = translator.translate(requests);
  for (size_t i = 0; i < lines.size(); ++i) {
    summary.add(static_cast<int64_t>(i) + 1, lines[i], translations[i]);
    options.translations->push_back(translations[i].text());
  }
  for (const std::string& warning : summary.warnings(options.source)) log::warn("{}", warning);
  remove_stop_handler();  // scoring follows
}

}  // namespace

}  // namespace nmt

void nmt_translate_for_eval(const nmt::TranslateForEvalOptions& options) {
  nmt::reuse_tensor_memory();
  nmt::with_torch_errors([&] { nmt::translate_for_eval(options); });
}
