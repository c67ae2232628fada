"""Names in what a document was written in: TeX commands, the head of a mail."""

import re

from evenhand.patterns import lazy_re
from evenhand.resumes.names.own.candidates import Candidate
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.names.shapes import inverted, looks_like_a_name
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["in_markup"]

_MAIL_HEAD = lazy_re(
    r"^[> ]*(?:from|von|de|sender)[ ]?:[ ]*\"?([^<\"\n@]{3,60}?)\"?[ ]*(?=<|\n|\[mailto)", re.IGNORECASE | re.MULTILINE
)


def in_markup(folded: FoldedText) -> list[Candidate]:
    """Return names in TeX commands and in the sender's line of a mail."""
    found = []
    if "\\" in folded.text:
        found += [
            name_of(" ".join(filter(None, match.groups()))) for match in OWN_NAME_WORDS.tex_name.finditer(folded.text)
        ]
    low, where = folded.low, folded.where
    if ("from" in where and ("from:" in low or "from :" in low)) or ("von" in where and "von:" in low):
        senders = (match.group(1) for match in _MAIL_HEAD.finditer(folded.text))
        found += [name_of(each) for each in senders if looks_like_a_name(each, loose=True) or inverted(each)]
    return [Candidate(name=name, score=6, sure=True) for name in found if name.tokens]
