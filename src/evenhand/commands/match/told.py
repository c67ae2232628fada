"""What is told of a matcher: what it was trained on, its features, their curves, how it does; and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand.commands.match.card import card_of
from evenhand.commands.match.evaluated import told_in_card
from evenhand.commands.match.labelled import Labelled
from evenhand.findings.scores.matching import evaluated_groups
from evenhand.matching.families import FAMILIES
from evenhand.matching.features.declared import FEATURES
from evenhand.matching.training.trained import WITHIN, Trained
from evenhand.runs.options.scores.match import TrainOptions
from evenhand.runs.records.scores.features import Vetted, vetting_block
from evenhand.tables.audit.applicants.match import CurveShown, FeatureRow, FrontierRow, Parts, TrainedOn
from evenhand.tables.audit.written import as_json
from evenhand.tables.finding import Finding

__all__ = ["told_of", "told_tables"]

MATCHER: Final = "matcher"
VETTED: Final = "one pair of each person"
LOGISTIC: Final = "logistic regression"
_MASKED: Final = FeatureRow(
    feature="masked",
    title="What masking removes",
    source="name, gender, ethnicity, religion, disability, marital status, orientation, contact, school, dates of "
    "birth and graduation",
    used=False,
    why="masked before any feature is made",
)


def told_of(
    trained: Trained,
    labelled: Labelled,
    outcomes: pl.DataFrame,
    findings: Sequence[Finding],
    options: TrainOptions,
    *,
    vetting: Vetted,
) -> TrainedOn:
    """Return what the page and the card tell of a matcher; `findings` are of its test pairs, the `outcomes`."""
    logistic = outcomes.with_columns(pl.Series("score", trained.baseline))
    evaluation = (
        *evaluated_groups(outcomes, score="score", model=MATCHER),
        *evaluated_groups(logistic, score="score", model=LOGISTIC),
    )
    features = _feature_rows(trained, options)
    counts = _counts(trained, labelled, options)
    return TrainedOn(
        label=options.label,
        positive=counts["positive"],
        groups=counts["groups"],
        fairness=options.fairness,
        within=WITHIN,
        parts=Parts(**counts["parts"]),
        features=features,
        curves=_curves(trained),
        frontier=trained.frontier,
        evaluation=evaluation,
        calibrations=_calibrations(trained),
        card=card_of(
            trained,
            options,
            counts=counts,
            evaluation=told_in_card(findings),
            vetting=told_in_card(vetting.findings),
            features=features,
        ),
        vetting=replace(vetting_block(vetting), question=None, source=VETTED, limits=(), reproduce=""),
    )


def told_tables(told: TrainedOn, vetting: Vetted) -> Mapping[str, pl.DataFrame]:
    """Return the tables of a trained matcher by their files."""
    features = [
        {"feature": row.feature, "source": row.source, "used": "yes" if row.used else "no", "why": row.why}
        for row in told.features
    ]
    verdicts = vetting.features.select("feature", "verdict", "reasons")
    return {
        "features.csv": pl.DataFrame(features).join(verdicts, on="feature", how="left", maintain_order="left"),
        "proxies.csv": vetting.proxies,
        "evaluation.csv": pl.DataFrame([as_json(each) for each in told.evaluation], infer_schema_length=None),
        "frontier.csv": pl.DataFrame([_flat(each) for each in told.frontier]),
    }


def _counts(trained: Trained, labelled: Labelled, options: TrainOptions) -> dict[str, Any]:
    split = trained.split
    return {
        "pairs": labelled.frame.height,
        "people": len(np.unique(labelled.pairs.people)),
        "positions": len(np.unique(labelled.pairs.positions)),
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
    for feature, curve, weight in zip(FEATURES, trained.matcher.curves, trained.importance, strict=True):
        if feature.name in options.without:
            used, why = False, "left out by --without"
        elif feature.name in trained.constant:
            used, why = False, "has one value among the pairs that the model was fitted on"
        elif not curve.is_used:
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
    found.append(_MASKED)
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
    centres = trained.matcher.centres
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
        for feature, curve, centre in zip(FEATURES, trained.matcher.curves, centres, strict=True)
        if curve.is_used
    )


def _calibrations(trained: Trained) -> Mapping[str, str]:
    own = {FAMILIES.get(code, code): each for code, each in trained.matcher.families.items()}
    every = {"all other positions" if own else "all positions": trained.matcher.pooled, **own}
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
