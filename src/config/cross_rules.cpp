#include "config/cross_rules.h"

#include <spdlog/fmt/fmt.h>

#include "base/piece_id.h"

namespace nmt {

namespace {

using Violations = std::vector<CrossViolation>;

// Adds `keys[0]` + rest.
void add(Violations& out, std::vector<std::string> keys, const std::string& rest) {
  const std::string sentence = keys.front() + rest;
  out.push_back({std::move(keys), sentence});
}

void check_attention(const ModelConfig& model, Violations& out) {
  const int64_t annotation_dim = 2 * model.encoder_dim;
  const bool dot = model.attention == AttentionScore::kDot || model.attention == AttentionScore::kScaledDot;
  if (dot && model.decoder_dim != annotation_dim) {
    add(out, {"model.attention", "model.decoder_dim", "model.encoder_dim"},
        fmt::format(
            " is {}, so model.decoder_dim ({}) must equal 2 x model.encoder_dim ({}); general has no such limit.",
            name_of(model.attention), model.decoder_dim, annotation_dim));
  }
  const bool additive =
      model.attention == AttentionScore::kAdditive || model.attention == AttentionScore::kAdditiveLinear;
  if (model.score_scale == ScoreScale::kSqrt && !additive) {
    add(out, {"model.score_scale", "model.attention"},
        fmt::format(" sqrt is for additive and additive_linear scores, but model.attention is {}{}.",
                    name_of(model.attention),
                    model.attention == AttentionScore::kDot ? "; scaled_dot is the scaled form of it" : ""));
  }
  if (model.value_projection && model.attention == AttentionScore::kNone) {
    add(out, {"model.value_projection", "model.attention"},
        " projects what attention gives, but model.attention is none.");
  }
}

// Size of what the output layer reads.
int64_t readout_size(const ModelConfig& model) {
  return model.readout == Readout::kLinear ? model.decoder_dim + 2 * model.encoder_dim : model.readout_dim;
}

void check_tying(const ModelConfig& model, const TextConfig& text, Violations& out) {
  if (model.tying == Tying::kNone) return;
  if (model.embedding_dim != readout_size(model)) {
    const bool linear = model.readout == Readout::kLinear;
    add(out,
        {"model.tying", "model.embedding_dim", "model.readout", "model.readout_dim", "model.decoder_dim",
         "model.encoder_dim"},
        fmt::format(" is {}, so model.embedding_dim ({}) must equal {} ({}).", name_of(model.tying),
                    model.embedding_dim,
                    linear ? "the linear readout's model.decoder_dim + 2 x model.encoder_dim" : "model.readout_dim",
                    readout_size(model)));
  }
  if (model.tying == Tying::kAll && !text.joint) {
    add(out, {"model.tying", "text.joint"},
        " is all, which needs one vocabulary: text.joint is false; target ties without it.");
  }
}

void check_text(const TextConfig& text, Violations& out) {
  if (text.joint && !text.source_vocab_size.is_auto()) {
    add(out, {"text.source_vocab_size", "text.joint"},
        " is for separate vocabularies, but text.joint is true; text.vocab_size is the size of the joint one.");
  }
  if (text.joint && text.source_model.empty() && !text.target_model.empty()) {
    add(out, {"text.target_model", "text.source_model", "text.joint"},
        " is given without text.source_model, but text.joint is true; give a joint model as text.source_model.");
  }
  if (text.joint && !text.source_model.empty() && !text.target_model.empty() &&
      text.source_model != text.target_model) {
    add(out, {"text.target_model", "text.source_model", "text.joint"},
        " differs from text.source_model, but text.joint is true; set text.joint to false for two models.");
  }
  constexpr int64_t kBytePieces = 256;
  const int64_t fixed = kSpecialPieces + (text.byte_fallback ? kBytePieces : 0);
  const auto check_size = [&](const char* key, const char* model_key, const AutoSize& size, const PathField& model) {
    if (size.is_auto() || !model.empty() || size.value > fixed) return;
    add(out, {key, "text.byte_fallback", model_key},
        fmt::format(" is {}, but the special pieces{} alone take {}.", size.value,
                    text.byte_fallback ? " and the 256 pieces of text.byte_fallback" : "", fixed));
  };
  check_size("text.vocab_size", "text.target_model", text.vocab_size,
             text.joint ? text.source_model : text.target_model);
  if (!text.joint) check_size("text.source_vocab_size", "text.source_model", text.source_vocab_size, text.source_model);
}

void check_data(const Config& config, Violations& out) {
  const DataConfig& data = config.data;
  for (const auto& [key, path] : {std::pair{"data.train.src", &data.train.src}, {"data.train.tgt", &data.train.tgt}}) {
    if (path->empty()) add(out, {key}, ": required, the text to train on.");
  }
  if (data.valid.src.empty() != data.valid.tgt.empty()) {
    const bool no_source = data.valid.src.empty();
    add(out, {no_source ? "data.valid.src" : "data.valid.tgt", no_source ? "data.valid.tgt" : "data.valid.src"},
        fmt::format(" is missing, while {} is given.", no_source ? "data.valid.tgt" : "data.valid.src"));
  }
  if (data.max_length_ratio > 0 && data.max_length_ratio < 1) {
    add(out, {"data.max_length_ratio"},
        fmt::format(" is {}, which drops every pair; it must be 0 (no limit) or at least 1.", data.max_length_ratio));
  }
  if (config.train.batch_tokens <= data.max_target_pieces) {
    add(out, {"train.batch_tokens", "data.max_target_pieces"},
        fmt::format(" is {}, too small for one target of data.max_target_pieces ({}) and its end mark; raise it to {} "
                    "or lower the other.",
                    config.train.batch_tokens, data.max_target_pieces, data.max_target_pieces + 1));
  }
}

void check_optimizer(const TrainConfig& train, Violations& out) {
  const OptimizerConfig& optimizer = train.optimizer;
  const ScheduleConfig& schedule = train.schedule;
  if (optimizer.momentum > 0 && optimizer.kind != OptimizerKind::kSgd) {
    add(out, {"train.optimizer.momentum", "train.optimizer.kind"},
        fmt::format(" is for sgd, but train.optimizer.kind is {}.", name_of(optimizer.kind)));
  }
  if (schedule.kind == ScheduleKind::kInverseSqrt && schedule.warmup_updates == 0) {
    add(out, {"train.schedule.warmup_updates", "train.schedule.kind"},
        " is 0, but train.schedule.kind inverse_sqrt falls from the end of a warm-up; 4000 is usual.");
  }
  if (schedule.kind != ScheduleKind::kConstant && schedule.min_learning_rate > optimizer.learning_rate) {
    add(out, {"train.schedule.min_learning_rate", "train.optimizer.learning_rate", "train.schedule.kind"},
        fmt::format(" ({}) is above train.optimizer.learning_rate ({}).", schedule.min_learning_rate,
                    optimizer.learning_rate));
  }
}

// Validation: what needs it, and whether it takes place.
void check_validation(const Config& config, Violations& out) {
  const ValidConfig& valid = config.valid;
  const bool has_files = !config.data.valid.src.empty() || !config.data.valid.tgt.empty();
  const bool has_interval = valid.every_updates > 0 || valid.every_epochs > 0;
  const auto need = [&](const std::string& key, const std::string& why) {
    if (!has_files) {
      add(out, {key, "data.valid.src", "data.valid.tgt"},
          why + " needs validation text: data.valid.src and data.valid.tgt.");
    } else if (!has_interval) {
      add(out, {key, "valid.every_updates", "valid.every_epochs"},
          why + " needs validations, but valid.every_updates and valid.every_epochs are both 0.");
    }
  };
  if (valid.patience > 0) need("valid.patience", " (early stopping)");
  if (config.train.schedule.kind == ScheduleKind::kPlateau) need("train.schedule.kind", " plateau");
  if (valid.metric == ValidMetric::kBleu && !valid.bleu) {
    add(out, {"valid.metric", "valid.bleu"},
        " is bleu, but valid.bleu is false; choose loss or perplexity, or set valid.bleu to true.");
  }
  const bool limited = config.train.max_updates > 0 || config.train.max_epochs > 0 || config.train.max_minutes > 0;
  if (!limited && valid.patience == 0) {
    add(out, {"train.max_updates", "train.max_epochs", "train.max_minutes", "valid.patience"},
        ": training would never end; set train.max_updates, train.max_epochs, train.max_minutes or valid.patience.");
  }
}

}  // namespace

std::vector<CrossViolation> cross_violations(const Config& config) {
  Violations out;
  check_data(config, out);
  check_text(config.text, out);
  check_attention(config.model, out);
  check_tying(config.model, config.text, out);
  check_optimizer(config.train, out);
  check_validation(config, out);
  return out;
}

std::vector<CrossViolation> cross_violations(const ModelDirConfig& config) {
  Violations out;
  check_attention(config.model, out);
  check_tying(config.model, config.text, out);
  return out;
}

std::vector<std::string> validate(const Config& config) {
  std::vector<std::string> sentences;
  for (const CrossViolation& violation : cross_violations(config)) sentences.push_back(violation.sentence);
  return sentences;
}

}  // namespace nmt
