"""A layout as a probe, so that a scorer is asked as a model is: by the same collection, journal and account."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

import orjson
import polars as pl

from evenhand.commands.perturb.layout import Layout, Prompt
from evenhand.commands.perturb.reading import model_outcomes, scorer_outcomes
from evenhand.errors import InputError
from evenhand.measures import MeasureSet
from evenhand.probes.resume_score.respond import KINDS, respond
from evenhand.probes.resume_score.settings import RANGE, range_of
from evenhand.probes.resume_score.wordings import WORDINGS, prompt_pieces
from evenhand.probes.shared.probe import Design, Probe, ReadAnswers
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["NAME", "Questions", "perturbation_probe", "scoring_probe"]

NAME: Final = "perturb"
_VERSION: Final = "1"


@dataclass(frozen=True, kw_only=True)
class _Way:
    """How a kind of scorer is asked and read: the text that stands for a request, the range, the reader."""

    prompt: Prompt
    ends: tuple[float | None, float | None]
    read: Callable[[pl.DataFrame], ReadAnswers]


@dataclass(frozen=True, kw_only=True)
class Questions:
    """What scores are asked for: the run's name and title, and the stimuli, as `Layout.stimuli` returns them."""

    name: str
    title: str
    question: str
    size: int
    stimuli: Callable[..., pl.DataFrame]
    note: str
    groups: tuple[str, ...]


def perturbation_probe(layout: Layout, *, is_model: bool, given_range: str | None, wording: str = "number") -> Probe:
    """Return the probe whose only design is a layout.

    Raises
    ------
    InputError
        The range is none, or there is no such wording.

    """
    questions = Questions(
        name=NAME,
        title="Perturbation",
        question="Does the score move when only the group that a résumé shows does?",
        size=layout.size,
        stimuli=layout.stimuli,
        note=_note(layout),
        groups=layout.arms.choice.by,
    )
    return scoring_probe(questions, is_model=is_model, given_range=given_range, wording=wording)


def scoring_probe(questions: Questions, *, is_model: bool, given_range: str | None, wording: str = "number") -> Probe:
    """Return the probe that asks for scores.

    A language model gets the prompt of resume-score and is read as resume-score reads, in its range unless another is
    given. Other scorers are shown the résumé and the position, and give a number in the range, if one is given.

    Raises
    ------
    InputError
        The range is none, or there is no such wording.

    """
    way = _model_way(given_range, wording) if is_model else _scorer_way(given_range)
    design = Design(
        name="arms",
        size=questions.size,
        block=1,
        stimuli=partial(questions.stimuli, prompt=way.prompt, ends=way.ends),
        note=questions.note,
    )
    return Probe(
        name=questions.name,
        version=_VERSION,
        title=questions.title,
        question=questions.question,
        success="scored",
        designs={design.name: design},
        default_sample=None,
        measured=_measured(questions.groups),
        against_label="",
        level_texts={},
        references={},
        limits=(),
        kinds=KINDS if is_model else (),
        read=way.read,
        respond=partial(_respond, wording=wording),
        saved=_no_saved_answers,
        saved_key=("document", "position"),
        subject="résumés",
    )


def _model_way(given_range: str | None, wording: str) -> _Way:
    if wording not in WORDINGS:
        raise InputError(f"--wording {quoted(wording)} is unknown; expected one of {listed(WORDINGS)}.")
    low, high = range_of(given_range or RANGE)

    def prompt(position: str, resume: str) -> str:
        before, after = prompt_pieces(position, wording, low, high)
        return before + resume + after

    return _Way(prompt=prompt, ends=(low, high), read=model_outcomes)


def _scorer_way(given_range: str | None) -> _Way:
    ends = (None, None) if given_range is None else range_of(given_range)
    return _Way(prompt=_as_json, ends=ends, read=scorer_outcomes)


def _as_json(position: str, resume: str) -> str:
    """Return the pair as text, whatever shape a service wants: ids of attempts are made of it."""
    pair = {"resume": resume, "position": position}
    try:
        return orjson.dumps(pair).decode()
    except TypeError:  # half of a surrogate pair
        return orjson.dumps({key: text.encode("utf-8", "replace").decode() for key, text in pair.items()}).decode()


def _note(layout: Layout) -> str:
    applicants = layout.applicants
    kinds = ", ".join(layout.arms.kinds)
    synthetic = " People and positions are synthetic." if applicants.synthetic else ""
    return (
        f"{len(applicants.templates):,} résumés are sent for {len(applicants.positions):,} positions in arms of the "
        f"kinds {kinds}, all filled from one template each.{synthetic}"
    )


def _measured(groups: tuple[str, ...]) -> MeasureSet:
    """Return what is said of the design; the analysis of arms has measures of its own."""
    return MeasureSet(
        rate="mean_score",
        measures=(),
        headline=(),
        slices=(),
        groups=groups,
        clusters=("person", "name"),
        instruction=None,
        against=None,
        bands={},
        order={},
    )


def _respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random, *, wording: str) -> str:
    """Return what a simulated language model answers: as to resume-score, to the gender that is shown."""
    shown = {
        **stimulus,
        "resume": stimulus["person"],
        "position": stimulus["title"],
        "gender": stimulus.get("protected.gender"),
        "wording": wording,
    }
    return respond(shown, kind, strength, rng)


def _no_saved_answers(_saved: pl.DataFrame) -> pl.DataFrame:
    raise InputError("Saved scores of a perturbation test are a CSV id,position,score: --scorer replay:SCORES.csv.")
