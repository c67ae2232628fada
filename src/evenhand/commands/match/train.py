"""`evenhand match train`: a matcher from labelled pairs."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from evenhand.commands.match.card import card_of
from evenhand.commands.match.labelled import Labelled, read_labelled
from evenhand.commands.match.masking import masked_texts
from evenhand.findings.scores.matching import evaluated_groups, match_findings
from evenhand.intake.positions import Position, read_positions
from evenhand.matching.families import FAMILIES
from evenhand.matching.features.declared import FEATURES
from evenhand.matching.stored import matcher_json
from evenhand.matching.training.trained import WITHIN, Asked, Trained, train
from evenhand.options import kept, words
from evenhand.resumes.people.reading import read_people
from evenhand.runs.options.scores.match import TrainOptions
from evenhand.runs.processes import cores
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.match import Matched, MatchRun, write_match
from evenhand.runs.records.opened import opened_run
from evenhand.tables.audit.applicants.match import (
    CurveShown,
    EvaluatedGroup,
    FeatureRow,
    FrontierRow,
    MatchAudit,
    Parts,
    TrainedOn,
)
from evenhand.tables.audit.written import as_json
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.run_folder import refuse_own_input
from evenhand.tables.schemas import PROTECTED, conform_outcomes

__all__ = ["run_train"]

MATCHER, LOGISTIC = "matcher", "logistic regression"


def run_train(
    source: Path, options: TrainOptions, *, notice: Notices, progress: Progress | None = None
) -> MatchRun:
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
            threads=cores(),
        )
        trained = train(texts, positions, labelled.pairs, asked)
        warnings = _warnings(labelled, trained)
        for line in warnings:
            notice(line)
        return write_match(opened, _matched(trained, labelled, positions, source, options, warnings))


def _warnings(labelled: Labelled, trained: Trained) -> tuple[str, ...]:
    found = []
    if labelled.unlabelled:
        found.append(f"{labelled.unlabelled:,} pairs have no label and are left out.")
    if not trained.split.by_position:
        found.append("There are too few positions to hold some out: the test has other people, but the same positions.")
    return tuple(found)


def _matched(
    trained: Trained,
    labelled: Labelled,
    positions: Sequence[Position],
    source: Path,
    options: TrainOptions,
    warnings: tuple[str, ...],
) -> Matched:
    outcomes = _outcomes(trained, labelled)
    evaluation = [
        *evaluated_groups(outcomes, score="score", model=MATCHER),
        *evaluated_groups(
            outcomes.with_columns(pl.Series("score", trained.baseline)), score="score", model=LOGISTIC
        ),
    ]
    features = _feature_rows(trained, options)
    frontier = tuple(FrontierRow(**asdict(each)) for each in trained.frontier)
    counts = _counts(trained, labelled, positions, options)
    card = card_of(trained, options, counts=counts, evaluation=evaluation, features=features)
    inputs = {"pairs": source, "people": options.people, "positions": options.positions}
    on = TrainedOn(
        label=options.label,
        positive=counts["positive"],
        groups=counts["groups"],
        fairness=options.fairness,
        within=WITHIN,
        parts=Parts(**counts["parts"]),
        features=features,
        curves=_curves(trained),
        frontier=frontier,
        evaluation=tuple(evaluation),
        calibrations=_calibrations(trained),
        card=card,
    )
    return Matched(
        audit=MatchAudit(
            title="Match scores",
            people=counts["people"],
            positions=counts["positions"],
            pairs=labelled.frame.height,
            trained=on,
            parameters=kept(options, only_given=True),
            warnings=warnings,
            reproduce=shlex.join(["evenhand", "match", "train", str(source), *words(options, always=("people", "positions", "label", "protected"))]),
            fingerprints={name: sha256_of(path) for name, path in inputs.items()},
        ),
        findings=match_findings([each for each in evaluation if each.model == MATCHER]),
        files={"matcher.json": matcher_json(trained.matcher(card))},
        tables={
            "features.csv": pl.DataFrame(
                [
                    {"feature": each.feature, "source": each.source, "used": "yes" if each.used else "no", "why": each.why}
                    for each in features
                ]
            ),
            "evaluation.csv": pl.DataFrame([as_json(each) for each in evaluation], infer_schema_length=None),
            "frontier.csv": pl.DataFrame([_flat(each) for each in frontier]),
        },
        outcomes=outcomes,
    )


def _outcomes(trained: Trained, labelled: Labelled) -> pl.DataFrame:
    """Return the test pairs: score, label, groups; the person is the unit, the position the set."""
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
                "item": person + "/" + position,
                "unit": person,
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


def _counts(
    trained: Trained, labelled: Labelled, positions: Sequence[Position], options: TrainOptions
) -> dict[str, Any]:
    split = trained.split
    return {
        "pairs": labelled.frame.height,
        "people": int(len(np.unique(labelled.pairs.people))),
        "positions": int(len(np.unique(labelled.pairs.positions))),
        "label": options.label,
        "positive": int(labelled.pairs.label.sum()),
        "groups": {
            name: {level: int((groups == number).sum()) for number, level in enumerate(labelled.levels[name])}
            for name, groups in labelled.pairs.groups.items()
        },
        "parts": {
            "fit": len(split.fit),
            "validation": len(split.validation),
            "test": len(split.test),
            "left_out": split.left_out,
            "unlabelled": labelled.unlabelled,
            "by_position": split.by_position,
        },
    }


def _feature_rows(trained: Trained, options: TrainOptions) -> tuple[FeatureRow, ...]:
    found = []
    for feature, curve, weight in zip(FEATURES, trained.curves, trained.importance, strict=True):
        if feature.name in options.without:
            used, why = False, "left out by --without"
        elif feature.name in trained.constant:
            used, why = False, "has one value among the pairs that the model was fitted on"
        elif not len(curve.edges):
            used, why = False, "no tree is made of it: it tells nothing that others don't"
        else:
            used, why = True, f"changes the margin by {weight:.3f} on average"
        found.append(
            FeatureRow(
                feature=feature.name,
                title=feature.title,
                source=feature.source,
                used=used,
                why=why,
                weight=weight if used else None,
            )
        )
    masked = "name, gender, ethnicity, religion, disability, marital status, orientation, contact, school, dates of birth and graduation"
    found.append(FeatureRow(feature="masked", title="What masking removes", source=masked, used=False, why="masked before any feature is made"))
    found += [
        FeatureRow(
            feature=name,
            title=name,
            source="protected attribute",
            used=False,
            why="enters training through the loss and the rule that stops it; no score depends on it",
        )
        for name in options.protected
    ]
    return tuple(found)


def _curves(trained: Trained) -> tuple[CurveShown, ...]:
    centres = trained.parts["centres"]
    return tuple(
        CurveShown(
            feature=feature.name,
            title=feature.title,
            unit=feature.unit,
            lowest=feature.lowest,
            highest=feature.highest,
            edges=tuple(curve.edges.tolist()),
            values=tuple((curve.values - centre).tolist()),
            missing=curve.missing - centre,
        )
        for feature, curve, centre in zip(FEATURES, trained.curves, centres, strict=True)
        if len(curve.edges)
    )


def _calibrations(trained: Trained) -> Mapping[str, str]:
    own = {FAMILIES.get(code, code): each for code, each in trained.parts["families"].items()}
    every = {"all other positions" if own else "all positions": trained.parts["pooled"], **own}
    return {name: f"{each.method}, {each.pairs:,} pairs" for name, each in every.items()}


def _flat(row: FrontierRow) -> dict[str, Any]:
    return {
        "fairness": row.strength,
        "rounds": row.rounds,
        "auc": row.auc,
        "worst_auc": row.worst_auc,
        **{f"gap_{name}": gap for name, gap in row.gaps.items()},
        "candidate": "yes" if row.candidate else "no",
        "chosen": "yes" if row.chosen else "no",
    }
