#include "metrics/parallel_count.h"

#include <exception>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "metrics/unicode.h"

namespace nmt::metrics {

namespace {

void add(std::vector<double>& sums, std::span<const double> more) {
  if (sums.empty()) sums.assign(more.size(), 0.0);
  for (size_t k = 0; k < more.size(); ++k) sums[k] += more[k];
}

// What the threads share: the input, read one block at a time, and the counts of each block.
class SharedState {
 public:
  SharedState(BlockReader reader, std::vector<std::string> names)
      : reader_(std::move(reader)), names_(std::move(names)) {}

  bool next(LineBlock& block) {
    const std::lock_guard lock(mutex_);
    if (failure_) return false;
    if (stop_requested()) throw InterruptedError("Interrupted while scoring.");
    return reader_.next(block);
  }

  void store(size_t block, InputCounts counts) {
    const std::lock_guard lock(mutex_);
    if (blocks_.size() <= block) blocks_.resize(block + 1);
    blocks_[block] = std::move(counts);
  }

  // Keeps the failure of the earliest block, so that threads don't change which one is reported.
  void fail(size_t block, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (failure_ && failed_block_ <= block) return;
    failure_ = std::move(failure);
    failed_block_ = block;
  }

  const std::string& source_name(size_t source) const { return names_[source]; }

  std::vector<InputCounts> take() {
    if (failure_) std::rethrow_exception(failure_);
    return std::move(blocks_);
  }

 private:
  std::mutex mutex_;
  BlockReader reader_;
  std::vector<std::string> names_;
  std::vector<InputCounts> blocks_;
  std::exception_ptr failure_;
  size_t failed_block_ = 0;
};

// One thread's work. Sources are ordered: systems, references, the source.
class BlockCounter {
 public:
  BlockCounter(SharedState& shared, const std::vector<std::unique_ptr<Metric>>& metrics, size_t systems,
               size_t references, bool by_length, const CountOptions& options)
      : shared_(shared),
        systems_(systems),
        references_(references),
        by_length_(by_length),
        options_(options),
        views_(references) {
    for (const auto& metric : metrics) {
      counters_.push_back(metric->make_counter());
      statistics_.emplace_back(metric->statistics());
    }
  }

  void run() {
    LineBlock block;
    size_t at = static_cast<size_t>(-1);  // a failed read comes after all blocks
    try {
      while (shared_.next(block)) {
        at = block.index;
        shared_.store(block.index, count(block));
        at = static_cast<size_t>(-1);
      }
    } catch (...) {
      shared_.fail(at, std::current_exception());
    }
  }

 private:
  InputCounts count(LineBlock& block) {
    InputCounts out;
    out.lines = block.lines;
    out.systems.resize(systems_, std::vector<SystemCounts>(counters_.size()));
    out.tokenized_lines.resize(systems_, 0);
    for (size_t line = 0; line < block.lines; ++line) {
      for (size_t source = 0; source < block.texts.size(); ++source) clean(block, source, line, out.replaced);
      const size_t bucket = by_length_ ? length_bucket(block.texts.back()[line]) : 0;
      ++out.lines_by_length[bucket];
      for (size_t r = 0; r < references_; ++r) views_[r] = block.texts[systems_ + r][line];
      for (const auto& counter : counters_) counter->set_references(views_);
      for (size_t s = 0; s < systems_; ++s) count_hypothesis(block.texts[s][line], s, bucket, out);
    }
    return out;
  }

  void count_hypothesis(const std::string& hypothesis, size_t system, size_t bucket, InputCounts& out) {
    out.tokenized_lines[system] += looks_tokenized(hypothesis);
    for (size_t m = 0; m < counters_.size(); ++m) {
      std::vector<double>& statistics = statistics_[m];
      counters_[m]->count(hypothesis, statistics);
      SystemCounts& counts = out.systems[system][m];
      add(counts.sums, statistics);
      if (by_length_) add(counts.sums_by_length[bucket], statistics);
      if (options_.keep_lines) counts.lines.insert(counts.lines.end(), statistics.begin(), statistics.end());
    }
  }

  void clean(LineBlock& block, size_t source, size_t line, size_t& replaced) {
    std::string& text = block.texts[source][line];
    if (const size_t at = find_invalid_utf8(text); at != std::string::npos) {
      if (options_.invalid_utf8 == InvalidUtf8::kError) {
        throw DataError(shared_.source_name(source) + ":" + std::to_string(block.first_line + line + 1) + ": byte " +
                        std::to_string(at + 1) +
                        " of the line is not UTF-8; convert the file, or let such "
                        "bytes be replaced (--invalid-utf8 replace).");
      }
      text = replace_invalid_utf8(text, &replaced);
    }
    text.resize(rstrip_spaces(text).size());
  }

  SharedState& shared_;
  size_t systems_;
  size_t references_;
  bool by_length_;
  const CountOptions& options_;
  std::vector<std::unique_ptr<SegmentCounter>> counters_;  // by metric
  std::vector<std::vector<double>> statistics_;            // by metric: of the present line
  std::vector<std::string_view> views_;                    // of the present line's references
};

// Adds up blocks in their order, freeing each.
InputCounts sum_blocks(std::vector<InputCounts> blocks) {
  InputCounts out = std::move(blocks.front());
  for (size_t b = 1; b < blocks.size(); ++b) {
    const InputCounts block = std::move(blocks[b]);
    out.lines += block.lines;
    out.replaced += block.replaced;
    for (size_t k = 0; k < kLengthBuckets; ++k) out.lines_by_length[k] += block.lines_by_length[k];
    for (size_t s = 0; s < out.systems.size(); ++s) {
      out.tokenized_lines[s] += block.tokenized_lines[s];
      for (size_t m = 0; m < out.systems[s].size(); ++m) {
        SystemCounts& sum = out.systems[s][m];
        const SystemCounts& part = block.systems[s][m];
        add(sum.sums, part.sums);
        for (size_t k = 0; k < kLengthBuckets; ++k) add(sum.sums_by_length[k], part.sums_by_length[k]);
        sum.lines.insert(sum.lines.end(), part.lines.begin(), part.lines.end());
      }
    }
  }
  return out;
}

}  // namespace

bool looks_tokenized(std::string_view hypothesis) {
  return hypothesis.ends_with(" .") || hypothesis.find("@@ ") != std::string_view::npos ||
         hypothesis.find("\xE2\x96\x81") != std::string_view::npos;
}

InputCounts count_input(const std::vector<std::unique_ptr<Metric>>& metrics, ScoreInput input,
                        const CountOptions& options) {
  const size_t systems = input.hypotheses.size();
  const size_t references = input.references.size();
  const bool by_length = input.source != nullptr;
  std::vector<std::unique_ptr<LineSource>> sources = std::move(input.hypotheses);
  for (auto& reference : input.references) sources.push_back(std::move(reference));
  if (by_length) sources.push_back(std::move(input.source));
  std::vector<std::string> names;
  names.reserve(sources.size());
  for (const auto& source : sources) names.push_back(source->name());

  SharedState shared(BlockReader(std::move(sources)), std::move(names));
  const auto work = [&] { BlockCounter(shared, metrics, systems, references, by_length, options).run(); };
  std::vector<std::jthread> helpers;
  for (int t = 1; t < options.threads; ++t) helpers.emplace_back(work);
  work();
  helpers.clear();  // waits for them
  return sum_blocks(shared.take());
}

}  // namespace nmt::metrics
