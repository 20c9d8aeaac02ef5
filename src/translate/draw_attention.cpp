#include "translate/draw_attention.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/stop.h"
#include "base/strings.h"
#include "translate/forced_decoder.h"
#include "translate/model_engine.h"
#include "translate/open_models.h"
#include "translate/translator.h"

namespace nmt {

namespace {

// A model and the figures that its maps go to.
class Drawer {
 public:
  Drawer(const AttentionRequest& request, const std::string& name, std::vector<AttentionFigure>& figures)
      : request_(request), name_(name), figures_(figures) {
    opened_ = open_models({name}, {request.device, request.threads, {}, EnsembleAverage::kLog});
    if (opened_.config.model.attention == AttentionScore::kNone) {
      throw ModelError("The model " + name + " has no attention to show (its model.attention is none).");
    }
  }

  void draw_own_translations() {
    SearchOptions search(opened_.config.search);
    search.attention = true;
    TextTranslatorOptions how;
    split_as_trained(how, opened_.training_text);
    how.threads = opened_.parallel_batches;
    const TextTranslator translator(opened_.tokenizers, make_ensemble_engine(opened_.ensemble), search, how);
    std::vector<LineRequest> lines;
    for (const std::string& line : request_.lines) lines.push_back({line, "", lines.size()});
    const std::vector<Translation> translations = translator.translate(lines);
    for (size_t i = 0; i < translations.size(); ++i) {
      for (const TranslatedSegment& segment : translations[i].segments) {
        const Hypothesis& best = segment.hypotheses.front();
        DecodedLine line = opened_.tokenizers.target->decode_spans(best.pieces);
        add(i, segment.source, segment.source_pieces, {std::move(line.text), best.pieces, std::move(line.spans)},
            best.attention);
      }
    }
  }

  void draw_given_translations() {
    ForcedOptions how;
    how.max_pieces = request_.max_pieces;
    how.threads = opened_.parallel_batches;
    how.attention = true;
    const ForcedDecoder decoder(opened_.tokenizers, opened_.ensemble, how);
    std::vector<LinePair> lines;
    for (size_t i = 0; i < request_.lines.size(); ++i) lines.push_back({request_.lines[i], request_.targets->at(i)});
    const std::vector<ForcedPair> pairs = decoder.decode(lines);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const ForcedPair& pair = pairs[i];
      if (pair.too_long) {
        figures_[i].note =
            "Too long for a map: a side has more than " + with_thousands(request_.max_pieces) + " pieces.";
      } else if (!pair.blank()) {
        add(i, pair.source, pair.source_pieces,
            {pair.target, pair.target_pieces, opened_.tokenizers.target->piece_spans(pair.target)}, pair.attention);
      }
    }
  }

 private:
  void add(size_t line, const std::string& source, const std::vector<PieceId>& pieces, const PiecedText& target,
           const std::vector<std::vector<float>>& attention) {
    if (stop_requested()) throw InterruptedError("Interrupted while drawing.");
    const PiecedText from = {source, pieces, opened_.tokenizers.source->piece_spans(source)};
    figures_[line].maps.push_back(make_attention_map(opened_.tokenizers, from, target, attention, request_.level));
    figures_[line].maps.back().model = name_;
  }

  const AttentionRequest& request_;
  const std::string& name_;
  std::vector<AttentionFigure>& figures_;
  OpenedModels opened_;
};

}  // namespace

std::vector<AttentionFigure> draw_attention(const AttentionRequest& request) {
  std::vector<AttentionFigure> figures(request.lines.size());
  for (const std::string& model : request.models) {
    Drawer drawer(request, model, figures);
    if (request.targets) {
      drawer.draw_given_translations();
    } else {
      drawer.draw_own_translations();
    }
  }
  for (size_t i = 0; i < figures.size(); ++i) {
    if (figures.size() > 1) figures[i].title = "Line " + with_thousands(static_cast<int64_t>(i) + 1);
    if (figures[i].maps.empty() && figures[i].note.empty()) figures[i].note = "A blank line.";
  }
  return figures;
}

}  // namespace nmt
