#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "config/config.h"

namespace nmt {

// --set key.path=value, repeated.
void add_set_flag(CLI::App& verb, std::vector<Override>& overrides);

// --model DIR, repeated; --weight and --average of an ensemble.
void add_model_flags(CLI::App& verb, std::vector<std::string>& models, std::vector<double>& weights,
                     std::string& average);

// --weight and --average are for several --model.
void add_ensemble_rules(CommandLine& line, CLI::App& verb);

// Why --length-penalty does nothing; empty where it does.
std::string unless_gnmt(const std::string& normalization);

// What translations are ranked by: --normalization, --length-penalty, --word-reward, --coverage-penalty.
void add_score_rule_flags(CLI::App& verb, std::string& normalization, std::optional<double>& length_penalty,
                          double& word_reward, double& coverage_penalty);

// --device auto|cpu|cuda|cuda:N and --threads N, 0 for all cores.
void add_device_flags(CLI::App& verb, std::string& device, int64_t& threads);

}  // namespace nmt
