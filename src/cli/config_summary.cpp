#include "cli/config_summary.h"

#include <spdlog/fmt/fmt.h>

#include <vector>

#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paired_lines.h"
#include "base/strings.h"
#include "text/sentencepiece_tokenizer.h"

namespace nmt {

namespace {

int64_t count_pairs(const ParallelFilesConfig& files) {
  const int64_t source = count_lines(files.src.value), target = count_lines(files.tgt.value);
  check_line_counts(files.src.value, source, files.tgt.value, target);
  if (source == 0) throw DataError(files.src.value + " and " + files.tgt.value + " are empty.");
  return source;
}

std::string describe_text(const Config& config) {
  std::string out = counted(count_pairs(config.data.train), "pair") + " to train on";
  if (config.data.valid.src.empty()) return out + ", none for validation";
  return out + ", " + with_thousands(count_pairs(config.data.valid)) + " for validation";
}

std::string describe_size(const AutoSize& size) {
  return size.is_auto() ? "a size that suits the corpus" : counted(size.value, "piece");
}

std::string describe_vocabulary(const TextConfig& text) {
  const std::string type(name_of(text.type));
  const auto side = [&](const PathField& model, const AutoSize& size) {
    if (model.empty()) return type + " of " + describe_size(size) + ", to be trained";
    const int64_t pieces = load_sentencepiece_tokenizer(model.value, text.normalization)->vocab_size();
    const bool asked = !size.is_auto() && size.value != TextConfig{}.vocab_size.value && size.value != pieces;
    return counted(pieces, "piece") + " from " + model.value +
           (asked ? " (a vocabulary size of " + with_thousands(size.value) + " is for tokenizers to be trained)" : "");
  };
  if (text.joint) return "joint, " + side(text.source_model, text.vocab_size);
  const AutoSize source_size = text.source_vocab_size.is_auto() ? text.vocab_size : text.source_vocab_size;
  return "source " + side(text.source_model, source_size) + "; target " + side(text.target_model, text.vocab_size);
}

std::string describe_model(const ModelConfig& model) {
  return fmt::format("embedding {}, bidirectional GRU encoder 2 x {} ({}), {} attention, {} decoder {}, {} readout",
                     model.embedding_dim, model.encoder_dim, counted(model.encoder_layers, "layer"),
                     model.attention == AttentionScore::kNone ? "no" : name_of(model.attention),
                     name_of(model.decoder_cell), model.decoder_dim, name_of(model.readout));
}

std::string describe_end(const Config& config) {
  const TrainConfig& train = config.train;
  std::vector<std::string> ends;
  if (train.max_updates > 0) ends.push_back(counted(train.max_updates, "update"));
  if (train.max_epochs > 0) ends.push_back(counted(train.max_epochs, "epoch"));
  if (train.max_minutes > 0)
    ends.push_back(fmt::format("{} minute{}", train.max_minutes, train.max_minutes == 1 ? "" : "s"));
  if (config.valid.patience > 0) {
    ends.push_back(counted(config.valid.patience, "validation") + " without improvement");
  }
  return "after " + join(ends, ", or ");
}

std::string describe_training(const TrainConfig& train) {
  return fmt::format("{}, learning rate {} ({}), batches of at most {} target positions, seed {}",
                     name_of(train.optimizer.kind), train.optimizer.learning_rate, name_of(train.schedule.kind),
                     with_thousands(train.batch_tokens * train.accumulate_batches), train.seed);
}

std::string describe_validation(const Config& config) {
  const ValidConfig& valid = config.valid;
  if (config.data.valid.src.empty() || (valid.every_updates == 0 && valid.every_epochs == 0)) return "none";
  const std::string when =
      valid.every_updates > 0 ? counted(valid.every_updates, "update") : counted(valid.every_epochs, "epoch");
  return fmt::format("every {}; the best checkpoint is chosen by {}", when, name_of(valid.metric));
}

}  // namespace

std::string summarize(const Config& config) {
  std::string out;
  out += "text        " + describe_text(config) + "\n";
  out += "vocabulary  " + describe_vocabulary(config.text) + "\n";
  out += "model       " + describe_model(config.model) + "\n";
  out += "training    " + describe_training(config.train) + "\n";
  out += "end         " + describe_end(config) + "\n";
  out += "validation  " + describe_validation(config) + "\n";
  return out;
}

}  // namespace nmt
