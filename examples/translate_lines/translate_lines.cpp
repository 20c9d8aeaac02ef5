// Reads lines and prints the two best translations of each with their scores.
//
//   translate_lines MODEL < text
//
// MODEL is a model or run directory of nmt.
#include <nmt/translator.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr size_t kLinesAtOnce = 256;

void translate(const nmt::Translator& translator, const std::vector<std::string>& lines) {
  nmt::TranslationOptions options;
  options.n_best = 2;
  for (const nmt::TranslatedLine& line : translator.translate_lines(lines, options)) {
    for (const nmt::TranslatedText& one : line.translations) std::printf("%.4f\t%s\n", one.score, one.text.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: translate_lines MODEL < text\n");
    return 2;
  }
  try {
    const nmt::Translator translator(argv[1]);
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) {
      lines.push_back(line);
      if (lines.size() < kLinesAtOnce) continue;
      translate(translator, lines);
      lines.clear();
    }
    translate(translator, lines);
  } catch (const nmt::Error& error) {
    std::fprintf(stderr, "translate_lines: %s\n", error.what());
    return error.exit_code();
  }
  return 0;
}
