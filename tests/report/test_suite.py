"""The first screen of a suite: one row per probe, with the measure that says most of it."""

import pytest
from invented import contrast, document, finding
from page import Page, rendered
from test_tables import table


def suite(rows, titles):
    names = {probe: [row["name"] for row in rows if row["probe"] == probe] for probe in titles}
    probes = [
        {"probe": name, "title": title, "folder": name, "headline": names[name]} for name, title in titles.items()
    ]
    return rendered(document(rows, kind="suite", probes=probes, headline=None, question=None, example=None))


def measure(name, estimate, half, verdict, mark, *, probe="one"):
    return contrast(name, name, estimate, half, verdict=verdict, mark=mark, marks_touched=[mark], probe=probe)


def first(*rows):
    """Return the row of the only probe: estimate, interval, n, worst mark, significant."""
    (line,) = table(suite(rows, {"one": "One"}), "The strongest measure of each probe")
    return tuple(line.values())


def test_a_probe_has_one_row_however_many_measures_it_has():
    rows = [
        measure(f"m{n}", n / 10, 0.02, "difference", "B", probe=probe) for n in (1, 2, 3) for probe in ("one", "two")
    ]
    lines = table(suite(rows, {"one": "One", "two": "Two"}), "The strongest measure of each probe")
    assert [next(iter(line.values())).partition(":")[0] for line in lines] == ["One", "Two"]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (
            [
                measure("small", 0.1, 0.02, "difference", "B"),
                measure("unsure", 0.6, 0.7, "no_difference_detected", "D"),
            ],
            ("+10.0 points", "+8.0 to +12.0", "D (of another measure)", "yes, 1 of 2 measures"),
        ),
        (
            [measure("small", 0.1, 0.02, "difference", "B"), measure("large", -0.6, 0.1, "difference", "D")],
            ("−60.0 points", "−70.0 to −50.0", "D", "yes, 2 of 2 measures"),
        ),
        (
            [
                measure("a", 0.01, 0.02, "no_difference_detected", "A"),
                measure("b", 0.1, 0.2, "no_difference_detected", "B"),
            ],
            ("+10.0 points", "−10.0 to +30.0", "B", "no"),
        ),
        ([measure("only", 0.1, 0.02, "difference", "B")], ("+10.0 points", "+8.0 to +12.0", "B", "yes")),
    ],
)
def test_a_significant_measure_is_told_before_others_then_the_worst_mark(rows, cells):
    estimate, interval, _, *others = first(*rows)[1:]
    assert (estimate, interval, *others) == cells


def test_a_probe_without_a_value_says_that_nothing_was_computed():
    assert first(contrast("none", "none", None, reason="Nothing.", n=0, probe="one"))[1:] == ("not computed",)


def test_the_measures_of_a_probe_stand_in_its_chapter():
    rows = [measure("m1", 0.1, 0.02, "difference", "B"), measure("m2", 0.2, 0.02, "difference", "C")]
    html = suite(rows, {"one": "One"})
    assert len(table(html, "Headline measures")) == 2
    assert 'href="one/report.html"' in html


def test_a_measure_around_one_half_is_told_by_its_own_value():
    row = finding("rate", "rate", 0.56, 0.01, probe="one", null_value=0.5, verdict="difference")
    assert first(row)[1:3] == ("56.0 %", "55.0 to 57.0")


def test_what_was_found_stands_in_one_paragraph_per_probe():
    rows = [measure(f"m{n}", n / 10, 0.02, "difference", "B", probe=probe) for n in (1, 2) for probe in ("one", "two")]
    said = Page(suite(rows, {"one": "One", "two": "Two"})).text("p")
    told = [text for text in said if text.startswith(("One: ", "Two: "))]
    assert len(told) == 2
    assert all(text.count("statistically significant") == 2 for text in told)
