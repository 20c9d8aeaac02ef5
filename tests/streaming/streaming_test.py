"""nmt translate in pipelines and at a terminal: odd lines, slow writers, readers that leave, signals, memory.

Run as: streaming_test.py NMT MODEL, where MODEL is tests/program/numbers_model.
"""

import gzip
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

NMT, MODEL = sys.argv[1:3]
WAIT_S = 120  # for an answer, on a machine that is busy with other things
NEEDS_PLAIN_MEMORY = unittest.skipIf(os.environ.get("NMT_SANITIZE"), "a sanitizer keeps freed memory")

ODD_LINES = [
    b"un deux trois",
    b"",
    b" \t ",
    "\u00a0\u3000".encode(),
    b"un\tdeux",
    "un\u00a0deux".encode(),
    b"un\0deux",
    b"\0",
    b"\x01\x02\x1b[31m sept \x7f",
    b"un\rdeux",
    b"cinq\r",
    "neuf \U0001F469\u200d\U0001F680\U0001F1EB\U0001F1F7".encode(),
    "\u202e\u0634\u0643\u0631\u0627 \u05e9\u05dc\u05d5\u05dd".encode(),
    "huit\u2028dix\u0085six".encode(),
    b"caf\xe9 \xff\xfe",
    "\ufeffun".encode(),
    "o\u0301\u0302\u0303".encode() * 50,
    b"--help",
    b"un " * 400,
    b"\\n \\u0000 %s {}",
    b"dix",
]


def command(*arguments):
    threads = [] if "--threads" in arguments else ["--threads", "1"]
    return [NMT, "translate", "--model", MODEL, "--device", "cpu", *threads, *arguments]


def start(*arguments, **streams):
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(command(*arguments), bufsize=0, **streams)


def translate(data, *arguments):
    done = subprocess.run(command(*arguments), input=data, capture_output=True, timeout=600)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    return done


def read_until(descriptor, end, seconds=WAIT_S):
    """What can be read until it ends with `end`; fails where that takes too long."""
    text = b""
    deadline = time.monotonic() + seconds
    while not text.endswith(end):
        if not select.select([descriptor], [], [], max(0, deadline - time.monotonic()))[0]:
            raise AssertionError(f"waited {seconds} s for {end}, got {text}")
        part = os.read(descriptor, 65536)
        if not part:
            raise AssertionError(f"ended before {end}: {text}")
        text += part
    return text


def read_all(descriptor):
    text = b""
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # a terminal whose other end is closed
            return text
        if not part:
            return text
        text += part


def resident_mb(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


class OddLines(unittest.TestCase):
    def test_each_line_gives_one_line_by_whatever_way_it_comes(self):
        data = b"\n".join(ODD_LINES) + b"\n"
        piped = translate(data)
        lines = piped.stdout.split(b"\n")
        self.assertEqual(len(lines), len(ODD_LINES) + 1)
        self.assertEqual(lines[-1], b"")
        self.assertEqual(lines[0], b"one two three")
        self.assertEqual(lines[1:4], [b"", b"", b""])
        self.assertEqual(lines[-2], b"ten")
        piped.stdout.decode()  # UTF-8
        self.assertIn(b"Line 15: bytes that are not UTF-8 became U+FFFD in 3 places.", piped.stderr)
        self.assertIn(b"Line 19: with ", piped.stderr)
        self.assertIn(b"; 1 line too long and translated in parts", piped.stderr)
        self.assertIn(b"1 line with bytes that were not UTF-8.", piped.stderr)
        with tempfile.TemporaryDirectory() as folder:
            for name, bytes_in in (("plain", data), ("packed", gzip.compress(data)), ("endless", data[:-1])):
                path = os.path.join(folder, name)
                with open(path, "wb") as file:
                    file.write(bytes_in)
                self.assertEqual(translate(b"", "--input", path).stdout, piped.stdout, name)
                out = os.path.join(folder, "out")
                translate(bytes_in, "--output", out)
                with open(out, "rb") as file:
                    self.assertEqual(file.read(), piped.stdout, name)
        self.assertEqual(translate(data, "--batch-sentences", "1").stdout, piped.stdout)
        self.assertEqual(translate(data, "--batch-sentences", "7", "--threads", "3").stdout, piped.stdout)

    def test_the_locale_does_not_matter(self):
        data = b"\n".join(ODD_LINES) + b"\n"
        outputs = {
            subprocess.run(command(), input=data, capture_output=True, env={**os.environ, "LC_ALL": locale}).stdout
            for locale in ("C", "C.UTF-8", "tr_TR.ISO-8859-9", "nonsense")
        }
        self.assertEqual(len(outputs), 1)

    def test_a_byte_order_mark_is_no_part_of_the_first_word(self):
        self.assertEqual(translate("\ufefftrois un".encode()).stdout, b"three one\n")

    def test_a_megabyte_in_one_line_is_one_line(self):
        size = 2**16 if os.environ.get("NMT_SANITIZE") else 2**20  # a megabyte takes ten minutes under a sanitizer
        words = b"un deux trois quatre. " * (size // 22)
        one_word = b"z" * size  # one unknown piece
        done = translate(b"cinq\n" + words + b"\n" + one_word + b"\nsix\n", "--beam", "1")
        lines = done.stdout.split(b"\n")
        self.assertEqual(len(lines), 5)
        self.assertEqual((lines[0], lines[3]), (b"five", b"six"))
        self.assertGreater(len(lines[1].split()), size // 1100)
        self.assertIn(b"; 1 line too long and translated in parts", done.stderr)

    def test_a_hundred_thousand_blank_lines(self):
        done = translate(b"\n" * 100_000)
        self.assertEqual(done.stdout, b"\n" * 100_000)
        self.assertIn(b"100,000 lines (100,000 blank)", done.stderr)

    def test_as_many_lines_out_as_in_around_every_buffer_size(self):
        words = (b"un", b"deux", b"trois", b"quatre", b"cinq", b"six", b"sept", b"huit", b"neuf")
        lines = [b" ".join(words[(number // 9**place) % 9] for place in range(1 + number % 5)) for number in range(8190)]
        settings = ("--batch-sentences", "4", "--threads", "2", "--beam", "1")  # windows of 8, 16, ... 4,096 lines
        expected = translate(b"\n".join(lines) + b"\n", *settings).stdout.splitlines(keepends=True)
        self.assertEqual(len(expected), 8190)
        self.assertGreater(len(set(expected)), 2000)
        for count in (0, 1, 4, 7, 8, 9, 24, 25, 8184, 8185):
            output = translate(b"".join(line + b"\n" for line in lines[:count]), *settings).stdout
            self.assertEqual(output.splitlines(keepends=True), expected[:count], count)

    def test_text_cut_by_another_program_is_warned_of(self):
        self.assertIn(b"already cut into subwords", translate(b"tr@@ ois\nqu@@ atre\nun@@ un\n").stderr)
        self.assertIn(b"unknown or single bytes", translate("\u4e2d a ".encode() * 60 + b"\n").stderr)
        self.assertNotIn(b"W ", translate(b"trois\nquatre\nun\n").stderr)


class Pipelines(unittest.TestCase):
    def test_each_line_is_answered_before_the_next_is_sent(self):
        process = start()
        for line, answer in ((b"", b""), (b"trois", b"three"), (b"", b""), (b"un sept", b"one seven")):
            process.stdin.write(line + b"\n")
            self.assertEqual(read_until(process.stdout.fileno(), b"\n"), answer + b"\n")
        process.stdin.write(b"cinq")
        output, errors = process.communicate(timeout=WAIT_S)
        self.assertEqual((output, process.returncode), (b"five\n", 0))
        self.assertNotIn(b">", errors)  # no prompt

    def test_a_reader_that_leaves_ends_it_quietly(self):
        for restore in (True, False):  # SIGPIPE as shells have it, and ignored
            process = start(restore_signals=restore)
            feeder = Feeder(process)
            self.assertEqual(read_until(process.stdout.fileno(), b"\n")[:3], b"one")
            process.stdout.close()
            errors = process.stderr.read()
            process.wait(WAIT_S)
            feeder.join()
            self.assertEqual(errors, b"")
            self.assertIn(process.returncode, (0, -signal.SIGPIPE))

    def test_an_interrupt_leaves_whole_lines(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = start()
            feeder = Feeder(process)
            output = read_until(process.stdout.fileno(), b"\n")
            process.send_signal(number)
            rest, errors = read_all(process.stdout.fileno()), process.stderr.read()
            process.wait(WAIT_S)
            feeder.join()
            self.assertEqual(process.returncode, 130)
            lines = (output + rest).split(b"\n")
            self.assertEqual(set(lines[:-1]), {b"one two three"})
            self.assertEqual(lines[-1], b"")
            self.assertIn(f"the results of {len(lines) - 1:,} lines are written".encode(), errors)

    def test_an_interrupt_ends_long_work_soon(self):
        with tempfile.TemporaryDirectory() as folder:
            many, long = os.path.join(folder, "many"), os.path.join(folder, "long")
            with open(many, "wb") as file:
                file.write(b"un deux trois\n" * 300_000)
            with open(long, "wb") as file:
                file.write(b"un deux trois " * 500_000)
            model = ["--model", MODEL, "--device", "cpu", "--threads", "1"]
            for arguments in (
                ["attention", *model, "--input", many, "--output", os.path.join(folder, "map.html")],
                ["eval", *model[:4], "--source", many, "--reference", many],
                ["translate", *model, "--input", long],
                ["translate", *model, "--input", many, "--max-source-length", "1", "--beam", "1000"],
            ):
                process = subprocess.Popen([NMT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                time.sleep(2)
                begin = time.monotonic()
                process.send_signal(signal.SIGINT)
                output, errors = process.communicate(timeout=WAIT_S)
                self.assertEqual(process.returncode, 130, (arguments, errors))
                self.assertTrue(output == b"" or output.endswith(b"\n"))
                self.assertLess(time.monotonic() - begin, 10, arguments)  # some tenths on a machine that is free

    def test_an_interrupted_file_keeps_its_partial_name(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            process = start("--output", out)
            feeder = Feeder(process)
            while not (os.path.exists(out + ".partial") and os.path.getsize(out + ".partial")):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)  # a request that comes twice, as from `timeout`, is one
            errors = process.stderr.read()
            process.wait(WAIT_S)
            feeder.join()
            self.assertEqual(process.returncode, 130)
            self.assertEqual(os.listdir(folder), ["out.partial"])
            with open(out + ".partial", "rb") as file:
                lines = file.read().split(b"\n")
            self.assertEqual((set(lines[:-1]), lines[-1]), ({b"one two three"}, b""))
            self.assertIn(f"{len(lines) - 1:,} lines are written to {out}.partial".encode(), errors)

    def test_an_interrupted_tokenizer_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen([NMT, "tokenizer", "encode", "--model", os.path.join(MODEL, "source.spm"),
                                        "--output", os.path.join(folder, "out")],
                                       stdin=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
            process.stdin.write(b"un deux trois\n" * 3)
            while not os.listdir(folder):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            errors = process.stderr.read()
            self.assertEqual(process.wait(WAIT_S), 130)
            self.assertRegex(errors, rb"^nmt: Interrupted after line [0-3]\.\n$")
            self.assertEqual(os.listdir(folder), [])

    def test_an_input_that_breaks_off_is_an_error_after_whole_lines(self):
        packed = gzip.compress(b"".join(b"un deux trois %d\n" % number for number in range(3000)))
        done = subprocess.run(command("--beam", "1"), input=packed[: len(packed) // 2], capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"The gzip file standard input ends too early", done.stderr)
        written = done.stdout.count(b"\n")
        self.assertIn(f"The results of {written:,} lines are written.".encode(), done.stderr)
        self.assertTrue(done.stdout.endswith(b"\n"))
        self.assertTrue(all(line.startswith(b"one two three") for line in done.stdout.split(b"\n")[:-1]))

    @NEEDS_PLAIN_MEMORY
    def test_memory_stays_the_same_over_a_hundred_thousand_lines(self):
        process = start("--beam", "1", "--quiet")
        feeder = Feeder(process, lines=100_000)
        seen = 0
        early = late = 0.0
        while part := os.read(process.stdout.fileno(), 65536):
            seen += part.count(b"\n")
            if seen < 40_000:
                early = max(early, resident_mb(process))
            elif seen < 100_000:
                late = max(late, resident_mb(process))
        feeder.join()
        self.assertEqual(process.wait(WAIT_S), 0)
        self.assertEqual(seen, 100_000)
        self.assertLess(late, early + 16, "MB")


@NEEDS_PLAIN_MEMORY
class LittleMemory(unittest.TestCase):
    LINES = b"".join(b"un deux trois quatre cinq six\n"[: 2 + number % 28] + b"\n" for number in range(1000))

    @staticmethod
    def translate(data, *arguments, limit_mb=None):
        """Exit code, output, errors, and the most memory in use, in MB."""
        def prepare():
            if limit_mb:
                resource.setrlimit(resource.RLIMIT_DATA, (limit_mb << 20, limit_mb << 20))

        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(data)
            given.seek(0)
            process = start(*arguments, stdin=given, stdout=out, stderr=err, preexec_fn=prepare)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            for file in (out, err):
                file.seek(0)
            return process.returncode, out.read(), err.read(), usage.ru_maxrss / 1024

    def test_a_batch_that_does_not_fit_is_halved(self):
        with_one = start("--beam", "1")
        with_one.stdin.write(b"un\n")
        read_until(with_one.stdout.fileno(), b"\n")
        with open(f"/proc/{with_one.pid}/status") as status:
            of_one = next(int(line.split()[1]) for line in status if line.startswith("VmData")) // 1024
        with_one.communicate()
        room = 60
        large = ("--batch-sentences", "1000", "--beam", "60")
        code, expected, _, most = self.translate(self.LINES, *large)
        self.assertEqual(code, 0)
        self.assertGreater(most - self.translate(b"un\n", "--beam", "1")[3], 2 * room)
        code, output, errors, _ = self.translate(self.LINES, *large, limit_mb=of_one + room)
        self.assertEqual(code, 0, errors)
        self.assertEqual(output, expected)
        # One sentence alone can't be halved: the lines before it are there, and it's said.
        huge = b"un\n" * 70 + b"un deux trois quatre cinq six sept huit neuf " * 5000 + b"\n"
        code, output, errors, _ = self.translate(huge, "--beam", "1000", "--max-source-length", "100000",
                                                 "--batch-sentences", "10", limit_mb=of_one + room)
        self.assertEqual(code, 5, errors)
        self.assertIn(b"There isn't enough memory to translate one sentence of ", errors)
        self.assertTrue(output.startswith(b"one\n" * 10))


class Feeder(threading.Thread):
    """Writes lines to a process for as long as it reads, or a number of them."""

    def __init__(self, process, lines=None):
        super().__init__(daemon=True)
        self.process, self.lines = process, lines
        self.start()

    def run(self):
        written = 0
        try:
            while self.lines is None or written < self.lines:
                self.process.stdin.write(b"un deux trois\n" * 100)
                written += 100
            self.process.stdin.close()
        except OSError:
            pass


class Terminal(unittest.TestCase):
    def setUp(self):
        self.ours, self.theirs = pty.openpty()
        self.environment = {**os.environ, "TERM": "xterm"}

    def tearDown(self):
        os.close(self.ours)

    def run_to_end(self, *arguments, stdin=subprocess.DEVNULL):
        """With standard error on the terminal: what is shown there, and standard output."""
        process = start(*arguments, stdin=stdin, stderr=self.theirs, env=self.environment)
        os.close(self.theirs)
        shown = []
        watcher = threading.Thread(target=lambda: shown.append(read_all(self.ours)))
        watcher.start()
        output = process.stdout.read()
        self.assertEqual(process.wait(WAIT_S), 0)
        watcher.join()
        return shown[0], output

    def test_typed_lines_are_answered_after_a_prompt(self):
        process = start(stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, env=self.environment)
        os.close(self.theirs)
        self.assertIn(b"Ctrl-D ends", read_until(self.ours, b"\n> "))
        for typed, answer in ((b"trois", b"three"), (b"", b""), (b"un sept", b"one seven")):
            os.write(self.ours, typed + b"\n")
            self.assertEqual(read_until(self.ours, b"> "), typed + b"\r\n" + answer + b"\r\n> ")
        os.write(self.ours, b"\x04")
        self.assertEqual(process.wait(WAIT_S), 0)
        self.assertIn(b"3 lines (1 blank)", read_all(self.ours))

    def test_an_interrupt_at_the_prompt_ends_it(self):
        process = start(stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, env=self.environment)
        os.close(self.theirs)
        read_until(self.ours, b"\n> ")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(WAIT_S), 130)
        self.assertIn(b"Interrupted: the results of 0 lines are written.", read_all(self.ours))

    def test_a_file_has_progress_on_a_terminal(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"un deux trois\n" * 5000)
            file.flush()
            shown, output = self.run_to_end("--input", file.name, "--beam", "1")
            self.assertIn(b"% ", shown)
            self.assertIn(b"lines of 5,000 in ", shown)
            self.assertIn(b"=", shown)
            self.assertEqual(output, b"one two three\n" * 5000)

    def test_quiet_shows_nothing(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"un deux trois\n" * 5000)
            file.flush()
            self.assertEqual(self.run_to_end("--input", file.name, "--beam", "1", "--quiet"),
                             (b"", b"one two three\n" * 5000))

    def test_without_a_terminal_there_is_no_progress(self):
        os.close(self.theirs)
        errors = translate(b"un deux trois\n" * 300, "--beam", "1").stderr
        self.assertNotIn(b"\x1b", errors)
        self.assertNotIn(b"\r", errors)
        self.assertEqual(translate(b"un\n", "--quiet").stderr, b"")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], warnings="ignore")
