"""What findings about predictions tell besides their estimates; a dataclass per family of measures."""

from dataclasses import dataclass
from typing import Final

from evenhand.tables.audit.written import left_out
from evenhand.tables.details import Details

__all__ = [
    "PREDICTION_FAMILIES",
    "BothErrors",
    "ClassCounts",
    "GroupGap",
    "Probabilities",
    "ReliabilityBin",
    "SimilarDecisions",
    "Trials",
    "VersionChange",
]


@dataclass(frozen=True, kw_only=True)
class ClassCounts(Details):
    """Of an AUC: how many people have the outcome, and how many don't."""

    positives: int | None = None
    negatives: int | None = None
    standard_error: float | None = None


@dataclass(frozen=True, kw_only=True)
class Trials(Details):
    """Of a share: of how many people it is, and how many of them there are."""

    successes: int | None = None
    trials: int | None = None


@dataclass(frozen=True, kw_only=True)
class ReliabilityBin:
    """People of neighbouring scores: their mean score, and the share with the outcome with its interval."""

    n: int
    mean_score: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Probabilities(Details):
    """Of a Brier score: its decomposition, and the reliability curve that it was made from."""

    reliability: float | None = None
    resolution: float | None = None
    uncertainty: float | None = None
    within_bins: float | None = None
    bins: tuple[ReliabilityBin, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GroupGap(Details):
    """Of a difference or a ratio of two groups: both values, and on how many people they rest."""

    value_focal: float | None = None
    value_reference: float | None = None
    n_value_focal: int | None = None
    n_value_reference: int | None = None


@dataclass(frozen=True, kw_only=True)
class BothErrors(Details):
    """Of equalised odds: the differences of both rates, each focal less reference."""

    difference_tpr: float | None = None
    difference_fpr: float | None = None


@dataclass(frozen=True, kw_only=True)
class VersionChange(Details):
    """Of a difference between two versions: both values, and whether it is for the worse by how much."""

    value_new: float | None = None
    value_previous: float | None = None
    worse_by: float | None = None


@dataclass(frozen=True, kw_only=True)
class SimilarDecisions(Details):
    """Of pairs of similar people: how many there are, how many were decided differently, and how far scores lie apart.

    `attribute` is that of whose groups the two people of each pair are different; None of all pairs.
    """

    attribute: str | None = left_out()
    within: float | None = None
    pairs: int | None = None
    different: int | None = None
    largest_quotient: float | None = None
    identical: int | None = None
    identical_apart: int | None = None


PREDICTION_FAMILIES: Final[tuple[type[Details], ...]] = (
    ClassCounts,
    Trials,
    Probabilities,
    GroupGap,
    BothErrors,
    VersionChange,
    SimilarDecisions,
)
