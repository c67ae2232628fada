"""Totals in tables of counts: by name and by arithmetic, in every column of keys."""

from datetime import UTC, datetime

import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.daily import DatedQuery, dated_judgements
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
        *(
            (label, True, "named")
            for label in ("Suma", "Todos los departamentos", "Eindtotaal", "Men, total", "Persons")
        ),
        *((label, True, None) for label in ("All other races", "Other", "Both", "Two or more races", "Allied staff")),
        *(
            (label, True, None)
            for label in ("Persons of color", "Alliance", "Totally blind", "", "General", "Combined arms")
        ),
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


PIVOT = "race,sex,n,h\nWhite,F,100,20\nWhite,M,120,40\nBlack,F,60,9\nBlack,M,50,11\n,F,160,29\n,M,170,51\n"
MINORITY = "race,n,h\nBlack,40,6\nMinority,61,13\nAsian,21,7\nWhite,120,31\nOverall,181,44\n"


@pytest.mark.parametrize(
    ("text", "asked", "people", "note"),
    [
        (PIVOT, {"protected": "sex"}, 330, "2 rows are sums of others and were left out: a blank race (2); --to"),
        (PIVOT + ",,330,80\n", {"protected": "race,sex"}, 330, "3 rows are sums of others and were left out: a blank"),
        (PIVOT, {"totals": "keep"}, 660, "Rows with a blank race (2) are sums of others and counted all the same"),
        (PIVOT.replace("170,51", "171,51"), {"protected": "race,sex"}, 661, "The counts of a blank race are the sum"),
        (PIVOT.replace("170,51", "171,51"), {"protected": "race,sex", "totals": "drop"}, 501, "The row with a blank r"),
        (RACES + ",181,44\n", {}, 181, "The row with a blank race is the sum of the others and was left out; --totals"),
        (RACES + ",18,4\n", {}, 199, "4 rows are 199 people"),
        ("race,n,h\nWhite,20,5\n,20,5\n", {}, 40, "2 rows are 40 people"),
        ("race,x,n,h\nWhite,,20,5\nBlack,y,9,3\n,,29,8\n", {}, 29, "The row with a blank race is the sum of the"),
        (MINORITY, {}, 242, "The row 'Overall' is the sum of 'Black', 'Asian', 'White' and was left out."),
    ],
)
def test_rows_without_a_label_that_are_sums_of_all_others_are_totals(tmp_path, text, asked, people, note):
    found = counted(tmp_path, text, **asked)
    assert found.accounting.rows_used == people
    assert found.accounting.notes[0].startswith(note)


STACKED = "race,n,h\nwomen,50,15\nmen,60,25\n{},30,8\n{},80,32\n"
REGIONS = "region,sex,n,h\nAll of {0},F,300,60\nAll of {0},M,350,81\nAll of {0},X,60,5\n"
PARTS = "North,F,100,15\nNorth,M,150,30\nNorth,X,40,<5\nSouth,F,200,45\nSouth,M,200,51\nSouth,X,20,*\n"
RATES = "region,sex,n,r\nEngland,F,3000,20.0%\nEngland,M,3500,24.0%\nNorth,F,1000,15.0%\nNorth,M,1500,20.0%\n"
RATES += "South,F,2000,22.5%\nSouth,M,2000,27.0%\n"
HIDDEN = {"protected": "sex", "position": "region", "suppressed": (1, 4)}
RATED = {"protected": "sex", "position": "region", "selected_count": None, "selection_rate": "r"}


@pytest.mark.parametrize(
    ("text", "asked", "people", "note"),
    [
        (REGIONS + PARTS, HIDDEN, 710, "3 rows are sums of others, as far as counts are known, and were"),
        (REGIONS.replace("All of {0}", "UK") + PARTS, HIDDEN, 1420, "The counts of 'UK' of region are, as far as"),
        (
            REGIONS.replace("All of {0}", "UK") + PARTS,
            HIDDEN | {"totals": "drop"},
            710,
            "3 rows are sums of others, as",
        ),
        (REGIONS.replace("60,5", "60,9") + PARTS, HIDDEN, None, "is called 'All of .0.' in 'region', the name of a"),
        (RACES + "BAME,61,7\nMixed,50,*\n", {"suppressed": (1, 4)}, 292, "1 count is not shown"),
        (
            RACES.replace(",7", ",*") + "BAME,61,8\n",
            {"suppressed": (1, 4)},
            242,
            "The counts of 'BAME' of race are, as",
        ),
        (RATES, RATED, 13_000, "The counts of 'England' of region are, as far as counts are known, the sum of all"),
        (RATES, RATED | {"totals": "drop"}, 6_500, "2 rows are sums of others, as far as counts are known, and were"),
        (
            RACES + "Toutes origines,181,44\n",
            {},
            181,
            "The row 'Toutes origines' is the sum of the others and was left",
        ),
        (RACES + "Overall result,181,44\n", {}, 181, "The row 'Overall result' is the sum of the others and was left"),
        (RACES + "All-rounders,182,44\nTotal,363,88\n", {}, 363, "The row 'Total' is the sum of the others and was"),
        (RACES + "All other races,181,44\n", {}, 362, "The counts of 'All other races' of race are the sum of all o"),
        ("race,n,h\nA,90,12\nB,110,18\nC,150,24\nD,50,6\nAll,200,30\n", {}, None, "sum of 'A', 'B', and again of 'C'"),
        (
            STACKED.format("black", "white"),
            {},
            None,
            "Row 3 of t.csv, 'black' of .*, is a group of race, and",
        ),
        (STACKED.format("black", "white").replace("32", "30"), {}, None, "'women', 'men' are groups of gender"),
        (STACKED.format("40+", "Other"), {}, None, "'40.' of 'race', is a group of age, .* --where \"race in .'women'"),
        (
            STACKED.format("local", "expat"),
            {},
            220,
            "The counts of 'women', 'men' of race have the same sums",
        ),
        (STACKED.format("local", "expat").replace("32", "30"), {}, 220, "4 rows are 220 people"),
        ("sex,race,n,h\nF,,90,9\nM,,60,9\n,W,80,9\n,B,70,9\n", {"protected": "sex,race"}, None, "none in both"),
    ],
)
def test_totals_are_found_where_counts_are_known_within_bounds_and_by_any_noun(tmp_path, text, asked, people, note):
    if people is None:
        with pytest.raises(InputError, match=note):
            counted(tmp_path, text, **asked)
        return
    found = counted(tmp_path, text, **asked)
    assert found.accounting.rows_used == people
    assert found.accounting.notes[0].startswith(note)


def test_a_total_by_name_alone_is_refused_with_the_option_that_settles_it(tmp_path):
    told = r"^Row 4 of t.csv is called 'Total' in 'race'.*\(500, 140\).*--totals drop .*--totals keep"
    with pytest.raises(InputError, match=told):
        counted(tmp_path, RACES + "Total,500,140\n")


def test_the_name_of_a_total_is_no_person_unless_it_is_mapped(tmp_path):
    text, asked = (
        "day,race,hired\n2026-01-02,W,yes\n2026-01-02,B,no\n2026-01-02,Total,no\n",
        {"applicants": None, "selected_count": None},
    )
    with pytest.raises(InputError, match=r"Row 3 of t.csv is called 'Total' in 'race', .* --map race:Total=Total"):
        counted(tmp_path, text, selected="hired", **asked)
    with (
        pytest.raises(InputError, match=r"Row 3 of t.csv is called 'Total'"),
        open_table(tmp_path / "t.csv") as table,
    ):
        dated_judgements(table, DatedQuery(time="day", selected="hired", protected=("race",)), now=datetime.now(UTC))
    mapped = ("race:Total=Total",)
    assert counted(tmp_path, text, selected="hired", mapped=mapped, **asked).accounting.rows_used == 3
    found = counted(tmp_path, RACES + "Total,500,140\n", mapped=mapped)
    assert (found.accounting.rows_used, found.accounting.totals) == (681, ())
