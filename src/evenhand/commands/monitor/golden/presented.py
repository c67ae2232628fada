"""Golden cases as a scorer is shown them, by the stimuli that a perturbation test has."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.commands.perturb.asking import Presented
from evenhand.commands.perturb.layout import Prompt
from evenhand.commands.perturb.probe import Questions, scoring_probe
from evenhand.intake.positions import Position
from evenhand.monitoring.golden.cases import Case
from evenhand.monitoring.history.log import canonical_json
from evenhand.probes.shared.probe import ReadAnswers
from evenhand.runs.asking.scorer_spec import is_model
from evenhand.runs.options.scores.scoring import Scoring
from evenhand.tables.schemas import PROTECTED

__all__ = ["GOLDEN", "presented_cases"]

GOLDEN = "golden"


def presented_cases(cases: Sequence[Case], scoring: Scoring, *, version: int, known: Sequence[Case]) -> Presented:
    """Return cases with their texts as what a scorer is asked about; saved scores may be of all that are `known`."""
    positions = {each.id: each for each in (_position(case) for case in known)}
    questions = Questions(
        name=GOLDEN,
        title="Golden set",
        question="Does a scorer judge golden cases as people did?",
        size=len(cases),
        stimuli=_Stimuli(cases=tuple(cases)),
        note=f"{len(cases):,} cases of version {version} of the golden set, each once.",
        groups=tuple(sorted({name for case in cases for name in case.groups})),
    )
    wording = {} if scoring.wording is None else {"wording": scoring.wording}
    content = canonical_json([[case.id, case.text, case.position] for case in cases])
    probe = scoring_probe(questions, is_model=is_model(scoring.scorer), given_range=scoring.range, **wording)
    return Presented(
        probe=replace(probe, read=partial(_without_names, read=probe.read)),
        documents=lambda: [case.id for case in known],
        positions=list(positions.values()),
        groups={value for case in cases for value in case.groups.values()},
        settings={"version": version, "experiment": hashlib.sha256(content.encode()).hexdigest()[:16]},
        told=f"{len(cases):,} scores are asked for: the golden cases of version {version}.",
        foreign="no golden case's; expected ids of golden cases and their positions",
    )


def _without_names(answers: pl.DataFrame, *, read: Callable[[pl.DataFrame], ReadAnswers]) -> ReadAnswers:
    """Return the outcomes without people's names, which are forgotten with their texts."""
    return read(answers.with_columns(pl.lit(None, pl.String).alias("name")))


@dataclass(frozen=True, kw_only=True)
class _Stimuli:
    cases: tuple[Case, ...]

    def __call__(
        self, indices: NDArray[np.int64], *, prompt: Prompt, ends: tuple[float | None, float | None]
    ) -> pl.DataFrame:
        """Return the stimuli at `indices`, in their order."""
        attributes = sorted({name for case in self.cases for name in case.groups})
        rows = []
        for index in np.asarray(indices, dtype=np.int64).tolist():
            case = self.cases[index]
            position = _position(case)
            text = case.text or ""
            of = dict.fromkeys(("item", "unit", "set", "pair", "person", "document"), case.id)
            rows.append(
                {
                    "index": index,
                    **of,
                    "arm": "as it is",
                    "position": position.id,
                    "title": position.title,
                    "name": " ".join(case.known_names[:1]),
                    "file_name": f"{index}.txt",
                    "resume_text": text,
                    "position_text": position.advertisement,
                    "prompt": prompt(position.advertisement, text),
                    **{f"{PROTECTED}{name}": value for name, value in case.groups.items()},
                }
            )
        texts = (
            *("item", "unit", "set", "pair", "arm", "person", "own", "position", "title", "document", "name"),
            *("file_name", "qualification", "resume_text", "position_text", "prompt"),
            *(f"{PROTECTED}{name}" for name in attributes),
        )
        frame = pl.DataFrame(rows, schema={"index": pl.Int64(), **dict.fromkeys(texts, pl.String())})
        return frame.with_columns(pl.lit(ends[0], pl.Float64).alias("low"), pl.lit(ends[1], pl.Float64).alias("high"))


def _position(case: Case) -> Position:
    """Return the position of a case as it was read."""
    kept = dict(case.position)
    lists = {name: tuple(kept[name]) for name in ("skills", "must", "nice", "years")}
    return Position(**{**kept, **lists})
