#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/stop.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/torch_line_verb.h"
#include "cli/torch_score_rule.h"
#include "cli/torch_translate_display.h"
#include "cli/torch_verbs.h"
#include "tensor/reused_memory.h"
#include "text/byte_pieces.h"
#include "translate/adjust_search.h"
#include "translate/input_format.h"
#include "translate/line_pipeline.h"
#include "translate/open_translator.h"
#include "translate/output_format.h"
#include "translate/translation_summary.h"

namespace nmt {

namespace {

// Several translations of a line need a format that says which line they belong to.
OutputFormat format_of(const TranslateOptions& options) {
  if (!options.format.empty()) return parse_output_format(options.format);
  return options.n_best > 1 ? OutputFormat::kMarianNBest : OutputFormat::kText;
}

OutputOptions output_options(const TranslateOptions& options) {
  OutputOptions output;
  output.unknown = {options.unknown, options.replace_unknown || !options.dictionary.empty(), nullptr};
  if (!options.dictionary.empty()) {
    output.unknown.dictionary = std::make_shared<const WordDictionary>(options.dictionary);
  }
  if (!options.alignment.empty()) {
    output.alignment = options.alignment == "soft" ? AlignmentKind::kSoft : AlignmentKind::kHard;
  }
  return output;
}

std::vector<std::string> forbidden_texts(const TranslateOptions& options) {
  std::vector<std::string> texts = options.forbid;
  if (options.forbid_file.empty()) return texts;
  for (std::string& line : read_lines(options.forbid_file)) {
    if (!is_blank(line)) texts.push_back(std::move(line));
  }
  return texts;
}

// Throws UsageError where what a line asks for can't be had with the options.
void check_request(const LineRequest& request, const TranslateOptions& options, const std::string& input) {
  if (request.constraints.empty()) return;
  const char* other = options.sample ? "--sample" : options.diversity_groups > 1 ? "--diversity-groups" : nullptr;
  if (other == nullptr) return;
  throw UsageError(input + ":" + std::to_string(request.number) + ": constraints can't be combined with " + other +
                   ".");
}

OpenOptions open_options(const TranslateOptions& options) {
  OpenOptions open;
  open.device = options.device;
  open.precision = parse_precision(options.precision);
  open.threads = static_cast<int>(options.threads);
  open.max_source_pieces = options.max_source_length;
  open.output = output_options(options);
  open.batch_sentences = options.batch_sentences;
  open.weights = options.weights;
  open.forbidden = forbidden_texts(options);
  open.average = parse_average(options.average);
  const bool everything = format_of(options) == OutputFormat::kJsonl;
  open.adjust_search = [&options, everything](SearchOptions& search) {
    adjust_search(search, options, parse_normalization(options.normalization));
    search.piece_log_probs = search.attention = everything;
  };
  return open;
}

// Flags that do nothing with this model.
void warn_of_idle_flags(const TranslateOptions& options, const TextTranslator& translator) {
  if (options.coverage_penalty != 0 && !translator.options().any_attention) {
    log::warn("--coverage-penalty does nothing: the model has no attention.");
  }
  std::vector<std::string> flags;
  if (options.replace_unknown) flags.emplace_back("--replace-unknown");
  if (!options.dictionary.empty()) flags.emplace_back("--dictionary");
  if (options.unknown != TranslateOptions{}.unknown) flags.emplace_back("--unknown");
  if (options.forbid_unknown) flags.emplace_back("--forbid-unknown");
  if (flags.empty() || !falls_back_to_bytes(*translator.tokenizers().target)) return;
  log::warn("{} {} nothing: the model spells unknown words by bytes (text.byte_fallback), so it has no unknown piece.",
            join(flags, " and "), flags.size() == 1 ? "does" : "do");
}

void translate(const TranslateOptions& options) {
  install_stop_handler();
  LineReader reader(options.input);
  TranslationDisplay display(options.input);
  int64_t lines_done = 0;
  int64_t lines_asked = 0;
  OpenOptions open = open_options(options);
  open.on_progress = [&](double part) { display.show(lines_done, lines_asked, part); };
  const TextTranslator translator = open_translator(options.models, open);
  warn_of_idle_flags(options, translator);
  LineWriter writer(options.output);
  TranslationSummary summary(*translator.tokenizers().source);
  const OutputFormat format = format_of(options);
  const InputFormat input_format = parse_input_format(options.input_format);
  std::vector<LineRequest> requests;  // of the lines read and not translated yet
  const auto translate_window = [&](const std::vector<std::string>& lines, int64_t first) {
    lines_done = first - 1;
    lines_asked = static_cast<int64_t>(lines.size());
    const std::vector<Translation> translations = translator.translate(requests);
    display.clear();
    std::vector<std::string> results;
    for (size_t i = 0; i < lines.size(); ++i) {
      const int64_t number = first + static_cast<int64_t>(i);
      summary.add(number, requests[i].text, translations[i]);
      results.push_back(format_translation(translations[i], number, format));
    }
    requests.clear();
    return results;
  };
  PipelineOptions pipeline = pipeline_for(translator.options().batch_sentences, translator.options().threads);
  pipeline.on_wait = [&] { display.prompt(); };
  pipeline.on_read = [&](const std::string& line, int64_t number) {
    LineRequest request = parse_line(line, number, input_format, reader.path());
    check_request(request, options, reader.path());
    requests.push_back(std::move(request));
  };
  const auto begin = std::chrono::steady_clock::now();
  run_line_pipeline(reader, writer, translate_window, pipeline);
  writer.finish();
  display.finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  for (const std::string& warning : summary.warnings(reader.path())) log::warn("{}", warning);
  log::info("{}", summary.text(seconds.count()));
}

}  // namespace

}  // namespace nmt

void nmt_translate(const nmt::TranslateOptions& options) {
  nmt::reuse_tensor_memory();
  nmt::with_line_verb_errors([&] { nmt::translate(options); });
}
