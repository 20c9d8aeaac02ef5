"""Runs of `nmt train` and `nmt translate` that are measured, for every benchmark of the two."""

import json
import pathlib
import shutil

from process import run

LOG_EVERY = 10


def text_settings(data):
    """--set for a folder of train, val and test text and a joint tokenizer, as `prepare` of peers.py makes it."""
    files = {"data.train.src": "train.src", "data.train.tgt": "train.tgt", "data.valid.src": "val.src",
             "data.valid.tgt": "val.tgt", "text.source_model": "joint.spm"}
    return {key: data / name for key, name in files.items()}


def settings(values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def train_command(program, config, output, values, threads=1):
    return [program, "train", "--config", config, "--output", output, "--overwrite", "--threads", str(threads),
            *settings(values)]


def timed_settings(warm_up, updates):
    """A run that ends after warm_up + updates, without validation before its end."""
    assert warm_up % LOG_EVERY == 0 and updates % LOG_EVERY == 0
    return {"train.max_updates": warm_up + updates, "train.log_every": LOG_EVERY, "valid.every_updates": 10**9,
            "valid.bleu": "false"}


def rates(output, warm_up):
    """What the updates after the first `warm_up` took, from the run's own log."""
    lines = [json.loads(line) for line in (pathlib.Path(output) / "train_log.jsonl").read_text().splitlines()]
    updates = [line for line in lines if line["event"] == "train"]
    before = next(line for line in updates if line["update"] == warm_up)
    counted = [line for line in updates if line["update"] > warm_up]
    difference = {key: counted[-1][key] - before[key] for key in ("processor_seconds", "seconds", "data_wait_seconds")}
    return {"source": sum(line["source_tokens"] for line in counted),
            "target": sum(line["target_tokens"] for line in counted),
            "processor": difference["processor_seconds"], "clock": difference["seconds"],
            "waiting": difference["data_wait_seconds"]}


def time_training(program, config, output, values, warm_up, updates, cores, threads=1):
    shutil.rmtree(output, ignore_errors=True)
    used = run(train_command(program, config, output, {**values, **timed_settings(warm_up, updates)}, threads), cores)
    return {**rates(output, warm_up), "megabytes": used.megabytes}


def time_translation(command, cores, full, single, **options):
    """Processor seconds that the lines of `full` take beyond what a first line takes, start included: both are whole
    processes, `command(input)` gives them. Output of the first, seconds."""
    begun = run(command(single), cores, **options)
    used = run(command(full), cores, **options)
    return used.output, used.processor - begun.processor
