#include "translate/input_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace nmt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

LineRequest json(const std::string& line) { return parse_line(line, 7, InputFormat::kJsonl, "in.jsonl"); }

std::string complaint(const std::string& line) {
  try {
    json(line);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(InputFormat, AnObjectSaysWhatIsWanted) {
  const LineRequest all = json(
      R"({"id": {"doc": 3}, "text": "le th\u00e9\nvert", "prefix": "The", "constraints": ["green tea", "x\ty"], "_x": [1]})");
  EXPECT_EQ(all.text, "le th\u00e9\nvert");
  EXPECT_EQ(all.target_prefix, "The");
  EXPECT_THAT(all.constraints, ElementsAre("green tea", "x\ty"));
  EXPECT_EQ(all.id, R"({"doc": 3})");
  EXPECT_EQ(all.number, 7U);
  const LineRequest little = json(R"(  {"text": "", "prefix": null, "constraints": null}  )");
  EXPECT_EQ(little.text, "");
  EXPECT_EQ(little.target_prefix, "");
  EXPECT_THAT(little.constraints, IsEmpty());
  EXPECT_EQ(little.id, "");
}

// Parsed as a double an id would lose digits.
TEST(InputFormat, AnIdComesOutAsItWentIn) {
  for (const std::string id :
       {"12345678901234567890123", "-0.10", "1.50e3", "18446744073709551616", R"("a\"},{\u00e9")", "[1, {\"id\": 2}]",
        "null", R"({"text": "x", "n": 98765432109876543210.5})"}) {
    EXPECT_EQ(parse_line("{\"text\": \"a: {\\\"id\\\": 1}, \", \"id\" : " + id + " }", 1, InputFormat::kJsonl, "in").id,
              id);
    EXPECT_EQ(
        parse_line("{\"\\u0069d\":" + id + ",\"_x\": {\"id\": 7}, \"text\":\"a\"}", 1, InputFormat::kJsonl, "in").id,
        id);
  }
}

TEST(InputFormat, ALineHasAHundredConstraintsAtMost) {
  std::string line = "text\t";
  for (int i = 0; i < 100; ++i) line += "\tx";
  EXPECT_EQ(parse_line(line, 7, InputFormat::kTsv, "in.tsv").constraints.size(), 100u);
  try {
    parse_line(line + "\tx", 7, InputFormat::kTsv, "in.tsv");
    ADD_FAILURE();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "in.tsv:7: the line has 101 constraints; at most 100 are possible.");
  }
}

TEST(InputFormat, ABlankLineIsBlank) {
  for (const char* blank : {"", "  ", "\t", "\u00a0"}) EXPECT_EQ(json(blank).text, blank);
}

TEST(InputFormat, WhatIsWrongWithAnObjectIsSaidAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"text": "a", "prefx": "b"})", "unknown key 'prefx'"},
      {R"({"text": "a", "prefx": "b"})", "Did you mean 'prefix'?"},
      {R"({"text": "a", "constraint": ["b"]})", "Did you mean 'constraints'?"},
      {R"({"text": "a", "author": 1})", "names of your own begin with _."},
      {R"({"prefix": "a"})", "the key text, what is to be translated, is missing."},
      {R"({"text": null})", "text: expected a string, found null."},
      {R"({"text": 3})", "text: expected a string, found the number 3."},
      {R"({"text": "a", "constraints": "b"})", "constraints: expected a list of strings, found the string \"b\"."},
      {R"({"text": "a", "constraints": ["b", 2]})", "constraints: expected a string, found the number 2."},
      {R"({"text": "a", "text": "b"})", "the key text is given twice."},
      {R"(["a"])", "expected an object as {\"text\": \"...\"}, found a list."},
      {R"("a")", "found the string \"a\"."},
      {"plain text", "column 1: this is no JSON; expected an object in braces"},
      {R"({"text": "a",})", "column 14: a comma before '}'; remove it."},
      {R"({"text": "a")", "the line ends before its JSON does."},
      {"{", "the line ends before its JSON does."},
      {R"({"text": "a"} {})", "column 15"},
      {R"({"text": "\ud800"})", "column 11: \\ud800 is half of a character (a surrogate)"},
      {R"({"text": "abc\uDFff de"})", "column 14: \\uDFff is half of a character (a surrogate)"},
      {R"({"text": "\ud800\u0041"})", "column 11: \\ud800 is half of a character (a surrogate)"},
      {R"({"text": "\u0041\ud83d\n"})", "column 17: \\ud83d is half of a character (a surrogate)"},
      {R"({"text": "\ud83d", "prefix": "\u0041"})", "column 11: \\ud83d is half of a character (a surrogate)"},
      {R"({"text": "a", "id": 1e400})", "a number is too large."},
      {"{\"text\": \"\xc3\xa9\xff\"}", "byte 0xff at column 12 is not UTF-8."},
  };
  for (const auto& [line, message] : cases) {
    EXPECT_THAT(complaint(line), StartsWith("in.jsonl:7: ")) << line;
    EXPECT_THAT(complaint(line), HasSubstr(message)) << line;
  }
  EXPECT_NE(complaint(std::string(100000, '[')), "");
  EXPECT_NE(complaint(std::string("{\"text\": \"nul \0\"}", 17)), "");
}

TEST(InputFormat, ColumnsAreTextPrefixAndConstraints) {
  const LineRequest all = parse_line("text\tThe\tgreen tea\t\tcup", 2, InputFormat::kTsv, "x");
  EXPECT_EQ(all.text, "text");
  EXPECT_EQ(all.target_prefix, "The");
  EXPECT_THAT(all.constraints, ElementsAre("green tea", "", "cup"));
  EXPECT_EQ(all.number, 2U);
  EXPECT_EQ(parse_line("text", 1, InputFormat::kTsv, "x").text, "text");
  EXPECT_EQ(parse_line("", 1, InputFormat::kTsv, "x").text, "");
  EXPECT_EQ(parse_line("a\tb\t{", 1, InputFormat::kText, "x").text, "a\tb\t{");
}

TEST(InputFormat, NamesAreChecked) {
  EXPECT_EQ(parse_input_format("text"), InputFormat::kText);
  EXPECT_EQ(parse_input_format("jsonl"), InputFormat::kJsonl);
  EXPECT_THROW(parse_input_format("json"), UsageError);
}

}  // namespace
}  // namespace nmt
