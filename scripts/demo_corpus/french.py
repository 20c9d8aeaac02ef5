"""French word forms and spelling: plurals, agreement, conjugation, elision."""

VOWELS = "aeiouyhàâéèêëîïôûùœ"
ELIDED = {"je": "j'", "me": "m'", "te": "t'", "se": "s'", "le": "l'", "la": "l'",
          "de": "d'", "ne": "n'", "que": "qu'"}
CONTRACTED = {("de", "+le"): "du", ("de", "+les"): "des",
              ("à", "+le"): "au", ("à", "+les"): "aux"}
IMPERFECT = ["ais", "ais", "ait", "ions", "iez", "aient"]
FUTURE = ["ai", "as", "a", "ons", "ez", "ont"]
PRONOUNS = {(1, False): "je", (2, False): "tu", (1, True): "nous", (2, True): "vous"}


def starts_with_vowel(word):
    """Whether a word asks for elision (every h of the lexicon is mute)."""
    return word.lstrip("+")[:1].lower() in VOWELS


def plural(word):
    """The plural of a noun or of a masculine adjective."""
    if word[-1] in "sxz":
        return word
    if word.endswith("eau"):
        return word + "x"
    if word.endswith("al"):
        return word[:-2] + "aux"
    return word + "s"


def agree(adjective, gender, is_plural):
    """An adjective in its gender and number."""
    if gender == "m":
        if is_plural:
            return adjective.note("pl") or plural(adjective.fr)
        return adjective.fr
    base = adjective.note("f")
    if base is None:
        base = adjective.fr if adjective.fr.endswith("e") else adjective.fr + "e"
    return base + "s" if is_plural else base


def agree_participle(participle, gender, is_plural):
    """A past participle in its gender and number."""
    word = participle + "e" if gender == "f" else participle
    return word + "s" if is_plural and not word.endswith("s") else word


# ----------------------------------------------------------------- conjugation

def er_stems(infinitive):
    """The stems of a regular -er verb: plain, before mute e, future."""
    stem = infinitive[:-2]
    mute = stem
    if stem.endswith(("oy", "uy", "ay")):
        mute = stem[:-1] + "i"
    elif len(stem) > 2 and stem[-2] == "e" and stem[-1] in "tvn":
        mute = stem[:-2] + "è" + stem[-1]
    elif len(stem) > 2 and stem[-2] == "é" and stem[-1] in "rt":
        mute = stem[:-2] + "è" + stem[-1]
        return stem, mute, stem + "er"
    return stem, mute, mute + "er"


def soften(stem, ending):
    """A -er stem before an ending: mang-e-ons, commenç-ons."""
    if ending[0] in "ao":
        if stem.endswith("g"):
            return stem + "e" + ending
        if stem.endswith("c"):
            return stem[:-1] + "ç" + ending
    return stem + ending


def conjugate_er(infinitive):
    """Present, participle and future stem of a -er verb."""
    stem, mute, future = er_stems(infinitive)
    present = [mute + "e", mute + "es", mute + "e",
               soften(stem, "ons"), stem + "ez", mute + "ent"]
    return present, stem + "é", future


def conjugate_regular(infinitive):
    """Present, participle and future stem of a regular verb."""
    if infinitive.endswith("er"):
        return conjugate_er(infinitive)
    stem = infinitive[:-2]
    if infinitive.endswith("ir"):
        endings = ["is", "is", "it", "issons", "issez", "issent"]
        return [stem + e for e in endings], stem + "i", infinitive
    endings = ["s", "s", "", "ons", "ez", "ent"]
    return [stem + e for e in endings], stem + "u", infinitive[:-1]


def conjugate(infinitive, irregular):
    """All simple tenses: tense -> six forms; "participle" -> one form."""
    subjunctive = "-"
    if infinitive in irregular:
        present, participle, future, subjunctive = irregular[infinitive]
        present = present.split()
    else:
        present, participle, future = conjugate_regular(infinitive)
    stem = "ét" if infinitive == "être" else present[3][:-3]
    if infinitive.endswith("cer"):
        stem = present[3][:-3].replace("ç", "c")
    if infinitive.endswith("ger"):
        stem = stem[:-1]
    he, they = present[5][:-2], present[5]
    if subjunctive != "-":
        he, they = subjunctive.split()
    return {"present": present, "participle": participle,
            "future": [future + e for e in FUTURE],
            "imperfect": [soften(stem, e) for e in IMPERFECT],
            "subjunctive": [None, None, he, None, None, they]}


# -------------------------------------------------------------------- spelling

def spell(tokens):
    """Join French tokens: contraction, forms before a vowel, elision, spaces.

    A token "X~Y" stands for Y before a vowel and for X elsewhere; "+le" is
    the article, which contracts, unlike the pronoun "le".
    """
    words = []
    for token in reversed(tokens):
        following = words[-1] if words else ""
        vowel = starts_with_vowel(following)
        plain, _, before_vowel = token.partition("~")
        if (token, following) in CONTRACTED:
            words[-1] = CONTRACTED[token, following]
        elif before_vowel:
            words.append(before_vowel if vowel else plain)
        elif token in ("+le", "+la") and vowel:
            words.append("l'")
        elif token in ELIDED and vowel:
            words.append(ELIDED[token])
        elif token == "si" and following in ("il", "ils"):
            words.append("s'")
        else:
            words.append(token)
    text = " ".join(word.lstrip("+") for word in reversed(words))
    return text.replace("' ", "'").replace(" ,", ",").replace(" .", ".")
