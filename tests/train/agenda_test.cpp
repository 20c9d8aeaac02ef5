#include "train/agenda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TrainConfig plain_train() {
  TrainConfig config;
  config.log_every = 10;
  return config;
}

// Plays updates 1 to `last` with `per_epoch` updates an epoch, validating and saving as the agenda says.
struct Played {
  std::vector<int64_t> validated, saved;
};
Played play(const Agenda& agenda, int64_t last, int64_t per_epoch, TrainState state = {}, int64_t saved = -1) {
  Played played;
  for (;;) {
    if (agenda.validation_due(state)) {
      state.validated_update = state.update;
      state.validated_epochs = state.epochs_finished();
      played.validated.push_back(state.update);
    }
    if (agenda.save_due(state, saved)) {
      saved = state.update;
      played.saved.push_back(saved);
    }
    if (state.update == last) return played;
    ++state.update;
    state.position.epoch = state.update / per_epoch;
    state.position.pairs = state.update % per_epoch;
  }
}

TEST(Agenda, ValidatesAndSavesByEpochs) {
  ValidConfig valid;
  valid.every_epochs = 2;
  const Agenda agenda(plain_train(), valid, true);
  EXPECT_THAT(play(agenda, 21, 5).validated, ElementsAre(10, 20));
  EXPECT_THAT(play(agenda, 21, 5).saved, ElementsAre(10, 20));
}

TEST(Agenda, ValidatesByUpdatesAndSavesMoreOften) {
  TrainConfig train = plain_train();
  train.save_every = 4;
  ValidConfig valid;
  valid.every_updates = 6;
  const Agenda agenda(train, valid, true);
  EXPECT_THAT(play(agenda, 13, 100).validated, ElementsAre(6, 12));
  EXPECT_THAT(play(agenda, 13, 100).saved, ElementsAre(4, 6, 8, 12));
}

TEST(Agenda, ResumedRunDoesTheSameAtTheSameUpdates) {
  TrainConfig train = plain_train();
  train.save_every = 4;
  ValidConfig valid;
  valid.every_updates = 6;
  const Agenda agenda(train, valid, true);
  TrainState state;  // as saved at update 8
  state.update = 8;
  state.validated_update = 6;
  EXPECT_THAT(play(agenda, 13, 100, state, 8).validated, ElementsAre(12));
  EXPECT_THAT(play(agenda, 13, 100, state, 8).saved, ElementsAre(12));
  state.update = 6;  // saved by a signal between update and validation
  state.validated_update = 0;
  EXPECT_THAT(play(agenda, 7, 100, state, 6).validated, ElementsAre(6));
}

TEST(Agenda, WithoutValidationTextSavesAtEpochEnds) {
  const Agenda agenda(plain_train(), ValidConfig{}, false);
  EXPECT_TRUE(play(agenda, 11, 5).validated.empty());
  EXPECT_THAT(play(agenda, 11, 5).saved, ElementsAre(5, 10));
}

TEST(Agenda, WhatSkippedUpdatesPutOffIsDueAfterwards) {
  TrainConfig train = plain_train();
  train.save_every = 4;
  ValidConfig valid;
  valid.every_updates = 4;
  const Agenda agenda(train, valid, true);
  TrainState state;
  state.update = 4;
  state.skipped_in_a_row = 2;
  EXPECT_FALSE(agenda.validation_due(state));
  EXPECT_FALSE(agenda.save_due(state, 0));
  state.update = 5;
  state.skipped_in_a_row = 0;
  EXPECT_TRUE(agenda.validation_due(state));
  EXPECT_TRUE(agenda.save_due(state, 0));
}

TEST(Agenda, Limits) {
  TrainConfig train = plain_train();
  ValidConfig valid;
  TrainState state;
  state.update = 100;
  state.position.epoch = 3;
  state.seconds = 120;
  state.patience.waited = 4;
  const auto reason = [&] { return Agenda(train, valid, true).reason_to_stop(state); };
  EXPECT_EQ(reason(), std::nullopt);
  train.max_updates = 101;
  train.max_epochs = 4;
  train.max_minutes = 2.1;
  valid.patience = 5;
  EXPECT_EQ(reason(), std::nullopt);
  train.max_updates = 100;
  EXPECT_THAT(*reason(), HasSubstr("max_updates 100"));
  train.max_updates = 0;
  train.max_epochs = 3;
  EXPECT_THAT(*reason(), HasSubstr("max_epochs 3"));
  train.max_epochs = 0;
  train.max_minutes = 2;
  EXPECT_THAT(*reason(), HasSubstr("max_minutes 2"));
  train.max_minutes = 0;
  valid.patience = 4;
  EXPECT_THAT(*reason(), HasSubstr("no better bleu in 4 validations"));
}

TEST(Agenda, ProgressIsThatOfTheNearestLimit) {
  TrainConfig train = plain_train();
  TrainState state;
  state.update = 25;
  state.position = {1, 0, 0, 50};
  state.seconds = 6;
  EXPECT_EQ(Agenda(train, {}, true).progress(state, 100), std::nullopt);
  train.max_updates = 100;
  EXPECT_DOUBLE_EQ(*Agenda(train, {}, true).progress(state, 100), 0.25);
  train.max_epochs = 3;
  EXPECT_DOUBLE_EQ(*Agenda(train, {}, true).progress(state, 100), 0.5);
  train.max_minutes = 0.05;
  EXPECT_DOUBLE_EQ(*Agenda(train, {}, true).progress(state, 100), 1);
}

TEST(Agenda, LogsEveryFewUpdates) {
  TrainState state;
  const Agenda agenda(plain_train(), {}, true);
  EXPECT_FALSE(agenda.log_due(state));
  state.update = 9;
  EXPECT_FALSE(agenda.log_due(state));
  state.update = 20;
  EXPECT_TRUE(agenda.log_due(state));
}

}  // namespace
}  // namespace nmt
