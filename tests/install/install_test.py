#!/usr/bin/env python3
"""An installed tree works where it is moved to, and the example is built and run against it.

Usage: install_test.py CMAKE BUILD_FOLDER COMPILER
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MODEL = PROJECT / "tests/program/numbers_model"
CMAKE, BUILD, COMPILER = None, None, None


def run(*command, stdin="", check=True, env=None):
    answer = subprocess.run([str(word) for word in command], input=stdin, capture_output=True, text=True, check=False,
                            timeout=240, cwd="/", env=env)
    if check and answer.returncode != 0:
        raise AssertionError(f"{command}: exit code {answer.returncode}\n{answer.stdout}\n{answer.stderr}")
    return answer


def install(prefix, *options, mode="COPY"):
    run(CMAKE, "--install", BUILD, "--prefix", prefix, *options, env={**os.environ, "CMAKE_INSTALL_MODE": mode})


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        install(folder / "first")
        cls.prefix = folder / "moved/to here"
        cls.prefix.parent.mkdir()
        (folder / "first").rename(cls.prefix)
        cls.library_folder = next(cls.prefix.rglob("libnmt_torch.so")).parent
        source, cls.example_build = PROJECT / "examples/translate_lines", folder / "example"
        run(CMAKE, "-S", source, "-B", cls.example_build, f"-DCMAKE_PREFIX_PATH={cls.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_CXX_STANDARD=17", "-DCMAKE_CXX_EXTENSIONS=OFF",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
        run(CMAKE, "--build", cls.example_build)
        cls.example = cls.example_build / "translate_lines"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_the_tree_is_complete(self):
        for name in ("bin/nmt", "include/nmt/translator.h", "include/nmt/error.h", "share/doc/nmt/LICENSE",
                     "share/doc/nmt/docs/cpp.md", "share/doc/nmt/examples/translate_lines/CMakeLists.txt"):
            self.assertTrue((self.prefix / name).is_file(), name)
        for name in ("libnmt.so", "libnmt_core.so", "libnmt_torch.so", "cmake/nmt/nmtConfig.cmake",
                     "cmake/nmt/nmtConfigVersion.cmake"):
            self.assertTrue((self.library_folder / name).exists(), name)

    def test_the_package_names_no_folder_of_this_machine(self):
        for path in [*self.prefix.rglob("*.cmake"), *(self.prefix / "include").rglob("*.h")]:
            text = path.read_text(encoding="utf-8")
            self.assertNotIn(str(PROJECT), text, path)
            self.assertNotIn(str(BUILD), text, path)

    def test_the_program_runs(self):
        self.assertRegex(run(self.prefix / "bin/nmt", "--version").stdout, r"^nmt \d+\.\d+\.\d+")
        answer = run(self.prefix / "bin/nmt", "translate", "--model", MODEL, "--device", "cpu", "--quiet",
                     stdin="cinq\n\ntrois un sept\n")
        self.assertEqual(answer.stdout, "five\n\nthree one seven\n")

    def test_the_example_translates(self):
        answer = run(self.example, MODEL, stdin="cinq\n\ntrois un sept\n")
        rows = answer.stdout.splitlines()
        self.assertEqual([row.split("\t")[1] for row in rows if row][0], "five", answer.stdout)
        # What version 0.1.0 printed when the model was made.
        self.assertIn("-0.0260\tthree one seven", rows)
        self.assertIn("0.0000\t", rows)
        self.assertEqual(answer.stderr, "")

    def test_the_example_tells_of_errors(self):
        answer = run(self.example, "/nowhere", check=False)
        self.assertEqual((answer.returncode, answer.stdout), (4, ""))
        self.assertRegex(answer.stderr, r"^translate_lines: .*/nowhere.*\n$")
        self.assertEqual(run(self.example, check=False).returncode, 2)

    def test_the_example_links_the_one_library(self):
        needed = run("ldd", self.example).stdout
        self.assertIn(str(self.library_folder), needed)
        self.assertNotRegex(needed, "torch|c10|nmt_core|sentencepiece|spdlog|icu")

    def test_a_missing_part_is_an_exception(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in self.library_folder.glob("libnmt.so*"):
                shutil.copy(path, folder)
            answer = run(self.example, MODEL, check=False, env={**os.environ, "LD_LIBRARY_PATH": folder})
            self.assertEqual(answer.returncode, 5)
            self.assertRegex(answer.stderr, f"^translate_lines: .*libnmt_torch.so, which is not in {folder}.*\n$")
            (Path(folder) / "libnmt_torch.so").write_text("garbage", encoding="utf-8")
            answer = run(self.example, MODEL, check=False, env={**os.environ, "LD_LIBRARY_PATH": folder})
            self.assertEqual(answer.returncode, 5)
            self.assertRegex(answer.stderr, f"^translate_lines: Can't load {folder}/libnmt_torch.so: .*\n$")

    def test_only_the_public_names_are_exported(self):
        symbols = run("nm", "-DC", "--defined-only", self.library_folder / "libnmt.so").stdout
        names = {match.group(1) for match in re.finditer(r" [TBDR] (.*)", symbols)}
        self.assertTrue(any("nmt::Translator::translate_lines" in name for name in names), symbols)
        self.assertEqual([name for name in names if not re.search(r"nmt::(Translator::|validate\()", name)], [])

    def test_another_minor_version_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for wanted, found in (("0.1", True), ("0.1.0", True), ("0.2", False), ("1", False), ("99", False)):
                (Path(folder) / "CMakeLists.txt").write_text(
                    "cmake_minimum_required(VERSION 3.16)\nproject(x LANGUAGES NONE)\n"
                    f"find_package(nmt {wanted} REQUIRED)\n", encoding="utf-8")
                answer = run(CMAKE, "-S", folder, "-B", Path(folder) / wanted, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                             check=False)
                self.assertEqual(answer.returncode == 0, found, f"{wanted}\n{answer.stderr}")

    def test_libtorch_that_is_installed_too_is_the_one_taken(self):
        install(self.prefix, "--component", "LibTorch", mode="ABS_SYMLINK")  # quicker than copies of 0.5 GB
        bundle = self.library_folder / "nmt/torch/lib"
        if not (bundle / "libtorch_cpu.so").exists():
            self.skipTest("built with a LibTorch of its own, which isn't bundled")
        needed = run("ldd", self.library_folder / "libnmt_torch.so").stdout
        self.assertIn(f"libtorch_cpu.so => {bundle}", needed.replace("/./", "/"))
        self.assertNotIn("not found", needed)
        self.assertRegex(needed, r"libcudart\S* => " + re.escape(str(self.library_folder)))
        self.assertEqual(run(self.example, MODEL, stdin="un\n").stdout.split("\t")[1].split("\n")[0], "one")


if __name__ == "__main__":
    CMAKE, BUILD, COMPILER = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
