"""E-mails drawn for labelling, with the names redacted."""

import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes.an2024.classifier import redacted
from evenhand.probes.label_sheets import label_sheet


def answers(*rows):
    return pl.DataFrame(
        [{"answer": str(number), "name": name, "text": text} for number, (name, text) in enumerate(rows, start=1)]
    )


LETTERS = answers(
    *((name, f"Dear {name},\nletter {number}.") for number in range(10) for name in ("Jill", "Scott", "Juan"))
)


def test_groups_are_drawn_evenly_and_not_shown():
    drawn = label_sheet(LETTERS, sample=9)
    assert drawn.groups == {"hispanic male": 3, "white female": 3, "white male": 3}
    assert drawn.sheet.columns == ["email", "text", "allowed", "annotator_1", "annotator_2", "resolved"]
    shown = " ".join(drawn.sheet["text"]).lower()
    assert not any(word in shown for word in ("jill", "scott", "juan"))
    assert shown.count("[name]") == 9


def test_a_small_group_gives_what_it_has_and_others_the_rest():
    drawn = label_sheet(pl.concat([LETTERS, answers(("Latoya", "Dear Latoya, yes."))]), sample=10)
    assert drawn.groups == {"black female": 1, "hispanic male": 3, "white female": 3, "white male": 3}


def test_the_key_says_whose_an_email_is():
    drawn = label_sheet(LETTERS, sample=6)
    texts = dict(LETTERS.select("answer", "text").iter_rows())
    for (email, text, *_), (same, answer, name, *_) in zip(drawn.sheet.iter_rows(), drawn.key.iter_rows(), strict=True):
        assert email == same
        assert text == texts[answer].lower().replace(name.lower(), "[name]")


def test_the_seed_decides_and_nothing_else():
    one, same, other = (label_sheet(LETTERS, sample=9, seed=seed).sheet["text"].to_list() for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_what_reads_the_same_without_names_is_shown_once():
    drawn = label_sheet(answers(("Jill", "Dear Jill, no."), ("Juan", "Dear Juan, no."), ("Juan", None)), sample=5)
    assert drawn.sheet["text"].to_list() == ["dear [name], no."]
    assert drawn.passed_over == {
        "have no text": 1,
        "read the same as one on the sheet": 1,
        "are too long for a cell": 0,
    }


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("Jose", "Dear JOSÉ,", "dear [name],"),
        ("José", "Dear Jose's,", "dear [name]'s,"),
        ("Abigail Li", "Dear Abigail, Ms. Li,", "dear [name], ms. [name],"),
        ("Jo", "Joanna and John", "joanna and john"),
    ],
)
def test_names_are_redacted_however_they_are_written(name, text, shown):
    assert label_sheet(answers((name, text)), sample=1).sheet["text"][0] == shown


def test_groups_in_the_answers_win_and_unknown_names_are_a_group_of_their_own():
    frame = answers(("Jill", "a"), ("Qwx", "b")).with_columns(pl.Series("race", ["black", None]))
    assert label_sheet(frame, sample=2).groups == {"black female": 1, "unknown unknown": 1}


@pytest.mark.parametrize(
    ("frame", "sample", "words"),
    [
        (LETTERS, 0, "--sample is 0"),
        (answers(("Jill", " ")), 1, "No answer has a text"),
        (answers((" ", "x"), ("Jill", "y")), 1, "Row 1 has no name"),
        (answers(("Jill", "y"), (None, "x")), 1, "Row 2 has no name"),
    ],
)
def test_answers_that_give_no_sheet(frame, sample, words):
    with pytest.raises(InputError, match=words):
        label_sheet(frame, sample=sample)


def test_a_redacted_email_is_not_changed_by_the_classifier_s_own_redaction():
    text = label_sheet(
        answers(("Jill", "Dear Jill,\n\nYou\u2019re in!\n\nOn Monday, 3 May 2024 Jill wrote:\n> hi")), sample=1
    ).sheet["text"]
    assert redacted(text, pl.Series([""])).to_list() == text.to_list() == ["dear [name],\n\nyou're in!\n"]
