"""Output pieces per second of `nmt translate`: precisions, beam and greedy, threads; how long programs take to start.

Usage: translation.py NMT PARTS MODEL TEXT [--compare NMT] [--rounds N] [--json] (see scripts/bench). Seconds are what
the lines take beyond a first one, so that the start isn't counted. Runs alternate; a ratio is made within a round, then
the median of the rounds is taken.
"""

import argparse
import os
import pathlib
import tempfile
import time

from nmt_runs import time_translation
from process import run, run_together
from table import median, show, spread

PRECISIONS = ("float32", "bfloat16", "int8")
STARTS = 15


def translate(nmt, model, source, beam, precision, threads=1):
    return [nmt, "translate", "--model", model, "--input", source, "--beam", str(beam), "--precision", precision,
            "--threads", str(threads)]


class Bench:
    def __init__(self, arguments, work):
        self.arguments, self.work = arguments, pathlib.Path(work)
        self.cores = sorted(os.sched_getaffinity(0))
        self.first = self.work / "first"
        with open(arguments.text, encoding="utf-8") as file:
            self.first.write_text(file.readline(), encoding="utf-8")

    def pieces(self, output):
        path = self.work / "output"
        path.write_text(output, encoding="utf-8")
        model = next(iter(sorted(self.arguments.model.glob("**/joint.spm")) or
                          sorted(self.arguments.model.glob("**/target.spm"))))
        used = run([self.arguments.nmt, "tokenizer", "encode", "--model", model, "--input", path], {self.cores[0]})
        return len(used.output.split())

    def one_thread(self):
        programs = [self.arguments.nmt] + ([self.arguments.compare] if self.arguments.compare else [])
        for beam, name in ((5, "beam 5"), (1, "greedy")):
            speed = {(program, precision): [] for precision in PRECISIONS for program in programs}
            lines = {}
            for _ in range(self.arguments.rounds):
                for (program, precision), rates in speed.items():
                    output, seconds = time_translation(
                        lambda source: translate(program, self.arguments.model, source, beam, precision),
                        {self.cores[0]}, self.arguments.text, self.first)
                    lines[program, precision] = output.splitlines()
                    rates.append(self.pieces(output) / seconds)
            plain, rows = lines[self.arguments.nmt, "float32"], []
            for (program, precision), rates in speed.items():
                other = sum(a != b for a, b in zip(plain, lines[program, precision]))
                base = speed[self.arguments.nmt, precision if self.arguments.compare else "float32"]
                rows.append({"program": program, "precision": precision,
                             "output pieces per processor second": spread(rates, "{:.0f}"),
                             "times the first" if self.arguments.compare else "times float32":
                                 f"{median([a / b for a, b in zip(rates, base)]):.2f}",
                             "other lines than float32": f"{other} of {len(plain)}"})
            show(f"Translation on one core, {name}, rounds: {self.arguments.rounds}", rows, self.arguments.json)

    def two_threads(self):
        """Lines a second of the clock: one process of two threads, and two of one thread at the same time."""
        if len(self.cores) < 2:
            return
        rows = []
        for precision in PRECISIONS:
            shares = []
            for _ in range(self.arguments.rounds):
                one = run(translate(self.arguments.nmt, self.arguments.model, self.arguments.text, 5, precision, 2),
                          set(self.cores[:2]))
                command = translate(self.arguments.nmt, self.arguments.model, self.arguments.text, 5, precision)
                both = run_together([command, command], self.cores[:2])
                shares.append((1 / one.clock) / sum(1 / each.clock for each in both))
            rows.append({"precision": precision, "one process of two threads, of two processes": spread(shares)})
        show("Translation on two cores, beam 5, start included", rows, self.arguments.json)

    def starts(self):
        nmt, model = self.arguments.nmt, self.arguments.model
        spm = next(iter(sorted(model.glob("**/*.spm"))))
        commands = {
            "an empty program with LibTorch": [self.arguments.parts, "--benchmark_filter=^$"],
            "nmt translate, one line": translate(nmt, model, self.first, 5, "float32"),
            "nmt --help": [nmt, "--help"],
            "nmt eval, one line": [nmt, "eval", "--hypothesis", self.first, "--reference", self.first],
            "nmt tokenizer encode, one line": [nmt, "tokenizer", "encode", "--model", spm, "--input", self.first],
            "nmt config show": [nmt, "config", "show"],
            "nmt inspect": [nmt, "inspect", model],
        }
        times = {name: [] for name in commands}
        for _ in range(STARTS):
            for name, command in commands.items():
                began = time.perf_counter()
                run(command, {self.cores[0]})
                times[name].append(1000 * (time.perf_counter() - began))
        rows = [{"command": name, "ms of the clock": spread(values, "{:.0f}")} for name, values in times.items()]
        show(f"Whole processes, {STARTS} each in turn", rows, self.arguments.json)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench translate")
    for name in ("nmt", "parts", "model", "text"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--compare", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(parser.parse_args(), work)
        bench.one_thread()
        if not bench.arguments.compare:
            bench.two_threads()
            bench.starts()


if __name__ == "__main__":
    main()
