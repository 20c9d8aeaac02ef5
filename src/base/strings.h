#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

// The candidate nearest to `word` by edit distance (insertions, deletions, substitutions, neighbouring swaps), where
// it is near enough to be what was meant; else empty.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// " Did you mean 'x'?" or nothing, to be appended to a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

std::string with_thousands(int64_t number);   // 1234567 -> "1,234,567"
std::string format_duration(double seconds);  // 3723 -> "1h02m", 75 -> "1m15s", 3.21 -> "3.2s"
std::string format_bytes(uint64_t bytes);     // 530604548 -> "506 MB" (1 MB = 2^20 bytes)
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);  // "a,,b" -> {"a", "", "b"}

}  // namespace nmt
