#!/usr/bin/env python3
"""Checks the layout of a page of heat maps in a headless browser.

Usage: check_layout.py PAGE WIDTH    (a file; width of the window in pixels)

Prints a line for each thing that is wrong and exits with 1; exits with 77 where there is no Chromium.
"""

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Runs inside the page and leaves what is wrong as a JSON list in a <pre>.
MEASURE = """
<script>
addEventListener('load', () => {
  const problems = [];
  const box = element => {
    const r = element.getBoundingClientRect();
    return {left: r.left, right: r.right, top: r.top, bottom: r.bottom};
  };
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
                            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const page = document.documentElement;
  if (innerWidth !== WIDTH) problems.push(`the window is ${innerWidth} pixels wide`);
  if (page.scrollWidth > innerWidth) problems.push(`the page is ${page.scrollWidth} pixels wide`);
  const figures = [...document.querySelectorAll('figure')];
  figures.forEach((figure, i) => figures.slice(0, i).forEach((other, j) => {
    if (overlap(box(figure), box(other))) problems.push(`figures ${j} and ${i} overlap`);
  }));
  let labels = 0;
  for (const [i, svg] of [...document.querySelectorAll('svg')].entries()) {
    const frame = box(svg);
    const scroll = svg.parentElement;
    const fits = svg.clientWidth <= scroll.clientWidth;
    if (!fits && getComputedStyle(scroll).overflowX !== 'auto') problems.push(`map ${i} is cut off`);
    if (box(scroll).right > innerWidth + 1) problems.push(`map ${i} leaves the page`);
    const cells = box(svg.querySelector('.f'));
    const boxes = [...svg.querySelectorAll('.s, .t')].map(label => [label.textContent, box(label)]);
    labels += boxes.length;
    boxes.forEach(([text, a], k) => {
      if (!inside(a, frame)) problems.push(`map ${i}: the label ${text} leaves the image`);
      if (overlap(a, cells)) problems.push(`map ${i}: the label ${text} lies on cells`);
      for (const [other, b] of boxes.slice(0, k)) {
        if (overlap(a, b)) problems.push(`map ${i}: the labels ${text} and ${other} overlap`);
      }
    });
    for (const value of svg.querySelectorAll('.v')) {
      if (!inside(box(value), cells)) problems.push(`map ${i}: a value leaves the cells`);
    }
  }
  if (labels === 0) problems.push('there are no labels');
  const result = document.createElement('pre');
  result.id = 'layout-problems';
  result.textContent = JSON.stringify(problems);
  document.body.append(result);
});
</script>
"""


def problems_of(page, width, browser):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "page.html"
        text = page.read_text(encoding="utf-8")
        copy.write_text(text.replace("</body>", MEASURE.replace("WIDTH", str(width)) + "</body>"), encoding="utf-8")
        answer = subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
             f"--window-size={width},900", "--virtual-time-budget=2000", "--dump-dom", copy.as_uri()],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=240)
    found = re.search(r'<pre id="layout-problems">(.*?)</pre>', answer.stdout, re.DOTALL)
    if found is None:
        return [f"the browser measured nothing (exit code {answer.returncode}): {answer.stderr[-500:]}"]
    return json.loads(html.unescape(found.group(1)))


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        print("no chromium (Debian package chromium)")
        return 77
    problems = problems_of(Path(sys.argv[1]), int(sys.argv[2]), browser)
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
