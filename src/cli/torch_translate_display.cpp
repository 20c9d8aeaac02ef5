#include "cli/torch_translate_display.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/counted.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"

namespace nmt {

namespace {

bool is_typed(const std::string& input) { return input == "-" && ::isatty(STDIN_FILENO) == 1; }

}  // namespace

TranslationDisplay::TranslationDisplay(const std::string& input) : typed_(is_typed(input)) {
  if (!progress_.visible()) return;
  std::error_code none;
  if (input != "-" && std::filesystem::is_regular_file(input, none)) all_lines_ = count_lines(input);
}

void TranslationDisplay::prompt() {
  if (!typed_ || !progress_.visible()) return;
  if (!greeted_) log::info("Type a line to have it translated; Ctrl-D ends.");
  std::fputs("> ", stderr);
  greeted_ = prompted_ = true;
}

void TranslationDisplay::clear() {
  progress_.clear();
  prompted_ = false;
}

void TranslationDisplay::finish() {
  if (prompted_) std::fputs("\n", stderr);  // Ctrl-D leaves the cursor behind the prompt
  clear();
}

void TranslationDisplay::show(int64_t lines, int64_t window, double part) {
  if (typed_) return;
  const double done = static_cast<double>(lines) + part * static_cast<double>(window);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  const auto all = static_cast<double>(all_lines_);
  std::string text = counted(static_cast<int64_t>(done), "line");
  if (all_lines_ > 0) text += " of " + with_thousands(all_lines_);
  text += " in " + format_duration(seconds.count());
  if (all_lines_ > 0 && done > 0 && done < all) {
    text += ", " + format_duration(seconds.count() * (all / done - 1)) + " left";
  }
  progress_.show(all_lines_ > 0 ? std::optional<double>(done / all) : std::nullopt, text);
}

}  // namespace nmt
