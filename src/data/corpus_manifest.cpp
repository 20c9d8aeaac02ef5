#include "data/corpus_manifest.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace nmt {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kFormatVersion = 1;
constexpr const char* kManifestFile = "manifest.json";

json stamp(const std::string& file) {
  std::error_code code;
  const fs::path path = fs::absolute(file);
  const auto size = fs::file_size(path, code);
  if (code) throw DataError("Can't open " + file + ": " + code.message() + ".");
  const auto time = fs::last_write_time(path, code);
  return {path.string(), size, time.time_since_epoch().count()};
}

json drops_to_json(const CorpusSummary& summary) {
  json out = json::array();
  for (const auto& drop : summary.drops) out.push_back({{"pairs", drop.pairs}, {"first_lines", drop.first_lines}});
  return out;
}

json to_json(const CorpusSummary& summary) {
  return {{"read", summary.read},
          {"kept", summary.kept},
          {"drops", drops_to_json(summary)},
          {"source_pieces", summary.source_pieces},
          {"target_pieces", summary.target_pieces},
          {"several_sentences", summary.several_sentences},
          {"source_byte_pieces", summary.source_byte_pieces},
          {"target_byte_pieces", summary.target_byte_pieces},
          {"replaced_utf8_lines", summary.replaced_utf8_lines}};
}

CorpusSummary summary_from(const json& from) {
  CorpusSummary summary;
  from.at("read").get_to(summary.read);
  from.at("kept").get_to(summary.kept);
  for (size_t i = 0; i < kDropReasons; ++i) {
    from.at("drops").at(i).at("pairs").get_to(summary.drops[i].pairs);
    from.at("drops").at(i).at("first_lines").get_to(summary.drops[i].first_lines);
  }
  from.at("source_pieces").get_to(summary.source_pieces);
  from.at("target_pieces").get_to(summary.target_pieces);
  from.at("several_sentences").get_to(summary.several_sentences);
  from.at("source_byte_pieces").get_to(summary.source_byte_pieces);
  from.at("target_byte_pieces").get_to(summary.target_byte_pieces);
  from.at("replaced_utf8_lines").get_to(summary.replaced_utf8_lines);
  return summary;
}

}  // namespace

std::string cache_key(const DataConfig& data, const TextConfig& text, const TokenizerPair& tokenizers) {
  const json key = {kFormatVersion,
                    stamp(data.train.src.value),
                    stamp(data.train.tgt.value),
                    tokenizers.source->digest(),
                    tokenizers.target->digest(),
                    name_of(text.normalization),
                    name_of(text.invalid_utf8),
                    data.max_source_pieces,
                    data.max_target_pieces,
                    data.max_length_ratio};
  return sha256(key.dump(-1, ' ', false, json::error_handler_t::replace));
}

void write_manifest(const fs::path& directory, const std::string& key, const EncodedShards& encoded) {
  json shards = json::array();
  for (const auto& shard : encoded.shards) {
    shards.push_back({{"file", shard.file}, {"pairs", shard.pairs}, {"sha256", shard.sha256}});
  }
  const json manifest = {{"format_version", kFormatVersion},
                         {"key", key},
                         {"shards", std::move(shards)},
                         {"summary", to_json(encoded.summary)}};
  write_file_atomic(directory / kManifestFile, manifest.dump(2) + "\n");
}

std::optional<EncodedShards> read_manifest(const fs::path& directory, const std::string& key) {
  if (!fs::exists(directory / kManifestFile)) return std::nullopt;
  try {
    const json manifest = json::parse(read_file(directory / kManifestFile));
    if (manifest.at("format_version") != kFormatVersion || manifest.at("key") != key) return std::nullopt;
    EncodedShards out;
    out.summary = summary_from(manifest.at("summary"));
    for (const json& shard : manifest.at("shards")) {
      out.shards.push_back({shard.at("file"), shard.at("pairs"), shard.at("sha256")});
    }
    return out;
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const DataError&) {
    return std::nullopt;
  }
}

void clear_cache(const fs::path& directory) {
  std::error_code ignored;
  fs::remove(directory / kManifestFile, ignored);
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("pairs-") || name.starts_with(kManifestFile)) fs::remove(entry.path(), ignored);
  }
}

}  // namespace nmt
