"""The leaves of a sentence: nouns, determiners, adjectives, pronouns, verbs.

Every leaf has fr(mode) and en(mode), which give lists of tokens.
"""

from . import english, french
from .chance import DeadEnd

NUMBERS = [("deux", "two"), ("trois", "three"), ("quatre", "four"),
           ("cinq", "five"), ("six", "six"), ("dix", "ten")]
PERSONAL = {"je": (1, False, None, "I"), "tu": (2, False, None, "you"),
            "il": (3, False, "m", "he"), "elle": (3, False, "f", "she"),
            "nous": (1, True, "m", "we"), "vous": (2, True, "m", "you"),
            "ils": (3, True, "m", "they"), "elles": (3, True, "f", "they")}
POSSESSIVES = {(1, False): ("mon", "ma~mon", "mes"), (2, False): ("ton", "ta~ton", "tes"),
               (3, False): ("son", "sa~son", "ses"), (1, True): ("notre", "notre", "nos"),
               (2, True): ("votre", "votre", "vos"), (3, True): ("leur", "leur", "leurs")}
# The persons a tense is used in, where not all (0 is je, 5 is ils): the less
# common forms would each be seen too rarely to be learnt.
PERSONS = {"imperfect": (2, 5), "subjunctive": (2, 5), "future": (0, 2, 3, 5)}
REFLEXIVE = {(1, False): "me", (2, False): "te", (1, True): "nous", (2, True): "vous"}


class Agreement:
    """Person, gender, number and kind of a noun phrase."""

    def __init__(self, person, gender, plural, tags=frozenset()):
        self.person, self.gender, self.plural = person, gender, plural
        self.tags = tags

    @property
    def index(self):
        """0..5 for je, tu, il, nous, vous, ils."""
        return self.person - 1 + (3 if self.plural else 0)

    @property
    def article(self):
        """The definite article, a token that contracts."""
        if self.plural:
            return "+les"
        return "+la" if self.gender == "f" else "+le"

    def subject_pronoun(self):
        """(French, English) subject pronoun."""
        if self.person < 3:
            fr = french.PRONOUNS[self.person, self.plural]
            return fr, PERSONAL[fr][3]
        fr = ("elle" if self.gender == "f" else "il") + ("s" if self.plural else "")
        return fr, PERSONAL[fr][3] if self.plural or "person" in self.tags else "it"

    def possessive(self):
        """(French forms, English word) for what belongs to this person."""
        if self.person == 3 and not self.plural:
            en = "its"
            if "person" in self.tags:
                en = "her" if self.gender == "f" else "his"
        else:
            en = {1: "our", 2: "your", 3: "their"}[self.person] if self.plural \
                else {1: "my", 2: "your"}[self.person]
        return POSSESSIVES[self.person, self.plural], en


class Leaf:
    """A part with fixed tokens."""

    agreement = None
    tags = frozenset()
    word = None             # the dictionary entry, when there is one

    def __init__(self, fr=(), en=(), agreement=None):
        self._fr, self._en = list(fr), list(en)
        if agreement:
            self.agreement, self.tags = agreement, agreement.tags

    def fr(self, mode=None):
        """French tokens."""
        return self._fr

    def en(self, mode=None):
        """English tokens."""
        return self._en


class NounLeaf(Leaf):
    """A noun in its number."""

    def __init__(self, noun, plural):
        super().__init__(agreement=Agreement(3, noun.gender, plural, noun.tags))
        self.word, self.plural = noun, plural
        self.mass = "mass" in noun.flags

    def fr(self, mode=None):
        """The noun, or with mode "the" its article."""
        if mode == "the":
            return [self.agreement.article]
        return [self.word.plural_fr if self.plural else self.word.fr]

    def en(self, mode=None):
        """The noun, or with mode "the" its article."""
        if mode == "the":
            return ["the"]
        return (self.word.plural_en if self.plural else self.word.en).split()


class AdjectiveLeaf(Leaf):
    """An adjective that agrees with a noun phrase."""

    def __init__(self, adjective, agreement, attributive):
        super().__init__()
        self.word = adjective
        form = french.agree(adjective, agreement.gender, agreement.plural)
        vowel = adjective.note("vowel")
        if attributive and vowel and agreement.gender == "m" and not agreement.plural:
            form += "~" + vowel
        self._fr = [form]
        self._en = [adjective.note("attr") or adjective.en if attributive else adjective.en]

    def en(self, mode=None):
        """The adjective, or with mode "more" its comparative."""
        if mode == "more":
            return self.word.note("more", "more " + self.word.en).split()
        return self._en


def determiner(kind, noun, owner, generic, negation, adjective_before):
    """The determiner of a noun: a Leaf."""
    of = noun.agreement
    if kind == "definite":
        en = [] if generic and (noun.plural or noun.mass) else ["the"]
        return Leaf([of.article], en)
    if kind == "demonstrative":
        fr = "ces" if of.plural else "cette" if of.gender == "f" else "ce~cet"
        return Leaf([fr], ["these" if of.plural else "this"])
    if kind == "possessive":
        forms, en = owner.possessive()
        return Leaf([forms[2] if of.plural else forms[of.gender == "f"]], [en])
    if kind == "many":
        return Leaf(["beaucoup", "de"], ["a", "lot", "of"])
    return indefinite(noun, negation, adjective_before)


def indefinite(noun, negation, adjective_before):
    """un, une, des, du; "pas de" under a negation."""
    countable = not noun.plural and not noun.mass
    if negation in ("pas", "jamais", "plus"):
        some = ["any"] if negation == "pas" else []
        return Leaf(["de"], ["a"] if countable else some)
    if countable:
        return Leaf(["une" if noun.agreement.gender == "f" else "un"], ["a"])
    if noun.mass:
        return Leaf(["de", noun.agreement.article], ["some"])
    return Leaf(["de" if adjective_before else "des"], ["some"])


class VerbGroup(Leaf):
    """A verb with its subject's person, tense, negation."""

    def __init__(self, verb, lexicon, agreement, tense, polarity, gap=None):
        super().__init__()
        self.verb = self.word = verb
        self.lexicon = lexicon
        self.agreement = agreement
        self.tense, self.polarity = tense, polarity
        self.gap = gap.agreement if gap else None
        self.check()

    def check(self):
        """Refuse tenses and persons the corpus avoids."""
        tense, flags = self.tense, self.verb.flags
        if "present" in flags and tense not in ("present", "infinitive"):
            raise DeadEnd("present only")
        if tense == "past" and "stative" in flags:
            raise DeadEnd("a state takes the imperfect")
        if tense == "past" and self.polarity == "plus":
            raise DeadEnd("'no longer' goes with a duration")
        if tense == "imperfect" and "noimperfect" in flags:
            raise DeadEnd("no imperfect")
        if self.agreement.index not in PERSONS.get(tense, range(6)):
            raise DeadEnd("rare form")

    # ------------------------------------------------------------------ French

    def fr_group(self, mode, clitics, adverbs):
        """French tokens with object pronouns and adverbs in their places."""
        before = [c for clitic in clitics for c in clitic.fr()]
        behind = [a for adverb in adverbs for a in adverb.fr()]
        direct = next((c.agreement for c in clitics if c.direct), None)
        if self.verb.pronominal:
            before = [self.reflexive()] + before
        if mode in ("infinitive", "gerund") or self.tense == "infinitive":
            return before + [self.verb.infinitive] + self.verb.tail + behind
        return self.finite_group(mode, before, behind, direct)

    def finite_group(self, mode, before, behind, direct):
        """The conjugated group: ne + pronouns + verb + pas + participle."""
        finite, rest = self.finite_forms(before, direct)
        near = self.tense == "near"
        if mode == "inverted":
            finite = self.invert(finite)
        ne = ["ne"] if self.polarity != "yes" else []
        word = {"yes": [], "nobody": []}.get(self.polarity, [self.polarity])
        if self.polarity == "personne":
            middle, end = [], word
        else:
            middle, end = word, []
        head = ne + ([] if near else before) + [finite]
        return head + middle + behind + rest + self.verb.tail + end

    def finite_forms(self, before, direct):
        """The conjugated word and what follows it (participle, infinitive)."""
        index, forms = self.agreement.index, self.verb.forms
        if self.tense == "near":
            return self.lexicon.aller.forms["present"][index], before + [self.verb.infinitive]
        if self.tense != "past":
            return forms[self.tense][index], []
        if self.verb.auxiliary == "être":
            target = self.agreement
            auxiliary = self.lexicon.etre
        else:
            target = direct or self.gap
            auxiliary = self.lexicon.avoir
        participle = forms["participle"]
        if target:
            participle = french.agree_participle(participle, target.gender, target.plural)
        return auxiliary.forms["present"][index], [participle]

    def reflexive(self):
        """The pronoun of a pronominal verb."""
        return REFLEXIVE.get((self.agreement.person, self.agreement.plural), "se")

    def invert(self, finite):
        """The verb with its subject pronoun behind: "aime-t-il"."""
        pronoun, _ = self.agreement.subject_pronoun()
        if pronoun == "je":
            raise DeadEnd("no inversion with je")
        link = "-t-" if pronoun[0] in "ie" and finite[-1] in "aeé" else "-"
        return finite + link + pronoun

    # ----------------------------------------------------------------- English

    def en_group(self, mode, adverbs):
        """English tokens; the modes aux and rest split the group for questions."""
        words = [a for adverb in adverbs for a in adverb.en()]
        tail = self.verb.en_tail
        if mode == "infinitive" or (self.tense == "infinitive" and mode != "gerund"):
            return words + [self.verb.base] + tail
        if mode == "gerund":
            return words + [english.gerund(self.verb)] + tail
        question = mode in ("aux", "rest")
        auxiliary, main = self.auxiliary_and_verb(question, mode == "undated")
        rest = self.en_negation() + words + main + tail
        if self.polarity == "rien":
            rest.append("nothing")
        if self.polarity == "personne":
            rest.append("nobody")
        if mode == "aux":
            return auxiliary
        return rest if mode == "rest" else auxiliary + rest

    def en_negation(self):
        """The negation word after the auxiliary."""
        return {"pas": ["not"], "jamais": ["never"], "plus": ["no", "longer"]}.get(self.polarity, [])

    def auxiliary_and_verb(self, question, undated):
        """What carries the tense, and the verb itself."""
        tense = self.tense
        if tense == "subjunctive" or (undated and tense in ("future", "near")):
            tense = "present"
        base, index = self.verb.base, self.agreement.index
        be = {"present": english.BE_PRESENT, "near": english.BE_PRESENT}.get(tense, english.BE_PAST)
        if tense == "future":
            return ["will"], [base]
        if tense == "near":
            return [be[index]], ["going", "to", base]
        if base == "be":
            return [be[index]], []
        if base in ("can", "must"):
            return [base], []
        if tense == "imperfect" and "stative" not in self.verb.flags:
            return [be[index]], [english.gerund(self.verb)]
        return self.with_do(tense, question)

    def with_do(self, tense, question):
        """Simple present and past; "do" in questions and with "not"."""
        he = self.agreement.index == 2
        if question or self.polarity == "pas":
            do = "did" if tense != "present" else "does" if he else "do"
            return [do], [self.verb.base]
        if tense != "present":
            return [], [english.past(self.verb)]
        return [], [english.third_person(self.verb.base) if he else self.verb.base]
