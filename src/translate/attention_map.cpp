#include "translate/attention_map.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "translate/number_text.h"
#include "translate/word_alignment.h"

namespace nmt {

namespace {

constexpr const char* kEndMark = "</s>";

// The rows or columns of a map and which of them each piece, and then each end mark, belongs to.
struct Axis {
  std::vector<std::string> labels;
  std::vector<WordRange> of_position;
};

// `positions`: pieces, and the end mark where it is there.
Axis make_axis(const Tokenizer& tokenizer, const PiecedText& text, size_t positions, AttentionLevel level) {
  const size_t pieces = text.pieces.size();
  if (positions < pieces || text.spans.size() != pieces) throw InternalError("Attention of another text.");
  Axis axis;
  if (level == AttentionLevel::kWords) {
    WordGroups groups = group_by_words(text.text, text.spans);
    for (const TextSpan& word : groups.words) axis.labels.emplace_back(part_of(text.text, word));
    axis.of_position = std::move(groups.of_piece);
  } else {
    for (size_t i = 0; i < pieces; ++i) {
      const std::string surface(strip(part_of(text.text, text.spans[i])));
      axis.labels.push_back(text.pieces[i] == kUnkId && !surface.empty() ? surface : tokenizer.piece(text.pieces[i]));
      axis.of_position.push_back({i, i + 1});
    }
  }
  for (size_t i = pieces; i < positions; ++i) {
    axis.labels.emplace_back(kEndMark);
    axis.of_position.push_back({axis.labels.size() - 1, axis.labels.size()});
  }
  return axis;
}

void add_row(std::vector<double>& sums, const std::vector<float>& weights, const Axis& columns) {
  for (size_t s = 0; s < weights.size(); ++s) {
    const WordRange& words = columns.of_position[s];
    for (size_t word = words.begin; word < words.end; ++word) {
      sums[word] += weights[s] / static_cast<double>(words.end - words.begin);
    }
  }
}

}  // namespace

AttentionMap make_attention_map(const TokenizerPair& tokenizers, const PiecedText& source, const PiecedText& target,
                                const std::vector<std::vector<float>>& attention, AttentionLevel level) {
  const size_t width = source.pieces.size() + 1;
  Axis columns = make_axis(*tokenizers.source, source, width, level);
  Axis rows = make_axis(*tokenizers.target, target, attention.size(), level);
  std::vector<std::vector<double>> sums(rows.labels.size(), std::vector<double>(columns.labels.size()));
  std::vector<double> counts(rows.labels.size());
  for (size_t t = 0; t < attention.size(); ++t) {
    if (attention[t].size() != width) throw InternalError("Attention on another source.");
    for (size_t row = rows.of_position[t].begin; row < rows.of_position[t].end; ++row) {
      add_row(sums[row], attention[t], columns);
      ++counts[row];
    }
  }
  AttentionMap map;
  map.source = source.text;
  map.target = target.text;
  map.source_labels = std::move(columns.labels);
  map.target_labels = std::move(rows.labels);
  for (size_t row = 0; row < sums.size(); ++row) {
    std::vector<float>& weights = map.weights.emplace_back();
    for (const double sum : sums[row]) weights.push_back(static_cast<float>(sum / std::max(counts[row], 1.0)));
  }
  return map;
}

std::string attention_json(std::span<const AttentionFigure> figures) {
  using Json = nlohmann::ordered_json;
  Json json = {{"figures", Json::array()}};
  for (const AttentionFigure& figure : figures) {
    if (stop_requested()) throw InterruptedError("Interrupted while drawing.");
    Json maps = Json::array();
    for (const AttentionMap& map : figure.maps) {
      Json weights = Json::array();
      for (const std::vector<float>& row : map.weights) {
        Json& out = weights.emplace_back(Json::array());
        for (const float weight : row) out.push_back(shown_number(weight));
      }
      maps.push_back({{"model", map.model},
                      {"source", map.source},
                      {"target", map.target},
                      {"source_labels", map.source_labels},
                      {"target_labels", map.target_labels},
                      {"weights", std::move(weights)}});
    }
    json["figures"].push_back({{"title", figure.title}, {"note", figure.note}, {"maps", std::move(maps)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nmt
