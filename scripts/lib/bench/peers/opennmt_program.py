"""OpenNMT-py 3.5.1's own commands on today's LibTorch, one thread.

Usage: opennmt_program.py train|translate [--time WARM_UP UPDATES] ARGUMENT...
With --time, training ends after WARM_UP + UPDATES updates and prints what the last UPDATES took. The arguments go to
onmt_train or onmt_translate.
"""

import functools
import sys
import warnings

import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
# Its checkpoints hold an argparse.Namespace, which LibTorch from 2.6 on refuses to load unless told to.
torch.load = functools.partial(torch.load, weights_only=False)

import onmt.trainer  # noqa: E402
from step_clock import StepClock  # noqa: E402


def time_updates(warm_up, updates):
    clock = StepClock(warm_up, updates)
    gradients = onmt.trainer.Trainer._gradient_accumulation

    def timed(self, batches, *args):
        outputs = [batch["tgt"][:, 1:, 0] for batch in batches]
        clock.begin_update(sum(int(batch["srclen"].sum()) for batch in batches),
                           sum(int((output != self.train_loss.padding_idx).sum()) for output in outputs),
                           sum(output.numel() for output in outputs))
        return gradients(self, batches, *args)

    onmt.trainer.Trainer._gradient_accumulation = timed


mode, *rest = sys.argv[1:]
if rest and rest[0] == "--time":
    time_updates(int(rest[1]), int(rest[2]))
    rest = rest[3:]
sys.argv = [f"onmt_{mode}", *rest]
if mode == "train":
    from onmt.bin.train import main
else:
    from onmt.bin.translate import main
main()
