"""Names of other people in a document: referees, managers, relatives, authors, anyone with a title."""

import re
from collections.abc import Callable, Iterator
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS
from evenhand.resumes.names.kinds import is_ordinary, kind_of
from evenhand.resumes.names.lists import KIND_WORDS, given_names, is_no_person, no_names, surnames
from evenhand.resumes.names.others.blocks import in_blocks
from evenhand.resumes.names.others.prose import in_prose
from evenhand.resumes.names.others.runs import OTHER_NAME_WORDS
from evenhand.resumes.names.others.singles import singles
from evenhand.resumes.names.own.candidates import is_clean
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.names.shapes import NAME
from evenhand.resumes.names.slots import before_score
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Layout

__all__ = ["other_people"]

_MOST = 150


@cache
def _titles() -> frozenset[str]:
    return word_list(OTHER_NAME_WORDS.titles)


_NAME = lazy_re(NAME)
_GAP = lazy_re(r"\.?(?:[ ]{1,2}|[ ]?\n[ \t>]*)(?:Dr\.?[ ]|Prof\.?[ ]|Mrs?\.?[ ]){0,2}")
_BROKEN = lazy_re(r"\n[ \t>]*(?=[A-Z][a-z])")
_HALF_DOZEN = 6


def other_people(folded: FoldedText, layout: Layout) -> list[Name]:
    """Return the names of other people that titles, labels, references, lists of authors or their places reveal."""
    found: dict[str, Name] = {}

    def add(text: str) -> None:
        text = _wide(text).strip(" ,.-–")
        if text and len(found) < _MOST and text not in found:
            name = name_of(text)
            if name.tokens:
                found[text] = name

    _add_titled(folded, add)
    lines, spared = in_blocks(folded, layout, add)
    _add_initialled(folded, add)
    for named in in_prose(folded, lines, spared):
        add(named)
    for named in singles(folded):
        add(named)
    for named in [text for text in found if " " in text]:
        add(_joined_to(folded.text, named))
    return [name for text, name in found.items() if not _is_of_a_thing(folded.text, text, name)]


def _wide(text: str) -> str:
    """Return a name without what stands behind two blanks: a text that has lost its lines has those between them."""
    first, apart, _ = text.partition("  ")
    return first if apart and " " in first.strip() else text


def _is_of_a_thing(text: str, named: str, name: Name) -> bool:
    """Say whether a name is a firm's, a school's or a place's: a word of theirs follows somewhere, or all are words."""
    if len(name.tokens) > 1:
        last = name.tokens[-1]
        if not any(is_clean(token) or token in given_names() for token in name.tokens):
            return True
        if last not in surnames() and no_names().get(last) == "place":
            return True
    if OTHER_NAME_WORDS.body_after.search(named) is not None:
        return True
    place = text.find(named)
    while place >= 0:
        end = place + len(named)
        if (
            AROUND_WORDS.organisation_after.match(text, end) is not None
            or OTHER_NAME_WORDS.body_after.match(text, end) is not None
        ):
            return True
        if OTHER_NAME_WORDS.thing_before.search(text, max(0, place - _NEAR), place) is not None:
            return True
        place = text.find(named, place + 1)
    return False


_NEAR = 40


def _joined_to(text: str, named: str) -> str:
    """Return a single name that `and` joins to a whole one: `panel with Yunfei Tay and Sook`."""
    place = text.find(named)
    match = _AND_ONE.match(text, place + len(named)) if place >= 0 else None
    if match is None or kind_of(match.group(1).lower()) not in {"name", "word"}:
        return ""
    return match.group(1)


_AND_ONE = lazy_re(r"[ ](?:and|&)[ ]([A-Z][a-z]+(?:-[a-z]+)?)(?=[.;,)\n]|$)")


def _add_titled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add the names after titles, and those joined to them: `Drs. Okafor and Lee`, `Mr. and Mrs. Iqbal`."""
    words, text = folded.words, folded.text
    for place in folded.places(_titles()):
        title, start, end = words[place]
        if not text[start].isupper() or text[end : end + 1] not in {".", " ", "\n"}:
            continue
        if title == "ms" and text[start:end] == "MS" and text[end] != ".":
            continue  # a degree, a product's maker
        if text[end] == "." and title not in OTHER_NAME_WORDS.abbreviated:
            continue  # the end of a sentence
        if (
            text[start:end].isupper()
            and text[end] != "."
            and title in {"mx", "ms", "er", "fr", "det", "adv", "rep", "sen"}
        ):
            continue
        several = title in {"drs", "messrs", "profs", "professors"}
        for turn in range(_HALF_DOZEN):
            named, last = _after_title(
                folded,
                end,
                job=title in OTHER_NAME_WORDS.jobs,
                loose=title in OTHER_NAME_WORDS.loose,
                person=title in _OF_ANYBODY,
            )
            if not named or is_no_person(f"{title} {named.lower()}"):
                break
            add(named)
            joined = OTHER_NAME_WORDS.and_another.match(text, last)
            if joined is None or not (several or (turn == 0 and "." in joined.group())):
                break
            end = joined.end() - 1


#: Titles after which a trade is a surname; the offices that they stand before, and Microsoft's products.
_OF_ANYBODY = frozenset({"mr", "mrs", "ms", "miss", "mx"})


def _after_title(folded: FoldedText, end: int, *, job: bool, loose: bool, person: bool) -> tuple[str, int]:  # noqa: C901 - one line per kind of word
    """Return the name that follows a title, and where it ends; empty where none does."""
    text = folded.text
    gap = _GAP.match(text, end)
    if gap is None:
        return "", end
    if "\n" in gap.group() and OTHER_NAME_WORDS.labelled.search(folded.low, max(0, end - _LONG_LINE), end) is not None:
        return "", end  # a field `Prefix: Ms`, another field below it
    start = gap.end()
    particles = OTHER_NAME_WORDS.leading_particles.match(text, start)
    first = particles.end() if particles is not None else start
    match = _NAME.match(text, first)
    if match is None:
        return "", end
    words = match.group().split()
    low = [word.lower().strip(".'").removesuffix("'s") for word in words]
    taken = 0
    while taken < len(words) and (
        (taken == 0 and not job and (kind_of(low[0]) != "job" or low[0] in KIND_WORDS.surnames_too or person))
        or len(low[taken]) == 1
        or kind_of(low[taken]) in {"name", "word", "particle"}
        or (kind_of(low[taken]) == "other" and not job)
        or (taken and low[taken - 1] in PARTICLES)
        or (taken == 1 == len(words) - 1 and (person or low[0] in given_names()) and _ENDED.match(text, match.end()))
    ):
        taken += 1
    while taken and low[taken - 1] in PARTICLES and taken > 1:
        taken -= 1
    known = taken > 1 or particles is not None or _is_surname(low[0], job=job, loose=loose)
    if not taken or (person and low[0] in OTHER_NAME_WORDS.no_person) or not (known or (person and len(low[0]) > 1)):
        return "", end
    named = " ".join(words[:taken])
    last = (
        first + len(match.group())
        if taken == len(words)
        else first + match.group().index(words[taken - 1]) + len(words[taken - 1])
    )
    if taken == len(words) and not named.endswith("'s"):
        more = _BROKEN.match(text, last)
        if more is not None and last - text.rfind("\n", 0, last) > _LONG_LINE:
            following = _NAME.match(text, more.end())
            word = following.group().split()[0] if following is not None else ""
            if word and kind_of(word.lower()) in {"name", "word"} and _PAGE.match(text, more.end()) is None:
                named, last = f"{named} {word}", more.end() + len(word)
    if AROUND_WORDS.organisation_after.match(text, last) is not None and job:
        return "", end
    return text[start:first] + named.removesuffix("'s"), last


_PAGE = lazy_re(r"Page[ ]\d")
_LONG_LINE = 50
_ENDED = lazy_re(r"[.,;:)|]|[ ]?(?:\n|$|[–—(|-])")


def _is_surname(word: str, *, job: bool, loose: bool) -> bool:
    """Say whether a single word after a title may be a surname."""
    if loose:
        return kind_of(word) == "name" and (word in surnames() or word in given_names())
    if job:
        return kind_of(word) == "name" and len(word) > 2
    if word in KIND_WORDS.surnames_too:
        return True
    return len(word) > 1 and no_names().get(word, "other") == "other" and not word.isdigit()


def _add_initialled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add surnames with dotted initials before or after them; organisations are hardly written so."""
    text = folded.text
    for match in _initialled(text):
        surname = match.group("before") or match.group("after")
        low = surname.lower().removesuffix("'s")
        initials = "".join(_DOTTED.findall(match.group()))
        if initials in OTHER_NAME_WORDS.no_initials or kind_of(low) == "particle" or low in OTHER_NAME_WORDS.degrees:
            continue
        if (is_ordinary(low) or low in OTHER_NAME_WORDS.no_surnames) and (
            match.group("after") or len(low) < 2 or low.endswith("ed") or before_score(folded, match.start()) < 2
        ):
            continue
        if match.group("after") and (kind_of(low) == "other" or initials in KIND_WORDS.states):
            continue  # Portland, O.R.; Sioux Falls, S.D.
        if _IN_A_LANGUAGE.search(text, max(0, match.start() - 4), match.start()) is not None and match.group("before"):
            continue  # 'records in R. Won a grant'
        if (
            OTHER_NAME_WORDS.street.search(match.group().lower()) is not None
            or OTHER_NAME_WORDS.street_after.match(text, match.end()) is not None
        ):
            continue
        if "J" in initials and low in OTHER_NAME_WORDS.journals:
            continue
        if (
            is_no_person(f"{initials.lower()} {low}")
            or AROUND_WORDS.organisation_after.match(text, match.end()) is not None
        ):
            continue
        add(match.group().removesuffix("'s"))


_IN_A_LANGUAGE = lazy_re(r"\bin $")


def _initialled(text: str) -> Iterator[re.Match[str]]:
    """Yield surnames with initials; looked for from the dots, which are few."""
    done = 0
    for dot in _INITIAL.finditer(text):
        begin = dot.start() - 1
        if begin < done:
            continue
        match = None
        if text.startswith(", ", begin - 2):
            surname = _LAST_WORD.search(text, max(0, begin - _LONGEST_SURNAME), begin - 2)
            if surname is not None and surname.start() >= done:  # not Roe's in 'R. Roe, E. Lee'
                match = _INITIALLED.match(text, surname.start())
        match = match or _INITIALLED.match(text, begin)
        if match is not None:
            done = match.end()
            yield match


_INITIAL = lazy_re(r"\.(?<=[A-Z]\.)(?<![\w.'&/-]..)")
_LAST_WORD = lazy_re(r"[A-Z][\w'-]+$")
_LONGEST_SURNAME = 32
_DOTTED = lazy_re(r"([A-Z])\.")
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|del|della|dos|du|la|le|al|bin|bint|ibn|ter|zu)[ ]){0,3}"
_INITIALLED = lazy_re(
    rf"(?<![\w.'&/-])(?:(?:[A-Z]\.[ -]{{0,2}}){{1,3}}{_PARTICLE}(?P<before>(?:al-|el-)?[A-Z][\w'-]+)"
    r"(?:[ ](?!(?:I|The|He|She|They|We|It|A|In|An)\b)[A-Z][a-z'-]+)?(?![\w@])"
    rf"|(?P<after>[A-Z][\w'-]+),[ ](?:[A-Z]\.[ -]?){{1,3}}(?![\w.]))"
)
