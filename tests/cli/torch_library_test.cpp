#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A copy of the program beside which stands another libnmt_torch.so, or none.
class TorchLibrary : public testing::Test {
 protected:
  TorchLibrary() { fs::copy_file(fs::path(NMT_BINARY_DIR) / "nmt", folder_.path() / "nmt"); }

  void with_fake() {
    const fs::path fake = fs::path(NMT_BINARY_DIR) / "tests/fake_torch/libnmt_torch.so";
    if (!fs::exists(fake)) GTEST_SKIP() << "built without LibTorch";
    fs::copy_file(fake, folder_.path() / "libnmt_torch.so");
  }

  ProcessResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), (folder_.path() / "nmt").string());
    return run_process(arguments, {.working_directory = "/"});
  }

  TemporaryFolder folder_;
};

TEST_F(TorchLibrary, IsLookedForBesideTheProgram) {
  const ProcessResult result = run({"train", "--config", "x"});
  EXPECT_EQ(result.exit_code, 5);
  const std::string installed = (folder_.path().parent_path() / "lib").string();
  EXPECT_EQ(result.errors, "nmt: error: This verb needs libnmt_torch.so, which is not in " + folder_.path().string() +
                               " or " + installed + ". Build it with scripts/build.\n");
}

TEST_F(TorchLibrary, ThatIsNoLibraryIsAClearError) {
  folder_.file("libnmt_torch.so", "garbage");
  const ProcessResult result = run({"translate", "--model", "x"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.errors, testing::StartsWith("nmt: error: Can't load " + folder_.path().string()));
}

TEST_F(TorchLibrary, IsNotNeededForOtherVerbs) {
  folder_.file("libnmt_torch.so", "garbage");
  EXPECT_EQ(run({"config", "show"}).exit_code, 0);
  EXPECT_EQ(run({"train", "--help"}).exit_code, 0);
}

TEST_F(TorchLibrary, ErrorsCrossItsBoundaryAsOneSentenceAndTheRightCode) {
  ASSERT_NO_FATAL_FAILURE(with_fake());
  if (IsSkipped()) return;
  struct Case {
    std::string how;
    int code;
    std::string message;
  };
  const std::string smaller = "; smaller batches need less (train.batch_tokens, --batch-sentences).\n";
  for (const Case& c :
       {Case{"usage", 2, "nmt: error: one\nnmt: error: two\n"}, Case{"data", 3, "nmt: error: bad text\n"},
        Case{"model", 4, "nmt: error: bad model\n"}, Case{"interrupted", 130, "nmt: Stopped; saved.\n"},
        Case{"torch", 1, "nmt: error: LibTorch failed: shapes differ\n"},
        Case{"cuda_memory", 5, "nmt: error: Out of GPU memory" + smaller},
        Case{"cuda_error", 5, "nmt: error: Out of GPU memory" + smaller},
        Case{"cpu_memory", 5, "nmt: error: Out of memory" + smaller},
        Case{"bad_alloc", 5, "nmt: error: Out of memory" + smaller},
        Case{"filesystem", 5, "nmt: error: /nowhere/file: No such file or directory.\n"},
        Case{"standard", 1, "nmt: error: LibTorch failed: vector::at\n"},
        Case{"number", 1, "nmt: error: An exception of unknown kind reached the end of a verb.\n"}}) {
    const ProcessResult result = run({"train", "--config", c.how});
    EXPECT_EQ(result.exit_code, c.code) << c.how;
    EXPECT_EQ(result.errors, c.message) << c.how;
    EXPECT_EQ(result.output, "") << c.how;
  }
}

TEST_F(TorchLibrary, OptionsArriveAsGiven) {
  ASSERT_NO_FATAL_FAILURE(with_fake());
  if (IsSkipped()) return;
  EXPECT_EQ(run({"train", "--config", "a/my.json"}).output, "a/my.json|runs/my|000|auto|0");
  EXPECT_EQ(run({"train", "--config", "-", "--set", "a.b=[1,2]", "--set=c=d=e", "--output", "o", "--resume",
                 "--dry-run", "--device", "cuda:1", "--threads", "3"})
                .output,
            "-|o|101|cuda:1|3|a.b=[1,2]|c=d=e");
  EXPECT_EQ(run({"translate", "--model", "m"}).output, "m |-|-|-1|1|-1|-1|-1|-1|float32|auto|0");
  EXPECT_EQ(run({"translate", "--model",
                 "m",         "--model",
                 "n",         "--input",
                 "i",         "--output",
                 "o",         "--beam",
                 "7",         "--n-best",
                 "2",         "--length-penalty",
                 "0.5",       "--max-length-ratio",
                 "1.5",       "--max-length-extra",
                 "3",         "--batch-sentences",
                 "9",         "--precision",
                 "int8",      "--device",
                 "cpu",       "--threads",
                 "2"})
                .output,
            "m n |i|o|7|2|0.5|1.5|3|9|int8|cpu|2");
}

TEST_F(TorchLibrary, OptionsOfScoreArriveAsGiven) {
  ASSERT_NO_FATAL_FAILURE(with_fake());
  if (IsSkipped()) return;
  EXPECT_EQ(run({"score", "--model", "m", "--source", "s", "--target", "-"}).output,
            "m |s|-|-|text|0|5000|gnmt|-1|0|0|-1|auto|0|log");
  EXPECT_EQ(run({"score",
                 "--model",
                 "m",
                 "--model",
                 "n",
                 "--weight",
                 "1",
                 "--weight",
                 "2",
                 "--average",
                 "linear",
                 "--source",
                 "-",
                 "--target",
                 "t",
                 "--output",
                 "o",
                 "--format",
                 "tsv",
                 "--per-token",
                 "--max-length",
                 "9",
                 "--normalization",
                 "average",
                 "--word-reward",
                 "0.2",
                 "--coverage-penalty",
                 "0.1",
                 "--batch-sentences",
                 "3",
                 "--device",
                 "cpu",
                 "--threads",
                 "2"})
                .output,
            "m n |-|t|o|tsv|1|9|average|-1|0.2|0.1|3|cpu|2|linear|1|2");
}

// Before the library is even looked for.
TEST_F(TorchLibrary, FilesOfUnequalLengthAreToldBeforeAModelIsLoaded) {
  const std::string two = folder_.file("two", "a\nb\n");
  const std::string one = folder_.file("one", "a\n");
  const ProcessResult result = run({"score", "--model", "m", "--source", two, "--target", one});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.errors, "nmt: error: Line by line the two texts belong together, but " + two + " has 2 lines and " +
                               one + " has 1.\n");
  EXPECT_EQ(run({"score", "--model", "m", "--source", "-", "--target", "-"}).exit_code, 2);
  EXPECT_EQ(run({"score", "--model", "m", "--source", one}).exit_code, 2);
}

TEST_F(TorchLibrary, OptionsOfAttentionArriveAsGiven) {
  ASSERT_NO_FATAL_FAILURE(with_fake());
  if (IsSkipped()) return;
  EXPECT_EQ(run({"attention", "--model", "m", "--source", "a b"}).output, "m |a b|-|||0|html|-|auto|0");
  EXPECT_EQ(run({"attention", "--model", "m", "--source", "a", "--output", "a.SVG"}).output,
            "m |a|-|||0|svg|a.SVG|auto|0");
  EXPECT_EQ(run({"attention", "--model", "m", "--source", "a", "--output", "x/y.svg"}).output,
            "m |a|-|||0|svg|x/y.svg|auto|0");
  EXPECT_EQ(run({"attention", "--model", "m", "--model", "n", "--input", "-", "--target-file", "t", "--pieces",
                 "--format", "json", "--output", "o.svg", "--device", "cpu", "--threads", "2"})
                .output,
            "m n |-|-|-|t|1|json|o.svg|cpu|2");
}

TEST_F(TorchLibrary, AttentionNeedsOneTextAndATargetOfItsKind) {
  const std::string one = folder_.file("one", "a\n");
  const std::string two = folder_.file("two", "a\nb\n");
  using Flags = std::vector<std::string>;
  for (const Flags& flags :
       {Flags{}, Flags{"--source", "a", "--input", one}, Flags{"--source", "a", "--target-file", one},
        Flags{"--input", one, "--target", "a"}, Flags{"--input", "-", "--target-file", "-"}}) {
    Flags command = {"attention", "--model", "m"};
    command.insert(command.end(), flags.begin(), flags.end());
    const ProcessResult result = run(command);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("--"));
  }
  EXPECT_EQ(run({"attention", "--model", "m", "--input", one, "--target-file", two}).exit_code, 3);
}

}  // namespace
}  // namespace nmt::test
