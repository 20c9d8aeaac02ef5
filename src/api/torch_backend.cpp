#include <ATen/Parallel.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "api/backend.h"
#include "tensor/torch_guard.h"
#include "tensor/warnings.h"
#include "translate/adjust_search.h"
#include "translate/forbidden_text.h"
#include "translate/open_translator.h"

namespace nmt {

namespace {

// The number of threads is a setting of the whole process, which may use LibTorch itself: while any call runs it is
// ours, after the last it is what it was before the first.
class ThreadsRestored {
 public:
  ThreadsRestored() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (calls_++ == 0) before_ = at::get_num_threads();
  }
  ~ThreadsRestored() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --calls_;
    at::set_num_threads(before_);
  }
  ThreadsRestored(const ThreadsRestored&) = delete;
  ThreadsRestored& operator=(const ThreadsRestored&) = delete;

 private:
  inline static std::mutex mutex_;
  inline static int calls_ = 0;
  inline static int before_ = 0;
};

LengthNormalization normalization_of(TranslationOptions::Normalization kind) {
  switch (kind) {
    case TranslationOptions::Normalization::kNone: return LengthNormalization::kNone;
    case TranslationOptions::Normalization::kAverage: return LengthNormalization::kAverage;
    case TranslationOptions::Normalization::kGnmt: return LengthNormalization::kGnmt;
  }
  throw UsageError("normalization is none of its values.");
}

Precision precision_of(TranslatorOptions::Precision kind) {
  switch (kind) {
    case TranslatorOptions::Precision::kFloat32: return Precision::kFloat32;
    case TranslatorOptions::Precision::kBfloat16: return Precision::kBfloat16;
    case TranslatorOptions::Precision::kInt8: return Precision::kInt8;
  }
  throw UsageError("precision is none of its values.");
}

// `search` as the model was saved with, changed as the options say.
SearchOptions adjusted(SearchOptions search, const TranslationOptions& options, const Tokenizer& target) {
  adjust_search(search, options, normalization_of(options.normalization));
  search.piece_log_probs = options.pieces;
  if (!options.forbid.empty()) search.filter = make_forbidden_text(target, options.forbid);
  return search;
}

AlignmentKind alignment_of(const TranslationOptions& options) {
  if (options.attention) return AlignmentKind::kSoft;
  return options.alignment ? AlignmentKind::kHard : AlignmentKind::kNone;
}

void add_pieces(std::vector<PieceScore>& pieces, const Hypothesis& hypothesis, const Tokenizer& tokenizer) {
  for (size_t i = 0; i < hypothesis.piece_log_probs.size(); ++i) {
    const PieceId piece = i < hypothesis.pieces.size() ? hypothesis.pieces[i] : kEosId;
    pieces.push_back({tokenizer.piece(piece), hypothesis.piece_log_probs[i]});
  }
}

std::vector<WordPair> pairs_of(const std::vector<WordLink>& links) {
  std::vector<WordPair> pairs;
  pairs.reserve(links.size());
  for (const WordLink& link : links) {
    pairs.push_back({static_cast<int64_t>(link.source), static_cast<int64_t>(link.target)});
  }
  return pairs;
}

// Of the i-th translation.
std::vector<AttentionBlock> blocks_of(const Translation& translation, size_t i) {
  std::vector<AttentionBlock> blocks;
  for (size_t k = 0; k < translation.segments.size(); ++k) {
    const TranslatedSegment& segment = translation.segments[k];
    blocks.push_back({static_cast<int64_t>(segment.first_word), static_cast<int64_t>(translation.first_words[i][k]),
                      segment.word_attention[Translation::hypothesis_of(segment, i)]});
  }
  return blocks;
}

TranslatedLine line_of(const Translation& translation, const TokenizerPair& tokenizers,
                       const TranslationOptions& options) {
  TranslatedLine line;
  line.split = translation.split();
  line.cut = translation.cut();
  line.replaced_utf8 = translation.replaced_utf8;
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    TranslatedText text;
    text.text = translation.texts[i];
    text.score = translation.scores[i];
    text.log_prob = translation.log_probs[i];
    for (const TranslatedSegment& segment : translation.segments) {
      add_pieces(text.pieces, segment.hypotheses[Translation::hypothesis_of(segment, i)], *tokenizers.target);
    }
    if (options.alignment) text.alignment = pairs_of(translation.alignments[i]);
    if (options.attention) text.attention = blocks_of(translation, i);
    text.missing = translation.missing(i);
    line.translations.push_back(std::move(text));
  }
  return line;
}

class TorchBackend : public TranslatorBackend {
 public:
  TorchBackend(TextTranslator translator, std::shared_ptr<const WordDictionary> dictionary,
               std::function<void(const std::string&)> on_warning)
      : translator_(std::move(translator)), dictionary_(std::move(dictionary)), on_warning_(std::move(on_warning)) {}

  std::vector<TranslatedLine> translate(const std::vector<std::string>& lines,
                                        const TranslationOptions& options) const override {
    std::vector<TranslatedLine> results;
    with_torch_errors([&] {
      const WarningsTo warnings(on_warning_);
      const ThreadsRestored restored;
      at::set_num_threads(translator_.options().threads);
      const OutputOptions output = {{options.unknown, options.replace_unknown, dictionary_}, alignment_of(options)};
      const TextTranslator translator =
          translator_.with(adjusted(translator_.search_options(), options, *translator_.tokenizers().target), output);
      for (const Translation& translation : translator.translate(requests_of(lines, options))) {
        results.push_back(line_of(translation, translator.tokenizers(), options));
      }
    });
    return results;
  }

 private:
  // Lines are numbered as by the program, from 1.
  static std::vector<LineRequest> requests_of(const std::vector<std::string>& lines,
                                              const TranslationOptions& options) {
    std::vector<LineRequest> requests;
    for (size_t i = 0; i < lines.size(); ++i) {
      LineRequest& request = requests.emplace_back();
      request.text = lines[i];
      request.number = i + 1;
      if (!options.prefixes.empty()) request.target_prefix = options.prefixes[i];
      if (!options.constraints.empty()) request.constraints = options.constraints[i];
    }
    return requests;
  }

  TextTranslator translator_;
  std::shared_ptr<const WordDictionary> dictionary_;
  std::function<void(const std::string&)> on_warning_;
};

TranslatorBackend* open_backend(const std::vector<std::string>& models, const TranslatorOptions& options) {
  const WarningsTo warnings(options.on_warning);
  const ThreadsRestored restored;
  OpenOptions open;
  open.device = options.device;
  open.threads = static_cast<int>(options.threads);
  open.max_source_pieces = options.max_source_length;
  open.batch_sentences = options.batch_sentences;
  open.precision = precision_of(options.precision);
  open.weights = options.weights;
  open.average =
      options.average == TranslatorOptions::Average::kLinear ? EnsembleAverage::kLinear : EnsembleAverage::kLog;
  std::shared_ptr<const WordDictionary> dictionary;
  if (!options.dictionary.empty()) dictionary = std::make_shared<const WordDictionary>(options.dictionary);
  return new TorchBackend(open_translator(models, open), std::move(dictionary), options.on_warning);
}

}  // namespace

}  // namespace nmt

const char* nmt_library_version() { return NMT_VERSION; }

nmt::TranslatorBackend* nmt_open_backend(const std::vector<std::string>& models,
                                         const nmt::TranslatorOptions& options) {
  nmt::TranslatorBackend* backend = nullptr;
  nmt::with_torch_errors([&] { backend = nmt::open_backend(models, options); });
  return backend;
}
