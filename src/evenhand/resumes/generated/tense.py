"""A task of O*NET, which is an imperative, as it stands in an advertisement and in a résumé."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from evenhand.patterns import lazy_re

__all__ = ["doubtful", "past", "present"]

#: After one of these a verb belongs to what it introduces and keeps its form.
_INTRODUCES = frozenset(("can", "how", "if", "should", "that", "what", "when", "where", "which", "who"))
_OR = lazy_re(r"\bor\b")


@dataclass(frozen=True, kw_only=True)
class _Verb:
    """The past of a verb, and whether the word is a noun as well."""

    past: str
    noun: bool


@cache
def _verbs() -> Mapping[str, _Verb]:
    file = resources.files("evenhand.resumes.generated") / "verbs.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {row["verb"]: _Verb(past=row["past"], noun=row["also_noun"] == "yes") for row in rows}


@cache
def present(task: str) -> str:
    """Return a task as an advertisement tells it: what O*NET offers as a choice belongs together.

    >>> present("Direct or coordinate activities.")
    'Direct and coordinate activities'
    """
    return _OR.sub("and", task.removesuffix("."))


@cache
def past(task: str) -> str:
    """Return a task as a résumé tells it: the verbs at its start, and those that go on from them, in the past.

    >>> past("Sort, count, or wrap coins to prepare deposits.")
    'Sorted, counted, and wrapped coins to prepare deposits'
    """
    words = present(task).split(" ")
    forms = _forms(words)
    told = " ".join(forms.get(place, word) for place, word in enumerate(words))
    return told[0].upper() + told[1:]


def doubtful(task: str) -> tuple[str, ...]:
    """Return the words of a task that may be verbs whose form `past` keeps, for whoever chooses tasks.

    >>> doubtful("Clean counters, and record sales.")
    ('record',)
    """
    words = present(task).split(" ")
    forms, known = _forms(words), _verbs()
    starts = [place for place in range(1, len(words)) if _may_go_on(words, place)]
    return tuple(
        words[place].rstrip(",") for place in starts if words[place].rstrip(",") in known and place not in forms
    )


def _forms(words: list[str]) -> dict[int, str]:
    """Return what stands instead of the words at some places."""
    known = _verbs()
    forms: dict[int, str] = {}
    leading, introduced = True, False
    for place, word in enumerate(words):
        core = word.rstrip(",")
        verb = known.get(core.lower() if place == 0 else core)
        introduced = introduced or core in _INTRODUCES or _is_infinitive(words, place)
        goes_on = place == 0 or _may_go_on(words, place)
        if verb is not None and goes_on and (leading or not (introduced or verb.noun)):
            forms[place] = verb.past + word[len(core) :]
        elif core not in {"and", "then"} and not core.endswith("ly"):
            leading = False
    return forms


def _is_infinitive(words: list[str], place: int) -> bool:
    """Return whether a place holds the 'to' of a verb, with an adverb between or without."""
    after = [word for word in words[place + 1 : place + 3] if not word.endswith("ly")]
    return words[place] == "to" and bool(after) and after[0].rstrip(",") in _verbs()


def _may_go_on(words: list[str], place: int) -> bool:
    """Return whether a clause can begin at a place: behind a comma or 'and', with an adverb between or without."""
    before = words[place - 1]
    if before.endswith("ly") and place > 1:
        before = words[place - 2]
    return before == "and" or before.endswith(",")
