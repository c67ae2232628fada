"""Names of other people in a document: referees, managers, relatives, authors, anyone with a title.

They are found in lines of their own (labelled fields, references, lists under a heading, contacts), and in running
text by shape and by place. There, runs of capitalised words are cut at ordinary words. Each remainder gets two scores:
its shape (a frequent given name first, one frequent name, none, words only) and its place. The stronger the shape, the
weaker the place may be; a name in no list is found where a person stands, so a name's origin makes little difference.
What a document has as an employer (`at Halden Marsh`, a line with years) is no person.

Before a name a place scores 2 where a person follows (`with`, `my mentor`, `Supervisor:`), 1 after other verbs
that have people as objects, -1 after `of`, `for`, `from`, `to` and -2 after `at`, `in`, `using`, which firms,
places and tools follow as well. After a name: 2 for what only a person does or has, 1 for what firms do too, -2
before the noun that the name only describes (`Halden Marsh clients`).

Single names are found after cues (`my mentor`, `trained`, before `and I`), and as speakers of a chat.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache, lru_cache
from itertools import groupby, pairwise
from string import ascii_uppercase
from typing import NamedTuple

from evenhand.masking.layout import FoldedText, Layout, word_list
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import is_clean
from evenhand.masking.names.word_kinds import (
    AROUND_WORDS,
    KIND_WORDS,
    PARTICLES,
    Name,
    given_names,
    is_no_person,
    is_person_noun,
    kind_of,
    name_of,
    no_names,
    surnames,
)
from evenhand.patterns import WordTable, lazy_re

OTHER_NAME_WORDS = WordTable("evenhand.masking.names", "others.toml")

_LABEL_BEGINS = lazy_re(r"[|;\n\t(•]|[.,][ ]")
_LABEL_WORDS = lazy_re(r"[a-z/'-]+")
_LONGEST_LABEL = 40


def label_score(before: str) -> int:
    """Return 3 for a label that one person's name follows, 2 for one of several, -1 for one of things, else 0.

    >>> [label_score(label) for label in ("supervisor", "approved by", "phd committee", "employer", "see also")]
    [3, 2, 2, -1, 0]
    """
    words = _LABEL_WORDS.findall(_LABEL_BEGINS.split(before[-_LONGEST_LABEL:])[-1])
    if not words:
        return 0
    last, sure = words[-1], AROUND_WORDS.sure
    if last in AROUND_WORDS.things:
        return -1
    if last in AROUND_WORDS.jobs_too and not AROUND_WORDS.whose.issuperset(words[:-1]):
        return 2  # `Treasury Manager:`
    named = last == "name" and any(word.removesuffix("'s") in sure for word in words)
    if last in sure or named or (last == "to" and words[0].startswith(("report", "to"))):
        return 3
    return 2 if last in AROUND_WORDS.people or is_person_noun(last) or not sure.isdisjoint(words) else 0


#: A role after a name: `, head of legal`, ` (CFO)`.
_ROLE = lazy_re(r"[ ]*(?:,|\(|[–—-](?=[ ])|\||:|;)[ ]*((?:[A-Za-z][\w'/&.-]*(?:[ ]|\b)){1,6})")
_YEARS = lazy_re(r"[^\n]{0,300}?\b(?:19|20)\d\d\b")


def dated(text: str, end: int) -> bool:
    """Say whether there are years in the rest of a line: a job's head, not a sentence."""
    return _YEARS.match(text, end) is not None


@cache
def _cue_words() -> dict[str, frozenset[str]]:
    return {word: frozenset(listed.split()) for word, listed in AROUND_WORDS.only_after.items()}


_HARDLY = frozenset(["of", "for", "from", "to", "our", "your", "my"])
_PHONE_OR_MAIL = lazy_re(
    r"[ ]?[,:(|;·•–-]{0,2}[ ]?(?:(?:[Tt]el\.?|[Pp]hone|[Mm]obile|[Cc]ell|[Ee]-?mail|ph)\b|"
    r"<?[\w.+-]++@|(?:(?:on|at)[ ])?\+?\(?\d[\d ().-]{5,}\d)"
)
_NEXT_WORD = lazy_re(r"[ ]([a-z]+(?:-[a-z]+)?)\b")
_FEW_BEFORE = 6
#: A line of this many characters is broken because it is full, not because something ends there.
FULL_LINE = 50
#: The author of a quotation follows.
_QUOTED = lazy_re(r"[.!?,\u2026](?:[\"'][ \n]{0,2}[(—–-]{0,2}|[ \n]{0,2}[—–-]{1,2})[ ]?$")
_BLANK_MARKS = " \t>(\"'[<*_\n"
_BEGINNING = lazy_re(r"[.!?;][ )\"']|\n\n|\t|[ ]{3}")
#: One of these, or the end of a text, is no evidence about a name.
_CLOSED = frozenset({"", "\n", ")", "!", "?"})
_PAIR = 44


def before_score(folded: FoldedText, start: int) -> int:  # noqa: PLR0911 - one line per kind of mark
    """Return the score of the words before a place: 2 a person follows, 1 perhaps, below 0 rather something else.

    >>> from evenhand.masking.layout import folded_text
    >>> [before_score(folded_text(text), len(text)) for text in ("thanks to ", "moved to ", "worked at ", "briefed ")]
    [2, -1, -2, 2]
    """
    left = folded.low[max(0, start - 90) : start]
    stripped = left.rstrip(_BLANK_MARKS)
    gap = left[len(stripped) :]
    if "\n" in gap:
        line = folded.low.rfind("\n", 0, start)
        if line - folded.low.rfind("\n", 0, line) < FULL_LINE or "\n\n" in gap:
            return 0
    words = _BEGINNING.split(stripped)[-1].replace(",", " ,").split()
    if not words:
        return 0
    last, word = stripped[-1], words[-1].strip("(\"'")
    if last in ":-\u2013\u2014" and gap:
        if last != ":" and _QUOTED.search(left) is not None:
            return 1
        return label_score(stripped[:-1]) or int(last == ":")
    earlier = words[-_FEW_BEFORE:-1]
    if word == ",":  # 'My manager there, Ann Roe, gave'
        earlier = [word for word in earlier if word not in AROUND_WORDS.meanwhile]
        introduced = earlier and (is_person_noun(earlier[-1]) or earlier[-1] in AROUND_WORDS.sure)
        return 2 if introduced and not AROUND_WORDS.determiners.isdisjoint(earlier) else 0
    if word.rstrip(".") in AROUND_WORDS.person_follows:
        return 2
    if word in {"and", "&", "or"} and AROUND_WORDS.paired.search(folded.text, max(0, start - _PAIR), start) is not None:
        return 2
    return _word_score(word, earlier) if gap and last.isalnum() else 0


def _word_score(word: str, earlier: list[str]) -> int:
    cues = _cue_words().get(word)
    if cues is not None and earlier:
        earlier = [word.strip("(\"'") for word in earlier]
        noun = word in {"to", "for"} and is_person_noun(earlier[-1])
        related = noun or (word == "of" and earlier[-1] in AROUND_WORDS.relations)
        if related or not cues.isdisjoint(earlier):
            return 2
    if word in AROUND_WORDS.no_person_follows:
        return -2
    if word in _HARDLY:
        return -1
    if is_person_noun(word):
        return 2
    return int(cues is None and word.endswith("ed") and word not in AROUND_WORDS.no_people_verbs)


def after_score(folded: FoldedText, end: int) -> int:  # noqa: PLR0911 - one line per kind of what follows
    """Return the score of the words after a place: 2 or 3 if only people do or have it, 1 if firms do too, else less.

    >>> from evenhand.masking.layout import folded_text
    >>> texts = ("Ann Roe retired", "Ann Roe expanded", "Ann Roe", "Ann Roe, head of legal", "Ann Roe lamps")
    >>> [after_score(folded_text(text), 7) for text in texts]
    [2, 1, 0, 2, -2]
    """
    text = folded.text
    if text[end : end + 1] in _CLOSED:
        return 0
    if AROUND_WORDS.after_only.match(text, end) is not None:
        return 3
    if AROUND_WORDS.firm_after.match(text, end) is not None:
        return -2
    if AROUND_WORDS.after_sure.match(text, end) is not None or _PHONE_OR_MAIL.match(text, end) is not None:
        return 2
    role = _ROLE.match(folded.low, end)
    roles = role.group(1).split() if role is not None else []
    if any(is_person_noun(word) or word in AROUND_WORDS.abbreviated for word in roles) and not dated(text, end):
        return 2
    if AROUND_WORDS.after.match(text, end) is not None:
        return 1
    following = _NEXT_WORD.match(text, end)
    if following is None or following.group(1) in AROUND_WORDS.free or following.group(1).endswith(("ed", "ly")):
        return 0
    return -2


_PARTICLES = (
    r"(?:van|von|de|der|den|dem|del|della|di|da|do|dos|das|du|la|las|le|los|el|al|bin|binti|bint|ibn|ben|abu"
    r"|ter|ten|zu|zum|zur|af|av|e|y|vom|'t)"
)
_WORD = r"(?:St\.[ ]|(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[dDlLO]'[A-Z]|[A-Z])\w*(?:'[A-Za-z]{2,})?(?:-\w+)*"
_INITIALS = r"[A-Z]\.(?:[ -]?[A-Z]\.){0,5}"
_RUN = lazy_re(
    rf"(?<![\w'.@/&#-])(?:{_INITIALS}[ ]{{0,2}})?{_WORD}"
    rf"(?:[ ]{{1,2}}(?:(?=[a-z'])(?:{_PARTICLES}[ ]){{1,3}})?(?:{_INITIALS}(?=[ ])|{_WORD}))+"
)
_PIECE = lazy_re(rf"{_INITIALS}(?=[ A-Z\n])|{_WORD}")
_JOINED_BY = lazy_re(rf"[ ](?:{_PARTICLES}[ ]){{1,3}}")
PLAIN = frozenset({"ordinary", "job"})
_ENDS_WITH_INITIAL = lazy_re(r"[A-Z]\w+ [A-Z]\.$")


def unwrapped(text: str) -> str:
    r"""Return a text of the same length in which full lines go on with a blank: a name may be broken over two.

    >>> unwrapped("Ann B.\nRoe\n" + 20 * "and so " + "on with Ann\nRoe\n")[-19:]
    'so on with Ann Roe\n'
    """
    lines = text.split("\n")
    pieces = [lines[0]]
    for before, line in pairwise(lines):
        last = before[-1:]
        full = len(before) >= FULL_LINE and last.isalpha() and "   " not in before.strip()
        goes_on = line[:1].isalpha() and (full or (last == "." and _ENDS_WITH_INITIAL.search(before) is not None))
        pieces += [" " if goes_on else "\n", line]
    return "".join(pieces)


def runs_in(folded: FoldedText) -> list[tuple[int, int]]:
    """Return the places of two capitalised words or more side by side.

    >>> from evenhand.masking.layout import folded_text
    >>> runs_in(folded_text("met Ann Roe and Ludwig van der Berg"))
    [(4, 11), (16, 35)]
    """
    return [match.span() for match in _RUN.finditer(unwrapped(folded.text))]


def pieces_of(folded: FoldedText, start: int, end: int) -> tuple[list[tuple[int, int]], list[str]]:
    """Return the places and kinds of a run's words: as `kind_of`, `initial` or `maybe` (an ordinary word).

    >>> from evenhand.masking.layout import folded_text
    >>> pieces_of(folded_text("Nurse J. Okafor"), 0, 15)[1]
    ['job', 'initial', 'name']
    """
    low = folded.low
    words = low[start:end].split()
    inside = OTHER_NAME_WORDS.capital_inside
    if PLAIN.issuperset(map(kind_of, words)) and inside.isdisjoint(words) and "." not in low[start:end]:
        return [], []
    pieces = [match.span() for match in _PIECE.finditer(folded.text, start, end)]
    words = [low[first:last] for first, last in pieces]
    kinds = [_kind_here(folded, piece, word) for piece, word in zip(pieces, words, strict=True)]
    if kinds[0] == "word" and len(words) > 2 and words[0] in OTHER_NAME_WORDS.jobs:
        kinds[0] = "job"  # Mayor Ann Roe
    for number, ((_, stop), (begin, _)) in enumerate(pairwise(pieces), 1):
        if kinds[number] == "ordinary" and _JOINED_BY.fullmatch(folded.text, stop, begin) is not None:
            kinds[number] = "word"  # Gilles de la Tour
    if len(words) > 2 and kinds[-3] in {"name", "word", "initial"} and f"{words[-2]} {words[-1]}" in _two_words():
        kinds[-2:] = ["word", "word"]  # Wyatt Standing Bear
    if _may_be_surname(words, kinds):
        kinds[-1] = "maybe"
    return pieces, kinds


@cache
def _two_words() -> frozenset[str]:
    """Return surnames of two words as Native Americans have them: Standing Bear, Two Bulls."""
    pairs = (f"{first} {last}" for first in OTHER_NAME_WORDS.first_of_two for last in OTHER_NAME_WORDS.last)
    return frozenset(pairs).difference(OTHER_NAME_WORDS.brands)


def _may_be_surname(words: list[str], kinds: list[str]) -> bool:
    """Say whether an ordinary word ends a run after a given name that begins it: `Summer Rain`."""
    start = -3 if len(kinds) > 2 and kinds[-2] == "initial" else -2
    if len(kinds) < 2 or kinds[-1] not in PLAIN or words[start] not in given_names():
        return False
    if len(kinds) > -start and kinds[start - 1] not in PLAIN:
        return False
    last = words[-1].removesuffix("'s")
    if last in KIND_WORDS.surnames_too or kinds[-1] == "job":
        return last in KIND_WORDS.surnames_too or kinds[-2] == "name"  # Jeremy Trainer
    return last.isalpha() and len(last) > 2 and last not in no_names() and not last.endswith(OTHER_NAME_WORDS.of_things)


def _kind_here(folded: FoldedText, piece: tuple[int, int], low: str) -> str:  # noqa: C901, PLR0911 - one line per kind
    """Return the kind of a capitalised word in its place: as `kind_of`, as a rule."""
    text, kind = folded.text, kind_of(low)
    start, end = piece
    if low in OTHER_NAME_WORDS.small_words and (text[start:end].isupper() or low == "as"):
        return "ordinary"  # in a line of capitals, 'As Ann Roe puts it'
    if kind in PLAIN and low not in OTHER_NAME_WORDS.capital_inside and "." not in low:
        return kind
    if low[1:2] == ".":
        return "initial"
    if "'" in low or "." in low:
        low = low.removesuffix("'s").removeprefix("st. ")
        kind = kind_of(low)
    if (
        low in OTHER_NAME_WORDS.capital_inside
        and text[start + 1].islower()
        and _INSIDE.search(text, max(0, start - 3), start) is not None
    ):
        return "word"  # 'with She Ying': pronouns have no capital here
    if low in OTHER_NAME_WORDS.capital_inside and text.endswith(". ", max(0, start - 2), start):
        return "ordinary"  # 'class B. My father'
    if kind == "particle" and low in _NAMES_TOO:
        return "word"
    if low in OTHER_NAME_WORDS.no_english:
        return "name"
    if kind == "name":
        if end - start < 5 and text[start:end].isupper() and not _in_capitals(text, start, end):
            return "initial" if end - start == 1 else "ordinary"  # an abbreviation: SAP, NHS
        if not low.isalpha() and any(letter.isdigit() for letter in low):
            return "ordinary"
        if not word_kinds.is_frequent(low) and folded.is_written_small(low):
            return "ordinary"
    return kind


_INSIDE = lazy_re(r"[a-z,][ ]$|[A-Z]\w*[ ]$")
#: They look like particles, and begin names as well.
_NAMES_TOO = frozenset({"bin", "do", "van", "ben", "le", "mac", "la", "de", "von"})


def _in_capitals(text: str, start: int, end: int) -> bool:
    """Say whether the adjacent words are in capitals as well."""
    left, right = text[max(0, start - 12) : start], text[end : end + 12]
    return (left + right).isupper() and sum(letter.isalpha() for letter in left + right) > 3


_MOST_NAME_WORDS = 5


def shape_of(folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str]) -> int:  # noqa: C901, PLR0911 - one line per shape
    """Return how sure a shape is a person's name.

    4: a frequent given name and a frequent surname; 3: a frequent given name and another; 2: one frequent name;
    1: none; 0: words that are names as well; -1: no name.
    """
    named = [
        (folded.low[start:end].removesuffix("'s"), kind)
        for (start, end), kind in zip(pieces, kinds, strict=True)
        if kind not in {"initial", "particle"}
    ]
    initials = "initial" in kinds
    if not named or len(named) + initials < 2 or len(named) > _MOST_NAME_WORDS:
        return -1
    first_names, family = given_names(), surnames()
    (first, _), (last, last_kind) = named[0], named[-1]
    begins, ends = _is_in(first, first_names), _is_in(last, family) or last in KIND_WORDS.surnames_too
    clean = [kind == "name" for _, kind in named]
    if len(named) == 1:
        return 2 if clean[0] else 0
    if last_kind == "maybe":
        return 0
    if not any(clean):
        if begins and (last_kind == "word" or ends) and named[0][1] == "word":
            return 1
        return 0 if last_kind == "word" or ends or (begins and last_kind != "particle") else -1
    if begins and clean[0]:
        if ends and last_kind == "name":
            return 4
        return 3 if last_kind in {"name", "word"} or ends else 2
    if begins and ends and clean[-1]:
        return 4
    if (
        len(named) == 2
        and clean[0]
        and last in OTHER_NAME_WORDS.east_asian
        and _TWO_SYLLABLES.fullmatch(first) is not None
    ):
        return 4  # Yoo-na Kwon, Huifen Xu
    if begins or any(kind == "name" and (word in first_names or word in family) for word, kind in named):
        return 2
    return 1


#: Two syllables of a Chinese or Korean given name, written as one word or with a hyphen.
_SYLLABLE = (
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ueng|ai|an|ao|ei|en|er|ia|ie|in|"
    r"iu|ou|ua|ui|un|uo|ue|a|e|i|o|u)|(?:kk|[bcdghjkmnpstw]|ch)?y?(?:eo|eu|ae|oo|ee|wo|wa|yu|ye|ya)[nmngklp]?g?)"
)
_TWO_SYLLABLES = lazy_re(rf"{_SYLLABLE}-?{_SYLLABLE}")


def _is_in(word: str, listed: Collection[str]) -> bool:
    return word in listed or ("-" in word and any(part in listed for part in word.split("-")))


_SENTENCE_END = lazy_re(r"(?:^|[.!?:;\u2022|(\"'\n*>\u2013\u2014\u25aa\u25cf\u00b7\u2023-])[ \t]*$")
_LOWER = lazy_re(r"[a-z]{2}[ ,]{1,2}$")
_GIVEN_SHAPE = lazy_re(r"[A-Z][a-z]+-[a-z]+$")
_PAGE = lazy_re(r"Page[ ]\d")
_FAR = 32
#: The score that a shape needs from its place.
_NEED = {4: -1, 3: -1, 2: 1, 1: 1, 0: 2}


class _Run(NamedTuple):
    start: int
    end: int
    shape: int
    need: int
    before: int
    after: int


def in_prose(folded: FoldedText, lines: Collection[int] = ()) -> list[str]:
    r"""Return names of two words or more in a person's position.

    People are at the beginning of `lines`.

    >>> from evenhand.masking.layout import folded_text
    >>> in_prose(folded_text("Assisted Taras Bondarchuk and Efua Asante with Power Query at Harlow Green."))
    ['Taras Bondarchuk', 'Efua Asante']
    """
    text = folded.text
    runs = [run for begin, stop in runs_in(folded) for run in _names_in(folded, begin, stop, lines)]
    employers = {
        text[run.start : run.end]
        for run in runs
        if run.before == -2 or (run.before < 1 and run.after < 1 and dated(text, run.end))
    }
    names: list[str] = []
    last = -_FAR
    for run in runs:
        chained = run.start - last < _FAR and OTHER_NAME_WORDS.chain.fullmatch(text, last, run.start) is not None
        if run.shape < 3 and run.before < 3 and not chained and text[run.start : run.end] in employers:
            continue
        if run.before + run.after + 2 * chained >= run.need:
            names.append(" ".join(text[run.start : run.end].split()))
            last = run.end
    return names


def _names_in(folded: FoldedText, start: int, end: int, lines: Collection[int]) -> Iterator[_Run]:
    """Yield the parts of a run of capitalised words without the ordinary ones."""
    pieces, kinds = pieces_of(folded, start, end)
    for plain, group in groupby(range(len(pieces)), key=lambda place: kinds[place] in PLAIN):
        places = list(group)
        run = _weighed(folded, pieces, kinds, places[0], places[-1] + 1, lines) if not plain and places[1:] else None
        if run is not None:
            yield run


def _weighed(  # noqa: PLR0917, C901 - one line per veto
    folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str], first: int, last: int, lines: Collection[int]
) -> _Run | None:
    """Return the scores of the words from `first` to `last` of a run; None where they are no name."""
    text, low = folded.text, folded.low
    while last > first + 1 and (kinds[last - 1] == "initial" or _PAGE.match(text, pieces[last - 1][0]) is not None):
        last -= 1
    begin, stop = pieces[first][0], pieces[last - 1][1]
    if text.endswith("'s", begin, stop):
        stop -= 2
    shape = shape_of(folded, pieces[first:last], kinds[first:last])
    named = low[begin:stop]
    if shape < 0 or is_no_person(named) or AROUND_WORDS.organisation_after.match(text, stop) is not None:
        return None
    before, after = before_score(folded, begin), after_score(folded, stop)
    if last < len(pieces) and kinds[last] != "initial" and "\n" not in text[stop : pieces[last][0]] and before < 3:
        following = low[slice(*pieces[last])]
        goes_on = following in OTHER_NAME_WORDS.small_words or following in OTHER_NAME_WORDS.honours
        if not goes_on and (shape < 3 or not is_person_noun(following)):
            return None  # Halden Marsh Logistics
    if first:
        earlier = low[slice(*pieces[first - 1])]
        sentence = _LOWER.search(text, max(0, pieces[0][0] - 4), pieces[0][0]) is not None
        job = before == 2 and after < 1 and (is_person_noun(earlier) or kinds[first - 1] == "job")
        if job and not sentence and (dated(text, stop) or (first > 1 and shape < 2)):
            before = 0  # a job's line
    if lines and text.rfind("\n", 0, begin) + 1 in lines and _begins(text, begin):
        before = max(before, 2)
    need = _NEED[shape]
    if text[begin:stop].isupper():
        need = max(need, 2 if shape < 2 else 1)
    elif shape and _is_marked(text, pieces[first:last], kinds[first:last], stop):
        need = min(need, 0)
    return _Run(begin, stop, shape, need, before, after)


def _begins(text: str, place: int) -> bool:
    """Say whether a line, a sentence or a bracket begins at a place."""
    return _SENTENCE_END.search(text, max(0, place - 4), place) is not None


def _is_marked(text: str, pieces: list[tuple[int, int]], kinds: list[str], stop: int) -> bool:
    """Say whether a family's particle, an initial or a hyphen as in Jun-ho makes words a name."""
    return (
        "initial" in kinds
        or OTHER_NAME_WORDS.family_particles.search(text, pieces[0][0], stop) is not None
        or any(_GIVEN_SHAPE.match(text, *piece) is not None for piece in pieces)
    )


_SPEAKER = lazy_re(
    r"(?:^|\n)[> ]*(?:\[[^\]\n]{4,28}\]|(?:[\d./-]{6,10},?[ ])?\d{1,2}:\d\d(?::\d\d)?(?:[ ][ap]m)?"
    r"(?:[ ][-|\u2013\u2014])?)[ ]((?:[A-Z][\w'.-]*[ ]?){1,6}):[ ]"
)
#: Minutes, checked first as that is quick.
_MINUTES = lazy_re(r":\d\d")


@lru_cache(maxsize=2)
def speakers(folded: FoldedText) -> list[tuple[int, int]]:
    r"""Return the places of names of speakers with two turns or more.

    >>> from evenhand.masking.layout import folded_text
    >>> speakers(folded_text("[10:01] May: Hello\n[10:02] Ann: Hi\n[10:03] May: And in May?"))
    [(8, 11), (43, 46)]
    """
    if "]" not in folded.text and _MINUTES.search(folded.text) is None:
        return []
    matches = list(_SPEAKER.finditer(folded.text))
    turns = Counter(match.group(1) for match in matches)
    return [match.span(1) for match in matches if turns[match.group(1)] > 1]


_LONGEST_CUE = 10
_SINGLE_NAME_CHAIN = lazy_re(
    r"(?:[ ]\([^()\n]{1,20}\))?(?:,[ ](?:and[ ]|&[ ])?|[ ](?:and|&|or)[ ])"
    r"([A-Z][a-z]+(?:-[a-z]+)?)(?![\w'@])(?![ ][A-Z]|\.\w)"
)
_ALONE_AFTER = lazy_re(r"'s\b|[.,;:)\n!?\"]|[ ](?:[a-z(]|20\d\d|I\b)|$")
_SINGLE = lazy_re(
    r"[A-Z][a-z]*'[A-Z][a-z]+(?![\w@-])|[A-Z][a-z']+(?:[A-Z][a-z]+)?(?:-[A-Za-z][a-z]*){0,9}(?![\w@-])"
    r"|[A-Z]['A-Z]+(?:-[A-Z]+){0,9}(?![\w@-])"
)
#: A word before one of these is not single; an I may follow it.
_CAPITALS = frozenset(f" {letter}" for letter in ascii_uppercase if letter != "I")
_DATED = lazy_re(r"[.,]?[ ]'?\d")
_NEAR_CUE = 44
_SHOP_AFTER = lazy_re(r"[,.;)]|[ ](?:and|or|&|in|on|at)\b|\n|$")


@lru_cache(maxsize=2)
def single_places(folded: FoldedText) -> tuple[tuple[int, int], ...]:
    """Return the places of single names in a person's position.

    >>> from evenhand.masking.layout import folded_text
    >>> text = "Took turns with Thandiwe. My mentor Oyin praised it. Trained Bo and Wren to rivet."
    >>> [text[start:end] for start, end in single_places(folded_text(text))]
    ['Thandiwe', 'Oyin', 'Bo', 'Wren']
    """
    text = folded.text
    places = [(start, end) for start, end in speakers(folded) if _may_be_single(folded.low[start:end])]
    for start, end in _candidates(folded):
        if _counts(folded, start, end):
            places.append((start, end))
            more = _SINGLE_NAME_CHAIN.match(text, end)
            while more is not None and _may_be_single(more.group(1).lower()):
                places.append(more.span(1))
                more = _SINGLE_NAME_CHAIN.match(text, more.end())
    return tuple(places)


def _may_be_single(word: str) -> bool:
    kind = kind_of(word)
    return kind in {"name", "word"} or (kind == "other" and word in given_names())


@cache
def _beginnings() -> frozenset[str]:
    """Return frequent given names, and the first parts of those with a hyphen."""
    return frozenset(name.partition("-")[0] for name in given_names()) | given_names()


@cache
def _single_cues() -> frozenset[str]:
    return word_list((OTHER_NAME_WORDS.telling | OTHER_NAME_WORDS.sure | OTHER_NAME_WORDS.counted) - _beginnings())


def _candidates(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield single capitalised words: frequent given names, and words before or after a cue."""
    beginnings, words = _beginnings(), folded.words
    cues = folded.places(_single_cues())
    near = {place + 1 for place in cues}.union([place - 1 for place in cues])
    for place in [place for place in folded.capitals if place in near or words[place][0] in beginnings]:
        word, start, end = words[place]
        mark, following = folded.text[end : end + 1], folded.text[end : end + 2]
        if following in _CAPITALS or (kind_of(word.removesuffix("'s")) in PLAIN and mark not in {"-", "'"}):
            continue
        match = _SINGLE.match(folded.text, start)
        if match is not None and _is_alone(folded, place, match.end()):
            yield start, match.end()


def _is_alone(folded: FoldedText, place: int, end: int) -> bool:
    """Say whether no capitalised word is adjacent."""
    text, words = folded.text, folded.words
    start = words[place][1]
    if (start and text[start - 1] in "-&'/@._#") or _ALONE_AFTER.match(text, end) is None:
        return False
    word, first, last = words[place - 1] if place else ("", 0, 0)
    if word == "st":
        return False
    adjacent = place and text[last:start] in {" ", "-"} and text[first].isupper()
    return not adjacent or kind_of(word) in PLAIN


def _counts(folded: FoldedText, start: int, end: int) -> bool:  # noqa: PLR0911 - one line per kind of word
    """Say whether a capitalised word by itself is a person's name here."""
    text, low = folded.text, folded.low
    stop = end - 2 if text.endswith("'s", start, end) else end
    word = low[start:stop]
    kind, listed = kind_of(word), word in given_names()
    if kind not in {"name", "word", "other"}:
        return False
    if (kind == "other" or word in OTHER_NAME_WORDS.months) and _DATED.match(text, end) is not None:
        return False
    if stop < end and _SHOP_AFTER.match(text, end) is not None:
        return False  # 'lunch at Wendy's, Chili's'
    sure = _is_sure(low, start)
    if not sure and (kind != "name" or text[start:stop].isupper()):
        return listed and kind == "word" and _is_turned_to(text, start, end)
    after = after_score(folded, stop)
    if sure or after < 0:
        return after >= 0 and (kind != "other" or listed)
    before = before_score(folded, start)
    if listed:
        inside = OTHER_NAME_WORDS.in_sentence.search(text, max(0, start - 2 * _LONGEST_CUE), start) is not None
        return before + after > 0 or (before >= -1 and inside)
    followed = OTHER_NAME_WORDS.followed.match(text, stop) is not None
    return (followed and before > -1) or (before > 1 and after > 1)


def _is_turned_to(text: str, start: int, end: int) -> bool:
    """Say whether the reader is to turn to somebody: `Call Bob or Hope`, `Bob can be reached on`."""
    turned = OTHER_NAME_WORDS.turn_to.search(text, max(0, start - _LONGEST_CUE), start) is not None
    return turned or OTHER_NAME_WORDS.reached.match(text, end) is not None


def _is_sure(low: str, start: int) -> bool:
    """Say whether only a person can follow: `my mentor`, `trained`, `took turns with`."""
    left = low[max(0, start - _NEAR_CUE) : start]
    if left.endswith(OTHER_NAME_WORDS.greetings):
        return True
    words = left.rstrip(" ,:(").rsplit(" ", 3)
    last = words[-1].strip("\"'([*-\n").rpartition("\n")[2]
    known = last in OTHER_NAME_WORDS.kin
    if (known or is_person_noun(last)) and not OTHER_NAME_WORDS.determiners.isdisjoint(words[-3:-1]):
        return True
    if not left.endswith(" ") or left.endswith(", "):
        return left.endswith("(") and OTHER_NAME_WORDS.team_of.search(left) is not None
    phrase = OTHER_NAME_WORDS.sure_phrase.search(left.rstrip(" :")) is not None
    return known or phrase or last in OTHER_NAME_WORDS.sure


_NUMBER = lazy_re(r"\d[\d ().-]{6,}\d")
_MARKS = " \t#*_=-:•|.~>▪◦●→–➢·"
_BETWEEN_NAMES = lazy_re(r",[ ]|;[ ]|[ ](?:and|&|y|und|et)[ ]|[ ]/[ ]")
_GOES_ON = lazy_re(r"\w|[ ][a-z]")
_LONGEST_TITLE, _SHORT_TITLE, _FEW = 45, 25, 5


def in_blocks(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> set[int]:
    """Add names of lines and fields; return where lines begin that a person begins."""
    _add_fields(folded, layout, add)
    lines = _listed(folded, layout)
    _add_addressee(folded, layout, lines)
    _add_speakers(folded, add)
    _add_family_first(folded, lines, add)
    return lines


def _add_fields(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> None:
    """Add the names after labels of people, also single ones: `Line manager: May`, `Team: Zola, Bo`."""
    for field in layout.fields:
        score = label_score(field.label)
        if score < 2:
            continue
        value = folded.text[field.start : field.end]
        sure = score == 3
        labelled = sure or folded.text[: field.start].rstrip(" *")[-1:] == ":"
        for start, end in word_kinds.segments(value)[:1]:
            for part in _BETWEEN_NAMES.split(value[start:end])[:_FEW]:
                bare = OTHER_NAME_WORDS.titled.sub("", part.strip(" \"'*_"))
                match = _NAME.match(bare)
                if match is None:
                    break
                words = match.group().split()
                while words and word_kinds.is_ordinary(words[-1].lower().strip(".'")):
                    words.pop()
                alone = _GOES_ON.match(bare, match.end()) is None
                if not (len(words) > 1 or (labelled and alone)) or not _may_be(" ".join(words), sure=sure):
                    break
                add(" ".join(words))


def _may_be(named: str, *, sure: bool) -> bool:
    """Say whether a label's value may be a name, none of its words a job; `sure`: only one person's name follows."""
    tokens = name_of(named).tokens
    kinds = [word_kinds.kind_of(token) for token in tokens]
    listed = bool(tokens) and tokens[0] in word_kinds.given_names()
    if len(tokens) == 1:
        allowed = {"name"} if not sure else {"name", "word"} if not listed else {"name", "word", "other"}
        return kinds[0] in allowed and not named.isupper()
    if "job" in kinds or kinds.count("ordinary") > sure:
        return False
    return "name" in kinds or listed or (sure and "word" in kinds)


def _listed(folded: FoldedText, layout: Layout) -> set[int]:
    """Return where the lines below a heading for people begin."""
    low = folded.low
    lines: set[int] = set()
    under, before = False, 0
    for start, end, number, section, heading in layout.lines:
        short = heading or end - start < _LONGEST_TITLE
        bare = low[start:end].strip(_MARKS).lstrip("0123456789.) ") if short else ""
        apart, before = number - before > 1, number
        if short and OTHER_NAME_WORDS.people_heading.match(bare) is not None:
            under = True
        elif heading or (under and apart and 0 < len(bare) < _SHORT_TITLE and _is_title(bare)):
            under = heading and section == "references"
        elif under:
            lines.add(low.rfind("\n", 0, start) + 1)
    return lines


def _is_title(bare: str) -> bool:
    return all(word_kinds.is_ordinary(word.strip(",&")) or word in {"and", "&", "of"} for word in bare.split())


def _is_reached(low: str) -> bool:
    """Say whether a line in small letters has an address, a telephone number or a word for one, or begins a role."""
    return (
        "@" in low
        or _NUMBER.search(low) is not None
        or OTHER_NAME_WORDS.contact_word.search(low) is not None
        or any(word_kinds.is_person_noun(word.strip(",;()")) for word in low.split()[:_FEW])
    )


def _add_addressee(folded: FoldedText, layout: Layout, lines: set[int]) -> None:
    """Add the addressee in the lines above a letter's `Dear`, who begins a block or has a role below."""
    if "dear" not in folded.where:
        return
    for place, line in enumerate(layout.lines):
        if folded.low.startswith("dear ", line.start):
            for above in range(max(1, place - _MOST_ABOVE), place - 1):
                before, first, second = layout.lines[above - 1 : above + 2]
                words = folded.low[second.start : second.end].split()
                role = any(word_kinds.is_person_noun(word.strip(",.")) for word in words[:3])
                begins = first.number - before.number > 1 and _is_plain_name(folded.text[first.start : first.end])
                if second.number - first.number == 1 and (role or begins):
                    lines.add(folded.low.rfind("\n", 0, first.start) + 1)


_MOST_ABOVE = 9


def _is_plain_name(text: str) -> bool:
    words = text.split()
    return 1 < len(words) < _FEW and all(
        word_kinds.kind_of(word.lower().strip(".")) in {"name", "word"} for word in words
    )


def _add_speakers(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add speakers of a chat: names after times, twice or more."""
    for name in {folded.text[start:end]: None for start, end in speakers(folded)}:
        if " " in name or word_kinds.looks_like_a_name(name, loose=True):
            add(name)


def _add_family_first(folded: FoldedText, lines: set[int], add: Callable[[str], None]) -> None:
    """Add names with the surname first: among people, after a label, before a role, an address or a number."""
    text, low = folded.text, folded.low
    for given in _GIVEN.finditer(text):
        place, first = given.start(), given.group(1).lower()
        listed, clean = first in word_kinds.given_names(), word_kinds.kind_of(first) == "name"
        if not listed and not (clean and text[place - 1].islower()):
            continue
        family = _FAMILY.search(text, max(0, place - _LONGEST_FAMILY), place)
        if family is None:
            continue
        named = f"{family.group(1)}, {given.group(1)}"
        begin = family.start(1)
        if text.rfind("\n", 0, begin) + 1 in lines or before_score(folded, begin) == 3:
            if word_kinds.inverted(named):
                add(named)
        elif listed and clean and not any(map(word_kinds.is_ordinary, _PARTS.split(family.group(1).lower()))):
            behind = given.end(1) + len(given.group(2))
            if _is_reached(low[behind : behind + _LONGEST_CONTACT].partition("\n")[0]):
                add(named)


_LONGEST_CONTACT, _LONGEST_FAMILY = 120, 40
_FAMILY = lazy_re(
    r"(?:(?<=[\n\t>\"])|(?<=[:;*\u2022-] ))((?:(?:de|van|von|al|el|da|der|den)[ -])?[A-Z][\w']+(?:[ -][A-Z][\w']+)?)$"
)
_PARTS = lazy_re(r"[ -]")
_GIVEN = lazy_re(r", (?=([A-Z][\w']+)((?:-\w+)?)(?=[ ]?[,;(|/\n<-]|\.[ ]|$))")


_MOST = 150
_NEAR = 40
_NAME = lazy_re(word_kinds.NAME)
_WORDS = lazy_re(r"\S+")
_GAP = lazy_re(r"\.?(?:[ ]{1,2}|[ ]?\n[ \t>]*)(?:Dr\.?[ ]|Prof\.?[ ]|Mrs?\.?[ ]){0,2}")
#: Titles after which a trade is a surname.
_OF_ANYBODY = frozenset({"mr", "mrs", "ms", "miss", "mx"})
_OF_SEVERAL = frozenset({"drs", "messrs", "profs", "professors"})


@cache
def _titles() -> frozenset[str]:
    return word_list(OTHER_NAME_WORDS.titles)


def other_people(folded: FoldedText, layout: Layout) -> list[Name]:
    """Return the names of other people that titles, labels, references, lists of authors or their places reveal."""
    people: dict[str, Name] = {}

    def add(text: str) -> None:
        first, apart, _ = text.partition("  ")  # two blanks part the lines of a text without line breaks
        text = (first if apart and " " in first.strip() else text).strip(" ,.-–")
        if text and len(people) < _MOST and text not in people:
            name = name_of(text)
            if name.tokens:
                people[text] = name

    _add_titled(folded, add)
    lines = in_blocks(folded, layout, add)
    _add_initialled(folded, add)
    for named in in_prose(folded, lines):
        add(named)
    for start, end in single_places(folded):
        add(folded.text[start:end].removesuffix("'s"))
    return [name for text, name in people.items() if not _is_of_a_thing(folded.text, text, name)]


def _is_of_a_thing(text: str, named: str, name: Name) -> bool:
    """Say whether a name is a firm's, a school's or a place's: a word of theirs is near it, or all are words."""
    if len(name.tokens) > 1 and not any(is_clean(token) or token in word_kinds.given_names() for token in name.tokens):
        return True
    if OTHER_NAME_WORDS.body_after.search(named) is not None:
        return True
    place = text.find(named)
    while place >= 0:
        before = OTHER_NAME_WORDS.thing_before.search(text, max(0, place - _NEAR), place)
        if before is not None or OTHER_NAME_WORDS.body_after.match(text, place + len(named)) is not None:
            return True
        place = text.find(named, place + 1)
    return False


def _add_titled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add the names after titles, and those joined to them: `Drs. Okafor and Lee`, `Mr. and Mrs. Iqbal`."""
    text = folded.text
    for place in folded.places(_titles()):
        title, start, end = folded.words[place]
        mark = text[end : end + 1]
        written = text[start].isupper() and (title in OTHER_NAME_WORDS.abbreviated if mark == "." else mark in " \n")
        if not written or (text[start:end].isupper() and mark != "." and title in OTHER_NAME_WORDS.degrees_too):
            continue
        for _ in range(_FEW):
            named, end = _after_title(folded, end, title)
            if not named or word_kinds.is_no_person(f"{title} {named.lower()}"):
                break
            add(named)
            joined = OTHER_NAME_WORDS.and_another.match(text, end)
            if joined is None or title not in _OF_SEVERAL:
                break
            end = joined.end() - 1


def _after_title(folded: FoldedText, end: int, title: str) -> tuple[str, int]:
    """Return the name that follows a title, and where it ends; empty where none does."""
    text, job, person = folded.text, title in OTHER_NAME_WORDS.jobs, title in _OF_ANYBODY
    gap = _GAP.match(text, end)
    if gap is None:
        return "", end
    particles = OTHER_NAME_WORDS.leading_particles.match(text, gap.end())
    match = _NAME.match(text, gap.end() if particles is None else particles.end())
    if match is None:
        return "", end
    words = list(_WORDS.finditer(text, *match.span()))
    low = [word.group().lower().strip(".'").removesuffix("'s") for word in words]
    kinds = [word_kinds.kind_of(word) for word in low]
    listed = low[0] in word_kinds.given_names()
    if ("\n" in gap.group() and kinds[0] == "ordinary") or (person and low[0] in OTHER_NAME_WORDS.no_person):
        return "", end
    count = int(not job and (kinds[0] != "job" or person))
    while count < len(words) and (
        len(low[count]) == 1
        or kinds[count] in {"name", "word", "particle"}
        or (kinds[count] == "other" and not job)
        or (count and low[count - 1] in PARTICLES)
        or (listed and count == 1 == len(words) - 1)
    ):
        count += 1
    while count > 1 and low[count - 1] in PARTICLES:
        count -= 1
    if job or title in OTHER_NAME_WORDS.loose:
        is_surname = kinds[0] == "name" and (title not in OTHER_NAME_WORDS.loose or word_kinds.is_frequent(low[0]))
    else:
        is_surname = len(low[0]) > 1 and (person or word_kinds.no_names().get(low[0], "other") == "other")
    if not count or not (count > 1 or particles is not None or is_surname):
        return "", end
    last = words[count - 1].end()
    return text[gap.end() : last].removesuffix("'s"), last


def _add_initialled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add surnames with dotted initials before or after them; organisations are hardly written so."""
    for match in _initialled(folded.text):
        after = match.group("after")
        low = (after or match.group("before")).lower().removesuffix("'s")
        initials, kind = "".join(_DOTTED.findall(match.group())), word_kinds.kind_of(low)
        if kind == "particle" or initials in OTHER_NAME_WORDS.no_initials or low in OTHER_NAME_WORDS.degrees:
            continue
        if after and kind in {"other", "ordinary", "job"}:
            continue  # Portland, O.R.
        if kind in {"ordinary", "job"} and before_score(folded, match.start()) < 2:
            continue
        if AROUND_WORDS.organisation_after.match(folded.text, match.end()) is None:
            add(match.group().removesuffix("'s"))


def _initialled(text: str) -> Iterator[re.Match[str]]:
    """Yield surnames with initials; the search starts from the dots, which are few."""
    done = 0
    for dot in _INITIAL.finditer(text):
        begin = dot.start() - 1
        surname = _SURNAME_BEFORE.search(text, max(done, begin - _LONGEST_SURNAME), begin)
        match = None if surname is None else _INITIALLED.match(text, surname.start())
        match = match or _INITIALLED.match(text, begin)
        if match is not None and begin >= done:
            done = match.end()
            yield match


_INITIAL = lazy_re(r"\.(?<=[A-Z]\.)(?<![\w.'&/-]..)")
_SURNAME_BEFORE = lazy_re(r"[A-Z][\w'-]+, $")
_LONGEST_SURNAME = 32
_DOTTED = lazy_re(r"([A-Z])\.")
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|del|della|dos|du|la|le|al|bin|bint|ibn|ter|zu)[ ]){0,3}"
_INITIALLED = lazy_re(
    rf"(?<![\w.'&/-])(?:(?:[A-Z]\.[ -]{{0,2}}){{1,3}}{_PARTICLE}(?P<before>(?:al-|el-)?[A-Z][\w'-]+)"
    r"(?:[ ](?!(?:I|The|He|She|They|We|It|A|In|An)\b)[A-Z][a-z'-]+)?(?![\w@])"
    rf"|(?P<after>[A-Z][\w'-]+),[ ](?:[A-Z]\.[ -]?){{1,3}}(?![\w.]))"
)
