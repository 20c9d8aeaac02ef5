"""Collects sentence pairs by length, splits them, and checks the promises."""

import re
import unicodedata

from . import english, french
from .builder import Builder
from .chance import Chance, DeadEnd
from .grammar import Grammar
from .lexicon import Lexicon

SEED = 20
SPLITS = ("train", "valid", "test")
MIN_SEEN = 3        # every word of valid and test occurs so often in training


def length(text):
    """Words separated by blanks; a lone punctuation mark is none."""
    return sum(any(c.isalnum() for c in word) for word in text.split(" "))


def key(text):
    """What makes two sentences the same: no case, no final punctuation."""
    return re.sub(r"\s*[.?!]$", "", text).casefold()


def words(text):
    """The words and marks of a sentence, for counting."""
    return re.findall(r"\w+'?|[^\w\s]", text.lower())


class Collector:
    """Gathers distinct pairs until every length has its share."""

    def __init__(self, folder):
        self.grammar = Grammar(folder / "grammar.txt")
        self.lexicon = Lexicon(folder)
        self.chance = Chance(SEED)
        self.builder = Builder(self.grammar, self.lexicon, self.chance)
        self.pairs = []
        self.translations = {}      # key of the French -> English
        total = sum(self.grammar.pairs.values())
        shares = sum(percent for _, _, percent, _ in self.grammar.lengths)
        self.room = [[low, high, round(total * percent / shares), category]
                     for low, high, percent, category in self.grammar.lengths]
        self.room[1][2] += total - sum(slot[2] for slot in self.room)

    def collect(self):
        """All pairs, in the order made."""
        while any(slot[2] for slot in self.room):
            slot = self.chance.pick(self.room, [slot[2] for slot in self.room])
            try:
                sentence = self.builder.sentence(slot[3])
                fr = spell_french(sentence)
                if self.slot_for(fr) or length(fr) <= 10:
                    self.offer(fr, spell_english(sentence))
            except DeadEnd:
                continue
        return self.pairs

    def slot_for(self, fr):
        """The length band of a sentence, if it still has room."""
        number = length(fr)
        return next((r for r in self.room if r[0] <= number <= r[1] and r[2]), None)

    def offer(self, fr, en):
        """Keep a pair if it is new, allowed and of a length still wanted."""
        known = self.translations.setdefault(key(fr), key(en))
        if known != key(en):
            raise SystemExit(f"two translations of {fr!r}: {known!r}, {en!r}")
        if held_out(self.grammar, fr):
            return
        slot = self.slot_for(fr)
        if slot is None or (key(fr), "kept") in self.translations:
            return
        self.translations[key(fr), "kept"] = True
        slot[2] -= 1
        self.pairs.append((fr, en))
        for word in self.builder.used:
            word.count += 1


def spell_french(sentence):
    """The French text of a sentence."""
    return unicodedata.normalize("NFC", capital(sentence, french.spell(sentence.fr())))


def spell_english(sentence):
    """The English text of a sentence."""
    return capital(sentence, english.spell(sentence.en()))


def capital(sentence, text):
    """The text with a capital, unless the pattern is "lowercase"."""
    if "lowercase" in sentence.pattern.options:
        return text
    return text[0].upper() + text[1:]


def held_out(grammar, fr):
    """Whether a sentence is reserved for the demonstration."""
    for phrase, within in grammar.holdouts:
        if key(fr) == phrase.casefold() or within and phrase.casefold() in key(fr):
            return True
    return False


def split(pairs, grammar, chance):
    """Divide the pairs; valid and test use no word that training lacks."""
    chance.shuffle(pairs)
    seen = {}
    for pair in pairs:
        for word in words(pair[0]) + [w.upper() for w in words(pair[1])]:
            seen[word] = seen.get(word, 0) + 1
    parts = {name: [] for name in SPLITS}
    for pair in pairs:
        used = words(pair[0]) + [w.upper() for w in words(pair[1])]
        target = "train"
        if all(seen[w] - used.count(w) >= MIN_SEEN for w in used):
            target = next((name for name in ("test", "valid")
                           if len(parts[name]) < grammar.pairs[name]), "train")
        if target != "train":
            for word in used:
                seen[word] -= 1
        parts[target].append(pair)
    chance.shuffle(parts["train"])
    return parts


def generate(folder):
    """The whole corpus: file name -> text, and the grammar and lexicon."""
    collector = Collector(folder)
    parts = split(collector.collect(), collector.grammar, collector.chance)
    files = {}
    for name, pairs in parts.items():
        for side, language in enumerate(("fr", "en")):
            files[f"{name}.{language}"] = "".join(pair[side] + "\n" for pair in pairs)
    return files, collector
