#include "metrics/text_table.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"

namespace nmt::metrics {

namespace {

constexpr size_t kHeaderPadding = 2;  // a column is at least so much wider than its title

std::string repeat(const char* piece, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += piece;
  return out;
}

struct Rule {
  const char *left, *line, *cross, *right;
};

std::string draw_rule(const Rule& rule, const std::vector<size_t>& widths) {
  std::string out = rule.left;
  for (size_t c = 0; c < widths.size(); ++c) {
    if (c > 0) out += rule.cross;
    out += repeat(rule.line, widths[c] + 2);
  }
  return out + rule.right + "\n";
}

std::string align(const std::string& text, size_t width, bool to_the_right) {
  const size_t room = width - std::min(width, count_code_points(text));
  const size_t before = to_the_right ? room : room / 2;
  return std::string(before, ' ') + text + std::string(room - before, ' ');
}

std::string draw_row(const std::vector<std::string>& cells, const std::vector<size_t>& widths) {
  std::vector<std::vector<std::string>> lines;
  size_t height = 1;
  for (const std::string& cell : cells) {
    lines.push_back(split(cell, '\n'));
    height = std::max(height, lines.back().size());
  }
  std::string out;
  for (size_t i = 0; i < height; ++i) {
    for (size_t c = 0; c < cells.size(); ++c) {
      out += "│ " + align(i < lines[c].size() ? lines[c][i] : "", widths[c], c == 0) + " ";
    }
    out += "│\n";
  }
  return out;
}

}  // namespace

std::string draw_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  widths.reserve(header.size());
  for (const std::string& title : header) widths.push_back(count_code_points(title) + kHeaderPadding);
  for (const std::vector<std::string>& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      for (const std::string& line : split(row[c], '\n')) widths[c] = std::max(widths[c], count_code_points(line));
    }
  }
  std::string out = draw_rule({"╒", "═", "╤", "╕"}, widths) + draw_row(header, widths);
  for (size_t r = 0; r < rows.size(); ++r) {
    out += draw_rule(r == 0 ? Rule{"╞", "═", "╪", "╡"} : Rule{"├", "─", "┼", "┤"}, widths);
    out += draw_row(rows[r], widths);
  }
  return out + draw_rule({"╘", "═", "╧", "╛"}, widths);
}

}  // namespace nmt::metrics
