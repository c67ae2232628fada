"""What stands around names of other people: labels before them, roles and words of organisations after them."""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import is_person_noun
from evenhand.word_tables import WordTable

__all__ = ["AROUND_WORDS", "dated", "is_role", "label_score"]

AROUND_WORDS = WordTable("evenhand.resumes.names", "around.toml")

_LABEL_BEGINS = lazy_re(r"[|;\n\t(•]|[.,][ ]")
_WORDS = lazy_re(r"[a-z/'-]+")
_BY = lazy_re(r"\bby[ ]*$")
_LONGEST_LABEL = 40


def label_score(before: str) -> int:  # noqa: PLR0911 - one line per kind of label
    """Return 3 for a label that one person's name follows, 2 for one of several, -1 for one of things, else 0.

    >>> [label_score(each) for each in ("supervisor", "approved by", "phd committee", "employer", "see also")]
    [3, 2, 2, -1, 0]
    """
    label = _LABEL_BEGINS.split(before[-_LONGEST_LABEL:])[-1]
    words = _WORDS.findall(label)
    if not words or len(words) > 5:
        return 0
    last = words[-1]
    if last in AROUND_WORDS.things:
        return -1
    if last in AROUND_WORDS.jobs_too and not set(words[:-1]) <= AROUND_WORDS.whose:
        return 2  # `Treasury Manager:`
    if (
        last in AROUND_WORDS.sure
        or (last == "name" and any(each.removesuffix("'s") in AROUND_WORDS.sure for each in words))
        or words[:2] == ["reports", "to"]
    ):
        return 3
    if last in AROUND_WORDS.people or is_person_noun(last) or ("by" in last and _BY.search(label) is not None):
        return 2
    if last == "to" and words[0] in {"reports", "reporting", "report", "reported", "to"}:
        return 3
    return 0 if AROUND_WORDS.sure.isdisjoint(words) else 2


_ROLE_START = lazy_re(r"[ ]*(?:,|\(|[–—-](?=[ ])|\||:|;)[ ]*(?=[A-Za-z])")
_ROLE_WORD = lazy_re(r"[A-Za-z][\w'/&.-]*")
_FEW = 6


def is_role(text: str, end: int) -> bool:
    """Say whether a person's role follows a place, in a line that tells no years: `, head of legal`, ` (CFO)`.

    >>> is_role("Ann Roe, Head of Legal", 7), is_role("Ann Roe, Leeds", 7), is_role("Ann Roe, Planner, 2016", 7)
    (True, False, False)
    """
    match = _ROLE_START.match(text, end)
    if match is None:
        return False
    place = match.end()
    bracketed = "(" in match.group()
    for _ in range(_FEW):
        word = _ROLE_WORD.match(text, place)
        if word is None:
            return False
        low = word.group().lower().strip(".'")
        if low in AROUND_WORDS.abbreviated or is_person_noun(low):
            return bracketed or not dated(text, end)
        place = word.end()
        if text[place : place + 1] != " ":
            return False
        place += 1
    return False


def dated(text: str, end: int) -> bool:
    """Say whether years stand in the rest of a line: a job's head, not a sentence."""
    last = min(len(text), end + _LONGEST_REST)
    stop = text.find("\n", end, last)
    return _YEAR.search(text, end, stop if stop >= 0 else last) is not None


#: No line of a résumé goes on for longer; a whole document in one line does.
_LONGEST_REST = 1000
_YEAR = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d\b")
