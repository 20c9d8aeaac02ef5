#include "data/validation_set.h"

#include "data/parallel_corpus.h"

namespace nmt {

std::vector<Batch> ValidationSet::batches(const BatchLimits& limits) const {
  std::vector<PairLengths> lengths;
  for (const Example& example : examples) {
    lengths.push_back({static_cast<int64_t>(example.source.size()), static_cast<int64_t>(example.target.size())});
  }
  std::vector<Batch> out;
  for (const auto& indices : cut_into_batches(lengths, limits)) {
    std::vector<Example> chosen;
    for (const int64_t index : indices) chosen.push_back(examples[static_cast<size_t>(index)]);
    out.push_back(make_batch(chosen));
  }
  return out;
}

ValidationSet load_validation_set(const ParallelFilesConfig& files, const TextConfig& text,
                                  const TokenizerPair& tokenizers) {
  count_pairs(files);
  ValidationSet out;
  ParallelReader reader(files, text.invalid_utf8);
  for (TextPair pair; reader.next(pair);) {
    out.examples.push_back({tokenizers.source->encode(pair.source), tokenizers.target->encode(pair.target), pair.line});
    out.sources.push_back(std::move(pair.source));
    out.references.push_back(std::move(pair.target));
  }
  return out;
}

}  // namespace nmt
