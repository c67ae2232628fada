"""How well the classifier reads e-mails, by people's labels, and whether that depends on whose e-mail it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import stdev

import polars as pl

from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.probes.an2024.labels.sheet import ANNOTATORS
from evenhand.stats.agreement import F1, CohensKappa, cohens_kappa, f1_score
from evenhand.stats.several_groups.homogeneity import Homogeneity, chi_square_homogeneity
from evenhand.stats.two_groups.rates import SelectionRate, selection_rate

__all__ = ["GroupReading", "Reading", "Score", "Share", "reading"]

ACCEPT, REJECT, NONE = DECISIONS
PEOPLE_AND_CLASSIFIER = ("label", "decision")


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share with interval, and the count it is of."""

    count: int
    rate: SelectionRate


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well one decision is found among e-mails in which people find one."""

    precision: Share
    recall: Share
    f1: F1


@dataclass(frozen=True, kw_only=True)
class GroupReading:
    """The labelled e-mails of one group, or of all.

    `valid` are those in which people find a decision, `alike` those that the classifier labels
    as people do, with `kappa` beyond chance; none is a label, too. `annotators` are those that
    both annotators label alike, of all that both label, with `annotators_kappa`.
    """

    group: Mapping[str, str] = field(default_factory=dict)
    emails: int
    valid: Share
    alike: Share
    kappa: CohensKappa
    annotators: Share
    annotators_kappa: CohensKappa


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What people's labels say of the classifier, the counts as An et al. 2024 have them in tables 5 and 6.

    `table` has a row per label of people and a column per one of the classifier. `scores`,
    by decision, and `accuracy` are of valid e-mails, as in table 5. `std` is the standard
    deviation of the groups' shares of valid e-mails, n - 1 below, as in table 6.
    """

    table: pl.DataFrame
    overall: GroupReading
    accuracy: Share
    scores: Mapping[str, Score]
    groups: tuple[GroupReading, ...]
    std: float | None
    validity_differs: Homogeneity
    alike_differs: Homogeneity


def reading(emails: pl.DataFrame) -> Reading:
    """Return how well `decision` says what `label` does, of e-mails `race, gender, annotator_1, annotator_2` besides.

    Annotators' labels and `label` are null where there is none.
    """
    counts = _counts(emails, PEOPLE_AND_CLASSIFIER)
    (aa, ar, an), (ra, rr, rn), _ = counts
    groups = [
        _group(part, {"race": str(key[0]), "gender": str(key[1])})
        for key, part in sorted(emails.group_by("race", "gender"), key=lambda each: each[0])
    ]
    columns = {name: [row[place] for row in counts] for place, name in enumerate(DECISIONS)}
    rates = [each.valid.rate.estimate for each in groups if each.emails]
    return Reading(
        table=pl.DataFrame({"people": list(DECISIONS), **columns}),
        overall=_group(emails, {}),
        accuracy=_share(aa + rr, aa + ar + an + ra + rr + rn),
        scores={
            ACCEPT: _score(both=aa, other=ra, missed=ar + an),
            REJECT: _score(both=rr, other=ar, missed=ra + rn),
        },
        groups=tuple(groups),
        std=stdev(rates) if len(rates) > 1 else None,
        validity_differs=_differs(groups, [each.valid for each in groups]),
        alike_differs=_differs(groups, [each.alike for each in groups]),
    )


def _counts(emails: pl.DataFrame, columns: Sequence[str]) -> list[list[int]]:
    """Return how often each label of one column meets each of the other, of e-mails that have both."""
    pairs = dict.fromkeys(((one, two) for one in DECISIONS for two in DECISIONS), 0)
    for pair in emails.select(columns).drop_nulls().iter_rows():
        pairs[pair] += 1
    return [[pairs[one, two] for two in DECISIONS] for one in DECISIONS]


def _group(emails: pl.DataFrame, group: Mapping[str, str]) -> GroupReading:
    counts, annotated = _counts(emails, PEOPLE_AND_CLASSIFIER), _counts(emails, ANNOTATORS)
    labelled = sum(map(sum, counts))
    return GroupReading(
        group=group,
        emails=labelled,
        valid=_share(sum(map(sum, counts[:2])), labelled),
        alike=_share(_same(counts), labelled),
        kappa=cohens_kappa(counts),
        annotators=_share(_same(annotated), sum(map(sum, annotated))),
        annotators_kappa=cohens_kappa(annotated),
    )


def _same(counts: Sequence[Sequence[int]]) -> int:
    return sum(counts[place][place] for place in range(len(DECISIONS)))


def _share(count: int, n: int) -> Share:
    return Share(count=count, rate=selection_rate(count, n))


def _score(*, both: int, other: int, missed: int) -> Score:
    """Return the score of a decision that the classifier gave `both` rightly and to `other` e-mails, and `missed`."""
    return Score(
        precision=_share(both, both + other), recall=_share(both, both + missed), f1=f1_score(both, other, missed)
    )


def _differs(groups: Sequence[GroupReading], shares: Sequence[Share]) -> Homogeneity:
    """Return the test that all groups have one share."""
    counts = [[share.count, group.emails - share.count] for group, share in zip(groups, shares, strict=True)]
    return chi_square_homogeneity(counts or [[0, 0]])
