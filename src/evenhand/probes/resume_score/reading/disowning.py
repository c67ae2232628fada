"""Whether the words beside a number take it back: it is denied, supposed, or that of somebody else."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.numbers import SCORE_WORDS

__all__ = ["is_disowned", "is_of_others"]

_TOKEN = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?|[.!?;](?= |$)|[,:]")


def is_disowned(before: str, behind: str) -> bool:
    """Return whether the words before and behind a number of a folded text take it back, or deny it.

    >>> is_disowned("i would not give her a ", "."), is_disowned("", " is too high"), is_disowned("i give her a ", ".")
    (True, True, False)
    """
    if SCORE_WORDS.taken_back.match(behind):
        return True
    return _is_denied(_clause(before))


def is_of_others(before: str) -> bool:
    """Return whether the clause before a number is about somebody else, but for one who is only compared with.

    >>> is_of_others("the average candidate scores "), is_of_others("she is better than the average candidate: ")
    (True, False)
    """
    clause = _clause(before)
    comparing: frozenset[str] = SCORE_WORDS.comparing
    for place in range(len(clause) - 1):
        if clause[place] in SCORE_WORDS.others and clause[place + 1].removesuffix("'s") in SCORE_WORDS.persons:
            return comparing.isdisjoint(clause[max(0, place - 2) : place])
    return False


def _clause(before: str) -> list[str]:
    """Return the words before a number, as far back as the clause goes."""
    words: list[str] = []
    breaks = SCORE_WORDS.breaks
    for token in reversed(_TOKEN.findall(before.rstrip(" :"))):
        if token in breaks or not token[0].isalpha():
            break
        words.insert(0, token)
    return words


def _is_denied(clause: Sequence[str]) -> bool:
    """Return whether the last verb that gives a score is denied, or was only meant: 'was going to say'."""
    if clause and _denies(clause[-1]):
        return True
    thinking, giving = SCORE_WORDS.thinking, SCORE_WORDS.giving
    for place in range(len(clause) - 1, 0, -1):
        if clause[place] in thinking and _denies(clause[place - 1]):
            return True
        if clause[place] in giving:
            last, earlier = clause[place - 1], clause[place - 2 : place - 1]
            if _denies(last) or (last not in SCORE_WORDS.turns and any(_denies(each) for each in earlier)):
                return True
            if last == "to" and clause[max(0, place - 3)] in {"was", "were"}:
                return True
    return False


def _denies(word: str) -> bool:
    return word.endswith("n't") or word in SCORE_WORDS.denials
