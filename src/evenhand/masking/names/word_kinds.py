"""A name, its parts and the forms in which it is written; kinds of words; whether a text looks like a name.

Lists hold frequent given names and surnames, names that are also words, and words that are no names. For a
word that is both, the context decides: `Grace led`, but not `in grace`; `Jordan's team`, but not `in Jordan`.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from evenhand.masking.layout import folded_word
from evenhand.patterns import WordTable, csv_rows, lazy_re

AROUND_WORDS = WordTable("evenhand.masking.names", "around.toml")
KIND_WORDS = WordTable("evenhand.masking.names", "kinds.toml")

_PARTICLES_LISTED = (
    "van von der den dem de del della di da do dos das du la las le los lo el al bin binti bint ibn ben bat abu umm "
    "st san santa ter ten te zu zum zur af av y e i und op 't in't af o ap ab mac mc ul ur ad ar az es sri "
    "dela delos d l ould nic ni ui"
)
PARTICLES = frozenset(_PARTICLES_LISTED.split())
_LETTERS = lazy_re(r"[^\W\d_]+")
_NAME_TOKEN = lazy_re(r"[^\W\d_]+(?:['\u2019\u02bc-][^\W\d_]+)*", re.UNICODE)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_UNSPACED = lazy_re(r"[\u0590-\u10ff\u1100-\u11ff\u1780-\u17ff\u3040-\ud7ff]")
_ARTICLE = lazy_re(r"(?:al|el|ul|abd-al|as|ad|ash|an|ar|az)-(?=\w{3})")
_BLANKS = lazy_re(r"[\s()\[\],/|\"\u3001\uff08\uff09\u30fb\u00b7]+")
_SHORTEST_JOINED = 5


@dataclass(frozen=True)
class Name:
    """A person's name: as written, and its tokens in plain lower case (particles, titles and initials aside)."""

    text: str
    tokens: tuple[str, ...]
    particles: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()

    @cached_property
    def forms(self) -> dict[str, str]:
        """Each way in which one token is written, and the token.

        >>> sorted(name_of("Siobhán O'Brien").forms)
        ["o'brien", 'o-brien', 'obrien', 'siobhan']
        """
        forms: dict[str, str] = {}
        for token in (*self.tokens, *self.others):
            forms[token] = token
            bare = token.replace("'", "").replace("-", "")
            forms.setdefault(bare, token)
            forms.setdefault(token.replace("'", "-"), token)
            if "-" in token:
                for part in token.split("-"):
                    if len(part) > 2 and part not in PARTICLES:
                        forms.setdefault(part, part)
                        forms.setdefault(part.replace("'", ""), part)
                        forms.setdefault(part.replace("'", "-"), part)
        return forms

    @cached_property
    def joined(self) -> frozenset[str]:
        """Tokens written as one word, whole or by an initial: handles, file names, e-mail local parts.

        >>> sorted(name_of("Jane Doe").joined)
        ['djane', 'doejane', 'janed', 'janedoe', 'jdoe']
        """
        bare = [token.replace("'", "").replace("-", "") for token in self.tokens]
        joined: set[str] = set()
        for place, word in enumerate(bare):
            for other in bare[place + 1 :]:
                pairs = (word + other, other + word, word[0] + other, other + word[0], word + other[0], other[0] + word)
                joined.update(
                    pair for pair in pairs if len(pair) >= _SHORTEST_JOINED or (len(pair) == 4 and pair[0] == word[0])
                )
        if len(bare) > 2:
            joined.add("".join(bare))
            joined.add("".join(token[0] for token in bare[:-1]) + bare[-1])
        pieces = [piece.replace("'", "").replace("-", "") for piece in _pieces(self.text)]
        if len(bare) > 1 and any(piece not in bare for piece in pieces):
            joined |= {"".join(pieces), bare[0][0] + "".join(pieces[1:])}
        joined.update(_with_particles(pieces, self.particles))
        return frozenset(piece for piece in joined if len(piece) >= 4)

    @cached_property
    def initials(self) -> frozenset[str]:
        """First letters of the tokens and their halves, and single letters of the name."""
        return frozenset(part[0] for piece in _pieces(self.text) for part in piece.split("-") if part)


@dataclass(frozen=True)
class Names:
    """The names of a document: of its person, and of others in it.

    `given` are the names that the caller gave, `known` their tokens.
    """

    person: tuple[Name, ...] = ()
    others: tuple[Name, ...] = ()
    known: frozenset[str] = frozenset()
    given: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The names as they are written."""
        return tuple(name.text for name in (*self.person, *self.others))


def _with_particles(pieces: list[str], particles: frozenset[str]) -> Iterator[str]:
    """Yield particles joined to their neighbours: `delacruz`, `anadela`, of Ana de la Cruz."""
    last = before = ""
    for piece in pieces:
        if piece in particles:
            before += piece
            if last:
                yield last + before
        else:
            if before:
                yield before + piece
            last, before = piece, ""


def _pieces(text: str) -> list[str]:
    return [
        folded_word(match.group()).replace("\u2019", "'").replace("\u02bc", "'") for match in _NAME_TOKEN.finditer(text)
    ]


def _is_particle(raw: str, token: str) -> bool:
    return token in PARTICLES and (raw.islower() or token in KIND_WORDS.capitalised)


def capitalised(text: str) -> str:
    """Return a name with a capital for each word that isn't a particle, as a name is usually written.

    >>> capitalised("Harish venkatesan"), capitalised("Peter van der meer"), capitalised("an do")
    ('Harish Venkatesan', 'Peter van der Meer', 'An Do')
    """
    alone = all(word.lower() in PARTICLES for word in _LETTERS.findall(text))

    def cased(match: re.Match[str]) -> str:
        word = match.group()
        particle = word in PARTICLES and not alone and match.start() > 0 and match.end() < len(text)
        return word.capitalize() if word.islower() and not particle else word

    return _LETTERS.sub(cased, text)


@lru_cache(maxsize=4096)
def name_of(text: str) -> Name:  # noqa: C901, PLR0912 - one branch per kind of word
    """Return the parts of a written name, in any order, with titles and degrees left out.

    >>> name_of("Dr. Ludwig van der Berg, PhD").tokens
    ('ludwig', 'berg')
    """
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    if not text.isascii() and _UNSPACED.search(composed) is not None:
        # Scripts in which a word isn't a run of letters (vowel signs) or isn't set apart by blanks.
        normalised = _BLANKS.split(folded_word(composed))
        alone = len(normalised) == 1 and not normalised[0].isascii()
        return Name(
            text=composed.strip(), tokens=tuple(dict.fromkeys(token for token in normalised if len(token) > 1 or alone))
        )
    if not text.isascii():
        composed = "".join(
            letter for letter in composed if not unicodedata.combining(letter)
        )  # marks no letter holds: o\u0323\u0301
    tokens: list[str] = []
    particles: set[str] = set()
    others: list[str] = []
    located = [(match.group(), match.start()) for match in _NAME_TOKEN.finditer(composed)]
    capitals = any(raw[0].isupper() for raw, _ in located)
    for raw, start in located:
        if capitals and raw.islower() and raw.isascii() and raw not in PARTICLES:
            continue  # 'formerly', 'also known as'
        token = folded_word(raw).replace("\u2019", "'").replace("\u02bc", "'").strip("'-")
        if not token:
            continue
        if token in KIND_WORDS.titles and len(located) > 1 and (raw[:1].isupper() and not tokens):
            continue
        if (
            token in KIND_WORDS.suffixes
            and tokens
            and (raw.isupper() or token in {"jr", "sr", "phd"})
            and "," in composed[:start]
        ):
            continue
        if token in {"jr", "sr", "ii", "iii", "iv", "phd", "mba", "esq"} and tokens:
            continue
        if len(located) > 1 and _is_particle(raw, token):
            particles.add(token)
            # 'Trinh Thi Van' ends and 'Van Nguyen' begins with a name that looks like a particle.
            if (capitals and not raw[0].isupper()) or start not in {located[0][1], located[-1][1]}:
                continue
        if len(token) == 1 and token.isascii():
            continue
        prefix = _ARTICLE.match(token)
        if prefix is not None:
            others.append(token[prefix.end() :])
        tokens.append(token)
        if not raw.isascii():
            lower = raw.lower()
            typed = lower.translate(_UMLAUTS)
            if typed != lower:
                others.append(folded_word(typed))
    if not tokens:
        # 'An Le', 'El De': what looks like particles only is the name.
        tokens = [folded_word(raw) for raw, _ in located if len(raw) > 1]
    return Name(
        text=" ".join(composed.split()),
        tokens=tuple(dict.fromkeys(tokens)),
        particles=frozenset(particles),
        others=tuple(dict.fromkeys(others)),
    )


_PACKAGE = "evenhand.masking.names"


def _frequent(part: str, place: int) -> frozenset[str]:
    listed = {folded_word(name) for name, of, _ in csv_rows(_PACKAGE, "names_frequent.csv") if of == part}
    others = csv_rows("evenhand.data.lexicons", "names_bloomberg.csv")  # not by Polars, which masking does not need
    return frozenset(listed | {folded_word(name.split()[place]) for name, *_ in others})


@cache
def given_names() -> frozenset[str]:
    """Return frequent given names of many origins, in plain lower case.

    >>> "siobhan" in given_names()
    True
    """
    return _frequent("given", 0)


@cache
def surnames() -> frozenset[str]:
    """Return frequent surnames of many origins, in plain lower case."""
    return _frequent("surname", -1)


def is_frequent(word: str) -> bool:
    """Say whether a word in plain lower case is a frequent given name or surname."""
    return word in given_names() or word in surnames()


@cache
def name_words() -> dict[str, str]:
    """Return names that are also of another kind: word, month, place, tool or organisation.

    >>> name_words()["may"], name_words()["ruby"]
    ('month', 'tool')
    """
    return {word: kind for word, kind, *_ in csv_rows(_PACKAGE, "name_words.csv")}


@cache
def no_names() -> dict[str, str]:
    """Return words of résumés that are part of no name, and their kind: job, section, organisation, place, other."""
    return {word: kind for word, kind, *_ in csv_rows(_PACKAGE, "no_names.csv")}


@cache
def ordinary_words() -> frozenset[str]:
    """Return words that are capitalised in résumés and are no name in a sentence: departments, products, firms.

    >>> "logistics" in ordinary_words() or "logistics" in no_names()
    True
    """
    return frozenset(row[0] for row in csv_rows(_PACKAGE, "ordinary_words.csv"))


@cache
def english_words() -> frozenset[str]:
    """Return English words that are also names, or look like one with a capital, and are in no other list.

    >>> "showers" in english_words(), "okafor" in english_words()
    (True, False)
    """
    return frozenset(row[0] for row in csv_rows(_PACKAGE, "english_words.csv"))


@lru_cache(maxsize=65536)
def is_no_name(word: str) -> bool:
    """Say whether a word in plain lower case belongs to no name.

    >>> is_no_name("engineer"), is_no_name("okafor")
    (True, False)
    """
    return word in no_names() or (word.endswith(KIND_WORDS.no_name_endings) and word not in surnames())


@cache
def _no_people() -> frozenset[tuple[str, str]]:
    return frozenset((first, last) for first, last in (row[0].split() for row in csv_rows(_PACKAGE, "no_people.csv")))


@lru_cache(maxsize=16384)
def is_no_person(text: str) -> bool:
    """Say whether words in plain lower case hold a firm, method, place or work that reads like a person's name.

    >>> is_no_person("kaplan-meier"), is_no_person("ralph lauren"), is_no_person("ralph ellis")
    (True, True, False)
    """
    words = text.replace("-", " ").replace(".", "").split()
    return any(
        pair in _no_people() and (not place or pair[0] not in KIND_WORDS.particles)
        for place, pair in enumerate(pairwise(words))
    )


@cache
def _suffixes() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pair.split(":")) for pair in KIND_WORDS.kinds_suffixes)


_PREFIXES = (
    *("re", "un", "pre", "over", "under", "sub", "micro", "multi", "inter", "co", "non", "anti", "bio", "eco", "geo"),
    *("mega", "hyper", "super", "semi", "tele", "trans", "ultra", "neuro", "nano", "cyber", "dis", "mis", "out"),
)
_LONGEST_ENDING = 5
_SHORTEST_STEM = 3
_SHORT_PART = 3
#: From here on in the suffixes, stems of four letters at least: `Gamal` is no form of `game`.
_LONG_STEMS = frozenset({"al", "als", "ity", "ive", "ance", "y", "est"})
#: They begin names of places as often as names of people, and are no word of either.
_NO_WORDS = frozenset({"san", "santa", "santo", "sao", "abu", "bin"})


@lru_cache(maxsize=65536)
def kind_of(word: str) -> str:
    """Return the kind of a word in plain lower case: particle, job, ordinary, other (place, tool, …), word or name.

    A `word` is a name that is an ordinary word as well.

    >>> [kind_of(word) for word in ("nurse", "timber", "lisbon", "grace", "szczepanska", "von")]
    ['job', 'ordinary', 'ordinary', 'word', 'name', 'particle']
    """
    listed = is_frequent(word)
    known = name_words().get(word)
    if word in _NO_WORDS or (word in PARTICLES and not listed):
        return "particle"
    if is_no_name(word):
        if listed or known in {"month", "place"}:
            return "other"
        return "job" if no_names().get(word) == "job" else "ordinary"
    if known is not None or listed:
        return "name" if known is None else "word" if known == "word" else "other"
    if is_person_noun(word):
        return "job"
    return "ordinary" if _is_made_of_ordinary(word) else "name"


def _is_made_of_ordinary(word: str) -> bool:
    """Say whether a word is ordinary, or made of an ordinary one: `recalibrators`, `waterproofing`.

    >>> [_is_made_of_ordinary(word) for word in ("recalibrators", "handcrafted", "okonjo", "back-office")]
    [True, True, False, True]
    """
    words = ordinary_words()
    if word in words or (len(word) > _LONGEST_ENDING and word.endswith(KIND_WORDS.endings)):
        return True
    if "-" in word:
        parts = word.split("-")
        if len(parts) == 2 and (parts[0] == parts[1] or parts[0] in {"al", "el", "ul"}):
            return False  # Jun-jun, Al-Farsi
        kinds = [kind_of(part) for part in parts if part]
        plain = [
            kind in {"ordinary", "job"} and (len(part) > _SHORT_PART or part in KIND_WORDS.small_parts)
            for kind, part in zip(kinds, filter(None, parts), strict=True)
        ]
        if "name" in kinds or not any(plain):
            return False
        return all(plain) or "ordinary" in kinds
    if _has_stem(word):
        return True
    return any(
        word.startswith(prefix) and len(word) - len(prefix) > _SHORTEST_STEM and _has_stem(word[len(prefix) :])
        for prefix in _PREFIXES
    )


def _has_stem(word: str) -> bool:
    words, others = ordinary_words(), no_names()
    if word in words:
        return True
    for suffix, instead in _suffixes():
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if len(stem) < _SHORTEST_STEM + (suffix in _LONG_STEMS):
                continue
            whole = stem + instead
            if whole in words or others.get(whole) in {"job", "other", "section"}:
                return True
            if not instead and stem[-1] == stem[-2] and (stem[:-1] in words or stem[:-1] in others):
                return True  # 'planned', 'trimming'
    return False


@lru_cache(maxsize=65536)
def is_ordinary(word: str) -> bool:
    """Say whether a word in plain lower case is no name even capitalised in a sentence.

    >>> is_ordinary("logistics"), is_ordinary("szczepanska")
    (True, False)
    """
    return kind_of(word) in {"ordinary", "job"}


@lru_cache(maxsize=8192)
def is_person_noun(word: str) -> bool:
    """Say whether a noun is for a person, in the singular or the plural.

    >>> [is_person_noun(word) for word in ("mentor", "mentees", "flautist", "reports", "server")]
    [True, True, True, False, False]
    """
    word = word.rpartition("-")[2]
    if word in KIND_WORDS.people or (word.endswith("s") and word[:-1] in KIND_WORDS.people):
        return word not in KIND_WORDS.no_people
    return (
        word.endswith(KIND_WORDS.person_endings)
        and not word.endswith(("vist", "uist"))
        and word not in KIND_WORDS.no_person
        and len(word) > _LONGEST_ENDING
    )


_PARTICLE = (
    r"(?:van|von|der|den|dem|de|del|della|di|da|do|dos|das|du|la|las|los|le|el|al|bin|binti|bint|"
    r"ibn|ben|bat|abu|umm|ter|ten|zu|zum|zur|af|av|y|e|"
    r"van der|van den|van de|de la|de los|de las|von der|op de)"
)
_WORD = (
    r"(?:(?:St\.[ ]|(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[A-Z]|(?:[dDlLOo]|[dD][ae]ll|[dD]egl)'[A-Z])[\w']*"
    r"(?:-\w[\w']*)*)"
)
#: A name in running text: a capitalised word, then up to four more with particles, initials and a nickname among them.
NAME = (
    rf"(?:[A-Z]\.|{_WORD})(?:[ ]{{1,2}}(?:[\"'(][A-Z][\w' -]{{1,20}}[\"')][ ])?(?:(?:{_PARTICLE})[ ']){{0,3}}"
    rf"(?:[A-Z]\.(?:[ ]?[A-Z]\.)*|{_WORD})){{0,4}}"
)
_TOKEN = lazy_re(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
#: Blanks, then one of several marks; written from the first character, which is quick to look for.
_HARD = lazy_re(
    r"[ \t|•·;/<>=\n](?:(?<=[ \t])[ \t]*[|•·;\t/]+[ \t]*|(?<=\t)[ \t]*|(?<=[|•·;/])[|•·;\t/]*[ \t]*|"
    r"(?<=[ \t])[ \t]+|(?<=[ ])[-–—~][ ]|(?<=[ ])[ ]*[<>=]+[ ]*|(?<=[<>=])[<>=]*[ ]*|(?<=\n))"
)
#: Characters of separators, checked first as that is quick.
_PERHAPS_HARD = lazy_re(r"[ |•·;\t/<>=\n](?:(?<![ ])|(?=[-–—~ \t]))")
#: A degree or a licence after a name: an abbreviation after a comma, or in capitals.
_CREDENTIAL = lazy_re(
    r"(?:,[ ]?\(?[A-Z]\.?(?:[a-z]{0,3}\.?[A-Z-]|[A-Z]*\.)[\w.-]{0,6}\)?|[ ]\(?[A-Z]{2,5}(?:-[A-Z]{1,3})?\)?)$"
)
_EXTRA = lazy_re(r"\([^)]*\)|[\"“][^\"”]*[\"”]|'[^']{2,20}'(?!\w)")
_PREFIXED = lazy_re(r"(?:[dlo]'|d[ae]ll'|degl'|al-|el-|ul-|as-|ad-|ar-|az-|ash-|an-|at-)[A-Z]")
_EXTRA_MARKS = lazy_re(r"[(\"'\u201c]")
_NEVER = lazy_re(r"[\d@/:&+#%*=<>\[\]{}!?$]")
_NO_MARKS = str.maketrans("", "", ".'-\u2019")
_LONGEST = 60
_MOST = 6


def segments(text: str) -> list[tuple[int, int]]:
    """Return the parts of a header line between its separators, commas kept."""
    if _PERHAPS_HARD.search(text) is None:
        return [(0, len(text))] if text else []
    pieces, start = [], 0
    for match in _HARD.finditer(text):
        if match.start() > start:
            pieces.append((start, match.start()))
        start = match.end()
    if start < len(text):
        pieces.append((start, len(text)))
    return pieces


def uncredentialled(text: str) -> str:
    """Return a segment without degrees and licences after a name of two words or more.

    >>> [uncredentialled(text) for text in ("Jane Doe, RN, BSN", "Jane Doe MBA", "DOE, JANE", "Jane Doe, Ph.D.")]
    ['Jane Doe', 'Jane Doe', 'DOE, JANE', 'Jane Doe']
    """
    text = text.rstrip(" \u00ae\u2122,")
    capitals = text.isupper()
    while (match := _CREDENTIAL.search(text)) is not None and " " in text[: match.start()]:
        if capitals and match.group()[0] != ",":
            break
        text = text[: match.start()].rstrip(" ,")
    return text


def is_town(text: str) -> bool:
    """Say whether two words are a town's name by the first: `San Jose`, `St. Louis`."""
    return KIND_WORDS.town.fullmatch(text) is not None


def inverted(text: str) -> bool:
    """Say whether a text reads Last, First.

    >>> inverted("O'Brien, Siobhan"), inverted("Lagos, Nigeria")
    (True, False)
    """
    last, comma, first = text.partition(",")
    if not comma or "," in first or not first.strip() or is_town(last) or is_town(first.strip()):
        return False
    kinds = no_names()
    firsts = [match.group().lower() for match in _TOKEN.finditer(first)]
    if not firsts or len(firsts) > 4 or any(kinds.get(word) == "place" for word in firsts):
        return False
    if KIND_WORDS.day.fullmatch(first.strip()) is not None and " " not in last.strip():
        return looks_like_a_name(last)
    if all(word.isupper() and len(word) < 3 for word in first.split()) and len(first.strip()) < 3:
        return False
    return looks_like_a_name(last) and looks_like_a_name(first)


def looks_like_a_name(text: str, *, lower: bool = False, loose: bool = False) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line per reason
    """Say whether a short text has a name's shape; `lower` allows one without capitals.

    `loose` is for places that only names have: common words and places may be part of one,
    next to a word that is neither.

    >>> [looks_like_a_name(text) for text in ("Ngozi Okafor", "Senior Engineer", "Ludwig van der Berg", "in 2004")]
    [True, False, True, False]
    """
    bare = (_EXTRA.sub(" ", text) if _EXTRA_MARKS.search(text) is not None else text).strip(" .,-")
    if not bare or len(bare) > _LONGEST or _NEVER.search(bare) is not None:
        return False
    words = bare.replace(",", " ").split()
    if len(words) > _MOST:
        return False
    capitals = 0
    for number, word in enumerate(words, 1):
        letters = word.strip(".'-")
        if not letters.isalpha():
            if not letters or not letters.translate(_NO_MARKS).isalpha():
                return False
            head, dot, tail = letters.partition(".")
            if dot and len(head) > 2 and tail:
                return False  # an address: blanc.design.de
        low = letters.lower()
        if low in PARTICLES and (letters.islower() or len(words) > 2):
            continue
        if not (letters[0].isupper() or _uncased(letters) or lower or _PREFIXED.match(letters) is not None):
            return False
        if low in _ABBREVIATIONS and letters.istitle():
            capitals += 1
            continue
        if is_no_name(low) or ("-" in low and _is_compound(low)):
            if number == len(words) > 1 and low in KIND_WORDS.surnames_too and words[0].lower() in given_names():
                continue  # Amanda T. Major
            if not loose or no_names().get(low, "other") not in {"other", "place"}:
                return False
            continue
        if len(letters.replace(".", "")) > 1:
            capitals += 1
    return capitals > 0


#: In capitals they are no name: `AI`; with one capital they may be: `Ai Ng`.
_ABBREVIATIONS = frozenset({"ai", "ui", "ux", "qa", "hr", "pm", "ml", "po", "vp", "us", "uk", "eu", "uae", "sre"})
_ABBREVIATIONS |= {"meng", "beng", "doo"}


def _is_compound(word: str) -> bool:
    """Say whether a word with a hyphen is no name: `back-end`, `sales-driven`; `So-young` is one.

    >>> [_is_compound(word) for word in ("so-young", "full-time", "sales-led")]
    [False, True, True]
    """
    parts = word.split("-")
    barred = [part for part in parts if is_no_name(part)]
    return len(barred) == len(parts) or any(no_names().get(part, "job") != "other" or len(part) > 3 for part in barred)


def _uncased(word: str) -> bool:
    return word[0].isalpha() and word[0].lower() == word[0].upper()
