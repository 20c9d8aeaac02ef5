"""Training and translation beside JoeyNMT 2.3.0 and OpenNMT-py 3.5.1, in one run, each on the same core.

Usage: peers.py NMT FOLDER TEXT SOURCE TARGET [--rounds N] [--updates N] [--only training|translation] [--json]
(see scripts/bench). FOLDER holds the peers' environment, their data and trained models, kept for the next time. TEXT
holds train, val and test_2016_flickr with the endings SOURCE and TARGET.

Training: every program takes some updates after a warm-up, in turn, several rounds; real tokens are counted, end marks
included on the target side. Translation: models of three epochs translate the test set, in turn; what one line costs
with the start is taken off. Ratios are made within a round, then the median of the rounds is taken.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys

from nmt_runs import text_settings, time_training, time_translation, train_command
from process import run
from table import median, show, spread

HERE = pathlib.Path(__file__).parent / "peers"
WARM_UP = 10
EPOCHS = 3
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
SPECIAL_PIECES = 4


class Bench:
    def __init__(self, arguments):
        self.nmt = arguments.nmt
        self.data, self.models = arguments.folder / "data", arguments.folder / "models"
        self.python = arguments.folder / "venv" / "bin" / "python"
        self.text, self.languages = arguments.text, {"src": arguments.source, "tgt": arguments.target}
        self.core = {min(os.sched_getaffinity(0))}
        self.updates, self.rounds, self.as_json = arguments.updates, arguments.rounds, arguments.json

    # Text and vocabulary in the form of each program; pieces and ids are the same in all.
    def prepare(self):
        self.models.mkdir(parents=True, exist_ok=True)
        if (self.data / "done").exists():
            return
        self.data.mkdir(parents=True, exist_ok=True)
        for name, file in (("train", "train"), ("val", "val"), ("test", "test_2016_flickr")):
            for side, language in self.languages.items():
                shutil.copyfile(self.text / f"{file}.{language}", self.data / f"{name}.{side}")
        with open(self.data / "test.src", encoding="utf-8") as file:
            (self.data / "first.src").write_text(file.readline(), encoding="utf-8")
        run([self.nmt, "tokenizer", "train", "--input", self.data / "train.src", self.data / "train.tgt", "--output",
             self.data / "joint.spm"], self.core)
        run([self.python, __file__, "pieces", self.data], self.core)
        (self.data / "done").touch()

    def config(self, name, **values):
        """The peer's configuration with its places filled in."""
        text = (HERE / name).read_text()
        for key, value in {"DATA": self.data, "MODEL": self.models / name.split(".")[0], **values}.items():
            text = text.replace(f"@{key}@", str(value))
        path = self.data / name
        path.write_text(text)
        return path

    def peer(self, name, *words, **options):
        return run([self.python, HERE / f"{name}_program.py", *words], self.core, environment=ONE_THREAD, **options)

    def timed_peer(self, name, *words):
        used = self.peer(name, "train", *words)
        return json.loads(used.output.splitlines()[-1])

    def nmt_training(self, precision):
        values = {**text_settings(self.data), "train.precision": precision}
        return time_training(self.nmt, HERE / "nmt.json", self.models / "timed", values, WARM_UP, self.updates,
                             self.core)

    def training_runs(self):
        time = ["--time", WARM_UP, self.updates]
        return {"nmt, float32": lambda: self.nmt_training("float32"),
                "nmt, bfloat16": lambda: self.nmt_training("bfloat16"),
                "nmt, int8": lambda: self.nmt_training("int8"),
                "OpenNMT-py": lambda: self.timed_peer("opennmt", *time, "-config",
                                                      self.config("opennmt.yaml", UPDATES=10**6)),
                "JoeyNMT": lambda: self.timed_peer("joeynmt", self.config("joeynmt.yaml"), *time)}

    def training(self):
        runs = self.training_runs()
        measured = {name: [] for name in runs}
        for _ in range(self.rounds):
            for name, measure in runs.items():
                measured[name].append(measure())
        speed = {name: [one["target"] / one["processor"] for one in all_] for name, all_ in measured.items()}
        peers = [name for name in runs if not name.startswith("nmt")]
        rows = []
        for name, all_ in measured.items():
            row = {"program": name, "target tokens per processor second": spread(speed[name], "{:.0f}"),
                   "of the clock": spread([one["target"] / one["clock"] for one in all_], "{:.0f}"),
                   "memory, MB": f"{median([one['megabytes'] for one in all_]):.0f}"}
            for peer in peers:
                row[f"times {peer}"] = f"{median([a / b for a, b in zip(speed[name], speed[peer])]):.2f}"
            rows.append(row)
        show(f"Training, {self.updates} updates after {WARM_UP}, rounds: {self.rounds}", rows, self.as_json)

    def train_models(self):
        """Three epochs each, once."""
        pairs = sum(1 for _ in open(self.data / "train.src", encoding="utf-8"))
        updates = EPOCHS * -(-pairs // 64)
        opennmt, ours = self.models / "opennmt" / f"model_step_{updates}.pt", self.models / "nmt"
        if not opennmt.exists():
            print(f"OpenNMT-py, {EPOCHS} epochs ...", file=sys.stderr)
            self.peer("opennmt", "train", "-config", self.config("opennmt.yaml", UPDATES=updates))
        if not (ours / "best").exists():
            print(f"nmt, {EPOCHS} epochs ...", file=sys.stderr)
            values = {**text_settings(self.data), "train.precision": "bfloat16"}
            run(train_command(self.nmt, HERE / "nmt.json", ours, values), self.core)
        return opennmt, ours

    def nmt_translation(self, model, beam, precision):
        def command(source):
            return [self.nmt, "translate", "--model", model, "--beam", beam, "--threads", 1, "--precision", precision,
                    "--input", source]
        output, seconds = time_translation(command, self.core, self.data / "test.src", self.data / "first.src")
        return output, seconds

    def opennmt_translation(self, model, beam):
        pieces = self.data / "opennmt.output"
        def command(source):
            return [self.python, HERE / "opennmt_program.py", "translate", "-model", model, "-src", source, "-output",
                    pieces, "-beam_size", beam, "-batch_size", 64, "-batch_type", "sents", "-gpu", "-1", "-max_length",
                    60]
        _, seconds = time_translation(command, self.core, self.data / "test.pieces.src",
                                      self.data / "first.pieces.src", environment=ONE_THREAD)
        text = pieces.read_text(encoding="utf-8").replace(" ", "").replace("\u2581", " ")
        return "".join(line.strip() + "\n" for line in text.splitlines()), seconds

    def score(self, output):
        """Pieces without end marks, BLEU."""
        path = self.data / "translation"
        path.write_text(output, encoding="utf-8")
        pieces = run([self.nmt, "tokenizer", "encode", "--model", self.data / "joint.spm", "--input", path], self.core)
        bleu = run([self.nmt, "eval", "--hypothesis", path, "--reference", self.data / "test.tgt", "-b", "-w", "2"],
                   self.core)
        return len(pieces.output.split()), float(bleu.output)

    def translation(self):
        opennmt, ours = self.train_models()
        for beam, name in ((5, "beam 5"), (1, "greedy")):
            runs = {f"nmt, {precision}": lambda precision=precision: self.nmt_translation(ours, beam, precision)
                    for precision in ("float32", "bfloat16", "int8")}
            runs["OpenNMT-py"] = lambda: self.opennmt_translation(opennmt, beam)
            speed, scores = {name: [] for name in runs}, {}
            for _ in range(self.rounds):
                for program, measure in runs.items():
                    output, seconds = measure()
                    scores[program] = self.score(output)
                    speed[program].append(scores[program][0] / seconds)
            rows = [{"program": program, "output pieces per processor second": spread(speed[program], "{:.0f}"),
                     "times OpenNMT-py": f"{median([a / b for a, b in zip(speed[program], speed['OpenNMT-py'])]):.2f}",
                     "pieces": scores[program][0], "BLEU": f"{scores[program][1]:.2f}"} for program in runs]
            show(f"Translation of the test set, {name}, rounds: {self.rounds}", rows, self.as_json)


def write_pieces(data):
    """In the peers' environment: text as pieces, and the vocabulary in the form of each program."""
    import sentencepiece  # pylint: disable=import-outside-toplevel

    model = sentencepiece.SentencePieceProcessor(model_file=str(data / "joint.spm"))
    for name in ("train.src", "train.tgt", "val.src", "val.tgt", "test.src", "first.src"):
        stem, side = name.split(".")
        with open(data / name, encoding="utf-8", newline="\n") as file, \
                open(data / f"{stem}.pieces.{side}", "w", encoding="utf-8") as out:
            out.writelines(" ".join(model.encode(line.strip(), out_type=str)) + "\n" for line in file)
    pieces = [model.id_to_piece(i) for i in range(model.get_piece_size())]
    (data / "joeynmt.vocab").write_text("".join(piece + "\n" for piece in pieces), encoding="utf-8")
    # OpenNMT-py can't read a vocabulary with a piece that is white space (a non-breaking blank).
    readable = [piece for piece in pieces[SPECIAL_PIECES:] if piece.split()]
    (data / "opennmt.vocab").write_text("".join(f"{piece}\t100\n" for piece in readable), encoding="utf-8")


def main():
    if sys.argv[1:2] == ["pieces"]:
        return write_pieces(pathlib.Path(sys.argv[2]))
    parser = argparse.ArgumentParser(prog="scripts/bench peers")
    for name in ("nmt", "folder", "text"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--only", choices=["training", "translation"])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    bench.prepare()
    if arguments.only != "translation":
        bench.training()
    if arguments.only != "training":
        bench.translation()
    return None


if __name__ == "__main__":
    main()
