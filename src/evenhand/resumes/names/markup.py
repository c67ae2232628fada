"""Names in what a document was written in: TeX commands, the head of a mail, the first sentences of a biography."""

import re

from evenhand.resumes.names.candidates import Candidate, listed_score
from evenhand.resumes.names.lists import given_names, is_no_name, no_names
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.names.prose import is_ordinary
from evenhand.resumes.names.shapes import NAME, inverted, looks_like_a_name
from evenhand.resumes.names.usage import VERB
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
    rf"(?:^|\n|[.,:][ ]|[\"]|\b(?:[Aa]bout|[Mm]eet|[Ii]ntroducing|[Tt]his is|"
    rf"[Tt]oday|[Cc]urrently|[Nn]ow|[Tt]hen|[Tt]here|[Hh]ere) )"
    rf"(?:(?:Mr|Mrs|Ms|Mx|Dr|Prof)\.?[ ])?({NAME})"
    rf"(?=(?:[ ][(\"][^)\"\n]{{1,40}}[)\"])?(?:,?[ ][A-Z][A-Za-z.]{{1,6}}(?=[ ,])){{0,3}},?"
    rf"(?:{VERB.pattern}|,[ ](?:an?|the)\b|[.!:][ ]+(?:He|She|They)\b))"
)
_OPENING = 900
_OFTEN = 2


def _holds_a_name(text: str) -> bool:
    """Say whether some words of a short text are no name elsewhere: `Pearl Major`, `Eun Bi So`."""
    if text.isupper() or _SENTENCE_START.match(text) is not None:
        return False
    words = [word.lower() for word in text.split()]
    barred = [word for word in words if is_no_name(word)]
    return (
        0 < len(barred) < len(words)
        and (all(no_names().get(word) == "other" for word in barred) or any(word in given_names() for word in words))
        and not any(is_ordinary(word) for word in words if word not in barred)
    )


#: With these words a sentence begins, not a name.
_SENTENCE_START = re.compile(r"(?:The|This|That|His|Her|Their|My|Our|No|In|On|At|As|By|For)\b")


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
        if len(text.split()) > 1 and (looks_like_a_name(text) or _holds_a_name(text)):
            name = name_of(text)
            repeated = any(plain.low.count(token) > _OFTEN for token in name.tokens)
            score = 3 + listed_score(name) + repeated
            found.append(Candidate(name=name, score=score))
    return found
