#include "cli/shared_flags.h"

#include <algorithm>
#include <cctype>

namespace nmt {

namespace {

std::string check_device(const std::string& text) {
  const std::string number = text.starts_with("cuda:") ? text.substr(5) : "";
  const bool indexed = !number.empty() && number.size() <= 3 &&
                       std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); });
  if (text == "auto" || text == "cpu" || text == "cuda" || indexed) return "";
  return "expected auto, cpu, cuda or cuda:N, found '" + text + "'.";
}

}  // namespace

void add_set_flag(CLI::App& verb, std::vector<Override>& overrides) {
  verb.add_option_function<std::vector<std::string>>(
          "--set",
          [&overrides](const std::vector<std::string>& given) {
            for (const std::string& text : given) overrides.push_back(parse_override(text));
          },
          "Value in place of the configuration's, as train.seed=3; may repeat")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

void add_device_flags(CLI::App& verb, std::string& device, int64_t& threads) {
  verb.add_option("--device", device, "auto, cpu, cuda or cuda:N; auto takes a GPU where there is one")
      ->type_name("DEVICE")
      ->check(CLI::Validator(check_device, ""))
      ->capture_default_str();
  verb.add_option("--threads", threads, "CPU threads; 0 for as many as there are cores")
      ->type_name("N")
      ->check(whole_number_in(between(0, 1024)))
      ->capture_default_str();
}

}  // namespace nmt
