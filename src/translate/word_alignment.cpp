#include "translate/word_alignment.h"

#include <algorithm>

#include "base/error.h"

namespace nmt {

namespace {

constexpr double kEqual = 1e-5;

}  // namespace

WordGroups group_by_words(std::string_view text, std::span<const TextSpan> pieces) {
  WordGroups groups;
  groups.words = words_of(text);
  const std::vector<TextSpan>& words = groups.words;
  for (const TextSpan& piece : pieces) {
    const auto first =
        std::partition_point(words.begin(), words.end(), [&](const TextSpan& word) { return word.end <= piece.begin; });
    auto last = std::partition_point(first, words.end(), [&](const TextSpan& word) { return word.begin < piece.end; });
    WordRange range{static_cast<size_t>(first - words.begin()), static_cast<size_t>(last - words.begin())};
    if (range.begin == words.size() && !words.empty()) --range.begin;
    if (range.end <= range.begin && !words.empty()) range.end = range.begin + 1;
    groups.of_piece.push_back(range);
  }
  return groups;
}

std::vector<double> attention_on_words(const std::vector<float>& attention, const WordGroups& source) {
  if (attention.size() < source.of_piece.size()) throw InternalError("Attention on fewer pieces than the source has.");
  std::vector<double> weights(source.words.size());
  for (size_t s = 0; s < source.of_piece.size(); ++s) {
    const WordRange& words = source.of_piece[s];
    const double share = attention[s] / static_cast<double>(std::max<size_t>(words.end - words.begin, 1));
    for (size_t word = words.begin; word < words.end; ++word) weights[word] += share;
  }
  return weights;
}

void WordAttention::add(const std::vector<std::vector<float>>& attention, const WordGroups& target, size_t first_target,
                        const WordGroups& source, size_t first_source) {
  if (attention.size() < target.of_piece.size()) throw InternalError("Attention of fewer pieces than the target has.");
  rows_.resize(std::max(rows_.size(), first_target + target.words.size()));
  for (size_t t = 0; t < target.of_piece.size(); ++t) {
    const std::vector<double> weights = attention_on_words(attention[t], source);
    for (size_t word = target.of_piece[t].begin; word < target.of_piece[t].end; ++word) {
      Row& row = rows_[first_target + word];
      if (row.pieces++ == 0) row.first_source = first_source;
      const size_t offset = first_source - row.first_source;
      row.sums.resize(std::max(row.sums.size(), offset + weights.size()));
      for (size_t s = 0; s < weights.size(); ++s) row.sums[offset + s] += weights[s];
    }
  }
}

std::vector<WordLink> WordAttention::links() const {
  std::vector<WordLink> links;
  for (size_t t = 0; t < rows_.size(); ++t) {
    std::vector<double> means = rows_[t].sums;
    for (double& mean : means) mean /= static_cast<double>(rows_[t].pieces);
    if (!means.empty()) links.push_back({rows_[t].first_source + most_attended(means), t});
  }
  std::stable_sort(links.begin(), links.end(),
                   [](const WordLink& a, const WordLink& b) { return a.source < b.source; });
  return links;
}

std::vector<std::vector<float>> WordAttention::matrix(size_t source_words) const {
  std::vector<std::vector<float>> matrix;
  for (const Row& row : rows_) {
    std::vector<float>& weights = matrix.emplace_back(source_words);
    for (size_t s = 0; s < row.sums.size(); ++s) {
      weights.at(row.first_source + s) = static_cast<float>(row.sums[s] / static_cast<double>(row.pieces));
    }
  }
  return matrix;
}

size_t most_attended(const std::vector<double>& weights) {
  const double most = *std::max_element(weights.begin(), weights.end());
  const auto first =
      std::find_if(weights.begin(), weights.end(), [&](double weight) { return weight >= most - kEqual; });
  return static_cast<size_t>(first - weights.begin());
}

std::string pharaoh(const std::vector<WordLink>& links) {
  std::string text;
  for (const WordLink& link : links) {
    if (!text.empty()) text += ' ';
    text += std::to_string(link.source) + "-" + std::to_string(link.target);
  }
  return text;
}

}  // namespace nmt
