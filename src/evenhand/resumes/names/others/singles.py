"""Single names of other people: a given name after `my mentor`, `trained`, before `and I`; the Okafor family."""

from collections.abc import Iterator
from functools import cache
from string import ascii_uppercase
from weakref import WeakKeyDictionary

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import is_person_noun, kind_of
from evenhand.resumes.names.lists import given_names, surnames
from evenhand.resumes.names.others.runs import OTHER_NAME_WORDS
from evenhand.resumes.names.others.speakers import speakers
from evenhand.resumes.names.slots import after_score, before_score
from evenhand.resumes.text.folded_text import FoldedText, word_list

__all__ = ["single_places", "singles"]


_TITLED = lazy_re(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? $")
_LONGEST_CUE = 10
_COUNTS = word_list("two three four five six seven eight both several 2 3 4 5 6 7 8".split())  # noqa: SIM905 - a list of words
_HOUSEHOLDS = word_list({"family", "children", "household", "twins", "siblings", "lab", "laboratory", "group"})
_BEFORE_HOUSEHOLD = lazy_re(
    r"\b(?:[Tt]he|for|[Ii]n) ((?:(?:de|van|von|al|el|da) )?(?:al-|el-)?[A-Z][a-z'-]+(?: [A-Z][a-z'-]+)?) $"
)
_CHAIN = lazy_re(
    r"(?:[ ]\([^()\n]{1,20}\))?(?:,[ ](?:and[ ]|&[ ])?|[ ](?:and|&|or)[ ])"
    r"([A-Z][a-z]+(?:-[a-z]+)?)(?![\w'@])(?![ ][A-Z]|\.\w)"
)
_ALONE_AFTER = lazy_re(r"'s\b|[.,;:)\n!?\"]|[ ](?:[a-z(]|20\d\d|I\b)|$")
_WORD = lazy_re(
    r"[A-Z][a-z]*'[A-Z][a-z]+(?![\w@-])|[A-Z][a-z']+(?:[A-Z][a-z]+)?(?:-[A-Za-z][a-z]*)*(?![\w@-])"
    r"|[A-Z]['A-Z]+(?:-[A-Z]+)*(?![\w@-])"
)
_CAPITAL_BEFORE = lazy_re(r"[A-Z] $|[A-Z], $")
#: A word before one of these doesn't stand alone; an I may follow it.
_CAPITALS = frozenset(f" {letter}" for letter in ascii_uppercase if letter != "I")
_MAY_BE_NAMES = frozenset({"name", "word", "other"})
#: Behind a word that may be the first half of one.
_WORD_GOES_ON = frozenset("-'")
_CAPITALS_AFTER = lazy_re(r"[.,;)\n]|[ ](?:AND|IN|ON|TO|WITH|FOR|AS|WHO|DURING|AT|EVERY|EACH|TWICE|WEEKLY|DAILY)\b|$")
_DATED = lazy_re(r"[.,]?[ ]'?\d")
_NEAR = 44
_MOST = 6
_SHOP_AFTER = lazy_re(r"[,.;)]|[ ](?:and|or|&|in|on|at)\b|\n|$")


def singles(folded: FoldedText) -> list[str]:
    """Return single names that stand where only a person can.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> singles(folded_text("Took turns with Thandiwe. My mentor Oyin praised it. Trained Bo and Wren to rivet."))
    ['Thandiwe', 'Oyin', 'Bo', 'Wren']
    """
    text = folded.text
    named = [text[start:end].removesuffix("'s") for start, end in single_places(folded)]
    for place in folded.places(_HOUSEHOLDS):
        end = folded.words[place][1]
        match = _BEFORE_HOUSEHOLD.search(text, max(0, end - _NEAR), end)
        if match is not None:
            words = match.group(1).lower().split()
            frequent = folded.words[place][0] in {"lab", "laboratory", "group"}
            if all(kind_of(word) in {"name", "particle"} and (not frequent or word in surnames()) for word in words):
                named.append(match.group(1))
    return named


#: Asked for when names are found and when they are masked; forgotten with the document.
_PLACES: WeakKeyDictionary[FoldedText, list[tuple[int, int]]] = WeakKeyDictionary()


def single_places(folded: FoldedText) -> list[tuple[int, int]]:
    """Return where single names stand in a person's place."""
    found = _PLACES.get(folded)
    if found is None:
        found = _PLACES[folded] = _found(folded)
    return found


def _found(folded: FoldedText) -> list[tuple[int, int]]:
    text = folded.text
    found = [(start, end) for start, end in speakers(folded) if _is_speaker(folded.low[start:end])]
    for start, end in _candidates(folded):
        if not _counts(folded, start, end):
            continue
        found.append((start, end))
        last = end
        titled = _TITLED.search(text, max(0, start - 8), start) is not None  # a firm follows: 'Mr Mehta, Arriva'
        for _ in range(0 if titled else _MOST):
            more = _CHAIN.match(text, last)
            if more is None or kind_of(more.group(1).lower()) not in {"name", "word", "other"}:
                break
            low = more.group(1).lower()
            if kind_of(low) == "other" and low not in given_names():
                break
            found.append(more.span(1))
            last = more.end()
        again = OTHER_NAME_WORDS.again.match(text, last)
        if again is not None and kind_of(low := again.group(2).lower()) in _MAY_BE_NAMES and _is_speaker(low):
            found.append(again.span(2))
    return found


def _is_speaker(word: str) -> bool:
    """Say whether who speaks has a single name: no role such as `Interviewer`, `Bot`."""
    return word in given_names() or kind_of(word) in {"name", "word"}


@cache
def _beginnings() -> frozenset[str]:
    """Return frequent given names, and the first parts of those with a hyphen."""
    return frozenset(name.partition("-")[0] for name in given_names()) | given_names()


def _candidates(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield capitalised words that stand by themselves: frequent given names, and what follows or precedes a cue."""
    text, words = folded.text, folded.words
    beginnings = _beginnings()
    cues, counts = folded.places(_cues()), folded.places(_COUNTS)
    perhaps = {place - 1 for place in cues}
    perhaps.update([place + 1 for place in cues])
    for place in counts:
        perhaps.update((place + 1, place + 2, place + 3))
    perhaps.update([place + 1 for place in folded.places(_introducing())])
    for place in [place for place in folded.capitals if place in perhaps or words[place][0] in beginnings]:
        word, start, end = words[place]
        if text[end : end + 2] in _CAPITALS:
            continue
        if kind_of(word.removesuffix("'s")) not in _MAY_BE_NAMES and text[end : end + 1] not in _WORD_GOES_ON:
            continue
        match = _WORD.match(text, start)
        if match is not None and _is_alone(folded, place, match.end()):
            yield start, match.end()


@cache
def _cues() -> frozenset[str]:
    return word_list(_telling() - _beginnings())


@cache
def _telling() -> frozenset[str]:
    found: frozenset[str] = OTHER_NAME_WORDS.telling | OTHER_NAME_WORDS.sure
    return found


@cache
def _introducing() -> frozenset[str]:
    return word_list(OTHER_NAME_WORDS.introducing)


def _is_alone(folded: FoldedText, place: int, end: int) -> bool:
    """Say whether no capitalised word stands beside one."""
    text, words = folded.text, folded.words
    _, start, _ = words[place]
    if end - start < 2 or (start and text[start - 1] in "-&'/@._#"):
        return False
    if place and words[place - 1][0] == "st" and text.startswith("St", words[place - 1][1]):
        return False
    if text[start:end].isupper() and (
        _CAPITALS_AFTER.match(text, end) is None or _CAPITAL_BEFORE.search(text, max(0, start - 3), start) is None
    ):
        return False
    if place:
        _, first, last = words[place - 1]
        if (
            text[last:start] in {" ", "-"}
            and text[first].isupper()
            and kind_of(words[place - 1][0]) not in {"ordinary", "job"}
        ):
            return False
    return _ALONE_AFTER.match(text, end) is not None


def _counts(folded: FoldedText, start: int, end: int) -> bool:  # noqa: PLR0911 - one line per kind of word
    """Say whether a capitalised word by itself is a person's name here."""
    text, low = folded.text, folded.low
    word = low[start:end].removesuffix("'s")
    kind = kind_of(word)
    listed = word in given_names()
    if kind not in _MAY_BE_NAMES:
        return False
    if text[start:end].isupper() and not _is_sure(low, start):
        return False
    if (kind == "other" or word in OTHER_NAME_WORDS.months) and _DATED.match(text, end) is not None:
        return False
    stop = end - 2 if text[end - 2 : end] == "'s" else end
    if stop < end and _SHOP_AFTER.match(text, end) is not None:
        return False  # 'lunch at Wendy's, Chili's'
    sure = _is_sure(low, start)
    if not sure and kind != "name":
        return listed and kind == "word" and _is_turned_to(text, start, end)
    after = after_score(folded, stop)
    if after < 0 and not (sure and listed and OTHER_NAME_WORDS.kin_before.search(low, max(0, start - _NEAR), start)):
        return False
    if sure:
        return kind != "other" or listed or _is_only_people(low, start)
    before = before_score(folded, start)
    if listed:
        near = max(0, start - 2 * _LONGEST_CUE)
        within = (kind == "name" and len(word) > 2) and (
            OTHER_NAME_WORDS.small_word.search(text, near, start)
            or OTHER_NAME_WORDS.verb_first.search(text, near, start)
        )
        return before + after > 0 or (before >= -1 and bool(within))
    followed = OTHER_NAME_WORDS.followed.match(text, stop) is not None
    return (followed and before > -1) or (before > 1 and (after > 1 or _is_before_listed(text, end)))


def _is_turned_to(text: str, start: int, end: int) -> bool:
    """Say whether somebody is to be called or asked: `Call Bob or Hope`, `Bob can be reached on`."""
    turned = OTHER_NAME_WORDS.turn_to.search(text, max(0, start - _LONGEST_CUE), start) is not None
    return (turned and OTHER_NAME_WORDS.turned_to.match(text, end) is not None) or OTHER_NAME_WORDS.reached.match(
        text, end
    ) is not None


def _is_before_listed(text: str, end: int) -> bool:
    """Say whether a frequent given name follows in a list."""
    more = _CHAIN.match(text, end)
    return more is not None and more.group(1).lower() in given_names() and kind_of(more.group(1).lower()) == "name"


def _is_only_people(low: str, start: int) -> bool:
    """Say whether neither a firm nor a place nor a tool can follow."""
    left = low[max(0, start - _NEAR) : start].rstrip(" ,:")
    last = left.split(" ")[-1].strip("\"'([*-\n").rpartition("\n")[2]
    return (
        last in OTHER_NAME_WORDS.sure or is_person_noun(last) or OTHER_NAME_WORDS.only_people.search(left) is not None
    )


def _is_counted(left: str) -> bool:
    """Say whether people were counted right before: a list of who they are follows."""
    match = OTHER_NAME_WORDS.counted.search(left) if left.endswith(("s, ", "s: ", "(")) else None
    return match is not None and (match.group(1) is None or is_person_noun(match.group(1)))


@cache
def _greeted() -> tuple[str, ...]:
    return tuple(f"{greeting}, " for greeting in OTHER_NAME_WORDS.greetings)


def _is_sure(low: str, start: int) -> bool:
    """Say whether only a person can follow: `my mentor`, `trained`, `took turns with`."""
    left = low[max(0, start - _NEAR) : start]
    if _is_counted(left):
        return True
    if not left.endswith((" ", ": ", ", ")) and left:
        return False
    stripped = left.rstrip(" ,:") if not left.endswith(": ") else left.rstrip()
    words = stripped.rsplit(" ", 3)
    last = words[-1].strip("\"'([*-\n").rpartition("\n")[2]
    if (
        left.endswith(", ")
        and not left.endswith(_greeted())
        and not (
            len(words) > 1
            and (is_person_noun(last) or last in OTHER_NAME_WORDS.kin)
            and words[-2] in OTHER_NAME_WORDS.determiners
        )
    ):
        return False
    if last in OTHER_NAME_WORDS.sure or last in OTHER_NAME_WORDS.kin or left.endswith(_greeted()):
        return True
    if stripped.endswith(OTHER_NAME_WORDS.phrase_ends) and OTHER_NAME_WORDS.sure_phrase.search(stripped) is not None:
        return True
    return is_person_noun(last) and any(word in OTHER_NAME_WORDS.determiners for word in words[-3:-1])
