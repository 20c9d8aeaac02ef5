#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "data/example.h"

namespace nmt {

// A part of the id cache: pairs of a corpus as pieces, in one file that is mapped into memory.
//
// Layout, in the machine's byte order: ShardHeader; one ShardRecord for each pair; the pieces of all pairs, source
// before target, each of `id_bytes` bytes (2 where the vocabularies have at most 65,536 pieces, else 4).
struct ShardHeader {
  char magic[8];
  uint32_t version;
  uint32_t id_bytes;
  uint64_t pairs;
  uint64_t ids;
};

struct ShardRecord {
  uint64_t line;    // in the corpus, from 1
  uint64_t offset;  // of the source's first piece, counted in pieces
  uint32_t source_length;
  uint32_t target_length;
};

class ShardWriter {
 public:
  explicit ShardWriter(uint32_t id_bytes) : id_bytes_(id_bytes) {}

  void add(const Example& pair);
  int64_t pairs() const { return static_cast<int64_t>(records_.size()); }
  size_t bytes() const { return records_.size() * sizeof(ShardRecord) + ids_.size(); }

  // Writes all pairs added since the last call, as AtomicFile does, and gives the SHA-256 of the file's content.
  std::string finish(const std::filesystem::path& path);

 private:
  void append(const std::vector<PieceId>& pieces);

  uint32_t id_bytes_;
  std::vector<ShardRecord> records_;
  std::string ids_;
};

class MappedShard {
 public:
  // Throws DataError where the file can't be read or isn't a whole shard.
  explicit MappedShard(const std::filesystem::path& path);
  ~MappedShard();
  MappedShard(MappedShard&& other) noexcept;
  MappedShard& operator=(MappedShard&&) = delete;

  std::span<const ShardRecord> records() const { return records_; }
  Example example(size_t index) const;

 private:
  void check(const std::filesystem::path& path);
  std::vector<PieceId> pieces(uint64_t offset, uint32_t length) const;

  void* address_ = nullptr;
  size_t bytes_ = 0;
  uint32_t id_bytes_ = 0;
  std::span<const ShardRecord> records_;
  const char* ids_ = nullptr;
};

}  // namespace nmt
