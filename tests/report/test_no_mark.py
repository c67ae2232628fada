"""A measure whose marks don't apply to these prompts: no mark, no bands, and why."""

from invented import audit, finding
from page import rendered

from evenhand.report.words.results import detail_sentences
from evenhand.results.finding import FINDINGS_SCHEMA
from evenhand.results.result import parsed_result as checked

WHY = "The prompts offer more candidates of one group than of the other."
BANDS = {"masculine_rate": {"centre": 0.5, "edges": [0.03, 0.08, 0.2, 0.5], "source": "the card"}}
OFF_CENTRE = {"details": {"type": "verdict_basis", "chance": 0.25, "no_mark": WHY}, "null_value": 0.25}
MARKED = {"mark": "D", "marks_touched": ["D"], "null_value": 0.5}


def rate(estimate=0.26, **others):
    return finding(
        "masculine_rate", "masculine_rate", estimate, 0.04, role="planned", verdict="no_difference_detected", **others
    )


def page(*rows, **others):
    block = audit(bands=BANDS, headline=["masculine_rate"], slices=["role"], **others)
    return rendered({"schema": FINDINGS_SCHEMA, "audit": block, "findings": list(rows)})


def test_the_detail_says_why_there_is_no_mark_and_what_chance_gives():
    content = checked({"schema": FINDINGS_SCHEMA, "audit": audit(bands=BANDS), "findings": [rate(**OFF_CENTRE)]})
    said = detail_sentences(content.findings[0])
    assert (
        "There is no mark: the prompts offer more candidates of one group than of the other. Chance gives 25.0 %."
    ) in said


def test_bands_are_neither_drawn_nor_listed_where_they_do_not_apply():
    without, with_marks = page(rate(**OFF_CENTRE)), page(rate(**MARKED))
    for told in ("A to D are the marks by distance", "Bands: the card"):
        assert told in with_marks
        assert told not in without


def in_role(role, estimate, **others):
    return rate(estimate, slice={"role": role}, **others) | {"name": f"{role}_masculine_rate", "role": "exploratory"}


def test_slices_with_other_values_of_chance_share_no_line():
    alike = page(rate(0.5, **MARKED), in_role("pilot", 0.5, **MARKED), in_role("baker", 0.4, **MARKED))
    apart = page(rate(0.5, **MARKED), in_role("pilot", 0.5, **MARKED), in_role("baker", 0.26, **OFF_CENTRE))
    figure = "Within parts of the run"
    assert alike.partition(figure)[2].count('class="marked"') > apart.partition(figure)[2].count('class="marked"')


def compared(first, second):
    block = {"probe": "p", "title": "P", "bands": BANDS, "headline": ["masculine_rate"], "runs": []}
    rows = [
        row | {"name": f"p_masculine_rate_{model}", "slice": {"model": model}, "role": "descriptive"}
        for model, row in (("one", first), ("two", second))
    ]
    return page(*rows, kind="compare", probes=[block])


def test_models_beside_each_other_have_the_edges_of_mark_a_only_where_both_have_marks():
    assert "the edges of mark A" in compared(rate(**MARKED), rate(0.5, **MARKED))
    assert "the edges of mark A" not in compared(rate(**MARKED), rate(0.5, **OFF_CENTRE))
