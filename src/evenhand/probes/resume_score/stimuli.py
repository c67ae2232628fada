"""The prompts of resume-score, addressable by index.

An index is a number in mixed radix: set, round of names, group, the last digit running fastest. A set is one
position with one résumé and one wording of the question; in it, all prompts differ in the name only. A round puts one
name of each group under the set, so that every round is matched.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.probes.resume_score.applications import EMBEDDED, Applications, own_applications
from evenhand.probes.resume_score.wordings import WORDINGS, prompt_pieces
from evenhand.probes.shared.probe import Design
from evenhand.resumes.arms.groups import affinity_lines
from evenhand.resumes.arms.slots import full_name

__all__ = ["MATCHED_SETS", "ROUNDS", "designs", "own_names"]

Ints = NDArray[np.int64]

#: Names of each group; 8 groups of 10 names under 50 sets are 4,000 prompts.
ROUNDS = 10
MATCHED_SETS = 50
_PER_GROUP = 100
PRONOUNS = {"male": "He/him", "female": "She/her"}


@dataclass(frozen=True, kw_only=True)
class _Sets:
    """Which position, résumé and wording each set has."""

    position: Ints
    variant: Ints
    wording: Ints


@cache
def own_names() -> pl.DataFrame:
    """Return every tenth of the 100 names of each race and gender, one row per name; rounds run slowest.

    >>> own_names().height, own_names()["gender"].head(8).n_unique()
    (80, 2)
    """
    places = np.arange(ROUNDS) * (_PER_GROUP // ROUNDS) + _PER_GROUP // ROUNDS // 2
    groups = np.arange(len(RACES) * len(GENDERS)) * _PER_GROUP
    return bloomberg_names()[(places[:, None] + groups).ravel()]


def designs(
    *,
    low: float,
    high: float,
    applications: Callable[[], Applications] = own_applications,
    shape: tuple[int, int] = EMBEDDED,
    names: pl.DataFrame | None = None,
    pronouns: bool = False,
    affinity: bool = False,
    more: str = "",
) -> Mapping[str, Design]:
    """Return the designs: `matched`, of 50 sets at most, and `extended`, of all.

    `shape` counts the positions and the résumés for each; `applications` reads them when the first prompt is
    built. `names` has equally many names of each group, rounds running slowest. `more` follows the design's note.
    """
    every = _sets(np.arange(shape[0]), shape[1])
    thinned = np.unique(np.arange(MATCHED_SETS) * shape[0] // MATCHED_SETS)
    few = _sets(thinned, shape[1], most=MATCHED_SETS)
    # Our own names are read when the first prompt is built.
    block = len(RACES) * len(GENDERS) if names is None else names.select("gender", "race").n_unique()
    rounds = ROUNDS if names is None else names.height // block
    layout = _Layout(
        low=low,
        high=high,
        applications=applications,
        people=own_names if names is None else lambda: names,
        rounds=rounds,
        block=block,
        pronouns=pronouns,
        affinity=affinity,
    )
    added = [*(["pronouns"] if pronouns else []), *(["a line of membership"] if affinity else [])]
    changes = f"the name with {' and '.join(added)}" if added else "the name"
    note = (
        f"Each set is one résumé for one position in one wording, sent under {rounds * block} names, {rounds} of each "
        f"group; nothing changes but {changes}.{more}"
    )
    return {
        name: Design(
            name=name,
            size=len(sets.position) * rounds * block,
            block=block,
            stimuli=lambda indices, sets=sets: layout.stimuli(indices, sets),  # type: ignore[misc]
            note=note,
        )
        for name, sets in (("matched", few), ("extended", every))
    }


def _sets(positions: Ints, variants: int, *, most: int | None = None) -> _Sets:
    """Return the sets of some positions, so ordered that the first ones have all résumés and wordings alike.

    Each position comes once per round of the list; with it go another résumé and another wording each time.
    """
    size = len(positions)
    place, step = np.arange(size), np.arange(variants * len(WORDINGS))
    a, b = step % variants, step // variants
    variant = (place + a[:, None]) % variants
    wording = (place // variants + a[:, None] + b[:, None]) % len(WORDINGS)
    kept = slice(0, most)
    return _Sets(
        position=np.tile(positions, len(step))[kept],
        variant=variant.ravel()[kept],
        wording=wording.ravel()[kept],
    )


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """What all prompts share: the range, who applies where, under which names."""

    low: float
    high: float
    applications: Callable[[], Applications]
    people: Callable[[], pl.DataFrame]
    rounds: int
    block: int
    pronouns: bool
    affinity: bool

    def stimuli(self, indices: Ints, sets: _Sets) -> pl.DataFrame:
        """Return the stimuli at `indices`, in their order."""
        index = np.asarray(indices, dtype=np.int64)
        number, who = np.divmod(index, self.rounds * self.block)
        position, variant, wording = sets.position[number], sets.variant[number], sets.wording[number]
        found = self.applications()
        people = self.people()[who]
        kinds = list(WORDINGS)
        frame = pl.DataFrame(
            {
                "index": index,
                "item": pl.Series(index // self.block).cast(pl.String),
                "unit": pl.Series(index).cast(pl.String),
                "pair": pl.Series([None] * len(index), dtype=pl.String),
                "name": people["name"],
                "gender": people["gender"],
                "race": people["race"],
                "resume": pl.Series(
                    [found.resumes[p][v].template.id for p, v in zip(position, variant, strict=True)], dtype=pl.String
                ),
                "position": pl.Series([found.positions[p].title for p in position], dtype=pl.String),
                "zone": pl.Series([found.positions[p].zone for p in position], dtype=pl.String),
                "qualification": pl.Series(
                    [found.resumes[p][v].qualification for p, v in zip(position, variant, strict=True)], dtype=pl.String
                ),
                "wording": pl.Series([kinds[w] for w in wording], dtype=pl.String),
                "low": pl.Series([self.low] * len(index), dtype=pl.Float64),
                "high": pl.Series([self.high] * len(index), dtype=pl.Float64),
            }
        )
        return frame.with_columns(pl.Series("prompt", self._prompts(found, sets, number, people), dtype=pl.String))

    def _prompts(self, found: Applications, sets: _Sets, number: Ints, people: pl.DataFrame) -> list[str]:
        """Return the prompts; what surrounds the name is put together once per set."""
        kinds = list(WORDINGS)
        around: dict[int, tuple[str, str]] = {}
        prompts = []
        lines = {group: self._lines(*group) for group in people.select("gender", "race").unique().iter_rows()}
        who = people.select("name", "gender", "race").iter_rows()
        for each, (name, gender, race) in zip(number.tolist(), who, strict=True):
            position = int(sets.position[each])
            if each not in around:
                around[each] = prompt_pieces(
                    found.positions[position].text, kinds[sets.wording[each]], self.low, self.high
                )
            resume = found.resumes[position][sets.variant[each]]
            text = resume.filled(full_name(name), gender=gender, lines=lines[gender, race])
            prompts.append(around[each][0] + text + around[each][1])
        return prompts

    def _lines(self, gender: str, race: str) -> dict[str, str]:
        """Return what is added to a résumé under names of a group."""
        lines = {"pronouns": PRONOUNS[gender]} if self.pronouns else {}
        if self.affinity:
            lines["affinity"] = affinity_lines(("gender", "race"), (gender, race))[0]
        return lines
