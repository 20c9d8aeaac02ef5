#!/usr/bin/env python3
"""What holds for every script that people run, and what scripts/setup does before it installs anything."""

import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(path for path in (PROJECT / "scripts").iterdir() if path.is_file())
SHELL = [path for path in SCRIPTS if path.read_text().startswith("#!/usr/bin/env bash")] + [PROJECT / ".ci/run"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=120, **options)


class EveryScript(unittest.TestCase):
    def test_is_executable_and_knows_its_interpreter(self):
        self.assertGreaterEqual(len(SCRIPTS), 8)
        for path in [*SCRIPTS, PROJECT / ".ci/run"]:
            self.assertTrue(path.stat().st_mode & stat.S_IXUSR, path)
            self.assertRegex(path.read_text().splitlines()[0], "^#!/usr/bin/env (bash|python3)$", path)

    def test_shell_scripts_stop_at_the_first_error(self):
        for path in SHELL:
            self.assertIn("\nset -euo pipefail\n", path.read_text(), path)

    def test_help_says_how_to_call_it_from_anywhere(self):
        for path in SCRIPTS:
            answer = run(path, "--help", cwd="/")
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), path)
            self.assertRegex(answer.stdout, rf"(?i)usage: (scripts/)?{path.name}\b")

    def test_help_is_given_without_doing_anything(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PROJECT / "scripts", Path(folder) / "scripts")
            before = sorted(Path(folder).rglob("*"))
            for path in SCRIPTS:
                run(Path(folder) / "scripts" / path.name, "--help", env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
            self.assertEqual(sorted(Path(folder).rglob("*")), before)

    def test_a_mistake_on_the_command_line_is_one_sentence_and_exit_2(self):
        for name, words in {"setup": ["--nonsense"], "build": ["nonsense"], "clean": ["--nonsense"],
                            "demo": ["nonsense"],
                            "gpu_check": ["nonsense"], "bench": ["nonsense"], "test_long": ["nonsense"],
                            "multi30k": ["/no/such/folder"]}.items():
            answer = run(PROJECT / "scripts" / name, *words)
            self.assertEqual(answer.returncode, 2, name)
            self.assertEqual((answer.stdout, answer.stderr.count("\n")), ("", 1), name)
            self.assertIn(words[0], answer.stderr)
            self.assertIn("--help", answer.stderr)

    @unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck here")
    def test_shellcheck_has_nothing_to_say(self):
        answer = run("shellcheck", "--external-sources", "--source-path=SCRIPTDIR", *SHELL,
                     *(PROJECT / "scripts/lib").glob("*.sh"))
        self.assertEqual(answer.stdout, "")


class Multi30k(unittest.TestCase):
    def test_missing_files_are_named_with_where_to_find_them(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("train.en", "train.fr.gz", "val.en", "val.fr", "test_2016_flickr.en"):
                (Path(folder) / name).touch()
            answer = run(PROJECT / "scripts/multi30k", folder, "en-fr")
            self.assertEqual(answer.returncode, 1)
            self.assertIn("no test_2016_flickr.fr in", answer.stderr)
            self.assertIn("multi30k/dataset", answer.stderr)

    def test_an_unknown_pair_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = run(PROJECT / "scripts/multi30k", folder, "en-cs")
            self.assertEqual(answer.returncode, 2)
            self.assertIn("en-de or en-fr", answer.stderr)


class Jobs(unittest.TestCase):
    """jobs_count of lib/common.sh with a memory and a core count of our choice."""

    def jobs(self, cores, memory_mib, **environment):
        code = (f"source {PROJECT}/scripts/lib/common.sh; nproc() {{ echo {cores}; }}; "
                f"available_memory_mib() {{ echo {memory_mib}; }}; jobs_count")
        return run("bash", "-c", code, env={**os.environ, "NMT_JOBS": "", **environment})

    def test_a_core_each_while_memory_lasts(self):
        self.assertEqual(self.jobs(2, 24000).stdout, "2\n")
        self.assertEqual(self.jobs(64, 8000).stdout, "5\n")
        self.assertEqual(self.jobs(8, 500).stdout, "1\n")

    def test_the_user_decides(self):
        self.assertEqual(self.jobs(2, 24000, NMT_JOBS="7").stdout, "7\n")
        for wrong in ("0", "many", "-1", "2.5"):
            answer = self.jobs(2, 24000, NMT_JOBS=wrong)
            self.assertEqual(answer.returncode, 1, wrong)
            self.assertIn(f"NMT_JOBS is '{wrong}'", answer.stderr)

    def test_memory_is_read(self):
        answer = run("bash", "-c", f"source {PROJECT}/scripts/lib/common.sh; available_memory_mib")
        self.assertGreater(int(answer.stdout), 50)


@unittest.skipUnless(shutil.which("dpkg-query"), "not Debian")
class Setup(unittest.TestCase):
    """A copy of scripts/setup whose df, dpkg-query and apt-get are stubs that write down how they were called."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.project = self.folder / "project"
        shutil.copytree(PROJECT / "scripts", self.project / "scripts")
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.stub("df", "echo Avail; echo 500000000000")
        self.stub("apt-get", f'echo "apt-get $*" >> {self.calls}')
        self.installed("")
        self.wheels(ready=True)

    def stub(self, name, body):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/bash\n{body}\n")
        path.chmod(0o755)

    def installed(self, but):
        """All packages that are asked for are installed, but those."""
        self.stub("dpkg-query", 'for name in "${@:3}"; do case " ' + but + ' " in *" $name "*) ;; '
                                '*) echo "installed $name" ;; esac; done')

    def wheels(self, ready):
        (self.project / "scripts/lib/wheels.py").write_text(
            f'import sys\nif "--check" in sys.argv: sys.exit({0 if ready else 1})\n'
            f'open({str(self.calls)!r}, "a").write("wheels " + " ".join(sys.argv[1:3]) + "\\n")\n')

    def setup(self, *words, prefix=()):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        return run(*prefix, self.project / "scripts/setup", *words, env=environment, cwd="/")

    def apt_calls(self):
        return [re.sub(r" -\S+( \S+=\S+)?", "", line) for line in self.calls.read_text().splitlines()]

    def test_with_everything_there_it_is_quick_and_silent(self):
        begin = time.monotonic()
        answer = self.setup()
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr), (0, "", ""))
        self.assertEqual(self.calls.read_text(), "")
        self.assertLess(time.monotonic() - begin, 10)  # 0.1 s on a quiet machine

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_only_missing_packages_are_installed_after_one_update(self):
        self.installed(but="ccache zlib1g-dev")
        answer = self.setup()
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.apt_calls(), ["apt-get update", "apt-get install ccache zlib1g-dev"])
        self.assertIn("ccache zlib1g-dev", answer.stdout)

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_offline_it_says_what_could_not_be_installed(self):
        self.installed(but="ccache")
        self.stub("apt-get", "echo 'Could not resolve the host'; exit 100")
        answer = self.setup()
        self.assertEqual(answer.returncode, 1)
        self.assertIn("could not install ccache", answer.stderr)
        self.assertIn("Could not resolve the host", answer.stderr)

    def test_lint_wants_more(self):
        self.installed(but="shellcheck")
        self.assertEqual(self.setup().returncode, 0)
        self.assertEqual(self.calls.read_text(), "")
        if os.geteuid() == 0:
            self.assertEqual(self.setup("--lint").returncode, 0)
            self.assertEqual(self.apt_calls()[-1], "apt-get install shellcheck")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to become somebody else")
    def test_without_root_and_sudo_it_names_the_command(self):
        self.installed(but="ccache")
        os.chmod(self.folder, 0o755)
        (self.folder / "bin/sudo").unlink(missing_ok=True)
        for path in os.environ["PATH"].split(":"):
            if (Path(path) / "sudo").exists():
                self.skipTest("this machine has sudo")
        answer = self.setup(prefix=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
        self.assertEqual(answer.returncode, 1)
        self.assertIn("as root, run: apt-get install ccache", answer.stderr)
        self.assertEqual(self.calls.read_text(), "")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to become somebody else")
    def test_without_root_sudo_is_used(self):
        self.installed(but="ccache")
        os.chmod(self.folder, 0o755)
        os.chmod(self.calls, 0o666)
        (self.project / "build").mkdir()
        os.chmod(self.project / "build", 0o777)
        self.stub("sudo", f'echo "sudo $1" >> {self.calls}; [[ $1 == -v ]] || "$@"')
        answer = self.setup(prefix=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("apt-get install ccache", self.apt_calls())
        self.assertIn("sudo -v", self.calls.read_text())

    def test_libtorch_is_fetched_where_it_is_missing(self):
        self.wheels(ready=False)
        self.assertEqual(self.setup().returncode, 0)
        self.assertEqual(self.setup("--cuda").returncode, 0)
        self.assertEqual(self.calls.read_text(), "wheels --set cpu\nwheels --set cuda\n")

    def test_too_small_a_disk_is_said_before_anything_else(self):
        self.wheels(ready=False)
        self.installed(but="ccache")
        self.stub("df", "echo Avail; echo 1200000000")
        for words, needed in ((), "3.0"), (("--cuda",), "7.0"):
            answer = self.setup(*words)
            self.assertEqual(answer.returncode, 1)
            self.assertRegex(answer.stderr, rf"needs {needed} GB free in .*, and there are 1\.2 GB")
        self.assertEqual(self.calls.read_text(), "")


if __name__ == "__main__":
    unittest.main()
