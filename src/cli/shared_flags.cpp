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
  const auto read = [&overrides](const std::vector<std::string>& given) {
    for (const std::string& text : given) overrides.push_back(parse_override(text));
  };
  may_repeat(verb.add_option_function<std::vector<std::string>>(
                 "--set", read, "Value in place of the configuration's, as train.seed=3; may repeat"))
      ->type_name("KEY=VALUE");
}

void add_model_flags(CLI::App& verb, std::vector<std::string>& models, std::vector<double>& weights,
                     std::string& average) {
  may_repeat(verb.add_option("--model", models, "Model or run directory; may repeat, several are an ensemble"))
      ->type_name("DIR")
      ->required();
  may_repeat(verb.add_option("--weight", weights, "Weight of each model of an ensemble, in their order [equal]"))
      ->type_name("W")
      ->check(number_in(above_up_to(0, 1e9)));
  verb.add_option("--average", average, "Of an ensemble's probabilities: log (geometric) or linear")
      ->type_name("KIND")
      ->check(one_of({"log", "linear"}))
      ->capture_default_str();
}

void add_ensemble_rules(CommandLine& line, CLI::App& verb) {
  line.only_with(verb, {"--weight", "--average"}, {"--model"}, 2);
}

std::string unless_gnmt(const std::string& normalization) {
  return normalization == "gnmt" ? "" : "with --normalization " + normalization;
}

void add_score_rule_flags(CLI::App& verb, std::string& normalization, std::optional<double>& length_penalty,
                          double& word_reward, double& coverage_penalty) {
  verb.add_option("--normalization", normalization, "Of scores by length: none, average or gnmt")
      ->type_name("KIND")
      ->check(one_of({"none", "average", "gnmt"}))
      ->capture_default_str();
  verb.add_option("--length-penalty", length_penalty, "0 ranks by the sum of log-probabilities [the model's]")
      ->type_name("A")
      ->check(number_in(between(0, 100)));
  verb.add_option("--word-reward", word_reward, "Added for each piece; above 0 makes translations longer")
      ->type_name("R")
      ->check(number_in(between(-1000, 1000)))
      ->capture_default_str();
  verb.add_option("--coverage-penalty", coverage_penalty, "Weight of source words left without attention")
      ->type_name("C")
      ->check(number_in(between(0, 1000)))
      ->capture_default_str();
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
