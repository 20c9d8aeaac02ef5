"""Builds sentences: follows the patterns, chooses words, keeps them compatible."""

from .chance import DeadEnd
from .parts import (NUMBERS, PERSONAL, AdjectiveLeaf, Agreement, Leaf, NounLeaf,
                    VerbGroup, determiner)

# What a pattern does not hand down to its parts unless it says so.
OWN = ("for", "of", "takes", "verb", "gap", "only", "frame", "kind", "form",
       "pronoun", "places", "near")
# What a verb phrase or a clause does not hand down from around it.
NOMINAL = ("class", "object", "role", "from", "fits", "number")
# Flags of a clause that a relative clause inside it does not share.
MANNERS = ("aim", "activity", "plain", "asked", "fresh", "no-kin")
VERBAL = {"vp", "clause", "doing", "reason", "motion", "manner-verb", "verb", "group",
          "opener", "pair", "coreferent"}
# How often phrases of a category are tried before the whole is given up.
RETRIES = {"vp": 6, "clause": 3, "doing": 4, "reason": 3, "np": 3, "relative": 3,
           "opener": 2, "coreferent": 2, "pair": 2}
# What can be somebody's: "le livre de Marie".
OWNED = {"portable", "vehicle", "home", "clothing", "pet", "machine", "room"}
SOMEONE = Agreement(3, "m", False, frozenset({"person", "nobody"}))


class Phrase:
    """A pattern with its parts chosen."""

    def __init__(self, pattern, parts):
        self.pattern, self.parts = pattern, parts
        first = next(iter(parts.values()), None)
        self.agreement = first.agreement if first else None
        self.tags = first.tags if first else frozenset()
        if "plural" in pattern.options:
            women = all(part.agreement.gender == "f" for part in parts.values())
            self.agreement = Agreement(3, "f" if women else "m", True, self.tags)

    def fr(self, mode=None):
        """French tokens."""
        return self.render("fr", mode)

    def en(self, mode=None):
        """English tokens."""
        return self.render("en", mode)

    def render(self, language, mode):
        """The tokens of one line of the pattern."""
        tokens = []
        for item in getattr(self.pattern, language):
            if item.part is None:
                if mode != "aux":
                    tokens.append(item.literal)
                continue
            part = self.parts[item.part]
            verbal = self.is_verbal(item.part)
            if mode == "aux" and (not verbal or item.mode):
                continue
            inner = item.mode or (mode if verbal else None)
            tokens += self.render_part(language, item, part, inner)
        return tokens

    def is_verbal(self, name):
        """Whether a part takes the mode of the whole."""
        return any(p.name == name and p.kind in VERBAL for p in self.pattern.parts)

    def render_part(self, language, item, part, mode):
        """One part, with the pronouns and adverbs grouped with it."""
        if not isinstance(part, VerbGroup):
            return getattr(part, language)(mode)
        after = [self.parts[name] for name in item.after]
        if language == "en":
            return part.en_group(mode, after)
        before = [self.parts[name] for name in item.before]
        return part.fr_group(mode, before, after)


def has_adjective(node):
    """Whether a noun phrase, or the one a pronoun stands for, has an adjective."""
    if isinstance(node, AdjectiveLeaf):
        return True
    if isinstance(node, Phrase):
        return any(has_adjective(part) for part in node.parts.values())
    return getattr(node, "antecedent", None) is not None and has_adjective(node.antecedent)


class Builder:
    """Makes phrases of a category from the grammar and the lexicon."""

    def __init__(self, grammar, lexicon, chance):
        self.grammar, self.lexicon, self.chance = grammar, lexicon, chance
        self.known_nouns = {}
        self.verbs_by_frame = {}
        for verb in lexicon.verbs:
            self.verbs_by_frame.setdefault(verb.frame, []).append(verb)
        self.used = []          # the dictionary entries of this sentence

    def sentence(self, category="sentence"):
        """A Phrase of a category of whole sentences, or DeadEnd."""
        self.used = []
        return self.phrase(category, {})

    # ----------------------------------------------------------------- phrases

    def phrase(self, category, context):
        """A phrase of the category; after a dead end, another try."""
        tries = RETRIES.get(category, 1)
        used = len(self.used)
        for _ in range(tries - 1):
            try:
                return self.filled(category, context)
            except DeadEnd:
                del self.used[used:]
        return self.filled(category, context)

    def filled(self, category, context):
        """Choose a pattern of the category that fits, and fill its parts."""
        patterns = [p for p in self.grammar.patterns[category] if p.applies(context)]
        pattern = self.chance.pick(patterns, [p.weight for p in patterns])
        context = dict(context)
        if category == "relative":
            context["inside"] = True
        if "specific" in pattern.options:
            context["specific"] = True
        parts = {}
        for part in pattern.parts:
            parts[part.name] = self.part(part, parts, context)
        return Phrase(pattern, parts)

    def part(self, part, parts, context):
        """One part of a pattern; tense, polarity and subject stay set for the next."""
        settings = dict(context)
        for key, value in part.settings.items():
            settings[key] = self.value(key, value, parts, context)
        for key in ("tense", "polarity", "subject"):
            if key in part.settings:
                context[key] = settings[key]
        make = getattr(self, "make_" + part.kind.replace("-", "_"), None)
        if make and part.kind not in self.grammar.patterns:
            return make(part, settings, parts, context)
        return self.phrase(part.kind, self.handed_down(part, settings, context))

    def value(self, key, value, parts, context):
        """The meaning of the right side of key=value."""
        if key == "tense":
            follow = self.grammar.follows.get(value)
            if follow:
                value = follow.get(context.get("tense"), "present")
            return self.choose(value)
        if key == "polarity":
            return self.choose(value)
        if key in ("subject", "for", "of", "gap", "verb", "object", "places", "fits",
                   "owner", "near", "takes"):
            if value in ("who", "nobody"):
                return Leaf(agreement=SOMEONE)
            node = parts.get(value) or context.get(value)
            if node is not None:
                return self.subject_of(node) if key == "subject" else node
        return value

    def subject_of(self, node):
        """A clause stands for its subject, which comes first in it."""
        while isinstance(node, Phrase) and node.pattern.category == "clause":
            first = node.pattern.parts[0]
            if first.kind not in ("subject", "np", "clause"):
                raise DeadEnd("no subject")
            node = node.parts[first.name]
        return node

    def choose(self, name):
        """A value of a weighted choice, or the name itself."""
        options = self.grammar.choices.get(name)
        if options is None:
            return name
        return self.chance.pick([o for o, _ in options], [w for _, w in options])

    def handed_down(self, part, settings, context):
        """The context of a part that is a phrase itself."""
        inner = {k: v for k, v in settings.items() if k not in OWN or k in part.settings}
        if part.kind in VERBAL or part.kind == "relative":
            for key in NOMINAL:
                if key not in part.settings:
                    inner.pop(key, None)
            inner.pop("specific", None)
        for flag in part.flags:
            inner[flag] = True
        if part.kind == "relative":
            for key in ("polarity", "tense") + MANNERS:
                inner.pop(key, None)
        if part.kind in ("clause", "relative", "subject", "pair", "opener", "coreferent") and "subject" not in part.settings:
            inner.pop("subject", None)
        if part.kind == "clause" and "polarity" not in part.settings:
            inner.pop("polarity", None)
        if part.kind == "doing":
            inner["polarity"] = "yes"
            inner["activity"] = inner["aim"] = True
            inner["tense"] = part.settings.get("tense", "infinitive")
        return inner

    # ------------------------------------------------------------------- words

    def word(self, candidates):
        """A dictionary entry not yet in the sentence, rare ones more likely."""
        fresh = [w for w in candidates if w not in self.used]
        word = self.chance.pick(fresh, [1 / (3 + w.count) for w in fresh])
        self.used.append(word)
        return word

    def make_noun(self, part, settings, parts, context):
        """A noun by tags, by verb, or by name."""
        flags = part.flags | ({"no-kin"} & settings.keys())
        number = settings.get("number")
        noun = self.word([n for n in self.nouns_that_fit(settings)
                          if self.noun_allowed(n, flags, number)])
        return NounLeaf(noun, self.noun_number(noun, number, settings))

    @staticmethod
    def noun_allowed(noun, flags, number):
        """Whether a noun suits the flags of the part and the number asked for."""
        for flag in ("mass", "kin"):
            if flag in flags and flag not in noun.flags:
                return False
        if "no-kin" in flags and "kin" in noun.flags:
            return False
        if "owned" in flags and not noun.tags & OWNED:
            return False
        return number != "plural" or not noun.flags & {"mass", "singular"}

    def noun_number(self, noun, number, settings):
        """Whether the noun is plural."""
        if noun.flags & {"mass", "singular"} or number == "singular":
            return False
        if number == "plural":
            return True
        generic = isinstance(settings.get("object"), VerbGroup) and \
            "generic" in settings["object"].verb.flags
        return self.choose("liked" if generic else "plural") == "yes"

    def nouns_that_fit(self, settings):
        """The nouns with the tags asked for, remembered by what was asked."""
        asked = (settings.get("only"), settings.get("class"),
                 *(settings[k].verb if k in settings else None for k in ("object", "fits")),
                 frozenset(settings["near"].tags) if "near" in settings else None)
        if asked not in self.known_nouns:
            self.known_nouns[asked] = [n for n in self.lexicon.nouns if self.noun_fits(n, settings)]
        return self.known_nouns[asked]

    def noun_fits(self, noun, settings):
        """Whether a noun has the tags asked for."""
        if "only" in settings:
            return noun.fr in settings["only"].split(",")
        tags = noun.tags
        if "class" in settings and not tags & set(settings["class"].split(",")):
            return False
        for key in ("object", "fits"):
            if key in settings and not tags & settings[key].verb.objects:
                return False
        if "near" in settings:
            shared = tags & settings["near"].tags & {"town", "home", "building", "vehicle"}
            return bool(shared)
        return True

    def make_name(self, part, settings, parts, context):
        """A proper name."""
        wanted = settings.get("class", "person").split(",")
        name = self.word([n for n in self.lexicon.names if n.tags & set(wanted)])
        leaf = Leaf([name.fr], [name.en], Agreement(3, name.gender, False, name.tags))
        leaf.word = name
        return leaf

    def make_adverb(self, part, settings, parts, context):
        """An adverb of a kind."""
        kinds = settings.get("kind", "").split(",")
        only = settings.get("only", "").split(",")
        adverb = self.word([a for a in self.lexicon.adverbs if a.kind in kinds or a.fr in only])
        return Leaf(adverb.fr.replace("'", "' ").split(), adverb.en.split())

    def make_adjective(self, part, settings, parts, context):
        """An adjective that can be said of a noun phrase."""
        target = settings["for"]
        place, only = settings.get("place"), settings.get("only")
        if place is None and has_adjective(target):
            raise DeadEnd("said of the noun already")
        generic = "object" in settings and "generic" in settings["object"].verb.flags
        used = {word.fr for word in self.used}
        adjectives = [a for a in self.lexicon.adjectives
                      if a.used_of & target.tags and not a.never & target.tags
                      and a.note("clash") not in used
                      and (place is None or a.place == place)
                      and (only is None or a.fr in only.split(","))
                      and not (generic and "state" in a.flags)
                      and not ("state" in part.flags and "state" not in a.flags)
                      and not (part.flags & {"comparable", "very"} and "nocomp" in a.flags)]
        return AdjectiveLeaf(self.word(adjectives), target.agreement, place is not None)

    # ------------------------------------------------------------- determiners

    def make_determiner(self, part, settings, parts, context):
        """The determiner of a noun, by weight among those that make sense."""
        noun = parts[part.settings["for"]]
        verb = settings["object"].verb if "object" in settings else None
        generic = bool(verb and "generic" in verb.flags)
        oblique = settings.get("role") == "oblique"
        negation = "yes"
        if verb and settings.get("role") is None:
            negation = settings.get("polarity", "yes")
        owner = self.owner(settings)
        source = settings.get("from", "oblique" if generic else "determiner")
        options = dict(self.grammar.choices[source])
        self.limit(options, noun, settings, owner, oblique, negation, generic)
        kind = self.chance.pick(list(options), list(options.values()))
        if kind == "number":
            fr, en = self.chance.pick(NUMBERS)
            return Leaf([fr], [en])
        before = any(isinstance(p, AdjectiveLeaf) and p.word.place == "before"
                     for p in parts.values())
        generic = generic and not context.get("specific")
        return determiner(kind, noun, owner, generic, negation, before)

    def owner(self, settings):
        """Whose the possessive is: the subject's, or the speaker's."""
        if settings.get("owner"):
            return settings["owner"].agreement
        subject = settings.get("subject")
        agreement = subject.agreement if subject is not None else None
        if settings.get("role") == "subject" or agreement is None:
            person = self.chance.pick([(1, False), (1, True), (2, False), (2, True)], [5, 3, 1, 1])
            return Agreement(person[0], None, person[1])
        return agreement

    def limit(self, options, noun, settings, owner, oblique, negation, generic):
        """Take out the determiners that do not fit."""
        def drop(*kinds):
            for kind in kinds:
                options.pop(kind, None)
        tags = noun.word.tags
        if "kin" in noun.word.flags:
            if "animal" in owner.tags:
                raise DeadEnd("animals have no cousins")
            options.clear()
            options["possessive"] = 1
        elif "unowned" in noun.word.flags or noun.mass or "nobody" in owner.tags \
                or tags & {"place", "way", "water"} and "home" not in tags \
                or ("animal" in tags and "pet" not in tags):
            drop("possessive")
        if not noun.plural:
            drop("number")
            if not noun.mass:
                drop("many")
        if noun.mass:
            drop("number")
        if oblique and (noun.plural or noun.mass) \
                and settings.get("from") not in ("having", "several"):
            drop("indefinite")
        if negation != "yes":
            drop("number", "many")
            single = not noun.plural and not noun.mass
            if settings.get("specific") or negation != "pas" and single:
                drop("indefinite")
        if generic:
            drop("indefinite", "number", "many")
        if not options:
            raise DeadEnd("no determiner")

    # ---------------------------------------------------------------- pronouns

    def make_pronoun(self, part, settings, parts, context):
        """A subject pronoun: free, or for a noun phrase named before."""
        if "for" in part.settings:
            agreement = settings["for"].agreement
            fr, en = agreement.subject_pronoun()
            leaf = Leaf([fr], [en], agreement)
            leaf.antecedent = settings["for"]
            return leaf
        options = self.grammar.choices["pronoun"]
        if "only" in settings:
            options = [o for o in options if o[0] in settings["only"].split(",")]
        if settings.get("fresh"):
            options = [o for o in options if PERSONAL[o[0]][0] < 3]
        fr = self.chance.pick([o for o, _ in options], [w for _, w in options])
        person, plural, gender, en = PERSONAL[fr]
        gender = gender or self.chance.pick(["m", "f"])
        return Leaf([fr], [en], Agreement(person, gender, plural, frozenset({"person"})))

    def make_clitic(self, part, settings, parts, context):
        """An object pronoun before the verb."""
        form = settings.get("form")
        leaf = {"speaker": self.speaker_clitic, "dative": self.dative_clitic,
                "leur": self.dative_clitic, "en": self.en_clitic,
                "y": self.y_clitic, None: self.direct_clitic}[form](part, settings)
        if not hasattr(leaf, "direct"):
            leaf.direct = False
        return leaf

    def direct_clitic(self, part, settings):
        """le, la, les: it, him, her, them."""
        group = settings["object"]
        human = "him" in group.verb.flags
        if not human and "it" not in group.verb.flags:
            raise DeadEnd("no object pronoun with this verb")
        plural = self.choose("plural") == "yes"
        gender = self.chance.pick(["m", "f"])
        vowel = group.verb.infinitive[0] in "aeiouéèêh"
        if human and not plural and vowel and group.tense != "past":
            raise DeadEnd("l' would be him or her")
        fr = "les" if plural else "la" if gender == "f" else "le"
        en = "them" if plural else ("her" if gender == "f" else "him") if human else "it"
        leaf = Leaf([fr], [en], Agreement(3, gender, plural))
        leaf.direct = True
        return leaf

    def speaker_clitic(self, part, settings):
        """me, te, nous, vous, never the subject itself."""
        person = settings["subject"].agreement.person
        choices = [("me", "me", 1, False), ("te", "you", 2, False),
                   ("nous", "us", 1, True), ("vous", "you", 2, True)]
        fr, en, person, plural = self.chance.pick([c for c in choices if c[2] != person])
        gender = "m" if plural else self.chance.pick(["m", "f"])
        leaf = Leaf([fr], [en], Agreement(person, gender, plural))
        verb = next((w for w in reversed(self.used) if hasattr(w, "frame")), None)
        leaf.direct = bool(verb and verb.frame == "transitive")
        return leaf

    def dative_clitic(self, part, settings):
        """lui, leur for someone named before; else leur, me, te, nous, vous."""
        if "for" in part.settings:
            target = settings["for"].agreement
            if target.person < 3:
                raise DeadEnd("not a third person")
            if target.plural:
                return Leaf(["leur"], ["them"])
            human = "person" in target.tags
            return Leaf(["lui"], [("her" if target.gender == "f" else "him") if human else "it"])
        if settings.get("form") == "dative" and self.chance.number() < 0.6:
            leaf = self.speaker_clitic(part, settings)
            leaf.direct = False
            return leaf
        return Leaf(["leur"], ["them"])

    def en_clitic(self, part, settings):
        """en: some, any."""
        polarity = settings.get("polarity", "yes")
        return Leaf(["en"], ["some" if polarity == "yes" else "any"])

    def y_clitic(self, part, settings):
        """y: there."""
        return Leaf(["y"], ["there"])

    # ------------------------------------------------------------------- verbs

    def make_verb(self, part, settings, parts, context):
        """A verb by frame that suits the subject and the object given."""
        if context.get("polarity") is None:
            context["polarity"] = self.choose("polarity")
        frames = settings.get("frame", "").split(",")
        verbs = [v for frame in frames for v in self.verbs_by_frame[frame]
                 if self.verb_fits(v, settings, context)]
        verb = self.word(verbs)
        return self.verb_group(verb, settings, context)

    def verb_fits(self, verb, settings, context):
        """Whether a verb answers the description."""
        if "only" in settings and verb.fr.replace(" ", "_") not in settings["only"].split(","):
            return False
        if "pronoun" in settings and settings["pronoun"] not in verb.flags:
            return False
        if context.get("activity") and ("stative" in verb.flags or verb.frame == "infinitive"):
            return False
        if context.get("aim") and "unwanted" in verb.flags:
            return False
        if "generic" in verb.flags and context.get("polarity") == "jamais":
            return False
        subject = context.get("subject")
        if subject is not None and not verb.subject & subject.tags:
            return False
        takes = settings.get("takes")
        if takes is None:
            return True
        tags = set(takes.split(",")) if isinstance(takes, str) else takes.tags
        return bool(verb.objects & tags)

    def verb_group(self, verb, settings, context, gap=None):
        """The verb with subject, tense and polarity of the context."""
        if context.get("polarity") is None:
            context["polarity"] = self.choose("polarity")
        subject = context.get("subject")
        if subject is None:
            return VerbGroup(verb, self.lexicon, SOMEONE, "infinitive", "yes")
        polarity = context["polarity"]
        tense = context.get("tense", "present")
        return VerbGroup(verb, self.lexicon, subject.agreement, tense, polarity, gap)

    def make_group(self, part, settings, parts, context):
        """A verb chosen before, now with its subject; gap is its object."""
        verb = settings["verb"].verb
        subject = settings["subject"]
        if not verb.subject & subject.tags:
            raise DeadEnd("this subject does not do that")
        return self.verb_group(verb, settings, context, settings.get("gap") if "gap" in part.settings else None)
