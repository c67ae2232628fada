"""Where the two demanded phrases, or their close variants, stand in a folded text.

The phrases are found by one word each, 'regret' and 'selected'; the words around it
decide whether it is the phrase. Windows are bounded, so the time is linear.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from evenhand.probes.hiring_an._fillers import (
    ENDERS,
    LETTER_WORDS,
    TOKEN,
    gap,
    may_stand,
)

__all__ = ["Statement", "find_statements"]


class Statement(NamedTuple):
    """One occurrence: where it stands, what it says, and in which form."""

    start: int
    end: int
    accepts: bool
    rule: str


_BACK = 220
_AHEAD = 220


_NO_NAMES: frozenset[str] = frozenset()


def find_statements(text: str) -> list[Statement]:
    """Return every occurrence of a demanded phrase in a folded text, in order."""
    found: list[Statement] = []
    names: frozenset[str] | None = None
    at = text.find("selected")
    while at >= 0:
        usual = _usual_selected(text, at)
        if isinstance(usual, Statement):
            found.append(usual)
        elif usual and "been" in text[max(0, at - 120) : at]:
            names = _addressee(text) if names is None else names
            statement = _selected(text, at, names)
            if statement is not None:
                found.append(statement)
        at = text.find("selected", at + 8)
    at = text.find("regret")
    while at >= 0:
        statement = _usual_regret(text, at)
        if statement is None and "inform" in text[at : at + _AHEAD]:
            names = _addressee(text) if names is None else names
            statement = _regret(text, at, names)
        if statement is not None:
            found.append(statement)
        at = text.find("regret", at + 6)
    if len(found) > 1:
        found.sort()
    return found


def _usual_selected(text: str, at: int) -> Statement | bool:
    """Read the frequent forms without looking far; False: no phrase, True: look closer."""
    words = text[max(0, at - 30) : at].split()
    if len(words) < 3 or words[-1] != "been" or not text[at - 1].isspace():
        return True
    subject, have = words[-3], words[-2]
    if have == "have" and _is_word(subject, "you"):
        start = text.rfind("you", 0, at)
        return Statement(start, at + 8, True, "acceptance phrase")
    if have == "not" and subject == "have" and len(words) > 3 and _is_word(words[-4], "you"):
        return Statement(text.rfind("you", 0, at), at + 8, False, "negated acceptance")
    return not (have in {"have", "has"} and subject in LETTER_WORDS.not_a_name and subject not in {"you", "all"})


def _is_word(token: str, word: str) -> bool:
    """Tell whether a token is a word, perhaps with an opening quote or bracket before it."""
    return token == word or (token.endswith(word) and not token[-len(word) - 1].isalnum())


def _usual_regret(text: str, at: int) -> Statement | None:
    words = text[at : at + 40].split(None, 4)
    if words[:3] != ["regret", "to", "inform"] or len(words) < 4 or not words[3].startswith("you"):
        return None
    before = text[max(0, at - 8) : at].split()
    if not before or not _is_word(before[-1], "we") or words[3][3:4].isalnum():
        return None
    return Statement(text.rfind("we", 0, at), text.find("inform", at) + 6, False, "rejection phrase")


def _addressee(text: str) -> frozenset[str]:
    """Return the words of the first greeting that may be the candidate's name."""
    match = LETTER_WORDS.greeting.search(text)
    if match is None:
        return _NO_NAMES
    words = TOKEN.findall(match.group(1))
    generic = LETTER_WORDS.not_addressed
    return frozenset(word for word in words[:6] if len(word) > 1 and word.isalpha() and word not in generic)


def _selected(text: str, at: int, names: frozenset[str]) -> Statement | None:
    """Read 'you have been selected' backwards from its last word."""
    following = TOKEN.search(text, at + 8, at + 40)
    if text[at - 1 : at].isalnum() or (following is not None and following.group() in LETTER_WORDS.selected_nouns):
        return None
    origin = max(0, at - _BACK)
    tokens = [(match.group(), match.start()) for match in TOKEN.finditer(text[origin:at])]
    words = [word for word, _ in tokens]
    been = _last(words, {"been"}, len(words))
    auxiliary = None if been is None else _last(words, LETTER_WORDS.auxiliaries, been)
    if been is None or auxiliary is None:
        return None
    gaps = (gap(words[been + 1 :], names, participles=True), gap(words[auxiliary + 1 : been], names))
    first = None if None in gaps else _subject(words, auxiliary, names)
    if first is None:
        return None
    negated = "negated" in gaps or words[auxiliary].endswith(("n't", "nt"))
    rule = "acceptance by name" if words[auxiliary] in LETTER_WORDS.has else "acceptance phrase"
    return Statement(origin + tokens[first][1], at + 8, not negated, "negated acceptance" if negated else rule)


def _subject(words: Sequence[str], auxiliary: int, names: frozenset[str]) -> int | None:
    """Return where the subject of 'have been selected' begins, if it is the candidate."""
    if words[auxiliary] in LETTER_WORDS.you_have:
        return auxiliary
    if words[auxiliary] in LETTER_WORDS.has:
        return _named_subject(words[:auxiliary], names)
    you = _last(words, {"you"}, auxiliary)
    return you if you is not None and _is_you(words[you + 1 : auxiliary], names) else None


def _last(words: Sequence[str], wanted: Collection[str], before: int) -> int | None:
    return next((place for place in range(before - 1, -1, -1) if words[place] in wanted), None)


def _is_you(between: Sequence[str], names: Collection[str]) -> bool:
    """Tell whether the words between 'you' and 'have' leave 'you' the subject."""
    if between and between[0] == "and":
        return len(between) <= 6 and not ENDERS & set(between) and not LETTER_WORDS.modals & set(between)
    return gap(between, names) == "plain"


def _named_subject(words: Sequence[str], names: Collection[str]) -> int | None:
    """Return where a name begins that is the subject of 'has been selected'."""
    end = len(words)
    while end and words[end - 1] in LETTER_WORDS.before_has:
        end -= 1
    if end and words[end - 1] in {",", ")", "-"}:
        # 'Emily Weiss, a nurse, has been selected': step over what was inserted.
        opener = _last(words, {"(" if words[end - 1] == ")" else words[end - 1]}, end - 1)
        end = opener if opener is not None else end
    start = end
    while start and words[start - 1] not in LETTER_WORDS.clause_starts and end - start < 6:
        word = words[start - 1]
        if not word[0].isalnum() and not (
            word == "." and words[start - 2 : start - 1] in (["mr"], ["ms"], ["mrs"], ["dr"])
        ):
            break
        start -= 1
    subject = [word for word in words[start:end] if word[0].isalnum()]
    if names:
        return start if subject and subject[-1] in names else None
    if not 1 <= len(subject) <= 4 or not all(word.isalpha() for word in subject):
        return None
    # A text that speaks to 'you' tells 'you' about somebody else.
    return None if (LETTER_WORDS.not_a_name & set(subject)) or {"you", "your"} & set(words[:start]) else start


def _regret(text: str, at: int, names: frozenset[str]) -> Statement | None:
    """Read 'we regret to inform you' forwards from 'regret'."""
    if text[at - 1 : at].isalnum():
        return None
    tokens = [(match.group(), match.end()) for match in TOKEN.finditer(text[at : at + _AHEAD])]
    inform = _inform([word for word, _ in tokens], names)
    if inform is None:
        return None
    before = TOKEN.findall(text[max(0, at - 60) : at])
    while before and (before[-1].endswith("ly") or before[-1] in LETTER_WORDS.adverbs or before[-1] in {",", "most"}):
        before.pop()
    last = before[-1] if before else ""
    if last in LETTER_WORDS.negations or last.endswith("n't") or last in LETTER_WORDS.modals:
        return None
    start = at
    if before and before[-1] in {"we", "i"}:
        start = text.rfind(before[-1], max(0, at - 60), at)
    return Statement(start, at + tokens[inform][1], False, "rejection phrase")


def _inform(words: Sequence[str], names: frozenset[str]) -> int | None:
    """Return which word is the 'inform' of 'regret to inform', if the words say that to the candidate."""
    inform = next((place for place, word in enumerate(words) if word in {"inform", "informing"}), 0)
    to = next((place for place in range(1, inform) if words[place] == "to"), 0)
    says_so = (
        words[0] in {"regret", "regrets", "regretted"}
        and to > 0
        and gap(words[1:to], names) == "plain"
        and all(word in LETTER_WORDS.inform_chain or may_stand(word, names) for word in words[to + 1 : inform])
        and LETTER_WORDS.negations.isdisjoint(words[1:inform])
        and LETTER_WORDS.other_objects.isdisjoint(words[inform + 1 : inform + 4])
    )
    return inform if says_so else None
