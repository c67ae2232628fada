"""Names: found without being told, matched however they are written, left alone where they are words."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand.masking.mask import mask_segments, mask_text, residual_categories
from evenhand.masking.names.find import find_names
from evenhand.masking.names.mentions import kind_of_token
from evenhand.masking.names.word_kinds import name_of

HEADERS = [
    "zorvik kettle\nplanner\nzorvik.kettle@example.org",
    "[00:00] okay so hi my name is felicia f. spearman and i plan\n[00:11] lab manager",
    "Emily Carter\nNurse\nemily.carter@example.org",
    "XIOMARA QUISPE\nxquispe@example.org | Lima",
    "Nguyễn Thị Minh Khai\nKế toán\nminhkhai@example.org",
    "Curriculum Vitae\n\nOluwaseun Adébáyò\nEngineer",
    "Name: Fatima al-Zahra bint Yusuf\nEngineer",
    "Kowalczyk, Agnieszka\nAnalyst | a.kowalczyk@example.org",
    "Seo-yeon Baek, PhD | s.baek@example.org",
    "R. K. Venkataraghavan\nPlanner\nrkv@example.org",
    "T H A N D I   N K O S I\nDesigner\nthandi@example.org",
    "Suharto\nTechnician\nsuharto84@example.org",
    "D'Andre Okonjo-Reyes Jr.\nTeacher\nokonjo.reyes@example.org",
    "Ludmila van den Heuvel\nChemist\nheuvel@example.org",
    "From: Tsvetana Hristova <th@example.org>\nSubject: Application",
]


@pytest.mark.parametrize("header", HEADERS)
def test_a_name_in_no_list_is_found_by_its_place(header):
    words = {"Nurse", "Engineer", "Analyst", "Planner", "Designer", "Technician", "Teacher", "Chemist"}
    name = find_names(header).person[0]
    masked = mask_text(
        f"{header}\n\nExperience\nActed as team lead; {name.text.split()[0].strip(',')} was praised."
    ).text
    left = {token for token in name.tokens if token in masked.lower()}
    assert not left
    assert words & set(header.split()) <= set(masked.split())


def test_the_same_layout_finds_names_of_any_letters():
    names = ["Ann Lee", "Xyqua Brzvt", "Ngqonq Mthwb", "Þórunn Ægisdóttir", "Đặng Ỷ Lan"]
    for name in names:
        text = f"{name}\nHarbour Pilot\n12 ships\n\nSkills\nKnots"
        assert mask_text(text).text.startswith("[NAME]\nHarbour")


def test_a_name_after_a_side_column_is_found():
    text = "Languages\nXhosa (native)\n\nZIMKHITHA\nMQHAYI\nCharge Nurse\n\nProfile\nLed a ward."
    assert mask_text(text).text == text.replace("ZIMKHITHA\nMQHAYI", "[NAME]")


@pytest.mark.parametrize("name", ["So-young Do", "Grace Bell", "Yaw Mensah", "Bogumiła Szczepańska", "Pearl Major"])
def test_whom_a_biography_is_about_is_found(name):
    text = f"For twelve years, {name} has run clinics in three towns. {name.split()[0]} began as a nurse."
    assert not set(name.split()) & set(mask_text(text).text.replace(".", " ").split())


def test_file_name_and_metadata_name_the_person():
    text = "Ledger clerk\nOkwuosa kept the books; Ifunanya left."
    assert mask_text(text, file_name="Okwuosa_Ifunanya_CV_2024.pdf").text.count("[NAME]") == 2
    assert mask_text(text, metadata=["Ifunanya Okwuosa"]).text.count("[NAME]") == 2
    for title in ("CV Ifunanya Okwuosa", "Ifunanya_Okwuosa_Resume", "Resume - Ifunanya Okwuosa"):
        masked = mask_text(f"{text} My CV and resume are here.", metadata=[title])
        assert masked.text.endswith("My CV and resume are here.")
        assert masked.text.count("[NAME]") == 2


def test_segments_share_the_names_of_their_document():
    names = find_names("Zanele Dlamini\nzdlamini@example.org")
    parts = mask_segments(["Page 2", "Dlamini wrote it"], names)
    assert [part.text for part in parts] == ["Page 2", "[NAME] wrote it"]


def test_what_survives_is_told():
    names = find_names("", known_names=["Zanele Dlamini"])
    assert residual_categories("[NAME] wrote to [EMAIL]", names=names) == ()
    assert residual_categories("Dlamini wrote to a@example.org", names=names) == ("NAME", "EMAIL")


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.text("abcdeéłäöüß'- ", min_size=3, max_size=20))
def test_spans_are_ordered_apart_and_inside_the_text(text, name):
    whole = f"{text} {name.title()} {text}"
    masked = mask_text(whole, known_names=[name.title()])
    edges = [edge for span in masked.spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(whole) for edge in edges)


@given(st.from_regex(r"[BCDFGHKLMNPRST][aeiou][bdfgklmnprst]{1,2}[aeiou]{1,2}[bdfgklmnrst]", fullmatch=True))
def test_no_form_of_a_known_surname_is_left(surname):
    assume(kind_of_token(surname.lower()) is None)  # `(Milan)` may be the town
    name = f"Jane {surname}"
    text = f"{name}, J. {surname}, {surname.upper()}'s, {surname}, Jane; jane{surname.lower()}@x.org; ({surname})"
    assert surname.lower() not in mask_text(text, known_names=[name]).text.lower()


def test_masking_again_changes_nothing():
    text = "Jane Doe (she/her)\njane@example.org\nChair of the LGBTQ+ network; Muslim; Black Student Union"
    once = mask_text(text, known_names=["Jane Doe"]).text
    assert mask_text(once, known_names=["Jane Doe"]).text == once


def test_parts_of_a_name():
    assert name_of("Dr. José de la Cruz Jr.").tokens == ("jose", "cruz")
    assert name_of("formerly Siobhán Daly").tokens == ("siobhan", "daly")


@pytest.mark.parametrize("address", ["june.castell@example.org", "hello@example.org"])
def test_a_name_that_is_clear_or_confirmed_is_read_like_a_given_one(address):
    said = "Well done, June! Guests asked for June by name in June 2019."
    masked = mask_text(f"June Castell\nWelder\n{address}\n\nFeedback\n{said}").text
    assert masked.endswith("Well done, [NAME]! Guests asked for [NAME] by name in June 2019.")


# Texts of data sets have lost their line breaks, to two blanks or to none, and stand in quotes.
_LOST = "Wrote tests and kept the build green. Taught the new staff how reviews are done. " * 3


@pytest.mark.parametrize(
    "text",
    [
        f'"Ngozi Okafor  12 Elm Road  Springfield, IL  Summary  {_LOST}"',
        f"Ngozi Okafor Lagos Email me on Indeed {_LOST}",
        f"Ngozi Okafor Software Developer  Abuja  {_LOST}",
        f'"Ngozi Okafor  Summary  J O I N E R   A N D   C O O K  {_LOST}"',
    ],
)
def test_the_name_begins_a_text_that_lost_its_lines(text):
    assert "Okafor" not in mask_text(text).text
    assert "Ngozi" not in mask_text(text).text


def test_a_town_that_begins_a_text_without_lines_is_no_name():
    assert mask_text(f"Lagos Nigeria Email me on Indeed {_LOST}").names == ()


@pytest.mark.parametrize("kept", ["Hillside Primary School", "Holt Renfrew Group", "the OSHC programme"])
def test_a_firm_that_has_somebodys_name_stays(kept):
    people = "References: Mr. Tom Hillside, Ms. Ann Renfrew, head of care"
    text = f"Ngozi Okafor\nn.okafor@example.org\n\n{people}\nWorked for {kept} in 2019."
    assert kept in mask_text(text).text
