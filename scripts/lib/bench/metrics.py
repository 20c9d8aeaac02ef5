"""Runs `nmt eval` and sacreBLEU's command on the same lines and prints a table of seconds and memory.

Usage: metrics.py PROGRAM FOLDER LINES (see scripts/bench). Both run on one core, as whole processes, one after
the other. Seconds are of processor time, user and system, which other work on the machine disturbs least; the time of
the clock is given beside it. Lines are repeated, which is to sacreBLEU's advantage: it keeps the tokenized form of
recent lines.
"""

import itertools
import os
import pathlib
import sys
import tempfile

from process import run

METRICS = ("bleu", "chrf", "ter")


def lines_of(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def read_pairs(folder):
    pairs = []
    for hypothesis in sorted((folder / "hyp").iterdir()):
        name = hypothesis.name.split(".hyp.")[0]
        reference = sorted((folder / "ref").glob(f"{name}.ref.*"))[0]
        pairs += zip(lines_of(hypothesis), lines_of(reference))
    return pairs


def write_lines(folder, count, files):
    """In a process of its own: the memory of a process that starts others counts as theirs."""
    child = os.fork()
    if child == 0:
        pairs = read_pairs(folder)
        print(f"{count} lines, {len(pairs)} of them distinct pairs; one core; seconds of processor time (of the "
              "clock)\n", flush=True)
        for path, texts in zip(files, zip(*itertools.islice(itertools.cycle(pairs), count))):
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(text + "\n" for text in texts)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit("writing the lines failed")


def measure(program, files, core):
    print("| metric | score | nmt, s | sacreBLEU, s | times as fast | nmt, MB | sacreBLEU, MB |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for metric in METRICS:
        common = ["-m", metric, "-b", "-w", "6", "--force"]
        ours = run([program, "eval", "--hypothesis", files[0], "--reference", files[1], *common], {core})
        theirs = run([sys.executable, "-m", "sacrebleu", files[1], "-i", files[0], *common], {core})
        score = ours.output.strip()
        if score != theirs.output.strip():
            sys.exit(f"{metric}: nmt says {score}, sacreBLEU {theirs.output.strip()}")
        print(f"| {metric} | {score} | {ours.processor:.2f} ({ours.clock:.2f}) "
              f"| {theirs.processor:.1f} ({theirs.clock:.1f}) | {theirs.processor / ours.processor:.0f} "
              f"| {ours.megabytes:.0f} | {theirs.megabytes:.0f} |", flush=True)


def main():
    program, folder, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    core = min(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as work:
        files = [os.path.join(work, name) for name in ("hypotheses", "references")]
        write_lines(folder, count, files)
        measure(program, files, core)


if __name__ == "__main__":
    main()
