#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/process.h"

namespace nmt::test {
namespace {

struct BadUsage {
  std::vector<std::string> arguments;
  std::string message;
};

class Usage : public testing::TestWithParam<BadUsage> {};

TEST_P(Usage, EndsWithTwoAndOneSentence) {
  const ProcessResult result = run_nmt(GetParam().arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors, "nmt: error: " + GetParam().message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, Usage,
    testing::Values(
        BadUsage{{"trian"}, "'nmt' has no verb 'trian'. Did you mean 'train'?"},
        BadUsage{{"hlep"}, "'nmt' has no verb 'hlep'. Did you mean 'help'?"},
        BadUsage{{"--hlep"}, "Unknown flag --hlep of 'nmt'. Did you mean '--help'?"},
        BadUsage{{"config"}, "'nmt config' needs a verb: show, check, schema, suggest. See 'nmt config --help'."},
        BadUsage{{"config", "shw"}, "'nmt config' has no verb 'shw'. Did you mean 'show'?"},
        BadUsage{{"train"}, "--config is required. See 'nmt train --help'."},
        BadUsage{{"train", "--confg", "x"}, "Unknown flag --confg of 'nmt train'. Did you mean '--config'?"},
        BadUsage{{"train", "--confg=x"}, "Unknown flag --confg of 'nmt train'. Did you mean '--config'?"},
        BadUsage{{"train", "-device", "cpu"}, "Unknown flag -device of 'nmt train'. Did you mean '--device'?"},
        BadUsage{{"--device", "cpu", "train"}, "Unknown flag --device of 'nmt'. See 'nmt --help'."},
        BadUsage{{"train", "--config", "x", "-x"}, "Unknown flag -x of 'nmt train'. See 'nmt train --help'."},
        BadUsage{{"train", "--config", "x", "y"}, "Unexpected argument 'y' of 'nmt train'. See 'nmt train --help'."},
        BadUsage{{"train", "--config", "x", ""}, "Unexpected argument '' of 'nmt train'. See 'nmt train --help'."},
        BadUsage{{"train", "--config"}, "--config needs a value. See 'nmt train --help'."},
        BadUsage{{"train", "--config", "x", "--resume", "--overwrite"},
                 "--resume excludes --overwrite. See 'nmt train --help'."},
        BadUsage{{"train", "--config", "x", "--set", "seed"}, "--set seed: expected KEY=VALUE, as --set train.seed=3."},
        BadUsage{{"train", "--config", "x", "--device", "gpu"},
                 "--device: expected auto, cpu, cuda or cuda:N, found 'gpu'."},
        BadUsage{{"train", "--config", "x", "--device", "cuda:"},
                 "--device: expected auto, cpu, cuda or cuda:N, found 'cuda:'."},
        BadUsage{{"train", "--config", "x", "--threads", "-1"},
                 "--threads: expected a whole number between 0 and 1024, found '-1'."},
        BadUsage{{"train", "--config", "x", "--threads", "two"},
                 "--threads: expected a whole number between 0 and 1024, found 'two'."},
        BadUsage{{"translate", "--model", "m", "--beam", "0"},
                 "--beam: expected a whole number between 1 and 1000, found '0'."},
        BadUsage{{"translate", "--model", "m", "--beam", "99999999999999999999"},
                 "--beam: expected a whole number between 1 and 1000, found '99999999999999999999'."},
        BadUsage{{"translate", "--model", "m", "--beam", "2.5"},
                 "--beam: expected a whole number between 1 and 1000, found '2.5'."},
        BadUsage{{"translate", "--model", "m", "--length-penalty", "nan"},
                 "--length-penalty: expected a number between 0 and 100, found 'nan'."},
        BadUsage{{"translate", "--model", "m", "--precision", "flot32"},
                 "--precision: expected one of float32, bfloat16, int8, found 'flot32'. Did you mean 'float32'?"},
        BadUsage{{"translate", "--model", "m", "--beam", "2", "--n-best", "3"},
                 "--n-best (3) can't exceed --beam (2)."},
        BadUsage{{"config", "suggest", "--src", "a", "--tgt", "b", "--valid-src", "c"},
                 "--valid-src requires --valid-tgt. See 'nmt config suggest --help'."}));

}  // namespace
}  // namespace nmt::test
