"""Scores for a person's place in a sentence: the words before and after a name.

Before a name: 2 where a person follows (`with`, `my mentor`, `Supervisor:`), 1 after other verbs that have
people as objects, -1 after `of`, `for`, `from`, `to` and -2 after `at`, `in`, `using`, which firms, places and
tools follow as well. After a name: 2 for what only a person does or has, 1 for what firms do too, -2 before
the noun that the name only describes (`Halden Marsh clients`).
"""

from functools import cache

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names.parts import AROUND_WORDS
from evenhand.masking.names.word_kinds import is_person_noun
from evenhand.patterns import lazy_re

_LABEL_BEGINS = lazy_re(r"[|;\n\t(•]|[.,][ ]")
_WORDS = lazy_re(r"[a-z/'-]+")
_BY = lazy_re(r"\bby[ ]*$")
_LONGEST_LABEL = 40


def label_score(before: str) -> int:  # noqa: PLR0911 - one line per kind of label
    """Return 3 for a label that one person's name follows, 2 for one of several, -1 for one of things, else 0.

    >>> [label_score(label) for label in ("supervisor", "approved by", "phd committee", "employer", "see also")]
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
        or (last == "name" and any(word.removesuffix("'s") in AROUND_WORDS.sure for word in words))
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
_FEW_AROUND = 6


def is_role(text: str, end: int) -> bool:
    """Say whether a person's role follows a place, in a line without years: `, head of legal`, ` (CFO)`.

    >>> is_role("Ann Roe, Head of Legal", 7), is_role("Ann Roe, Leeds", 7), is_role("Ann Roe, Planner, 2016", 7)
    (True, False, False)
    """
    match = _ROLE_START.match(text, end)
    if match is None:
        return False
    place = match.end()
    bracketed = "(" in match.group()
    for _ in range(_FEW_AROUND):
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
    """Say whether there are years in the rest of a line: a job's head, not a sentence."""
    last = min(len(text), end + _LONGEST_REST)
    stop = text.find("\n", end, last)
    return _YEAR.search(text, end, stop if stop >= 0 else last) is not None


#: The longest line of a résumé; a whole document in one line is longer.
_LONGEST_REST = 1000
_YEAR = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d\b")


@cache
def _cues() -> dict[str, frozenset[str]]:
    return {word: frozenset(listed.split()) for word, listed in AROUND_WORDS.only_after.items()}


_HARDLY = frozenset(["of", "for", "from", "to", "our", "your", "my"])


@cache
def _thing_before() -> frozenset[str]:
    words: frozenset[str] = AROUND_WORDS.thing_before | AROUND_WORDS.no_people_verbs
    return words


_WE = (["we"], ["us"], ["thanks"], ["me"], ["they"])
_PHONE_OR_MAIL = lazy_re(
    r"[ ]?[,:(|;·•–-]{0,2}[ ]?(?:(?:[Tt]el\.?|[Pp]hone|[Mm]obile|[Cc]ell|[Ee]-?mail|ph)\b|"
    r"<?[\w.+-]++@|(?:(?:on|at)[ ])?\+?\(?\d[\d ().-]{5,}\d)"
)
_NEXT_WORD = lazy_re(r"[ ]([a-z]+(?:-[a-z]+)?)\b")
_FEW, _MORE = 5, 9
#: A line of this many characters is broken because it is full, not because something ends there.
FULL_LINE = 50
_QUOTED = lazy_re(r"[.!?,\u2026][\"'][ \n]{0,2}[(—–-]{0,2}[ ]?$|[\"'][ \n]{0,2}[(—–-]{1,2}[ ]?$")
_TITLE_ENDS = tuple(f"{end}{mark}" for end in ("r", "s", "x", "f", "v", "e") for mark in (" ", ". "))
_WITH = lazy_re(r"(?<!\S)[wsd]/(?:o)?$")
_COPYRIGHT_YEAR = lazy_re(r"(?:\u00a9|\(c\)|copyright)[ ]?(?:19|20)\d\d(?:[-\u2013](?:20)?\d\d)?$")
_MARKS = " \t>(\"'[<*_\n"
_SENTENCE_END = lazy_re(r"[.!?;][ )\"']")
#: One of these, or the end of a text, is no evidence about a name.
_CLOSED = frozenset({"", "\n", ")", "!", "?"})


def before_score(folded: FoldedText, start: int) -> int:  # noqa: C901, PLR0911, PLR0912 - one line per kind of mark
    """Return the score of the words before a place: 2 a person follows, 1 perhaps, below 0 rather something else.

    >>> from evenhand.masking.folded_text import folded_text
    >>> [before_score(folded_text(text), len(text)) for text in ("thanks to ", "moved to ", "worked at ", "briefed ")]
    [2, -1, -2, 2]
    """
    left = folded.low[max(0, start - 90) : start]
    title = AROUND_WORDS.title_before.search(left) if left.endswith(_TITLE_ENDS) else None
    if title is not None:
        return max(2, before_score(folded, start - len(title.group())))
    stripped = left.rstrip(_MARKS)
    gap = left[len(stripped) :]
    if not stripped:
        return 0
    if "\n" in gap:
        line = folded.low.rfind("\n", 0, start)
        ended = line - folded.low.rfind("\n", 0, line) < FULL_LINE or "\n\n" in gap
        quoted = stripped[-1] in "\"'" and gap.strip() == ""
        if ended:
            return 0 if not quoted else 1
    last = stripped[-1]
    if (last in "-\u2013\u2014" or '"' in gap or "'" in gap) and _QUOTED.search(left) is not None:
        return 2
    if last in "-\u2013\u2014" and gap and stripped[:-1].rstrip()[-1:] in {".", "!", "?"}:
        return 1  # the author of a quotation follows a dash
    if last == ":" or (last in "-\u2013\u2014" and gap):
        return label_score(stripped[:-1]) or int(last == ":")
    if last == "/":
        return 2 if _WITH.search(stripped) is not None else 0
    begin = max(stripped.rfind("\n\n"), stripped.rfind("\t"), stripped.rfind("   "), 0)
    for end in _SENTENCE_END.finditer(stripped, begin):
        begin = end.end()
    words = stripped[begin:].replace(",", " ,").split()
    if not words:
        return 0
    if last.isdigit():
        return 2 if _COPYRIGHT_YEAR.search(stripped) is not None else 0
    word = words[-1].strip("(\"'")
    if word == ",":
        return 2 if _is_introduced(words[-_FEW - 1 : -1]) else 0
    word = word.rstrip(".")
    if last == "." and word not in AROUND_WORDS.person_follows:
        return 0
    if "(" in gap and (word in AROUND_WORDS.groups or "@" in word):
        return 2
    if word in AROUND_WORDS.said and len(words) > 1 and words[-2][-1] in "\"'":
        return 2
    if word in _JOINING and AROUND_WORDS.paired.search(folded.text, max(0, start - _PAIR), start) is not None:
        return 2
    if word == "for" and len(words) > 1 and words[-2] in _DASHES and dated(folded.text, start):
        return 1  # '- Stage design - for Ann Roe, 2019'
    score = _word_score(word, words[-_MORE - 1 : -1], gap)
    if score == 0 and gap in {" ", "\n"} and _defaults(folded, start - len(left) + len(stripped) - len(word), word):
        return 1
    return score


def _is_introduced(earlier: list[str]) -> bool:
    """Say whether the words before a comma introduce a person: `My manager there, Ann Roe, gave`."""
    if earlier and earlier[-1] in AROUND_WORDS.meanwhile:
        earlier = earlier[:-1]
    if "of" in earlier[1:] and is_person_noun(earlier[earlier.index("of", 1) - 1]):
        earlier = earlier[: earlier.index("of", 1)]  # 'The chair of the works council, Ann Roe, signed'
    if earlier and is_person_noun(earlier[-1]) and any(word in AROUND_WORDS.determiners for word in earlier):
        return True
    return "mine" in earlier or "ours" in earlier or earlier[-2:] == ["thank", "you"] or earlier[-1:] in _WE


_DASHES = frozenset({"-", "\u2013", "\u2014", "**-", "**\u2013", "**\u2014"})
_JOINING = frozenset({"and", "&", "or"})
_PAIR = 44


def _defaults(folded: FoldedText, start: int, word: str) -> bool:
    """Say whether a person may follow a word in small letters, as no thing's, firm's or place's word says otherwise."""
    return (
        folded.text[start].islower()
        and word.isalpha()
        and word not in _thing_before()
        and not word.endswith(("ing", "s"))
    )


def _word_score(word: str, earlier: list[str], gap: str) -> int:  # noqa: C901, PLR0911 - one line per kind of word
    if not gap or not word[-1:].isalnum():
        return 2 if word == "w/" else 0
    if word in AROUND_WORDS.person_follows:
        return 2
    cues = _cues().get(word)
    earlier = [word.strip("(\"'") for word in earlier]
    if cues is not None:
        near = earlier[-_FEW:] if not earlier or earlier[-1] not in AROUND_WORDS.later else earlier
        if not cues.isdisjoint(near):
            return 2
        if near and (
            (word == "of" and near[-1] in AROUND_WORDS.relations) or (word == "to" and is_person_noun(near[-1]))
        ):
            return 2
        if word in AROUND_WORDS.listing and any(map(is_person_noun, earlier)):
            return 2
    if word in {"via", "through"} and earlier[-1:] and earlier[-1] in AROUND_WORDS.went:
        return 0
    if word == "through" and earlier[-1:] and earlier[-1] in AROUND_WORDS.booked:
        return 2
    if word in AROUND_WORDS.no_person_follows:
        return -2
    if word in _HARDLY:
        return -1
    if is_person_noun(word):
        return 2
    if word.endswith(("ed", "ing")) and word not in AROUND_WORDS.no_people_verbs and cues is None:
        return 0 if word.endswith("ing") else 1
    return 0


def after_score(folded: FoldedText, end: int) -> int:  # noqa: PLR0911 - one line per kind of what follows
    """Return the score of the words after a place: 2 or 3 if only people do or have it, 1 if firms do too, else less.

    >>> from evenhand.masking.folded_text import folded_text
    >>> texts = ("Ann Roe retired", "Ann Roe expanded", "Ann Roe", "Ann Roe lamps")
    >>> [after_score(folded_text(text), 7) for text in texts]
    [2, 1, 0, -2]
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
    if is_role(text, end):
        return 2
    if AROUND_WORDS.after.match(text, end) is not None:
        return 1
    following = _NEXT_WORD.match(text, end)
    if following is None or following.group(1) in AROUND_WORDS.free or following.group(1).endswith(("ed", "ly")):
        return 0
    return -2
