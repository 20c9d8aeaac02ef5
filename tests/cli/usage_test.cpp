#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "support/process.h"

namespace nmt::test {
namespace {

struct BadUsage {
  const char* arguments;  // divided by blanks
  const char* message;
};

class Usage : public testing::TestWithParam<BadUsage> {};

TEST_P(Usage, EndsWithTwoAndOneSentence) {
  const ProcessResult result = run_nmt(split(GetParam().arguments, ' '));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors, std::string("nmt: error: ") + GetParam().message + "\n");
}

const BadUsage kBadUsages[] = {
    {"trian", "'nmt' has no verb 'trian'. Did you mean 'train'?"},
    {"hlep", "'nmt' has no verb 'hlep'. Did you mean 'help'?"},
    {"--hlep", "Unknown flag --hlep of 'nmt'. Did you mean '--help'?"},
    {"config", "'nmt config' needs a verb: show, check, schema, suggest. See 'nmt config --help'."},
    {"config shw", "'nmt config' has no verb 'shw'. Did you mean 'show'?"},
    {"train", "--config is required. See 'nmt train --help'."},
    {"train --confg x", "Unknown flag --confg of 'nmt train'. Did you mean '--config'?"},
    {"train --confg=x", "Unknown flag --confg of 'nmt train'. Did you mean '--config'?"},
    {"train -device cpu", "Unknown flag -device of 'nmt train'. Did you mean '--device'?"},
    {"--device cpu train", "Unknown flag --device of 'nmt'. See 'nmt --help'."},
    {"train --config x -x", "Unknown flag -x of 'nmt train'. See 'nmt train --help'."},
    {"train --config x y", "Unexpected argument 'y' of 'nmt train'. See 'nmt train --help'."},
    {"train --config x ", "Unexpected argument '' of 'nmt train'. See 'nmt train --help'."},
    {"train --config", "--config needs a value. See 'nmt train --help'."},
    {"train --config x --config y", "--config takes one value but is given twice or more. See 'nmt train --help'."},
    {"eval --width 2 -w 3", "--width takes one value but is given twice or more. See 'nmt eval --help'."},
    {"train --config x --resume --overwrite", "--resume excludes --overwrite. See 'nmt train --help'."},
    {"train --config x --set seed", "--set seed: expected KEY=VALUE, as --set train.seed=3."},
    {"train --config x --device gpu", "--device: expected auto, cpu, cuda or cuda:N, found 'gpu'."},
    {"train --config x --device cuda:", "--device: expected auto, cpu, cuda or cuda:N, found 'cuda:'."},
    {"train --config x --threads -1", "--threads: expected a whole number between 0 and 1024, found '-1'."},
    {"train --config x --threads two", "--threads: expected a whole number between 0 and 1024, found 'two'."},
    {"translate --model m --beam 0", "--beam: expected a whole number between 1 and 1000, found '0'."},
    {"translate --model m --beam 99999999999999999999",
     "--beam: expected a whole number between 1 and 1000, found '99999999999999999999'."},
    {"translate --model m --beam 2.5", "--beam: expected a whole number between 1 and 1000, found '2.5'."},
    {"translate --model m --length-penalty nan", "--length-penalty: expected a number between 0 and 100, found 'nan'."},
    {"translate --model m --precision flot32",
     "--precision: expected one of float32, bfloat16, int8, found 'flot32'. Did you mean 'float32'?"},
    {"translate --model m --beam 2 --n-best 3", "--n-best (3) can't exceed --beam (2)."},
    {"translate --model m --n-best 2 --format text",
     "--format text prints one translation a line; several (--n-best) need tsv, jsonl or marian-n-best."},
    {"translate --model m --alignment sof",
     "--alignment: expected one of hard, soft, found 'sof'. Did you mean 'soft'?"},
    {"translate --model m --alignment soft",
     "--alignment soft needs --format jsonl; the other formats hold hard ones."},
    {"config suggest --src a --tgt b --valid-src c",
     "--valid-src requires --valid-tgt. See 'nmt config suggest --help'."}};

INSTANTIATE_TEST_SUITE_P(Cli, Usage, testing::ValuesIn(kBadUsages));

}  // namespace
}  // namespace nmt::test
