#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace nmt {

// train_log.jsonl: one JSON object a line for each event, appended and handed to the system at once. What the events
// hold is told in docs/training.md.
class TrainLog {
 public:
  // Opens or creates the file; a last line that an abrupt end left incomplete is removed. Throws ResourceError.
  explicit TrainLog(const std::filesystem::path& file);
  ~TrainLog();
  TrainLog(const TrainLog&) = delete;
  TrainLog& operator=(const TrainLog&) = delete;

  // Adds {"event": event, "time": UTC, ...fields}. Numbers that JSON doesn't have become null. Throws ResourceError.
  void write(const std::string& event, const nlohmann::ordered_json& fields);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace nmt
