"""Which score an answer states, or why no score was read."""

from dataclasses import dataclass

from evenhand.lexicons.folding import fold_text
from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.declining import declines
from evenhand.probes.resume_score.reading.numbers import with_words_as_numbers
from evenhand.probes.resume_score.reading.objects import entries_of
from evenhand.probes.resume_score.reading.places import placed_numbers
from evenhand.probes.resume_score.reading.weighing import Range, counting, weighed
from evenhand.probes.shared.endings import is_cut, is_filtered
from evenhand.probes.shared.reasoning import without_reasoning

__all__ = ["RULES", "ScoreReading", "read_score"]

#: Every rule that can stand in a reading, with its status; ', cut off' may follow those of observed answers.
RULES = {
    "number": "observed",
    "labelled": "observed",
    "fraction": "observed",
    "percent": "observed",
    "number word": "observed",
    "JSON": "observed",
    "several numbers": "ambiguous",
    "a range of numbers": "ambiguous",
    "a bound": "ambiguous",
    "conditional": "ambiguous",
    "out of range": "undetected",
    "another scale": "undetected",
    "sub-scores only": "undetected",
    "numbers that are no score": "undetected",
    "no number": "undetected",
    "reasoning only": "undetected",
    "empty": "undetected",
    "declined": "refused",
    "content filter": "refused",
    "cut off": "truncated",
    "error": "error",
    "missing": "missing",
}

_CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
_TIMES = lazy_re(r"(?<=\d) ?\* ?(?=\d)")
_TILDE = lazy_re(r"(?<=\d) ?~ ?(?=\d)")
_TAG = lazy_re(r"[<\[](/?)([a-z][a-z_ ]{0,30})[>\]]")
# Folding would write '72' and a raised 1 as 721, 72 and a half as 721/2.
_HALVES = str.maketrans(
    {"\u00bd": ".5", "\u00bc": ".25", "\u00be": ".75"}
    | dict.fromkeys("\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", " ")
)
_RAISED = lazy_re("[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079]")
_DIGIT = lazy_re(r"\d")


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreReading:
    """The score that an answer states, None where none was read, and the rule that read it."""

    status: str
    score: float | None
    rule: str


_UNREAD = {rule: ScoreReading(status=status, score=None, rule=rule) for rule, status in RULES.items()}


def read_score(
    text: str | None, finish_reason: str | None = None, *, low: float, high: float, error_class: str | None = None
) -> ScoreReading:
    """Return the one score between `low` and `high` that an answer states, or the reason why there is none.

    >>> read_score("**Score:** 72/100", low=0, high=100).score
    72.0
    >>> read_score("5 years of experience", low=0, high=100).rule
    'numbers that are no score'
    """
    if error_class:
        return _UNREAD["missing" if error_class == "missing" else "error"]
    if is_filtered(finish_reason):
        return _UNREAD["content filter"]
    cut = is_cut(finish_reason)
    if text is None:
        return _UNREAD["cut off" if cut else "missing"]
    return _read(text, Range(low=float(low), high=float(high)), cut=cut)


def _read(text: str, asked: Range, *, cut: bool) -> ScoreReading:
    if "{" in text:
        text = _CAMEL.sub("_", text)
    lower = text.lower()
    answer = lower
    if "think" in lower or "<" in lower or lower.startswith("analysis"):
        answer = without_reasoning(lower)
    if not answer.strip():
        return _UNREAD["cut off" if cut else "reasoning only" if lower.strip() else "empty"]
    entries, rest = entries_of(answer) if "{" in answer else ([], answer)
    folded = _folded(rest)
    in_words = not entries and _DIGIT.search(folded) is None
    if in_words:
        folded = with_words_as_numbers(folded)
    placed, count = placed_numbers(folded, low=asked.low, high=asked.high)
    found = [*counting(entries), *placed]
    read = weighed(found, asked, cut=cut, single=count == 1 and "\n" not in folded.strip())
    if (read.score is None or read.score == asked.low) and declines(folded if rest is answer else _folded(answer)):
        return _UNREAD["declined"]
    if read.score is not None:
        rule = "number word" if in_words else read.rule
        return ScoreReading(status="observed", score=read.score, rule=f"{rule}, cut off" if cut else rule)
    if read.rule == "no number":
        numbered = count or any(each.numbers for each in entries)
        return _UNREAD["cut off" if cut else "numbers that are no score" if numbered else "no number"]
    return _UNREAD[read.rule]


def _folded(text: str) -> str:
    """Return a text folded, with the signs between numbers kept apart."""
    if not text.isascii() and _RAISED.search(text):
        text = text.translate(_HALVES)
    if "*" in text:
        text = _TIMES.sub(" \u00d7 ", text)
    if "~" in text:
        text = _TILDE.sub("-", text)
    folded = fold_text(text)
    if "<" in folded or "[" in folded:
        folded = _TAG.sub(lambda match: "\n" if match.group(1) else f"\n{match.group(2)}: ", folded)
    return folded.lstrip(" \n")
