#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/pimpl.h>

#include "config/model_config.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/readout.h"
#include "ops/product.h"

namespace nmt {

// The translator: embeddings, encoder, decoder, readout, and the weights from readout states to the vocabulary.
// Parameters are initialised from the random stream (seed_random), so equal seeds give equal models.
// Not to be used by several threads in training mode; in evaluation mode all members are safe to share.
class Seq2SeqImpl : public torch::nn::Module {
 public:
  Seq2SeqImpl(const ModelConfig& config, int64_t source_vocab, int64_t target_vocab);

  // Teacher forcing: source [B,S] int64, source_lengths [B] int64 on the CPU, target_input [B,T] int64 -> readout
  // states [B,T,R]. What follows, projection and loss, is vocabulary_loss()'s (ops/vocabulary_loss.h).
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& source_lengths,
                        const torch::Tensor& target_input);

  // A batch of source sentences made ready for step(): memory of B sentences and the first state of each.
  struct Start {
    DecoderMemory memory;
    torch::Tensor state;  // [B,H]
  };
  Start start(const torch::Tensor& source, const torch::Tensor& source_lengths);

  // One step of N rows. Row n reads last_pieces[n] ([N] int64) in state[n] ([N,H]) and looks at sentence rows[n] ([N]
  // int64), or at sentence n where rows is undefined.
  struct Step {
    torch::Tensor state;    // [N,H]
    torch::Tensor readout;  // [N,R]
    torch::Tensor weights;  // [N,S] attention; undefined with attention none
  };
  Step step(const torch::Tensor& last_pieces, const torch::Tensor& state, const DecoderMemory& memory,
            const torch::Tensor& rows = {});

  // Scores of each piece, whose softmax are the probabilities: readout [N,R] -> [N,V].
  torch::Tensor scores(const torch::Tensor& readout);

  // The products of encoder, decoder, attention and readout that gradients flow through are computed in this precision
  // from now on; vocabulary_loss() is told it by its caller.
  void set_training_precision(Precision precision);
  Precision training_precision() const { return training_precision_; }

  // Makes weights ready for translation: until unpack(), products without gradients are computed in this precision (the
  // encoder's in float32 where int8 has no kernels of ours), mostly from packed copies; whether these follow changes of
  // the weights is open. Throws ResourceError where the device can't do it.
  void pack(Precision precision);
  void unpack();

  const torch::Tensor& output_weight() const;                        // [V,R]
  const torch::Tensor& output_bias() const { return output_bias_; }  // [V]

  const ModelConfig& config() const { return config_; }
  int64_t source_vocab() const { return source_vocab_; }
  int64_t target_vocab() const { return target_vocab_; }
  int64_t parameter_count() const;

 private:
  Encoded encode(const torch::Tensor& source, const torch::Tensor& source_lengths);
  torch::Tensor embed(const torch::Tensor& embedding, const torch::Tensor& pieces) const;  // [..] -> [..,E]

  ModelConfig config_;
  int64_t source_vocab_;
  int64_t target_vocab_;
  torch::Tensor source_embedding_;  // [Vs,E]; the same tensor as the target's where all are tied
  torch::Tensor target_embedding_;  // [V,E]
  torch::Tensor output_weight_;     // [V,R]; undefined where tied to the target embedding
  torch::Tensor output_bias_;       // [V]
  Encoder encoder_{nullptr};
  Decoder decoder_{nullptr};
  ReadoutLayer readout_{nullptr};
  WeightProduct output_product_;
  Precision training_precision_ = Precision::kFloat32;
};
TORCH_MODULE(Seq2Seq);

// A model in training that translates in between: packed in float32 as long as this lives.
class PackedMeanwhile {
 public:
  explicit PackedMeanwhile(Seq2Seq model) : model_(std::move(model)) {
    try {
      model_->pack(Precision::kFloat32);
    } catch (...) {
      model_->unpack();
      throw;
    }
  }
  ~PackedMeanwhile() { model_->unpack(); }
  PackedMeanwhile(const PackedMeanwhile&) = delete;
  PackedMeanwhile& operator=(const PackedMeanwhile&) = delete;

 private:
  Seq2Seq model_;
};

}  // namespace nmt
