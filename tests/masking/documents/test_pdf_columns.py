"""Columns, sidebars and tables of a PDF: what is read down, what across; names are masked in all of them."""

import io

import pdfplumber
import pytest
from reportlab.pdfgen import canvas

from evenhand.masking.documents import pdf
from evenhand.masking.documents.pdf_layout import Word, lines_of
from evenhand.masking.documents.request import Request

SIDEBARS = {
    "short lines": ["CONTACT", "Ngozi", "Okaforo", "312-555-0188", "ngozi.okaforo", "@example.org", "HOBBIES", "Go"],
    "labels above": ["CONTACT", "Name", "Ngozi Okaforo", "E-mail", "ngozi.okaforo@", "example.org", "SKILLS", "Excel"],
    "colons above": ["Name:", "Ngozi", "Okaforo", "Phone:", "312-555-0188", "Email:", "ngozi@example.org"],
    "no headings": ["Ngozi", "Okaforo", "Leeds", "Excel", "Stata", "312-555-0188"],
    "dates": ["Ngozi", "Okaforo", "EDUCATION", "BSc Law", "2008 - 2011", "2013", "ngozi.okaforo", "@example.org"],
}  # fmt: skip
MAINS = {
    "short lines": ["EXPERIENCE", "Auditor", "Bell & Sons", "2015 - 2020", "SKILLS", "Excel", "EDUCATION", "BSc Law"],
    "dates before": [
        "2016 - 2020 Senior auditor, Bell & Sons", "2012 - 2016 Auditor, Marsh & Co", "2010 - 2012 Trainee, Hull",
        "2008 - 2010 Clerk", "EXPERIENCE", "SKILLS", "EDUCATION",
    ],
    "sentences": [
        "EXPERIENCE", "Senior auditor, Bell & Sons, 2015 - 2020", "Led the audit of all of the accounts of a firm",
        "and wrote the handbook that all of its teams use", "for their yearly reports.", "SKILLS", "Excel, Stata",
        "Auditor, Marsh & Co, 2010 - 2015", "Wrote reports about farms and mills", "EDUCATION", "BSc in Law",
    ],
}  # fmt: skip
CROSSING = "Curriculum vitae of an auditor who has worked for farms and mills all over the country until now"


def _drawn(*columns, pitch=13, top=780, above=None, align=(), size=10):
    """Return a PDF of columns (left edge, lines) whose lines stand on the same levels."""
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(595, 842))
    page.setFont("Helvetica", size)
    if above is not None:
        page.drawString(40, top + pitch, above)
    for number, (edge, lines) in enumerate(columns):
        draw = page.drawRightString if number in align else page.drawString
        for place, line in enumerate(lines):
            draw(edge, top - pitch * place, line)
    page.save()
    return file.getvalue()


def _shown(content):
    result = pdf.masked_pdf(content, Request()).content
    with pdfplumber.open(io.BytesIO(result)) as read:
        return "\n".join(page.extract_text() for page in read.pages).splitlines()


@pytest.mark.parametrize(
    ("pitch", "edges", "above"),
    [(12, (40, 220), None), (12, (40, 220), CROSSING), (14, (430, 40), CROSSING), (18, (40, 160), None)],
)
@pytest.mark.parametrize("main", MAINS)
@pytest.mark.parametrize("sidebar", SIDEBARS)
def test_a_sidebar_on_the_lines_of_the_text_keeps_no_name(sidebar, main, pitch, edges, above):
    side, text = (edges[0], SIDEBARS[sidebar]), (edges[1], MAINS[main])
    shown = _shown(_drawn(*sorted([side, text]), pitch=pitch, above=above))
    assert not [line for line in shown if "okaforo" in line.lower() or "ngozi" in line.lower()]
    assert "[NAME]" in shown
    # Neither column has words of the other on its lines.
    assert {"EXPERIENCE", "SKILLS", "EDUCATION"} <= set(shown)


@pytest.mark.parametrize(("edge", "align"), [(110, ()), (190, (0,))])
def test_a_sidebar_is_read_down_before_the_text(edge, align):
    side, text = SIDEBARS["short lines"], MAINS["sentences"]
    assert _shown(_drawn((edge if align else 40, side), (220, text), align=align)) == [
        "CONTACT", "[NAME]", "312-555-0188", "[EMAIL]", "HOBBIES", "Go",
        *text[:3], " ".join(text[3:5]), *text[5:],
    ]  # fmt: skip


def test_columns_between_lines_of_the_whole_page_are_read_down():
    side, text = SIDEBARS["no headings"], MAINS["sentences"][1:7]
    rows = [CROSSING, *side, CROSSING]
    shown = _shown(_drawn((40, rows), (220, ["", *text])))
    assert (shown[0], shown[1], shown[-1]) == (CROSSING, "[NAME]", CROSSING)
    assert shown.index("Stata") < shown.index("Senior auditor, Bell & Sons, 2015 - 2020")


def test_a_referee_on_two_lines_of_a_sidebar_is_masked():
    side = ["CONTACT", "ngozi@example.org", "Leeds", "REFERENCES", "Bertrand", "Ikwuemesi", "Manager"]
    shown = _shown(_drawn((40, side), (220, MAINS["sentences"]), above="Ngozi Okaforo"))
    assert shown[:6] == ["[NAME]", "CONTACT", "[EMAIL]", "Leeds", "REFERENCES", "[NAME]"]


@pytest.mark.parametrize("size", [10, 24])
@pytest.mark.parametrize("contacts", [1, 2, 3])
def test_a_name_on_two_lines_beside_contacts_is_masked(size, contacts):
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(595, 842))
    for place in range(2):
        page.setFont("Helvetica", size)
        page.drawString(40, 780 - 1.2 * size * place, ("Ngozi", "Okaforo")[place])
    page.setFont("Helvetica", 10)
    for place, line in enumerate(("312-555-0188", "no@example.org", "www.example.org")[:contacts]):
        page.drawRightString(555, 780 - 1.2 * size * place, line)
    for place, line in enumerate(MAINS["sentences"]):
        page.drawString(40, 680 - 13 * place, line)
    page.save()
    shown = _shown(file.getvalue())
    assert shown[0] == "[NAME]"
    assert not [line for line in shown if "kaforo" in line]


TABLES = {
    "known labels": (["Name", "E-mail", "Sex", "Marital status"], ["Ngozi Okaforo", "no@example.org", "F", "Married"]),
    "colons": (["Name:", "Mail:", "Gender:", "Shoe size:"], ["Ngozi Okaforo", "no@example.org", "Female", "39"]),
    "parts": (["First name", "Last name", "Nationality", "Phone"], ["Ngozi", "Okaforo", "Nigerian", "312-555-0188"]),
    "wrapped": (["Name", "Address", "", "Sex", "Faith"], ["Ngozi Okaforo", "12 Mill Lane,", "Leeds", "F", "Catholic"]),
}  # fmt: skip


@pytest.mark.parametrize("pitch", [13, 20])
@pytest.mark.parametrize("align", [(), (0,)])
@pytest.mark.parametrize("table", TABLES)
def test_labels_and_their_values_are_read_across(table, align, pitch):
    labels, values = TABLES[table]
    shown = _shown(_drawn((130 if align else 40, labels), (160, values), align=align, pitch=pitch))
    rows = [line for line in shown if line.split("[")[0].strip(" :") in {label.strip(":") for label in labels}]
    told = {
        "Name",
        "First name",
        "Last name",
        "E-mail",
        "Mail",
        "Sex",
        "Gender",
        "Marital status",
        "Nationality",
        "Faith",
    }
    assert len([row for row in rows if "[" in row]) == len([label for label in labels if label.strip(":") in told])
    assert not [line for line in shown if "kaforo" in line]


MARGINS = {
    "dates and places": [
        ("Bell & Sons", "Leeds, UK"), ("Senior auditor", "2015 - 2020"), ("Led the audits", ""),
        ("Marsh & Co", "Hull"), ("Auditor", "2010 - 2015"), ("Wrote reports", ""),
    ],
    "dates before": [
        ("2015 - 2020", "Senior auditor, Bell & Sons"), ("", "Led the audits"), ("2010 - 2015", "Auditor, Marsh & Co"),
        ("Since 2020", "Consultant"),
    ],
    "grades": [("Excel", "Expert"), ("Stata", "Advanced"), ("Igbo", "Fluent")],
    "columns with heads": [("Degree", "Year"), ("BSc in Law", "2008"), ("MSc in Tax", "2010"), ("Diploma", "2011")],
}  # fmt: skip


@pytest.mark.parametrize("align", [(), (1,)])
@pytest.mark.parametrize("margin", MARGINS)
def test_dates_places_and_grades_stay_on_their_lines(margin, align):
    left, right = zip(*MARGINS[margin], strict=True)
    shown = _shown(_drawn((40, left), (420 if align else 260, right), above="Ngozi Okaforo", align=align))
    assert shown[1:] == [" ".join(filter(None, row)) for row in MARGINS[margin]]


def test_headings_dates_and_labels_begin_lines_below_the_longest_one():
    lines = [
        "Ngozi Okaforo", "no@example.org | 312-555-0188 | www.example.org/okaforo", "EXPERIENCE", "Auditor, Leeds",
        "Led the audit of many farms in the north of the land", "2010 - 2012: assistant at Marsh & Co",
        "Wrote the reports on all of the mills on the river", "Tools: Excel", "Wrote the handbook of the firm, 2009",
        "Seminars",
    ]  # fmt: skip
    shown = _shown(_drawn((40, lines)))
    assert shown[1:] == ["[EMAIL] | 312-555-0188 | [URL]", *lines[2:]]


def _page(rows, *, bold=(), size=10.0):
    """Return words of rows at their heights: height, left text, right text."""
    words = []
    for top, left, right in rows:
        for edge, text in ((50.0, left), (200.0, right)):
            at = edge
            for word in text.split():
                words.append(Word(word, at, top, at + 5 * len(word), top + size, size, top in bold and edge > 100))
                at += 5 * len(word) + 3
    return words


RECORDS = [
    (0, "2018 - 2022", "Analyst, Kestrel Freight"),
    (13, "Leeds", "Planned the night routes for forty vans"),
    (26, "", "and a rota of nine drivers."),
    (47, "2015 - 2018", "Clerk, Marlow Mills"),
    (60, "York", "Counted the stock every quarter."),
    (73, "", "Wrote the handbook."),
]


def test_a_date_and_its_place_stay_with_what_stands_beside_them():
    told = [line.text for line in lines_of(_page(RECORDS))]
    assert told[:3] == ["2018 - 2022", "Leeds", "Analyst, Kestrel Freight"]
    assert told[5:8] == ["2015 - 2018", "York", "Clerk, Marlow Mills"]


def test_heads_of_records_may_be_bold_instead_of_apart():
    even = [(13 * number, left, right) for number, (_, left, right) in enumerate(RECORDS)]
    told = [line.text for line in lines_of(_page(even, bold={0, 39}))]
    assert told[5:8] == ["2015 - 2018", "York", "Clerk, Marlow Mills"]


def test_dates_of_a_sidebar_are_not_put_into_the_text_beside_it():
    even = [(13 * number, left, right) for number, (_, left, right) in enumerate(RECORDS)]
    told = [line.text for line in lines_of(_page(even))]
    assert told[:4] == ["2018 - 2022", "Leeds", "2015 - 2018", "York"]
