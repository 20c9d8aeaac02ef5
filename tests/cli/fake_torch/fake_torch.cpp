// Stands in for libnmt_torch.so beside a copy of the program: fails in the way that --config names, and prints the
// options that arrive.
#include <c10/util/Exception.h>

#include <cstdio>
#include <filesystem>
#include <new>

#include "base/error.h"
#include "cli/torch_verbs.h"
#include "tensor/torch_guard.h"

namespace {

void fail(const std::string& how) {
  if (how == "usage") throw nmt::UsageError("one\ntwo");
  if (how == "data") throw nmt::DataError("bad text");
  if (how == "model") throw nmt::ModelError("bad model");
  if (how == "interrupted") throw nmt::InterruptedError("Stopped; saved.");
  if (how == "torch") TORCH_CHECK(false, "shapes differ\nand more");
  if (how == "cuda_memory") TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate 2 GiB.");
  if (how == "cuda_error") TORCH_CHECK(false, "CUDA error: out of memory");
  if (how == "cpu_memory") TORCH_CHECK(false, "DefaultCPUAllocator: not enough memory: you tried to allocate 9 bytes.");
  if (how == "bad_alloc") throw std::bad_alloc();
  if (how == "filesystem") static_cast<void>(std::filesystem::file_size("/nowhere/file"));
  if (how == "standard") throw std::logic_error("vector::at\nmore");
  if (how == "number") throw 7;
}

}  // namespace

void nmt_train(const nmt::TrainOptions& options) {
  nmt::with_torch_errors([&] {
    fail(options.config);
    std::printf("%s|%s|%d%d%d|%s|%lld", options.config.c_str(), options.output.c_str(), options.resume,
                options.overwrite, options.dry_run, options.device.c_str(), static_cast<long long>(options.threads));
    for (const nmt::Override& o : options.overrides) std::printf("|%s=%s", o.path.c_str(), o.value.c_str());
  });
}

void nmt_translate(const nmt::TranslateOptions& options) {
  for (const std::string& model : options.models) std::printf("%s ", model.c_str());
  std::printf("|%s|%s|%lld|%lld|%g|%g|%lld|%lld|%s|%s|%lld", options.input.c_str(), options.output.c_str(),
              static_cast<long long>(options.beam.value_or(-1)), static_cast<long long>(options.n_best),
              options.length_penalty.value_or(-1), options.max_length_ratio.value_or(-1),
              static_cast<long long>(options.max_length_extra.value_or(-1)),
              static_cast<long long>(options.batch_sentences.value_or(-1)), options.precision.c_str(),
              options.device.c_str(), static_cast<long long>(options.threads));
}

void nmt_score(const nmt::ScoreOptions& options) {
  for (const std::string& model : options.models) std::printf("%s ", model.c_str());
  std::printf("|%s|%s|%s|%s|%d|%lld|%s|%g|%g|%g|%lld|%s|%lld|%s", options.source.c_str(), options.target.c_str(),
              options.output.c_str(), options.format.c_str(), options.per_token,
              static_cast<long long>(options.max_length), options.normalization.c_str(),
              options.length_penalty.value_or(-1), options.word_reward, options.coverage_penalty,
              static_cast<long long>(options.batch_sentences.value_or(-1)), options.device.c_str(),
              static_cast<long long>(options.threads), options.average.c_str());
  for (const double weight : options.weights) std::printf("|%g", weight);
}

void nmt_attention(const nmt::AttentionOptions& options) {
  for (const std::string& model : options.models) std::printf("%s ", model.c_str());
  std::printf("|%s|%s|%s|%s|%d|%s|%s|%s|%lld", options.source.value_or("-").c_str(),
              options.target.value_or("-").c_str(), options.input.c_str(), options.target_file.c_str(), options.pieces,
              options.format.c_str(), options.output.c_str(), options.device.c_str(),
              static_cast<long long>(options.threads));
}
