#pragma once

#include "config/field.h"

namespace nmt {

// How translations are searched for; the same struct serves validation, nmt translate and nmt eval.
struct SearchConfig {
  int64_t beam = 5;
  double length_penalty = 1;
  double max_length_ratio = 2;
  int64_t max_length_extra = 10;
  int64_t batch_sentences = 64;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("beam", self.beam, between(1, 1000), "Hypotheses kept for each sentence; 1 is greedy search.");
    visit("length_penalty", self.length_penalty, between(0, 100),
          "alpha of Wu et al. 2016, equation 14: a hypothesis is ranked by its log-probability divided by "
          "((5 + length) / 6)^alpha; 0 ranks by the sum.");
    visit("max_length_ratio", self.max_length_ratio, above_up_to(0, 1000),
          "A translation has at most max_length_ratio x source pieces + max_length_extra pieces.");
    visit("max_length_extra", self.max_length_extra, between(0, 100000), "See max_length_ratio.");
    visit("batch_sentences", self.batch_sentences, between(1, 100000), "Sentences translated together.");
  }
};

}  // namespace nmt
