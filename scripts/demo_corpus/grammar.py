"""Reads grammar.txt: settings, weighted choices and sentence patterns."""

import re


class Part:
    """A line "name = kind key=value flag" of a pattern."""

    def __init__(self, text):
        self.name, _, right = text.partition("=")
        self.name = self.name.strip()
        self.kind, *rest = right.split()
        self.settings = dict(word.split("=", 1) for word in rest if "=" in word)
        self.flags = {word for word in rest if "=" not in word}


class Item:
    """One word of a "fr" or "en" line: literal, or {parts:mode}."""

    def __init__(self, text):
        self.literal, self.mode, self.before, self.after = text, None, [], []
        self.part = None

    @staticmethod
    def parse(text, parts):
        """An item of a line; {o+v} puts o before the verb v, {v+a} a after it."""
        item = Item(text)
        if not text.startswith("{"):
            return item
        inside, _, mode = text[1:-1].partition(":")
        item.mode = mode or None
        names = inside.split("+")
        kinds = {part.name: part.kind for part in parts}
        verbs = [name for name in names if kinds.get(name) in ("verb", "group")]
        item.part = verbs[0] if verbs else names[0]
        position = names.index(item.part)
        item.before, item.after = names[:position], names[position + 1:]
        return item


class Pattern:
    """A pattern: its category, weight, conditions, parts and two lines."""

    def __init__(self, header):
        _, self.category, weight, *options = header.split()
        self.weight = float(weight)
        self.options = {o for o in options if "=" not in o}
        self.settings = dict(o.split("=", 1) for o in options if "=" in o)
        self.parts = []
        self.fr = self.en = None
        self.close()

    def add(self, line):
        """Take in one line of the pattern's body."""
        word = line.split(None, 1)[0]
        if word in ("fr", "en"):
            pieces = re.findall(r"\{[^}]*\}|[^\s{}]+", line[2:])
            items = [Item.parse(piece, self.parts) for piece in pieces]
            setattr(self, word, items)
        else:
            self.parts.append(Part(line))

    def close(self):
        """Prepare the conditions once the header is read."""
        self.tags = [tuple(option.split("-", 1)) for option in self.options
                     if option.startswith(("for-", "subject-"))]
        self.barred = [flag for option, flag in (("shallow", "inside"), ("elaborate", "plain"),
                                                 ("declarative", "asked"))
                       if option in self.options]
        self.tenses = self.settings["when"].split(",") if "when" in self.settings else None

    def applies(self, context):
        """Whether the context fulfils the conditions of the header."""
        for role, tag in self.tags:
            if tag not in context[role].tags:
                return False
        for flag in self.barred:
            if flag in context:
                return False
        return self.tenses is None or context.get("tense") in self.tenses


class Grammar:
    """All patterns by category, and the settings."""

    def __init__(self, path):
        self.patterns = {}
        self.choices, self.follows = {}, {}
        self.pairs, self.lengths = {}, []
        self.holdouts, self.required = [], []
        pattern = None
        with open(path, encoding="utf-8") as file:
            for line in file:
                line = line.rstrip("\n")
                if not line.startswith("require"):
                    line = line.split("#")[0].rstrip()
                if not line:
                    continue
                if line.startswith("pattern "):
                    pattern = Pattern(line)
                    self.patterns.setdefault(pattern.category, []).append(pattern)
                elif line.startswith(" "):
                    pattern.add(line.strip())
                else:
                    self.read_setting(line)

    def read_setting(self, line):
        """A line outside the patterns."""
        keyword, rest = line.split(None, 1)
        if keyword == "pairs":
            name, number = rest.split()
            self.pairs[name] = int(number)
        elif keyword == "length":
            span, percent, category = rest.split()
            low, high = map(int, span.split("-"))
            self.lengths.append((low, high, float(percent), category))
        elif keyword == "choice":
            name, *options = rest.split()
            self.choices[name] = [(o.split("=")[0], float(o.split("=")[1])) for o in options]
        elif keyword == "follow":
            name, *options = rest.split()
            self.follows[name] = dict(o.split(">") for o in options)
        elif keyword == "holdout":
            within = rest.endswith(" within")
            self.holdouts.append((rest[:-7] if within else rest, within))
        elif keyword == "require":
            number, name, expression = rest.split(None, 2)
            self.required.append((int(number), name, re.compile(expression, re.I)
                                  if name not in ("possessor", "bare-noun-phrase")
                                  else re.compile(expression)))
        else:
            raise ValueError("grammar.txt: unknown line: " + line)
