#include "data/corpus_encoder.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>

#include "base/log.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "data/corpus_shard.h"
#include "text/byte_pieces.h"
#include "text/segmented_text.h"
#include "text/sentences.h"

namespace nmt {

namespace {

constexpr size_t kBlockPairs = 8192;
constexpr size_t kShardBytes = size_t{64} << 20;
constexpr int64_t kLogEvery = 1000000;
constexpr double kManyBytePieces = 0.1;

// Calls work(i) for i in [0, count) on several threads; the first exception is thrown again.
template <class Work>
void for_each_index(size_t count, int threads, Work work) {
  const size_t workers = std::clamp<size_t>(static_cast<size_t>(std::max(threads, 1)), 1, std::max<size_t>(count, 1));
  std::vector<std::exception_ptr> failures(workers);
  const auto run = [&](size_t worker) {
    try {
      for (size_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i) work(i);
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (size_t worker = 1; worker < workers; ++worker) others.emplace_back(run, worker);
  run(0);
  for (std::thread& thread : others) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

// Which pieces of a vocabulary stand for a byte or for anything unknown.
std::vector<bool> fallback_pieces(const Tokenizer& tokenizer) {
  std::vector<bool> out(static_cast<size_t>(tokenizer.vocab_size()));
  for (size_t id = 0; id < out.size(); ++id) {
    out[id] = id == kUnkId || is_byte_piece(tokenizer.piece(static_cast<PieceId>(id)));
  }
  return out;
}

class CorpusEncoder {
 public:
  CorpusEncoder(const std::filesystem::path& directory, const DataConfig& data, const TokenizerPair& tokenizers)
      : directory_(directory),
        data_(data),
        tokenizers_(tokenizers),
        source_fallback_(fallback_pieces(*tokenizers.source)),
        target_fallback_(fallback_pieces(*tokenizers.target)),
        writer_(std::max(tokenizers.source->vocab_size(), tokenizers.target->vocab_size()) <= 65536 ? 2 : 4) {}

  void add_block(const std::vector<TextPair>& block, int threads) {
    std::vector<Example> encoded(block.size());
    std::vector<size_t> sentences(block.size());
    for_each_index(block.size(), threads, [&](size_t i) {
      sentences[i] = sentences_of(block[i].source).size();
      encoded[i] = {tokenizers_.source->encode(block[i].source), tokenizers_.target->encode(block[i].target),
                    block[i].line};
    });
    for (size_t i = 0; i < block.size(); ++i) {
      source_check_.add(block[i].source);
      target_check_.add(block[i].target);
      add(encoded[i], sentences[i]);
    }
  }

  EncodedShards finish(int64_t replaced_lines) {
    write_shard();
    out_.summary.replaced_utf8_lines = replaced_lines;
    warn();
    return std::move(out_);
  }

 private:
  std::optional<DropReason> reason_to_drop(const Example& pair) const {
    const auto source = static_cast<int64_t>(pair.source.size());
    const auto target = static_cast<int64_t>(pair.target.size());
    if (source == 0 || target == 0) return DropReason::kBlank;
    if (source > data_.max_source_pieces) return DropReason::kSourceTooLong;
    if (target > data_.max_target_pieces) return DropReason::kTargetTooLong;
    const double ratio = static_cast<double>(std::max(source, target)) / static_cast<double>(std::min(source, target));
    if (data_.max_length_ratio > 0 && ratio > data_.max_length_ratio) return DropReason::kLengthRatio;
    return std::nullopt;
  }

  void add(const Example& pair, size_t sentences) {
    CorpusSummary& summary = out_.summary;
    if (++summary.read % kLogEvery == 0) log::info("{} pairs encoded ...", with_thousands(summary.read));
    if (const auto reason = reason_to_drop(pair)) {
      summary.drop(*reason, pair.line);
      return;
    }
    ++summary.kept;
    summary.several_sentences += sentences > 1 ? 1 : 0;
    summary.source_pieces += static_cast<int64_t>(pair.source.size());
    summary.target_pieces += static_cast<int64_t>(pair.target.size());
    for (const PieceId id : pair.source) summary.source_byte_pieces += source_fallback_[static_cast<size_t>(id)];
    for (const PieceId id : pair.target) summary.target_byte_pieces += target_fallback_[static_cast<size_t>(id)];
    writer_.add(pair);
    if (writer_.bytes() >= kShardBytes) write_shard();
  }

  void write_shard() {
    if (writer_.pairs() == 0) return;
    EncodedShards::Shard shard;
    shard.file = fmt::format("pairs-{:05}.bin", out_.shards.size());
    shard.pairs = writer_.pairs();
    shard.sha256 = writer_.finish(directory_ / shard.file);
    out_.shards.push_back(std::move(shard));
  }

  void warn() const {
    for (const auto& [check, file] :
         {std::pair(&source_check_, &data_.train.src), {&target_check_, &data_.train.tgt}}) {
      const std::string warning = check->warning(file->value);
      if (!warning.empty()) log::warn("{}", warning);
    }
    const CorpusSummary& s = out_.summary;
    warn_of_bytes(data_.train.src.value, s.source_byte_pieces, s.source_pieces);
    warn_of_bytes(data_.train.tgt.value, s.target_byte_pieces, s.target_pieces);
  }

  static void warn_of_bytes(const std::string& file, int64_t byte_pieces, int64_t pieces) {
    const double share = static_cast<double>(byte_pieces) / static_cast<double>(std::max<int64_t>(pieces, 1));
    if (share < kManyBytePieces) return;
    log::warn("{:.0f}% of the pieces of {} are single bytes or unknown: the tokenizer doesn't fit this text.",
              100 * share, file);
  }

  std::filesystem::path directory_;
  const DataConfig& data_;
  const TokenizerPair& tokenizers_;
  std::vector<bool> source_fallback_;
  std::vector<bool> target_fallback_;
  SegmentedTextCheck source_check_;
  SegmentedTextCheck target_check_;
  ShardWriter writer_;
  EncodedShards out_;
};

}  // namespace

EncodedShards encode_corpus(const std::filesystem::path& directory, const DataConfig& data, const TextConfig& text,
                            const TokenizerPair& tokenizers, int threads) {
  CorpusEncoder encoder(directory, data, tokenizers);
  ParallelReader reader(data.train, text.invalid_utf8);
  std::vector<TextPair> block;
  for (bool more = true; more;) {
    block.clear();
    for (TextPair pair; more && block.size() < kBlockPairs;) {
      more = reader.next(pair);
      if (more) block.push_back(std::move(pair));
    }
    encoder.add_block(block, threads);
  }
  return encoder.finish(reader.source_policy().replaced_lines + reader.target_policy().replaced_lines);
}

}  // namespace nmt
