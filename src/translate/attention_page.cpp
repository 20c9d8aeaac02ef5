#include "translate/attention_page.h"

#include <algorithm>

#include "base/error.h"
#include "base/stop.h"
#include "translate/heat_map.h"
#include "translate/label_text.h"

namespace nmt {

namespace {

constexpr const char* kHead =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>Attention</title>\n";

constexpr const char* kPageStyle =
    "body{margin:1.5rem;background:#ffffff;color:#1b1f24;font:16px/1.5 system-ui,'Noto Sans','DejaVu "
    "Sans',sans-serif}\n"
    "h1{font-size:1.4rem;margin:0}\n"
    "h2{font-size:1.1rem;margin:2rem 0 0}\n"
    "p{margin:.3rem 0 .8rem;max-width:60rem}\n"
    ".panels{display:flex;flex-wrap:wrap;gap:1.5rem 2.5rem;align-items:flex-start}\n"
    "figure{margin:0;min-width:0;max-width:100%}\n"
    "figcaption{overflow-wrap:anywhere;margin-bottom:.4rem;max-width:60rem}\n"
    ".scroll{overflow:auto;max-width:100%;padding:3px}\n"
    ".scroll:focus-visible{outline:2px solid #1f5fa8}\n"
    ".scroll svg{display:block}\n"
    "output{display:block;min-height:1.5em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    "details{max-width:60rem;overflow-wrap:anywhere}\n"
    "@media (prefers-color-scheme:dark){\n"
    "body{background:#16191d;color:#e6e9ed}\n"
    ".scroll:focus-visible{outline-color:#8ec5ff}\n"
    "}\n";

constexpr const char* kIntroduction =
    "<h1>Attention</h1>\n"
    "<p>Each row is a token of the translation, each column a token of the source, &lt;/s&gt; the end of the sentence. "
    "The stronger a cell, the more of its attention the model gave to that source token while it chose the token of "
    "the row; a row sums to 1. Point at a cell to read its weight, or use Tab and the arrow keys.</p>\n";

// Marks the cell pointed at or reached by the arrow keys, and writes what it says under the map.
constexpr const char* kScript =
    "<script>\n"
    "for (const figure of document.querySelectorAll('figure')) {\n"
    "  const rows = [...figure.querySelectorAll('svg g')].map(row => [...row.children]);\n"
    "  const output = figure.querySelector('output');\n"
    "  let at = null, t = 0, s = -1;\n"
    "  const mark = cell => {\n"
    "    if (at) at.classList.remove('at');\n"
    "    at = cell;\n"
    "    if (cell) { cell.classList.add('at'); output.textContent = cell.textContent; }\n"
    "  };\n"
    "  rows.forEach((row, i) => row.forEach((cell, j) =>\n"
    "    cell.addEventListener('pointerenter', () => { t = i; s = j; mark(cell); })));\n"
    "  figure.querySelector('.scroll').addEventListener('keydown', event => {\n"
    "    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];\n"
    "    if (!step || !rows.length || event.altKey || event.ctrlKey || event.metaKey) return;\n"
    "    event.preventDefault();\n"
    "    if (s < 0) { t = s = 0; } else {\n"
    "      t = Math.min(Math.max(t + step[0], 0), rows.length - 1);\n"
    "      s = Math.min(Math.max(s + step[1], 0), rows[t].length - 1);\n"
    "    }\n"
    "    mark(rows[t][s]);\n"
    "    at.scrollIntoView({block: 'nearest', inline: 'nearest'});\n"
    "  });\n"
    "}\n"
    "</script>\n";

std::string pixels(double value) { return std::to_string(static_cast<int>(value + 0.999)); }

std::string size_attributes(double width, double height) {
  return " width=\"" + pixels(width) + "\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " + pixels(width) + " " +
         pixels(height) + "\"";
}

std::string name_of(const AttentionMap& map) {
  return escape_markup((map.model.empty() ? "" : map.model + ": ") + map.source + " \u2192 " + map.target);
}

std::string html_map(const AttentionMap& map, size_t maps, size_t id) {
  const Drawing drawing = draw_heat_map(map, maps);
  const std::string number = std::to_string(id);
  const std::string description = escape_markup(describe_heat_map(map));
  std::string out = "<figure>\n<figcaption>";
  if (!map.model.empty()) out += "<b>" + escape_markup(map.model) + "</b><br>";
  out += "<bdi>" + escape_markup(map.source) + "</bdi><br><bdi>" + escape_markup(map.target) +
         "</bdi></figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"t" + number +
         "\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"t" + number +
         "\" aria-describedby=\"d" + number + "\"" + size_attributes(drawing.width, drawing.height) +
         ">\n<title id=\"t" + number + "\">" + name_of(map) + "</title>\n<desc id=\"d" + number + "\">" + description +
         "</desc>\n" + drawing.body + "</svg>\n</div>\n<output aria-live=\"polite\"></output>\n" +
         "<details><summary>In words</summary><p>" + description + "</p></details>\n</figure>\n";
  return out;
}

// One below the other: title and note, then the maps side by side.
class SvgImage {
 public:
  void add(const AttentionFigure& figure) {
    if (!figure.title.empty()) add_text(figure.title, 16);
    if (!figure.note.empty()) add_text(figure.note, 13);
    double x = kMargin;
    double height = 0;
    for (const AttentionMap& map : figure.maps) {
      const Drawing drawing = draw_heat_map(map, figure.maps.size());
      double top = y_;
      if (!map.model.empty()) {
        body_ += "<text class=\"t\" font-size=\"13\" font-weight=\"bold\" x=\"" + pixels(x) + "\" y=\"" +
                 pixels(top + 13) + "\">" + escape_markup(shorten_label(map.model, drawing.width / 13)) + "</text>\n";
        top += 24;
      }
      body_ += "<svg role=\"img\" x=\"" + pixels(x) + "\" y=\"" + pixels(top) + "\"" +
               size_attributes(drawing.width, drawing.height) + ">\n<title>" + name_of(map) + "</title>\n<desc>" +
               escape_markup(describe_heat_map(map)) + "</desc>\n" + drawing.body + "</svg>\n";
      x += drawing.width + kGap;
      height = std::max(height, top - y_ + drawing.height);
    }
    width_ = std::max(width_, x - kGap + kMargin);
    y_ += height + kGap;
  }

  std::string text() const {
    const double height = std::max(y_ - kGap + kMargin, 2 * kMargin);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + size_attributes(width_, height) + ">\n<title>Attention" +
           "</title>\n<style>\n" + heat_map_style() +
           ".p{fill:#ffffff}\n@media (prefers-color-scheme:dark){.p{fill:#16191d}}\n</style>\n" +
           "<rect class=\"p\" width=\"100%\" height=\"100%\"/>\n" + body_ + "</svg>\n";
  }

 private:
  static constexpr double kMargin = 16;
  static constexpr double kGap = 32;

  void add_text(const std::string& text, double size) {
    body_ += "<text class=\"t\" font-size=\"" + pixels(size) + "\" x=\"" + pixels(kMargin) + "\" y=\"" +
             pixels(y_ + size) + "\">" + escape_markup(text) + "</text>\n";
    width_ = std::max(width_, 2 * kMargin + size * label_width(text));
    y_ += 1.8 * size;
  }

  std::string body_;
  double width_ = 2 * kMargin;
  double y_ = kMargin;
};

void check_stop() {
  if (stop_requested()) throw InterruptedError("Interrupted while drawing.");
}

}  // namespace

std::string attention_svg(std::span<const AttentionFigure> figures) {
  SvgImage image;
  for (const AttentionFigure& figure : figures) {
    check_stop();
    image.add(figure);
  }
  return image.text();
}

std::string attention_page(std::span<const AttentionFigure> figures) {
  std::string page = kHead;
  page += "<style>\n" + heat_map_style() + kPageStyle + "</style>\n</head>\n<body>\n<main>\n" + kIntroduction;
  size_t id = 0;
  for (const AttentionFigure& figure : figures) {
    check_stop();
    page += "<section>\n";
    if (!figure.title.empty()) page += "<h2>" + escape_markup(figure.title) + "</h2>\n";
    if (!figure.note.empty()) page += "<p>" + escape_markup(figure.note) + "</p>\n";
    page += "<div class=\"panels\">\n";
    for (const AttentionMap& map : figure.maps) page += html_map(map, figure.maps.size(), ++id);
    page += "</div>\n</section>\n";
  }
  return page + "</main>\n" + kScript + "</body>\n</html>\n";
}

}  // namespace nmt
