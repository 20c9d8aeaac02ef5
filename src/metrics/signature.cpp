#include "metrics/signature.h"

namespace nmt::metrics {

Signature::Signature(size_t references) { add("nrefs", "#", references == 0 ? "var" : std::to_string(references)); }

void Signature::add_resampling(const char* kind, size_t samples) { add(kind, kind, std::to_string(samples)); }

void Signature::add_seed(uint64_t seed) { add("seed", "rs", std::to_string(seed)); }

void Signature::add(std::string key, std::string short_key, std::string value) {
  fields_.push_back({std::move(key), std::move(short_key), std::move(value)});
}

std::vector<Signature::Field> Signature::fields(SignatureVersion version) const {
  std::vector<Field> out = fields_;
  out.push_back({"version", "v", version == SignatureVersion::kNmt ? "nmt-" NMT_VERSION : kSacreBleuVersion});
  return out;
}

std::string Signature::text(SignatureVersion version, bool short_form) const {
  std::string out;
  for (const Field& field : fields(version)) {
    if (!out.empty()) out += '|';
    out += (short_form ? field.short_key : field.key) + ':' + field.value;
  }
  return out;
}

}  // namespace nmt::metrics
