#include "translate/model_engine.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <numeric>

#include "base/error.h"
#include "data/batch.h"
#include "search/beam_search.h"
#include "tensor/device.h"
#include "tensor/random.h"
#include "translate/model_stepper.h"

namespace nmt {
namespace {

constexpr int64_t kSourceVocab = 30;
constexpr int64_t kTargetVocab = 24;

Seq2Seq small_model(AttentionScore attention, DecoderCell cell) {
  ModelConfig config;
  config.embedding_dim = 12;
  config.encoder_dim = 10;
  config.decoder_dim = 20;
  config.attention_dim = 14;
  config.readout_dim = 16;
  config.attention = attention;
  config.decoder_cell = cell;
  seed_random(7);
  Seq2Seq model(config, kSourceVocab, kTargetVocab);
  const torch::NoGradGuard no_gradients;
  for (torch::Tensor& parameter : model->parameters()) parameter.mul_(2);  // far from the uniform distribution
  model->eval();
  return model;
}

std::vector<std::vector<PieceId>> sources() {
  std::vector<std::vector<PieceId>> all;
  for (int i = 0; i < 9; ++i) {
    std::vector<PieceId> one;
    for (int j = 0; j <= (i * 5) % 8; ++j)
      one.push_back(static_cast<PieceId>(4 + (i * 11 + j * 7) % (kSourceVocab - 4)));
    all.push_back(one);
  }
  return all;
}

SearchOptions beam_of(int64_t beam) {
  SearchOptions options;
  options.beam = beam;
  options.n_best = std::min<int64_t>(beam, 3);
  options.piece_log_probs = true;
  options.attention = true;
  return options;
}

std::vector<std::vector<Hypothesis>> search(const Seq2Seq& model, const std::vector<std::vector<PieceId>>& all,
                                            const SearchOptions& options) {
  return make_model_engine(model)->search({all, std::vector<SentenceRequest>(all.size())}, options);
}

// Log-probabilities of a translation and its end by teacher forcing: [T].
torch::Tensor forced(Seq2Seq& model, const std::vector<PieceId>& source, const std::vector<PieceId>& target) {
  const Batch batch = make_batch({{source, target, 1}});
  const torch::Tensor readout = model->forward(batch.source, batch.source_lengths, batch.target_input).squeeze(0);
  return model->scores(readout).log_softmax(-1).gather(1, batch.target_output.squeeze(0).unsqueeze(1)).squeeze(1);
}

struct ModelCase {
  AttentionScore attention;
  DecoderCell cell;
};

class EveryModel : public ::testing::TestWithParam<ModelCase> {};

TEST_P(EveryModel, SearchGivesTheSameInABatchAndAlone) {
  const Seq2Seq model = small_model(GetParam().attention, GetParam().cell);
  for (const int64_t beam : {1, 4}) {
    const auto together = search(model, sources(), beam_of(beam));
    for (size_t b = 0; b < sources().size(); ++b) {
      const auto alone = search(model, {sources()[b]}, beam_of(beam)).at(0);
      ASSERT_EQ(together[b].size(), alone.size());
      for (size_t i = 0; i < alone.size(); ++i) {
        EXPECT_EQ(together[b][i].pieces, alone[i].pieces);
        EXPECT_NEAR(together[b][i].score, alone[i].score, 1e-4);
      }
    }
  }
}

TEST_P(EveryModel, LogProbabilitiesAreThoseOfTeacherForcing) {
  const torch::NoGradGuard no_gradients;
  Seq2Seq model = small_model(GetParam().attention, GetParam().cell);
  const auto found = search(model, sources(), beam_of(4));
  for (size_t b = 0; b < sources().size(); ++b) {
    for (const Hypothesis& one : found[b]) {
      const torch::Tensor wanted = forced(model, sources()[b], one.pieces);
      const auto counted = static_cast<int64_t>(one.piece_log_probs.size());
      ASSERT_EQ(counted, static_cast<int64_t>(one.pieces.size()) + (one.finished ? 1 : 0));
      EXPECT_NEAR(one.log_prob, wanted.slice(0, 0, counted).sum().item<double>(), 1e-4);
      for (int64_t t = 0; t < counted; ++t) {
        EXPECT_NEAR(one.piece_log_probs[static_cast<size_t>(t)], wanted[t].item<float>(), 1e-4);
      }
    }
  }
}

TEST_P(EveryModel, AttentionRowsSumToOneOverTheSource) {
  const auto found = search(small_model(GetParam().attention, GetParam().cell), sources(), beam_of(3));
  for (size_t b = 0; b < sources().size(); ++b) {
    for (const Hypothesis& one : found[b]) {
      if (GetParam().attention == AttentionScore::kNone) {
        EXPECT_TRUE(one.attention.empty());
        continue;
      }
      ASSERT_EQ(one.attention.size(), one.piece_log_probs.size());
      for (const std::vector<float>& row : one.attention) {
        ASSERT_EQ(row.size(), sources()[b].size() + 1);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryModel,
                         ::testing::Values(ModelCase{AttentionScore::kAdditive, DecoderCell::kGru},
                                           ModelCase{AttentionScore::kAdditive, DecoderCell::kConditionalGru},
                                           ModelCase{AttentionScore::kAdditiveLinear, DecoderCell::kGru},
                                           ModelCase{AttentionScore::kDot, DecoderCell::kGru},
                                           ModelCase{AttentionScore::kGeneral, DecoderCell::kConditionalGru},
                                           ModelCase{AttentionScore::kNone, DecoderCell::kGru},
                                           ModelCase{AttentionScore::kNone, DecoderCell::kConditionalGru}));

TEST(ModelEngine, ReducesToGreedyWithABeamOfOne) {
  const torch::NoGradGuard no_gradients;
  Seq2Seq model = small_model(AttentionScore::kAdditive, DecoderCell::kGru);
  const auto found = search(model, {sources()[3]}, beam_of(1)).at(0).at(0);
  std::vector<PieceId> pieces;
  for (size_t t = 0; t < found.piece_log_probs.size(); ++t) {
    const Batch batch = make_batch({{sources()[3], pieces, 1}});
    torch::Tensor last = model->scores(
        model->forward(batch.source, batch.source_lengths, batch.target_input).squeeze(0))[static_cast<int64_t>(t)];
    last[kPadId] = last[kBosId] = -100;
    pieces.push_back(static_cast<PieceId>(last.argmax().item<int64_t>()));
  }
  if (found.finished) {
    EXPECT_EQ(pieces.back(), kEosId);
    pieces.pop_back();
  }
  EXPECT_EQ(found.pieces, pieces);
}

TEST(ModelEngine, AModelInTrainingModeIsRefused) {
  Seq2Seq model = small_model(AttentionScore::kAdditive, DecoderCell::kGru);
  model->train();
  EXPECT_THROW(search(model, sources(), beam_of(1)), InternalError);
}

TEST_P(EveryModel, EveryDeviceFindsTheSame) {
  const auto expected = search(small_model(GetParam().attention, GetParam().cell), sources(), beam_of(4));
  for (const torch::Device& device : available_devices()) {
    SCOPED_TRACE(device.str());
    Seq2Seq model = small_model(GetParam().attention, GetParam().cell);
    model->to(device);
    const auto found = search(model, sources(), beam_of(4));
    for (size_t b = 0; b < expected.size(); ++b) {
      EXPECT_EQ(found[b].front().pieces, expected[b].front().pieces);
      EXPECT_NEAR(found[b].front().log_prob, expected[b].front().log_prob, 1e-3);
    }
  }
}

}  // namespace
}  // namespace nmt
