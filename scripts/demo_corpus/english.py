"""English word forms and spelling: plurals, verbs, a/an, 's."""

VOWELS = "aeiou"
BE_PRESENT = ["am", "are", "is", "are", "are", "are"]
BE_PAST = ["was", "were", "was", "were", "were", "were"]


def plural(noun):
    """The regular plural; of several words, of the last."""
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    if noun.endswith(("s", "x", "ch", "sh")) or noun in ("tomato",):
        return noun + "es"
    return noun + "s"


def third_person(base):
    """The form after he, she, it."""
    if base == "have":
        return "has"
    if base in ("can", "must"):
        return base
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ies"
    if base.endswith(("s", "x", "ch", "sh", "o")):
        return base + "es"
    return base + "s"


def past(verb):
    """The simple past."""
    base = verb.base
    if verb.note("past"):
        return verb.note("past")
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + "ed"


def gerund(verb):
    """The form in -ing."""
    base = verb.base
    if verb.note("ing"):
        return verb.note("ing")
    if base.endswith("e") and not base.endswith("ee") and base != "be":
        return base[:-1] + "ing"
    return base + "ing"


def article(following):
    """"a" or "an" before a word."""
    return "an" if following[:1].lower() in VOWELS else "a"


def spell(tokens):
    """Join English tokens: a/an, cannot, 's, punctuation."""
    words = list(tokens)
    for i, word in enumerate(words[:-1]):
        if word == "a":
            words[i] = article(words[i + 1])
    text = " ".join(words).replace("can not ", "cannot ")
    for mark in ("'s", ",", ".", "?"):
        text = text.replace(" " + mark, mark)
    return text
