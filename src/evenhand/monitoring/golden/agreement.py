"""How far people who label golden cases agree: by group, over time, and of twins that differ in the group alone."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

import numpy as np

from evenhand.monitoring.golden.cases import Case, cases_of, scale_of
from evenhand.monitoring.golden.labels import LABELLERS, Standing, standings
from evenhand.monitoring.history.daily import DailyValue, known_model, save_values
from evenhand.monitoring.history.store import Store, Writing
from evenhand.stats import CohensKappa, cohens_kappa, mcnemar, selection_rate

__all__ = ["GOLDEN", "GroupKappa", "TwinLabels", "kappas", "save_labeller_values", "twin_labels"]

#: Under which name the labellers' measures stand among those of models.
GOLDEN = "golden labels"


@dataclass(frozen=True, kw_only=True)
class GroupKappa:
    """Cohen's kappa of the cases of a group (all cases: no group), plain and with quadratic weights."""

    group: Mapping[str, str]
    plain: CohensKappa
    weighted: CohensKappa


@dataclass(frozen=True, kw_only=True)
class TwinLabels:
    """What one person made of twins that differ in a group: how many pairs, and how often each got the higher label.

    `share` of pairs were labelled differently, with its Wilson interval; `p` is McNemar's of no preference.
    """

    labeller: str
    attribute: str
    groups: tuple[str, str]
    pairs: int
    higher_first: int
    higher_second: int
    share: float
    low: float
    high: float
    p: float | None


def kappas(store: Store | Writing) -> list[GroupKappa]:
    """Return kappa of the cases with two labels: of all, then of each group of each attribute.

    The rows of the table are the labeller whose name comes first.
    """
    size = len(scale_of(store).labels)
    both = [(case, each) for case, each in _labelled(store) if len(each.labels) == LABELLERS]
    groups = sorted({item for case, _ in both for item in case.groups.items()})
    found = []
    for group in (None, *groups):
        table = np.zeros((size, size), dtype=np.int64)
        for case, standing in both:
            if group is None or group in case.groups.items():
                first, second = sorted(standing.labels, key=lambda each: each.by)
                table[first.label, second.label] += 1
        found.append(
            GroupKappa(
                group={} if group is None else dict([group]),
                plain=cohens_kappa(table),
                weighted=cohens_kappa(table, weights="quadratic"),
            )
        )
    return found


def twin_labels(store: Store | Writing) -> list[TwinLabels]:
    """Return how each labeller treated twins, by the attribute and the groups in which these differ."""
    twins: dict[tuple[str, str], list[tuple[Case, int]]] = defaultdict(list)
    for case, standing in _labelled(store):
        for given in standing.labels if case.twin is not None else ():
            twins[given.by, str(case.twin)].append((case, given.label))
    counted: dict[tuple[str, str, tuple[str, str]], list[int]] = defaultdict(lambda: [0, 0, 0])
    for (labeller, _), labelled in twins.items():
        for attribute, groups, first, second in _pairs(labelled):
            count = counted[labeller, attribute, groups]
            count[0] += 1
            count[1] += first > second
            count[2] += second > first
    found = []
    for (labeller, attribute, groups), (pairs, first, second) in sorted(counted.items()):
        share = selection_rate(first + second, pairs)
        found.append(
            TwinLabels(
                labeller=labeller,
                attribute=attribute,
                groups=groups,
                pairs=pairs,
                higher_first=first,
                higher_second=second,
                share=share.estimate,
                low=share.low,
                high=share.high,
                p=mcnemar(first, second, pairs).p,
            )
        )
    return found


def save_labeller_values(writing: Writing) -> None:
    """Keep how often labels agree with the other of the same case: of each labeller by day, and of all cases.

    A case counts on the day of a labeller's own label; of all cases, on that of its second.
    """
    alike: dict[tuple[str, str | None], list[bool]] = defaultdict(list)
    for _, standing in _labelled(writing):
        if len(standing.labels) == LABELLERS:
            for given in standing.labels:
                alike[given.time[:10], given.by].append(not standing.differs)
            alike[standing.labels[-1].time[:10], None].append(not standing.differs)
    if not alike:
        return
    known_model(writing, GOLDEN)
    values = []
    for (day, labeller), each in alike.items():
        share = sum(each) / len(each)
        values.append(
            DailyValue(
                model=GOLDEN,
                measure="labeller_agreement",
                day=date.fromisoformat(day),
                value=share,
                n=len(each),
                slice={} if labeller is None else {"labeller": labeller},
                standard_error=(share * (1 - share) / len(each)) ** 0.5 or None,
            )
        )
    save_values(writing, values)


def _labelled(store: Store | Writing) -> Iterator[tuple[Case, Standing]]:
    known = standings(store)
    return ((case, known[case.id]) for case in cases_of(store, with_texts=False))


def _pairs(labelled: Sequence[tuple[Case, int]]) -> Iterator[tuple[str, tuple[str, str], int, int]]:
    """Yield attribute, groups and labels of each pair of twins that differ in one attribute; groups by alphabet."""
    for pair in combinations(labelled, 2):
        attributes = {name for case, _ in pair for name in case.groups}
        differing = [name for name in attributes if len({case.groups.get(name, "") for case, _ in pair}) > 1]
        if len(differing) == 1:
            (attribute,) = differing
            first, second = sorted(pair, key=lambda each: each[0].groups.get(attribute, ""))
            groups = first[0].groups.get(attribute, ""), second[0].groups.get(attribute, "")
            yield attribute, groups, first[1], second[1]
