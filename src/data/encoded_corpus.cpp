#include "data/encoded_corpus.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"
#include "data/corpus_encoder.h"
#include "data/corpus_manifest.h"
#include "data/corpus_shard.h"

namespace nmt {

namespace fs = std::filesystem;

struct EncodedCorpus::Layout {
  std::vector<MappedShard> shards;
  std::vector<int64_t> first_pairs;  // number of each shard's first pair, and the size of the corpus
  CorpusSummary summary;
  std::string digest;
  int64_t longest_source = 0;
  int64_t longest_target = 0;

  // The shard of a pair and the pair's place in it.
  std::pair<const MappedShard&, size_t> find(int64_t index) const {
    if (index < 0 || index >= first_pairs.back()) {
      throw InternalError("The corpus has no pair " + std::to_string(index) + ".");
    }
    const auto after = std::upper_bound(first_pairs.begin(), first_pairs.end(), index);
    const auto shard = static_cast<size_t>(after - first_pairs.begin()) - 1;
    return {shards[shard], static_cast<size_t>(index - first_pairs[shard])};
  }

  const ShardRecord& record(int64_t index) const {
    const auto [shard, place] = find(index);
    return shard.records()[place];
  }

  // Throws DataError where a shard is missing or damaged.
  static std::unique_ptr<Layout> open(const fs::path& directory, const EncodedShards& encoded) {
    auto layout = std::make_unique<Layout>();
    layout->summary = encoded.summary;
    layout->first_pairs.push_back(0);
    std::string digests;
    for (const auto& entry : encoded.shards) {
      const fs::path path = directory / entry.file;
      if (sha256_of_file(path) != entry.sha256) throw DataError(path.string() + " is damaged.");
      const MappedShard& shard = layout->shards.emplace_back(path);
      for (const ShardRecord& record : shard.records()) {
        layout->longest_source = std::max<int64_t>(layout->longest_source, record.source_length);
        layout->longest_target = std::max<int64_t>(layout->longest_target, record.target_length);
      }
      layout->first_pairs.push_back(layout->first_pairs.back() + static_cast<int64_t>(shard.records().size()));
      digests += entry.sha256;
    }
    if (layout->first_pairs.back() != encoded.summary.kept) throw DataError(directory.string() + " is damaged.");
    layout->digest = sha256(digests);
    return layout;
  }

  static std::unique_ptr<Layout> reuse(const fs::path& directory, const std::string& key) {
    const auto known = read_manifest(directory, key);
    if (!known) return nullptr;
    try {
      return open(directory, *known);
    } catch (const DataError& error) {
      log::warn("The id cache can't be used: {} It is made anew.", error.what());
      return nullptr;
    }
  }

  static std::unique_ptr<Layout> build(const fs::path& directory, const std::string& key, const DataConfig& data,
                                       const TextConfig& text, const TokenizerPair& tokenizers, int threads) {
    std::error_code code;
    fs::create_directories(directory, code);
    if (code) throw ResourceError("Can't make the folder " + directory.string() + ": " + code.message() + ".");
    clear_cache(directory);
    const EncodedShards encoded = encode_corpus(directory, data, text, tokenizers, threads);
    if (encoded.summary.kept == 0) {
      throw DataError("No training pair of " + data.train.src.value + " and " + data.train.tgt.value +
                      " is left: " + encoded.summary.text());
    }
    write_manifest(directory, key, encoded);
    return open(directory, encoded);
  }
};

EncodedCorpus::EncodedCorpus(std::unique_ptr<Layout> layout) : layout_(std::move(layout)) {}
EncodedCorpus::~EncodedCorpus() = default;

std::shared_ptr<const EncodedCorpus> EncodedCorpus::open_or_build(const fs::path& directory, const DataConfig& data,
                                                                  const TextConfig& text,
                                                                  const TokenizerPair& tokenizers, int threads) {
  const std::string key = cache_key(data, text, tokenizers);
  auto layout = Layout::reuse(directory, key);
  if (layout == nullptr) {
    count_pairs(data.train);
    layout = Layout::build(directory, key, data, text, tokenizers, threads);
  }
  log::info("Training text: {}", layout->summary.text());
  const auto permutation_bytes = static_cast<uint64_t>(layout->summary.kept) * sizeof(uint64_t);
  log::info("The pieces lie on disk in {} and are mapped; {} of memory hold the order of an epoch.", directory.string(),
            format_bytes(permutation_bytes));
  return std::shared_ptr<const EncodedCorpus>(new EncodedCorpus(std::move(layout)));
}

int64_t EncodedCorpus::size() const { return layout_->first_pairs.back(); }
int64_t EncodedCorpus::source_length(int64_t index) const { return layout_->record(index).source_length; }
int64_t EncodedCorpus::target_length(int64_t index) const { return layout_->record(index).target_length; }
int64_t EncodedCorpus::longest_source() const { return layout_->longest_source; }
int64_t EncodedCorpus::longest_target() const { return layout_->longest_target; }
const CorpusSummary& EncodedCorpus::summary() const { return layout_->summary; }
const std::string& EncodedCorpus::digest() const { return layout_->digest; }

Example EncodedCorpus::example(int64_t index) const {
  const auto [shard, place] = layout_->find(index);
  return shard.example(place);
}

}  // namespace nmt
