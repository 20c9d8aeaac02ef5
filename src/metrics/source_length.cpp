#include "metrics/source_length.h"

#include <algorithm>

#include "metrics/unicode.h"

namespace nmt::metrics {

namespace {

struct WordCounter {
  size_t count = 0;
  void push_back(std::string_view) { ++count; }
};

}  // namespace

size_t length_bucket(std::string_view source) {
  WordCounter words;
  split_spaces(source, words);
  if (words.count == 0) return 0;
  return std::min((words.count - 1) / kBucketWords, kLengthBuckets - 1);
}

std::string bucket_label(size_t bucket) {
  const std::string first = std::to_string(bucket * kBucketWords + 1);
  return bucket + 1 == kLengthBuckets ? first + "+" : first + "-" + std::to_string((bucket + 1) * kBucketWords);
}

}  // namespace nmt::metrics
