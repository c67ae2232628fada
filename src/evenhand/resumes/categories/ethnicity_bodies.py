"""ETHNICITY: the letters of an organisation whose name beside them tells of a people: Society of Hispanic ... (SHPE).

Kept: institutions named after their country, such as the Indian Space Research Organisation (ISRO).
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

from evenhand.resumes.plain import Plain, word_list
from evenhand.resumes.rules import Found, phrases_of

__all__ = ["organisations"]

_SMALL = frozenset({"of", "and", "for", "the", "in", "&", "to", "on"})
_SHORT = re.compile(r"\(([A-Z][A-Za-z]{1,7}[A-Z])\)")
_FIRST_SHORT = re.compile(r"([A-Z][A-Z]{2,7})(?:, the | \(| - | \u2013 |: |, )(?=[A-Z])")
_NAME_OF_BODY = re.compile(
    r"(?:[A-Z][\w'&-]*|of|and|for|the|in|&)(?:[ \n-](?:[A-Z][\w'&-]*|of|and|for|the|in|&)){2,10}"
)
_NAME_BEFORE = re.compile(
    r"(?:[A-Z][\w'&]*|of|and|for|the|in|&)(?:[ \n-]{1,2}(?:[A-Z][\w'&]*|of|and|for|the|in|&)){2,10}$"
)
#: The same with what the body is in small letters behind it: `Asian Pacific American employee network (APA)`.
_NAME_THEN_KIND = re.compile(
    r"((?:[A-Z][\w'&]*[ \n-]{1,2}){2,6})(?:(?:employee|staff|resource|network|group|student|students|alumni|affinity|"
    r"business|association|society|community|club|council|forum|families|colleagues)[ \n]{0,3}){1,4}$"
)
_LONGEST_NAME, _LONGEST_SHORT = 110, 14
_WORD = re.compile(r"[A-Za-z][\w'&]*|&")
_PEOPLES = (
    "black asian hispanic latino latina latinx latinas latinos african african-american native indigenous aboriginal "
    "minority minorities chicano chicana arab caribbean pacific iranian pilipino filipino"
)

_MINORITIES = frozenset(_PEOPLES.split())
_ELSEWHERE = frozenset(
    {"america", "american", "britain", "uk", "canada", "canadian", "australia", "australian", "diaspora"}
)


@cache
def _peoples() -> frozenset[str]:
    phrases = phrases_of("ethnicity")
    listed = {name for rule in ("nation", "tongue", "tribe") for name in phrases[rule]}
    return word_list({*listed, *_MINORITIES})


def organisations(plain: Plain) -> list[Found]:
    """Return the letters of organisations whose name, beside it, tells of a people.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Society of Asian Scientists and Engineers (SASE); ran a Statutory Annual Safety Exam (SASE)")
    >>> [seen.text[found.start : found.end] for found in organisations(seen)]
    ['SASE']
    """
    text, found = plain.text, []
    places = plain.places(_peoples())
    if not places:
        return []
    if "(" in text:
        starts = [plain.words[place][1] for place in places]
        for match in _SHORT.finditer(text):
            end = match.start()
            people = bisect_left(starts, end) - 1
            if people < 0 or starts[people] < end - _LONGEST_NAME - 1:
                continue  # no people's name is so near before it
            end -= text[end - 1 : end] == " "
            before = _NAME_BEFORE.search(text, max(0, end - _LONGEST_NAME), end)
            if before is not None and _stands_for(match.group(1), before.group(), ends=True):
                found.append(_found(*match.span(1)))
                continue
            kind = _NAME_THEN_KIND.search(text, max(0, end - _LONGEST_NAME), end)
            if kind is not None and _stands_for(match.group(1), kind.group(1), ends=True):
                found.append(_found(*match.span(1)))
    for match in _short_before(plain, places):
        if text[match.start() - 1 : match.start()].isalnum():
            continue
        after = _NAME_OF_BODY.match(text, match.end(), match.end() + _LONGEST_NAME)
        if after is not None and _stands_for(match.group(1), after.group(), ends=False):
            found.append(_found(*match.span(1)))
    return found


def _short_before(plain: Plain, places: list[int]) -> Iterator[re.Match[str]]:
    """Yield what may be letters of a body, so near before a people that its name can hold that."""
    done = 0
    for place in places:
        _, start, _ = plain.words[place]
        for match in _FIRST_SHORT.finditer(plain.text, max(done, start - _LONGEST_NAME - _LONGEST_SHORT), start + 1):
            yield match
            done = match.end()
        done = max(done, start - _LONGEST_SHORT)


def _found(start: int, end: int) -> Found:
    return Found(start=start, end=end, category="ETHNICITY", rule="organisation", confidence=0.88)


def _stands_for(short: str, name: str, *, ends: bool) -> bool:
    """Say whether these are the first letters of a name's words, one of them a people's."""
    letters = short.upper()
    words = [word for word in _WORD.findall(name) if word.lower() not in _SMALL]
    words = words[-len(letters) :] if ends else words[: len(letters)]
    initials = "".join(word[0].upper() for word in words)
    same = sum(one == other for one, other in zip(letters, initials, strict=False))
    if len(words) < _FEWEST or same < min(len(words), len(letters)) - 1:
        return False
    low = [word.lower() for word in words]
    return not _MINORITIES.isdisjoint(low) or (
        not _peoples().isdisjoint(low) and (len(_peoples().intersection(low)) > 1 or not _ELSEWHERE.isdisjoint(low))
    )


_FEWEST = 3
