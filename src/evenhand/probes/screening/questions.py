"""Questions that guidance says not to put to a candidate: what each asks about.

The kinds are in `question_kinds.csv`, with the guidance and a lawful question for each; their patterns, in
`questions.toml`, are general and miss what is put otherwise. A question that is not found is not thereby lawful.
"""

from dataclasses import dataclass
from functools import cache

from evenhand.data.folding import fold_text
from evenhand.patterns import WordTable, csv_rows

#: What questions about protected facts are read by.
QUESTION_WORDS = WordTable("evenhand.probes.screening", "questions.toml")
#: Characters of a question that are looked at.
_LONGEST = 600


@dataclass(frozen=True, kw_only=True)
class QuestionKind:
    """A kind of question not to ask: the protected fact, the guidance, and a lawful question instead."""

    about: str
    guidance: str
    instead: str


@cache
def question_kinds() -> dict[str, QuestionKind]:
    """Return the kinds of question about protected facts, by name."""
    rows = csv_rows("evenhand.probes.screening", "question_kinds.csv")
    return {
        kind: QuestionKind(about=about, guidance=guidance, instead=instead) for kind, about, guidance, instead in rows
    }


def unlawful_kind(question: str) -> str | None:
    """Return the kind of protected fact that a question asks a candidate about, None where it asks about none.

    >>> unlawful_kind("Do you have children?"), unlawful_kind("How did you teach children with special needs?")
    ('family', None)
    """
    text = " ".join(fold_text(question[:_LONGEST]).split())
    return next((kind for kind in question_kinds() if getattr(QUESTION_WORDS, f"kind_{kind}").search(text)), None)
