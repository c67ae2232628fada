"""Which cases are worth labelling: where models disagree, where a model and people do, of groups that are few."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

__all__ = ["Candidate", "chosen"]

_MIDDLE: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A case that may be chosen: its groups, what models scored it, and what people decided (None: not known)."""

    id: str
    groups: Mapping[str, str]
    scores: Mapping[str, float]
    decided: bool | None = None


def chosen(candidates: Sequence[Candidate], n: int, *, there: Iterable[Mapping[str, str]] = ()) -> dict[str, str]:
    """Return up to n ids with the reason for each; `there` has the groups of the cases that the set has.

    What is asked for takes turns: the widest disagreement between models, the widest between a model and people, and
    the rarest group, in the set and the chosen together; a reason that is true of nobody is passed over. Scores count
    by their ranks, so their scales need not be alike: a model disagrees with people who said no where the rank is in
    the upper half, and with a yes in the lower. Where two are equal the first of the file is taken.

    >>> some = [Candidate(id=str(n), groups={}, scores={"a": n, "b": b}) for n, b in enumerate((0, 3, 2, 1))]
    >>> chosen(some, 1)
    {'1': 'models disagree: a 1, b 3'}
    """
    ranks = _ranks(candidates)
    counts = Counter(item for groups in there for item in groups.items())
    counts.update(dict.fromkeys({item for each in candidates for item in each.groups.items()}, 0))
    places = range(len(candidates))

    def between_models(place: int) -> float:
        return max(ranks[place], default=0.0) - min(ranks[place], default=0.0)

    def with_people(place: int) -> float:
        decided = candidates[place].decided
        apart = 0.0 if decided is None else max((abs(rank - decided) for rank in ranks[place]), default=0.0)
        return apart if apart > _MIDDLE else 0.0

    def rarity(place: int) -> float:
        own = candidates[place].groups.items()
        return 1 / (1 + min(counts[item] for item in own)) if own else 0.0

    asked: list[tuple[Callable[[int], float], Callable[[Candidate], str]]] = []
    if any(len(each.scores) > 1 for each in candidates):
        asked.append((between_models, lambda each: f"models disagree: {_told(each)}"))
    if any(each.scores and each.decided is not None for each in candidates):
        asked.append((with_people, lambda each: f"people said {'yes' if each.decided else 'no'}: {_told(each)}"))
    if counts:
        asked.append((rarity, lambda each: f"few of {_rarest(each, counts)}"))
    found: dict[str, str] = {}
    left, turn = list(places), 0
    while left and asked and len(found) < n:
        worth, reason = asked[turn % len(asked)]
        best = max(left, key=worth)
        if not worth(best):  # nobody is left whom this reason is true of
            del asked[turn % len(asked)]
            continue
        turn += 1
        left.remove(best)
        found[candidates[best].id] = reason(candidates[best])
        counts.update(candidates[best].groups.items())
    return found


def _ranks(candidates: Sequence[Candidate]) -> list[list[float]]:
    """Return the ranks of each candidate's scores, from 0 to 1, ties at their middle."""
    ranks: list[list[float]] = [[] for _ in candidates]
    for name in sorted({name for each in candidates for name in each.scores}):
        have = [place for place, each in enumerate(candidates) if name in each.scores]
        scores = np.array([candidates[place].scores[name] for place in have])
        ordered = np.sort(scores)
        middle = (np.searchsorted(ordered, scores) + np.searchsorted(ordered, scores, side="right") - 1) / 2
        for place, rank in zip(have, middle / max(len(have) - 1, 1), strict=True):
            ranks[place].append(float(rank))
    return ranks


def _told(candidate: Candidate) -> str:
    return ", ".join(f"{name} {score:.3g}" for name, score in candidate.scores.items())


def _rarest(candidate: Candidate, counts: Mapping[tuple[str, str], int]) -> str:
    name, value = min(candidate.groups.items(), key=lambda item: counts[item], default=("", ""))
    return f"{name} {value}"
