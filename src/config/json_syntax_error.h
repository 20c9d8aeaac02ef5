#pragma once

#include <string>
#include <string_view>

namespace nmt {

// "3:14", both from 1; the column counts characters, not bytes.
std::string line_and_column(std::string_view text, size_t offset);

// What is wrong with a JSON text, and where, said for people who write it by hand: "a comma before '}'; remove it".
struct SyntaxError {
  size_t offset;
  std::string message;
};

// From what the parser tells when it stops: after `position` bytes, with the token it read last and its own message.
SyntaxError describe_syntax_error(std::string_view text, size_t position, std::string_view token,
                                  std::string_view parser_message);

}  // namespace nmt
