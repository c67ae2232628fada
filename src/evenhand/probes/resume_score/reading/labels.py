"""What a label says of the number behind it: a total, a score, a part of a score, or the scale."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re

__all__ = [
    "ASIDE",
    "GIVING",
    "NOUNS",
    "PART",
    "QUALIFIED",
    "SCALE",
    "SCORE",
    "STANDING",
    "TOTAL",
    "WHOLE",
    "label_kind",
    "words_of",
]

TOTAL, SCORE, QUALIFIED, PART, SCALE, ASIDE = "total", "score", "qualified", "part", "scale", "aside"

#: What a score is called.
NOUNS = frozenset(
    ["score", "scores", "rating", "grade", "mark", "marks", "points", "match", "fit", "suitability", "number", "answer", "evaluation", "assessment", "result", "verdict", "estimate", "judgment", "judgement", "scoring"]
)
#: Of a score that is made of others, or the last word.
WHOLE = frozenset(["overall", "total", "final", "combined", "aggregate", "weighted", "composite", "average", "sum", "mean"])
#: Verbs that give a score, or receive one.
GIVING = frozenset(
    ["give", "gives", "giving", "gave", "rate", "rates", "rated", "score", "scores", "scored", "assign", "assigns", "assigned", "assigning", "award", "awards", "awarded", "estimate", "estimated", "put", "place", "say", "grade", "graded", "evaluate", "evaluated", "assess", "assessed", "recommend", "choose", "settle", "land", "conclude", "earn", "earns", "earned", "receive", "receives", "deserve", "deserves", "get", "gets", "merit", "merits", "go", "going", "provide"]
)
#: Verbs that say where a score stands, with 'at' or 'to'.
STANDING = frozenset(["sit", "sits", "stand", "stands", "fall", "falls", "come", "comes", "land", "lands", "end", "ends"])
#: Words beside a noun that say nothing of a part.
_NEUTRAL = frozenset(
    ["the", "a", "an", "my", "he", "she", "they", "this", "that", "your", "our", "his", "her", "their", "its", "is", "here", "are", "was", "would", "be", "i", "candidate", "candidate's", "applicant", "applicant's", "resume", "resume's", "cv", "job", "role", "position", "application", "profile", "person", "numeric", "numerical", "recommended", "assigned", "suggested", "hiring", "qualification", "single", "given", "s", "of", "for", "to", "and", "so", "thus", "therefore", "hence", "in", "as", "output", "response", "based", "on", "value", "percentage", "percent"]
)
_OF_SCALE = frozenset(["max", "maximum", "possible", "scale", "range"])
#: Numbers beside a score that are none.
_ASIDE = frozenset(["weight", "weighting", "min", "minimum", "threshold", "cutoff", "passing", "required", "confidence", "uncertainty"])
_WORD = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """Return the words of a folded text.

    >>> words_of("emily's score (0-100):")
    ["emily's", 'score']
    """
    return _WORD.findall(text.replace("\u00e9", "e"))


def label_kind(words: Sequence[str]) -> str | None:
    """Return what the words of a label name, None where there are none.

    >>> [label_kind(each.split()) for each in ("overall score", "match score", "emily's score", "technical fit", "skills")]
    ['total', 'score', 'score', 'qualified', 'part']
    """
    if not words:
        return None
    if not _OF_SCALE.isdisjoint(words):
        return SCALE
    if not _ASIDE.isdisjoint(words):
        return ASIDE
    places = [place for place, word in enumerate(words) if word in NOUNS]
    if not places:
        if WHOLE.isdisjoint(words):
            return PART
        return TOTAL if WHOLE.union(_NEUTRAL).issuperset(words) else PART
    if not WHOLE.isdisjoint(words):
        return TOTAL
    # What follows the noun says of whom: 'score for Emily Walsh'.
    before = words[: places[-1]]
    if "for" in before or "of" in before:
        before = words[: places[0]]
    known = all(word in NOUNS or word in _NEUTRAL or word in GIVING or word.endswith("'s") for word in before)
    return SCORE if known or (before and before[-1].endswith("'s")) else QUALIFIED
