"""Years of study and names of schools on pages of two columns, in small letters, after labels, and of short courses."""

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from marked_text import unmarked

ALL = MaskOptions(optional=tuple(OPTIONAL))

COLUMNS = (
    "SKILLS                          PROFILE\n"
    "forklift                        Planner with a record in stock control, at\n"
    "SAP                             ease with figures and with people.\n"
    "\n"
    "EDUCATION                       EXPERIENCE\n"
    "BSc Logistics                   Transport Planner, Acme Freight\n"
    "[[Keele University]]                02/2016 - 05/2020\n"
    "[[2009 - 2012]]                     - Led the move of two depots in 2018.\n"
    "                                - Planned routes for 32 vehicles.\n"
    "                                - Hired eleven people for nights.\n"
    "                                - Wrote the handbook of the depot.\n"
    "LANGUAGES                       - Trained drivers.\n"
    "Portuguese                      - Kept costs within 2% of plan.\n"
)
MARKED = [
    COLUMNS,
    "He holds a Master of Arts from [[SUNY Albany]] ([[1999 – 2003]]).",
    "He has a degree in law from [[Keele University]] ([[1995 -\n1998]]). He taught himself.",
    "EDUCATION\n[[1993 – 1995]]\tCertificate in Plumbing\n\t[[Loyola College]]",
    "After finishing at [[SUNY Oswego]] in [[2021]] I went straight into work.",
    "EDUCATION\nSecondary School Diploma | [[Glebe Collegiate]] | [[2019]]",
    "EDUCATION\nMatura, [[XIV Liceum Ogólnokształcące]], [[2003 – 2009]]",
    "EDUCATION\n[[Ark Academy Wembley]]   [[June 2023]]",
    "EDUCATION\nWeb development, [[General Assembly]], 2019",
    "* mba @ [[lehigh county community college]], graduated [[2001]]",
    "EDUCATION\nLeaving Certificate (530 points), [[Coláiste Íosagáin]], [[2004]]",
    "EDUCATION\n[[Keele University]]\nBSc Office Management, [[Sept 1985 - June 1989]]",
    "EDUCATION\n[[EDHEC]] — Master 2 Logistics ([[May 1989]])",
    "EDUCATION\nHigher secondary certificate, [[Doha Baccalaureate School]], [[2003]]",
    "EDUCATION\nWAEC | [[King's College, Lagos]] | [[1999]]",
    "EDUCATION\nA-LEVELS AT [[HARRIS ACADEMY PECKHAM]] IN [[1994]]",
    "EDUCATION\nBSC, [[GEORGIA TECH]], ATLANTA, [[2001]]",
    "EDUCATION\nBA, [[INDIAN SCHOOL OF MINES]] WITH HONOURS, [[1999]]",
    "education\nbsc (hons) mathematics, [[ucl]], [[2004-2007]]",
    "education\n[[1999 - 2002]]  [[stoke-on-trent sixth form college]], btec sport",
    "education\nhnd catering from [[university of ulster]] with merit, passed out in [[2002]]",
]
KEPT = [
    "Presented to the General Assembly of shareholders in 2019.",
    "* taught maths at a high school for three years",
    "Trade Union College: lecturer",
    "Founder of Smith Ltd (1980 — 1984).",
    "Scrum Master, Acme, 2014",
    "Certificate in First Aid, Red Cross, 2019",
    "School: none",
    "EDUCATION\nA-levels: Further Mathematics (A), English Literature (B), Media Studies (C)",
    "education\nthesis on the history of the school meal; certificate in first aid",
    "EDUCATION\nModules: SQL, ALS, HTML",
    "Alumna of the Girls in Data mentoring programme and of the Kettering Scholars",
    "Improved the model to 0.79 AUC.",
]


@pytest.mark.parametrize("marked", MARKED)
def test_years_and_schools_are_masked(marked):
    text, expected = unmarked(marked)
    spans = mask_text(text, options=ALL).spans
    found = [(span.start, span.end) for span in spans if span.category in {"GRADYEAR", "SCHOOL"}]
    assert [each for each in expected if each not in found] == []


def test_years_of_a_job_in_the_other_column_stay():
    text, expected = unmarked(COLUMNS)
    found = [(span.start, span.end) for span in mask_text(text, options=ALL).spans if span.category == "GRADYEAR"]
    assert set(found) <= set(expected)


@pytest.mark.parametrize("text", KEPT)
def test_what_looks_alike_is_kept(text):
    spans = mask_text(text, options=ALL).spans
    assert [text[span.start : span.end] for span in spans if span.category in {"GRADYEAR", "SCHOOL"}] == []
