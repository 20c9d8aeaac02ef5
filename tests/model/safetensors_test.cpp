#include "model/safetensors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.h"
#include "base/file.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

class Safetensors : public testing::Test {
 protected:
  Safetensors() : path_(fs::path(testing::TempDir()) / ("safetensors-" + std::to_string(::getpid()))) {}
  ~Safetensors() override { fs::remove(path_); }
  void write_bytes(const std::string& header, const std::string& data) {
    const uint64_t length = header.size();
    write_raw(std::string(reinterpret_cast<const char*>(&length), 8) + header + data);
  }
  void write_raw(const std::string& bytes) { std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes; }
  const fs::path path_;
};

NamedTensors example() {
  return {{"b", torch::arange(6, torch::kFloat32).view({2, 3})},
          {"a", torch::tensor({1, -2}, torch::kInt64)},
          {"empty", torch::empty({0, 4})},
          {"scalar", torch::tensor(2.5, torch::kFloat64)},
          {"half", torch::tensor({1.5f}).to(torch::kBFloat16)}};
}

TEST_F(Safetensors, RoundTrip) {
  write_safetensors(path_, example());
  const auto read = read_safetensors(path_);
  ASSERT_EQ(read.size(), example().size());
  for (const auto& [name, tensor] : example()) {
    EXPECT_TRUE(torch::equal(read.at(name), tensor)) << name;
    EXPECT_EQ(read.at(name).scalar_type(), tensor.scalar_type());
  }
}

// The layout of the format's own description: length, JSON, data.
TEST_F(Safetensors, ReadsHandWrittenFile) {
  const float values[] = {1, 2};
  write_bytes(R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
              std::string(reinterpret_cast<const char*>(values), 8));
  EXPECT_TRUE(torch::equal(read_safetensors(path_).at("w"), torch::tensor({1.0f, 2.0f})));
}

TEST_F(Safetensors, MalformedHeadersAreModelErrors) {
  const std::string data(8, '\0');
  for (
      const char* header :
      {"", "[]", "{", "null", R"({"w":1})", R"({"w":{"dtype":"F32","shape":[2]}})",
       R"({"w":{"dtype":"F99","shape":[2],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
       R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
       R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
       R"({"w":{"dtype":7,"shape":"x","data_offsets":{}}})"}) {
    write_bytes(header, data);
    EXPECT_THROW(read_safetensors(path_), ModelError) << header;
  }
  EXPECT_THROW(read_safetensors(path_ / "missing"), ModelError);
}

TEST_F(Safetensors, TruncationAtEveryByteAndFlippedHeaderBytesNeverCrash) {
  write_safetensors(path_, example());
  const std::string whole = read_file(path_);
  for (size_t length = 0; length < whole.size(); ++length) {
    write_raw(whole.substr(0, length));
    EXPECT_THROW(read_safetensors(path_), ModelError) << length;
  }
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string broken = whole;
    broken[random() % (whole.size() - 60)] = static_cast<char>(random());
    write_raw(broken);
    try {
      read_safetensors(path_);
    } catch (const ModelError&) {
    }
  }
}

TEST_F(Safetensors, LoadingNamesTheFirstDifference) {
  write_safetensors(path_, {{"w", torch::ones({2})}});
  const auto message_of = [&](const NamedTensors& targets) -> std::string {
    try {
      load_safetensors_into(path_, targets);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of({{"w", torch::zeros({2})}}), "");
  EXPECT_NE(message_of({{"w", torch::zeros({3})}}).find("[2]"), std::string::npos);
  EXPECT_NE(message_of({{"w", torch::zeros({2}, torch::kFloat64)}}).find("Double"), std::string::npos);
  EXPECT_NE(message_of({{"v", torch::zeros({2})}}).find("lacks the tensor 'v'"), std::string::npos);
  EXPECT_NE(message_of({}).find("'w'"), std::string::npos);
  write_safetensors(path_, {{"w", torch::tensor({1.0f, std::numeric_limits<float>::quiet_NaN()})}});
  EXPECT_NE(message_of({{"w", torch::zeros({2})}}).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace nmt
