"""What people call themselves where each name is taken: `thelakshmi`, `sarrbuilds42`, `o-street`."""

import re
from collections.abc import Collection, Iterator

from evenhand.resumes.names.lists import ordinary_words

__all__ = ["in_user_name", "is_user_name", "with_initial"]

_BEFORE_LISTED = (
    "the its im iam hi hey hello ask mr mrs ms miss dr prof real official just simply call meet by team dj coach chef "
    "nurse sir lady king queen captain capt cap itz lil big little young only one happy crazy not your my itsme "
    "teacher doc codeby code with from x xx miz mz el la le da de"
)
_AFTER_LISTED = (
    "builds codes dev devs writes designs makes creates hq official online tech data teaches cooks draws "
    "photo photos photography studio studios media labs lab uk usa us ca ng za eu code coder coding hacks hacker runs "
    "reads talks speaks sings dances bakes paints shoots films music beats tv fm vlogs blog blogs dotcom design "
    "designer writer author travels fit fitness yoga md phd rn jr sr pro engineer eng ops ux ui js py io ai "
    "real loves here xo xx does"
)
_BEFORE = frozenset(_BEFORE_LISTED.split())
_AFTER = frozenset(_AFTER_LISTED.split())
_SHORTEST, _SHORTEST_PART = 4, 2
_BEFORE_NAME = re.compile(r"(?<![\w.@'&-])([a-z])[._-]\Z")
_BEHIND_NAME = re.compile(r"[._-]([a-z])(?![\w'-]|\.\w)")
_COMPOUNDS_LISTED = "x-ray e-mail e-book t-shirt t-test k-means u-turn a-level d-day z-score b-side g-force c-section"
_COMPOUNDS = frozenset(_COMPOUNDS_LISTED.split())
#: Before who logs in with three letters and an initial: `/home/linj`, `user guol`.
_ACCOUNT = re.compile(
    r"(?:(?<![\w/])~?/(?:[\w.-]+/)*|(?<=\w/)|(?<=~/)|@|"
    r"\b(?:user(?: ?name)?|log-?in|id|slack|handle|account|badge|nick)[ ]?:?[ ]?)$"
)
#: More than what is put before or after a name, digits included.
_LONGEST_AFFIX = 24


def is_user_name(word: str, form: str, others: Collection[str] = ()) -> bool:
    """Say whether a word in small letters is a name and what is put before or after it to be somebody's own.

    `others` are the person's other names: the beginning of one, of two letters or more, may stand beside too.

    >>> [is_user_name(word, "sarr") for word in ("sarrbuilds", "thesarr", "sarrbuilds42", "sarrow")]
    [True, True, True, False]
    >>> is_user_name("rosedubo", "rose", ("dubois",))
    True
    """
    before, found, after = word.rstrip("0123456789").partition(form)
    if not found or not (before or after):
        return False
    rest = before or after
    if not (before and after) and len(rest) >= _SHORTEST_PART and any(other.startswith(rest) for other in others):
        return len(word) > _SHORTEST
    return len(form) >= _SHORTEST and (not before or before in _BEFORE) and (not after or after in _AFTER)


def in_user_name(low: str, start: int, end: int, form: str, others: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the word around a name in small letters if it is a user's name."""
    left, right = start, end
    first, last = max(0, start - _LONGEST_AFFIX), min(len(low), end + _LONGEST_AFFIX)
    while left > first and low[left - 1].isalnum():
        left -= 1
    while right < last and low[right].isalnum():
        right += 1
    word = low[left:right]
    short = len(word) == _SHORTEST and word[:-1] == form and any(other.startswith(word[-1]) for other in others)
    if short and _ACCOUNT.search(low, max(0, left - _LONGEST_AFFIX), left) is None:
        short = low[right : right + 1] in {"@", "_"}
    if (short or is_user_name(word, form, others)) and word not in ordinary_words():
        yield left, right


def with_initial(low: str, start: int, end: int, initials: Collection[str]) -> tuple[int, int] | None:
    """Return where a name in small letters and an initial that a mark joins to it stand: `o-street`, `grace.h`.

    >>> with_initial("pushed by o-street", 12, 18, {"o"}), with_initial("an x-ray", 5, 8, {"x"})
    ((10, 18), None)
    """
    before = _BEFORE_NAME.search(low, max(0, start - 3), start)
    if before is not None and before.group(1) in initials and low[before.start() : end] not in _COMPOUNDS:
        return before.start(), end
    behind = _BEHIND_NAME.match(low, end)
    if behind is not None and behind.group(1) in initials and low[start - 1 : start] not in _INSIDE:
        return start, behind.end()
    return None


_INSIDE = frozenset(".-_@")
