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
_LONGEST_LABEL = 40


def label_score(before: str) -> int:
    """Return 3 for a label that one person's name follows, 2 for one of several, -1 for one of things, else 0.

    >>> [label_score(label) for label in ("supervisor", "approved by", "phd committee", "employer", "see also")]
    [3, 2, 2, -1, 0]
    """
    words = _WORDS.findall(_LABEL_BEGINS.split(before[-_LONGEST_LABEL:])[-1])
    if not words:
        return 0
    last, sure = words[-1], AROUND_WORDS.sure
    if last in AROUND_WORDS.things:
        return -1
    if last in AROUND_WORDS.jobs_too and not AROUND_WORDS.whose.issuperset(words[:-1]):
        return 2  # `Treasury Manager:`
    named = last == "name" and any(word.removesuffix("'s") in sure for word in words)
    if last in sure or named or (last == "to" and words[0].startswith(("report", "to"))):
        return 3
    return 2 if last in AROUND_WORDS.people or is_person_noun(last) or not sure.isdisjoint(words) else 0


#: A role after a name: `, head of legal`, ` (CFO)`.
_ROLE = lazy_re(r"[ ]*(?:,|\(|[–—-](?=[ ])|\||:|;)[ ]*((?:[A-Za-z][\w'/&.-]*(?:[ ]|\b)){1,6})")
_YEARS = lazy_re(r"[^\n]{0,300}?\b(?:19|20)\d\d\b")


def dated(text: str, end: int) -> bool:
    """Say whether there are years in the rest of a line: a job's head, not a sentence."""
    return _YEARS.match(text, end) is not None


@cache
def _cues() -> dict[str, frozenset[str]]:
    return {word: frozenset(listed.split()) for word, listed in AROUND_WORDS.only_after.items()}


_HARDLY = frozenset(["of", "for", "from", "to", "our", "your", "my"])
_PHONE_OR_MAIL = lazy_re(
    r"[ ]?[,:(|;·•–-]{0,2}[ ]?(?:(?:[Tt]el\.?|[Pp]hone|[Mm]obile|[Cc]ell|[Ee]-?mail|ph)\b|"
    r"<?[\w.+-]++@|(?:(?:on|at)[ ])?\+?\(?\d[\d ().-]{5,}\d)"
)
_NEXT_WORD = lazy_re(r"[ ]([a-z]+(?:-[a-z]+)?)\b")
_FEW = 6
#: A line of this many characters is broken because it is full, not because something ends there.
FULL_LINE = 50
#: The author of a quotation follows.
_QUOTED = lazy_re(r"[.!?,\u2026](?:[\"'][ \n]{0,2}[(—–-]{0,2}|[ \n]{0,2}[—–-]{1,2})[ ]?$")
_MARKS = " \t>(\"'[<*_\n"
_BEGINNING = lazy_re(r"[.!?;][ )\"']|\n\n|\t|[ ]{3}")
#: One of these, or the end of a text, is no evidence about a name.
_CLOSED = frozenset({"", "\n", ")", "!", "?"})
_PAIR = 44


def before_score(folded: FoldedText, start: int) -> int:
    """Return the score of the words before a place: 2 a person follows, 1 perhaps, below 0 rather something else.

    >>> from evenhand.masking.folded_text import folded_text
    >>> [before_score(folded_text(text), len(text)) for text in ("thanks to ", "moved to ", "worked at ", "briefed ")]
    [2, -1, -2, 2]
    """
    left = folded.low[max(0, start - 90) : start]
    stripped = left.rstrip(_MARKS)
    gap = left[len(stripped) :]
    if "\n" in gap:
        line = folded.low.rfind("\n", 0, start)
        if line - folded.low.rfind("\n", 0, line) < FULL_LINE or "\n\n" in gap:
            return 0
    words = _BEGINNING.split(stripped)[-1].replace(",", " ,").split()
    if not words:
        return 0
    last, word = stripped[-1], words[-1].strip("(\"'")
    if last in ":-\u2013\u2014" and gap:
        if last != ":" and _QUOTED.search(left) is not None:
            return 1
        return label_score(stripped[:-1]) or int(last == ":")
    earlier = words[-_FEW:-1]
    if word == ",":  # 'My manager there, Ann Roe, gave'
        earlier = [word for word in earlier if word not in AROUND_WORDS.meanwhile]
        introduced = earlier and (is_person_noun(earlier[-1]) or earlier[-1] in AROUND_WORDS.sure)
        return 2 if introduced and not AROUND_WORDS.determiners.isdisjoint(earlier) else 0
    if word.rstrip(".") in AROUND_WORDS.person_follows:
        return 2
    if word in {"and", "&", "or"} and AROUND_WORDS.paired.search(folded.text, max(0, start - _PAIR), start) is not None:
        return 2
    return _word_score(word, earlier) if gap and last.isalnum() else 0


def _word_score(word: str, earlier: list[str]) -> int:
    cues = _cues().get(word)
    if cues is not None and earlier:
        earlier = [word.strip("(\"'") for word in earlier]
        noun = word in {"to", "for"} and is_person_noun(earlier[-1])
        related = noun or (word == "of" and earlier[-1] in AROUND_WORDS.relations)
        if related or not cues.isdisjoint(earlier):
            return 2
    if word in AROUND_WORDS.no_person_follows:
        return -2
    if word in _HARDLY:
        return -1
    if is_person_noun(word):
        return 2
    return int(cues is None and word.endswith("ed") and word not in AROUND_WORDS.no_people_verbs)


def after_score(folded: FoldedText, end: int) -> int:  # noqa: PLR0911 - one line per kind of what follows
    """Return the score of the words after a place: 2 or 3 if only people do or have it, 1 if firms do too, else less.

    >>> from evenhand.masking.folded_text import folded_text
    >>> texts = ("Ann Roe retired", "Ann Roe expanded", "Ann Roe", "Ann Roe, head of legal", "Ann Roe lamps")
    >>> [after_score(folded_text(text), 7) for text in texts]
    [2, 1, 0, 2, -2]
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
    role = _ROLE.match(folded.low, end)
    roles = role.group(1).split() if role is not None else []
    if any(is_person_noun(word) or word in AROUND_WORDS.abbreviated for word in roles) and not dated(text, end):
        return 2
    if AROUND_WORDS.after.match(text, end) is not None:
        return 1
    following = _NEXT_WORD.match(text, end)
    if following is None or following.group(1) in AROUND_WORDS.free or following.group(1).endswith(("ed", "ly")):
        return 0
    return -2
