#include "train/run_directory.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 11> kChangeable = {
    "train.max_updates",  "train.max_epochs", "train.max_minutes", "train.max_bad_steps",
    "train.log_every",    "train.save_every", "train.keep_last",   "valid.every_updates",
    "valid.every_epochs", "valid.patience",   "valid.samples"};

// Names in checkpoints/ that are ours.
bool is_checkpoint_name(const std::string& name) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"step-", "unfinished-", "replaced-", "damaged-"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
  });
}

fs::path config_file_of(const fs::path& run) { return run / "run_config.json"; }

bool holds_run(const fs::path& path) {
  if (fs::exists(config_file_of(path))) return true;
  std::error_code missing;
  const fs::directory_iterator entries(path / "checkpoints", missing);
  return std::any_of(begin(entries), end(entries),
                     [](const auto& entry) { return is_checkpoint_name(entry.path().filename().string()); });
}

}  // namespace

void check_output(const fs::path& path, RunMode mode) {
  const auto refuse = [&](const fs::path& name, const char* what) {
    throw UsageError(
        fmt::format("{} is there and is {}, so {} can't be the output of a run.", name.string(), what, path.string()));
  };
  const fs::file_status status = fs::status(path);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse(path, "no directory");
  for (const char* link : {"best", "last"}) {
    const fs::file_status there = fs::symlink_status(path / link);
    if (fs::exists(there) && !fs::is_symlink(there)) refuse(path / link, "no symbolic link");
  }
  for (const char* directory : {"checkpoints", "cache"}) {
    const fs::file_status there = fs::status(path / directory);
    if (fs::exists(there) && !fs::is_directory(there)) refuse(path / directory, "no directory");
  }
  // A model there would go on being what the directory's name means to other verbs.
  if (fs::exists(path / "model_card.json")) refuse(path / "model_card.json", "a model's");
  if (mode == RunMode::kNew && holds_run(path)) {
    throw UsageError("The output " + path.string() +
                     " already holds a run: continue it with --resume, replace it with --overwrite, or choose another "
                     "--output.");
  }
}

std::optional<Config> saved_config(const fs::path& run_directory) {
  if (!holds_run(run_directory)) return std::nullopt;
  return load_config(config_file_of(run_directory).string());
}

RunDirectory::RunDirectory(const fs::path& path, RunMode mode)
    : path_(fs::absolute(path).lexically_normal()), mode_(mode) {
  check_output(path_, mode_);
  std::error_code failed;
  fs::create_directories(path_, failed);
  if (failed) throw ResourceError("Can't create " + path_.string() + ": " + failed.message() + ".");
  lock();
}

RunDirectory::~RunDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

void RunDirectory::lock() {
  const fs::path file = path_ / ".lock";
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) throw ResourceError("Can't write " + file.string() + ": " + std::strerror(errno) + ".");
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(lock_);
  lock_ = -1;
  if (reason == EWOULDBLOCK) {
    throw UsageError("Another process is training in " + path_.string() + "; wait for it or choose another --output.");
  }
  throw ResourceError("Can't lock " + file.string() + ": " + std::strerror(reason) + ".");
}

void RunDirectory::begin(const Config& config) {
  if (mode_ == RunMode::kOverwrite) remove_run();
  write_file_atomic(config_file_of(path_), to_json(config) + "\n");
}

void RunDirectory::remove_run() {
  if (!holds_run(path_)) return;
  try {
    fs::remove(config_file_of(path_));
    fs::remove(log_file());
    for (const char* link : {"best", "last", ".best.new", ".last.new"}) {
      if (fs::is_symlink(path_ / link)) fs::remove(path_ / link);
    }
    if (!fs::exists(path_ / "checkpoints")) return;
    for (const auto& entry : fs::directory_iterator(path_ / "checkpoints")) {
      if (is_checkpoint_name(entry.path().filename().string())) fs::remove_all(entry.path());
    }
  } catch (const fs::filesystem_error& error) {
    throw ResourceError("Can't remove " + error.path1().string() + ": " + error.code().message() + ".");
  }
}

void check_resumable(const Config& saved, const Config& now) {
  std::vector<std::string> keys;
  for (const std::string& key : differing_keys(saved, now)) {
    if (std::find(kChangeable.begin(), kChangeable.end(), key) == kChangeable.end()) keys.push_back(key);
  }
  if (keys.empty()) return;
  throw UsageError(
      fmt::format("The run can't be resumed, since its configuration had other values for: {}. Only limits "
                  "and intervals may change. Without --config the run's own configuration is taken, with all that "
                  "--set gave it; for other values start a new run with another --output.",
                  join(keys, ", ")));
}

}  // namespace nmt
