"""Neutral pronouns with the verb that goes with them."""

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import MaskOptions

NEUTRAL = MaskOptions(pronouns="neutral")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She has led teams.", "They have led teams."),
        ("He manages and trains staff.", "They manage and train staff."),
        ("She also teaches.", "They also teach."),
        ("Her team praised her.", "Their team praised them."),
        ("The idea was his.", "The idea was theirs."),
        ("His work speaks for him.", "Their work speaks for them."),
        ("She's a leader; she's built it.", "They're a leader; they've built it."),
        ("He wasn't late.", "They weren't late."),
        ("He carries on by himself.", "They carry on by themselves."),
        ("She led it.", "They led it."),
        ("The credit is hers.", "The credit is theirs."),
        ("I'm sure he'll come.", "I'm sure they'll come."),
        ("Does he know it? Is she in? Wasn't he late?", "Do they know it? Are they in? Weren't they late?"),
        ("Nor does she sing; where was he?", "Nor do they sing; where were they?"),
        ("The plan was his choice; all it has she wrote.", "The plan was their choice; all it has they wrote."),
        ("Everyone gave his or her best.", "Everyone gave their best."),
        ("He or she leads; tell him or her.", "They lead; tell them."),
    ],
)
def test_pronouns_and_verbs_become_neutral(text, expected):
    assert mask_text(text, options=NEUTRAL).text == expected


def test_declared_pronouns_and_other_words_keep_their_token():
    assert mask_text("Pronouns: she/her. A waitress.", options=NEUTRAL).text == "Pronouns: [GENDER]. A [GENDER]."


def test_a_bracket_of_two_pronouns_in_one_goes_with_them():
    assert mask_text("Each (s)he teaches; then (s)he.").text == "Each [GENDER] teaches; then [GENDER]."
    assert mask_text("Each (s)he teaches; then (s)he.", options=NEUTRAL).text == "Each they teach; then they."
