#include "data/validation_set.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "data/word_tokenizer.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

TEST(ValidationSet, KeepsEveryLine) {
  const test::TemporaryFolder folder;
  std::string endless;
  for (int i = 0; i < 5000; ++i) endless += "7 ";
  const ParallelFilesConfig files = {{folder.file("v.src", "4 5\n\n" + endless + "\n6\n")},
                                     {folder.file("v.tgt", " 10  \n11\n12\n\n")}};
  TextConfig text;
  const ValidationSet set = load_validation_set(files, text, test::word_tokenizers());
  ASSERT_EQ(set.size(), 4);
  EXPECT_EQ(set.references, (std::vector<std::string>{" 10  ", "11", "12", ""}));
  EXPECT_EQ(set.sources[0], "4 5");
  EXPECT_EQ(set.examples[0], (Example{{4, 5}, {10}, 1}));
  EXPECT_EQ(set.examples[1], (Example{{}, {11}, 2}));
  EXPECT_EQ(set.examples[2].source.size(), 5000u);
  EXPECT_EQ(set.examples[3], (Example{{6}, {}, 4}));
  std::map<int64_t, int> seen;
  for (const Batch& batch : set.batches({100, 100, 8})) {
    for (const int64_t line : batch.lines) ++seen[line];
    EXPECT_TRUE(batch.target_output.defined());
  }
  EXPECT_EQ(seen, (std::map<int64_t, int>{{1, 1}, {2, 1}, {3, 1}, {4, 1}}));
}

TEST(ValidationSet, UnequalCountsAreAnError) {
  const test::TemporaryFolder folder;
  const ParallelFilesConfig files = {{folder.file("v.src", "4\n5\n")}, {folder.file("v.tgt", "4\n")}};
  EXPECT_THROW(load_validation_set(files, {}, test::word_tokenizers()), DataError);
}

}  // namespace
}  // namespace nmt
