#include "translate/open_translator.h"

#include <utility>

#include "translate/forbidden_text.h"
#include "translate/model_engine.h"
#include "translate/open_models.h"

namespace nmt {

TextTranslator open_translator(const std::vector<std::string>& models, const OpenOptions& options) {
  OpenedModels opened =
      open_models(models, {options.device, options.threads, options.weights, options.average, options.precision});
  const SearchConfig& saved = opened.config.search;
  SearchOptions search(saved);
  if (options.adjust_search) options.adjust_search(search);
  if (!options.forbidden.empty()) {
    search.filter = make_forbidden_text(*opened.tokenizers.target, options.forbidden);
  }
  TextTranslatorOptions how;
  split_as_trained(how, opened.training_text);
  if (options.max_source_pieces) {
    how.max_source_pieces = *options.max_source_pieces;
    how.sentences_apart = false;
  }
  how.batch_sentences = options.batch_sentences.value_or(saved.batch_sentences);
  how.output = options.output;
  how.on_progress = options.on_progress;
  how.threads = opened.parallel_batches;
  how.any_attention = opened.any_attention;
  return TextTranslator(std::move(opened.tokenizers), make_ensemble_engine(std::move(opened.ensemble)),
                        std::move(search), how);
}

}  // namespace nmt
