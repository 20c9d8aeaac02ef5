#include "model/safetensors.h"

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kLongestHeader = 100'000'000;

struct TypeName {
  const char* name;
  torch::ScalarType type;
};
constexpr std::array<TypeName, 6> kTypes = {{{"F32", torch::kFloat32},
                                             {"F64", torch::kFloat64},
                                             {"BF16", torch::kBFloat16},
                                             {"I64", torch::kInt64},
                                             {"I32", torch::kInt32},
                                             {"U8", torch::kUInt8}}};

const char* name_of_type(torch::ScalarType type) {
  for (const TypeName& known : kTypes) {
    if (known.type == type) return known.name;
  }
  throw InternalError(std::string("A tensor of type ") + c10::toString(type) + " can't be saved");
}

[[noreturn]] void throw_corrupt(const std::filesystem::path& path, const std::string& what) {
  throw ModelError("The file " + path.string() + " isn't a whole safetensors file: " + what + ".");
}

// What the header says of one tensor, checked against the size of the data.
struct Entry {
  torch::ScalarType type = torch::kFloat32;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

uint64_t bytes_of(const std::filesystem::path& path, const std::string& name, const Entry& entry) {
  uint64_t bytes = c10::elementSize(entry.type);
  for (const int64_t size : entry.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes)) {
      throw_corrupt(path, "the shape of tensor '" + name + "' is too large");
    }
  }
  return bytes;
}

Entry parse_entry(const std::filesystem::path& path, const std::string& name, const Json& json, uint64_t data_bytes) {
  Entry entry;
  bool known = false;
  try {
    for (const TypeName& type : kTypes) {
      if (json.at("dtype").get<std::string>() != type.name) continue;
      entry.type = type.type;
      known = true;
    }
    for (const Json& size : json.at("shape")) {
      if (!size.is_number_unsigned()) throw_corrupt(path, "the shape of tensor '" + name + "' holds no size");
      entry.shape.push_back(size.get<int64_t>());
      if (entry.shape.back() < 0) throw_corrupt(path, "the shape of tensor '" + name + "' is too large");
    }
    entry.begin = json.at("data_offsets").at(0).get<uint64_t>();
    entry.end = json.at("data_offsets").at(1).get<uint64_t>();
  } catch (const Json::exception&) {
    throw_corrupt(path, "the header's entry for tensor '" + name + "' is malformed");
  }
  if (!known) throw_corrupt(path, "tensor '" + name + "' has a type that isn't known");
  if (entry.begin > entry.end || entry.end > data_bytes || entry.end - entry.begin != bytes_of(path, name, entry)) {
    throw_corrupt(path, "the data of tensor '" + name + "' don't fit its shape or the file's size (truncated?)");
  }
  return entry;
}

// Entries in the order of the header; they must cover the data without gap or overlap.
std::vector<std::pair<std::string, Entry>> parse_header(const std::filesystem::path& path, const std::string& content) {
  uint64_t header_bytes = 0;
  if (content.size() < sizeof header_bytes) throw_corrupt(path, "it is shorter than its header");
  std::memcpy(&header_bytes, content.data(), sizeof header_bytes);
  if (header_bytes > kLongestHeader || header_bytes > content.size() - sizeof header_bytes) {
    throw_corrupt(path, "its header is longer than the file (truncated?)");
  }
  const auto header =
      Json::parse(content.begin() + 8, content.begin() + 8 + static_cast<int64_t>(header_bytes), nullptr,
                  /*allow_exceptions=*/false);
  if (!header.is_object()) throw_corrupt(path, "its header isn't a JSON object");
  const uint64_t data_bytes = content.size() - 8 - header_bytes;
  std::vector<std::pair<std::string, Entry>> entries;
  uint64_t covered = 0;
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") continue;
    entries.emplace_back(name, parse_entry(path, name, json, data_bytes));
    if (entries.back().second.begin != covered) throw_corrupt(path, "the data of its tensors have gaps or overlap");
    covered = entries.back().second.end;
  }
  if (covered != data_bytes) throw_corrupt(path, "there are bytes behind its last tensor");
  return entries;
}

std::string header_of(const NamedTensors& tensors) {
  Json header = Json::object();
  uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const uint64_t end = at + tensor.nbytes();
    header[name] = {
        {"dtype", name_of_type(tensor.scalar_type())}, {"shape", tensor.sizes().vec()}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors) {
  const std::string header = header_of(tensors);
  const uint64_t header_bytes = header.size();
  AtomicFile file(path);
  file.write(&header_bytes, sizeof header_bytes);
  file.write(header);
  for (const auto& item : tensors) {
    const torch::Tensor data = item.second.detach().to(torch::kCPU).contiguous();
    file.write(data.data_ptr(), data.nbytes());
  }
  file.commit();
}

std::map<std::string, torch::Tensor> read_safetensors(const std::filesystem::path& path) {
  std::string content;
  try {
    content = read_file(path);
  } catch (const DataError& error) {
    throw ModelError(error.what());
  }
  std::map<std::string, torch::Tensor> tensors;
  const auto entries = parse_header(path, content);
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, content.data(), sizeof header_bytes);
  const char* data = content.data() + 8 + header_bytes;
  for (const auto& [name, entry] : entries) {
    torch::Tensor tensor = torch::empty(entry.shape, entry.type);
    if (entry.end > entry.begin) std::memcpy(tensor.data_ptr(), data + entry.begin, entry.end - entry.begin);
    if (!tensors.emplace(name, tensor).second) throw_corrupt(path, "tensor '" + name + "' stands in it twice");
  }
  return tensors;
}

void load_safetensors_into(const std::filesystem::path& path, const NamedTensors& targets) {
  auto tensors = read_safetensors(path);
  const torch::NoGradGuard no_grad;
  for (const auto& [name, target] : targets) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) throw ModelError("The file " + path.string() + " lacks the tensor '" + name + "'.");
    const torch::Tensor& tensor = found->second;
    if (tensor.sizes() != target.sizes() || tensor.scalar_type() != target.scalar_type()) {
      std::ostringstream message;
      message << "Tensor '" << name << "' in " << path.string() << " is " << c10::toString(tensor.scalar_type()) << " "
              << tensor.sizes() << "; the configuration asks for " << c10::toString(target.scalar_type()) << " "
              << target.sizes() << ".";
      throw ModelError(message.str());
    }
    if (tensor.is_floating_point() && !tensor.isfinite().all().item<bool>()) {
      throw ModelError("Tensor '" + name + "' in " + path.string() + " holds values that aren't finite.");
    }
    target.detach().copy_(tensor);
    tensors.erase(found);
  }
  if (!tensors.empty()) {
    throw ModelError("The file " + path.string() + " holds the tensor '" + tensors.begin()->first +
                     "', which this model doesn't have.");
  }
}

}  // namespace nmt
