#include "translate/open_translator.h"

#include <utility>

#include "translate/model_engine.h"
#include "translate/open_models.h"

namespace nmt {

TextTranslator open_translator(const std::vector<std::string>& models, const OpenOptions& options) {
  OpenedModels opened =
      open_models(models, {options.device, options.threads, options.weights, options.average, options.precision});
  const SearchConfig& saved = opened.config.search;
  SearchOptions search(saved);
  if (options.adjust_search) options.adjust_search(search);
  TextTranslatorOptions how;
  how.max_source_pieces = options.max_source_pieces;
  how.batch_sentences = options.batch_sentences.value_or(saved.batch_sentences);
  how.threads = opened.parallel_batches;
  return TextTranslator(std::move(opened.tokenizers), make_ensemble_engine(std::move(opened.ensemble)),
                        std::move(search), how);
}

}  // namespace nmt
