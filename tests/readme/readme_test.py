#!/usr/bin/env python3
"""The commands in README.md and docs/ exist, with their flags and files, and the quick ones work.

Usage: readme_test.py PROGRAM    (the nmt to ask and to run in place of build/nmt)

Every code block that begins with ```sh is checked. Those that begin with ```sh run are run too, in a folder that has
data, configs and build/nmt.
"""

import functools
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DOCUMENTS = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").rglob("*.md"))]
PROGRAM = None
OTHERS = {"git", "cd", "cat", "echo", "printf", "head", "sed", "zcat", "cmake", "ctest"}
OURS = re.compile(r"(?:\.\./)*((?:configs|docs|examples|scripts|src|tests|cmake|data/demo)/[\w./-]*\w)")


@functools.cache
def help_of(*command):
    """The help of a script or a verb, or None where there is no such verb."""
    answer = subprocess.run([*command, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                            timeout=60)
    return answer.stdout if answer.returncode == 0 else None


@functools.cache
def verbs_of(*command):
    """Names under "Verbs:" in a help."""
    listed = re.search(r"^Verbs:\n((?: +.*\n?)+)", help_of(*command) or "", re.MULTILINE)
    return re.findall(r"^  (\w[\w-]*)", listed.group(1), re.MULTILINE) if listed else []


def blocks(text):
    """(info string, content) of each code block."""
    return re.findall(r"^```([^\n`]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(script):
    """The simple commands of a shell script, as lists of words; redirections are left out."""
    for line in script.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = []
        for word in lexer:
            if word in {"|", "&&", "||", ";", "&"}:
                if words:
                    yield words
                words = []
            else:
                words.append(word)
        if words:
            yield words


def unknown_flags(words, text):
    flags = [word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return [flag for flag in flags if not re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", text)]


def problems_of_command(words):
    """What is wrong with a command, in words."""
    while len(words) > 1 and re.match("[A-Z_]+=", words[0]):  # an environment variable for it
        words = words[1:]
    name = words[0]
    problems = [f"no file {match.group(1)}" for word in words if (match := OURS.fullmatch(word))
                and not (PROJECT / match.group(1)).exists()]
    if name.startswith("scripts/"):
        if not problems:
            problems += [f"{name} has no {flag}" for flag in unknown_flags(words, help_of(PROJECT / name))]
    elif name in ("nmt", "build/nmt"):
        path, rest = [PROGRAM], words[1:]
        while rest and rest[0] in verbs_of(*path):
            path.append(rest.pop(0))
        if len(path) == 1 and not (rest and rest[0].startswith("--")):
            return [*problems, f"nmt has no verb {rest[0] if rest else ''}"]
        if verbs_of(*path) and rest and not rest[0].startswith("-"):
            problems.append(f"nmt {' '.join(path[1:])} has no verb {rest[0]}")
        problems += [f"nmt {' '.join(path[1:])} has no {flag}" for flag in unknown_flags(rest, help_of(*path))]
    elif name not in OTHERS:
        problems.append(f"what is {name}?")
    return problems


def problems_of_text(text):
    """What is wrong with a document: commands of its code blocks, files that it names in running text."""
    problems = []
    for info, content in blocks(text):
        if info.split()[:1] == ["sh"]:
            for words in commands(content):
                problems += problems_of_command(words)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`([^`\n]+)`", prose):
        if (match := OURS.fullmatch(code)) and not (PROJECT / match.group(1)).exists():
            problems.append(f"no file {code}")
        if verb := re.fullmatch(r"(?:build/)?nmt ([a-z]+)((?: [a-z]+)?)", code):
            problems += problems_of_command(["nmt", *verb.group(0).split()[1:]])
    return problems


def broken_links(path):
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text(encoding="utf-8"))
    return [target for target in targets if not (path.parent / target).exists()]


class Documents(unittest.TestCase):
    def test_commands_flags_and_files_exist(self):
        for path in DOCUMENTS:
            self.assertEqual(problems_of_text(path.read_text(encoding="utf-8")), [], path)

    def test_links_lead_somewhere(self):
        for path in DOCUMENTS:
            self.assertEqual(broken_links(path), [], path)

    def test_the_readme_names_every_verb_and_every_script(self):
        text = (PROJECT / "README.md").read_text(encoding="utf-8")
        wanted = [f"nmt {verb}" for verb in verbs_of(PROGRAM)]
        wanted += [f"scripts/{path.name}" for path in (PROJECT / "scripts").iterdir() if path.is_file()]
        self.assertGreater(len(wanted), 10)
        self.assertEqual([name for name in wanted if f"| `{name}` |" not in text], [], "no row in a table of README.md")

    def test_the_index_names_every_document(self):
        index = (PROJECT / "docs/README.md").read_text(encoding="utf-8")
        for path in (PROJECT / "docs").rglob("*.md"):
            self.assertTrue(path.name == "README.md" or f"({path.relative_to(PROJECT / 'docs')})" in index, path)

    def test_the_quick_commands_work(self):
        for path in DOCUMENTS:
            content = "".join(content for info, content in blocks(path.read_text(encoding="utf-8"))
                              if info.split() == ["sh", "run"])
            with tempfile.TemporaryDirectory() as folder:
                for name in ("data", "configs"):
                    (Path(folder) / name).symlink_to(PROJECT / name)
                (Path(folder) / "build").mkdir()
                (Path(folder) / "build/nmt").symlink_to(PROGRAM)
                answer = subprocess.run(["bash", "-euo", "pipefail", "-c", content], cwd=folder, capture_output=True,
                                        stdin=subprocess.DEVNULL, text=True, check=False, timeout=240)
                self.assertEqual(answer.returncode, 0, f"{path}\n{answer.stdout}\n{answer.stderr}")


class TheCheckItself(unittest.TestCase):
    def test_what_is_right_passes(self):
        for command in ("scripts/setup --cuda", "build/nmt train --config configs/demo.json --set a=b",
                        "nmt config check my.json && cat x | nmt translate --model=y > z", "nmt --version",
                        "NMT_CUDA_OPERATORS=on build/nmt train --output x", "nmt train \\\n  --config configs/demo.json", "# nothing to see"):
            self.assertEqual(problems_of_text(f"```sh\n{command}\n```\n"), [], command)

    def test_what_is_wrong_is_found(self):
        for command, problem in {
                "scripts/nothing": "no file scripts/nothing",
                "scripts/setup --cuba": "scripts/setup has no --cuba",
                "nmt tarin --config x": "nmt has no verb tarin",
                "SOME_WORD=on nmt tarin": "nmt has no verb tarin",
                "echo x | build/nmt translate --modle y": "nmt translate has no --modle",
                "nmt train \\\n  --confi x": "nmt train has no --confi",
                "nmt config chekc x": "nmt config has no verb chekc",
                "nmt train --config configs/nothing.json": "no file configs/nothing.json",
                "make install": "what is make?"}.items():
            self.assertEqual(problems_of_text(f"```sh\n{command}\n```\n"), [problem], command)
        self.assertEqual(problems_of_text("See `src/nothing.cpp` and `nmt tarin`.\n"),
                         ["no file src/nothing.cpp", "nmt has no verb tarin"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
