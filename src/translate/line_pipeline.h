#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "translate/line_writer.h"

namespace nmt {

// Turns lines into what is written for them: exactly one result for each line, in order, without its last line end.
// `first` is the number of the first line, from 1.
using LineTranslator = std::function<std::vector<std::string>(const std::vector<std::string>& lines, int64_t first)>;

// Called with each line as it is read; what it throws leaves the pipeline once all lines before are written.
using LineListener = std::function<void(const std::string& line, int64_t number)>;

struct PipelineOptions {
  int64_t first_window = 64;       // lines read before the first are translated; then doubled up to largest_window
  int64_t largest_window = 4096;   // lines
  size_t largest_bytes = 8 << 20;  // a window also ends once it holds so many bytes: memory is bounded
  std::function<void()> on_wait = nullptr;  // called when all lines are answered and the next isn't there yet
  LineListener on_read = nullptr;
};

// Windows for a translator of `batch_sentences` at a time in each of `threads` threads: the first fills every thread
// once, the largest lets each sort many lines by length.
PipelineOptions pipeline_for(int64_t batch_sentences, int threads);

// Reads, translates and writes until the input ends, a window of lines at a time; results are written and flushed as
// soon as a window is done. A window ends early where the reader would have to wait for the writer of its input, so
// that whoever sends single lines gets each answered at once. Returns the number of lines, which is that of the
// results written (checked: InternalError). Throws InterruptedError after request_stop(), with whole results written
// only; what the reader or on_read throws, the results of all lines before being written; and what the translator
// throws, the results of earlier windows being written. Messages tell how many results are written, and where.
int64_t run_line_pipeline(LineReader& reader, LineWriter& writer, const LineTranslator& translate,
                          const PipelineOptions& options = {});

}  // namespace nmt
