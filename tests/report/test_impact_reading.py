"""What the report of an analysis of applicants says about cut-offs, positions, unknown groups and qualifications."""

import polars as pl
from test_impact_report import section

import evenhand
from evenhand.report._document import read_findings


def analysed(frame, folder, **options):
    """Run the analysis; return its findings and its report."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        evenhand.impact(frame, out=folder, **options)
    return read_findings(folder), (folder / "report.html").read_text(encoding="utf-8")


def test_scores_that_are_all_alike_leave_out_the_chart_of_ratios_and_say_why(tmp_path):
    frame = pl.DataFrame({"gender": ["women", "men"] * 30, "score": [1.0] * 60})
    options = {"score": "score", "cutoff": [3.0], "median": True, "means": True, "protected": ["gender"]}
    _, html = analysed(frame, tmp_path / "run", **options)
    swept = section(html, "cutoffs")[0]
    assert "No chart of impact ratios: at no cut-off of the sweep is anybody selected" in swept
    assert "Impact ratio by cut-off" not in swept
    assert "Selection rate by cut-off" in swept
