// Times the parts that training and translation spend their time in, at the sizes of the default configuration on one
// batch of 64 sentences of 16 words: scripts/bench kernels. "FLOP/s" counts a multiplication and an addition as two.

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/types.h>

#include "config/model_config.h"
#include "model/encoder.h"
#include "model/seq2seq.h"
#include "ops/kernels.h"
#include "ops/product.h"
#include "ops/vocabulary_loss.h"
#include "tensor/random.h"
#include "tensor/reused_memory.h"
#include "train/optimizer.h"

namespace nmt {
namespace {

constexpr int64_t kSentences = 64, kWords = 16, kVocab = 8000, kFirstPiece = 4;
constexpr int64_t kTokens = kSentences * kWords;

void count_flops(benchmark::State& state, double flops) {
  state.counters["FLOP/s"] =
      benchmark::Counter(flops * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void count_tokens(benchmark::State& state) {
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(kTokens * state.iterations()), benchmark::Counter::kIsRate);
}

bool skipped(benchmark::State& state, Precision precision) {
  try {
    check_training_precision(precision, torch::kCPU);
    return false;
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
    return true;
  }
}

Precision precision_of(const benchmark::State& state) { return static_cast<Precision>(state.range(0)); }

// [M,K] x [K,N]; what LibTorch reaches on the large one in float32 is the mark for everything else.
void product_of(benchmark::State& state, int64_t m, int64_t k, int64_t n) {
  if (skipped(state, precision_of(state))) return;
  const torch::NoGradGuard no_gradients;
  const PackedWeight weight(torch::randn({n, k}), {}, precision_of(state));
  const auto input = torch::rand({m, k});
  for ([[maybe_unused]] auto round : state) benchmark::DoNotOptimize(weight.product(input).data_ptr());
  count_flops(state, 2.0 * static_cast<double>(m * k * n));
}

void large_product(benchmark::State& state) {
  if (precision_of(state) != Precision::kFloat32) return product_of(state, 1024, 512, kVocab);
  const auto left = torch::randn({1024, 512});
  const auto right = torch::randn({512, kVocab});
  auto out = torch::empty({1024, kVocab});
  for ([[maybe_unused]] auto round : state) at::mm_out(out, left, right);
  count_flops(state, 2.0 * 1024 * 512 * kVocab);
}
BENCHMARK(large_product)->ArgName("precision")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void step_product(benchmark::State& state) { product_of(state, kSentences, 512, 2048); }
BENCHMARK(step_product)->ArgName("precision")->DenseRange(0, 2)->Unit(benchmark::kMicrosecond);

struct AttentionData {
  torch::Tensor query = torch::randn({512}), keys = torch::randn({kWords, 512}), values = torch::randn({kWords, 512}),
                score = torch::randn({512});

  AttentionRow row() const {
    return {query.data_ptr<float>(),
            keys.data_ptr<float>(),
            values.data_ptr<float>(),
            score.data_ptr<float>(),
            kWords,
            kWords,
            512,
            512,
            1.0F,
            true};
  }
};

void attention_row(benchmark::State& state) {
  const AttentionData data;
  std::vector<float> weights(kWords), context(512);
  for ([[maybe_unused]] auto round : state) kernels().attend(data.row(), weights.data(), context.data());
}
BENCHMARK(attention_row);

void attention_row_backward(benchmark::State& state) {
  const AttentionData data;
  std::vector<float> weights(kWords), context(512), query(512), keys(kWords * 512), score(512), scratch(kWords);
  kernels().attend(data.row(), weights.data(), context.data());
  for ([[maybe_unused]] auto round : state) {
    kernels().attend_backward(data.row(), weights.data(), context.data(), query.data(), keys.data(), score.data(),
                              scratch.data());
  }
}
BENCHMARK(attention_row_backward);

void loss_row(benchmark::State& state) {
  const auto scores = torch::randn({kVocab});
  auto row = scores.clone();
  for ([[maybe_unused]] auto round : state) {
    row.copy_(scores);
    benchmark::DoNotOptimize(kernels().loss_row(row.data_ptr<float>(), kVocab, 7, 0.1F, true));
  }
}
BENCHMARK(loss_row)->Unit(benchmark::kMicrosecond);

torch::Tensor random_pieces() { return torch::randint(kFirstPiece, kVocab, {kSentences, kWords}, torch::kInt64); }
torch::Tensor full_lengths() { return torch::full({kSentences}, kWords, torch::kInt64); }

// Forward and backward pass.
void encoder(benchmark::State& state) {
  if (skipped(state, precision_of(state))) return;
  Encoder encoder{ModelConfig()};
  encoder->set_training_precision(precision_of(state));
  const auto words = torch::randn({kSentences, kWords, ModelConfig().embedding_dim}).requires_grad_();
  for ([[maybe_unused]] auto round : state) encoder->forward(words, full_lengths()).annotations.sum().backward();
  count_tokens(state);
}
BENCHMARK(encoder)->ArgName("precision")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

VocabularyLossOptions loss_options(const benchmark::State& state) {
  VocabularyLossOptions options;
  options.smoothing = 0.1;
  options.scale = 1.0 / kTokens;
  options.precision = precision_of(state);
  return options;
}

void vocabulary(benchmark::State& state) {
  if (skipped(state, precision_of(state))) return;
  const auto readout = torch::randn({kSentences, kWords, 512}).requires_grad_();
  const auto weight = torch::randn({kVocab, 512}).requires_grad_();
  const auto bias = torch::zeros({kVocab}).requires_grad_();
  for ([[maybe_unused]] auto round : state) {
    vocabulary_loss(readout, weight, bias, random_pieces(), loss_options(state)).objective.backward();
  }
  count_tokens(state);
}
BENCHMARK(vocabulary)->ArgName("precision")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void whole_step(benchmark::State& state) {
  if (skipped(state, precision_of(state))) return;
  Seq2Seq model(ModelConfig(), kVocab, kVocab);
  model->train();
  model->set_training_precision(precision_of(state));
  Optimizer optimizer(*model, OptimizerConfig());
  for ([[maybe_unused]] auto round : state) {
    const auto readout = model->forward(random_pieces(), full_lengths(), random_pieces());
    vocabulary_loss(readout, model->output_weight(), model->output_bias(), random_pieces(), loss_options(state))
        .objective.backward();
    optimizer.step(1e-3);
  }
  count_tokens(state);
}
BENCHMARK(whole_step)->ArgName("precision")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void optimizer_step(benchmark::State& state) {
  Seq2Seq model(ModelConfig(), kVocab, kVocab);
  Optimizer optimizer(*model, OptimizerConfig());
  for ([[maybe_unused]] auto round : state) {
    state.PauseTiming();
    for (auto& weight : model->parameters()) weight.mutable_grad() = torch::full_like(weight, 1e-3);
    state.ResumeTiming();
    optimizer.step(1e-3);
  }
}
BENCHMARK(optimizer_step)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace nmt

int main(int argc, char** argv) {
  at::set_num_threads(1);
  nmt::reuse_tensor_memory();  // as training does
  nmt::seed_random(1);
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("cpu_level", std::string(nmt::name_of(nmt::cpu_level())));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
