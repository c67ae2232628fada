"""Audit blocks and details: dataclasses to JSON and back, and what a damaged file is told."""

import pytest

from evenhand.errors import InputError
from evenhand.results.audit import CounterfactualAnswer, Facts, ProbeAudit
from evenhand.results.finding import (
    AdjustedFor,
    AdjustedOdds,
    Bin,
    Details,
    Finding,
    FittedOdds,
    GroupRatio,
    ImpactRatio,
    MeanRatio,
    MixedOdds,
    PositionsBelow,
    VerdictBasis,
    as_json,
)
from evenhand.results.kinds import kind_names, loaded, run_kind
from evenhand.results.result import read_audit, read_rows

ROW = {"name": "x", "measure": "x", "role": "planned", "estimate": 0.1, "n": 3, "clusters": {"item": 3}, "method": "m"}


@pytest.mark.parametrize("kind", kind_names())
def test_a_block_of_each_kind_comes_back_as_it_was_written(kind):
    block = loaded(run_kind(kind).block)(kind=kind, title="Hiring", warnings=("Few answers.",))
    assert read_audit(as_json(block), source="f") == block


def test_a_block_without_a_kind_is_a_probe_s_and_null_is_no_more_than_nothing():
    found = read_audit({"probe": "hiring-an", "labels": None, "headline": None, "another_key": 1}, source="f")
    assert isinstance(found, ProbeAudit)
    assert (found.kind, found.title, found.labels, found.headline) == ("probe", "Audit", {}, ())


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ({"attempts": "many"}, "audit.attempts"),
        ({"bands": {"rate": {"centre": 0.5}}}, "audit.bands.rate.edges"),
        ({"kind": "suite", "probes": [{"headline": 3}]}, "audit.probes.0.headline"),
        ({"kind": "impact", "shown": {"sweep": [{"attribute": "sex"}]}}, "audit.shown.sweep.0.group"),
    ],
)
def test_a_value_of_another_type_is_named_by_its_place_in_one_line(block, place):
    with pytest.raises(InputError) as told:
        read_audit(block, source="findings.json")
    assert str(told.value).startswith(f"findings.json: {place} is not as the schema asks: ")
    assert "\n" not in str(told.value)


def test_what_was_left_out_is_no_key_and_what_is_not_known_is_null():
    assert as_json(Facts()) == {}
    assert "compat" not in as_json(ProbeAudit())
    assert as_json(ProbeAudit())["cost"] is None
    twin = CounterfactualAnswer(
        role="nurse", name="Ann", gender="female", race="white", prompt="p", text="t", accepted=True
    )
    assert [*as_json(twin)] == ["role", "name", "gender", "race", "prompt", "text", "accepted"]
    assert as_json(VerdictBasis(margin=0.05)) == {"type": "verdict_basis", "margin": 0.05}
    assert as_json(Bin(low=0.1)) == {"type": "bin", "low": 0.1, "high": None, "mean": None}


@pytest.mark.parametrize(
    "details",
    [
        Details(),
        VerdictBasis(levels={"role": ("nurse",)}, margin=0.05, equivalence_interval=(-0.1, 0.1)),
        VerdictBasis(width_ratio_to_unpaired=0.8),
        GroupRatio(rate_focal=0.2, n_focal=10, rate_reference=0.4, n_reference=10, four_fifths="below"),
        Bin(low=0.1, high=0.2, mean=0.15),
        MixedOdds(formula="accepted ~ race", cells=120),
        FittedOdds(formula="accepted ~ race", cells=120, standard_error=0.1),
        ImpactRatio(approach="selected", n_focal=10, four_fifths="below"),
        MeanRatio(approach="means", n_focal=10, mean_focal=3.0),
        AdjustedFor(given=("age",)),
        AdjustedOdds(given=("age",), odds_ratio_crude=0.5),
        PositionsBelow(attribute="sex", positions=3, four_fifths="below"),
    ],
)
def test_details_come_back_as_those_of_their_family(details):
    (row,) = read_rows([{**ROW, "details": as_json(details)}], source="f")
    assert row.details == details
    assert type(row.details) is type(details)


@pytest.mark.parametrize(
    ("details", "told"),
    [
        ({"type": "template_spread", "sd": "wide"}, "sd is not as the schema asks"),
        ({"sd": 1.0}, "type is None, which is not a type of details"),
        ({"type": "spread"}, "type is 'spread', which is not a type of details"),
    ],
)
def test_details_of_a_wrong_type_are_refused(details, told):
    with pytest.raises(InputError, match=f"^findings.json: findings.0.details.{told}"):
        read_rows([{**ROW, "details": details}], source="findings.json")


def test_a_finding_of_a_suite_says_first_whose_it_is():
    row = Finding(**ROW)
    assert "probe" not in row.as_dict()
    assert [*Finding(**ROW, probe="hiring-an").as_dict()][:2] == ["probe", "name"]
