#pragma once

#include <torch/types.h>
#include <torch/utils.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/model_dir.h"
#include "support/temporary_folder.h"
#include "tensor/random.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"
#include "text/tokenizers.h"

namespace nmt::test {

inline std::vector<std::string> invented_lines(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    std::string line;
    for (uint64_t words = random.below(12); words > 0; --words) {
      if (!line.empty()) line += ' ';
      for (uint64_t letters = 1 + random.below(4); letters > 0; --letters) {
        line += static_cast<char>('a' + random.below(10));
      }
    }
    lines.push_back(line);
  }
  return lines;
}

inline TokenizerPair small_tokenizers(const TemporaryFolder& folder, int64_t pieces, uint64_t seed) {
  std::string text;
  for (const std::string& line : invented_lines(400, seed)) text += line + "\n";
  TokenizerTraining training;
  training.files = {folder.file("text", text)};
  training.vocab_size = AutoSize{pieces};
  training.byte_fallback = false;
  const auto tokenizer = make_sentencepiece_tokenizer(train_tokenizer(training).model, Normalization::kNfc, "test");
  return {tokenizer, tokenizer};
}

// A model directory with random weights; `source_vocab` differs from the tokenizer's to make one that is wrong.
inline std::string make_model(const TemporaryFolder& folder, const std::string& name, const TokenizerPair& tokenizers,
                              uint64_t seed, int64_t wrong_by = 0,
                              AttentionScore attention = AttentionScore::kAdditive) {
  const std::filesystem::path directory = folder.path() / name;
  std::filesystem::create_directory(directory);
  ModelDirConfig config;
  config.model.embedding_dim = config.model.encoder_dim = config.model.readout_dim = 8;
  config.model.decoder_dim = config.model.attention_dim = 16;
  config.model.attention = attention;
  config.search.beam = 3;
  seed_random(seed);
  const int64_t vocab = tokenizers.target->vocab_size();
  Seq2Seq model(config.model, vocab + wrong_by, vocab);
  {
    const torch::NoGradGuard no_gradients;
    for (torch::Tensor& parameter : model->parameters()) parameter.mul_(3);
  }
  save_tokenizers(tokenizers, directory);
  save_model_dir(directory, config, model, {"joint.spm"}, "{}");
  return directory.string();
}

}  // namespace nmt::test
