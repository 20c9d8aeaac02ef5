#include "translate/attention_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "invented_map.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "translate/heat_map.h"
#include "translate/label_text.h"

namespace nmt {
namespace {

using test::invented_map;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kFive = {"Elle", "aime", "le", "thé", "vert"};
const std::vector<std::string> kEnglish = {"She", "likes", "green", "tea"};
const std::vector<std::string> kNasty = {
    "<b>", "a&b", "\"x'", "]]>", std::string("nul\0!", 5), "\x1b[31m", "مرحبا", "</title><script>alert(1)</script>"};

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string python() {
  for (const char* path : {"/usr/bin/python3", "/usr/local/bin/python3"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return "";
}

// Empty where an XML parser accepts the text, else what it says.
std::string xml_error(const std::string& text) {
  const test::ProcessResult result = test::run_process(
      {python(), "-c", "import sys, xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())"}, {.input = text});
  return result.exit_code == 0 ? "" : "failed: " + result.errors;
}

TEST(LabelText, EscapesMarkupAndWhatXmlForbids) {
  EXPECT_EQ(escape_markup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escape_markup(std::string("\0\x1b\x7f\t\n", 5)), "\uFFFD\uFFFD\uFFFD  ");
  EXPECT_EQ(escape_markup("\uFFFE\u0085é"), "\uFFFD\uFFFDé");
}

TEST(LabelText, IsShortenedBetweenWholeCharacters) {
  EXPECT_EQ(shorten_label("short", 10), "short");
  const std::string cut = shorten_label("Donaudampfschifffahrt", 6);
  EXPECT_THAT(cut, ::testing::StartsWith("Donau"));
  EXPECT_THAT(cut, ::testing::EndsWith("…"));
  EXPECT_LE(label_width(cut), 6);
  const std::string family = "👩‍👩‍👧‍👦";  // one character as readers see it
  const std::string families = family + family + family + family;
  EXPECT_THAT(shorten_label(families, label_width(families) - 0.1),
              ::testing::AnyOf(family + "…", family + family + "…", family + family + family + "…"));
  EXPECT_GT(label_width("日本"), label_width("ab"));
  EXPECT_EQ(label_width("e\u0301"), label_width("e"));  // a combining accent
}

TEST(HeatMap, HasACellForEachWeightAndALabelForEachToken) {
  const Drawing drawing = draw_heat_map(invented_map(kFive, kEnglish));
  EXPECT_EQ(count(drawing.body, "<rect class=\"c\""), 30U);
  EXPECT_EQ(count(drawing.body, "<text class=\"s\""), 6U);
  EXPECT_EQ(count(drawing.body, "<text class=\"t\""), 5U);
  EXPECT_EQ(count(drawing.body, "<g>"), 5U);
  EXPECT_THAT(drawing.body, Not(HasSubstr("rotate")));  // short labels of few tokens lie
  EXPECT_THAT(draw_heat_map(invented_map(std::vector<std::string>(60, "Wort"), kFive)).body, HasSubstr("rotate(-90"));
}

TEST(HeatMap, IsSmallerWhereSeveralStandSideBySide) {
  const AttentionMap map = invented_map(std::vector<std::string>(14, "Wort"), std::vector<std::string>(14, "word"));
  EXPECT_GT(draw_heat_map(map).width, 620);
  EXPECT_LT(draw_heat_map(map, 2).width, 560);
  EXPECT_GT(draw_heat_map(map, 9).width, 14 * 18);  // but a label's line still fits
}

TEST(HeatMap, TellsEachWeight) {
  AttentionMap map = invented_map({"thé"}, {"tea"});
  map.weights = {{0.25F, 0.75F}, {0.0004F, 0.9996F}};
  const std::string body = draw_heat_map(map).body;
  EXPECT_THAT(body, HasSubstr("fill-opacity=\"0.250\"><title>tea ← thé 0.250</title></rect>"));
  EXPECT_THAT(body, HasSubstr("fill-opacity=\"0.000\"><title>&lt;/s&gt; ← thé 0.000</title></rect>"));
  EXPECT_THAT(body, HasSubstr(">0.75</text>"));
  EXPECT_EQ(describe_heat_map(map), "Largest weight of each target token: tea ← </s> 0.75; </s> ← </s> 1.00.");
}

TEST(AttentionSvg, IsWellFormedWhateverTheTokensAre) {
  if (python().empty()) GTEST_SKIP() << "no python3";
  const AttentionFigure nasty = {"<Line & 1>", "", {invented_map(kNasty, kNasty, "m<&"), invented_map(kFive, kNasty)}};
  const AttentionFigure blank = {"Line 2", "A blank line.", {}};
  EXPECT_EQ(xml_error(attention_svg(std::vector{nasty, blank})), "");
  EXPECT_EQ(xml_error(attention_svg({})), "");
  EXPECT_NE(xml_error("<svg>&</svg>"), "");
}

TEST(AttentionPage, EscapesEverythingAndLoadsNothing) {
  const std::string page =
      attention_page(std::vector<AttentionFigure>{{"", "", {invented_map(kNasty, kNasty, "m<&")}}});
  EXPECT_EQ(count(page, "<script"), 1U);
  EXPECT_THAT(page, HasSubstr("&lt;/title&gt;&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  const std::regex loads(R"re((?:src|href|srcset|poster|data)\s*=|@import|url\()re");
  EXPECT_FALSE(std::regex_search(page, loads));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(page, HasSubstr("role=\"img\" aria-labelledby=\"t1\" aria-describedby=\"d1\""));
}

class Layout : public ::testing::Test {
 protected:
  test::ProcessResult check(const std::string& page, int width) const {
    if (python().empty()) return {77, "no python3", "", false, 0};
    return test::run_process({python(), std::string(NMT_SOURCE_DIR) + "/tests/translate/check_layout.py",
                              folder_.file("page.html", page), std::to_string(width)},
                             {.timeout_s = 300});
  }

  // Five tokens, twice side by side, and sixty.
  static std::string page() {
    const std::vector<std::string> words = {
        "Donaudampfschifffahrtsgesellschaft", "der", "Häuser", "mmmmmmmmmmmm", "a", "WWWW", "größer,"};
    std::vector<std::string> source;
    std::vector<std::string> target;
    for (size_t i = 0; i < 60; ++i) {
      source.push_back(words[i % words.size()]);
      target.push_back(words[(3 * i + 1) % words.size()]);
    }
    return attention_page(std::vector<AttentionFigure>{
        {"Line 1", "", {invented_map(kFive, kEnglish, "a"), invented_map(kFive, kEnglish, std::string(300, 'b'))}},
        {"Line 2", "A blank line.", {}},
        {"Line 3", "", {invented_map(source, target)}}});
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Layout, NothingOverlapsOrLeavesThePage) {
  for (const int width : {1280, 640}) {
    const test::ProcessResult result = check(page(), width);
    if (result.exit_code == 77) GTEST_SKIP() << result.output;
    EXPECT_EQ(result.exit_code, 0) << "in a window of " << width << ": " << result.output << result.errors;
  }
}

TEST_F(Layout, WhatOverlapsIsFound) {
  const std::string turned = std::regex_replace(page(), std::regex("rotate\\(-90"), "rotate(0");
  const test::ProcessResult result = check(turned, 1280);
  if (result.exit_code == 77) GTEST_SKIP() << result.output;
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("overlap"));
}

}  // namespace
}  // namespace nmt
