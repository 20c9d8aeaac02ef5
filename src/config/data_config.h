#pragma once

#include "config/field.h"

namespace nmt {

// A parallel corpus: line i of `tgt` translates line i of `src`. Plain text or gzip.
struct ParallelFilesConfig {
  PathField src;
  PathField tgt;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("src", self.src, any_value(), "Source text: UTF-8, one sentence a line, plain or gzip.");
    visit("tgt", self.tgt, any_value(), "Target text, as many lines as the source.");
  }
};

struct DataConfig {
  ParallelFilesConfig train;
  ParallelFilesConfig valid;
  int64_t max_source_pieces = 200;
  int64_t max_target_pieces = 200;
  double max_length_ratio = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit.section("train", self.train, "Pairs to learn from.");
    visit.section("valid", self.valid, "Pairs to choose the best checkpoint with; never learned from.");
    visit("max_source_pieces", self.max_source_pieces, between(1, 100000),
          "Training pairs with a longer source, in pieces, are dropped and counted.");
    visit("max_target_pieces", self.max_target_pieces, between(1, 100000),
          "Training pairs with a longer target, in pieces, are dropped and counted.");
    visit("max_length_ratio", self.max_length_ratio, at_least(0),
          "Training pairs whose longer side has more than this many times the pieces of the shorter one are dropped; "
          "0 keeps all.");
  }
};

}  // namespace nmt
