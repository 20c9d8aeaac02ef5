#pragma once

#include "tensor/torch_guard.h"
#include "translate/line_writer.h"

namespace nmt {

// The body of a verb that writes its results with a LineWriter: with_torch_errors(), and a reader of standard output
// that has gone ends it without a word.
template <class Body>
void with_line_verb_errors(Body body) {
  with_torch_errors([&] {
    try {
      body();
    } catch (const OutputClosed&) {
    }
  });
}

}  // namespace nmt
