// Every case of the shared metric data against sacreBLEU's figures.
#include "metrics/parity.h"

namespace nmt::metrics {
namespace {

using nlohmann::json;

TEST(Parity, CorpusScores) {
  NMT_SKIP_WITHOUT_SHARED("data/metrics/expected.tsv");
  FileCache files(shared_metrics());
  std::vector<Row> rows = read_table(shared_metrics() / "expected.tsv");
  EXPECT_EQ(rows.size(), 2364u);
  for (Row& row : rows) expect_corpus_row(row, files);
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
  NMT_SKIP_WITHOUT_SHARED("data/metrics/expected_sentence.tsv");
  FileCache files(shared_metrics());
  std::vector<Row> rows = read_table(shared_metrics() / "expected_sentence.tsv");
  EXPECT_EQ(rows.size(), 11567u);
  for (Row& row : rows) expect_sentence_row(row, *sentence_metric(row["metric"]), files);
}

}  // namespace
}  // namespace nmt::metrics
