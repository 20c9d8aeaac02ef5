"""Reads the word lists: nouns, names, adjectives, verbs, adverbs."""

from . import english, french


class Word:
    """A dictionary entry: its two lemmas, its tags, its remarks."""

    def __init__(self, fr, en, remarks=""):
        self.fr = fr
        self.en = en
        self.flags = set()
        self.notes = {}
        self.count = 0          # how often the corpus uses it so far
        for remark in remarks.split():
            name, equals, value = remark.partition("=")
            if equals:
                self.notes[name] = value
            else:
                self.flags.add(name)

    def note(self, name, default=None):
        """The value of the remark name=value."""
        return self.notes.get(name, default)


class Noun(Word):
    """A noun; its own lemma counts among its tags."""

    def __init__(self, fr, gender, en, tags, remarks):
        super().__init__(fr, en, remarks)
        self.gender = gender
        self.tags = set(tags.split()) | {fr}
        self.plural_fr = french.plural(fr)
        self.plural_en = self.note("en") or english.plural(en)


class Name(Word):
    """A person or a city."""

    def __init__(self, fr, gender, en):
        super().__init__(fr, en)
        self.gender = "m" if gender == "city" else gender
        self.tags = {gender} if gender == "city" else {"person"}


class Adjective(Word):
    """An adjective and what it can be said of."""

    def __init__(self, fr, en, place, used_of, remarks=""):
        super().__init__(fr, en, remarks)
        self.place = place
        self.used_of = set(used_of.split())
        self.never = set(self.note("not", "").split(","))


class Verb(Word):
    """A verb in one frame; subject and object are sets of tags."""

    def __init__(self, conjugations, fr, en, frame, subject, objects, remarks=""):
        super().__init__(fr, en, remarks)
        self.frame = frame
        self.subject = set(subject.split())
        self.objects = set(objects.split())
        words = fr.split()
        self.pronominal = words[0] == "se"
        if self.pronominal:
            words.pop(0)
        self.infinitive, self.tail = words[0], words[1:]
        self.forms = french.conjugate(self.infinitive, conjugations)
        self.auxiliary = "être" if self.pronominal or "être" in self.flags else "avoir"
        self.base, *self.en_tail = en.split()


class Adverb(Word):
    """An adverb of one kind."""

    def __init__(self, fr, en, kind):
        super().__init__(fr, en)
        self.kind = kind


def read_rows(path):
    """The rows of a word list: lists of trimmed columns."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [column.strip() for column in line.split("|")]


class Lexicon:
    """All the words of a folder."""

    def __init__(self, folder):
        rows = lambda name: read_rows(folder / name)
        conjugations = {row[0]: row[1:] for row in rows("conjugation.txt")}
        self.nouns = [Noun(*row) for row in rows("nouns.txt")]
        self.names = [Name(*row) for row in rows("names.txt")]
        self.adjectives = [Adjective(*row) for row in rows("adjectives.txt")]
        self.verbs = [Verb(conjugations, *row) for row in rows("verbs.txt")]
        self.adverbs = [Adverb(*row) for row in rows("adverbs.txt")]
        self.etre = next(v for v in self.verbs if v.fr == "être")
        self.avoir = next(v for v in self.verbs if v.fr == "avoir")
        self.aller = next(v for v in self.verbs if v.fr == "aller")

    def words(self):
        """Every entry."""
        return self.nouns + self.names + self.adjectives + self.verbs + self.adverbs
