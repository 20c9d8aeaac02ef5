#pragma once

#include "data/batch.h"
#include "model/seq2seq.h"
#include "search/stepper.h"

namespace nmt {

// A model as search sees it. What the decoder keeps of the source (annotations, attention keys) is there once for each
// sentence: rows only say which sentence they belong to. Gradients are never needed here; the caller switches them off.
class ModelStepper : public Stepper {
 public:
  // batch: source and lengths are used, on the model's device.
  ModelStepper(Seq2Seq model, const Batch& batch);

  int64_t sentences() const override { return lengths_.size(0); }
  int64_t source_length(int64_t b) const override { return lengths_[b].item<int64_t>(); }
  int64_t vocab_size() const override { return model_->target_vocab(); }
  StepOutput step(const torch::Tensor& last_pieces) override;
  void reorder(const torch::Tensor& rows) override;

 private:
  Seq2Seq model_;
  torch::Tensor lengths_;  // [B] int64 on the CPU, end mark included
  DecoderMemory memory_;   // of B sentences
  torch::Tensor state_;    // [N,H]
  torch::Tensor rows_;     // [N] int64: the sentence of each row; undefined where row n is sentence n
};

}  // namespace nmt
