"""Whether a sentence speaks of people other than the candidate: those taught, treated, served or studied."""

import re

from evenhand.resumes.categories.community import sentence_around
from evenhand.resumes.plain import Plain

__all__ = ["is_about_others", "is_about_the_taught"]

_OTHERS = re.compile(
    r"\b(?:students?|pupils|learners|children|child|kids|youths?|adolescents|teens|teenagers|adults|infants|toddlers|"
    r"clients?|patients?|customers|users|visitors|guests|passengers|residents|inmates|elders|seniors|"
    r"people|persons|individuals|consumers|participants|populations?|families|parents|survivors|sufferers)\b"
)
#: The candidate is in it, or what the candidate belongs to.
_OWN = re.compile(
    r"\b(?:i|i'm|i've|me|my|mine|myself|diagnosed|registered|identify|member|membership|ambassador|trustee|fellow|"
    r"captain|awards?|scholar|scholarship|peer|lived experience)\b"
)
#: A label behind which the candidate answers.
_LABEL = re.compile(
    r"\b(?:disab\w*|health|conditions?|impairments?|category|status|needs|accommodations?|adjustments?)\b"
    r"[^.:\n]{0,20}:[^.;:\n]{0,40}\Z"
)
_NEAR = 100
_TEACHING = re.compile(
    r"\b(?:coach(?:ed|es|ing)?|taught|teach(?:er|es|ing)?|tutor\w*|mentor\w*|instruct\w*|trained|minded)\b"
)


def is_about_the_taught(plain: Plain, start: int, end: int) -> bool:
    """Say whether the sentence around a stretch speaks of those whom somebody teaches or coaches, not of the candidate.

    >>> from evenhand.resumes.plain import plain_text
    >>> is_about_the_taught(plain_text("Coached 7th grade girls volleyball"), 18, 23)
    True
    """
    sentence = sentence_around(plain, start, end)
    return _TEACHING.search(sentence) is not None and _OWN.search(sentence) is None


def is_about_others(plain: Plain, start: int, end: int) -> bool:
    """Say whether the sentence around a stretch speaks of others, and nothing in it of the candidate.

    >>> from evenhand.resumes.plain import plain_text
    >>> is_about_others(plain_text("Taught children with autism."), 21, 27)
    True
    >>> is_about_others(plain_text("I have autism and teach children."), 7, 13)
    False
    """
    if _LABEL.search(plain.low, max(0, start - _NEAR), start) is not None:
        return False  # `Disability: person with low vision`
    sentence = sentence_around(plain, start, end)
    return _OTHERS.search(sentence) is not None and _OWN.search(sentence) is None
