#include "translate/line_pipeline.h"

#include <algorithm>
#include <exception>

#include "base/counted.h"
#include "base/error.h"
#include "base/rethrow.h"
#include "base/stop.h"

namespace nmt {

namespace {

class Pipeline {
 public:
  Pipeline(LineReader& reader, LineWriter& writer, const LineTranslator& translate, const PipelineOptions& options)
      : reader_(reader), writer_(writer), translate_(translate), options_(options), window_(options.first_window) {}

  int64_t run() {
    while (!failure_ && read_window()) {
      if (stop_requested()) break;
      translate_window();
    }
    if (stop_requested()) throw_interrupted();
    if (failure_) throw_failure();
    if (written_ != reader_.line_number()) {
      throw InternalError("Read " + std::to_string(reader_.line_number()) + " lines but wrote " +
                          std::to_string(written_) + " results.");
    }
    return written_;
  }

 private:
  bool read_window() {
    lines_.clear();
    size_t bytes = 0;
    while (static_cast<int64_t>(lines_.size()) < window_ && bytes < options_.largest_bytes) {
      if ((options_.on_wait || !lines_.empty()) && reader_.would_block()) {
        if (!lines_.empty()) return true;
        options_.on_wait();
      }
      std::string line;
      if (!next_line(line)) return !lines_.empty();
      bytes += line.size();
      lines_.push_back(std::move(line));
    }
    window_ = std::min(2 * window_, options_.largest_window);
    return true;
  }

  // False at the end of the input and where a line can't be had: the lines before it come first.
  bool next_line(std::string& line) {
    try {
      if (!reader_.next(line)) return false;
      if (options_.on_read) options_.on_read(line, reader_.line_number());
      return true;
    } catch (const Error&) {
      failure_ = std::current_exception();
      return false;
    }
  }

  void translate_window() {
    std::vector<std::string> results;
    try {
      results = translate_(lines_, written_ + 1);
    } catch (const InterruptedError&) {
      throw_interrupted();
    } catch (const Error&) {
      failure_ = std::current_exception();
      return;
    }
    if (results.size() != lines_.size()) {
      throw InternalError("Translating " + std::to_string(lines_.size()) + " lines gave " +
                          std::to_string(results.size()) + " results.");
    }
    std::string text;
    for (const std::string& result : results) {
      text += result;
      text += '\n';
    }
    writer_.write(text);
    written_ += static_cast<int64_t>(results.size());
  }

  [[noreturn]] void throw_interrupted() const {
    throw InterruptedError("Interrupted: the results of " + results_written() + ".");
  }

  [[noreturn]] void throw_failure() const {
    try {
      std::rethrow_exception(failure_);
    } catch (const Error& error) {
      if (written_ == 0) throw;
      rethrow_with(error, " The results of " + results_written() + ".");
    }
  }

  std::string results_written() const {
    const bool somewhere = written_ > 0 && !writer_.partial_path().empty();
    return counted(written_, "line") + " are written" + (somewhere ? " to " + writer_.partial_path() : "");
  }

  LineReader& reader_;
  LineWriter& writer_;
  const LineTranslator& translate_;
  const PipelineOptions& options_;
  int64_t window_;
  std::vector<std::string> lines_;
  int64_t written_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

PipelineOptions pipeline_for(int64_t batch_sentences, int threads) {
  PipelineOptions options;
  options.first_window = batch_sentences * threads;
  options.largest_window = std::max<int64_t>(options.largest_window, 8 * options.first_window);
  return options;
}

int64_t run_line_pipeline(LineReader& reader, LineWriter& writer, const LineTranslator& translate,
                          const PipelineOptions& options) {
  return Pipeline(reader, writer, translate, options).run();
}

}  // namespace nmt
