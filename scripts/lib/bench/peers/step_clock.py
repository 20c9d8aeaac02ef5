"""Times the updates of a peer's own training loop and ends the program after them, with one line of JSON.

A stamp is taken as each update begins, so that the difference of two is all that an update costs: reading, batching,
forward and backward pass, optimizer, logging.
"""

import json
import os
import resource
import time


class StepClock:
    def __init__(self, warm_up, updates):
        self.first, self.last = warm_up, warm_up + updates
        self.count = 0
        self.tokens = {"source": 0, "target": 0, "target_positions": 0}

    def begin_update(self, source, target, target_positions):
        """Real tokens of the update that begins, and target positions with padding."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        stamp = (time.perf_counter(), usage.ru_utime + usage.ru_stime)
        if self.count == self.first:
            self.began = stamp
        if self.count == self.last:
            self.report(stamp, usage.ru_maxrss / 1024)
        if self.count >= self.first:
            self.tokens["source"] += source
            self.tokens["target"] += target
            self.tokens["target_positions"] += target_positions
        self.count += 1

    def report(self, stamp, megabytes):
        print(json.dumps({**self.tokens, "clock": stamp[0] - self.began[0], "processor": stamp[1] - self.began[1],
                          "megabytes": megabytes}), flush=True)
        os._exit(0)
