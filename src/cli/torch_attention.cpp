#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/paired_lines.h"
#include "base/stop.h"
#include "cli/torch_line_verb.h"
#include "cli/torch_verbs.h"
#include "tensor/reused_memory.h"
#include "translate/attention_page.h"
#include "translate/draw_attention.h"
#include "translate/line_writer.h"

namespace nmt {

namespace {

void read_texts(const AttentionOptions& options, AttentionRequest& request) {
  if (options.source) {
    request.lines = {*options.source};
    if (options.target) request.targets = {*options.target};
    return;
  }
  LineReader reader(options.input);
  for (std::string line; reader.next(line);) {
    if (stop_requested()) break;
    request.lines.push_back(line);
  }
  if (stop_requested()) throw InterruptedError("Interrupted while reading.");
  if (options.target_file.empty()) return;
  PartnerLines targets(reader, options.target_file);
  request.targets = targets.take(request.lines.size());
  targets.finish();
}

void show_attention(const AttentionOptions& options) {
  install_stop_handler();
  AttentionRequest request;
  request.models = options.models;
  request.level = options.pieces ? AttentionLevel::kPieces : AttentionLevel::kWords;
  request.device = options.device;
  request.threads = static_cast<int>(options.threads);
  read_texts(options, request);
  const std::vector<AttentionFigure> figures = draw_attention(request);
  LineWriter writer(options.output);
  writer.write(options.format == "json"  ? attention_json(figures)
               : options.format == "svg" ? attention_svg(figures)
                                         : attention_page(figures));
  writer.finish();
}

}  // namespace

}  // namespace nmt

void nmt_attention(const nmt::AttentionOptions& options) {
  nmt::reuse_tensor_memory();
  nmt::with_line_verb_errors([&] { nmt::show_attention(options); });
}
