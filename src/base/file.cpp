#include "base/file.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <random>

#include "base/error.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_write_error(const fs::path& path, int code) {
  throw ResourceError("Can't write " + path.string() + ": " + std::strerror(code) + ".");
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

template <class Consume>
void read_parts(const fs::path& path, Consume consume) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw DataError("Can't open " + path.string() + ": " + std::strerror(errno) + ".");
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got == 0) return;
    if (got > 0) {
      consume(part.data(), static_cast<size_t>(got));
    } else if (errno != EINTR) {
      throw DataError("Can't read " + path.string() + ": " + std::strerror(errno) + ".");
    }
  }
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    if (context_ == nullptr || EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) != 1) {
      throw InternalError("SHA-256 isn't available from the crypto library");
    }
  }
  ~Sha256() { EVP_MD_CTX_free(context_); }
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(const char* data, size_t bytes) { EVP_DigestUpdate(context_, data, bytes); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int bytes = 0;
    EVP_DigestFinal_ex(context_, digest.data(), &bytes);
    std::string out;
    for (unsigned int i = 0; i < bytes; ++i) {
      out += "0123456789abcdef"[digest[i] >> 4];
      out += "0123456789abcdef"[digest[i] & 15];
    }
    return out;
  }

 private:
  EVP_MD_CTX* context_;
};

// A new file PATH.tmp-XXXXXX, named in `name`, with the permissions of the file at `path`, or where there is none of
// any new file. Returns its descriptor, or -1 with errno set.
int open_new_beside(const fs::path& path, fs::path& name) {
  struct stat old = {};
  const bool replaces = ::stat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode);
  std::random_device random;
  for (;;) {
    const std::string candidate = fmt::format("{}.tmp-{:06x}", path.string(), random() & 0xffffffU);
    const int descriptor = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return -1;
    name = candidate;
    if (replaces) ::fchmod(descriptor, old.st_mode & 07777U);
    return descriptor;
  }
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::string content;
  read_parts(path, [&](const char* data, size_t bytes) { content.append(data, bytes); });
  return content;
}

void sync_to_disk(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) throw_write_error(path, errno);
}

AtomicFile::AtomicFile(const fs::path& path) : target_(path) {
  descriptor_ = target_.replaceable ? open_new_beside(this->path(), temporary_) : target_.open_directly();
  if (descriptor_ < 0) throw_write_error(this->path(), errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::write(descriptor_, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw_write_error(path(), errno);
    at += done;
    bytes -= static_cast<size_t>(done);
  }
}

void AtomicFile::commit() {
  if (target_.replaceable && ::fsync(descriptor_) != 0) throw_write_error(path(), errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) throw_write_error(path(), errno);
  if (!target_.replaceable) return;
  if (::rename(temporary_.c_str(), path().c_str()) != 0) throw_write_error(path(), errno);
  temporary_.clear();
  sync_to_disk(path().has_parent_path() ? path().parent_path() : fs::path("."));
}

void write_file_atomic(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

std::string sha256_of_file(const fs::path& path) {
  Sha256 digest;
  read_parts(path, [&](const char* data, size_t bytes) { digest.update(data, bytes); });
  return digest.hex();
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes.data(), bytes.size());
  return digest.hex();
}

uint64_t free_disk_bytes(const fs::path& path) {
  fs::path existing = fs::absolute(path);
  while (!fs::exists(existing) && existing.has_parent_path()) existing = existing.parent_path();
  std::error_code ignored;
  return fs::space(existing, ignored).available;
}

}  // namespace nmt
