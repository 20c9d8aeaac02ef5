#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/strings.h"
#include "support/process.h"
#include "support/temporary_folder.h"

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
    {"tranlate --model x", "'nmt' has no verb 'tranlate'. Did you mean 'translate'?"},
    {"--quiet tranlate --model x y", "'nmt' has no verb 'tranlate'. Did you mean 'translate'?"},
    {"config shw --set a=1", "'nmt config' has no verb 'shw'. Did you mean 'show'?"},
    {"train", "--config is required. See 'nmt train --help'."},
    {"train --confg x", "Unknown flag --confg of 'nmt train'. Did you mean '--config'?"},
    {"train --confg=x", "Unknown flag --confg of 'nmt train'. Did you mean '--config'?"},
    {"train -device cpu", "Unknown flag -device of 'nmt train'. Did you mean '--device'?"},
    {"--device cpu train", "Unknown flag --device of 'nmt'. See 'nmt --help'."},
    {"inspect --model m",
     "Unknown flag --model of 'nmt inspect'. MODEL is given without a flag. See 'nmt inspect --help'."},
    {"export --model m",
     "Unknown flag --model of 'nmt export'. MODEL and OUTPUT are given without a flag. See 'nmt export --help'."},
    {"train --config x -x", "Unknown flag -x of 'nmt train'. See 'nmt train --help'."},
    {"train --config x y", "Unexpected argument 'y' of 'nmt train'. The configuration is given by --config FILE."},
    {"train --config x ", "Unexpected argument '' of 'nmt train'. The configuration is given by --config FILE."},
    {"train --config x --set a=1 b=2",
     "Unexpected argument 'b=2' of 'nmt train'. The configuration is given by --config FILE."},
    {"translate --model a b",
     "Unexpected argument 'b' of 'nmt translate'. Text is given by --input FILE, each model by a --model of its own."},
    {"translate --model a --weight 1 2 --model b",
     "Unexpected argument '2' of 'nmt translate'. Text is given by --input FILE, each model by a --model of its own."},
    {"translate --model a --forbid x b",
     "Unexpected argument 'b' of 'nmt translate'. Text is given by --input FILE, each model by a --model of its own."},
    {"score --model a b",
     "Unexpected argument 'b' of 'nmt score'. Texts are given by --source FILE and --target FILE, each model by a "
     "--model of its own."},
    {"attention --model a b --source x",
     "Unexpected argument 'b' of 'nmt attention'. Sentences are given by --source TEXT or --input FILE, each model by "
     "a --model of its own."},
    {"eval --model a b --source x --reference r",
     "Unexpected argument 'b' of 'nmt eval'. Texts are given by --hypothesis FILE and --reference FILE, each model by "
     "a --model of its own."},
    {"tokenizer encode --model a b",
     "Unexpected argument 'b' of 'nmt tokenizer encode'. Text is given by --input FILE."},
    {"config suggest a b",
     "Unexpected argument 'a' of 'nmt config suggest'. Texts are given by --src FILE and --tgt FILE."},
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
    {"translate --model m --top-k 5", "--top-k does nothing without --sample. See 'nmt translate --help'."},
    {"translate --model m --seed 5", "--seed does nothing without --sample. See 'nmt translate --help'."},
    {"translate --model m --temperature 1", "--temperature does nothing without --sample. See 'nmt translate --help'."},
    {"translate --model m --top-p 0.5", "--top-p does nothing without --sample. See 'nmt translate --help'."},
    {"translate --model m --sample --beam 5", "--beam does nothing with --sample. See 'nmt translate --help'."},
    {"translate --model m --sample --patience 2", "--patience does nothing with --sample. See 'nmt translate --help'."},
    {"translate --model m --sample --diversity-groups 5",
     "--diversity-groups does nothing with --sample. See 'nmt translate --help'."},
    {"translate --model m --diversity-penalty 2",
     "--diversity-penalty does nothing without --diversity-groups. See 'nmt translate --help'."},
    {"translate --model m --normalization none --length-penalty 2",
     "--length-penalty does nothing with --normalization none. See 'nmt translate --help'."},
    {"translate --model m --weight 2", "--weight does nothing with one --model. See 'nmt translate --help'."},
    {"translate --model m --average linear", "--average does nothing with one --model. See 'nmt translate --help'."},
    {"score --model m --source s --target t --word-reward 1",
     "--word-reward does nothing with --format text, which has no score. See 'nmt score --help'."},
    {"score --model m --source s --target t --average log",
     "--average does nothing with one --model. See 'nmt score --help'."},
    {"eval --hypothesis h --reference r --beam 2", "--beam does nothing without --model. See 'nmt eval --help'."},
    {"eval --hypothesis h --reference r --source s",
     "--source does nothing without --model or --by-length. See 'nmt eval --help'."},
    {"eval --hypothesis h --reference r --seed 2",
     "--seed does nothing without --confidence or --paired-bs or --paired-ar. See 'nmt eval --help'."},
    {"eval --hypothesis h --reference r --confidence-n 2",
     "--confidence-n does nothing without --confidence. See 'nmt eval --help'."},
    {"eval --hypothesis h --reference r --smooth-value 2",
     "--smooth-value does nothing without --smooth-method floor or add-k. See 'nmt eval --help'."},
    {"eval --hypothesis h --reference r --chrf-beta 2",
     "--chrf-beta does nothing without --metrics chrf. See 'nmt eval --help'."},
    {"eval --hypothesis h --reference r --metrics ter --tokenize char",
     "--tokenize does nothing without --metrics bleu. See 'nmt eval --help'."},
    {"translate --model m --output ", "--output: expected a path, found nothing."},
    {"translate --model m --input ", "--input: expected a path, found nothing."},
    {"translate --model ", "--model: expected a path, found nothing."},
    {"translate --model m --model ", "--model: expected a path, found nothing."},
    {"score --model m --target t --source ", "--source: expected a path, found nothing."},
    {"eval --hypothesis h --reference ", "--reference: expected a path, found nothing."},
    {"tokenizer encode --model ", "--model: expected a path, found nothing."},
    {"train --config ", "--config: expected a path, found nothing."},
    {"config show ", "FILE: expected a path, found nothing."},
    {"config check ", "FILE: expected a path, found nothing."},
    {"inspect ", "MODEL: expected a path, found nothing."},
    {"average --output x m ", "MODEL: expected a path, found nothing."},
    {"train --config x --output ", "--output: expected a path, found nothing."},
    {"export m ", "OUTPUT: expected a path, found nothing."},
    {"average m --output x", "An average needs two models or more; m is one."},
    {"train --resume", "--resume needs the run: give its directory by --output, or its --config."},
    {"attention --model m --source a --output a.txt",
     "The ending of --output a.txt is none of .html, .svg and .json; add one, or say --format."},
    {"attention --model m --source a --output a",
     "The ending of --output a is none of .html, .svg and .json; add one, or say --format."},
    {"tran", "'nmt' has no verb 'tran'. Did you mean 'train'?"},
    {"convert",
     "'nmt' has no verb 'convert'. Its verbs are train, translate, eval, score, attention, inspect, export, average, "
     "tokenizer, config."},
    {"config suggest --src a --tgt b --valid-src c",
     "--valid-src requires --valid-tgt. See 'nmt config suggest --help'."}};

// No input may be lost by becoming the output, whatever name it has there.
TEST(Overwriting, TheInputIsNotOverwritten) {
  const TemporaryFolder folder;
  const std::string text = folder.file("text.json", "one\n");
  const std::string link = (folder.path() / "link.json").string();
  std::filesystem::create_symlink(text, link);
  const std::vector<std::vector<std::string>> commands = {
      {"translate", "--model", "m", "--input", text, "--output", text},
      {"translate", "--model", "m", "--input", text, "--output", link},
      {"translate", "--model", "m", "--dictionary", text, "--output", text},
      {"score", "--model", "m", "--source", text, "--target", text, "--output", link},
      {"attention", "--model", "m", "--input", text, "--output", text},
      {"tokenizer", "train", "--input", text, "--output", text},
      {"tokenizer", "encode", "--model", "m", "--input", text, "--output", text},
      {"tokenizer", "decode", "--model", text, "--input", "-", "--output", text},
      {"eval", "--hypothesis", text, "--reference", text, "--source", text, "--by-length", "--plot", link}};
  for (const std::vector<std::string>& command : commands) {
    const ProcessResult result = run_nmt(command);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(command);
    EXPECT_THAT(result.errors, testing::HasSubstr(" too and would be overwritten; choose another"));
    EXPECT_EQ(read_file(text), "one\n");
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, Usage, testing::ValuesIn(kBadUsages));

}  // namespace
}  // namespace nmt::test
