"""Names in what a document was written in: TeX commands, the head of a mail, the first sentences of a biography."""

import re

from evenhand.resumes.names.candidates import Candidate, listed_score
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.names.shapes import NAME, inverted, looks_like_a_name
from evenhand.resumes.plain import Plain

__all__ = ["in_markup", "in_sentences"]

#: Names in TeX: \\name{Jane}{Doe}, \\author{Jane Doe}, and in the head of a mail.
_TEX_NAME = re.compile(
    r"\\(?:name|author|firstname|familyname|lastname|fullname|cvname|headername)\{([^{}\n]{1,60})\}(?:\{"
    r"([^{}\n]{1,60})\})?"
)
_MAIL_HEAD = re.compile(
    r"^[> ]*(?:from|von|de|sender)[ ]?:[ ]*\"?([^<\"\n@]{3,60}?)\"?[ ]*(?=<|\n|\[mailto)", re.IGNORECASE | re.MULTILINE
)
_BIOGRAPHY = re.compile(
    rf"(?:^|\n|[.,:][ ]|[\"]|\b[Aa]bout |\b[Mm]eet )(?:(?:Mr|Mrs|Ms|Mx|Dr|Prof)\.?[ ])?({NAME})(?=[ "
    r"](?:is|was|has|had|holds|joined|leads|led|began|brings|"
    r"works|worked|started|earned|grew|serves|specialises|specializes)\b|,[ ](?:an?|the)\b)"
)
_OPENING = 900
_FIRST_WORDS = 160
_OFTEN = 2


def in_markup(plain: Plain) -> list[Candidate]:
    """Return names in TeX commands and in the sender's line of a mail."""
    found = []
    if "\\" in plain.text:
        found += [name_of(" ".join(filter(None, match.groups()))) for match in _TEX_NAME.finditer(plain.text)]
    if "from:" in plain.low or "from :" in plain.low or "von:" in plain.low:
        senders = (match.group(1) for match in _MAIL_HEAD.finditer(plain.text))
        found += [name_of(each) for each in senders if looks_like_a_name(each, loose=True) or inverted(each)]
    return [Candidate(name=name, score=6, sure=True) for name in found if name.tokens]


def in_sentences(plain: Plain) -> list[Candidate]:
    """Return who the first sentences are about: `Jane Doe is a nurse`, `For ten years, Jane Doe has led`."""
    found = []
    for match in _BIOGRAPHY.finditer(plain.text, 0, _OPENING):
        text = match.group(1)
        if len(text.split()) > 1 and looks_like_a_name(text):
            name = name_of(text)
            repeated = any(plain.low.count(token) > _OFTEN for token in name.tokens)
            score = (3 if match.start() < _FIRST_WORDS else 2) + listed_score(name) + repeated
            found.append(Candidate(name=name, score=score))
    return found
