"""Tables that regulations ask for: New York's Local Law 144, and people compared with stated shares of groups."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons.claims import HOLM, in_families, uncorrected
from evenhand.comparisons.impact_cells import ExcludedCategory, Exclusion, GroupCells, cells_of, joined
from evenhand.comparisons.units import Ints
from evenhand.data.labels import as_typed, fold
from evenhand.errors import InputError, option_text
from evenhand.results.finding import Finding, Stated, Test
from evenhand.results.measures import AVAILABILITY as MEASURE
from evenhand.results.messages import listed, quoted, shortened
from evenhand.results.schemas import AVAILABILITY, LL144, PROTECTED

EXACT, TIE = "Exact binomial", 1e-9
UNKNOWN = "unknown"
SEX_NAMES = ("sex", "gender")
RACE_NAMES = ("race", "ethnicity")
#: Categories that a message names; the others are counted.
_MOST_CATEGORIES = 20


@dataclass(frozen=True, kw_only=True)
class StatedShare:
    """The share of a group that is stated to be available."""

    attribute: str
    group: str
    share: float


@dataclass(frozen=True, kw_only=True)
class AvailabilityResult:
    """The rows of availability.csv, and the findings."""

    rows: pl.DataFrame
    findings: list[Finding]


def availability_findings(
    counts: pl.DataFrame, stated: Sequence[StatedShare], *, planned: bool = True, confidence: float = 0.95
) -> AvailabilityResult:
    """Return how many of each group are there, against those expected by its stated share.

    `counts` are people joint over all attributes, as `measure_impact` takes them. People whose group is not known
    are not counted. p is adjusted over all groups (Holm); those that are not `planned` are a family of their own.
    """
    rows: list[pl.DataFrame] = []
    for attribute in dict.fromkeys(share.attribute for share in stated):
        shares = [share for share in stated if share.attribute == attribute]
        cells = cells_of(counts, [attribute], by_position=False)
        x = cells.n[0][[cells.labels.index(share.group) for share in shares]]
        total = int(cells.n[0].sum())
        result = stats.availability(x, total, [share.share for share in shares], confidence=confidence)
        # Of two groups whose shares are all people, the numbers of one are those of the other: one comparison.
        mirrored = len(shares) == len(cells.groups) == 2 and abs(sum(share.share for share in shares) - 1) < TIE
        columns = {
            "attribute": [attribute] * len(shares),
            "group": [share.group for share in shares],
            "n": x,
            "expected": result.expected,
            "share": result.estimate,
            "stated_share": [share.share for share in shares],
            "z": result.statistic,
            "p_exact": result.p,
            "shortfall": result.shortfall,
            "of": np.full(len(shares), total),
            "low": result.low,
            "high": result.high,
            "mirrored": [mirrored and place == 1 for place in range(len(shares))],
        }
        rows.append(pl.DataFrame(columns, schema_overrides=AVAILABILITY))
    table = pl.concat(rows)
    findings = in_families(
        [_finding(row, planned=planned, confidence=confidence) for row in table.iter_rows(named=True)]
    )
    for place, (finding, mirrored) in enumerate(zip(findings, table["mirrored"], strict=True)):
        if mirrored and (other := findings[place - 1].claim) is not None:
            findings[place] = replace(finding, claim=replace(other, n_focal=table["n"][place]))
    claims = [finding.claim for finding in findings if finding.claim is not None]
    adjusted = table.with_columns(
        pl.Series("p_adjusted", [claim.p_adjusted for claim in claims], pl.Float64),
        pl.Series(
            "adjustment", [", ".join(filter(None, (EXACT, claim.corrected_over))) for claim in claims], pl.String
        ),
    )
    return AvailabilityResult(rows=adjusted.select(list(AVAILABILITY)), findings=findings)


def _finding(row: Mapping[str, Any], *, planned: bool, confidence: float) -> Finding:
    n, test = row["of"], Test(name=EXACT, statistic=None, p=row["p_exact"])
    return Finding(
        name="_".join([MEASURE, *row["attribute"].split(), *row["group"].split()]),
        measure=MEASURE,
        focal={row["attribute"]: row["group"]},
        reference={"stated": f"{row['stated_share']:g}"},
        role="planned" if planned else "exploratory",
        estimate=row["share"],
        low=row["low"],
        high=row["high"],
        confidence=confidence,
        null_value=row["stated_share"],
        n=n,
        clusters={"person": n},
        method="Wilson score",
        tests=(Test(name="Z, two standard deviations", statistic=row["z"], p=None), test),
        # A mirrored group repeats the comparison before it, whose claim it gets.
        claim=uncorrected(
            replace(test, p=None) if row["mirrored"] else test,
            planned=planned,
            family="applicants against stated shares",
            correction=HOLM,
            n=(row["n"], None),
        ),
        details=Stated(people=row["n"], **{name: row[name] for name in ("stated_share", "expected", "shortfall")}),
    )


@dataclass(frozen=True, kw_only=True)
class RequiredAttributes:
    """The columns that hold sex and race or ethnicity."""

    sex: str
    race: str

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Return the attributes of the three tables that the rule asks for."""
        return (self.sex,), (self.race,), (self.sex, self.race)


def required_attributes(attributes: Sequence[str]) -> RequiredAttributes:
    """Return which attributes are sex and race or ethnicity, by their names.

    Raises
    ------
    InputError
        One of the two is missing, or several fit.

    >>> required_attributes(["gender", "Race/Ethnicity"]).race
    'Race/Ethnicity'
    """
    matched = []
    for what, names in (("sex", SEX_NAMES), ("race or ethnicity", RACE_NAMES)):
        fitting = [name for name in attributes if not {*names}.isdisjoint(re.split(r"[\W_]+", name.casefold()))]
        if len(fitting) != 1:
            fits = "none does" if not fitting else f"{' and '.join(fitting)} do"
            message = (
                f"{option_text('ll144')} needs one column of {option_text('protected')} for {what} (a name "
                f"with {' or '.join(names)}); {fits}. "
                f"Given: {listed(attributes)}."
            )
            raise InputError(message)
        matched.append(fitting[0])
    return RequiredAttributes(sex=matched[0], race=matched[1])


Nobody = Sequence[Mapping[str, str]]


def ll144_rows(
    counts: pl.DataFrame, required: RequiredAttributes, exclusion: Exclusion, *, nobody: Nobody = ()
) -> pl.DataFrame:
    """Return the rows of ll144.csv from joint counts of one approach and cut-off.

    The impact ratio is a category's rate over the highest rate. Excluded categories get no ratio and are no reference;
    their count and rate stand, with the reason. Those of `nobody` are known and have no people: each names its group
    of some attributes, and stands for all groups of the others. People whose category is not known are one row per
    attribute, and are in no rate. `share` is of all people used, the unknown ones included, or with the exclusion's
    `of_known` of those whose category is known, as `share_of` says.
    """
    rows: list[dict[str, object]] = []
    for cells in _tables(counts, required, exclusion):
        rows += _table(cells, exclusion, _of_nobody(cells, counts, nobody))
    return pl.DataFrame(rows, schema=LL144, orient="row")


def _tables(counts: pl.DataFrame, required: RequiredAttributes, exclusion: Exclusion) -> Iterator[GroupCells]:
    for attributes in required.tables:
        cells = cells_of(counts, attributes, by_position=False, exclusion=exclusion)
        if cells.keys.height:
            yield cells


def _of_nobody(cells: GroupCells, counts: pl.DataFrame, nobody: Nobody) -> list[tuple[str, ...]]:
    """Return the groups of a table that are known and have no people."""
    known = {name: counts[PROTECTED + name].drop_nulls().unique().to_list() for name in cells.attributes}
    named = {
        group
        for of in nobody
        if any(name in of for name in cells.attributes)
        for group in product(*([of[name]] if name in of else known[name] for name in cells.attributes))
    }
    return sorted(named - set(cells.groups))


def excluded_categories(
    typed: Sequence[str],
    counts: pl.DataFrame,
    required: RequiredAttributes,
    exclusion: Exclusion,
    *,
    nobody: Nobody = (),
) -> tuple[ExcludedCategory, ...]:
    """Return the categories that the auditor leaves out, as CATEGORY=REASON; `counts` as of `ll144_rows`.

    A category is named as it stands in the tables, with ATTRIBUTE: before it where two attributes have one of the name.

    Raises
    ------
    InputError
        There is no such category, or several, it has 2 % of the people or more, or no reason is given.

    """
    named: dict[str, dict[str, _Category]] = {}
    for cells in _tables(counts, required, exclusion):
        for category in _categories(cells, exclusion, _of_nobody(cells, counts, nobody)):
            for attributes, label in {category.label, category.reversed}:
                for name in (label, f"{attributes}:{label}"):
                    named.setdefault(fold(name), {})[cells.name] = category
    excluded: list[ExcludedCategory] = []
    for text in typed:
        name, reason = _split(text, named)
        category = _the_category(text, name, named)
        if not reason:
            raise InputError(
                f"{option_text('exclude', as_typed(text))} has no reason; Local Law 144 requires the auditor's "
                f"reason: {option_text('exclude', as_typed(f'{name}=REASON'))}."
            )
        if not exclusion.small(category.n, category.base):
            whom = "whose category is known" if exclusion.of_known else "used"
            raise InputError(
                f"{option_text('exclude', as_typed(text))}: {shortened(category.label[1])} of {category.label[0]} has "
                f"{category.n:,} of the {category.base:,} people {whom}, {100 * category.n / category.base:.3g} %; "
                "only a category of less than 2 % may be left out (6 RCNY 5-301(d)): drop it."
            )
        if any(category.groups == other.groups for other in excluded):
            raise InputError(f"{option_text('exclude')} names {quoted(name)} twice; give one reason.")
        excluded.append(ExcludedCategory(groups=category.groups, reason=reason))
    return tuple(excluded)


@dataclass(frozen=True, kw_only=True)
class _Category:
    """A category of a table of the law, and how many of the people that shares are of are in it."""

    groups: Mapping[str, str]
    n: int
    base: int

    @property
    def label(self) -> tuple[str, str]:
        """Its attributes and its label, as they stand in the tables."""
        return joined(tuple(self.groups)), joined(tuple(self.groups.values()))

    @property
    def reversed(self) -> tuple[str, str]:
        """The same with the attributes the other way round."""
        return joined(tuple(self.groups)[::-1]), joined(tuple(self.groups.values())[::-1])


def _categories(cells: GroupCells, exclusion: Exclusion, empty: Sequence[tuple[str, ...]]) -> Iterator[_Category]:
    base = exclusion.base(cells.n[0], int(cells.unknown[0, 0]))
    for group, n in [*zip(cells.groups, cells.n[0].tolist(), strict=True), *((group, 0) for group in empty)]:
        yield _Category(groups=dict(zip(cells.attributes, group, strict=True)), n=n, base=base)


def _the_category(text: str, name: str, named: Mapping[str, Mapping[str, _Category]]) -> _Category:
    """Return the one category of a name, whose option is `text`."""
    matches = named.get(fold(name), {})
    if not matches:
        known = dict.fromkeys(category.label[1] for of in named.values() for category in of.values())
        raise InputError(
            f"{option_text('exclude', as_typed(text))}: there is no category {quoted(name)}. Categories: "
            f"{listed(known, most=_MOST_CATEGORIES)}."
        )
    if len(matches) > 1:
        ways = " or ".join(option_text("exclude", as_typed(f"{attribute}:{text}")) for attribute in matches)
        raise InputError(f"{quoted(name)} is a category of {listed(matches)}; give one of: {ways}.")
    return next(iter(matches.values()))


def _split(text: str, names: Collection[str]) -> tuple[str, str]:
    """Return category and reason; a category may hold an equals sign."""
    places = [*(place for place, letter in enumerate(text) if letter == "="), len(text)]
    place = next((place for place in places if fold(text[:place]) in names), places[0])
    return text[:place].strip(), text[place + 1 :].strip()


def _table(cells: GroupCells, exclusion: Exclusion, empty: Sequence[tuple[str, ...]]) -> list[dict[str, object]]:
    n, selected, rates = cells.n[0], cells.selected[0], cells.rates[0]
    unknown, chosen = (int(value) for value in cells.unknown[0])
    used, base = int(n.sum()) + unknown, exclusion.base(n, unknown)
    candidates = [place for place in range(n.size) if cells.judged[place] and n[place]]
    best = max(candidates, key=lambda place: rates[place], default=None)
    share_of = "known" if exclusion.of_known else "all"
    rows: list[dict[str, object]] = []
    for place, (label, group) in enumerate(zip(cells.labels, cells.groups, strict=True)):
        judged = bool(cells.judged[place])
        reason = None if judged else exclusion.reason_for(dict(zip(cells.attributes, group, strict=True)))
        rows.append(
            {
                "category": label,
                "n": int(n[place]),
                "selected": int(selected[place]),
                "rate": float(rates[place]),
                "impact_ratio": _ratio(n, selected, place, best) if judged and best is not None else None,
                "share": int(n[place]) / base,
                "excluded": not judged,
                "reason": reason,
                "share_of": share_of,
            }
        )
    for group in empty:
        # Nobody needs leaving out; a category that is named for it is left out all the same.
        reason = replace(exclusion, reason=None).reason_for(dict(zip(cells.attributes, group, strict=True)))
        none = {"category": joined(group), "n": 0, "selected": 0, "share": 0.0, "share_of": share_of}
        rows.append(none | {"excluded": reason is not None, "reason": reason})
    rows.sort(key=lambda row: str(row["category"]))
    unknown_share = unknown / used if used else None
    rows.append({"category": UNKNOWN, "n": unknown, "selected": chosen, "share": unknown_share, "excluded": False})
    return [{"attribute": cells.name, "rate": None, "impact_ratio": None, "share_of": "all"} | row for row in rows]


def _ratio(n: Ints, selected: Ints, focal: int, reference: int) -> float | None:
    """Return the ratio of two rates, divided once, so that 4/100 over 5/100 is 0.8."""
    ratio: float | None = stats.impact_ratio(
        int(selected[focal]), int(n[focal]), int(selected[reference]), int(n[reference])
    ).estimate
    return ratio
