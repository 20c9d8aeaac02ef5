"""Writes expected.tsv, expected_sentence.tsv and commands.json beside the texts in the folder that is given.

The tables have the columns of the larger set of cases that the tests use where it is present; commands.json holds
what sacreBLEU's command prints for some of its options.
"""

import json
import logging
import pathlib
import subprocess
import sys

from sacrebleu.metrics import BLEU, CHRF, TER

CLASSES = {"BLEU": BLEU, "chrF": CHRF, "TER": TER}

CORPUS_CASES = (
    [("BLEU", {"tokenize": name}) for name in ("13a", "intl", "char", "none", "zh")]
    + [("BLEU", {"tokenize": name, "lowercase": True}) for name in ("13a", "intl", "zh")]
    + [("BLEU", {"smooth_method": method}) for method in ("exp", "floor", "add-k", "none")]
    + [("BLEU", {"smooth_method": "floor", "smooth_value": 0.01})]
    + [("BLEU", {"smooth_method": "add-k", "smooth_value": value}) for value in (0.5, 2)]
    + [("BLEU", {"max_ngram_order": order}) for order in (1, 2, 7)]
    + [("BLEU", {"effective_order": True})]
    + [("chrF", {})]
    + [("chrF", {"word_order": order}) for order in (1, 2)]
    + [("chrF", {name: True}) for name in ("whitespace", "lowercase", "eps_smoothing")]
    + [("chrF", {"char_order": 4, "beta": 3})]
    + [("chrF", {"word_order": 2, "beta": 0})]
    + [("chrF", {"char_order": 0, "word_order": 2})]
    + [("TER", {})]
    + [("TER", {name: True}) for name in ("normalized", "no_punct", "case_sensitive")]
    + [("TER", {"normalized": True, "asian_support": True})]
    + [("TER", {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True})]
)

SENTENCE_CASES = [
    ("BLEU", {"effective_order": True}),
    ("BLEU", {"effective_order": True, "tokenize": "intl", "lowercase": True}),
    ("BLEU", {"effective_order": True, "tokenize": "zh"}),
    ("BLEU", {"effective_order": False, "smooth_method": "floor"}),
    ("chrF", {"word_order": 2}),
    ("TER", {"normalized": True, "asian_support": True}),
    ("TER", {}),
]

COMMANDS = [
    ["-m", "bleu"],
    ["-m", "bleu", "chrf", "ter"],
    ["-m", "bleu", "chrf", "ter", "--format", "text"],
    ["-m", "chrf", "--chrf-word-order", "2", "--format", "text", "--short", "-w", "4"],
    ["-m", "bleu", "ter", "-b"],
    ["-m", "bleu", "ter", "-b", "--format", "text"],
    ["-m", "bleu", "-w", "0"],
    ["-m", "bleu", "--sentence-level"],
    ["-m", "ter", "--sentence-level", "-b", "-w", "3"],
    ["-m", "bleu", "--smooth-method", "floor", "--smooth-value", "0.5", "--tokenize", "intl", "--lowercase"],
]

REFERENCE_SETS = ("reference1.txt", "reference2.txt", "reference1.txt,reference2.txt")

# Long lines, which meet the limits of TER's search. An empty line of a file marked "?" is a reference that isn't there.
LONG_REFERENCE_SETS = ("long_reference1.txt", "long_reference1.txt,long_reference2.txt?")
LONG_CASES = [
    ("BLEU", {}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": 1e9, "max_ngram_order": 60}),  # beyond 100
    ("chrF", {"word_order": 2}),
    ("chrF", {"char_order": 150, "eps_smoothing": True}),  # beyond the longest line
    ("TER", {}),
    ("TER", {"normalized": True, "no_punct": True}),
]


def lines(folder, name):
    with open(folder / name.rstrip("?"), encoding="utf-8", newline="\n") as file:
        found = [line.rstrip() for line in file]
    return [line or None for line in found] if name.endswith("?") else found


def details(name, score):
    if name == "BLEU":
        return {
            "counts": score.counts,
            "totals": score.totals,
            "precisions": score.precisions,
            "bp": score.bp,
            "sys_len": score.sys_len,
            "ref_len": score.ref_len,
        }
    if name == "TER":
        return {"num_edits": score.num_edits, "ref_length": score.ref_length}
    return None


def rows_of(folder, hypothesis, references, cases):
    streams = [lines(folder, name) for name in references.split(",")]
    for name, params in cases:
        metric = CLASSES[name](**params)
        score = metric.corpus_score(lines(folder, hypothesis), streams)
        signature = metric.get_signature()
        more = details(name, score)
        yield [hypothesis, references, score.name, json.dumps(params), repr(score.score),
               signature.format(short=True), signature.format(), json.dumps(more) if more else ""]


def corpus_rows(folder):
    yield ["hyp", "refs", "metric", "params", "score", "signature_short", "signature_verbose", "details"]
    for hypothesis in ("system1.txt", "system2.txt"):
        for references in REFERENCE_SETS:
            yield from rows_of(folder, hypothesis, references, CORPUS_CASES)
    for references in LONG_REFERENCE_SETS:
        yield from rows_of(folder, "long_system.txt", references, LONG_CASES)


def sentence_rows(folder):
    yield ["hyp", "refs", "line", "metric", "params", "score", "signature_verbose"]
    for hypothesis in ("system1.txt", "system2.txt"):
        for references in REFERENCE_SETS[1:]:
            streams = [lines(folder, name) for name in references.split(",")]
            for name, params in SENTENCE_CASES:
                metric = CLASSES[name](**params)
                for number, (text, *refs) in enumerate(zip(lines(folder, hypothesis), *streams), 1):
                    score = metric.sentence_score(text, refs)
                    yield [hypothesis, references, str(number), score.name, json.dumps(params), repr(score.score),
                           metric.get_signature().format()]


def commands(folder):
    def run(references, hypotheses, arguments):
        command = [sys.executable, "-m", "sacrebleu", *references, "-i", *hypotheses, *arguments]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        return {"references": references, "hypotheses": hypotheses, "arguments": arguments, "output": done.stdout}

    both = ["reference1.txt", "reference2.txt"]
    for arguments in COMMANDS:
        yield run(both, ["system1.txt"], arguments)
    for arguments in (["-m", "bleu", "chrf", "ter"], ["-m", "bleu", "chrf", "ter", "--format", "text"]):
        yield run(["reference1.txt"], ["system1.txt", "system2.txt"], arguments)


def write_table(path, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write("\t".join(row) + "\n")


def main():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises against single lines without effective_order
    folder = pathlib.Path(sys.argv[1])
    write_table(folder / "expected.tsv", corpus_rows(folder))
    write_table(folder / "expected_sentence.tsv", sentence_rows(folder))
    with open(folder / "commands.json", "w", encoding="utf-8") as file:
        json.dump(list(commands(folder)), file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
