"""Names of other people in all places where résumés have them, and what reads like a name and is none."""

import pytest

from evenhand.masking.mask import mask_text
from marked_text import unmarked


def test_an_employer_is_no_person_elsewhere():
    jobs = "Corvin Hale\nPlanner\n\nHalden Marsh, Leeds\tPlanner\t2016 - 2019\n"
    text = jobs + "Trained with Halden Marsh and Ana Ruiz on intake."
    found = [text[span.start : span.end] for span in mask_text(text).spans if span.rule == "other person"]
    assert found == ["Ana Ruiz"]


def test_a_title_may_end_the_line_before_its_name():
    masked = mask_text("She reported to Mrs.\nMarshall and stood in for her at Marshall's, a shop.").text
    assert masked.startswith("[GENDER] reported to [GENDER]\n[NAME] and stood in for [GENDER]")


def test_people_are_found_in_a_text_without_capitals():
    text, expected = unmarked(
        "i keep ships dry and crews safe. i have welded hulls in two yards since 2009 and like night work best.\n"
        "* trained by [[ama\u00edlia nowak]], who still writes to me.\n* wrote the manual with [[zhiqiang lim]] and "
        "[[amaka o'brien]].\n* thesis on rust, examined by dr. [[j. kowalczyk]]\n* cut scrap with helm and kubectl"
    )
    found = [(span.start, span.end) for span in mask_text(text).spans if span.rule == "other person"]
    assert sorted(found) == expected


def test_a_referee_may_stand_family_name_first():
    text, expected = unmarked(
        "Corvin Hale\nWelder\n\nReferees\n[[Lindqvist, Tova]] (Dunmore Yard), phone 0903 555 0109"
    )
    assert [(span.start, span.end) for span in mask_text(text).spans if span.rule == "other person"] == expected


@pytest.mark.parametrize("value", ["[[Ogun, Sunday]] (720-555-0171); yes", "[[Marsh, June]]"])
@pytest.mark.parametrize("label", ["Supervisor", "Manager's name"])
def test_a_label_has_a_name_that_begins_with_the_family(label, value):
    text, expected = unmarked(f"Corvin Hale\nWelder\n\n{label}: {value}\n\nSkills\nWelding")
    assert [(span.start, span.end) for span in mask_text(text).spans if span.rule == "other person"] == expected


@pytest.mark.parametrize("end", ["\n\f", "\n\f\n", "\f", "\n\x0b", "\n \f "])
def test_a_page_may_end_a_text(end):
    text = "Jane Doe\nNurse, Leeds\n\nReferences\nAnn Roe\nRoe Ltd, 0113 496 0000" + end
    assert mask_text(text, known_names=["Jane Doe"]).text.startswith("[NAME]\n")
    assert mask_text(text.lower()).text.endswith(end)
