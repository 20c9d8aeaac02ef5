#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/made_up_corpus.h"
#include "model/model_dir.h"
#include "tensor/random.h"
#include "train/trainer.h"

namespace nmt::test {

inline constexpr int64_t kTinyVocab = 1000;

// A model that trains in milliseconds, with dropout, so that random numbers matter.
inline Config tiny_config(const MadeUpCorpus& corpus) {
  Config config = corpus.config;
  config.model.embedding_dim = 8;
  config.model.encoder_dim = 8;
  config.model.decoder_dim = 8;
  config.model.attention_dim = 8;
  config.model.readout_dim = 8;
  config.model.dropout_recurrent = 0.1;
  config.train.batch_tokens = 200;
  config.train.optimizer.learning_rate = 0.01;
  config.train.max_updates = 12;
  config.train.log_every = 4;
  config.valid.metric = ValidMetric::kLoss;
  config.valid.every_updates = 5;
  return config;
}

inline Seq2Seq new_model(const Config& config) {
  seed_random(static_cast<uint64_t>(config.train.seed));
  return Seq2Seq(config.model, kTinyVocab, kTinyVocab);
}

// Runs in one folder over one corpus, as `nmt train` does but for the tokenizer.
class TinyRun {
 public:
  explicit TinyRun(const MadeUpCorpus& corpus, std::string name = "run") : corpus_(corpus), name_(std::move(name)) {}

  std::filesystem::path path() const { return corpus_.folder.path() / name_; }

  // Trains from the newest checkpoint where there is one and `resume` is true, else anew.
  TrainState train(const Config& config, bool resume = false, const std::function<Validate(Seq2Seq)>& validate = {}) {
    RunDirectory directory(path(), resume ? RunMode::kResume : RunMode::kOverwrite);
    TrainerParts parts;
    if (resume) parts.checkpoint = CheckpointStore(path(), config.train.keep_last).newest_intact();
    parts.tokenizers = word_tokenizers(kTinyVocab);
    parts.corpus = corpus_.open();
    parts.model = parts.checkpoint ? load_model_dir(parts.checkpoint->directory, torch::kCPU).model : new_model(config);
    if (validate) parts.validate = validate(parts.model);
    directory.begin(config);
    Trainer trainer(config, directory, std::move(parts));
    trainer.run();
    return trainer.state();
  }

  // What a checkpoint holds, but for times: bytes of weights and moments, and the state.
  struct Content {
    std::string weights, moments;
    TrainState state;
    bool operator==(const Content&) const = default;
  };
  Content content(int64_t update) const {
    const auto directory = CheckpointStore(path(), 1).directory_of(update);
    Content content{read_file(directory / "model.safetensors"), read_file(directory / "optimizer.safetensors"),
                    read_checkpoint(directory)};
    content.state.seconds = content.state.since_log.seconds = 0;
    return content;
  }

  std::vector<nlohmann::ordered_json> events(const std::string& kind) const {
    std::vector<nlohmann::ordered_json> found;
    for (const std::string& line : read_lines(path() / "train_log.jsonl")) {
      auto event = nlohmann::ordered_json::parse(line);
      if (event["event"] == kind) found.push_back(std::move(event));
    }
    return found;
  }

 private:
  const MadeUpCorpus& corpus_;
  std::string name_;
};

// Gives the losses in turn, the last one for ever.
inline std::function<Validate(Seq2Seq)> validation_by(std::vector<double> losses) {
  return [losses](Seq2Seq) -> Validate {
    return [losses, next = size_t{0}]() mutable {
      ValidationReport report;
      report.loss = losses[std::min(next++, losses.size() - 1)];
      return report;
    };
  };
}

}  // namespace nmt::test
