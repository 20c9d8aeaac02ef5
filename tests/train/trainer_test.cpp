#include "train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <fstream>

#include "base/error.h"
#include "base/memory.h"
#include "base/stop.h"
#include "train/tiny_run.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using test::MadeUpCorpus;
using test::tiny_config;
using test::TinyRun;
using test::validation_by;
using testing::ElementsAre;
using testing::HasSubstr;

class TrainerTest : public testing::Test {
 protected:
  void TearDown() override { clear_stop_request(); }

  // The state that training ends with, and the error it throws.
  static std::string error_of(const std::function<void()>& body, int expected_code) {
    try {
      body();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), expected_code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }
  static std::vector<int64_t> values(const std::vector<ordered_json>& events, const char* key) {
    std::vector<int64_t> out;
    for (const auto& event : events) out.push_back(event.at(key).is_null() ? -1 : event.at(key).get<int64_t>());
    return out;
  }

  MadeUpCorpus corpus_{60};
  Config config_ = tiny_config(corpus_);
};

TEST_F(TrainerTest, LearnsAndKeepsARecord) {
  config_.train.max_updates = 40;
  TinyRun run(corpus_);
  const TrainState state = run.train(config_, false, validation_by({3, 2}));
  EXPECT_EQ(state.update, 40);
  const auto lines = run.events("train");
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_LT(lines.back()["loss"], lines.front()["loss"]);
  EXPECT_EQ(run.events("start").size(), 1u);
  EXPECT_EQ(run.events("stop")[0]["reason"], "max_updates 40 reached");
  EXPECT_THAT(values(run.events("save"), "update"), ElementsAre(5, 10, 15, 20, 25, 30, 35, 40));
  EXPECT_THAT(CheckpointStore(run.path(), 3).updates(), ElementsAre(10, 30, 35, 40));
  EXPECT_EQ(fs::read_symlink(run.path() / "best"), "checkpoints/step-00000010");
  const auto card = ordered_json::parse(read_file(run.path() / "best" / "model_card.json"));
  EXPECT_EQ(card["training"]["updates"], 10);
  EXPECT_EQ(card["training"]["validation_loss"], 2);
}

// N updates at once, and in parts, give the same bits: in the middle of an epoch, with dropout, accumulation,
// a learning rate that follows validation, and sums that the next line of the log needs.
TEST_F(TrainerTest, ResumingGivesTheSameBits) {
  config_.train.accumulate_batches = 2;
  config_.train.schedule.kind = ScheduleKind::kPlateau;
  config_.train.schedule.plateau_patience = 0;
  config_.train.keep_last = 100;
  config_.valid.every_updates = 3;
  const auto by_weights = [](Seq2Seq model) -> Validate {
    return [model] {
      ValidationReport report;
      report.loss = std::abs(model->parameters()[0].sum().item<double>());
      return report;
    };
  };
  TinyRun whole(corpus_, "whole");
  whole.train(config_, false, by_weights);
  const auto expected = whole.content(12);
  EXPECT_LT(expected.state.plateau.factor, 1);
  EXPECT_GT(expected.state.position.epoch, 0);
  for (const int64_t cut : {1, 3, 4, 5, 7, 11}) {
    TinyRun parts(corpus_, "cut" + std::to_string(cut));
    Config first = config_;
    first.train.max_updates = cut;
    parts.train(first, false, by_weights);
    parts.train(config_, true, by_weights);
    const auto got = parts.content(12);
    EXPECT_EQ(got.weights, expected.weights) << "cut at " << cut;
    EXPECT_EQ(got.moments, expected.moments) << "cut at " << cut;
    EXPECT_EQ(got.state.since_log, expected.state.since_log) << "cut at " << cut;
    EXPECT_EQ(got.state.position, expected.state.position);
    EXPECT_EQ(got.state.plateau, expected.state.plateau);
    EXPECT_EQ(got.state.patience, expected.state.patience);
  }
}

TEST_F(TrainerTest, SeedDecidesTheResult) {
  TinyRun a(corpus_, "a"), b(corpus_, "b"), c(corpus_, "c");
  a.train(config_);
  b.train(config_);
  config_.train.seed = 2;
  c.train(config_);
  EXPECT_EQ(a.content(12), b.content(12));
  EXPECT_NE(a.content(12).weights, c.content(12).weights);
}

TEST_F(TrainerTest, EarlyStoppingFollowsTheMetricsDirection) {
  config_.train.max_updates = 100;
  config_.valid.patience = 2;
  TinyRun run(corpus_);
  const TrainState state = run.train(config_, false, validation_by({5, 4, 4.5, 4.2, 1}));
  EXPECT_EQ(state.update, 20);
  EXPECT_EQ(state.best, (BestCheckpoint{10, 4}));
  EXPECT_THAT(run.events("stop")[0]["reason"].get<std::string>(), HasSubstr("patience 2"));
  config_.valid.metric = ValidMetric::kBleu;
  const auto bleu = [](Seq2Seq) -> Validate {
    return [value = 0.0]() mutable {
      ValidationReport report;
      report.bleu = value += value < 3 ? 1 : -1;  // 1 2 3 2 3 2 ...
      return report;
    };
  };
  EXPECT_EQ(run.train(config_, false, bleu).best, (BestCheckpoint{15, 3}));
}

// While BLEU is about 0 it goes up and down by chance; the loss tells that the model learns.
TEST_F(TrainerTest, LossDecidesWhileBleuIsNearZero) {
  config_.train.max_updates = 100;
  config_.valid.patience = 2;
  config_.valid.metric = ValidMetric::kBleu;
  config_.train.schedule.kind = ScheduleKind::kPlateau;
  config_.train.schedule.plateau_patience = 0;
  const std::vector<std::pair<double, double>> bleu_and_loss = {{0, 9},   {0.4, 8},   {0, 7},   {0.1, 7.5},
                                                                {0.2, 6}, {1.5, 6.5}, {0.9, 5}, {1.4, 4}};
  const auto validation = [&](Seq2Seq) -> Validate {
    return [&, next = size_t{0}]() mutable {
      ValidationReport report;
      report.bleu = bleu_and_loss[next].first;
      report.loss = bleu_and_loss[next++].second;
      return report;
    };
  };
  TinyRun run(corpus_);
  const TrainState state = run.train(config_, false, validation);
  EXPECT_EQ(state.update, 40);
  EXPECT_EQ(state.best, (BestCheckpoint{30, 1.5}));
  std::vector<bool> is_best;
  for (const auto& event : run.events("validation")) is_best.push_back(event["is_best"]);
  EXPECT_EQ(is_best, (std::vector<bool>{true, true, true, false, true, true, false, false}));
  EXPECT_EQ(run.events("rate_lowered").size(), 3u);
  EXPECT_THAT(run.events("validation")[3]["why"].get<std::string>(),
              HasSubstr("best stays update 15 (loss 7.0000 with BLEU below 1; a new best needs less)"));
}

TEST_F(TrainerTest, PatienceIsKeptAcrossResuming) {
  config_.valid.patience = 3;
  config_.train.max_updates = 15;
  TinyRun run(corpus_);
  run.train(config_, false, validation_by({1, 2, 3}));
  config_.train.max_updates = 100;
  const TrainState state = run.train(config_, true, validation_by({4}));
  EXPECT_EQ(state.update, 20);
  EXPECT_EQ(state.best, (BestCheckpoint{5, 1}));
}

TEST_F(TrainerTest, LastIsAlwaysWrittenAndTheLogSaysWhyBestWasNot) {
  config_.train.max_updates = 10;
  TinyRun run(corpus_);
  run.train(config_, false, validation_by({1, 2}));
  EXPECT_EQ(fs::read_symlink(run.path() / "last"), "checkpoints/step-00000010");
  EXPECT_EQ(fs::read_symlink(run.path() / "best"), "checkpoints/step-00000005");
  const auto validations = run.events("validation");
  ASSERT_EQ(validations.size(), 2u);
  EXPECT_EQ(validations[0]["is_best"], true);
  EXPECT_EQ(validations[1]["is_best"], false);
  EXPECT_THAT(validations[1]["why"].get<std::string>(), HasSubstr("best stays update 5 (loss 1.0000"));
  EXPECT_THAT(validations[1]["why"].get<std::string>(), HasSubstr("needs less"));
}

TEST_F(TrainerTest, ClosingValidationFindsTheBestButLeavesPatienceAlone) {
  config_.train.max_updates = 7;
  TinyRun run(corpus_);
  TrainState state = run.train(config_, false, validation_by({3, 2}));
  EXPECT_EQ(state.best, (BestCheckpoint{7, 2}));
  EXPECT_EQ(state.patience, (Watch{3.0, 0}));
  EXPECT_EQ(fs::read_symlink(run.path() / "best"), "checkpoints/step-00000007");
  EXPECT_EQ(state.validated_update, 5);
}

TEST_F(TrainerTest, WithoutValidationBestIsTheLast) {
  config_.train.save_every = 4;
  TinyRun run(corpus_);
  run.train(config_);
  EXPECT_THAT(values(run.events("save"), "update"), ElementsAre(4, 8, 12));
  EXPECT_EQ(fs::read_symlink(run.path() / "best"), "checkpoints/step-00000012");
}

// The first validation leaves weights that are finite and give infinite scores.
TEST_F(TrainerTest, BadUpdatesAreSkippedAndNamedUntilItIsEnough) {
  config_.valid.every_updates = 3;
  const auto poison = [](Seq2Seq model) -> Validate {
    return [model]() mutable {
      for (auto& entry : model->named_parameters()) {
        const bool saturates = entry.key().find("readout") != std::string::npos;
        if (saturates && entry.key().ends_with("bias")) entry.value().data().fill_(100);
      }
      model->output_weight().data().fill_(3e38);
      ValidationReport report;
      report.loss = 1;
      return report;
    };
  };
  config_.train.max_bad_steps = 3;
  TinyRun run(corpus_);
  const std::string message = error_of([&] { run.train(config_, false, poison); }, 1);
  EXPECT_THAT(message, HasSubstr("3 updates in a row"));
  EXPECT_THAT(message, HasSubstr("learning_rate"));
  const auto skipped = run.events("skipped");
  ASSERT_EQ(skipped.size(), 3u);
  for (const auto& event : skipped) {
    EXPECT_FALSE(event["lines"].empty());
    for (const auto& line : event["lines"]) {
      EXPECT_GE(line, 1);
      EXPECT_LE(line, 60);
    }
  }
  EXPECT_THAT(values(run.events("save"), "update"), ElementsAre(3)) << "nothing is saved after the weights went bad";
}

// A piece that only one line has spoils its own batches: each is named with the line, and the others go on.
TEST_F(TrainerTest, ASkippedUpdateNamesTheLineThatCausedIt) {
  constexpr int kBad = 950, kLine = 4;  // the made-up words end at 903
  corpus_.folder.file("train.src", "4 5\n6 7 8\n\n950\n11 12\n13 14 15\n16\n");
  corpus_.folder.file("train.tgt", "20 21\n20 21\n20 21\n20 21\n20 21\n20 21\n20 21\n");
  config_.train.max_batch_sentences = 2;
  config_.train.max_updates = 12;  // 6 pairs: four epochs
  config_.valid.every_updates = 1000;
  const auto poison = [](Seq2Seq model) -> Validate {
    for (auto& entry : model->named_parameters()) {
      if (entry.key().find("source_embedding") != std::string::npos) entry.value().data()[kBad] = std::nanf("");
    }
    return [] { return ValidationReport(); };
  };
  TinyRun run(corpus_);
  EXPECT_THAT(error_of([&] { run.train(config_, false, poison); }, 1), HasSubstr("weights aren't finite"));
  const auto skipped = run.events("skipped");
  EXPECT_EQ(skipped.size(), 4u) << "one batch of each epoch";
  for (const auto& event : skipped) {
    EXPECT_THAT(event["lines"].get<std::vector<int>>(), testing::AllOf(testing::Contains(kLine), testing::SizeIs(2)));
    EXPECT_EQ(event["in_a_row"], 1);
  }
  EXPECT_TRUE(CheckpointStore(run.path(), 3).updates().empty());
}

TEST_F(TrainerTest, WeightsThatAreNotFiniteAreNeverSaved) {
  config_.valid.every_updates = 3;
  const auto poison = [](Seq2Seq model) -> Validate {
    return [model]() mutable {
      model->output_bias().data()[5] = std::nanf("");
      ValidationReport report;
      report.loss = 1;
      return report;
    };
  };
  TinyRun run(corpus_);
  EXPECT_THAT(error_of([&] { run.train(config_, false, poison); }, 1), HasSubstr("weights aren't finite"));
  EXPECT_TRUE(CheckpointStore(run.path(), 3).updates().empty());
}

TEST_F(TrainerTest, StopRequestFinishesTheUpdateSavesAndSaysSo) {
  const auto stop = [](Seq2Seq) -> Validate {
    return [] {
      request_stop();
      ValidationReport report;
      report.loss = 1;
      return report;
    };
  };
  TinyRun run(corpus_);
  EXPECT_THAT(error_of([&] { run.train(config_, false, stop); }, 130), HasSubstr("--resume"));
  EXPECT_EQ(read_checkpoint(run.path() / "last").update, 5);
  clear_stop_request();
  EXPECT_EQ(run.train(config_, true, validation_by({1})).update, 12);
}

TEST_F(TrainerTest, ValidationThatWasBrokenOffIsMadeUpFor) {
  const auto broken_off = [](Seq2Seq) -> Validate {
    return []() -> ValidationReport {
      request_stop();
      throw InterruptedError("stop");
    };
  };
  TinyRun run(corpus_);
  error_of([&] { run.train(config_, false, broken_off); }, 130);
  EXPECT_EQ(read_checkpoint(run.path() / "last").update, 5);
  clear_stop_request();
  run.train(config_, true, validation_by({3, 2}));
  EXPECT_THAT(values(run.events("validation"), "update"), ElementsAre(5, 10, 12));
}

TEST_F(TrainerTest, DamagedLastCheckpointCostsOnlyItsUpdates) {
  TinyRun whole(corpus_, "whole"), run(corpus_);
  config_.train.keep_last = 9;
  whole.train(config_, false, validation_by({1}));
  run.train(config_, false, validation_by({1}));
  std::ofstream(run.path() / "last" / "optimizer.safetensors") << "short";
  run.train(config_, true, validation_by({1}));
  EXPECT_EQ(run.content(12).weights, whole.content(12).weights);
  EXPECT_EQ(values(run.events("start"), "resumed_update").back(), 10);
}

TEST_F(TrainerTest, LostBestCheckpointIsReplacedByTheNextValidation) {
  config_.train.max_updates = 10;
  TinyRun run(corpus_);
  run.train(config_, false, validation_by({1, 2}));
  fs::remove_all(run.path() / "checkpoints" / "step-00000005");
  config_.train.max_updates = 15;
  const TrainState state = run.train(config_, true, validation_by({3}));
  EXPECT_EQ(state.best, (BestCheckpoint{15, 3}));
  EXPECT_EQ(fs::read_symlink(run.path() / "best"), "checkpoints/step-00000015");
}

TEST_F(TrainerTest, EpochLimitEndsAtTheEpochsEnd) {
  config_.train.max_updates = 0;
  config_.train.max_epochs = 2;
  config_.train.accumulate_batches = 3;
  config_.valid.every_updates = 0;
  config_.valid.every_epochs = 1;
  TinyRun run(corpus_);
  const TrainState state = run.train(config_, false, validation_by({1}));
  EXPECT_EQ(state.epochs_finished(), 2);
  EXPECT_TRUE(state.at_epoch_end());
  int64_t sentences = state.since_log.sentences;
  for (const auto& event : run.events("train")) sentences += event["sentences"].get<int64_t>();
  EXPECT_EQ(sentences, 2 * corpus_.open()->size());
  EXPECT_EQ(run.events("validation").size(), 2u);
}

// Resident without what the heap holds free, which comes and goes by megabytes with no leak behind it.
uint64_t resident_bytes_in_use() {
  ::malloc_trim(0);
  return resident_bytes();
}

// Losing a kilobyte with each update would show.
TEST_F(TrainerTest, MemoryStaysFlat) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer keeps freed memory";
#endif
  config_.train.max_updates = 200;
  config_.train.log_every = 100;
  config_.train.save_every = 100000;
  TinyRun run(corpus_);
  run.train(config_);
  const uint64_t before = resident_bytes_in_use();
  config_.train.max_updates = 1700;
  run.train(config_, true);
  EXPECT_LT(resident_bytes_in_use(), before + (uint64_t{1} << 20) + (uint64_t{1} << 19));
}

}  // namespace
}  // namespace nmt
