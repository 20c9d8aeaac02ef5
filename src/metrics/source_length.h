#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Scores by the length of the source sentence, which show whether a model loses its way in long ones: figure 2 of
// Bahdanau, Cho and Bengio (2014, arXiv 1409.0473), whose axis reaches to 60 words.
namespace nmt::metrics {

// Buckets of ten words: 1-10 (with empty lines), 11-20, ..., 51-60, and all longer ones.
inline constexpr size_t kLengthBuckets = 7;
inline constexpr size_t kBucketWords = 10;

// The bucket of a source line. Its words are what white space separates, whatever the tokenizer of a metric.
size_t length_bucket(std::string_view source);

std::string bucket_label(size_t bucket);  // "1-10", ..., "51-60", "61+"

}  // namespace nmt::metrics
