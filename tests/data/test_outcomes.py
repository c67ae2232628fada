"""A probe's run as applicants."""

import polars as pl
import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_outcomes
from evenhand.errors import InputError
from evenhand.results.schemas import conform_outcomes

ROWS = [
    # status, successes, gender, race, role
    ("observed", 1, "female", "white", "nurse"),
    ("observed", 0, "female", "black", "nurse"),
    ("observed", 1, "male", None, "pilot"),
    ("refused", None, "male", "white", "pilot"),
]


def outcomes(rows=ROWS, trials=1):
    names = ["status", "successes", "protected.gender", "protected.race", "context.role"]
    frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(
        trials=pl.lit(trials), item=pl.lit("a"), unit=pl.lit("a")
    )
    return conform_outcomes(frame)


def test_observed_judgements_are_applicants_and_the_others_are_counted(tmp_path):
    path = tmp_path / "outcomes.parquet"
    outcomes().write_parquet(path)
    for source in (path, outcomes().lazy()):
        found = count_outcomes(source, ApplicantQuery(protected=()))
        assert found.attributes == ("gender", "race")
        assert found.counts.select("protected.gender", "protected.race", "n", "successes").rows() == [
            ("female", "black", 1, 0),
            ("female", "white", 1, 1),
            ("male", None, 1, 1),
        ]
        assert found.accounting.statuses == {"observed": 3, "refused": 1}
        assert found.accounting.source == "outcomes.parquet"


def test_context_columns_go_by_their_bare_names():
    found = count_outcomes(outcomes().lazy(), ApplicantQuery(protected=("gender",), position="role"))
    assert found.counts.select("position", "n").rows() == [("nurse", 2), ("pilot", 1)]


def test_counts_of_words_are_no_decisions():
    with pytest.raises(InputError, match="counts of words"):
        count_outcomes(outcomes(trials=9).lazy(), ApplicantQuery(protected=()))


def test_a_run_without_an_observed_answer_has_no_decisions():
    with pytest.raises(InputError, match="No outcome was observed"):
        count_outcomes(outcomes(ROWS[3:]).lazy(), ApplicantQuery(protected=()))


def test_outcomes_that_are_scores_name_the_options_that_count_them():
    scored = outcomes().with_columns(
        successes=pl.lit(None, pl.Int32), score=pl.Series(range(len(ROWS)), dtype=pl.Float64)
    )
    with pytest.raises(InputError, match="are scores, not decisions; add --score score with --cutoff T or --median"):
        count_outcomes(scored.lazy(), ApplicantQuery(protected=()))
