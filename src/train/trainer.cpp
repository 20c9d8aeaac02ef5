#include "train/trainer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "base/random.h"
#include "base/stop.h"
#include "model/model_dir.h"
#include "tensor/device.h"
#include "text/tokenizers.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOptimizerFile = "optimizer.safetensors";

SubwordSampling sampling_of(const Config& config, const TokenizerPair& tokenizers) {
  return {config.text.sampling_alpha, tokenizers};
}

}  // namespace

TrainingText training_text_of(const EncodedCorpus& corpus) {
  const CorpusSummary& summary = corpus.summary();
  return {corpus.longest_source(), static_cast<double>(summary.several_sentences) / static_cast<double>(summary.kept)};
}

Trainer::Trainer(const Config& config, const RunDirectory& directory, TrainerParts parts)
    : config_(config),
      parts_(std::move(parts)),
      agenda_(config.train, config.valid, parts_.validate != nullptr),
      learner_(parts_.model, config.train, parts_.device),
      store_(directory.path(), config.train.keep_last),
      reporter_(directory.log_file(), config, parts_.corpus->size()) {
  if (parts_.checkpoint) {
    state_ = parts_.checkpoint->state;
    saved_update_ = state_.update;
    load_safetensors_into(parts_.checkpoint->directory / kOptimizerFile, learner_.optimizer().state());
    if (state_.device != parts_.device.str() || state_.threads != parts_.threads) {
      log::warn(
          "The run goes on with another device or number of threads ({}, {}; before: {}, {}), so its results "
          "won't be the same to the last bit as without the interruption.",
          parts_.device.str(), parts_.threads, state_.device, state_.threads);
    }
    restore_best();
  }
  state_.device = parts_.device.str();
  state_.threads = parts_.threads;
  state_.corpus_digest = parts_.corpus->digest();
  Batcher batcher(parts_.corpus, config.train, sampling_of(config, parts_.tokenizers), state_.position);
  largest_batch_ = batcher.largest_batch();
  batches_ = std::make_unique<Prefetcher>(std::move(batcher));
}

// The link may be behind the state after an abrupt end, and the checkpoint gone after damage to a newer one.
void Trainer::restore_best() {
  if (state_.best && !fs::exists(store_.directory_of(state_.best->update))) {
    log::warn("The best checkpoint (update {}) isn't there any more; the next validation sets a new best.",
              state_.best->update);
    state_.best.reset();
  }
  store_.point_best_to(state_.best ? state_.best->update : state_.update);
}

void Trainer::run() {
  start();
  std::optional<std::string> reason;
  while (true) {
    if (agenda_.validation_due(state_) || agenda_.save_due(state_, saved_update_) || stop_requested()) settle();
    if (agenda_.validation_due(state_) && !stop_requested()) validate(false);
    if (agenda_.save_due(state_, saved_update_)) save();
    if (stop_requested()) end_interrupted();
    reason = agenda_.reason_to_stop(state_);
    if (reason) break;
    update();
    if (agenda_.log_due(state_)) log();
  }
  finish(*reason);
}

void Trainer::start() {
  reset_peak_memory(parts_.device);
  learner_.rehearse(largest_batch_);
  StartReport report;
  report.device = describe_device(parts_.device);
  report.threads = parts_.threads;
  report.parameters = learner_.model()->parameter_count();
  report.pairs = parts_.corpus->size();
  report.corpus = parts_.corpus->summary().text();
  report.largest_batch = fmt::format("{} sentences, {} source and {} target positions each", largest_batch_.sentences(),
                                     largest_batch_.source.size(1), largest_batch_.target_input.size(1));
  report.memory = peak_memory(parts_.device);
  if (parts_.checkpoint) report.resumed_update = state_.update;
  reporter_.started(report);
  largest_batch_ = {};
  lap_begin_ = std::chrono::steady_clock::now();
}

void Trainer::update() {
  const std::vector<Batch> batches = take_batches();
  const int64_t update = state_.update + 1;
  const double rate =
      learning_rate(config_.train.schedule, config_.train.optimizer.learning_rate, update, state_.plateau);
  Unsettled started = {
      learner_.start(batches, rate, mix_seed(static_cast<uint64_t>(config_.train.seed), static_cast<uint64_t>(update))),
      {}};
  for (const Batch& batch : batches) started.lines.insert(started.lines.end(), batch.lines.begin(), batch.lines.end());
  settle();
  unsettled_ = std::move(started);
  state_.update = update;
  state_.position = batches_->position();
  if (state_.skipped_in_a_row > 0) settle();
  reporter_.progress(state_, agenda_.progress(state_, parts_.corpus->size()));
}

// The batches of one update. An epoch's last update may have fewer, so that none takes from two epochs.
std::vector<Batch> Trainer::take_batches() {
  std::vector<Batch> batches;
  do {
    batches.push_back(batches_->next());
  } while (std::ssize(batches) < config_.train.accumulate_batches && batches_->position().pairs > 0);
  return batches;
}

// Books the last update. The next one is started first, so that a GPU isn't waited for; whatever needs to know (log,
// validation, saving, the end, an update after a skipped one) settles at once.
void Trainer::settle() {
  if (!unsettled_) return;
  const Unsettled last = std::move(*unsettled_);
  unsettled_.reset();
  book(last.update.report(), last.lines);
}

void Trainer::book(const LearnReport& report, const std::vector<int64_t>& lines) {
  LogSums& sums = state_.since_log;
  sums.seconds += lap();
  if (report.applied) {
    state_.skipped_in_a_row = 0;
    ++sums.applied;
    sums.sentences += report.sentences;
    sums.source_tokens += report.source_tokens;
    sums.target_tokens += report.target_tokens;
    sums.loss += report.loss;
    sums.nll += report.nll;
    sums.gradient_norm += report.gradient_norm;
    return;
  }
  ++sums.skipped;
  ++state_.skipped;
  ++state_.skipped_in_a_row;
  reporter_.skipped(state_, report, lines);
  if (state_.skipped_in_a_row >= config_.train.max_bad_steps) {
    end_diverged(fmt::format("loss or gradient wasn't finite in {} updates in a row", state_.skipped_in_a_row));
  }
}

void Trainer::log() {
  settle();
  const double rate =
      learning_rate(config_.train.schedule, config_.train.optimizer.learning_rate, state_.update, state_.plateau);
  reporter_.updates_done(state_, rate, batches_->waited_seconds());
  state_.since_log = {};
}

// The closing validation, of a run that ends between two regular ones, may find the best checkpoint but leaves
// patience and learning rate alone: a run that is resumed with a later end goes on as if it had never ended here.
void Trainer::validate(bool closing) {
  require_finite_weights();
  ValidationReport report;
  learner_.model()->eval();
  try {
    const at::NoGradGuard no_grad;
    report = parts_.validate();
  } catch (const InterruptedError&) {
    return;  // validated anew when the run is resumed
  }
  const ValidMetric metric = config_.valid.metric;
  const double rank = report.rank(metric);
  const bool is_best = !std::isnan(rank) && (!state_.best || is_better(metric, rank, state_.best->rank));
  if (is_best) state_.best = BestCheckpoint{state_.update, rank};
  bool lowered = false;
  if (!closing) {
    state_.validated_update = state_.update;
    state_.validated_epochs = state_.epochs_finished();
    state_.patience.see(metric, rank);
    lowered = lower_on_plateau(config_.train.schedule, state_.plateau, metric, rank);
  }
  reporter_.validated(state_, report, is_best, lap());
  if (lowered) reporter_.rate_lowered(state_);
  last_validation_ = std::move(report);
}

void Trainer::save() {
  require_finite_weights();
  store_.save(state_, [&](const fs::path& directory) { write_checkpoint_files(directory); });
  saved_update_ = state_.update;
  // Before the first validation, and without any, there is no better choice than the last one.
  if (!state_.best || state_.best->update == state_.update) store_.point_best_to(state_.update);
  store_.prune();
  reporter_.saved(state_, store_.directory_of(state_.update), lap());
}

void Trainer::write_checkpoint_files(const fs::path& directory) {
  save_tokenizers(parts_.tokenizers, directory);
  std::vector<std::string> tokenizer_files;
  for (const auto& entry : fs::directory_iterator(directory)) tokenizer_files.push_back(entry.path().filename());
  const ModelDirConfig config{config_.text, config_.model, config_.search};
  save_model_dir(directory, config, learner_.model(), tokenizer_files, training_summary(),
                 training_text_of(*parts_.corpus));
  write_safetensors(directory / kOptimizerFile, learner_.optimizer().state());
}

std::string Trainer::training_summary() const {
  nlohmann::ordered_json summary = {{"updates", state_.update},
                                    {"epochs", state_.epochs_finished()},
                                    {"seconds", state_.seconds},
                                    {"training_pairs", parts_.corpus->size()},
                                    {"seed", config_.train.seed}};
  if (last_validation_ && state_.validated_update == state_.update) {
    summary["validation_loss"] = last_validation_->loss;
    summary["validation_perplexity"] = last_validation_->perplexity();
    if (last_validation_->bleu) summary["validation_bleu"] = *last_validation_->bleu;
  }
  return summary.dump();
}

void Trainer::finish(const std::string& reason) {
  settle();
  const bool closing = parts_.validate && state_.validated_update != state_.update;
  if (closing) validate(true);
  if (stop_requested()) end_interrupted();
  if (closing || saved_update_ != state_.update) save();
  reporter_.stopped(state_, reason);
}

void Trainer::end_interrupted() {
  settle();
  if (saved_update_ != state_.update) save();
  reporter_.stopped(state_, "interrupted by a signal");
  throw InterruptedError(
      fmt::format("Interrupted; the run is saved at update {} and goes on with --resume.", state_.update));
}

void Trainer::end_diverged(const std::string& what) {
  reporter_.stopped(state_, what);
  throw InternalError(
      fmt::format("Training diverged at update {}: {}. Try a lower train.optimizer.learning_rate, a longer "
                  "train.schedule.warmup_updates, or look at the training lines named in train_log.jsonl.",
                  state_.update, what));
}

void Trainer::require_finite_weights() {
  for (const torch::Tensor& weight : learner_.model()->parameters()) {
    if (!at::isfinite(weight.detach()).all().item<bool>()) end_diverged("weights aren't finite any more");
  }
}

double Trainer::lap() {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - lap_begin_).count();
  lap_begin_ = now;
  state_.seconds += seconds;
  return seconds;
}

}  // namespace nmt
