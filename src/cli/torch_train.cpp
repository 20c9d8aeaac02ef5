#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "base/strings.h"
#include "cli/torch_validation.h"
#include "cli/torch_verbs.h"
#include "data/parallel_corpus.h"
#include "model/model_dir.h"
#include "tensor/device.h"
#include "tensor/random.h"
#include "tensor/reused_memory.h"
#include "tensor/torch_guard.h"
#include "text/tokenizers.h"
#include "train/dry_run.h"
#include "train/trainer.h"

namespace nmt {

namespace {

namespace fs = std::filesystem;

constexpr double kDryRunSeconds = 10;

// A directory that goes when the object does.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (fs::temp_directory_path() / "nmt-dry-run-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw ResourceError("Can't create a directory " + pattern + ".");
    path_ = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

RunMode mode_of(const TrainOptions& options) {
  if (options.resume) return RunMode::kResume;
  return options.overwrite ? RunMode::kOverwrite : RunMode::kNew;
}

// The checkpoint that a run goes on from; nullopt where it starts anew.
std::optional<FoundCheckpoint> find_checkpoint(const fs::path& run, RunMode mode, const Config& config) {
  if (mode != RunMode::kResume) return std::nullopt;
  const std::optional<Config> saved = saved_config(run);
  std::optional<FoundCheckpoint> found;
  if (saved) {
    check_resumable(*saved, config);
    found = CheckpointStore(run, config.train.keep_last).newest_intact();
  }
  if (!found) log::info("There is no checkpoint in {}: training starts anew.", run.string());
  return found;
}

// Of a resumed run its own, where none is given.
Config config_of(const TrainOptions& options) {
  if (!options.config.empty()) return load_config(options.config, options.overrides);
  const fs::path saved = fs::path(options.output) / "run_config.json";
  if (!fs::exists(saved)) {
    throw UsageError("There is no run in " + options.output +
                     " to go on with (run_config.json isn't there); start one " + "with --config FILE.");
  }
  return load_config(saved.string(), options.overrides);
}

// Whether a resumed run is at its end already, which is said.
bool nothing_to_do(const Config& config, const std::optional<FoundCheckpoint>& checkpoint) {
  if (!checkpoint) return false;
  const Agenda agenda(config.train, config.valid, !config.data.valid.src.empty());
  const auto reason = agenda.reason_to_stop(checkpoint->state);
  if (!reason || agenda.validation_due(checkpoint->state)) return false;
  log::info("Nothing to do: the run is at update {} ({}).", checkpoint->state.update, *reason);
  return true;
}

TrainerParts make_parts(const Config& config, const TrainOptions& options, const fs::path& cache,
                        std::optional<FoundCheckpoint> checkpoint) {
  TrainerParts parts;
  count_pairs(config.data.train);  // before anything that takes long
  if (!config.data.valid.src.empty()) count_pairs(config.data.valid);
  parts.device = select_device(options.device);
  parts.threads = set_threads(static_cast<int>(options.threads));
  parts.tokenizers = checkpoint ? load_tokenizers(checkpoint->directory, config.text) : make_tokenizers(config);
  parts.corpus = EncodedCorpus::open_or_build(cache, config.data, config.text, parts.tokenizers, parts.threads);
  if (checkpoint) {
    if (checkpoint->state.corpus_digest != parts.corpus->digest()) {
      throw DataError("The run can't be resumed, since its training text has changed (" + config.data.train.src.value +
                      ", " + config.data.train.tgt.value + ").");
    }
    parts.model = load_model_dir(checkpoint->directory, parts.device).model;
  } else {
    seed_random(static_cast<uint64_t>(config.train.seed));
    parts.model = Seq2Seq(config.model, parts.tokenizers.source->vocab_size(), parts.tokenizers.target->vocab_size());
    parts.model->to(parts.device);
  }
  parts.validate = make_validation(config, parts);
  parts.checkpoint = std::move(checkpoint);
  return parts;
}

void run_dry(const Config& config, const TrainOptions& options) {
  check_output(options.output, mode_of(options));
  if (options.resume) {
    if (const auto saved = saved_config(options.output)) check_resumable(*saved, config);
  }
  const ScratchDirectory scratch;
  const TrainerParts parts = make_parts(config, options, scratch.path() / "cache", std::nullopt);
  const DryRunReport report = dry_run(config, parts, kDryRunSeconds);
  fmt::print(
      "device          {}\n"
      "parameters      {}\n"
      "training text   {}\n"
      "largest batch   {} sentences, {} source and {} target positions each\n"
      "memory          {}\n"
      "speed           {} target tokens/s\n"
      "one epoch       {}\n",
      describe_device(parts.device), with_thousands(parts.model->parameter_count()), parts.corpus->summary().text(),
      report.largest_sentences, report.largest_source, report.largest_target, format_bytes(report.memory),
      with_thousands(static_cast<int64_t>(report.target_tokens_per_second)), format_duration(report.epoch_seconds));
}

void run_training(const Config& config, const TrainOptions& options) {
  RunDirectory directory(options.output, mode_of(options));
  std::optional<FoundCheckpoint> checkpoint = find_checkpoint(directory.path(), mode_of(options), config);
  if (nothing_to_do(config, checkpoint)) return;
  TrainerParts parts = make_parts(config, options, directory.cache(), std::move(checkpoint));
  directory.begin(config);
  log::info("Run directory: {}", directory.path().string());
  Trainer(config, directory, std::move(parts)).run();
}

}  // namespace

}  // namespace nmt

void nmt_train(const nmt::TrainOptions& options) {
  nmt::with_torch_errors([&] {
    nmt::install_stop_handler();
    nmt::reuse_tensor_memory();
    const nmt::Config config = nmt::config_of(options);
    const std::vector<std::string> missing = nmt::missing_files(config);
    if (!missing.empty()) throw nmt::DataError(nmt::join(missing, "\n"));
    nmt::check_training_precision(nmt::precision_of(config.train), nmt::select_device(options.device));
    options.dry_run ? nmt::run_dry(config, options) : nmt::run_training(config, options);
  });
}
