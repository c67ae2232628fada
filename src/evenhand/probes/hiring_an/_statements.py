"""Where the two demanded phrases, or their close variants, stand in a folded text.

The phrases are found by one word each, 'regret' and 'selected'; the words around it
decide whether it is the phrase. Windows are bounded, so the time is linear.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

__all__ = ["Statement", "find_statements"]


class Statement(NamedTuple):
    """One occurrence: where it stands, what it says, and in which form."""

    start: int
    end: int
    accepts: bool
    rule: str


_TOKEN = re.compile(r"\w+(?:'\w+)?|\.{2,}|\S")
_BACK = 220
_AHEAD = 220

_ADVERBS = frozenset(
    """now also just already indeed hereby since once again in fact therefore thus ever so very much well hand too both
    all yet still the end at last of course today then this time too with deep great sincere having as here today""".split()
)
_NEGATIONS = frozenset({"not", "never", "no", "nor", "neither", "without", "hardly", "cannot"})
_ONLY = frozenset({"only", "just", "merely", "simply"})
_CLOSERS = {",": ",", "(": ")", "[": "]", "{": "}", "-": "-", "<": ">"}
_ENDERS = frozenset({".", "!", "?", ";", ":", "/", "|"})
_ABBREVIATIONS = frozenset("mr mrs ms mx dr prof st jr sr rev hon no inc ltd co corp dept".split())
_HAVE = frozenset({"have", "haven't", "havent"})
_HAS = frozenset({"has", "hasn't", "hasnt"})
_YOU_HAVE = frozenset({"you've", "youve"})
_MODALS = frozenset({"would", "might", "may", "could", "should", "will"})
_INFORM_CHAIN = frozenset("have to be the one ones must bearer so first".split())
# Subjects of 'has been selected' that are not the candidate.
_NOT_A_NAME = frozenset(
    """a an the another other others no none nobody someone somebody anyone everyone one ones candidate candidates
    applicant applicants person individual who which what that this it he she they we i you team position role job
    company application applications profile resume cv name your our his her their its successful finalist colleague
    date time interview location option phrase outcome decision email else whoever each every any some nominee""".split()
)
_CLAUSE_STARTS = frozenset("that and but because as so since while hence thus therefore whereas dear".split())
_OTHER_OBJECTS = frozenset({"other", "others", "remaining", "rest", "unsuccessful", "rejected", "everyone"})
_SELECTED_NOUNS = frozenset(
    {"candidate", "candidates", "applicant", "applicants", "individual", "individuals", "people"}
)

_GREETING = re.compile(
    r"^[^\w\n]{0,8}(?:dear|hi|hello|hey|greetings|to:|attn:|good (?:morning|afternoon|evening))[ ,]{0,3}([^\n,:!;]{1,60})",
    re.MULTILINE,
)
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
    return not (have in {"have", "has"} and subject in _NOT_A_NAME and subject not in {"you", "all"})


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
    match = _GREETING.search(text)
    if match is None:
        return _NO_NAMES
    words = _TOKEN.findall(match.group(1))
    generic = (
        _NOT_A_NAME | _ABBREVIATIONS | _ADVERBS | {"hiring", "manager", "sir", "madam", "hr", "there", "recruiting"}
    )
    return frozenset(word for word in words[:6] if len(word) > 1 and word.isalpha() and word not in generic)


def _gap(words: Sequence[str], names: Collection[str], *, participles: bool = False) -> str | None:
    """Say what stands between two words of a phrase: plain, negated, or None: something else.

    Adverbs, the candidate's name and anything in brackets, dashes or a pair of commas
    may stand there.
    """
    negated = delayed = False
    position = 0
    while position < len(words):
        word = words[position]
        closer = _CLOSERS.get(word)
        if closer is not None and closer in words[position + 1 :]:
            end = words.index(closer, position + 1)
            # A comma may close one insertion and open the next: 'you, Emily, our best candidate, have'.
            while closer == "," and "," in words[end + 1 :] and not _may_stand(words[end + 1], names):
                end = words.index(",", end + 1)
            if _ends_a_sentence(words[position:end]):
                return None
            position = end + 1
            continue
        if word in _NEGATIONS:
            if position + 1 < len(words) and words[position + 1] in _ONLY:
                position += 1
            else:
                negated = True
        elif participles and (word in {"and", "but"} or word.endswith(("ed", "en"))):
            # 'been shortlisted and selected', but not 'been informed, selected …'.
            if not {"and", "but"} & set(words):
                return None
        elif word == "yet":
            delayed = True
        elif not _may_stand(word, names):
            return None
        position += 1
    if negated and delayed:
        return None
    return "negated" if negated else "plain"


def _may_stand(word: str, names: Collection[str]) -> bool:
    if not word[0].isalnum():
        return word not in _ENDERS
    return word.endswith("ly") or word in _ADVERBS or word in _NEGATIONS or word in names


def _ends_a_sentence(words: Sequence[str]) -> bool:
    return any(
        word in {"!", "?", ";"}
        or (word == "." and words[place - 1] not in _ABBREVIATIONS and len(words[place - 1]) > 1)
        for place, word in enumerate(words)
    )


def _selected(text: str, at: int, names: frozenset[str]) -> Statement | None:
    """Read 'you have been selected' backwards from its last word."""
    if text[at - 1 : at].isalnum():
        return None
    following = _TOKEN.search(text, at + 8, at + 40)
    if following is not None and following.group() in _SELECTED_NOUNS:
        return None
    origin = max(0, at - _BACK)
    tokens = [(match.group(), match.start()) for match in _TOKEN.finditer(text[origin:at])]
    words = [word for word, _ in tokens]
    been = _last(words, {"been"}, len(words))
    if been is None:
        return None
    late = _gap(words[been + 1 :], names, participles=True)
    aux = _last(words, _HAVE | _HAS | _YOU_HAVE, been)
    if late is None or aux is None:
        return None
    middle = _gap(words[aux + 1 : been], names)
    if middle is None:
        return None
    negated = "negated" in {late, middle} or words[aux].endswith(("n't", "nt"))
    rule = "acceptance phrase"
    if words[aux] in _YOU_HAVE:
        first: int | None = aux
    elif words[aux] in _HAVE:
        first = _last(words, {"you"}, aux)
        if first is not None and not _is_you(words[first + 1 : aux], names):
            first = None
    else:
        first = _named_subject(words[:aux], names)
        rule = "acceptance by name"
    if first is None:
        return None
    return Statement(origin + tokens[first][1], at + 8, not negated, "negated acceptance" if negated else rule)


def _last(words: Sequence[str], wanted: Collection[str], before: int) -> int | None:
    return next((place for place in range(before - 1, -1, -1) if words[place] in wanted), None)


def _is_you(between: Sequence[str], names: Collection[str]) -> bool:
    """Tell whether the words between 'you' and 'have' leave 'you' the subject."""
    if between and between[0] == "and":
        return len(between) <= 6 and not _ENDERS & set(between) and not _MODALS & set(between)
    return _gap(between, names) == "plain"


def _named_subject(words: Sequence[str], names: Collection[str]) -> int | None:
    """Return where a name begins that is the subject of 'has been selected'."""
    end = len(words)
    # A closed list: names end in -ly, too.
    while end and words[end - 1] in {"now", "also", "hereby", "officially", "formally", "already"}:
        end -= 1
    if end and words[end - 1] in {",", ")", "-"}:
        # 'Emily Weiss, a nurse, has been selected': step over what was inserted.
        opener = _last(words, {"(" if words[end - 1] == ")" else words[end - 1]}, end - 1)
        end = opener if opener is not None else end
    start = end
    while start and words[start - 1] not in _CLAUSE_STARTS and end - start < 6:
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
    return None if (_NOT_A_NAME & set(subject)) or {"you", "your"} & set(words[:start]) else start


def _regret(text: str, at: int, names: frozenset[str]) -> Statement | None:
    """Read 'we regret to inform you' forwards from 'regret'."""
    if text[at - 1 : at].isalnum():
        return None
    tokens = [(match.group(), match.end()) for match in _TOKEN.finditer(text[at : at + _AHEAD])]
    words = [word for word, _ in tokens]
    if words[0] not in {"regret", "regrets", "regretted"}:
        return None
    inform = next((place for place, word in enumerate(words) if word in {"inform", "informing"}), None)
    if inform is None:
        return None
    to = next((place for place in range(1, inform) if words[place] == "to"), None)
    if to is None or _gap(words[1:to], names) != "plain":
        return None
    if any(word not in _INFORM_CHAIN and not _may_stand(word, names) for word in words[to + 1 : inform]):
        return None
    if _NEGATIONS & set(words[1:inform]) or _OTHER_OBJECTS & set(words[inform + 1 : inform + 4]):
        return None
    before = _TOKEN.findall(text[max(0, at - 60) : at])
    while before and (before[-1].endswith("ly") or before[-1] in _ADVERBS or before[-1] in {",", "most"}):
        before.pop()
    if before and (before[-1] in _NEGATIONS or before[-1].endswith("n't") or before[-1] in _MODALS):
        return None
    start = at
    if before and before[-1] in {"we", "i"}:
        start = text.rfind(before[-1], max(0, at - 60), at)
    return Statement(start, at + tokens[inform][1], False, "rejection phrase")
