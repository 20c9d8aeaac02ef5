#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace nmt {

// A line at the bottom of a terminal that shows how far a long work is. Where the descriptor isn't a terminal, where
// TERM is "dumb", or where the log is quiet, it shows nothing.
class Progress {
 public:
  explicit Progress(int descriptor = 2);
  ~Progress();  // clears
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool visible() const { return visible_; }

  // Shows `part` (in [0,1], where known) as a bar and `text` beside it, cut to the width of the terminal. Calls that
  // come less than a tenth of a second after the last one shown are left out.
  void show(std::optional<double> part, std::string_view text);

  // Removes the line, so that other output can be written in its place.
  void clear();

 private:
  int descriptor_;
  bool visible_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_shown_;
};

// The line that show() writes for a terminal of `columns`: "[=====>    ]  42% text".
std::string progress_line(std::optional<double> part, std::string_view text, int columns);

}  // namespace nmt
