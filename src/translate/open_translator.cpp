#include "translate/open_translator.h"

#include <utility>

#include "base/error.h"
#include "translate/forbidden_text.h"
#include "translate/model_engine.h"
#include "translate/open_models.h"

namespace nmt {

namespace {

void check_attention(const OpenedModels& opened, const std::string& name) {
  if (opened.any_attention) return;
  throw ModelError("The model " + name +
                   " has no attention (its model.attention is none), which alignments and the replacement of unknown "
                   "words are made from.");
}

}  // namespace

TextTranslator open_translator(const std::vector<std::string>& models, const OpenOptions& options) {
  OpenedModels opened =
      open_models(models, {options.device, options.threads, options.weights, options.average, options.precision});
  const SearchConfig& saved = opened.config.search;
  SearchOptions search(saved);
  if (options.adjust_search) options.adjust_search(search);
  if (options.output.needs_attention()) {
    check_attention(opened, models.front());
    search.attention = true;
  }
  if (!options.forbidden.empty()) {
    search.filter = make_forbidden_text(*opened.tokenizers.target, options.forbidden);
  }
  TextTranslatorOptions how;
  how.max_source_pieces = options.max_source_pieces;
  how.batch_sentences = options.batch_sentences.value_or(saved.batch_sentences);
  how.output = options.output;
  how.on_progress = options.on_progress;
  how.threads = opened.parallel_batches;
  return TextTranslator(std::move(opened.tokenizers), make_ensemble_engine(std::move(opened.ensemble)),
                        std::move(search), how);
}

}  // namespace nmt
