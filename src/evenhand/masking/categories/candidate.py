"""Whether a sentence is about the candidate or about others, such as pupils, patients and clients.

A word that has other meanings as well (`minister`, `remission`, `rainbow`) counts only with a sign of the
candidate: the first person, a label of a form, membership, an award, a scholarship, service as a volunteer.
"""

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.rules import pattern
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

CANDIDATE_WORDS = WordTable("evenhand.masking.categories", "candidate.toml", compiled=pattern)

#: A separate fact: a whole item, or one before a year, a mark or a bracket.
_BEGINS = lazy_re(r"(?:^|\n|[\u2022\u25aa\u00b7*|>;] |- )[ \t]*(?:(?:\w+[ -]generation|proud|former) )?\Z")
_NEAR = 100


def is_candidates(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether the words at these places describe the candidate, or a body the candidate belongs to.

    >>> from evenhand.masking.folded_text import folded_text
    >>> texts = "I am a refugee.", "Immigration status: refugee", "Wrote a refugee policy."
    >>> [is_candidates(folded_text(text), place, place) for text, place in zip(texts, (3, 2, 2))]
    [True, True, False]
    """
    start, end = folded.words[first][1], folded.words[last][2]
    if CANDIDATE_WORDS.label.search(folded.low, max(0, start - _NEAR), start) is not None:
        return True
    if (
        CANDIDATE_WORDS.ends.match(folded.low, end) is not None
        and _BEGINS.search(folded.low[max(0, start - _NEAR) : start]) is not None
    ):
        return True
    sentence = _sentence_around(folded, start, end)
    if CANDIDATE_WORDS.candidate_voice.search(sentence) is not None:
        return True
    return CANDIDATE_WORDS.own.search(sentence) is not None and CANDIDATE_WORDS.others.search(sentence) is None


def is_about_others(folded: FoldedText, start: int, end: int, *, whose: str) -> bool:
    """Say whether the sentence around a stretch speaks of others, and nothing in it of the candidate.

    Others are all people served by a job, those who are `taught` or coached, or whose affairs are `office` work.

    >>> from evenhand.masking.folded_text import folded_text
    >>> is_about_others(folded_text("Taught children with autism."), 21, 27, whose="others")
    True
    >>> is_about_others(folded_text("I have autism and teach children."), 7, 13, whose="others")
    False
    >>> is_about_others(folded_text("Coached 7th grade girls volleyball"), 18, 23, whose="taught")
    True
    """
    if CANDIDATE_WORDS.label.search(folded.low, max(0, start - _NEAR), start) is not None:
        return False  # `Disability: person with low vision`
    sentence = _sentence_around(folded, start, end)
    about = {"others": CANDIDATE_WORDS.others, "taught": CANDIDATE_WORDS.teaching, "office": CANDIDATE_WORDS.office}
    if about[whose].search(sentence) is None:
        return False
    # A text that has lost its lines has wide gaps between them.
    before, piece, after = sentence.partition(folded.low[start:end])
    return CANDIDATE_WORDS.own.search(before.rpartition("  ")[2] + piece + after.partition("  ")[0]) is None


def is_work(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether the sentence around a stretch describes work, and nothing about the candidate.

    >>> from evenhand.masking.folded_text import folded_text
    >>> texts = "Designed wheelchair lifts.", "Designed lifts; I use a wheelchair.", "Wheelchair user"
    >>> [is_work(folded_text(text), at, at + 10) for text, at in zip(texts, (9, 24, 0))]
    [True, False, False]
    """
    sentence = _sentence_around(folded, start, end)
    verb = CANDIDATE_WORDS.verb.match(sentence)
    return verb is not None and verb[1] not in CANDIDATE_WORDS.states and CANDIDATE_WORDS.own.search(sentence) is None


_LONGEST = 140
_SENTENCE_END = lazy_re(r"[.;!?|•·▪][\"')\]]{0,2},?(?:\s|$)|\n[ \t]*(?:[-*•–▪o>~+■➢✦✅●○◆►]|\d+[.)])[ \t]|\n[ \t]*\n")
#: A line of this many characters was broken because it was full.
_WRAPPED = 48


def _sentence_around(folded: FoldedText, start: int, end: int) -> str:
    """Return the sentence or list item of a place, over line breaks too."""
    low = folded.low
    begin, finish = max(0, start - _LONGEST), min(len(low), end + _LONGEST)
    for match in _SENTENCE_END.finditer(low, begin, finish):
        if match.end() <= start:
            begin = match.end()
        elif match.start() >= end:
            finish = match.start()
            break
    line = low.rfind("\n", begin, start) + 1
    if line > begin and line - 1 - max(0, low.rfind("\n", 0, line - 1) + 1) < _WRAPPED:
        begin = line
    last = low.find("\n", end, finish)
    if last >= 0 and last - (low.rfind("\n", 0, start) + 1) < _WRAPPED:
        finish = last
    return low[begin:finish]
