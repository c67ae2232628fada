"""`evenhand match recommend`: positions ranked for people, or candidates for positions."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.commands.match.explain import told_reasons
from evenhand.commands.match.scored import Asked, asked_pairs, matched, scored_pairs
from evenhand.errors import InputError
from evenhand.matching.explained import Reasons
from evenhand.matching.features.declared import NAMES
from evenhand.matching.features.pairs import pair_features
from evenhand.matching.ranking import ranks_of
from evenhand.matching.training.calibration import half_steps
from evenhand.report.scores.match.cards import Card, CardList, cards_page
from evenhand.runs.options.scores.match import RecommendOptions
from evenhand.runs.progress import Progress
from evenhand.runs.records.opened import opened_run
from evenhand.runs.records.scores.match import MatchRun, write_match
from evenhand.tables.audit.applicants.match import Recommended
from evenhand.tables.schemas import PROTECTED, conform_outcomes

__all__ = ["run_recommend"]

MOST_PAIRS: Final = 20_000_000
#: A match from which on it is called strong.
STRONG: Final = 4.0
#: Lists that recommendations.html shows.
SHOWN: Final = 50
#: Features that the list of matching skills tells.
_LISTED: Final = frozenset({"skills", "nice", "technology"})
#: What the column `rank` of outcomes.parquet holds at most.
_LARGEST_RANK: Final = 2**15 - 1


@dataclass(frozen=True, kw_only=True)
class _Ranked:
    """Pairs with their ranks, all (n,)."""

    people: NDArray[np.int64]
    positions: NDArray[np.int64]
    margin: NDArray[np.float64]
    score: NDArray[np.float64]
    rank: NDArray[np.int64]


def run_recommend(options: RecommendOptions, *, progress: Progress | None = None) -> MatchRun:
    """Rank positions for people or people for positions; return the finished run.

    Raises
    ------
    InputError
        A file can't be used, the matcher was changed, or there are too many pairs.

    """
    asked = asked_pairs(options, progress=progress)
    if asked.pairs > MOST_PAIRS:
        raise InputError(f"{asked.pairs:,} pairs would be ranked; {MOST_PAIRS:,} are the most: give fewer, or --pairs.")
    ranked = _ranked(asked, options)
    if options.top > (longest := int(ranked.rank.max())):
        raise InputError(
            f"--top {options.top:,} is more than any list has ({longest:,}): all would count as successes."
        )
    steps, counts = np.unique(half_steps(ranked.score), return_counts=True)
    attributes, top, listed = _attributes(asked), options.top, options.listed
    whom = Recommended(ranked=options.ranked, attributes=attributes, top=top, listed=listed)
    with opened_run(options.folder("match-recommend"), force=options.force) as opened:
        rows, shown, lists = bytearray(), [], 0
        for each in _lists(asked, ranked, options):
            rows += orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE)
            lists += 1
            if lists <= SHOWN:
                shown.append(_cards(each, asked, for_people=options.for_people))
        page = cards_page(shown, lists=lists, for_people=options.for_people)
        found = matched(
            asked,
            options,
            "recommend",
            Counter(dict(zip(steps.tolist(), counts.tolist(), strict=True))),
            said={"recommended": whom},
            files={"recommendations.jsonl": bytes(rows), "recommendations.html": page.encode()},
            outcomes=_outcomes(asked, ranked, options),
        )
        return write_match(opened.folder, found)


def _attributes(asked: Asked) -> tuple[str, ...]:
    return tuple(sorted({name for each in asked.people for name in each.protected}))


def _ranked(asked: Asked, options: RecommendOptions) -> _Ranked:
    parts = list(scored_pairs(asked))
    people, positions, score, margin = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("people", "positions", "score", "margin")
    )
    lists = people if options.for_people else positions
    rank = ranks_of(lists, score, margin, rng=np.random.default_rng(options.seed))
    return _Ranked(people=people, positions=positions, margin=margin, score=score, rank=rank)


def _lists(asked: Asked, ranked: _Ranked, options: RecommendOptions) -> Iterator[dict[str, Any]]:
    """Yield a list for each person or position, as it stands in recommendations.jsonl."""
    listed = np.flatnonzero(ranked.rank <= options.listed)
    own = ranked.people if options.for_people else ranked.positions
    listed = listed[np.lexsort((ranked.rank[listed], own[listed]))]
    people, positions = ranked.people[listed], ranked.positions[listed]
    features = pair_features(asked.facts.people, asked.facts.positions, people, positions)
    reasons, match = Reasons(asked.matcher, asked.facts), half_steps(ranked.score[listed])
    contributions = asked.matcher.contributions(features)
    begins = np.flatnonzero(np.concatenate([[True], np.diff(own[listed]) != 0])).tolist()
    for begin, end in zip(begins, [*begins[1:], len(listed)], strict=True):
        found = []
        for row in range(begin, end):
            person, position = int(people[row]), int(positions[row])
            told = reasons.of(person, position, features[row])
            found.append(
                {
                    "rank": int(ranked.rank[listed[row]]),
                    **_whom(asked, person, position, for_people=options.for_people),
                    "score": float(ranked.score[listed[row]]),
                    "match": float(match[row]),
                    "strong": bool(match[row] >= STRONG),
                    "margin": float(ranked.margin[listed[row]]),
                    "base": asked.matcher.base,
                    "contributions": dict(zip(NAMES, contributions[row].tolist(), strict=True)),
                    "words": told_reasons(told),
                    "matching_skills": reasons.matching(person, position),
                    "found": [each.text for each in told if each.met and each.feature not in _LISTED],
                    "not_found": [each.text for each in told if each.met is False and each.feature not in _LISTED],
                }
            )
        if options.for_people:
            yield {"person": asked.people[int(people[begin])].id, "positions": found}
        else:
            ranked_for = asked.positions[int(positions[begin])]
            yield {"position": ranked_for.id, "title": ranked_for.title, "candidates": found}


def _whom(asked: Asked, person: int, position: int, *, for_people: bool) -> dict[str, Any]:
    if for_people:
        own = asked.positions[position]
        return {"position": own.id, "title": own.title, "location": own.location}
    return {"person": asked.people[person].id, "candidate": _pseudonym(asked.people[person].id)}


def _pseudonym(name: str) -> str:
    """Return what a candidate is called where nobody should be known: an id may be a file's name."""
    return hashlib.blake2b(name.encode(), digest_size=4).hexdigest()


def _cards(row: dict[str, Any], asked: Asked, *, for_people: bool) -> CardList:
    if for_people:
        cards = [_card(each, heading=each["title"], place=each["location"] or "") for each in row["positions"]]
        return CardList(heading=row["person"], cards=cards)
    texts = dict(zip((each.id for each in asked.people), asked.texts, strict=True))
    cards = [
        _card(each, heading=f"Candidate {each['candidate']}", text=texts[each["person"]]) for each in row["candidates"]
    ]
    return CardList(heading=row["title"], cards=cards)


def _card(row: dict[str, Any], *, heading: str, place: str = "", text: str = "") -> Card:
    same = {name: row[name] for name in ("rank", "match", "strong", "found")}
    return Card(heading=heading, place=place, skills=row["matching_skills"], text=text, **same)


def _outcomes(asked: Asked, ranked: _Ranked, options: RecommendOptions) -> pl.DataFrame:
    """Return all ranked pairs as judgements: a success is a rank up to --top."""
    people, positions = ranked.people, ranked.positions
    person = _ids([each.id for each in asked.people]).gather(people)
    position = _ids([each.id for each in asked.positions]).gather(positions)
    groups = {
        f"{PROTECTED}{name}": _ids([each.protected.get(name) for each in asked.people]).gather(people)
        for name in _attributes(asked)
    }
    return conform_outcomes(
        pl.DataFrame(
            {
                "item": person,
                "unit": person + "/" + position,
                "set": position,
                "attempt": pl.repeat(0, len(people), dtype=pl.Int32, eager=True),
                "successes": (ranked.rank <= options.top).astype(np.int32),
                "trials": pl.repeat(1, len(people), dtype=pl.Int32, eager=True),
                "rank": pl.Series(np.where(ranked.rank <= _LARGEST_RANK, ranked.rank, 0)).replace(0, None),
                "score": ranked.score,
                "status": pl.repeat("observed", len(people), eager=True),
                **groups,
                "context.position": position,
            }
        )
    )


def _ids(values: Sequence[str | None]) -> pl.Series:
    return pl.Series(values, dtype=pl.String)
