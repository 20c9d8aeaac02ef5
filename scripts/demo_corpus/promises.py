"""Verifies what the README of the corpus promises."""

import unicodedata

from .corpus import SPLITS, held_out, key, length, words

MIN_WORD = 30       # training sentences for each dictionary entry


def lines(files, name):
    """The lines of a generated file."""
    return files[name].splitlines()


def verify(folder, files, collector):
    """A list of broken promises, empty when all is well."""
    checks = (same_as_committed(folder, files), counts(files, collector.grammar),
              spelling(files), separation(files), holdouts(files, collector.grammar),
              one_translation(files), phenomena(files, collector.grammar),
              coverage(collector.lexicon))
    return [problem for check in checks for problem in check]


def same_as_committed(folder, files):
    """The files in the folder are what the generator makes."""
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != text.encode("utf-8"):
            yield f"{name} is not what the generator makes"


def counts(files, grammar):
    """The sizes of the parts and the lengths of the sentences."""
    for name in SPLITS:
        fr, en = lines(files, name + ".fr"), lines(files, name + ".en")
        if len(fr) != len(en) or len(fr) != grammar.pairs[name]:
            yield f"{name} has {len(fr)} and {len(en)} lines"
        lengths = [length(line) for line in fr]
        if min(lengths) < 2 or max(lengths) > 40:
            yield f"{name} has sentences of {min(lengths)} to {max(lengths)} words"
        share = sum(n > 20 for n in lengths) / len(lengths)
        if share < 0.15:
            yield f"{name}: only {share:.0%} of the sentences have more than 20 words"


def spelling(files):
    """Unicode NFC, no double blanks, no blanks at the ends."""
    for name, text in files.items():
        if unicodedata.normalize("NFC", text) != text:
            yield f"{name} is not in Unicode NFC"
        for line in text.splitlines():
            if not line or "  " in line or line != line.strip() or "~" in line or "+" in line:
                yield f"{name}: badly spelt: {line!r}"


def separation(files):
    """No sentence twice, so none of valid or test in training."""
    seen = {}
    for name in SPLITS:
        for line in lines(files, name + ".fr"):
            if key(line) in seen:
                yield f"{line!r} is in {seen[key(line)]} and in {name}"
            seen[key(line)] = name


def holdouts(files, grammar):
    """The sentences of the demonstration are not in the corpus."""
    for name in SPLITS:
        for line in lines(files, name + ".fr"):
            if held_out(grammar, line):
                yield f"{name}: {line!r} is held out"


def one_translation(files):
    """Each French sentence has one English translation."""
    known = {}
    for name in SPLITS:
        for fr, en in zip(lines(files, name + ".fr"), lines(files, name + ".en")):
            if known.setdefault(key(fr), key(en)) != key(en):
                yield f"two translations of {fr!r}"


def phenomena(files, grammar):
    """Each required phenomenon occurs often enough in training."""
    train = lines(files, "train.fr")
    for minimum, name, expression in grammar.required:
        found = 0
        for line in train:
            found += expression.search(line) is not None
            if found == minimum:
                break
        else:
            yield f"{name} occurs in {found} training sentences, not {minimum}"


def coverage(lexicon):
    """Each dictionary entry is used often enough."""
    for word in lexicon.words():
        if word.count < MIN_WORD:
            yield f"{word.fr} ({word.en}) is used {word.count} times, not {MIN_WORD}"


def summary(files):
    """Sizes, vocabularies and lengths, as a text."""
    report = []
    for name in SPLITS:
        fr, en = lines(files, name + ".fr"), lines(files, name + ".en")
        lengths = [length(line) for line in fr]
        bands = [sum(low <= n <= low + 4 for n in lengths) for low in range(1, 41, 5)]
        report.append(f"{name:6}{len(fr):6} pairs, {sum(lengths) / len(fr):.1f} French words each,"
                      f" {sum(n > 20 for n in lengths) / len(fr):.1%} above 20;"
                      f" by fives: {' '.join(map(str, bands))}")
        if name == "train":
            for language, text in (("French", fr), ("English", en)):
                forms = {w for line in text for w in words(line)}
                report.append(f"      {len(forms)} {language} word forms")
    return "\n".join(report)
