"""`evenhand match train`: a matcher from labelled pairs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.commands.match.evaluated import evaluated, vetted_pairs
from evenhand.commands.match.labelled import Labelled, read_labelled
from evenhand.commands.match.masking import masked_texts
from evenhand.commands.match.told import told_of, told_tables
from evenhand.intake.positions import read_positions
from evenhand.matching.stored import matcher_json
from evenhand.matching.training.trained import Asked, Trained, train
from evenhand.resumes.people.reading import read_people
from evenhand.runs.options.scores.match import TrainOptions
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.opened import opened_run
from evenhand.runs.records.scores.match import Matched, MatchRun, write_match
from evenhand.tables.run_folder import refuse_own_input
from evenhand.tables.schemas import PROTECTED, conform_outcomes

__all__ = ["run_train"]


def run_train(source: Path, options: TrainOptions, *, notice: Notices, progress: Progress | None = None) -> MatchRun:
    """Train a matcher, and judge it on people and positions that it has not seen; return the finished run.

    Raises
    ------
    InputError
        Files, columns or options that can't be used, or an extra that is not installed.

    """
    refuse_own_input(options.out, [source, options.people, options.positions], force=options.force)
    people, positions = read_people(options.people), read_positions(options.positions)
    labelled = read_labelled(source, people, positions, options)
    with opened_run(options.folder("match"), force=options.force) as opened:
        needed = np.unique(labelled.pairs.people)
        texts = [""] * len(people)
        masked = masked_texts([people[number] for number in needed], options.cache, progress=progress)
        for number, text in zip(needed, masked, strict=True):
            texts[number] = text
        if progress is not None:
            progress("training")
        asked = Asked(
            fairness=options.fairness,
            test_share=options.test_share,
            without=options.without,
            seed=options.seed,
        )
        trained = train(texts, positions, labelled.pairs, asked)
        warnings = _warnings(labelled, trained)
        for line in warnings:
            notice(line)
        return write_match(opened.folder, _matched(trained, labelled, source, options, warnings))


def _warnings(labelled: Labelled, trained: Trained) -> tuple[str, ...]:
    found = []
    if labelled.unlabelled:
        found.append(f"{labelled.unlabelled:,} pairs have no label and are left out.")
    if not trained.split.by_position:
        found.append("There are too few positions to hold some out: the test has other people, but the same positions.")
    return tuple(found)


def _matched(
    trained: Trained, labelled: Labelled, source: Path, options: TrainOptions, warnings: tuple[str, ...]
) -> Matched:
    outcomes = _outcomes(trained, labelled)
    findings = evaluated(outcomes)
    vetting = vetted_pairs(trained, labelled, options)
    told = told_of(trained, labelled, outcomes, findings, options, vetting=vetting)
    return Matched(
        command="train",
        first=[str(source)],
        options=options,
        inputs={"pairs": source, "people": options.people, "positions": options.positions},
        input={
            "rows": labelled.frame.height + labelled.unlabelled,
            "columns": {
                name: str(kind).lower() for name, kind in labelled.frame.schema.items() if not name.startswith("_")
            },
        },
        said={
            "people": len(np.unique(labelled.pairs.people)),
            "positions": len(np.unique(labelled.pairs.positions)),
            "pairs": labelled.frame.height,
            "trained": told,
            "warnings": warnings,
        },
        findings=[*findings, *vetting.findings],
        files={"matcher.json": matcher_json(replace(trained.matcher, card=told.card))},
        tables=told_tables(told, vetting),
        outcomes=outcomes,
    )


def _outcomes(trained: Trained, labelled: Labelled) -> pl.DataFrame:
    """Return the test pairs: score, label, groups; of a person, for the position that is the set."""
    rows = trained.split.test
    own = labelled.frame[rows]
    groups = {
        f"{PROTECTED}{name}": pl.Series(
            [None if group < 0 else labelled.levels[name][group] for group in groups[rows]], dtype=pl.String
        )
        for name, groups in labelled.pairs.groups.items()
    }
    person, position = (own[name].cast(pl.String) for name in ("person", "position"))
    return conform_outcomes(
        pl.DataFrame(
            {
                "item": person,
                "unit": person + "/" + position,
                "set": position,
                "attempt": pl.repeat(0, own.height, dtype=pl.Int32, eager=True),
                "score": trained.score,
                "label": own["_label"],
                "status": pl.repeat("observed", own.height, eager=True),
                **groups,
                "context.position": position,
            }
        )
    )
