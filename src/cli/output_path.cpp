#include "cli/output_path.h"

#include <filesystem>

#include "base/error.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

bool is_same_file(const std::string& input, const std::string& output) {
  std::error_code none;
  return fs::is_regular_file(output, none) && fs::equivalent(input == "-" ? "/dev/stdin" : input, output, none);
}

}  // namespace

CLI::Option* add_output_flag(CLI::App& verb, std::string& output, const std::string& help, const std::string& type) {
  return verb.add_option("--output", output, help)->type_name(type);
}

void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (output == "-") return;
  for (const std::string& input : inputs) {
    if (input.empty() || !is_same_file(input, output)) continue;
    throw UsageError("The output " + output + (input == "-" ? " is standard input" : " is the input " + input) +
                     " too and would be overwritten; choose another --output.");
  }
}

}  // namespace nmt
