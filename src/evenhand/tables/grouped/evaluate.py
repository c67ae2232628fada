"""The findings of an evaluation as its page tells them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.keys import by_key
from evenhand.tables.grouped.names import CHANGE, DIFFERENCE, LIPSCHITZ, SIMILAR_APART

__all__ = ["EvaluateGroups", "EvaluateView", "evaluate_groups"]

Labels = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class EvaluateView:
    """All findings of one attribute, or of several crossed, in one slice: by measure, then in order of the groups.

    `everybody` has those of all people of the slice, under their measure.
    """

    slice: dict[str, str]
    attributes: tuple[str, ...]
    groups: tuple[Labels, ...]
    values: dict[str, dict[Labels, Finding]]
    gaps: dict[str, tuple[Finding, ...]]
    changes: dict[str, dict[Labels, Finding]]
    everybody: dict[str, Finding] = field(default_factory=dict)

    @property
    def crossed(self) -> bool:
        """Whether groups are of several attributes at once."""
        return len(self.attributes) > 1

    @property
    def by_group(self) -> dict[str, dict[str, Finding]]:
        """Return the findings of each group by measure."""
        return {
            " × ".join(group): {name: own[group] for name, own in self.values.items() if group in own}
            for group in self.groups
        }


@dataclass(frozen=True, kw_only=True)
class EvaluateGroups:
    """Findings of all people, then view by view; those within slices apart, and those of similar people."""

    everybody: dict[str, Finding]
    changes: dict[str, Finding]
    views: tuple[EvaluateView, ...]
    slices: tuple[EvaluateView, ...]
    similar: tuple[Finding, ...]
    quotient: Finding | None


def evaluate_groups(findings: Sequence[Finding], _audit: EvaluateAudit) -> EvaluateGroups:
    """Return the findings of an evaluation by what they tell."""
    similar = [each for each in findings if each.measure == SIMILAR_APART]
    quotient = next((each for each in findings if each.measure == LIPSCHITZ), None)
    rest = [each for each in findings if each.measure not in {SIMILAR_APART, LIPSCHITZ}]
    views = []
    everybody: dict[tuple[tuple[str, str], ...], dict[str, Finding]] = {}
    for (where, attributes), own in by_key(lambda each: (tuple(each.slice.items()), tuple(each.focal)), rest).items():
        if not attributes:
            everybody[where] = {each.measure: each for each in own}
            continue
        views.append(_view(dict(where), attributes, own, everybody.get(where, {})))
    alone = [
        _view(dict(where), (), list(found.values()), found)
        for where, found in everybody.items()
        if where and not any(tuple(view.slice.items()) == where for view in views)
    ]
    whole = everybody.get((), {})
    return EvaluateGroups(
        everybody={name: each for name, each in whole.items() if not name.startswith(CHANGE)},
        changes={name.removeprefix(CHANGE): each for name, each in whole.items() if name.startswith(CHANGE)},
        views=tuple(view for view in views if not view.slice),
        slices=(*(view for view in views if view.slice), *alone),
        similar=tuple(similar),
        quotient=quotient,
    )


def _view(
    where: dict[str, str], attributes: Labels, findings: Sequence[Finding], everybody: dict[str, Finding]
) -> EvaluateView:
    values: dict[str, dict[Labels, Finding]] = {}
    changes: dict[str, dict[Labels, Finding]] = {}
    gaps: dict[str, list[Finding]] = {}
    for each in findings:
        group = tuple(each.focal.values())
        if each.measure.startswith(DIFFERENCE):
            gaps.setdefault(each.measure.removeprefix(DIFFERENCE), []).append(each)
        elif each.measure.startswith(CHANGE):
            changes.setdefault(each.measure.removeprefix(CHANGE), {})[group] = each
        else:
            values.setdefault(each.measure, {})[group] = each
    groups = dict.fromkeys(group for own in values.values() for group in own)
    return EvaluateView(
        slice=where,
        attributes=attributes,
        groups=tuple(groups),
        values=values,
        gaps={name: tuple(own) for name, own in gaps.items()},
        changes=changes,
        everybody={name: each for name, each in everybody.items() if not name.startswith(CHANGE)},
    )
