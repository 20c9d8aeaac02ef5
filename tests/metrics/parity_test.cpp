// Every case of the shared metric data against sacreBLEU's figures: the score to 1e-9, the signature to the letter.
#include <gtest/gtest.h>

#include <cmath>

#include "metrics/corpus.h"
#include "metrics/metric_from_params.h"
#include "metrics/shared_data.h"

namespace nmt::metrics {
namespace {

using nlohmann::json;

constexpr double kTolerance = 1e-9;

void expect_numbers(const json& expected, const std::vector<double>& found, const char* what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(expected[i].get<double>(), found[i], kTolerance) << what;
}

void expect_details(const json& expected, const Metric& metric, const CorpusCounts& counts) {
  if (const auto* bleu = dynamic_cast<const Bleu*>(&metric)) {
    const BleuScore found = bleu->details(counts.sums);
    expect_numbers(expected["counts"], found.counts, "counts");
    expect_numbers(expected["totals"], found.totals, "totals");
    expect_numbers(expected["precisions"], found.precisions, "precisions");
    EXPECT_NEAR(expected["bp"].get<double>(), found.brevity_penalty, kTolerance);
    EXPECT_EQ(expected["sys_len"].get<int64_t>(), found.hypothesis_length);
    EXPECT_EQ(expected["ref_len"].get<int64_t>(), found.reference_length);
  } else if (metric.name() == "TER") {
    EXPECT_EQ(expected["num_edits"].get<int64_t>(), std::llround(counts.sums[0]));
    EXPECT_NEAR(expected["ref_length"].get<double>(), counts.sums[1], kTolerance);
  }
}

TEST(Parity, CorpusScores) {
  NMT_SKIP_WITHOUT_SHARED("data/metrics/expected.tsv");
  FileCache files(shared_metrics());
  size_t checked = 0;
  for (auto& row : read_table(shared_metrics() / "expected.tsv")) {
    SCOPED_TRACE(row["hyp"] + " " + row["refs"] + " " + row["metric"] + " " + row["params"]);
    const auto metric = metric_from_params(row["metric"], json::parse(row["params"]));
    const CorpusCounts counts = count_corpus(*metric, files.lines(row["hyp"]), files.references(row["refs"]));
    const Score score = metric->score(counts.sums);
    EXPECT_NEAR(std::stod(row["score"]), score.value, kTolerance);
    EXPECT_EQ(row["metric"], score.name);
    EXPECT_EQ(row["signature_short"], counts.signature.text(SignatureVersion::kSacreBleu, true));
    EXPECT_EQ(row["signature_verbose"], counts.signature.text(SignatureVersion::kSacreBleu));
    if (!row["details"].empty()) expect_details(json::parse(row["details"]), *metric, counts);
    ++checked;
  }
  EXPECT_EQ(checked, 2364u);
}

// A metric from the name in expected_sentence.tsv: "BLEU-eff-exp-13a", "TER-normalized", "chrF2++".
std::unique_ptr<Metric> sentence_metric(const std::string& name) {
  const std::vector<std::string> parts = split(name, '-');
  json params = json::object();
  if (parts[0] == "BLEU") {
    const std::string smoothing = parts.at(2) == "addk" ? "add-k" : parts.at(2);
    params = {{"effective_order", parts.at(1) == "eff"}, {"smooth_method", smoothing}, {"tokenize", parts.at(3)}};
  }
  if (name == "chrF2++") params = {{"word_order", 2}};
  if (name == "TER-normalized") params = {{"normalized", true}};
  return metric_from_params(parts[0], params);
}

TEST(Parity, SentenceScores) {
  NMT_SKIP_WITHOUT_SHARED("data/metrics/expected.tsv");
  FileCache files(shared_metrics());
  size_t checked = 0;
  for (auto& row : read_table(shared_metrics() / "expected_sentence.tsv")) {
    SCOPED_TRACE(row["hyp"] + " " + row["refs"] + " " + row["metric"] + ", line " + row["line"]);
    const auto metric = sentence_metric(row["metric"]);
    const size_t line = std::stoul(row["line"]) - 1;
    const CorpusCounts counts =
        count_corpus(*metric, {files.lines(row["hyp"]).at(line)}, {files.references(row["refs"]).at(line)});
    EXPECT_NEAR(std::stod(row["score"]), metric->value(counts.sums), kTolerance);
    EXPECT_EQ(row["signature_verbose"], counts.signature.text(SignatureVersion::kSacreBleu));
    ++checked;
  }
  EXPECT_EQ(checked, 11567u);
}

}  // namespace
}  // namespace nmt::metrics
