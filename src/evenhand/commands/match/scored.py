"""People and positions as a matcher reads them, and which pairs of them are asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.commands.match.masking import masked_texts
from evenhand.commands.match.pairs import read_pairs
from evenhand.intake.positions import Position, read_positions
from evenhand.matching.features.pairs import pair_features
from evenhand.matching.matcher import Facts, Matcher
from evenhand.matching.stored import read_matcher
from evenhand.matching.training.calibration import half_steps
from evenhand.resumes.people.person import Person
from evenhand.resumes.people.reading import read_people
from evenhand.runs.options.scores.match import ScoreOptions
from evenhand.runs.progress import Progress
from evenhand.runs.records.scores.match import Matched
from evenhand.tables.run_folder import refuse_own_input

__all__ = ["Asked", "asked_pairs", "every_pair", "matched", "pair_table", "scored_pairs"]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A matcher, people, positions, and the numbers of those that make up the pairs; all of them where None."""

    matcher: Matcher
    people: Sequence[Person]
    positions: Sequence[Position]
    facts: Facts
    texts: Sequence[str]
    rows: NDArray[np.int64] | None
    columns: NDArray[np.int64] | None

    @property
    def pairs(self) -> int:
        """Return how many pairs there are."""
        return len(self.people) * len(self.positions) if self.rows is None else len(self.rows)


def asked_pairs(options: ScoreOptions, *, progress: Progress | None = None) -> Asked:
    """Return what a matcher is asked.

    Raises
    ------
    InputError
        A file can't be used, or pairs name somebody who isn't there.

    """
    inputs = [options.matcher, options.people, options.positions, options.pairs]
    refuse_own_input(options.out, [each for each in inputs if each is not None], force=options.force)
    matcher = read_matcher(options.matcher)
    people, positions = read_people(options.people), read_positions(options.positions)
    rows = columns = None
    if options.pairs is not None:
        frame = read_pairs(
            options.pairs, people=[each.id for each in people], positions=[each.id for each in positions]
        )
        rows, columns = frame["_person"].to_numpy(), frame["_position"].to_numpy()
        asked_for = np.unique(rows)
        people, rows = tuple(people[number] for number in asked_for), np.searchsorted(asked_for, rows)
    texts = masked_texts(people, options.cache, progress=progress)
    if progress is not None:
        progress("scoring")
    return Asked(
        matcher=matcher,
        people=people,
        positions=positions,
        facts=matcher.facts(texts, positions),
        texts=texts,
        rows=rows,
        columns=columns,
    )


@dataclass(frozen=True, kw_only=True)
class ScoredPairs:
    """Pairs in the order that they were asked for, with their margins and scores; of some also the features."""

    people: NDArray[np.int64]
    positions: NDArray[np.int64]
    margin: NDArray[np.float64]
    score: NDArray[np.float64]
    features: NDArray[np.float32] | None = None


def every_pair(asked: Asked) -> Asked:
    """Return what is asked with its pairs named one by one, where they were not."""
    if asked.rows is not None:
        return asked
    rows, columns = np.indices((len(asked.people), len(asked.positions)))
    return replace(asked, rows=rows.ravel(), columns=columns.ravel())


def scored_pairs(asked: Asked) -> Iterator[ScoredPairs]:
    """Yield the scored pairs, so many at a time that memory doesn't grow with them."""
    matcher, facts = asked.matcher, asked.facts
    if asked.rows is None or asked.columns is None:
        for block in matcher.blocks(facts):
            people, positions = np.indices(block.margin.shape)
            yield ScoredPairs(
                people=people.ravel() + block.first,
                positions=positions.ravel(),
                margin=block.margin.ravel(),
                score=block.score.ravel(),
            )
        return
    features = pair_features(facts.people, facts.positions, asked.rows, asked.columns)
    margin = matcher.margin(features)
    families = [facts.positions.families[column] for column in asked.columns]
    yield ScoredPairs(
        people=asked.rows,
        positions=asked.columns,
        margin=margin,
        score=matcher.score(margin, families),
        features=features,
    )


def pair_table(asked: Asked, scored: ScoredPairs) -> pl.DataFrame:
    """Return the columns of scores.csv: person, position, score, match."""
    people = pl.Series([each.id for each in asked.people], dtype=pl.String)
    positions = pl.Series([each.id for each in asked.positions], dtype=pl.String)
    return pl.DataFrame(
        {
            "person": people.gather(scored.people),
            "position": positions.gather(scored.positions),
            "score": scored.score,
            "match": half_steps(scored.score),
        }
    )


def matched(asked: Asked, options: ScoreOptions, command: str, matches: Mapping[float, int], **more: Any) -> Matched:
    """Return what was done with a matcher, to be written; `matches` counts pairs by their match."""
    inputs = {"matcher": options.matcher, "people": options.people, "positions": options.positions}
    if options.pairs is not None:
        inputs["pairs"] = options.pairs
    said = {
        "model": options.matcher.name,
        "people": len(asked.people),
        "positions": len(asked.positions) if asked.columns is None else len(np.unique(asked.columns)),
        "pairs": asked.pairs,
        "matches": {f"{match:g}": matches[match] for match in sorted(matches)},
        **more.pop("said", {}),
    }
    return Matched(command=command, options=options, inputs=inputs, said=said, **more)
