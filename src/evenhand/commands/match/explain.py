"""`evenhand match explain`: what each feature adds to the score of a pair, in numbers and in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import orjson

from evenhand.commands.match.scored import Asked, asked_pairs, every_pair, matched, scored_pairs
from evenhand.errors import InputError
from evenhand.matching.explained import Reason as Told
from evenhand.matching.explained import Reasons
from evenhand.matching.features.declared import FEATURES, NAMES
from evenhand.matching.training.calibration import half_steps
from evenhand.runs.options.scores.match import ScoreOptions
from evenhand.runs.progress import Progress
from evenhand.runs.records.opened import opened_run
from evenhand.runs.records.scores.match import MatchRun, write_match
from evenhand.tables.audit.applicants.match import ExplainedPair, Reason

__all__ = ["run_explain", "told_reasons"]

MOST_PAIRS: Final = 100_000
#: Pairs that the page shows, those of the first people and positions.
SHOWN: Final = 10


def run_explain(options: ScoreOptions, *, progress: Progress | None = None) -> MatchRun:
    """Explain the scores of pairs; return the finished run.

    Raises
    ------
    InputError
        A file can't be used, the matcher was changed, or there are too many pairs.

    """
    asked = every_pair(asked_pairs(options, progress=progress))
    if asked.pairs > MOST_PAIRS:
        raise InputError(
            f"{asked.pairs:,} pairs would be explained, one by one; give --pairs FILE with {MOST_PAIRS:,} at most."
        )
    rows = list(_explained(asked))
    matches = Counter(row["match"] for row in rows)
    with opened_run(options.folder("match-explain"), force=options.force) as opened:
        lines = b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
        shown = tuple(_shown(row) for row in rows[:SHOWN])
        files = {"explanations.jsonl": lines}
        return write_match(
            opened.folder, matched(asked, options, "explain", matches, files=files, said={"explained": shown})
        )


def _explained(asked: Asked) -> Iterator[dict[str, Any]]:
    """Yield the rows of explanations.jsonl: base + Σ contributions = margin."""
    matcher, facts = asked.matcher, asked.facts
    reasons = Reasons(matcher, facts)
    for scored in scored_pairs(asked):
        assert scored.features is not None
        contributions = matcher.contributions(scored.features)
        match = half_steps(scored.score)
        for row, (person, position) in enumerate(zip(scored.people.tolist(), scored.positions.tolist(), strict=True)):
            own = scored.features[row]
            yield {
                "person": asked.people[person].id,
                "position": asked.positions[position].id,
                "score": float(scored.score[row]),
                "match": float(match[row]),
                "margin": float(scored.margin[row]),
                "base": matcher.base,
                "contributions": dict(zip(NAMES, contributions[row].tolist(), strict=True)),
                "features": {
                    name: None if np.isnan(value) else round(float(value), 4)
                    for name, value in zip(NAMES, own, strict=True)
                },
                "words": told_reasons(reasons.of(person, position, own)),
            }


def told_reasons(reasons: Sequence[Told]) -> list[dict[str, Any]]:
    """Return the reasons of a pair as rows of files have them."""
    return [{"feature": each.feature, "met": each.met, "text": each.text} for each in reasons]


def _shown(row: dict[str, Any]) -> ExplainedPair:
    """Return a pair as the page shows it: features that the model uses, those that add or take most first."""
    words: dict[str, str] = {}
    for each in row["words"]:
        words.setdefault(each["feature"], each["text"])
    titles = {feature.name: feature.title for feature in FEATURES}
    added = sorted(row["contributions"].items(), key=lambda item: -abs(item[1]))
    return ExplainedPair(
        person=row["person"],
        position=row["position"],
        score=row["score"],
        match=row["match"],
        margin=row["margin"],
        base=row["base"],
        reasons=tuple(
            Reason(feature=titles[name], text=words.get(name, ""), contribution=value)
            for name, value in added
            if value or name in words
        ),
    )
