#include "translate/translator.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "base/words.h"
#include "text/sentences.h"
#include "translate/constraints_of_line.h"
#include "translate/count_pieces.h"
#include "translate/line_text.h"
#include "translate/parallel.h"
#include "translate/piece_text.h"
#include "translate/text_splitter.h"

namespace nmt {

namespace {

constexpr double kFewSeveral = 0.01;  // of the lines: too few to have learnt more than a sentence a line from

}  // namespace

void split_as_trained(TextTranslatorOptions& options, const std::optional<TrainingText>& text) {
  if (!text) return;
  options.max_source_pieces = text->longest_source;
  options.sentences_apart = text->several_sentences < kFewSeveral;
}

// A segment on its way through search.
struct TextTranslator::Unit {
  TranslatedSegment* segment;
  SentenceRequest request;
};

TextTranslator::TextTranslator(TokenizerPair tokenizers, std::shared_ptr<const SearchEngine> engine,
                               SearchOptions search, TextTranslatorOptions options)
    : tokenizers_(std::move(tokenizers)),
      engine_(std::move(engine)),
      search_(std::move(search)),
      options_(std::move(options)) {
  check(search_);
  if (search_.continues_word.empty()) search_.continues_word = pieces_continuing_words(*tokenizers_.target);
  if (options_.max_source_pieces < 1) throw UsageError("The maximum source length must be at least 1 piece.");
  if (options_.batch_sentences < 1) throw UsageError("A batch must have at least 1 sentence.");
  search_.attention = search_.attention || options_.output.needs_attention();
  if (options_.output.needs_attention() && !options_.any_attention) {
    throw ModelError(
        "The model has no attention (its model.attention is none), which alignments and the replacement of unknown "
        "words are made from.");
  }
}

TextTranslator TextTranslator::with(SearchOptions search, OutputOptions output) const {
  TextTranslatorOptions options = options_;
  options.output = std::move(output);
  return {tokenizers_, engine_, std::move(search), std::move(options)};
}

std::vector<Translation> TextTranslator::translate(const std::vector<LineRequest>& lines) const {
  std::vector<Translation> translations;
  translations.reserve(lines.size());
  for (const LineRequest& line : lines) {
    if (line.constraints.size() > kMostConstraints) {
      throw UsageError("A line has " + std::to_string(line.constraints.size()) + " constraints; at most " +
                       std::to_string(kMostConstraints) + " are possible.");
    }
    if (stop_requested()) throw InterruptedError("Interrupted while cutting text into pieces.");
    translations.push_back(prepare(line));
    std::vector<std::string> phrases;
    for (const std::string& phrase : line.constraints) {
      phrases.push_back(line_text(phrase));
    }
    give_constraints(phrases, translations.back().segments);
  }
  std::vector<Unit> units;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::vector<PieceId> prefix = encode_prefix(lines[i].target_prefix);
    uint64_t part = 0;
    for (TranslatedSegment& segment : translations[i].segments) {
      SentenceRequest request = {std::exchange(prefix, {}), mix_seed(lines[i].number, part++)};
      for (const std::string& phrase : segment.constraints) {
        request.phrases.push_back(make_phrase(*tokenizers_.target, phrase));
      }
      units.push_back({&segment, std::move(request)});
    }
  }
  search_all(units);
  for (Translation& translation : translations) {
    if (stop_requested()) throw InterruptedError("Interrupted while translating.");
    assemble(translation, tokenizers_, options_.output);
  }
  return translations;
}

Translation TextTranslator::prepare(const LineRequest& line) const {
  Translation translation;
  size_t replaced = 0;
  const std::string text = line_text(line.text, &replaced);
  translation.replaced_utf8 = static_cast<int64_t>(replaced);
  translation.id = line.id;
  const Tokenizer& tokenizer = *tokenizers_.source;
  const auto count = [&](std::string_view part) { return count_pieces(tokenizer, part); };
  const int64_t limit = options_.max_source_pieces;
  const bool hopeless = text.size() > kMostBytesToCount && count(text) > limit;
  std::vector<PieceId> pieces;  // none where the line is blank
  if (!hopeless) pieces = tokenizer.encode(text);
  translation.too_long = hopeless || std::ssize(pieces) > limit;
  if (!translation.too_long && !(options_.sentences_apart && sentences_of(text).size() > 1)) {
    if (!pieces.empty()) translation.segments.push_back({text, std::move(pieces), {}, {}, false});
    return translation;
  }
  size_t words = 0;
  const Sentences sentences = options_.sentences_apart ? Sentences::kApart : Sentences::kTogether;
  for (const TextPart& part : split_text(text, limit, count, sentences)) {
    if (stop_requested()) throw InterruptedError("Interrupted while cutting text into pieces.");
    const size_t first_word = words > 0 && !part.space_before ? words - 1 : words;
    words = first_word + words_of(part.text).size();
    std::vector<PieceId> part_pieces = tokenizer.encode(part.text);
    if (part_pieces.empty()) continue;
    translation.segments.push_back(
        {std::string(part.text), std::move(part_pieces), {}, {}, part.space_before, first_word});
  }
  return translation;
}

std::vector<PieceId> TextTranslator::encode_prefix(const std::string& prefix) const {
  return tokenizers_.target->encode(line_text(prefix));
}

// Batches of neighbours in length, the longest first: they don't depend on the number of threads.
void TextTranslator::search_all(std::vector<Unit>& units) const {
  std::vector<Unit*> order;
  for (Unit& unit : units) order.push_back(&unit);
  std::stable_sort(order.begin(), order.end(), [](const Unit* a, const Unit* b) {
    return a->segment->source_pieces.size() > b->segment->source_pieces.size();
  });
  const auto size = static_cast<size_t>(options_.batch_sentences);
  const size_t batches = (order.size() + size - 1) / size;
  std::mutex mutex;
  size_t done = 0;
  for_each_in_parallel(batches, options_.threads, [&](size_t i) {
    if (stop_requested()) throw InterruptedError("Interrupted while translating.");
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(i * size);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), (i + 1) * size));
    search_batch({begin, end});
    if (!options_.on_progress) return;
    const std::lock_guard<std::mutex> lock(mutex);
    done += static_cast<size_t>(end - begin);
    options_.on_progress(static_cast<double>(done) / static_cast<double>(order.size()));
  });
}

void TextTranslator::search_batch(std::vector<Unit*> batch) const {
  SearchTask task;
  for (const Unit* unit : batch) {
    task.sources.push_back(unit->segment->source_pieces);
    task.requests.push_back(unit->request);
  }
  try {
    std::vector<std::vector<Hypothesis>> found = engine_->search(task, search_);
    if (found.size() != batch.size()) throw InternalError("Search gave results for another number of sentences.");
    for (size_t i = 0; i < batch.size(); ++i) batch[i]->segment->hypotheses = std::move(found[i]);
    return;
  } catch (const std::bad_alloc&) {
    if (batch.size() == 1) {
      throw ResourceError("There isn't enough memory to translate one sentence of " +
                          counted(std::ssize(task.sources.front()), "piece") +
                          "; a smaller beam or a smaller maximum source length needs less.");
    }
  }
  const auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
  search_batch({batch.begin(), middle});
  search_batch({middle, batch.end()});
}

std::vector<std::string> translate_lines(const TextTranslator& translator, const std::vector<std::string>& lines) {
  std::vector<LineRequest> requests;
  for (const std::string& line : lines) requests.push_back({line, {}, requests.size()});
  std::vector<std::string> texts;
  for (Translation& translation : translator.translate(requests)) texts.push_back(std::move(translation.texts.front()));
  return texts;
}

}  // namespace nmt
