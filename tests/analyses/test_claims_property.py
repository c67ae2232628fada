"""Whatever options meet: what an analysis of applicants says, gates and writes follows from its claims alone."""

import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evenhand as eh
from evenhand.analyses.fail_on import gate
from evenhand.report.page.contents import page_of
from evenhand.results.measures import COMMON_ODDS_RATIO, IMPACT_RATIO
from evenhand.results.result import read_result
from evenhand.stats import holm
from properties import dear

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
#: What is never said, whatever the numbers are.
NEVER = re.compile(
    r"no adverse impact|beforehand|in advance|\bis fair\b|\bare equal\b|no difference\b(?! was detected)"
)


@st.composite
def tables(draw):
    """A table of applicants with groups of any size and rate, and the options that it is analysed with."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    groups = draw(st.integers(1, 5))
    sizes = [draw(st.sampled_from([1, 4, 12, 31, 90, 200])) for _ in range(groups)]
    rates = [draw(st.sampled_from([0.0, 0.05, 0.3, 0.5, 1.0])) for _ in range(groups)]
    group = np.repeat(np.arange(groups), sizes)
    n = group.size
    clusters, shared = draw(st.sampled_from([2, 5, 30])), draw(st.booleans())
    recruiter = rng.integers(0, clusters, n) + (0 if shared else 100) * group
    frame = pl.DataFrame(
        {
            "g": [f"g{value}" for value in group],
            "sex": rng.choice(["f", "m"], n),
            "hired": np.where(rng.random(n) < np.array(rates)[group], "yes", "no"),
            "recruiter": [f"r{value}" for value in recruiter],
            "job": rng.choice(["a", "b", "c"], n),
            "years": rng.integers(0, 4, n),
            "step": rng.choice(["screen", "offer"], n),
        }
    )
    options = {"selected": "hired", "protected": ["g", "sex"] if draw(st.booleans()) else ["g"], "report": False}
    more = {"cluster": ["recruiter"], "position": "job", "given": ["years"], "stage": "step", "min_share": 0.1}
    more |= {"reference": ["largest"], "intersectional": True}
    options |= {name: value for name, value in more.items() if draw(st.booleans())}
    if "stage" in options:
        options.pop("given", None)
    return frame, options


@dear(10)
@given(tables())
def test_everything_speaks_from_the_claims(tmp_path_factory, drawn):
    frame, options = drawn
    run = eh.impact(frame, out=tmp_path_factory.mktemp("run") / "r", **options)
    findings = run.findings
    claims = [finding.claim for finding in findings if finding.claim is not None]
    for claim in claims:
        assert (claim.verdict == "not_judged") is (claim.p is None) is (claim.p_adjusted is None)
        assert claim.p is not None or claim.reason
        if claim.p is not None:
            assert 0 <= claim.p <= claim.p_adjusted <= 1
            assert (claim.verdict == "difference") is (claim.p_adjusted < 0.05)
            assert claim.correction == (
                None if claim.family_size == 1 else "Holm" if claim.planned else claim.correction
            )
        if claim.statistic is not None and claim.df is not None and claim.p is not None:
            assert "Fisher" not in str(claim.test)
    # One family of planned comparisons, at least as strict as Holm over the claims alone.
    planned = [claim for claim in claims if claim.planned and claim.p is not None]
    assert len({(claim.family, claim.family_size) for claim in planned}) <= 1
    for claim, p in zip(planned, np.atleast_1d(holm([claim.p for claim in planned]).p) if planned else (), strict=True):
        assert claim.p_adjusted >= p - 1e-12
    # With clusters nothing takes people as independent.
    if "cluster" in options:
        assert not any("Fisher" in str(claim.test) or claim.test in {"Mantel-Haenszel", "Wald"} for claim in claims)
        assert run.rows["p_fisher"].is_null().all()
        assert not run.audit.shown.agreement
    # Who is left out is judged nowhere and is nobody's reference.
    people = frame["g"].value_counts()
    for label, n in people.iter_rows():
        if options.get("min_share", 0) * frame.height > n and "stage" not in options:
            assert not [
                finding for finding in findings if finding.reference.get("g") == label and len(finding.focal) == 1
            ]
            assert not [f for f in findings if f.focal == {"g": label} and f.claim is not None]
    # The rows of all applicants have the claims' p.
    whole = run.rows.filter(pl.col("position") == "", ~pl.col("attribute").str.contains(" x "))
    of_ratios = [f for f in findings if f.measure == IMPACT_RATIO and len(f.focal) == 1]
    assert sorted(filter(None, whole["p_adjusted"])) == sorted(filter(None, (f.p_adjusted for f in of_ratios)))
    gates(findings)
    sentences(run, findings)


def gates(findings):
    planned = [finding for finding in findings if finding.claim is not None and finding.claim.planned]
    differing = [finding for finding in planned if finding.is_difference]
    code = gate(["difference"], findings, "impact").exit_code
    assert (code == 1) is bool(differing)
    assert code != 0 or any(finding.p is not None for finding in planned)
    impact = gate(["adverse-impact"], findings, "impact").exit_code
    below = gate(["below"], findings, "impact").exit_code
    assert impact != 1 or (below == 1 and code == 1)


def sentences(run, findings):
    content = read_result(run.folder)
    opening = page_of(content).opening(content)
    said = " ".join(opening.sentences)
    assert not NEVER.search(said), said
    differing = [f for f in findings if f.claim is not None and f.claim.planned and f.is_difference]
    if not differing:
        assert not re.search(r"(?<!not )statistically significant \(", said), said
        assert "Stages with a statistically significant difference" not in said
    # Every stage with a difference is named.
    for finding in differing:
        if finding.measure == IMPACT_RATIO and finding.slice.get("stage") not in {None, "bottom line"}:
            assert finding.slice["stage"] in said
    # A difference is never in a headline behind something that is none, unless its groups are tiny.
    for finding in findings:
        if finding.measure == COMMON_ODDS_RATIO and finding.estimate is not None:
            assert finding.n == finding.claim.n_focal + finding.claim.n_reference
