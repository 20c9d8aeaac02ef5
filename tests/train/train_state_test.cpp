#include "train/train_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace nmt {
namespace {

using testing::HasSubstr;

TrainState busy_state() {
  TrainState state;
  state.update = 123456789012;
  state.skipped = 3;
  state.skipped_in_a_row = 1;
  state.position = {4, 5, 6, 7};
  state.seconds = 0.1 + 0.2;
  state.plateau.watch = {1.0 / 3, 2};
  state.plateau.factor = 0.25;
  state.patience = {5e-324, 1};
  state.best = BestCheckpoint{100, 1e308};
  state.validated_update = 99;
  state.validated_epochs = 3;
  state.since_log = {1, 2, 3, 4, 5, 6.1, 7.2, 8.3, 9.4};
  state.device = "cuda:1";
  state.threads = 8;
  state.corpus_digest = "abc";
  return state;
}

TEST(TrainState, SurvivesJsonToTheLastBit) {
  EXPECT_EQ(parse_train_state(to_json(busy_state()), "x"), busy_state());
  EXPECT_EQ(parse_train_state(to_json(TrainState{}), "x"), TrainState{});
  TrainState state = busy_state();
  state.best->rank = HUGE_VAL;  // the perplexity of a model at its start
  EXPECT_EQ(parse_train_state(to_json(state), "x"), state);
}

void expect_refused(const std::string& text, const std::string& message) {
  try {
    parse_train_state(text, "dir/train_state.json");
    ADD_FAILURE() << "accepted: " << text << "; expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 4);
    EXPECT_THAT(error.what(), HasSubstr(message));
    EXPECT_THAT(error.what(), HasSubstr("dir/train_state.json"));
  }
}

TEST(TrainState, ReadingIsStrict) {
  const auto changed = [](auto change) {
    auto json = nlohmann::ordered_json::parse(to_json(busy_state()));
    change(json);
    return json.dump();
  };
  expect_refused(changed([](auto& j) { j.erase("update"); }), "lacks the key 'update'");
  expect_refused(changed([](auto& j) { j["since_log"].erase("nll"); }), "lacks the key 'since_log.nll'");
  expect_refused(changed([](auto& j) { j["upate"] = 1; }), "unknown key 'upate'");
  expect_refused(changed([](auto& j) { j["best"]["bleu"] = 1; }), "unknown key 'best.bleu'");
  expect_refused(changed([](auto& j) { j["update"] = -1; }), "'update' must be a whole number, 0 or more");
  expect_refused(changed([](auto& j) { j["update"] = 1.5; }), "'update' must be a whole number");
  expect_refused(changed([](auto& j) { j["update"] = 18446744073709551615u; }), "'update' must be below 2^63");
  expect_refused(changed([](auto& j) { j["seconds"] = "long"; }), "'seconds' must be a number");
  expect_refused(changed([](auto& j) { j["device"] = 1; }), "'device' must be a string");
  expect_refused(changed([](auto& j) { j["position"] = 1; }), "'position' must be an object");
  expect_refused(changed([](auto& j) { j["best"] = 1; }), "'best' must be an object");
}

TEST(TrainState, GarbageIsRefused) {
  for (const std::string text : {"", "{", "[]", "null", "\xff\xfe", "{\"update\":"})
    expect_refused(text, "JSON object");
  const std::string whole = to_json(busy_state());
  for (size_t length = 0; length + 1 < whole.size(); length += 7)
    expect_refused(whole.substr(0, length), "JSON object");
}

}  // namespace
}  // namespace nmt
