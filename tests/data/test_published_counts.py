"""Published tables of counts: suppressed cells, selection rates, and groups with columns of their own."""

import polars as pl
import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.tables import open_table
from evenhand.errors import InputError

WIDE = 'Position,Applied M,Applied W,Hired M,Hired W\nClerk,120,180,30,36\nDriver,"1,075",41,20,13\n'
COLUMNS = (("women", "Hired W", "Applied W"), ("men", "Hired M", "Applied M"))


def counted(tmp_path, text, **asked):
    (tmp_path / "t.csv").write_text(text, "utf-8")
    asked = {"protected": ("g",)} | asked
    with open_table(tmp_path / "t.csv") as table:
        return count_applicants(table, ApplicantQuery(**asked))


def counts_of(frame):
    return {group: (n, chosen) for group, n, chosen in frame.select("protected.g", "n", "successes").rows()}


@pytest.mark.parametrize(
    ("rows", "lowest", "highest"),
    [
        ("a,60,<5", (60, 1), (60, 4)),
        ("a,60,*", (60, 1), (60, 4)),
        ("a,60,2-3", (60, 2), (60, 3)),
        ("a,60,≤2", (60, 1), (60, 2)),
        ("a,*,2", (4, 2), (2, 2)),
        ("a,*,x", (4, 1), (4, 4)),
        ("a,3,c", (3, 1), (3, 3)),
        ("a,60,<5\na,40,10", (100, 11), (100, 14)),
    ],
)
def test_suppressed_cells_give_the_rates_at_both_ends(tmp_path, rows, lowest, highest):
    text = f"g,n,h\nb,310,93\n{rows}\n"
    found = counted(tmp_path, text, applicants="n", selected_count="h", suppressed=(1, 4))
    assert counts_of(found.bounds.lowest) == {"b": (310, 93), "a": lowest}
    assert counts_of(found.bounds.highest) == {"b": (310, 93), "a": highest}
    assert [entry.group for entry in found.accounting.uncertain.ranges] == ["a"]


@pytest.mark.parametrize(
    ("rate", "selected", "low", "high"),
    [
        ("12%", 300, 288, 312),
        ("12,0 %", 300, 299, 301),
        (".12", 300, 288, 312),
        ("0.1200", 300, 300, 300),
        ("0%", 0, 0, 12),
        ("100%", 2500, 2488, 2500),
    ],
)
def test_rates_are_counts_with_the_range_that_rounds_to_them(tmp_path, rate, selected, low, high):
    text = f'g,n,r\na,2500,"{rate}"\n'
    found = counted(tmp_path, text + "\n", applicants="n", selection_rate="r")
    assert found.counts["successes"].sum() == selected
    bounds = found.bounds
    ends = (bounds.lowest, bounds.highest) if bounds is not None else (found.counts, found.counts)
    assert [frame["successes"].sum() for frame in ends] == [low, high]
    named = f"Selected of a: {low:,} to {high:,}, as the rates are rounded"
    assert (low == high) or found.accounting.notes[1].startswith(named)


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        ("g,n,h\na,9,<5\nb,9,4\n", {"selected_count": "h"}, "row 1 of t.csv holds '<5'.*--suppressed 1-4"),
        ("g,n,h\na,90,<11\nb,9,4\n", {"selected_count": "h", "suppressed": (1, 4)}, "row 1 .*'<11', which says more"),
        (
            "g,n,h\na,90,many\nb,9,4\n",
            {"selected_count": "h", "suppressed": (1, 4)},
            "row 1 .*'many'; expected a whole",
        ),
        ("g,n,h\na,*,9\nb,9,4\n", {"selected_count": "h", "suppressed": (1, 4)}, "Row 1 of t.csv has 9 selected of 4"),
        (
            "g,n,r\na,90,24.8\nb,9,50\n",
            {"selection_rate": "r"},
            "row 1 .*'24.8'.* no percent sign; write 24.8% or 0.248",
        ),
        ("g,n,r\na,90,20%\nb,9,.5\n", {"selection_rate": "r"}, "row 2 .*'.5'.* no percent sign, as others have"),
        ("g,n,r\na,90,-3%\nb,9,50%\n", {"selection_rate": "r"}, "row 1 .*not a rate from 0 to 100 %"),
        ("g,n,r\na,90,104%\nb,9,50%\n", {"selection_rate": "r"}, "row 1 .*not a rate from 0 to 100 %"),
        ("g,n,r\na,10,0.333\nb,9,1\n", {"selection_rate": "r"}, "row 1 .*'0.333', but no whole number of 10 people"),
        (
            'g,n,r\na,90,"24,8%"\nb,9,50.1%\n',
            {"selection_rate": "r"},
            "row 1 .*'24,8%'.* another decimal mark than '50.1'",
        ),
        ("g,n,r\na,90,\nb,9,50%\n", {"selection_rate": "r"}, "row 1 of t.csv is empty"),
    ],
)
def test_what_is_no_count_or_rate_is_refused_by_row_and_value(tmp_path, text, asked, words):
    with pytest.raises(InputError, match=words):
        counted(tmp_path, text, applicants="n", **asked)


@pytest.mark.parametrize(
    ("header", "cells", "selected"),
    [
        ("Success rate (%)", ("0.5%", "0.8%"), (10, 24)),
        ("rate_pct", ("12.5", "0.8"), (250, 24)),
        ("Erfolgsquote in Prozent", ('"12,5"', '"9,0 %"'), (250, 270)),
        ("Percentile", ("0.5", "0.8"), (1000, 2400)),
        ("% hired", ("12", "9.5%"), (240, 285)),
    ],
)
def test_rates_are_percentages_where_the_name_of_their_column_says_so(tmp_path, header, cells, selected):
    text = f"g,n,{header}\na,2000,{cells[0]}\nb,3000,{cells[1]}\n"
    found = counted(tmp_path, text, applicants="n", selection_rate=header)
    assert tuple(found.counts.sort("protected.g")["successes"]) == selected
    said = f"Numbers of '{header}' without a percent sign were read as percentages, as its name says."
    signed = all("%" in cell for cell in cells)
    assert (said in found.accounting.notes) == (header != "Percentile" and not signed)


def test_a_rate_up_to_1_in_a_column_of_percentages_is_asked(tmp_path):
    with pytest.raises(InputError, match=r"row 1 of .* holds '0.5', which may be 0.5% or the share 0.5; write 0.5% or"):
        counted(tmp_path, "g,n,Rate (%)\na,2000,0.5\nb,3000,0.8\n", applicants="n", selection_rate="Rate (%)")


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        ("g,n,h\na,9,<5\nb,9,n/a\n", {"applicants": "n", "selected_count": "h"}, "^--selected-count h: row 2 .*'n/a'"),
        ("g,n,h\na,9,c\nb,9,\n", {"applicants": "n", "selected_count": "h"}, "^--selected-count h: row 2 .* is empty"),
        ("g,n,h,m,k\na,9,<5,9,-1\n", {"wide": (("w", "h", "n"), ("m", "k", "m"))}, "^--counts k: row 1 .*'-1'"),
    ],
)
def test_a_cell_that_is_no_count_is_named_beside_suppressed_ones(tmp_path, text, asked, words):
    with pytest.raises(InputError, match=words):
        counted(tmp_path, text, suppressed=(1, 4), **asked)


def test_columns_of_groups_become_rows(tmp_path):
    found = counted(tmp_path, WIDE, position="Position", wide=COLUMNS)
    by_position = found.counts.select("position", "protected.g", "n", "successes").rows()
    assert by_position[:2] == [("Clerk", "men", 120, 30), ("Clerk", "women", 180, 36)]
    assert by_position[2:] == [("Driver", "men", 1075, 20), ("Driver", "women", 41, 13)]
    assert any(note.startswith("2 rows are 1,416 people") for note in found.accounting.notes)
    assert "Numbers of 'Applied M' were read with commas between thousands." in found.accounting.notes


def test_columns_of_groups_take_conditions_clusters_totals_and_suppressed_cells(tmp_path):
    text = WIDE + "Cook,50,<5,3,*\nTotal,1245,225,53,52\n"
    found = counted(
        tmp_path, text, wide=COLUMNS, suppressed=(1, 4), where=("Position <> 'Clerk' or Position = 'Total'",),
        totals="drop", clusters=("Position",),
    )  # fmt: skip
    assert found.accounting.where[0].rows_left_out == 300
    assert counts_of(found.counts.filter(pl.col("protected.g") == "men")) == {"men": (1125, 23)}
    assert [frame["successes"].sum() for frame in (found.bounds.lowest, found.bounds.highest)] == [37, 40]
    assert found.clustered.sizes == (2,)
