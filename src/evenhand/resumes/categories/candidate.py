"""Whether a sentence speaks of the candidate, or of others: those whom somebody teaches, treats, serves or studies.

A word that has other meanings as well (`minister`, `remission`, `rainbow`) counts where something says that it is
about the candidate: the first person, a label of a form, membership, an award, a scholarship, service as a volunteer.
"""

from typing import Literal

from evenhand.patterns import lazy_re
from evenhand.resumes.rules import pattern
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["LEAVE_AS_WORK", "OFFICE_LEAVE", "is_about_others", "is_candidates", "is_work"]

#: Leave of others as office work, and wards and wear that are called by it.
OFFICE_LEAVE = pattern(
    r"\b(?:rotat\w+|placements? (?:in|on)|clinical rotations?)\b[^.;\n]{0,50}$",
    r"\b(?:administ\w+|process\w*|calculat\w+|covered|covering|payroll\w*|polic(?:y|ies) on)\s(?:\w+ ){0,2}$",
)
LEAVE_AS_WORK = pattern(
    r"[\s-]+(?:wards?|units?|nurs\w+|services?|hospitals?|care|clinics?|clothes|clothing|wear|apparel|"
    r"departments?|cent(?:er|re)s?|suites?|theatres?|assistants?|support worker|records|patients?|triage|"
    r"simulation|guidelines|safety|outcomes|emergenc\w+|beds?|bras?|dress\w*|fashion|lines?|tests?|testing|"
    r"disputes?|suits?|fraud|photo\w*|brands?|retail\w*|wing|block|home|staff|rota|data)\b",
    r"\s+(?:polic\w+|entitle\w+|rules|requests?|cases)\b",
    r"\s+(?:pay|cover\b(?! plan)|(?:leave|pay|absence)(?: and \w+)? (?:polic\w+|cover|entitle\w+|rules|"
    r"requests?|calculat\w+|queries|cases|administ\w+|rights))\b",
    r"\s+(?:and|&)\s+(?:child|neonatal|newborn|gynae|wom|paed|ped|obst|infant|midwif)",
)
_FIRST_PERSON = r"i|i'm|i've|i'd|i was|me|my|mine|myself"
_BELONGING = (
    r"member|members|membership|ambassador|trustee|fellow|fellowship|captain|awards?|awardee|scholar|scholars|"
    r"scholarship|bursary|prize|mentee|volunteer|volunteers|volunteered|volunteering|network|society|association|"
    r"chapter|alumni|choir|congregation|club|committee|steering group|employee (?:resource )?group|erg|"
    r"holder|career (?:breaks?|gaps?|pauses?)|breaks? (?:for|to)|sabbatical|time out|returner|relocat(?:ed|ing)"
)
_OWN = lazy_re(rf"\b(?:{_FIRST_PERSON}|diagnosed|registered|identify|born|raised|lived experience|peer|{_BELONGING})\b")
#: The candidate's own voice, or a story of the candidate's life.
_SAID = lazy_re(
    rf"\b(?:{_FIRST_PERSON})\b(?!')|\b(?:he|she) (?:is|was|has|had|uses|walks|wears|lives|became|identifies|came|and)\b"
)
#: A fact of its own: it begins an item and ends it, or a year, a mark or a bracket follows.
_BEGINS = lazy_re(r"(?:^|\n|[\u2022\u25aa\u00b7*|>;] |- )[ \t]*\Z")
_ENDS = lazy_re(
    r"[ ]*(?:$|[.;(|\n)])|,? (?:in|since|from|until) (?:19|20)\d\d|[ ](?:since|under control|at school|for life)\b"
)
#: A label behind which the candidate answers: what people are asked about themselves.
_LABEL = lazy_re(
    r"\b(?:disab\w*|health|medical|conditions?|impairments?|category|status|needs|accommodations?|adjustments?|"
    r"religio\w*|faith|beliefs?|denomination|ethnic\w*|race|origin|nationality|citizenship|immigration|visa|permit|"
    r"work authori[sz]ation|right to work|marital|family|children|dependa?nts|orientation|sexuality|gender|sex|"
    r"pronouns|identity|diversity|monitoring|personal|about me|breaks?|gaps?|reason)\b"
    r"[^.:\n]{0,24}[:|\t][^.;:\n]{0,40}\Z"
)
_OTHERS = lazy_re(
    r"\b(?:students?|pupils|learners|children|child|kids|youths?|adolescents|teens|teenagers|adults|infants|toddlers|"
    r"clients?|patients?|customers|users|visitors|guests|passengers|residents|inmates|elders|seniors|"
    r"people|persons|individuals|consumers|participants|populations?|families|parents|survivors|sufferers|"
    r"twelve year old|year olds?|household)\b"
)
_TEACHING = lazy_re(
    r"\b(?:coach(?:ed|es|ing)?|taught|teach(?:er|es|ing)?|tutor\w*|mentor\w*|instruct\w*|trained|minded)\b"
)
#: Others' affairs as office work.
_OFFICE = lazy_re(
    r"\b(?:prepar(?:ed|ing)|filed|filing|process(?:ed|ing)|handl(?:ed|ing)|draft(?:ed|ing)|adjudicat\w+|calculat\w+|"
    r"administer\w*|negotiat\w+|mediat\w+|represented|audit\w*|casework\w*|caseload|petitions?|applications?)\b"
)
_NEAR = 100


def is_candidates(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether the words at these places are told of the candidate, or of a body the candidate belongs to.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> texts = "I am a refugee.", "Immigration status: refugee", "Wrote a refugee policy."
    >>> [is_candidates(folded_text(text), place, place) for text, place in zip(texts, (3, 2, 2))]
    [True, True, False]
    """
    start, end = folded.words[first][1], folded.words[last][2]
    if _LABEL.search(folded.low, max(0, start - _NEAR), start) is not None:
        return True
    if _ENDS.match(folded.low, end) is not None and _BEGINS.search(folded.low[max(0, start - 8) : start]) is not None:
        return True
    sentence = _sentence_around(folded, start, end)
    if _SAID.search(sentence) is not None:
        return True
    return _OWN.search(sentence) is not None and _OTHERS.search(sentence) is None


def is_about_others(folded: FoldedText, start: int, end: int, *, whose: Literal["others", "taught", "office"]) -> bool:
    """Say whether the sentence around a stretch speaks of others, and nothing in it of the candidate.

    Others are all whom somebody works for, those who are `taught` or coached, or whose affairs are `office` work.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> is_about_others(folded_text("Taught children with autism."), 21, 27, whose="others")
    True
    >>> is_about_others(folded_text("I have autism and teach children."), 7, 13, whose="others")
    False
    >>> is_about_others(folded_text("Coached 7th grade girls volleyball"), 18, 23, whose="taught")
    True
    """
    if _LABEL.search(folded.low, max(0, start - _NEAR), start) is not None:
        return False  # `Disability: person with low vision`
    sentence = _sentence_around(folded, start, end)
    return _WHOSE[whose].search(sentence) is not None and _OWN.search(_piece(folded, start, end)) is None


#: What a line about work begins with: `Treated`, `Designing`, `Led`.
_VERB = lazy_re(
    r"\W*((?:co-?|re-?)?(?:[a-z]{2,}ed|[a-z]{3,}ing|led|ran|built|sold|taught|wrote|kept|drove|made|cut|held|set|took|grew|"
    r"oversaw|bought|fed|gave|brought|sent|spoke|drew|dealt|met|saw|paid|read|won))\b"
)
#: The same forms as states, reasons and doings of the candidate.
_STATES_LISTED = (
    "during including morning evening nothing wedding married divorced separated widowed disabled engaged unmarried "
    "diagnosed registered identified retired raised based born volunteered volunteering seeking returning living "
    "naturalised naturalized adopted gifted sponsored elected awarded named nominated selected being having expecting "
    "parenting fostering caring hearing swimming nursing recovered returned joined founded co-founded cofounded "
    "represented asked requested organised organized danced performed competed played"
)
_STATES = frozenset(_STATES_LISTED.split())


def is_work(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether the sentence around a stretch tells what somebody did at work, and nothing of the candidate.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> texts = "Designed wheelchair lifts.", "Designed lifts; I use a wheelchair.", "Wheelchair user"
    >>> [is_work(folded_text(text), at, at + 10) for text, at in zip(texts, (9, 24, 0))]
    [True, False, False]
    """
    sentence = _sentence_around(folded, start, end)
    verb = _VERB.match(sentence)
    return verb is not None and verb[1] not in _STATES and _OWN.search(sentence) is None


_WHOSE = {"others": _OTHERS, "taught": _TEACHING, "office": _OFFICE}


_LONGEST = 140
_SENTENCE_END = lazy_re(r"[.;!?|•·▪][\"')\]]{0,2},?(?:\s|$)|\n[ \t]*(?:[-*•–▪o>~+■➢✦✅●○◆►]|\d+[.)])[ \t]|\n[ \t]*\n")
#: A line with so many characters was broken for want of room.
_WRAPPED = 48


def _piece(folded: FoldedText, start: int, end: int) -> str:
    """Return the part of a sentence that no wide gap divides: a text that has lost its lines has such between them."""
    sentence, piece = _sentence_around(folded, start, end), folded.low[start:end]
    before, _, after = sentence.partition(piece)
    return before.rpartition("  ")[2] + piece + after.partition("  ")[0]


def _sentence_around(folded: FoldedText, start: int, end: int) -> str:
    """Return the sentence or list item that a place belongs to, with what is broken over lines."""
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
