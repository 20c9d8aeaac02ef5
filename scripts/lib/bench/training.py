"""Tokens per second of `nmt train` at the sizes of its default configuration: precisions, threads, the arithmetic.

Usage: training.py NMT PARTS WORK SOURCE TARGET [--compare NMT] [--rounds N] [--updates N] [--json] (see scripts/bench).
PARTS is the program bench_parts; WORK a folder for what is made here. Runs alternate; a ratio is made within a round,
then the median of the rounds is taken. One thread has one core to itself, two have two.
"""

import argparse
import json
import os
import pathlib
import shutil

from nmt_runs import LOG_EVERY, rates, settings, text_settings, time_training, timed_settings, train_command
from process import run, run_together
from table import median, show, spread

CONFIG = pathlib.Path(__file__).parent / "peers" / "nmt.json"
WARM_UP = 20
CODES = {"float32": 0, "bfloat16": 1, "int8": 2}  # of enum Precision, in the names of the parts


def arithmetic(config, vocab, source_per_target):
    """FLOP for a target token in training: three products (forward, and two backward) for each in the model, of which
    a multiplication and an addition count as two; attention's own are left out (under 1%)."""
    e, h, d, a, r = (config[key] for key in ("embedding_dim", "encoder_dim", "decoder_dim", "attention_dim",
                                             "readout_dim"))
    encoder = 2 * 3 * h * (e + h) + 2 * h * a
    decoder = 3 * d * (e + 2 * h + d) + d * a + r * (d + e + 2 * h) + r * vocab
    return 6 * (decoder + encoder * source_per_target)


def prepare(nmt, work, source, target):
    data = work / "data"
    if not (data / "joint.spm").exists():
        data.mkdir(parents=True, exist_ok=True)
        for side, path in (("src", source), ("tgt", target)):
            for name in ("train", "val"):
                shutil.copyfile(path, data / f"{name}.{side}")
        run([nmt, "tokenizer", "train", "--input", data / "train.src", data / "train.tgt", "--output",
             data / "joint.spm"], {min(os.sched_getaffinity(0))})
    return data


def large_product_rates(parts, core):
    """FLOP/s of this machine's large products, the best of the repetitions. Training with int8 has a third of its
    products in int8 and two thirds, those of the gradients, in bfloat16."""
    best = {}
    used = run([parts, "--benchmark_filter=large_product", "--benchmark_repetitions=3", "--benchmark_format=json"],
               {core})
    for one in json.loads(used.output)["benchmarks"]:
        if one["run_type"] == "iteration" and not one.get("error_occurred"):
            best[one["run_name"]] = max(best.get(one["run_name"], 0), one["FLOP/s"])
    rates = {name: best.get(f"large_product/precision:{code}") for name, code in CODES.items()}
    if rates["int8"]:
        rates["int8"] = 3 / (1 / rates["int8"] + 2 / (rates["bfloat16"] or rates["float32"]))
    return rates


def measure(arguments, data, precisions):
    cores = sorted(os.sched_getaffinity(0))
    programs = [arguments.nmt] + ([arguments.compare] if arguments.compare else [])
    measured = {(program, precision): [] for precision in precisions for program in programs}
    for _ in range(arguments.rounds):
        for (program, precision), runs in measured.items():
            values = {**text_settings(data), "train.precision": precision}
            runs.append(time_training(program, CONFIG, arguments.work / "run", values, WARM_UP, arguments.updates,
                                      {cores[0]}))
    return measured


def show_one_thread(arguments, measured, products, config):
    rows = []
    for (program, precision), runs in measured.items():
        speed = [one["target"] / one["processor"] for one in runs]
        flop = arithmetic(config["model"], 8000, runs[0]["source"] / runs[0]["target"])
        rate = median(speed) * flop
        row = {"program": program, "precision": precision,
               "target tokens per processor second": spread(speed, "{:.0f}"),
               "GFLOP/s": f"{rate / 1e9:.0f}",
               "of large products": f"{100 * rate / products[precision]:.0f}%" if products[precision] else "-",
               "waiting for text": f"{100 * median([one['waiting'] / one['clock'] for one in runs]):.2f}%",
               "memory, MB": f"{median([one['megabytes'] for one in runs]):.0f}"}
        if arguments.compare:
            first = [one["target"] / one["processor"] for one in measured[arguments.nmt, precision]]
            row["times the first"] = f"{median([a / b for a, b in zip(speed, first)]):.3f}"
        rows.append(row)
    known = ", ".join(f"{name} {rate / 1e9:.0f}" for name, rate in products.items() if rate)
    show(f"Training on one core, {arguments.updates} updates after {WARM_UP}, rounds: {arguments.rounds}; large "
         f"products, GFLOP/s: {known}", rows, arguments.json)


def show_two_threads(arguments, data, precisions):
    """Tokens a second of the clock: one process of two threads, and two of one thread at the same time."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        return
    rows = []
    for precision in precisions:
        values = {**text_settings(data), "train.precision": precision}
        shares, together = [], []
        for _ in range(arguments.rounds):
            one = time_training(arguments.nmt, CONFIG, arguments.work / "run", values, WARM_UP, arguments.updates,
                                set(cores), threads=2)
            outputs = [arguments.work / f"run{core}" for core in cores]
            timed = {**values, **timed_settings(WARM_UP, arguments.updates)}
            run_together([train_command(arguments.nmt, CONFIG, output, timed) for output in outputs], cores)
            alone = [rates(output, WARM_UP) for output in outputs]
            together.append(sum(each["target"] / each["clock"] for each in alone))
            shares.append(one["target"] / one["clock"] / together[-1])
        rows.append({"precision": precision, "two processes together, target tokens/s": spread(together, "{:.0f}"),
                     "one process of two threads, of that": spread(shares)})
    show("Training on two cores", rows, arguments.json)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench train")
    for name in ("nmt", "parts", "work", "source", "target"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--compare", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.updates % LOG_EVERY:
        parser.error(f"--updates has to be a multiple of {LOG_EVERY}")
    data = prepare(arguments.nmt, arguments.work, arguments.source, arguments.target)
    used = run([arguments.nmt, "config", "show", CONFIG, *settings(text_settings(data))],
               {min(os.sched_getaffinity(0))})
    products = large_product_rates(arguments.parts, min(os.sched_getaffinity(0)))
    precisions = [name for name, rate in products.items() if rate]
    show_one_thread(arguments, measure(arguments, data, precisions), products, json.loads(used.output))
    if not arguments.compare:
        show_two_threads(arguments, data, precisions)


if __name__ == "__main__":
    main()
