"""A name, its parts, and the forms in which it is written."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from evenhand.masking.folded_text import folded_word
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

AROUND_WORDS = WordTable("evenhand.masking.names", "around.toml")
KIND_WORDS = WordTable("evenhand.masking.names", "kinds.toml")

_PARTICLES_LISTED = (
    "van von der den dem de del della di da do dos das du la las le los lo el al bin binti bint ibn ben bat abu umm "
    "st san santa ter ten te zu zum zur af av y e i und op 't in't af o ap ab mac mc ul ur ad ar az es sri "
    "dela delos d l ould nic ni ui"
)
PARTICLES = frozenset(_PARTICLES_LISTED.split())
_LETTERS = lazy_re(r"[^\W\d_]+")
_TOKEN = lazy_re(r"[^\W\d_]+(?:['\u2019\u02bc-][^\W\d_]+)*", re.UNICODE)
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
    return [folded_word(match.group()).replace("\u2019", "'").replace("\u02bc", "'") for match in _TOKEN.finditer(text)]


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
    located = [(match.group(), match.start()) for match in _TOKEN.finditer(composed)]
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
