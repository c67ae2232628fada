"""The scorer: what the probe's reader says of one answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from inspect_ai.model import ContentText, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from evenhand.integrations.inspect._asked import PLACE, configured_probe
from evenhand.integrations.inspect.metric import joined
from evenhand.measures import MeasureSet
from evenhand.runs.sample import chosen_design
from evenhand.tables.schemas import PROTECTED

__all__ = ["ScoreValue", "counted", "decided", "ranked_first", "reading", "score_of", "scored"]

#: Our names of why an answer ended, by inspect's.
_FINISH = {"stop": "stop", "max_tokens": "length", "model_length": "length", "unknown": None}


@scorer(metrics=[])
def reading(probe: str, design: str | None = None, settings: dict[str, Any] | None = None) -> Scorer:
    """Return a scorer whose value is what was read: accepted, rejected, a group, or why nothing was.

    The score's answer is the whole text: the metric reads it again, all answers together.
    """
    asked = configured_probe(probe, settings or {})
    layout = chosen_design(asked, design)

    async def score(state: TaskState, target: Target) -> Score:
        del target  # no answer is the right one
        text = state.output.completion if state.output.choices else None
        answer: dict[str, Any] = {
            "index": int(state.sample_id),
            "attempt": state.epoch - 1,
            "sent_order": state.metadata[PLACE],
            "text": text,
            "finish_reason": _finish_reason(state.output),
            "error_class": "error" if state.output.error and not text else None,
        }
        frame = joined([answer], layout)
        rows = asked.read(frame).outcomes.to_dicts()
        found = score_of(rows, asked.measured, text=text)
        kept = {name: value for name, value in answer.items() if name != "text"}
        found.metadata = {**kept, **(found.metadata or {})}
        return found

    return score


def score_of(rows: list[dict[str, Any]], measured: MeasureSet, *, text: str | None) -> Score:
    """Return the score of one attempt from its rows of outcomes."""
    status, rule = rows[0]["status"], rows[0]["reading"]
    found = ScoreValue(value=status)
    if status == "observed":
        found = resolve_name(measured.judgement.value)(rows)
    return Score(value=found.value, answer=text, explanation=rule, metadata={"status": status, **found.details})


@dataclass(frozen=True, kw_only=True)
class ScoreValue:
    """The value of a score, and what its metadata tell besides."""

    value: str
    details: Mapping[str, Any] = field(default_factory=dict)


def decided(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return a decision about one person."""
    return ScoreValue(value="accepted" if rows[0]["successes"] else "rejected")


def scored(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return the score of one person."""
    return ScoreValue(value=f"{rows[0]['score']:g}", details={"score": rows[0]["score"]})


def ranked_first(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return the groups of who came first, and the ranking."""
    ranked = sorted((row for row in rows if row["rank"] is not None), key=lambda row: row["rank"])
    value = _groups(ranked[0]) if ranked else str(rows[0]["status"])
    return ScoreValue(value=value, details={"ranking": [row["context.name"] for row in ranked]})


def counted(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return that a document was read, and how many of its terms each aspect has."""
    counts = {row["aspect"]: [row["successes"], row["trials"]] for row in rows}
    return ScoreValue(value=str(rows[0]["status"]), details={"counts": counts})


def _groups(row: Mapping[str, Any]) -> str:
    """Return the groups of a person as one text."""
    groups = {name.removeprefix(PROTECTED): value for name, value in row.items() if name.startswith(PROTECTED)}
    return " ".join(str(groups[name]) for name in sorted(groups, reverse=True) if groups[name] is not None)


def _finish_reason(output: ModelOutput) -> str | None:
    if not output.choices:
        return None
    content = output.message.content
    if not isinstance(content, str) and any(isinstance(part, ContentText) and part.refusal for part in content):
        return "refusal"
    return _FINISH.get(output.stop_reason, output.stop_reason)
