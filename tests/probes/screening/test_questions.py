"""Questions about protected facts are separated from lawful ones that sound alike."""

import csv
from pathlib import Path

import pytest

from evenhand.probes.screening.questions import QUESTION_WORDS, question_kinds, unlawful_kind

with Path(__file__).with_name("questions.csv").open(encoding="utf-8") as file:
    QUESTIONS = list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("part", "right", "of_kind", "questions"),
    [
        ("develop", 48, 48, 48),
        # Measured once, with the patterns as they were written; by the author of both, so not by a stranger's ear.
        ("held out", 62, 60, 62),
    ],
)
def test_questions_not_to_ask_are_separated_from_lawful_ones(part, right, of_kind, questions):
    rows = [(row["kind"] or None, unlawful_kind(row["question"])) for row in QUESTIONS if row["part"] == part]
    assert sum((kind is None) == (found is None) for kind, found in rows) >= right
    assert sum(kind == found for kind, found in rows) >= of_kind
    assert len(rows) == questions


def test_each_kind_has_patterns_guidance_and_a_lawful_question():
    kinds = question_kinds()
    patterns = {name.removeprefix("kind_") for name in QUESTION_WORDS._entries() if name.startswith("kind_")}
    assert patterns == {*kinds}
    assert [kind.instead for kind in kinds.values() if unlawful_kind(kind.instead) or not kind.guidance] == []
