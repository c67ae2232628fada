"""Identities beyond names: each arm changes one thing, and its neutral texts are of the same kind and length."""

import re

import pytest

from evenhand.data.lexicons.names import group_names
from evenhand.errors import InputError
from evenhand.masking.people import Person
from evenhand.synthetic.arms import Arms, choose_names, kinds_by
from evenhand.synthetic.identities import EXPLICIT, Shown, description, known_identities
from evenhand.synthetic.templates import template_of

TEXT = (
    "Ida Roe\nida.roe1984@example.org\n\nMs. Roe is a potter. She trains and leads potters of her guild.\n\n"
    "Potter, Kiln Ltd, 2012 - 2020\nGlazier, Pane Ltd, 2004 - 2012\n"
)
CHOICE = choose_names(group_names(), by=["gender"], seed=1, per_group=4)


def template(text=TEXT, **protected):
    return template_of(Person(id="1", text=text, known_names=("Ida Roe",), protected={"gender": "female"} | protected))


def arms_of(*kinds, by=("gender",), reference=None):
    return Arms(choice=CHOICE, kinds=kinds_by(kinds, by), reference=reference, until=2020)


def texts_of(arms, of=None):
    """Return the text of each comparison's arms under each name, by kind and labels."""
    of = of or template()
    return {
        (each.kind, each.group, each.reference): [
            tuple(arms.text(of, arm, number).text for arm in (each.arm, each.against)) for number in range(4)
        ]
        for each in arms.comparisons(of)
    }


LINES = [name for name, identity in known_identities().items() if identity.neutral[0] and identity.edit != "pronouns"]


@pytest.mark.parametrize("name", LINES)
def test_a_line_and_its_neutral_ones_differ_in_a_word_of_about_the_same_length(name):
    identity = known_identities()[name]
    words = [word for word in (*identity.levels.values(), *identity.neutral) if word]
    assert all(abs(len(word) - len(identity.neutral[0])) <= 2 for word in words)
    assert len({*words}) == len(words)
    assert len({*identity.frames}) == len(identity.frames) == 10
    assert all(frame.count("{}") == 1 for frame in identity.frames)
    found = texts_of(arms_of(name, "placebo"))
    assert len(found) == len(identity.levels) + 1
    for (_, group, reference), pairs in found.items():
        word = identity.levels.get(group[0], identity.neutral[1])
        assert reference == (identity.reference,)
        for text, neutral in pairs:
            assert not word or text.replace(word, identity.neutral[0]) == neutral
        assert len({neutral.replace(neutral.split("\n")[0], "") for _, neutral in pairs}) == 4


def test_an_older_person_has_the_same_experience_or_that_of_the_age():
    found = texts_of(arms_of("age", "age-experience", "placebo"))
    for kind, group, years, last in (
        ("age", "older", {20}, {20}),
        ("age-experience", "older", {20}, {0}),
        ("placebo", "dates a year apart", {-1, 1}, {-1, 1}),
        ("placebo", "dates but the last end a year apart", {-1, 1}, {0}),
    ):
        moves = [
            [
                int(neutral) - int(text)
                for text, neutral in zip(*(re.findall(r"\b\d{4}\b", side) for side in pair), strict=True)
            ]
            for pair in found[kind, (group,), ("as written",)]
        ]
        assert {years for row in moves for place, years in enumerate(row) if place != 1} == years
        assert {row[1] for row in moves} == last


def test_a_break_stands_before_the_last_job_with_a_reason_or_without_one():
    found = texts_of(arms_of("gap"))
    text, neutral = found["gap", ("caring",), ("other reason",)][0]
    assert text.endswith("Pane Ltd, 2002 - 2010\n\n2010 - 2012: Career break, full-time care of a parent\n")
    assert neutral.endswith("Pane Ltd, 2002 - 2010\n\n2010 - 2012: Career break, full-time travel in Europe\n")
    assert found["gap", ("no gap",), ("other reason",)][0][0].endswith("Pane Ltd, 2004 - 2012\n")


PRONOUNS = {
    "he": ("he/him", "Mr.", "He trains and leads potters of his guild."),
    "she": ("she/her", "Ms.", "She trains and leads potters of her guild."),
    "they": ("they/them", "Mx.", "They train and lead potters of their guild."),
}


@pytest.mark.parametrize("level", PRONOUNS)
def test_pronouns_titles_and_verbs_are_those_of_the_level(level):
    stated, title, sentence = PRONOUNS[level]
    identity = known_identities()["pronouns"]
    shown = identity.applied(template(), Shown("pronouns", level), 0, until=0).original
    assert shown == (
        f"Ida Roe\nPronouns: {stated}\nida.roe1984@example.org\n\n{title} Roe is a potter. {sentence}\n\n"
        "Potter, Kiln Ltd, 2012 - 2020\nGlazier, Pane Ltd, 2004 - 2012\n"
    )
    declared = template("Ida Roe (she/her)\n\nHer kiln is hers.\n")
    possessive = {"he": "His kiln is his.", "she": "Her kiln is hers.", "they": "Their kiln is theirs."}[level]
    shown = identity.applied(declared, Shown("pronouns", level), 0, until=0).original
    assert shown == f"Ida Roe ({stated})\n\n{possessive}\n"


def test_a_statement_says_the_group_under_its_names():
    found = texts_of(arms_of(EXPLICIT, "placebo"))
    woman, man = found[EXPLICIT, ("female",), ("male",)][0]
    assert "\nThe applicant is a woman.\n" in woman
    assert "\nThe applicant is a man.\n" in man
    other, same = found["placebo", ("the same in other words",), ("statement",)][0]
    assert other.replace("About the applicant: a woman.", "The applicant is a woman.") == same
    older, _ = texts_of(arms_of(EXPLICIT, by=("gender", "age")))[
        "explicit+age", ("female", "older"), ("male", "as written")
    ][1]
    assert "\nAbout the applicant: a 54-year-old woman.\n" in older
    assert "2012 - 2020" in older
    assert description({"race": "white", "parenthood": "parent"}) is None


def test_groups_are_crossed_with_levels_and_one_is_the_reference():
    found = texts_of(arms_of("name", by=("gender", "age")))
    assert [key[1:] for key in found] == [
        (group, ("male", "as written")) for group in (("male", "older"), ("female", "as written"), ("female", "older"))
    ]
    older, neutral = found["name+age", ("female", "older"), ("male", "as written")][0]
    assert "1992 - 2000" in older
    assert "2012 - 2020" in neutral
    chosen = texts_of(arms_of("name", by=("gender", "age"), reference="female × older"))
    assert {key[2] for key in chosen} == {("female", "older")}
    assert len(texts_of(arms_of("age+religion"))) == 2 * 5 - 1
    alone = texts_of(arms_of("age", reference="older"))
    assert list(alone) == [("age", ("as written",), ("older",))]


def test_a_placebo_alone_has_other_names():
    assert [each.arm.label for each in arms_of("placebo").comparisons(template())] == ["other names female"]


@pytest.mark.parametrize(
    ("kinds", "options", "message"),
    [
        (["affinity"], {"by": ("gender", "age")}, "affinity can't be crossed with age; leave one out"),
        (["placebo+age"], {}, "placebo can't be crossed with age"),
        (["age+faith"], {}, "'age\\+faith' is not a kind of arm; expected name, .*, age, age-experience, gap"),
        (["combined+pronouns"], {}, "'combined\\+pronouns' repeats a signal"),
        ([EXPLICIT], {"by": ("gender", "gap")}, "No statement for male × other reason; explicit supports gender, race"),
        (["name"], {"by": ("gender", "pronouns")}, "pronouns can't be crossed with names; give --arms pronouns"),
        (["religion"], {"reference": "Sikh"}, "expected female or male or neutral or Christian"),
        (["name"], {"by": ("gender", "age"), "reference": "old"}, "expected female or male or female,as written"),
    ],
)
def test_arms_that_can_not_be_made_are_refused(kinds, options, message):
    with pytest.raises(InputError, match=message):
        arms_of(*kinds, **options)


def test_a_resume_that_can_not_show_an_identity_says_why():
    plain = template("Ida Roe\n\nA potter.\n")
    lacking = {name: identity.lacks(plain) for name, identity in known_identities().items()}
    assert {name for name, reason in lacking.items() if reason} == {"age", "age-experience", "gap"}
    assert lacking["age"] == "it has no date to move, as age needs"
