#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nmt::metrics {

// Which program a signature names.
enum class SignatureVersion {
  kNmt,       // version:nmt-<our version>, what computed the figure
  kSacreBleu  // version:2.6.0, the string that sacreBLEU prints for the same settings and the same figure
};

// The version of sacreBLEU whose figures and signatures these are.
inline constexpr const char* kSacreBleuVersion = "2.6.0";

// What a score can be reproduced from (Post 2018): "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:...", or short
// "#:1|c:mixed|e:no|tok:13a|s:exp|v:...".
class Signature {
 public:
  struct Field {
    std::string key, short_key, value;
  };

  // Number of references per line; 0 means that lines differ in it ("var").
  explicit Signature(size_t references);

  // What a resampling test adds, right behind the number of references.
  void add_resampling(const char* kind, size_t samples);  // kind: "bs" (bootstrap) or "ar" (randomization)
  void add_seed(uint64_t seed);

  // The metric's own settings, in order.
  void add(std::string key, std::string short_key, std::string value);

  std::vector<Field> fields(SignatureVersion version) const;  // the version last
  std::string text(SignatureVersion version, bool short_form = false) const;

 private:
  std::vector<Field> fields_;
};

}  // namespace nmt::metrics
