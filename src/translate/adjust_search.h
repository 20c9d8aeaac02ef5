#pragma once

#include <algorithm>

#include "search/search_options.h"

namespace nmt {

// Changes `search`, as a model was saved with it, as a user says. Choices is the program's TranslateOptions or the
// library's TranslationOptions, which name what they have in common alike; what is empty there stays the model's.
template <class Choices>
void adjust_search(SearchOptions& search, const Choices& choices, LengthNormalization normalization) {
  search.n_best = choices.n_best;
  search.beam = choices.beam.value_or(std::max(search.beam, choices.n_best));
  search.patience = choices.patience;
  search.rule.normalization = normalization;
  search.rule.alpha = choices.length_penalty.value_or(search.rule.alpha);
  search.rule.word_reward = choices.word_reward;
  search.rule.coverage_penalty = choices.coverage_penalty;
  search.max_length_ratio = choices.max_length_ratio.value_or(search.max_length_ratio);
  search.max_length_extra = choices.max_length_extra.value_or(search.max_length_extra);
  search.min_length = choices.min_length;
  search.no_repeat_ngram = choices.no_repeat_ngram;
  search.forbid_unknown = choices.forbid_unknown;
  search.diversity_groups = choices.diversity_groups;
  search.diversity_penalty = choices.diversity_penalty;
  search.sampling = {choices.sample, choices.temperature, choices.top_k, choices.top_p, choices.seed};
}

}  // namespace nmt
