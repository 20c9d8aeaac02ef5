#include "config/config_helpers.h"

namespace nmt {
namespace {

struct BadText {
  const char* text;
  const char* message;
};

class BrokenJson : public testing::TestWithParam<BadText> {};

TEST_P(BrokenJson, IsReportedWithLineAndColumn) { EXPECT_EQ(complaint(GetParam().text), GetParam().message); }

const BadText kBadTexts[] = {
    {"", "run.json:1:1: the file is empty; expected an object in braces."},
    {" \n ", "run.json:1:1: the file is empty; expected an object in braces."},
    {"{\n  \"train\": {",
     "run.json:2:13: the file ends too early; a closing brace, bracket, quote or comment "
     "end is missing."},
    {"{\"train\": {}, }", "run.json:1:15: a comma before '}'; remove it."},
    {"{\"train\": {}\n \"text\": {}}",
     "run.json:2:2: a comma (or a colon, after a key) is missing before this "
     "text."},
    {"{'train': {}}", "run.json:1:2: texts and keys stand in double quotes, not single ones."},
    {"{train: {}}", "run.json:1:2: 'train' needs double quotes: keys and texts stand in them."},
    {"{\"train\": {\"seed\": NaN}}", "run.json:1:20: 'NaN' is no JSON value; numbers are finite."},
    {"{\"train\": {\"seed\": -Infinity}}", "run.json:1:20: '-Infinity' is no JSON value; numbers are finite."},
    {"{\"text\": {\"joint\": True}}", "run.json:1:20: 'True' is no JSON value; write true."},
    {"{\"train\": {\"max_minutes\": 1e400}}", "run.json:1:27: the number 1e400 is too large."},
    {"{\"train\": {\"seed\": 1.}}", "run.json:1:20: '1.' is no JSON number."},
    {"{\"train\": {\"seed\": seven}}", "run.json:1:20: 'seven' needs double quotes: keys and texts stand in them."},
    {"{\"train\": {\"seed\": 007}}", "run.json:1:20: '007' is no JSON number."},
    {"# Title\n{}", "run.json:1:1: this is no JSON; expected an object in braces."},
    {"\n  train.seed = 3\n", "run.json:2:3: this is no JSON; expected an object in braces."},
    {"{\"train\" 3}", "run.json:1:10: '3' has no place here."},
    {"{\"train\": [1 2]}", "run.json:1:14: '2' has no place here."},
    {"{] ", "run.json:1:2: ']' has no place here."},
    {"{} x", "run.json:1:4: more text after the end of the configuration."},
    {"{}{}", "run.json:1:3: more text after the end of the configuration."},
    {"{\"a\nb\": 1}", "run.json:1:4: a text ends before its closing double quote."},
    {"{\"a\\q\": 1}", "run.json:1:5: a text holds a control character or an escape that JSON doesn't know."},
    {"{\"a\\udc00\": 1}",
     "run.json:1:4: \\udc00 is half of a character (a surrogate): one of D800 to DBFF and one of DC00 to DFFF belong "
     "together, as in \\ud83d\\ude00."},
    {"{ / \"a\": 1}", "run.json:1:3: a comment begins with // or stands between /* and */."},
    {"{\"é\": \xff}", "run.json:1:7: byte 0xff is not UTF-8; save the file as UTF-8."},
    {"// caf\xe9\n{}", "run.json:1:7: byte 0xe9 is not UTF-8; save the file as UTF-8."},
    {"[1]", "run.json: expected an object in braces, found a list."},
    {"3", "run.json: expected an object in braces, found the number 3."},
    {"null", "run.json: expected an object in braces, found null."}};

INSTANTIATE_TEST_SUITE_P(Config, BrokenJson, testing::ValuesIn(kBadTexts));

TEST(ConfigSyntax, CommentsAndByteOrderMarkAndWindowsLinesAreTaken) {
  const Config config = parse_complete("\xEF\xBB\xBF{ // one\r\n /* two */ \"train\": {\"seed\": 7}}\r\n");
  EXPECT_EQ(config.train.seed, 7);
}

TEST(ConfigSyntax, HugeNestingIsRefused) {
  const std::string lists(100000, '[');
  EXPECT_THAT(complaint("{\"train\": " + lists), testing::EndsWith("nested more than 32 levels deep."));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_THAT(complaint(objects), testing::EndsWith("nested more than 32 levels deep."));
}

TEST(ConfigSyntax, DuplicateKeysAreErrors) {
  EXPECT_EQ(complaint("{\"train\": {\"seed\": 1,\n\"log_every\": 2,\n\"seed\": 1},\n\"train\": {}}"),
            "run.json:3: train.seed: given twice, first in line 1.\n"
            "run.json:4: train: given twice, first in line 1.");
}

TEST(ConfigSyntax, TruncatedAndChangedTextsGiveACleanErrorOrAConfiguration) {
  const std::string text = to_json(parse_complete("{}"));
  for (size_t length = 0; length + 2 < text.size(); length += 11) {
    EXPECT_NE(complaint(text.substr(0, length)), "") << length;
  }
  const std::string bytes("\0\"{9\xff,", 6);
  for (size_t at = 0; at < text.size(); at += 7) {
    std::string changed = text;
    changed[at] = bytes[at % bytes.size()];
    complaint(changed);  // throws nothing but UsageError
  }
}

}  // namespace
}  // namespace nmt
