#pragma once

#include "config/field.h"

namespace nmt {

enum class OptimizerKind { kAdam, kAdamW, kSgd, kAdadelta };
enum class ScheduleKind { kConstant, kInverseSqrt, kPlateau };
enum class TrainPrecision { kFloat32, kBfloat16, kInt8 };
enum class ValidMetric { kLoss, kPerplexity, kBleu };

template <>
struct EnumNames<OptimizerKind> {
  static constexpr std::array<std::string_view, 4> names = {"adam", "adamw", "sgd", "adadelta"};
};
template <>
struct EnumNames<ScheduleKind> {
  static constexpr std::array<std::string_view, 3> names = {"constant", "inverse_sqrt", "plateau"};
};
template <>
struct EnumNames<TrainPrecision> {
  static constexpr std::array<std::string_view, 3> names = {"float32", "bfloat16", "int8"};
};
template <>
struct EnumNames<ValidMetric> {
  static constexpr std::array<std::string_view, 3> names = {"loss", "perplexity", "bleu"};
};

struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::kAdam;
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  double rho = 0.95;
  double clip_norm = 1;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("kind", self.kind, any_value(), "Update rule.");
    visit("learning_rate", self.learning_rate, above_up_to(0, 1000),
          "Step size (the peak where the schedule warms up).");
    visit("beta1", self.beta1, from_below(0, 1), "Adam: decay of the mean of the gradients.");
    visit("beta2", self.beta2, from_below(0, 1), "Adam: decay of the mean of their squares.");
    visit("epsilon", self.epsilon, above_up_to(0, 1),
          "Adam and Adadelta: added to the denominator (the 2014 paper: 1e-6).");
    visit("weight_decay", self.weight_decay, between(0, 100),
          "AdamW: decoupled decay of the weights; adam, sgd, adadelta: L2 penalty added to the gradient.");
    visit("momentum", self.momentum, from_below(0, 1), "SGD: momentum.");
    visit("rho", self.rho, from_below(0, 1), "Adadelta: decay of the running means.");
    visit("clip_norm", self.clip_norm, at_least(0), "Gradients longer than this are shortened to it; 0 never clips.");
  }
};

struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::kConstant;
  int64_t warmup_updates = 0;
  double plateau_factor = 0.5;
  int64_t plateau_patience = 1;
  double min_learning_rate = 1e-6;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("kind", self.kind, any_value(),
          "Learning rate over time: constant; inverse_sqrt, falling with the square root of the update; plateau, "
          "lowered when validation stops improving.");
    visit("warmup_updates", self.warmup_updates, at_least(0), "Updates over which the rate rises linearly from 0.");
    visit("plateau_factor", self.plateau_factor, between(0.01, 0.99), "plateau: the rate is multiplied by this.");
    visit("plateau_patience", self.plateau_patience, at_least(0),
          "plateau: validations without improvement that are waited for before the rate is lowered.");
    visit("min_learning_rate", self.min_learning_rate, between(0, 1000), "The rate never falls below this.");
  }
};

struct TrainConfig {
  int64_t seed = 1;
  int64_t batch_tokens = 2048;
  int64_t max_batch_sentences = 256;
  int64_t accumulate_batches = 1;
  double label_smoothing = 0.1;
  TrainPrecision precision = TrainPrecision::kFloat32;
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  int64_t max_updates = 0;
  int64_t max_epochs = 0;
  double max_minutes = 0;
  int64_t max_bad_steps = 10;
  int64_t log_every = 100;
  int64_t save_every = 0;
  int64_t keep_last = 3;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("seed", self.seed, between(0, 9007199254740991.0),
          "Of initial weights, data order and dropout. The same seed and thread count give the same bits on CPU.");
    visit("batch_tokens", self.batch_tokens, between(1, 10000000),
          "Size of a batch: sentences x longest target, padding counted, is at most this.");
    visit("max_batch_sentences", self.max_batch_sentences, between(1, 1000000), "Sentences in a batch at most.");
    visit("accumulate_batches", self.accumulate_batches, between(1, 10000),
          "Batches whose gradients are summed for one update.");
    visit("label_smoothing", self.label_smoothing, from_below(0, 1),
          "Probability mass spread over all pieces of the vocabulary in the training loss.");
    visit("precision", self.precision, any_value(),
          "Of the factors of matrix products in training. bfloat16 is faster where the processor has instructions for "
          "it (AVX-512 BF16, AMX, or a GPU). int8 is faster still with AVX-512 VNNI: the forward pass in 8 bits, "
          "gradients in bfloat16 or float32. Weights, sums and validation stay float32.");
    visit.section("optimizer", self.optimizer, "How gradients change the weights.");
    visit.section("schedule", self.schedule, "How the learning rate changes over time.");
    visit("max_updates", self.max_updates, at_least(0), "Training ends after this many updates; 0 is no limit.");
    visit("max_epochs", self.max_epochs, at_least(0), "Training ends after this many epochs; 0 is no limit.");
    visit("max_minutes", self.max_minutes, between(0, 10000000),
          "Training ends after this many minutes of running time, resumed runs counted together; 0 is no limit.");
    visit("max_bad_steps", self.max_bad_steps, at_least(1),
          "Training stops after this many updates in a row were skipped because loss or gradient was not finite.");
    visit("log_every", self.log_every, at_least(1), "Updates between two lines of the log.");
    visit("save_every", self.save_every, at_least(0),
          "Updates between two checkpoints; 0 saves after each validation only.");
    visit("keep_last", self.keep_last, at_least(1), "Checkpoints kept beside the best one.");
  }
};

struct ValidConfig {
  int64_t every_updates = 0;
  int64_t every_epochs = 1;
  ValidMetric metric = ValidMetric::kBleu;
  bool bleu = true;
  int64_t patience = 0;
  int64_t samples = 3;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("every_updates", self.every_updates, at_least(0), "Updates between two validations; 0 counts epochs.");
    visit("every_epochs", self.every_epochs, at_least(0),
          "Epochs between two validations where every_updates is 0; 0 never validates.");
    visit("metric", self.metric, any_value(), "What chooses the best checkpoint and stops training early.");
    visit("bleu", self.bleu, any_value(), "Translate the validation text and compute BLEU at each validation.");
    visit("patience", self.patience, at_least(0),
          "Training ends after this many validations without improvement; 0 never stops early.");
    visit("samples", self.samples, between(0, 100), "Validation sentences shown with their translation.");
  }
};

}  // namespace nmt
