"""What is known of a company because it was made: parameters, injected effects, differences to expect, true AUC."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.lexicons.names import GENDERS, RACES
from evenhand.resumes.generated.company.company import Company
from evenhand.resumes.generated.company.decisions import STAGES, day_of
from evenhand.resumes.generated.company.parameters import INJECTED, MODEL, PLACE
from evenhand.stats.special import expit

__all__ = ["SCHEMA", "Difference", "description", "injected", "points", "readme"]

SCHEMA: Final = "evenhand.company/1"
_REFERENCE: Final = {"gender": "male", "race": "white"}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How much likelier a group is passed on at a stage than the reference group, as a share; None: one is empty.

    `expected` is the difference of the mean chances of those who got there, `injected` the part of it that would not
    be there without what was injected at this stage; `since` is the first day that is looked at, None for all.
    """

    stage: str
    attribute: str
    focal: str
    reference: str
    since: date | None
    n_focal: int
    n_reference: int
    expected: float | None
    injected: float | None


def description(company: Company) -> dict[str, Any]:
    """Return company.json: all numbers that say what was drawn, and what is true of this draw."""
    return {
        "schema": SCHEMA,
        "synthetic": True,
        "size": asdict(company.size),
        "place": asdict(PLACE),
        "truth": asdict(MODEL),
        "injected": asdict(INJECTED),
        "career_breaks": _breaks(company),
        "differences": [asdict(each) for each in _differences(company)],
        "true_score_auc": _aucs(company),
    }


def injected(company: Company) -> tuple[Difference, Difference]:
    """Return the two that were injected: of women when applications are read, of one race at the interview."""
    found = {(each.stage, each.focal, each.since): each for each in _differences(company)}
    return (
        found["applied", "female", None],
        found["interviewed", INJECTED.interview_race, INJECTED.interview_since],
    )


def readme(company: Company) -> str:
    """Return README.md: every file and column, and the injected effects with the sizes of this draw."""
    template = (resources.files("evenhand.resumes.generated.company") / "readme.md").read_text("utf-8")
    size, auc = company.size, _aucs(company)
    applied, interview = injected(company)
    return template.format(
        people=f"{size.people:,}",
        positions=f"{size.positions:,}",
        pairs=f"{size.pairs:,}",
        command=f"--people {size.people} --positions {size.positions} --pairs {size.pairs} --seed {size.seed}",
        departments=", ".join(sorted(set(company.departments()))),
        breaks={label: "none drawn" if share is None else f"{share:.1%}" for label, share in _breaks(company).items()},
        injected=INJECTED,
        truth=MODEL,
        share=INJECTED.break_share,
        interview_points=-100 * INJECTED.interview_effect,
        applied=points(applied.injected),
        applied_expected=points(applied.expected),
        interview=points(interview.injected),
        interview_expected=points(interview.expected),
        auc_performed=_range(auc["performed_well"]),
        auc_advanced=_range(auc["advanced"]),
    )


def points(share: float | None) -> str:
    """Return a difference of shares in percentage points.

    >>> points(-0.076), points(None)
    ('−7.6 percentage points', 'not defined (a group is empty)')
    """
    if share is None:
        return "not defined (a group is empty)"
    return f"{100 * share:+.1f} percentage points".replace("-", "−")


def _range(auc: dict[str, Any]) -> str:
    """Return the AUC of all, and the smallest and largest of a group."""
    found = [value for name in ("gender", "race") for value in auc[name].values() if value is not None]
    if auc["all"] is None or not found:
        return "not defined, as all have one label"
    return f"{auc['all']:.3f} (of groups {min(found):.3f} to {max(found):.3f})"


def _groups(company: Company) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """Yield each attribute and group, and which pairs are of it."""
    person = company.pairs.person
    for attribute, labels, places in (("gender", GENDERS, company.people.gender), ("race", RACES, company.people.race)):
        for at, label in enumerate(labels):
            yield attribute, label, places[person] == at


def _breaks(company: Company) -> dict[str, float | None]:
    """Return the share of people with a career break, by gender."""
    broken = company.people.break_months > 0
    return {label: _mean(broken, company.people.gender == at) for at, label in enumerate(GENDERS)}


def _differences(company: Company) -> Iterator[Difference]:
    """Yield the difference of each group at each stage."""
    decided = company.decisions
    groups = list(_groups(company))
    since = day_of(INJECTED.interview_since)
    late = decided.seconds[:, STAGES.index("interviewed")] >= since * 86_400
    for at, stage in enumerate(STAGES[:-1]):
        for attribute, label, own in groups:
            if label == _REFERENCE[attribute]:
                continue
            others = next(rows for name, other, rows in groups if (name, other) == (attribute, _REFERENCE[attribute]))
            for day in (None, INJECTED.interview_since) if stage == "interviewed" else (None,):
                there = decided.reached[:, at] & (late if day else True)
                parts = [
                    _difference(chance, there & own, there & others)
                    for chance in (decided.chance[:, at], decided.chance[:, at] - decided.without[:, at])
                ]
                yield Difference(
                    stage=stage,
                    attribute=attribute,
                    focal=label,
                    reference=_REFERENCE[attribute],
                    since=day,
                    n_focal=int((there & own).sum()),
                    n_reference=int((there & others).sum()),
                    expected=parts[0],
                    injected=parts[1],
                )


def _difference(values: NDArray[Any], own: NDArray[np.bool_], others: NDArray[np.bool_]) -> float | None:
    """Return the difference of two groups' means, None where one is empty."""
    means = _mean(values, own), _mean(values, others)
    return None if means[0] is None or means[1] is None else means[0] - means[1]


def _mean(values: NDArray[Any], rows: NDArray[np.bool_]) -> float | None:
    return float(values[rows].mean()) if rows.any() else None


def _aucs(company: Company) -> dict[str, dict[str, Any]]:
    """Return how well the true score tells each label, over all pairs and by group."""
    truth = expit(company.pairs.fit)
    labels = {"performed_well": company.decisions.performed, "advanced": company.decisions.selected[:, 0]}
    groups = list(_groups(company))
    return {
        name: {
            "all": _auc(truth, label),
            **{
                attribute: {of: _auc(truth[rows], label[rows]) for each, of, rows in groups if each == attribute}
                for attribute in _REFERENCE
            },
        }
        for name, label in labels.items()
    }


def _auc(score: NDArray[np.float64], label: NDArray[np.bool_]) -> float | None:
    """Return the probability that a score with the label is above one without, None where all have one label."""
    low, high = np.sort(score[~label]), score[label]
    if not len(low) or not len(high):
        return None
    below = np.searchsorted(low, high, side="left") + np.searchsorted(low, high, side="right")
    return float(below.mean() / 2 / len(low))
