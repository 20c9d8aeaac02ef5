#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"

// What the program and libnmt_torch.so share: for each verb that needs torch the options that the command line gave
// (checked one by one; flags left out that a configuration or model decides are empty) and the function that does the
// work. The functions throw nmt::Error and nothing else: their bodies stand in torch_<verb>.cpp inside
// with_torch_errors (tensor/torch_guard.h).
namespace nmt {

struct TrainOptions {
  std::string config;  // file, or "-"; empty: that of the run which is resumed
  std::vector<Override> overrides;
  std::string output;  // run directory
  bool resume = false;
  bool overwrite = false;
  bool dry_run = false;
  std::string device = "auto";  // auto, cpu, cuda or cuda:N
  int64_t threads = 0;          // 0: as many as the process may use
};

struct TranslateOptions {
  std::vector<std::string> models;  // model or run directories; several are an ensemble
  std::vector<double> weights;      // of the models; none: equal ones
  std::string average = "log";      // log or linear
  std::string input = "-";
  std::string output = "-";
  std::string input_format = "text";  // text, tsv or jsonl
  std::string format;                 // text, tsv, jsonl or marian-n-best; empty: text, marian-n-best with n_best
  std::string alignment;              // hard or soft; empty for none
  std::string unknown = "<unk>";      // how the unknown piece is shown
  bool replace_unknown = false;
  std::string dictionary;                    // for it; empty for none
  std::optional<int64_t> max_source_length;  // pieces; none: lines are split as the model was trained
  std::optional<int64_t> beam;
  int64_t n_best = 1;
  double patience = 1;
  std::string normalization = "gnmt";  // none, average or gnmt
  std::optional<double> length_penalty;
  double word_reward = 0;
  double coverage_penalty = 0;
  std::optional<double> max_length_ratio;
  std::optional<int64_t> max_length_extra;
  int64_t min_length = 0;
  int64_t no_repeat_ngram = 0;
  bool forbid_unknown = false;
  std::vector<std::string> forbid;  // words and phrases that no translation may hold
  std::string forbid_file;          // more of them, one on each line; empty for none
  int64_t diversity_groups = 1;
  double diversity_penalty = 0.5;
  bool sample = false;
  double temperature = 1;
  int64_t top_k = 0;
  double top_p = 1;
  uint64_t seed = 1;
  std::optional<int64_t> batch_sentences;
  std::string precision = "float32";  // float32, bfloat16 or int8
  std::string device = "auto";
  int64_t threads = 0;
};

// For `nmt eval --model`: what is translated, and where the translations go, one for each line of `source`.
struct TranslateForEvalOptions {
  std::vector<std::string> models;
  std::string source;  // file
  std::optional<int64_t> beam;
  std::string device = "auto";
  int64_t threads = 0;
  std::vector<std::string>* translations = nullptr;
};

struct ScoreOptions {
  std::vector<std::string> models;  // model or run directories; several are an ensemble
  std::vector<double> weights;      // of the models; none: equal ones
  std::string average = "log";      // log or linear
  std::string source;               // file, or "-"
  std::string target;               // file, or "-"
  std::string output = "-";
  std::string format = "text";  // text, tsv or jsonl
  bool per_token = false;
  int64_t max_length = 5000;           // pieces of a side
  std::string normalization = "gnmt";  // none, average or gnmt
  std::optional<double> length_penalty;
  double word_reward = 0;
  double coverage_penalty = 0;
  std::optional<int64_t> batch_sentences;
  std::string device = "auto";
  int64_t threads = 0;
};

struct AttentionOptions {
  std::vector<std::string> models;    // model or run directories, shown side by side
  std::optional<std::string> source;  // a sentence; else `input`
  std::optional<std::string> target;  // its translation; else the model's own
  std::string input;                  // file of sentences, or "-"
  std::string target_file;            // file of their translations, or "-"; empty: the model's own
  bool pieces = false;                // tokens are pieces instead of words
  std::string format;                 // html, svg or json
  std::string output = "-";
  std::string device = "auto";
  int64_t threads = 0;
};

struct ExportOptions {
  std::string model;   // model or run directory
  std::string output;  // new directory
};

struct AverageOptions {
  std::vector<std::string> models;  // model or run directories
  std::string output;               // new directory
};

struct InspectOptions {
  std::string model;  // model or run directory
  bool json = false;
};

}  // namespace nmt

extern "C" {
void nmt_train(const nmt::TrainOptions& options);
void nmt_translate(const nmt::TranslateOptions& options);
void nmt_translate_for_eval(const nmt::TranslateForEvalOptions& options);
void nmt_score(const nmt::ScoreOptions& options);
void nmt_attention(const nmt::AttentionOptions& options);
void nmt_export(const nmt::ExportOptions& options);
void nmt_average(const nmt::AverageOptions& options);
void nmt_inspect(const nmt::InspectOptions& options);
}
