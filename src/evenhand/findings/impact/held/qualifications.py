"""`--given`: odds of selection compared among people whose qualifications are alike."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.impact.cells import GroupCells, cells_of
from evenhand.findings.impact.references import References, eligible_groups, reference_groups
from evenhand.stats import logistic_counts, odds_ratio
from evenhand.tables.details import AdjustedOdds, Given
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import ADJUSTED_ODDS_RATIO
from evenhand.tables.impact_files import WHOLE
from evenhand.tables.schemas import PROTECTED

__all__ = ["GIVEN", "MOST_LEVELS", "given_findings"]

Floats = NDArray[np.float64]

GIVEN = "given."
#: A text column with more values than this says who somebody is rather than what they can do.
MOST_LEVELS = 100
LEVEL = 0.05
METHOD = "logistic regression, Wald interval"


def given_findings(
    frame: pl.DataFrame, attributes: Sequence[str], references: References, *, confidence: float = 0.95
) -> Iterator[Finding]:
    """Yield, per group, the odds ratio among people with the same qualifications.

    `frame` has `protected.<name>`, `given.<name>` (numbers or text; null where not known), n and
    successes. Per attribute, selection is regressed on the groups and all given columns:
    numbers linearly in the log odds, texts as factors. Rows with an unknown group or
    qualification are left out and counted in the details.

    Raises
    ------
    InputError
        A text column has more values than a regression can take.

    """
    given = [name for name in frame.columns if name.startswith(GIVEN)]
    for name in given:
        levels = frame[name].n_unique() if frame[name].dtype == pl.String else 0
        if levels > MOST_LEVELS:
            message = (
                f"--given {name.removeprefix(GIVEN)} has {levels} values, more than {MOST_LEVELS}; group them first."
            )
            raise InputError(message)
    for attribute in attributes:
        column = PROTECTED + attribute
        used = frame.drop_nulls([column, *given])
        counts = used.with_columns(
            approach=pl.lit("selected"), cutoff=pl.lit(None, pl.Float64), stage=pl.lit(""), position=pl.lit(WHOLE)
        )
        cells = cells_of(counts, [attribute], by_position=False)
        if len(cells.groups) < 2 or not cells.keys.height:
            yield _nothing(attribute, given, used)
        else:
            reference = int(reference_groups(cells, references, eligible_groups(cells, min_share=0))[0])
            left_out = int(frame["n"].sum()) - int(used["n"].sum())
            yield from _of_attribute(used, cells, given, reference, left_out=left_out, confidence=confidence)


def _nothing(attribute: str, given: Sequence[str], used: pl.DataFrame) -> Finding:
    """Return the finding that says why groups are not compared given qualifications."""
    names = ", ".join(name.removeprefix(GIVEN) for name in given)
    people = int(used["n"].sum())
    return Finding(
        name=f"{ADJUSTED_ODDS_RATIO}_{attribute}",
        measure=ADJUSTED_ODDS_RATIO,
        role="exploratory",
        estimate=None,
        measured_in="ratio",
        n=people,
        clusters={"person": people},
        method=METHOD,
        reason=f"{people:,} people of known {attribute} have all of {names}, in fewer than two groups.",
        details=Given(given=tuple(name.removeprefix(GIVEN) for name in given)),
    )


def _of_attribute(
    used: pl.DataFrame, cells: GroupCells, given: Sequence[str], reference: int, *, left_out: int, confidence: float
) -> Iterator[Finding]:
    attribute = cells.attributes[0]
    labels = [group[0] for group in cells.groups]
    focal = [place for place in range(len(labels)) if place != reference]
    columns = [np.ones(used.height)]
    names = ["intercept"]
    for name in given:
        for values in _columns(used[name]):
            columns.append(values)
            names.append(name)
    groups = used[PROTECTED + attribute]
    for place in focal:
        columns.append((groups == labels[place]).to_numpy().astype(np.float64))
        names.append(attribute)
    # Qualifications first: where a group and a qualification can't be separated, the group has no estimate.
    fit = logistic_counts(np.column_stack(columns), used["successes"], used["n"], names=names, confidence=confidence)
    term = next((term for term in fit.terms if term.name == attribute), None)
    for number, place in enumerate(focal, start=len(names) - len(focal)):
        counts = [int(matrix[0, group]) for group in (place, reference) for matrix in (cells.selected, cells.n)]
        known = np.isfinite(fit.estimate[number])
        p = float(fit.p[number]) if known else None
        yield Finding(
            name=f"{ADJUSTED_ODDS_RATIO}_{attribute}_{'_'.join(labels[place].split())}",
            measure=ADJUSTED_ODDS_RATIO,
            focal={attribute: labels[place]},
            reference={attribute: labels[reference]},
            role="exploratory",
            estimate=float(np.exp(fit.estimate[number])) if known else None,
            low=float(np.exp(fit.low[number])) if known else None,
            high=float(np.exp(fit.high[number])) if known else None,
            confidence=confidence,
            measured_in="ratio",
            null_value=1.0,
            n=fit.n,
            clusters={"person": fit.n},
            method=METHOD,
            tests=(
                Test(name="Wald", statistic=float(fit.z[number]) if known else None, p=p),
                Test(
                    name=f"likelihood ratio, all groups of {attribute}",
                    statistic=None if term is None else term.likelihood_ratio,
                    p=None if term is None else term.p_likelihood_ratio,
                ),
            ),
            verdict=None if p is None else "difference" if p < LEVEL else "inconclusive",
            reason=None if known else str(fit.reason or fit.reasons[number]),
            details=AdjustedOdds(
                given=tuple(name.removeprefix(GIVEN) for name in given),
                odds_ratio_crude=odds_ratio(*counts).estimate,
                n_left_out=left_out,
                rate_focal=counts[0] / counts[1] if counts[1] else None,
                rate_reference=counts[2] / counts[3] if counts[3] else None,
            ),
        )


def _columns(values: pl.Series) -> list[Floats]:
    """Return a number as one centred column, a text as one column per value but the most frequent."""
    if values.dtype != pl.String:
        numbers = values.cast(pl.Float64).to_numpy()
        spread = float(numbers.std()) if numbers.size else 0.0
        return [(numbers - numbers.mean()) / spread] if spread else []
    counted = values.value_counts(sort=True, name="rows").sort("rows", values.name, descending=[True, False])
    return [(values == level).to_numpy().astype(np.float64) for level in counted[values.name][1:]]
