#include "train/checkpoint_store.h"

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"

namespace nmt {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kStateFormatVersion = 1;
constexpr const char* kStateFile = "train_state.json";
constexpr std::string_view kStep = "step-";
constexpr std::string_view kUnfinished = "unfinished-";
constexpr std::string_view kReplaced = "replaced-";
constexpr std::string_view kDamaged = "damaged-";

std::string numbered(std::string_view prefix, int64_t update) { return fmt::format("{}{:08}", prefix, update); }

// The number of a name made by numbered(), as it would be made again.
std::optional<int64_t> number_of(std::string_view prefix, const std::string& name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  int64_t number = -1;
  const auto [end, code] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  if (code != std::errc() || number < 0 || numbered(prefix, number) != name) return std::nullopt;
  return number;
}

// File-system calls whose failure means that the disk is full, read-only or gone.
template <class Body>
void on_disk(Body body) {
  try {
    body();
  } catch (const fs::filesystem_error& error) {
    throw ResourceError("Can't write " + error.path1().string() + ": " + error.code().message() + ".");
  }
}

Json digests_of(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().filename() != kStateFile) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  Json digests = Json::object();
  for (const std::string& name : names) digests[name] = sha256_of_file(directory / name);
  return digests;
}

void write_state(const fs::path& directory, const TrainState& state) {
  Json content = Json::object();
  content["files"] = digests_of(directory);
  content["state"] = Json::parse(to_json(state));
  Json file = Json::object();
  file["format"] = kStateFormatVersion;
  file["digest"] = sha256(content.dump());
  file.update(content);
  write_file_atomic(directory / kStateFile, file.dump(2) + "\n");
}

// Thrown and caught here: what another checkpoint may be used for instead.
struct Damage : ModelError {
  using ModelError::ModelError;
};

std::string digest_of(const fs::path& path) {
  try {
    return sha256_of_file(path);
  } catch (const DataError& error) {
    throw Damage(error.what());
  }
}

Json read_state_file(const fs::path& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const DataError& error) {
    throw Damage(error.what());
  }
  Json file = Json::parse(text, nullptr, false);
  if (!file.is_object() || !file.contains("format") || !file.contains("digest") || !file.contains("files") ||
      !file.contains("state") || !file["files"].is_object()) {
    throw Damage(path.string() + " is damaged: it isn't the JSON object that a checkpoint has.");
  }
  if (file["format"] != kStateFormatVersion) {
    throw ModelError(fmt::format("{} has format {}; this program (nmt {}) reads format {}.", path.string(),
                                 file["format"].dump(), NMT_VERSION, kStateFormatVersion));
  }
  Json content = Json::object();
  content["files"] = file["files"];
  content["state"] = file["state"];
  if (file["digest"] != sha256(content.dump())) {
    throw Damage(path.string() + " is damaged: its content doesn't have the digest that it names.");
  }
  return content;
}

}  // namespace

TrainState read_checkpoint(const fs::path& directory) {
  const Json content = read_state_file(directory / kStateFile);
  for (const auto& [name, digest] : content["files"].items()) {
    const fs::path path = directory / name;
    if (!fs::exists(path)) throw Damage(path.string() + " is missing.");
    if (digest != digest_of(path)) throw Damage(path.string() + " is damaged: its digest is another one.");
  }
  return parse_train_state(content["state"].dump(), (directory / kStateFile).string());
}

CheckpointStore::CheckpointStore(fs::path run_directory, int64_t keep_last)
    : run_(std::move(run_directory)), checkpoints_(run_ / "checkpoints"), keep_last_(keep_last) {
  on_disk([&] {
    fs::create_directories(checkpoints_);
    for (const auto& entry : fs::directory_iterator(checkpoints_)) {
      const std::string name = entry.path().filename().string();
      if (number_of(kUnfinished, name) || number_of(kReplaced, name)) fs::remove_all(entry.path());
    }
  });
}

fs::path CheckpointStore::directory_of(int64_t update) const { return checkpoints_ / numbered(kStep, update); }

std::vector<int64_t> CheckpointStore::updates() const {
  std::vector<int64_t> found;
  for (const auto& entry : fs::directory_iterator(checkpoints_)) {
    if (const auto update = number_of(kStep, entry.path().filename().string())) found.push_back(*update);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void CheckpointStore::save(const TrainState& state, const std::function<void(const fs::path&)>& write_files) {
  const fs::path unfinished = checkpoints_ / numbered(kUnfinished, state.update);
  const fs::path replaced = checkpoints_ / numbered(kReplaced, state.update);
  const fs::path final = directory_of(state.update);
  try {
    on_disk([&] {
      fs::remove_all(unfinished);
      fs::create_directory(unfinished);
      write_files(unfinished);
      write_state(unfinished, state);
      sync_to_disk(unfinished);
      fs::remove_all(replaced);
      if (fs::exists(final)) fs::rename(final, replaced);
      fs::rename(unfinished, final);
      sync_to_disk(checkpoints_);
    });
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    throw;
  }
  point("last", state.update);
  on_disk([&] { fs::remove_all(replaced); });
}

void CheckpointStore::point(const char* link, int64_t update) {
  const fs::path fresh = run_ / fmt::format(".{}.new", link);
  on_disk([&] {
    fs::remove(fresh);
    fs::create_directory_symlink(fs::path("checkpoints") / numbered(kStep, update), fresh);
    fs::rename(fresh, run_ / link);
    sync_to_disk(run_);
  });
}

void CheckpointStore::point_best_to(int64_t update) { point("best", update); }

std::optional<int64_t> CheckpointStore::best() const {
  std::error_code missing;
  const fs::path target = fs::read_symlink(run_ / "best", missing);
  if (missing) return std::nullopt;
  const auto update = number_of(kStep, target.filename().string());
  if (!update || !fs::exists(directory_of(*update))) return std::nullopt;
  return update;
}

void CheckpointStore::prune() {
  const std::vector<int64_t> all = updates();
  const std::optional<int64_t> kept = best();
  for (size_t i = 0; i + static_cast<size_t>(keep_last_) < all.size(); ++i) {
    if (all[i] == kept) continue;
    // Renamed first, so that no half of it is ever seen under the name of a checkpoint.
    const fs::path leaving = checkpoints_ / numbered(kReplaced, all[i]);
    on_disk([&] {
      fs::rename(directory_of(all[i]), leaving);
      fs::remove_all(leaving);
    });
  }
}

void CheckpointStore::put_aside(int64_t update) {
  const fs::path aside = checkpoints_ / numbered(kDamaged, update);
  on_disk([&] {
    fs::remove_all(aside);
    fs::rename(directory_of(update), aside);
  });
}

std::optional<FoundCheckpoint> CheckpointStore::newest_intact() {
  std::vector<int64_t> all = updates();
  std::vector<int64_t> damaged;
  std::string first_damage;
  for (; !all.empty(); all.pop_back()) {
    try {
      FoundCheckpoint found{directory_of(all.back()), read_checkpoint(directory_of(all.back()))};
      for (const int64_t update : damaged) put_aside(update);
      point("last", found.state.update);
      return found;
    } catch (const Damage& damage) {
      if (damaged.empty()) first_damage = damage.what();
      damaged.push_back(all.back());
      log::warn("{} The checkpoint before it is tried.", damage.what());
    }
  }
  if (!damaged.empty()) {
    throw ModelError(first_damage + " No undamaged checkpoint is left in " + checkpoints_.string() +
                     ": start anew with --overwrite.");
  }
  return std::nullopt;
}

}  // namespace nmt
