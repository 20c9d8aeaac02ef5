#pragma once

#include <nmt/translator.h>

#include <cstdio>
#include <string>
#include <vector>

namespace nmt::test {

// The model of tests/program, French number words to English ones.
inline const std::string kModel = std::string(NMT_SOURCE_DIR) + "/tests/program/numbers_model";

inline TranslatorOptions on_cpu(int64_t threads = 1) {
  TranslatorOptions options;
  options.device = "cpu";
  options.threads = threads;
  return options;
}

inline std::vector<std::string> texts_of(const std::vector<TranslatedLine>& lines) {
  std::vector<std::string> texts;
  for (const TranslatedLine& line : lines) texts.push_back(line.text());
  return texts;
}

// Up to six number words a line, of every length.
inline std::vector<std::string> number_lines(size_t count) {
  const char* words[] = {"un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"};
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    std::string line = words[i % 10];
    for (size_t j = 0; j < (i * 7) % 6; ++j) line += std::string(" ") + words[(i * 3 + j * j + 1) % 10];
    lines.push_back(line);
  }
  return lines;
}

// To four decimals. By way of the six that the program prints, since a number halfway between two would be rounded
// another way from there.
inline std::string four_decimals(double score, double log_prob) {
  char six[64], four[64];
  std::snprintf(six, sizeof six, "%.6f %.6f", score, log_prob);
  std::sscanf(six, "%lf %lf", &score, &log_prob);
  std::snprintf(four, sizeof four, "%.4f\t%.4f\t", score, log_prob);
  return four;
}

// The text of all results with their scores to four places, to compare.
inline std::string dump(const std::vector<TranslatedLine>& lines) {
  std::string all;
  for (const TranslatedLine& line : lines) {
    for (const TranslatedText& one : line.translations) {
      all += four_decimals(one.score, one.log_prob) + one.text + "\n";
    }
  }
  return all;
}

}  // namespace nmt::test
