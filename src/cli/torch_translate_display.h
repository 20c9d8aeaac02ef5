#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/progress.h"

namespace nmt {

// What a person at a terminal sees of a translation besides results, on standard error: a prompt where lines are
// typed, else how far the input is. Nothing where standard error is no terminal or the log is quiet.
class TranslationDisplay {
 public:
  // `input` is a path or "-". Lines of a file are counted first, so that progress has a bar.
  explicit TranslationDisplay(const std::string& input);
  ~TranslationDisplay() { finish(); }
  TranslationDisplay(const TranslationDisplay&) = delete;
  TranslationDisplay& operator=(const TranslationDisplay&) = delete;

  void prompt();  // before a line is waited for

  // `lines` of the input and `part` of the `window` lines after them are translated.
  void show(int64_t lines, int64_t window, double part);
  void clear();   // before results or warnings are written
  void finish();  // leaves the cursor at the start of a line

 private:
  Progress progress_;
  bool typed_;
  bool greeted_ = false;
  bool prompted_ = false;  // and no line has come yet
  int64_t all_lines_ = 0;  // 0 where it isn't known
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace nmt
