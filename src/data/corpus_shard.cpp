#include "data/corpus_shard.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace nmt {

namespace {

constexpr char kMagic[8] = {'N', 'M', 'T', 'P', 'A', 'I', 'R', 'S'};
constexpr uint32_t kVersion = 1;

static_assert(sizeof(ShardHeader) == 32 && sizeof(ShardRecord) == 24);

}  // namespace

void ShardWriter::append(const std::vector<PieceId>& pieces) {
  for (const PieceId id : pieces) {
    if (id_bytes_ == 2) {
      const auto narrow = static_cast<uint16_t>(id);
      ids_.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    } else {
      ids_.append(reinterpret_cast<const char*>(&id), sizeof id);
    }
  }
}

void ShardWriter::add(const Example& pair) {
  records_.push_back({static_cast<uint64_t>(pair.line), ids_.size() / id_bytes_,
                      static_cast<uint32_t>(pair.source.size()), static_cast<uint32_t>(pair.target.size())});
  append(pair.source);
  append(pair.target);
}

std::string ShardWriter::finish(const std::filesystem::path& path) {
  ShardHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.id_bytes = id_bytes_;
  header.pairs = records_.size();
  header.ids = ids_.size() / id_bytes_;
  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  content.reserve(sizeof header + bytes());
  content.append(reinterpret_cast<const char*>(records_.data()), records_.size() * sizeof(ShardRecord));
  content += ids_;
  records_.clear();
  ids_.clear();
  write_file_atomic(path, content);
  return sha256(content);
}

MappedShard::MappedShard(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw DataError("Can't open " + path.string() + ": " + std::strerror(errno) + ".");
  struct stat status = {};
  ::fstat(file, &status);
  bytes_ = static_cast<size_t>(status.st_size);
  void* address = bytes_ == 0 ? MAP_FAILED : ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0);
  const int code = errno;
  ::close(file);
  if (bytes_ == 0) throw DataError(path.string() + " is empty.");
  if (address == MAP_FAILED) throw ResourceError("Can't map " + path.string() + ": " + std::strerror(code) + ".");
  address_ = address;
  try {
    check(path);
  } catch (...) {
    ::munmap(address_, bytes_);
    throw;
  }
}

MappedShard::MappedShard(MappedShard&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)),
      bytes_(other.bytes_),
      id_bytes_(other.id_bytes_),
      records_(other.records_),
      ids_(other.ids_) {}

MappedShard::~MappedShard() {
  if (address_ != nullptr) ::munmap(address_, bytes_);
}

void MappedShard::check(const std::filesystem::path& path) {
  const DataError damaged(path.string() + " is damaged.");
  if (bytes_ < sizeof(ShardHeader)) throw damaged;
  const auto& header = *static_cast<const ShardHeader*>(address_);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.version != kVersion) throw damaged;
  if (header.id_bytes != 2 && header.id_bytes != 4) throw damaged;
  if (header.pairs > bytes_ / sizeof(ShardRecord) || header.ids > bytes_) throw damaged;
  if (sizeof header + header.pairs * sizeof(ShardRecord) + header.ids * header.id_bytes != bytes_) throw damaged;
  id_bytes_ = header.id_bytes;
  const char* after_header = static_cast<const char*>(address_) + sizeof header;
  records_ = {reinterpret_cast<const ShardRecord*>(after_header), header.pairs};
  ids_ = after_header + header.pairs * sizeof(ShardRecord);
  for (const ShardRecord& record : records_) {
    if (record.offset > header.ids) throw damaged;
    if (uint64_t{record.source_length} + record.target_length > header.ids - record.offset) throw damaged;
  }
}

std::vector<PieceId> MappedShard::pieces(uint64_t offset, uint32_t length) const {
  const char* at = ids_ + offset * id_bytes_;
  if (id_bytes_ == 2) {
    const auto* first = reinterpret_cast<const uint16_t*>(at);
    return {first, first + length};
  }
  const auto* first = reinterpret_cast<const PieceId*>(at);
  return {first, first + length};
}

Example MappedShard::example(size_t index) const {
  const ShardRecord& record = records_[index];
  return {pieces(record.offset, record.source_length),
          pieces(record.offset + record.source_length, record.target_length), static_cast<int64_t>(record.line)};
}

}  // namespace nmt
