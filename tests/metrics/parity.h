#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "metrics/corpus.h"
#include "metrics/metric_from_params.h"
#include "metrics/shared_data.h"

// Rows of expected values against what this project computes: the score to 1e-9, the signature to the letter.
namespace nmt::metrics {

using Row = std::map<std::string, std::string>;

constexpr double kParity = 1e-9;

inline void expect_numbers(const nlohmann::json& expected, const std::vector<double>& found, const char* what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(expected[i].get<double>(), found[i], kParity) << what;
}

inline void expect_details(const nlohmann::json& expected, const Metric& metric, const CorpusCounts& counts) {
  if (const auto* bleu = dynamic_cast<const Bleu*>(&metric)) {
    const BleuScore found = bleu->details(counts.sums);
    expect_numbers(expected["counts"], found.counts, "counts");
    expect_numbers(expected["totals"], found.totals, "totals");
    expect_numbers(expected["precisions"], found.precisions, "precisions");
    EXPECT_NEAR(expected["bp"].get<double>(), found.brevity_penalty, kParity);
    EXPECT_EQ(expected["sys_len"].get<int64_t>(), found.hypothesis_length);
    EXPECT_EQ(expected["ref_len"].get<int64_t>(), found.reference_length);
  } else if (metric.name() == "TER") {
    EXPECT_EQ(expected["num_edits"].get<int64_t>(), std::llround(counts.sums[0]));
    EXPECT_NEAR(expected["ref_length"].get<double>(), counts.sums[1], kParity);
  }
}

inline void expect_corpus_row(Row& row, FileCache& files) {
  SCOPED_TRACE(row["hyp"] + " " + row["refs"] + " " + row["metric"] + " " + row["params"]);
  const auto metric = metric_from_params(row["metric"], nlohmann::json::parse(row["params"]));
  const CorpusCounts counts = count_corpus(*metric, files.lines(row["hyp"]), files.references(row["refs"]));
  const Score score = metric->score(counts.sums);
  EXPECT_NEAR(std::stod(row["score"]), score.value, kParity);
  EXPECT_EQ(row["metric"], score.name);
  EXPECT_EQ(row["signature_short"], counts.signature.text(SignatureVersion::kSacreBleu, true));
  EXPECT_EQ(row["signature_verbose"], counts.signature.text(SignatureVersion::kSacreBleu));
  if (!row["details"].empty()) expect_details(nlohmann::json::parse(row["details"]), *metric, counts);
}

inline void expect_sentence_row(Row& row, const Metric& metric, FileCache& files) {
  SCOPED_TRACE(row["hyp"] + " " + row["refs"] + " " + row["metric"] + " " + row["params"] + ", line " + row["line"]);
  const size_t line = std::stoul(row["line"]) - 1;
  const CorpusCounts counts =
      count_corpus(metric, {files.lines(row["hyp"]).at(line)}, {files.references(row["refs"]).at(line)});
  EXPECT_NEAR(std::stod(row["score"]), metric.value(counts.sums), kParity);
  EXPECT_EQ(row["signature_verbose"], counts.signature.text(SignatureVersion::kSacreBleu));
}

}  // namespace nmt::metrics
