"""Totals in tables of counts: by name and by arithmetic, in every column of keys."""

import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.tables import open_table
from evenhand.data.totals import total_name
from evenhand.errors import InputError

RACES = "race,n,h\nWhite,120,31\nBlack,40,6\nAsian,21,7\n"
CROSSED = (
    "sex,race,n,h\nMale,White,63,48\nFemale,White,369,270\nMale,Asian,54,45\nFemale,Asian,80,71\n"
    "Male,Total,117,93\nFemale,Total,449,341\nTotal,White,432,318\nTotal,Asian,134,116\nTotal,Total,566,434\n"
)
SUBTOTALS = "dept,sex,n,h\nA,M,10,6\nA,F,20,14\nA total,,30,20\nB,M,20,4\nB,F,10,2\nB total,,30,6\nOverall,,60,26\n"


def counted(tmp_path, text, protected="race", **asked):
    (tmp_path / "t.csv").write_text(text, "utf-8")
    with open_table(tmp_path / "t.csv") as table:
        asked = {"applicants": "n", "selected_count": "h"} | asked
        return count_applicants(table, ApplicantQuery(protected=tuple(protected.split(",")), **asked))


@pytest.mark.parametrize(
    ("label", "of_groups", "named"),
    [
        *(
            (label, True, "named")
            for label in ("Total", "GRAND TOTAL", "All", "Overall", "Both sexes", "All applicants")
        ),
        *((label, True, "named") for label in ("Insgesamt", "Gesamtergebnis", "Ensemble", "Total général", "Alle")),
        *((label, True, "named") for label in ("Suma", "Todos los departamentos", "Eindtotaal", "Men, total", "Σ")),
        *((label, True, None) for label in ("All other races", "Other", "Both", "Two or more races", "Allied staff")),
        *((label, True, None) for label in ("Alliance", "Totally blind", "", "General", "Combined arms")),
        ("Total Rewards", False, "maybe"),
        ("All departments", False, "named"),
    ],
)
def test_the_words_of_totals_are_whole_words(label, of_groups, named):
    assert total_name(label, of_groups=of_groups) == named


@pytest.mark.parametrize(
    ("text", "asked", "people", "note"),
    [
        (RACES + "Grand total,181,44\n", {}, 181, "The row 'Grand total' is the sum of the others and was left out."),
        ("race,n,h\nAlle,181,44\n" + RACES[9:], {}, 181, "The row 'Alle' is the sum of the others and was left out."),
        (CROSSED, {"protected": "sex,race"}, 566, "5 rows are sums of others and were left out: 'Total' of race (2)"),
        (SUBTOTALS, {"protected": "sex", "position": "dept"}, 60, "3 rows are sums of others and were left out"),
        (RACES + "Total,9,9\n", {"totals": "drop"}, 181, "The row 'Total' is a total and was left out."),
        (RACES + "Total,9,9\n", {"totals": "keep"}, 190, "'Total' is named like a total and kept as a group"),
        (RACES + "BME,61,13\n", {}, 242, "The counts of 'BME' of race are the sum of 'Black', 'Asian', which may be"),
        (RACES + "BME,61,13\n", {"totals": "drop"}, 181, "The row 'BME' is the sum of 'Black', 'Asian' and was left"),
        (RACES + "BME,61,14\n", {}, 242, "4 rows are 242 people"),
        (RACES + "Total,181,44\n", {"where": ("race <> 'Total'",)}, 181, "181 people were left out by --where"),
    ],
)
def test_totals_are_left_out_by_both_name_and_sum_and_said_first(tmp_path, text, asked, people, note):
    found = counted(tmp_path, text, **asked)
    assert found.accounting.rows_used == people
    assert found.accounting.notes[0].startswith(note)


def test_a_total_by_name_alone_is_refused_with_the_option_that_settles_it(tmp_path):
    told = r"^Row 4 of t.csv is called 'Total' in 'race'.*\(500, 140\).*--totals drop .*--totals keep"
    with pytest.raises(InputError, match=told):
        counted(tmp_path, RACES + "Total,500,140\n")


def test_a_label_of_people_is_no_total(tmp_path):
    found = counted(
        tmp_path, "race,hired\nTotal,yes\nWhite,no\n", applicants=None, selected_count=None, selected="hired"
    )
    assert found.accounting.rows_used == 2
