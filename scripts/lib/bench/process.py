"""Whole processes pinned to cores, and what they used: shared by every benchmark.

Seconds are of processor time, user and system, of the process and what it waited for: other work on the machine
disturbs them least. The time of the clock stands beside them.
"""

import dataclasses
import os
import sys
import tempfile
import time


@dataclasses.dataclass
class Used:
    output: str        # standard output
    processor: float   # seconds
    clock: float       # seconds
    megabytes: float   # the most it held


def start(command, cores, directory=None, environment=None, source=None):
    """A child of its own, pinned: what `finish` waits for. `source` is a file for its standard input."""
    output, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.sched_setaffinity(0, cores)
        if directory is not None:
            os.chdir(directory)
        os.dup2(os.open(source or os.devnull, os.O_RDONLY), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        os.execve(command[0], command, {**os.environ, **(environment or {})})
    return child, command, began, output, errors


def finish(started):
    child, command, began, output, errors = started
    _, status, usage = os.wait4(child, 0)
    clock = time.perf_counter() - began
    texts = []
    for file in (output, errors):
        file.seek(0)
        texts.append(file.read().decode(errors="replace"))
        file.close()
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{texts[1][-2000:]}")
    return Used(texts[0], usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / 1024)


def run(command, cores, **options):
    return finish(start([str(word) for word in command], cores, **options))


def run_together(commands, cores):
    """One process for each core at the same time; the clock of each."""
    return [finish(one) for one in [start([str(word) for word in command], {core})
                                    for command, core in zip(commands, cores)]]
