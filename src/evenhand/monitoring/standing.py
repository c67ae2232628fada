"""Standing disparities: groups that were selected at less than four fifths of the highest rate for months.

At the end of every month, a look, the decisions of the last 12 months are compared by group: at each stage, as a whole
and within each position, decider and value of a column of --by. All pairs of groups that may be compared at a look, of
all models and rules, are one family, corrected by Holm's method. The 5 % of a year are spent evenly on its 12 looks
(Lan and DeMets 1983, with the spending function .05 t of Kim and DeMets 1987), so that p is multiplied by 12 as well.
Windows overlap and lose old months; the sum of the looks' levels bounds the chance that any of 12 looks in a row finds
something, whatever their dependence.

Lan and DeMets (1983), Biometrika 70, 659-663; Kim and DeMets (1987), Biometrika 74, 149-154.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Final

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons.claims import HOLM, corrected
from evenhand.comparisons.impact import cell_ratios
from evenhand.comparisons.impact_cells import (
    SMALLEST_SHARE,
    Clusters,
    Floats,
    GroupCells,
    Ints,
    References,
    cells_of,
    clusters_of,
    reference_groups,
)
from evenhand.comparisons.impact_tables import unseen_pairs
from evenhand.monitoring.alarms import Episode, Place, Standing
from evenhand.monitoring.rules import LevelRule
from evenhand.monitoring.state import (
    decided_models,
    decided_people,
    month_end,
    month_name,
    month_number,
    monthly_counts,
)
from evenhand.monitoring.store import Store, Writing
from evenhand.results.finding import LEVEL, Finding, ImpactRatio
from evenhand.results.schemas import BREAKDOWN, PROTECTED, RECRUITER, SELECTED

#: The looks of a year.
LOOKS: Final = 12
#: Looks in a row at which a disparity doesn't hold, after which it is over.
MISSED: Final = 2
CORRECTION: Final = f"{HOLM} over pairs, Bonferroni over {LOOKS} looks,"
PERSON: Final = "person"
#: The separator of a look and a stage; no typed text contains it.
_OF: Final = "\x1f"
_MONTH: Final = f"{BREAKDOWN}month"


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The decisions of a model by month, and the people who have several.

    `months` has a row for each attribute, breakdown (`by`, "": as a whole), stage, value, month and group, with n and
    successes. `people` returns for a pair how many people have so many decisions of either group, of whom so many were
    selected (PROFILE), without those of whom a stage has one; None where nobody has several, or people are unknown.
    """

    model: str
    months: pl.DataFrame
    people: Callable[["Pair"], pl.DataFrame | None]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two groups of an attribute that are compared, and where."""

    attribute: str
    by: str
    stage: str
    value: str
    first: str
    last: str
    group: str
    other: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Looks:
    """All pairs of groups at all looks; those of one look are one family."""

    rules: Sequence[LevelRule]
    decisions: Sequence[Decisions]
    tables: Sequence["_Table"]
    last: int

    @property
    def months(self) -> int:
        """Return the most months that a rule looks at, 0 without a rule."""
        return max((rule.months for rule in self.rules), default=0)

    @property
    def standing(self) -> Standing:
        """Return the standing disparities, and what was looked at."""
        compared = Counter({table.model: 0 for table in self.tables})
        for table in self.tables:
            compared[table.model] += int((table.look == self.last).sum())
        episodes = [episode for table in self.tables for episode in table.episodes(self.last)]
        return Standing(
            episodes=tuple(sorted(episodes, key=lambda episode: episode.day)),
            look=month_end(self.last) if self.tables else None,
            compared=dict(+compared),
            used=frozenset(table.rule.name for table in self.tables if table.p.size),
        )

    def saved(self, models: Collection[str]) -> dict[str, pl.DataFrame]:
        """Return the tables from which `saved_looks` finds the standing disparities of some models again.

        They hold counts, and p alone of other models.
        """
        mine = [table for table in self.tables if table.model in models]
        months = [each.months.with_columns(model=pl.lit(each.model)) for each in self.decisions if each.model in models]
        people = [
            profile.with_columns(
                *(pl.lit(value).alias(name) for name, value in vars(pair).items()), model=pl.lit(table.model)
            )
            for table in mine
            for pair, profile in table.profiles.items()
        ]
        others = [
            pl.DataFrame({"look": table.look, "p": table.p}) for table in self.tables if table.model not in models
        ]
        return {
            "standing": pl.concat([pl.DataFrame(schema=_MONTHS), *months], how="diagonal"),
            "standing_people": pl.concat([pl.DataFrame(schema=_PEOPLE), *people], how="diagonal"),
            "standing_others": pl.concat([pl.DataFrame(schema=_OTHERS), *others]),
            "standing_rules": pl.DataFrame([asdict(rule) for rule in self.rules], schema=_RULES),
        }


def standing_disparities(store: Store | Writing, rules: Sequence[LevelRule], *, as_of: date) -> Standing:
    """Return the standing disparities at the looks up to and including a day, of all months that have ended."""
    return store_looks(store, rules, as_of=as_of).standing


def store_looks(store: Store | Writing, rules: Sequence[LevelRule], *, as_of: date) -> Looks:
    """Return the looks at the decisions of a store up to and including a day."""
    decisions = []
    for model in decided_models(store) if rules else []:
        repeated = cache(partial(_repeated, store, model))
        decisions.append(
            Decisions(model=model, months=_months(store, model), people=partial(people_of, repeated=repeated))
        )
    return looks_at(decisions, rules, as_of=as_of)


def saved_looks(tables: Mapping[str, pl.DataFrame], *, as_of: date) -> Looks:
    """Return the looks at the counts of `Looks.saved`."""
    pairs = list(Pair.__dataclass_fields__)
    profiles: dict[str, dict[Pair, pl.DataFrame]] = {}
    for (model, *values), profile in tables["standing_people"].partition_by("model", *pairs, as_dict=True).items():
        pair = Pair(**dict(zip(pairs, map(str, values), strict=True)))
        profiles.setdefault(str(model), {})[pair] = profile.select(PROFILE)
    decisions = [
        Decisions(model=str(model), months=months.drop("model"), people=profiles.get(str(model), {}).get)
        for (model,), months in tables["standing"].partition_by("model", as_dict=True, maintain_order=True).items()
    ]
    rules = [LevelRule(**{**rule, "models": tuple(rule["models"])}) for rule in tables["standing_rules"].to_dicts()]
    return looks_at(decisions, rules, as_of=as_of, others=tables["standing_others"])


def looks_at(
    decisions: Sequence[Decisions], rules: Sequence[LevelRule], *, as_of: date, others: pl.DataFrame | None = None
) -> Looks:
    """Return the looks at decisions up to and including a day; `others` are p of pairs of further models, by look."""
    last = as_of.year * 12 + as_of.month - (1 if (as_of + timedelta(days=1)).day == 1 else 2)
    tables = [
        table
        for rule in rules
        for each in decisions
        if not rule.models or each.model in rule.models
        for table in _tables(each, rule, last)
    ]
    _correct(tables, others)
    return Looks(rules=rules, decisions=decisions, tables=tables, last=last)


def _repeated(store: Store | Writing, model: str) -> pl.DataFrame | None:
    """Return the decisions on people of whom a stage has several; None where there are none, or people are unknown."""
    people = decided_people(store, model, every=False)
    if people is None:
        return None
    repeated = people.filter(pl.col("selected").is_not_null()).filter(pl.len().over("stage", "unit") > 1)
    return repeated if repeated.height else None


def people_of(pair: Pair, *, repeated: Callable[[], pl.DataFrame | None]) -> pl.DataFrame | None:
    """Return `Decisions.people` of single decisions, in the columns of `decided_people`."""
    decisions = repeated()
    if decisions is None:
        return None
    group = pl.col(PROTECTED + pair.attribute)
    inside = (pl.col("stage") == pair.stage) & pl.col(_MONTH).is_between(pl.lit(pair.first), pl.lit(pair.last))
    if pair.by:
        inside &= pl.col(BREAKDOWN + pair.by) == pair.value
    people = decisions.filter(inside, group.is_in([pair.group, pair.other])).group_by("unit")
    numbers = people.agg(
        number.cast(pl.Int64).alias(f"{name}_{side}")
        for side, one in (("group", pair.group), ("other", pair.other))
        for name, number in (("n", (group == one).sum()), ("selected", pl.col("selected").filter(group == one).sum()))
    )
    return numbers.group_by(PROFILE[:-1]).agg(people=pl.len().cast(pl.Int64)).sort(PROFILE).select(PROFILE)


@dataclass(kw_only=True, eq=False)
class _Table:
    """The groups of an attribute at all looks, within the values of one breakdown ("": as a whole).

    Pairs of groups have a cell, a look, both groups, p, and `adjusted` and the `size` of the family.
    """

    rule: LevelRule
    model: str
    attribute: str
    by: str
    first: int
    cells: GroupCells
    people: Callable[[Pair], pl.DataFrame | None]
    cell: Ints
    pair: tuple[Ints, Ints]
    p: Floats
    look: Ints
    adjusted: Floats
    size: Ints
    profiles: dict[Pair, pl.DataFrame] = field(default_factory=dict)

    def episodes(self, last: int) -> Iterator[Episode]:
        """Yield the standing disparities of all groups and places."""
        reference = reference_groups(self.cells, References())[self.cell]
        one, other = self.pair
        focal = np.where(one == reference, other, one)
        ratio = Fraction(str(self.rule.threshold))
        n, selected = self.cells.n, self.cells.selected
        lower = ratio.denominator * selected[self.cell, focal] * n[self.cell, reference]
        below = lower < ratio.numerator * selected[self.cell, reference] * n[self.cell, focal]
        holds = below & (self.p < LEVEL) & ((one == reference) | (other == reference))
        keys = self.cells.keys.select("stage", "position").rows()
        places: dict[tuple[str, str, int], dict[int, int]] = {}
        for row in np.flatnonzero(holds).tolist():
            stage, value = keys[self.cell[row]]
            place = stage.partition(_OF)[2], value, int(focal[row])
            places.setdefault(place, {})[int(self.look[row])] = row
        for (stage, value, group), rows in places.items():
            significant = {look for look, row in rows.items() if self.adjusted[row] < LEVEL}
            slice_ = ({"stage": stage} if stage else {}) | ({self.by: value} if self.by else {})
            slice_ |= {self.attribute: self.cells.groups[group][0]}
            for found, shown, ended in _episodes(set(rows), significant, last):
                finding = self._finding(rows[shown], group, int(reference[rows[shown]]), slice_)
                yield Episode(
                    rule=self.rule,
                    series=Place(model=self.model, slice=slice_),
                    day=month_end(found),
                    since=month_end(found),
                    fired=month_end(found),
                    ended=None if ended is None else month_end(ended),
                    value=finding.estimate or 0.0,
                    threshold=self.rule.threshold,
                    finding=finding.as_dict(),
                )

    def _finding(self, row: int, focal: int, reference: int, slice_: Mapping[str, str]) -> Finding:
        """Return the finding of a pair, with the counts of its window."""
        look = int(self.look[row])
        finding = self._compared(row, focal, reference, clusters=self._clusters(row, focal, reference))
        assert finding.claim is not None
        claim = replace(finding.claim, family="standing disparities at a look")
        size = int(self.size[row]) * LOOKS
        claim = corrected(claim, float(self.adjusted[row]), size=size, correction=CORRECTION)
        begin = max(look - self.rule.months + 1, self.first)
        months = month_name(look) if begin == look else f"{month_name(begin)} to {month_name(look)}"
        selected = self.cells.selected[self.cell[row]]
        details = replace(
            ImpactRatio.of(finding),
            selected_focal=int(selected[focal]),
            selected_reference=int(selected[reference]),
        )
        return replace(finding, slice={**slice_, "months": months}, claim=claim, details=details)

    def _compared(self, row: int, focal: int, reference: int, *, clusters: Clusters | None) -> Finding:
        """Return the ratio of two groups, with people as clusters where any has several decisions."""
        pair = np.isin(np.arange(len(self.cells.groups)), (focal, reference))
        cells = self.cells.take(self.cell[row : row + 1])
        cells = replace(
            cells,
            n=np.where(pair, cells.n, 0),
            selected=np.where(pair, cells.selected, 0),
            clusters=clusters,
        )
        (finding,) = cell_ratios(cells, References(named={self.attribute: self.cells.groups[reference][0]}))
        return finding

    def _clusters(self, row: int, focal: int, reference: int) -> Clusters | None:
        """Return the people of a pair as clusters, None where everybody has one decision."""
        cell, look = int(self.cell[row]), int(self.look[row])
        stage, value = self.cells.keys.select("stage", "position").row(cell)
        groups = sorted((focal, reference))
        pair = Pair(
            attribute=self.attribute,
            by=self.by,
            stage=stage.partition(_OF)[2],
            value=value if self.by else "",
            first=month_name(look - self.rule.months + 1),
            last=month_name(look),
            group=self.cells.groups[groups[0]][0],
            other=self.cells.groups[groups[1]][0],
        )
        profile = self.profiles.get(pair)
        if profile is None:
            profile = self.people(pair)
        if profile is None:
            return None
        self.profiles[pair] = profile
        several = profile.select(pl.exclude("people").repeat_by("people").explode()).with_row_index("cluster_0")
        parts, codes = [], several.height
        for group, side in zip(groups, ("group", "other"), strict=True):
            of_group = several.select("cluster_0", n=f"n_{side}", successes=f"selected_{side}").filter(pl.col("n") > 0)
            n, selected = (int(matrix[cell, group]) for matrix in (self.cells.n, self.cells.selected))
            single = np.zeros(n - int(of_group["n"].sum()), dtype=np.int64)
            single[: selected - int(of_group["successes"].sum())] = 1
            once = {"cluster_0": codes + np.arange(single.size), "n": np.ones_like(single), "successes": single}
            parts += [part.with_columns(group=pl.lit(group)) for part in (of_group.cast(pl.Int64), pl.DataFrame(once))]
            codes += single.size
        entries = pl.concat(parts).with_columns(cell=pl.lit(0))
        return None if (entries["n"] == 1).all() else clusters_of(entries, "successes", [PERSON])

    def allow_for_people(self) -> None:
        """Let people be clusters in pairs that may differ: p is then that of the clusters."""
        for row in np.flatnonzero(self.p < LEVEL).tolist():
            rates = self.cells.rates[self.cell[row]]
            focal, reference = sorted((int(side[row]) for side in self.pair), key=lambda group: float(rates[group]))
            clusters = self._clusters(row, focal, reference)
            if clusters is not None:
                p = self._compared(row, focal, reference, clusters=clusters).p
                self.p[row] = 1.0 if p is None else p


#: The columns of counts by month, and of how many people have so many decisions of two groups.
_MONTHS: Final = dict.fromkeys(("model", "attribute", "by", "stage", "value", "month", "group"), pl.String()) | (
    dict.fromkeys(("n", "successes"), pl.Int64())
)
_OTHERS: Final = {"look": pl.Int64(), "p": pl.Float64()}
_RULES: Final = {
    **dict.fromkeys(("name", "severity"), pl.String()),
    **dict.fromkeys(("months", "minimum_n"), pl.Int64()),
    "threshold": pl.Float64(),
    "models": pl.List(pl.String()),
}
PROFILE: Final = ("n_group", "selected_group", "n_other", "selected_other", "people")
_PEOPLE: Final = dict.fromkeys(("model", *Pair.__dataclass_fields__), pl.String()) | dict.fromkeys(PROFILE, pl.Int64())


def _months(store: Store | Writing, model: str) -> pl.DataFrame:
    """Return the counts of a model as `Decisions.months`."""
    rows = monthly_counts(store, model).filter(pl.col("decided") > 0)
    attributes = [name.removeprefix(PROTECTED) for name in rows.columns if name.startswith(PROTECTED)]
    breakdowns = ["", *(name.removeprefix(BREAKDOWN) for name in rows.columns if name.startswith(BREAKDOWN))]
    tables = [pl.DataFrame(schema={name: of for name, of in _MONTHS.items() if name != "model"})]
    for attribute, by in product(attributes, breakdowns):
        value = pl.col(BREAKDOWN + by).replace("", None) if by else pl.lit("")
        if BREAKDOWN + by in {_MONTH, RECRUITER} or by == attribute:
            continue
        placed = rows.select(
            "stage",
            attribute=pl.lit(attribute),
            by=pl.lit(by),
            value=value,
            month=_MONTH,
            group=pl.col(PROTECTED + attribute).replace("", None),
            n="decided",
            successes="selected",
        )
        keys = pl.exclude("n", "successes")
        tables.append(placed.group_by(keys).agg(pl.sum("n", "successes")).sort(keys).select(tables[0].columns))
    return pl.concat(tables)


def _tables(decisions: Decisions, rule: LevelRule, last: int) -> Iterator[_Table]:
    """Yield the tables of a model: its attributes, as a whole and within each breakdown."""
    rows = decisions.months.filter(pl.col("month") <= month_name(last))
    if not rows.height:
        return
    first = month_number(str(rows["month"].min()))
    looks = pl.DataFrame(
        [
            {"month": month_name(month), "look": look}
            for look in range(first, last + 1)
            for month in range(max(look - rule.months + 1, first), look + 1)
        ]
    )
    for (attribute, by), placed in rows.partition_by("attribute", "by", as_dict=True, maintain_order=True).items():
        # Where one decider or department has all of a stage, that is the stage as a whole.
        compared = placed.filter(pl.col("value").n_unique().over("stage") > 1) if by else placed
        if not compared.height:
            continue
        counts = compared.join(looks, on="month").select(
            "n",
            "successes",
            pl.col("group").alias(f"{PROTECTED}{attribute}"),
            stage=pl.format("{}" + _OF + "{}", "look", "stage"),
            position="value",
            approach=pl.lit(SELECTED),
            cutoff=pl.lit(None, pl.Float64),
        )
        cells = _large(cells_of(counts, [str(attribute)], by_position=bool(by)), rule)
        pairs = unseen_pairs(cells, References(), np.full(cells.keys.height, -1))
        rows_of = np.flatnonzero(cells.whole[pairs.cell] == (not by))
        cell = pairs.cell[rows_of]
        look = cells.keys["stage"].str.split(_OF).list.first().cast(pl.Int64).to_numpy()[cell]
        table = _Table(
            rule=rule,
            model=decisions.model,
            attribute=str(attribute),
            by=str(by),
            first=first,
            cells=cells,
            people=decisions.people,
            cell=cell,
            pair=(pairs.first[rows_of], pairs.second[rows_of]),
            p=pairs.p[rows_of],
            look=look,
            adjusted=np.ones(cell.size),
            size=np.ones(cell.size, dtype=np.int64),
        )
        table.allow_for_people()
        yield table


def _large(cells: GroupCells, rule: LevelRule) -> GroupCells:
    """Return cells without groups of too few decisions."""
    large = cells.n >= np.maximum(rule.minimum_n, SMALLEST_SHARE * cells.n.sum(axis=1, keepdims=True))
    return replace(cells, n=np.where(large, cells.n, 0), selected=np.where(large, cells.selected, 0))


def _correct(tables: Sequence[_Table], others: pl.DataFrame | None) -> None:
    """Correct the p of all pairs of each look as one family, with those of `others`, and for the looks of a year."""
    further = pl.DataFrame(schema=_OTHERS) if others is None else others
    look = np.concatenate([*(table.look for table in tables), further["look"].to_numpy()])
    p = np.concatenate([*(table.p for table in tables), further["p"].to_numpy()])
    adjusted, size = np.ones(p.size), np.ones(p.size, dtype=np.int64)
    for at in np.unique(look):
        rows = np.flatnonzero(look == at)
        adjusted[rows] = np.minimum(stats.holm(p[rows]).p * LOOKS, 1.0)
        size[rows] = rows.size
    ends = np.cumsum([table.p.size for table in tables], dtype=np.int64)
    for table, of_table, sizes in zip(tables, np.split(adjusted, ends), np.split(size, ends), strict=False):
        table.adjusted, table.size = of_table, sizes


def _episodes(holds: set[int], significant: set[int], last: int) -> Iterator[tuple[int, int, int | None]]:
    """Yield the looks at which a disparity was found, was last found, and was over (None: it is not).

    Between, it `holds`: below the threshold, and significant where it is the only comparison.

    >>> list(_episodes({1, 2, 3, 5, 8}, {2, 3, 8}, 9))
    [(2, 3, 7), (8, 8, None)]
    """
    found = shown = None
    missed = 0
    for look in range(min(holds), last + 1):
        if look in significant:
            found, shown = look if found is None else found, look
        missed = 0 if look in holds else missed + 1
        if found is not None and shown is not None and missed == MISSED:
            yield found, shown, look
            found = None
    if found is not None and shown is not None:
        yield found, shown, None
