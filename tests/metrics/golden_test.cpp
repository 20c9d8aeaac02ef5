// The project's own sentences, in several languages and full of traps, against expected values that
// scripts/make_metric_goldens wrote with sacreBLEU.
#include "metrics/parity.h"

namespace nmt::metrics {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(NMT_SOURCE_DIR) / "tests/metrics/data";

TEST(Golden, CorpusScores) {
  FileCache files(kFolder);
  std::vector<Row> rows = read_table(kFolder / "expected.tsv");
  EXPECT_EQ(rows.size(), 216u);
  for (Row& row : rows) expect_corpus_row(row, files);
}

TEST(Golden, SentenceScores) {
  FileCache files(kFolder);
  std::vector<Row> rows = read_table(kFolder / "expected_sentence.tsv");
  EXPECT_EQ(rows.size(), 784u);
  for (Row& row : rows) {
    const auto metric = metric_from_params(row["metric"], nlohmann::json::parse(row["params"]));
    expect_sentence_row(row, *metric, files);
  }
}

}  // namespace
}  // namespace nmt::metrics
