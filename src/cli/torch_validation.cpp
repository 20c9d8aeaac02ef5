#include "cli/torch_validation.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <memory>

#include "data/validation_set.h"
#include "metrics/bleu.h"
#include "search/search_options.h"
#include "translate/model_engine.h"
#include "translate/translator.h"

namespace nmt {

namespace {

// Validation translates as `nmt translate` does by default with the finished model: the same code and settings.
TextTranslator make_translator(const Config& config, const TrainerParts& parts) {
  TextTranslatorOptions how;
  split_as_trained(how, training_text_of(*parts.corpus));
  how.batch_sentences = config.search.batch_sentences;
  how.threads = parts.device.is_cpu() ? parts.threads : 1;
  return TextTranslator(parts.tokenizers, make_model_engine(parts.model), SearchOptions(config.search), how);
}

std::string describe(const SearchConfig& search) {
  return fmt::format("beam {}, length penalty {}", search.beam, search.length_penalty);
}

void add_bleu(ValidationReport& report, const Config& config, const ValidationSet& set,
              const TextTranslator& translator) {
  std::vector<LineRequest> lines;
  for (const std::string& source : set.sources) lines.push_back({source, "", lines.size()});
  const std::vector<Translation> translations = translator.translate(lines);
  std::vector<std::string> texts;
  for (const Translation& translation : translations) {
    texts.push_back(translation.text());
    report.unfinished += translation.cut() ? 1 : 0;
  }
  const metrics::BleuScore bleu = metrics::corpus_bleu(texts, set.references);
  report.bleu = bleu.score;
  report.bleu_signature = bleu.signature;
  report.search = describe(config.search);
  const auto shown = static_cast<size_t>(std::min<int64_t>(config.valid.samples, set.size()));
  for (size_t i = 0; i < shown; ++i) report.samples.push_back({set.sources[i], set.references[i], texts[i]});
}

}  // namespace

Validate make_validation(const Config& config, const TrainerParts& parts) {
  if (config.data.valid.src.empty()) return nullptr;
  const auto set =
      std::make_shared<ValidationSet>(load_validation_set(config.data.valid, config.text, parts.tokenizers));
  const auto batches = std::make_shared<std::vector<Batch>>(set->batches(BatchLimits::of(config.train)));
  const auto translator = std::make_shared<TextTranslator>(make_translator(config, parts));
  return [config, model = parts.model, device = parts.device, set, batches, translator]() mutable {
    ValidationReport report;
    report.loss = teacher_forced_loss(model, *batches, device);
    if (config.valid.bleu) {
      const PackedMeanwhile packed(model);
      add_bleu(report, config, *set, *translator);
    }
    return report;
  };
}

}  // namespace nmt
