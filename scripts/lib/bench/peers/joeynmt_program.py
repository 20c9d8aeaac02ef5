"""JoeyNMT 2.3.0's own command on today's LibTorch, one thread.

Usage: joeynmt_program.py train|translate CONFIG [--time WARM_UP UPDATES]
With --time, training ends after WARM_UP + UPDATES updates and prints what the last UPDATES took.
"""

import sys

import torch

torch.set_num_threads(1)

import joeynmt.builders  # noqa: E402
import joeynmt.training  # noqa: E402
from joeynmt.__main__ import main  # noqa: E402
from step_clock import StepClock  # noqa: E402


def without_verbose(scheduler):
    """A keyword that JoeyNMT gives and LibTorch no longer takes."""
    return lambda *args, verbose=None, **options: scheduler(*args, **options)


def time_updates(warm_up, updates):
    clock = StepClock(warm_up, updates)
    train_step = joeynmt.training.TrainManager._train_step

    def timed(self, batch):
        clock.begin_update(int(batch.src_length.sum()), int(batch.ntokens), batch.trg.numel())
        return train_step(self, batch)

    joeynmt.training.TrainManager._train_step = timed


joeynmt.builders.ReduceLROnPlateau = without_verbose(joeynmt.builders.ReduceLROnPlateau)
mode, config, *rest = sys.argv[1:]
if rest:
    time_updates(int(rest[1]), int(rest[2]))
sys.argv = ["joeynmt", mode, config] + (["--skip-test"] if mode == "train" else [])
main()
