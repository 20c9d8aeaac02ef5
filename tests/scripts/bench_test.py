#!/usr/bin/env python3
"""What scripts/bench computes from what it measured."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/lib/bench"))

import nmt_runs  # noqa: E402
import process  # noqa: E402
import table  # noqa: E402
import training  # noqa: E402

CORE = {min(os.sched_getaffinity(0))}


class Arithmetic(unittest.TestCase):
    def test_counts_the_products_of_the_default_model(self):
        # By hand, multiplications for a target token: gates 3*512*(256+512+512), query 512*512, readout
        # 512*(512+256+512), output 512*8000; for a source token: gates of two directions 2*3*256*(256+256), keys
        # 512*512.
        target = 1_966_080 + 262_144 + 655_360 + 4_096_000
        source = 786_432 + 262_144
        sizes = {"embedding_dim": 256, "encoder_dim": 256, "decoder_dim": 512, "attention_dim": 512, "readout_dim": 512}
        self.assertEqual(training.arithmetic(sizes, 8000, 1.0), 6 * (target + source))
        self.assertEqual(training.arithmetic(sizes, 8000, 0.5), 6 * (target + source / 2))


class Rates(unittest.TestCase):
    def test_are_those_of_the_updates_after_the_warm_up(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = [{"event": "start"}]
            for update in (10, 20, 30, 40):
                lines.append({"event": "train", "update": update, "source_tokens": 100, "target_tokens": 50 + update,
                              "seconds": 2.0 * update, "processor_seconds": 3.0 * update,
                              "data_wait_seconds": update / 100})
            (Path(folder) / "train_log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
            got = nmt_runs.rates(folder, 20)
        self.assertEqual((got["source"], got["target"]), (200, 80 + 90))
        self.assertEqual((got["clock"], got["processor"]), (40.0, 60.0))
        self.assertAlmostEqual(got["waiting"], 0.2)


class Process(unittest.TestCase):
    def test_gives_output_time_and_memory(self):
        code = "x = bytearray(50_000_000)\nwhile __import__('time').process_time() < 0.3: pass\nprint('ended')"
        used = process.run([sys.executable, "-c", code], CORE)
        self.assertEqual(used.output, "ended\n")
        self.assertGreaterEqual(used.processor, 0.29)
        self.assertGreaterEqual(used.clock, 0.29)
        self.assertGreater(used.megabytes, 45)

    def test_a_command_that_fails_ends_the_benchmark_with_its_words(self):
        with self.assertRaises(SystemExit) as end:
            process.run([sys.executable, "-c", "import sys; sys.exit('no such thing')"], CORE)
        self.assertIn("no such thing", str(end.exception))


class Table(unittest.TestCase):
    def test_median_and_ends_of_several_values(self):
        self.assertEqual(table.spread([3.0]), "3.00")
        self.assertEqual(table.spread([3.0, 1.0, 2.0], "{:.0f}"), "2 (1 to 3)")

    def test_rows_are_markdown_or_json(self):
        rows = [{"program": "nmt", "speed": 2}, {"program": "other", "speed": 1}]
        for as_json in (False, True):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                table.show("Speed", rows, as_json)
            if as_json:
                self.assertEqual(json.loads(out.getvalue()), {"title": "Speed", "rows": rows})
            else:
                self.assertEqual(out.getvalue(),
                                 "\nSpeed\n\n| program | speed |\n|---|---|\n| nmt | 2 |\n| other | 1 |\n")


if __name__ == "__main__":
    unittest.main()
