"""`evenhand match`: train a matcher, score pairs, explain scores, recommend.

`run_train` also evaluates the matcher on its test pairs, vets its features and writes its model card after Mitchell
et al. (2019).
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.analyses import match_people
from evenhand.analyses.evaluate import few_cluster_warnings
from evenhand.analyses.features import analyse_features
from evenhand.analyses.options.scores import FeatureOptions, RecommendOptions, ScoreOptions, TrainOptions
from evenhand.analyses.progress import Progress
from evenhand.analyses.run import opened_run, refuse_clearing_input, write_at_once, written_run
from evenhand.comparisons.claims import joined
from evenhand.comparisons.evaluated_groups import Choices
from evenhand.comparisons.evaluation import EvaluationRequest, evaluate, with_shared_claims
from evenhand.comparisons.feature_rules import Rule
from evenhand.comparisons.impact_cells import References
from evenhand.comparisons.scores import evaluated_groups, with_changed_auc
from evenhand.data.inputs import read_positions
from evenhand.data.predictions import PredictionQuery, Predictions, read_predictions
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.masking.people import read_people
from evenhand.matching.explained import Reason, Reasons
from evenhand.matching.features import FAMILIES, FEATURES, NAMES, pair_features
from evenhand.matching.matcher import half_steps, matcher_json, ranks_of
from evenhand.matching.training import (
    FEWEST,
    PATIENCE,
    WITHIN,
    Stopping,
    Trained,
    TrainingRequest,
    kept_rounds,
    stopping_loss,
    train,
)
from evenhand.report.match import Card, CardList, cards_page
from evenhand.results import score_audit
from evenhand.results.feature_audit import FeaturesAudit
from evenhand.results.finding import Finding, as_json, copied
from evenhand.results.messages import Notices, listed
from evenhand.results.result import Result, csv_bytes
from evenhand.results.schemas import PROTECTED, conform_outcomes

Vetting = Result[FeaturesAudit, Any]
OUTCOMES: Final = "outcomes.parquet"
#: Columns in addition to the user's, whose names do not end in a blank.
_LABEL, _SCORE, _CLUSTER = "label ", "score ", "cluster "


def evaluated(outcomes: pl.DataFrame, features: Sequence[Finding]) -> list[Finding]:
    """Return the findings of test pairs by group, then those of `features`: their planned comparisons are one family.

    They are of ranking, calibration and differences. People and positions are in many pairs: each finding is of the
    clusters that make it less certain.
    """
    attributes = [name for name in outcomes.columns if name.startswith(PROTECTED)]
    bare = {name: name.removeprefix(PROTECTED) for name in attributes}
    person, position = (_predictions(outcomes, bare, column) for column in ("item", "set"))
    request = EvaluationRequest(
        attributes=person.attributes,
        by=(),
        levels=person.levels,
        choices=Choices(references=References()),
        probabilities=True,
        ranked=False,
        at_least=False,
        cluster="person",
    )
    evaluation = evaluate(person.rows, request, other_ways={"position": position.rows})
    return with_shared_claims(joined(evaluation.findings, features), cluster=request.cluster)


def _predictions(outcomes: pl.DataFrame, attributes: Mapping[str, str], cluster: str) -> Predictions:
    """Return the test pairs, in clusters by a column."""
    frame = outcomes.select("label", "score", cluster, *attributes).rename(
        {"label": _LABEL, "score": _SCORE, cluster: _CLUSTER, **attributes}
    )
    query = PredictionQuery(label=_LABEL, score=_SCORE, protected=tuple(attributes.values()), cluster=_CLUSTER)
    with open_table(frame) as table:
        return read_predictions(table, query)


def vetted_pairs(trained: Trained, labelled: match_people.Labelled, options: TrainOptions) -> Vetting:
    """Return the vetting of the features in use, on one random pair per person, so that rows are people."""
    pairs = labelled.pairs
    drawn = np.random.default_rng(options.seed).permutation(len(pairs.people))
    rows = np.sort(drawn[np.unique(pairs.people[drawn], return_index=True)[1]])
    used = [feature for feature in FEATURES if feature.name not in options.without]
    groups = {
        name: [None if group < 0 else labelled.levels[name][group] for group in numbers[rows]]
        for name, numbers in pairs.groups.items()
    }
    frame = pl.DataFrame(
        {
            **{feature.name: trained.features[rows, NAMES.index(feature.name)] for feature in used},
            **{name: pl.Series(values, dtype=pl.String) for name, values in groups.items()},
            options.label: pairs.label[rows] > 0,
        }
    ).with_columns(pl.col(pl.Float32).fill_nan(None))
    rules = tuple(
        Rule(feature=feature.name, name="monotone", rising=feature.monotone > 0) for feature in used if feature.monotone
    )
    request = FeatureOptions(protected=tuple(groups), label=options.label, seed=options.seed)
    return analyse_features(frame, request, rules=rules)


def card_findings(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return findings as rows of the card."""
    return [copied(finding, "name estimate low high n method reason") for finding in findings]


#: As measured in bench/RESULTS.md.
MISSED: Final = (
    "On 120 real résumés a part of the name was left in 0 of 111 where the name was given and in 8 of 111 where it was "
    "not; of 29 words that reveal gender, ethnicity, religion, disability, marital status or orientation 4 were left; "
    "of 39 addresses 13, of 9 dates of birth 6."
)
CARD_WORDS: Final[Mapping[str, str]] = {
    "intended_use": "To rank people for a position, or positions for a person, for somebody who decides. A reference "
    "for audits and for comparisons with other scores.",
    "not_intended": "To reject people without human review, or to judge a person without a position.",
    "masking": f"All features are made of masked texts, every optional category masked. {MISSED}",
    "groups": "Groups enter training through {how}; no score and no cut-off depends on a group. Choosing a penalty "
    "by group is a decision about groups all the same: it may be regarded as disparate treatment (42 "
    "U.S.C. 2000e-2(a), (l); Ricci v. DeStefano, 557 U.S. 557). Have counsel weigh it.",
}


STOPPED_BY: Final[Mapping[str, str]] = {
    "worst-group": "validation log loss of the group where it is highest",
    "all": "validation log loss of all pairs",
    "none": "nothing but the number of rounds",
}


def _entering(options: TrainOptions) -> str:
    """Return how groups enter training."""
    return "the loss and the rule that stops it" if options.stop_on == "worst-group" else "the loss alone"


def card_of(
    trained: Trained,
    options: TrainOptions,
    *,
    counts: Mapping[str, Any],
    evaluation: Sequence[Mapping[str, Any]],
    vetting: Sequence[Mapping[str, Any]],
    features: Sequence[score_audit.FeatureRow],
    stopped: score_audit.Stopped,
) -> dict[str, Any]:
    """Return the card as plain values."""
    card = {
        "details": {
            "kind": "additive gradient-boosted trees, one feature each; isotonic or Platt calibration",
            "seed": options.seed,
            "fairness": options.fairness,
            "loss": "log loss + fairness × squared difference of mean scores between groups",
            "stopped_by": STOPPED_BY[options.stop_on],
            "rounds": stopped.rounds,
            "stopping_group": None if stopped.by is None else f"{stopped.by.attribute} {stopped.by.group}",
        },
        **CARD_WORDS,
        "groups": CARD_WORDS["groups"].format(how=_entering(options)),
        "stopping": stopped,
        "data": counts,
        "features": features,
        "frontier": trained.frontier,
        "evaluation": evaluation,
        "vetting": vetting,
        "reference": "Mitchell et al. (2019), Model Cards for Model Reporting, FAT* '19, 220-229",
    }
    return dict(as_json(card))


MATCHER: Final = "matcher"
VETTED: Final = "one pair of each person"
LOGISTIC: Final = "logistic regression"
_MASKED: Final = score_audit.FeatureRow(
    feature="masked",
    title="What masking removes",
    source="name, gender, ethnicity, religion, disability, marital status, orientation, contact, school, dates of "
    "birth and graduation",
    used=False,
    why="masked before any feature is made",
)


def training_summary(
    trained: Trained,
    labelled: match_people.Labelled,
    outcomes: pl.DataFrame,
    findings: Sequence[Finding],
    options: TrainOptions,
    *,
    vetting: Vetting,
) -> score_audit.TrainedOn:
    """Return the block of the page, with the card; `findings` are those of the test pairs, the `outcomes`."""
    logistic = outcomes.with_columns(pl.Series("score", trained.baseline))
    evaluation = (
        *evaluated_groups(outcomes, score="score", model=MATCHER),
        *evaluated_groups(logistic, score="score", model=LOGISTIC),
    )
    features = _feature_rows(trained, options)
    counts = _counts(trained, labelled, options)
    stopped = _stopped(trained, labelled, outcomes, options)
    return score_audit.TrainedOn(
        label=options.label,
        positive=counts["positive"],
        groups=counts["groups"],
        fairness=options.fairness,
        within=WITHIN,
        parts=score_audit.Parts(**counts["parts"]),
        features=features,
        curves=_curves(trained),
        frontier=trained.frontier,
        evaluation=evaluation,
        calibrations=_calibrations(trained),
        card=card_of(
            trained,
            options,
            counts=counts,
            evaluation=card_findings(findings),
            vetting=card_findings(vetting.findings),
            features=features,
            stopped=stopped,
        ),
        stopped=stopped,
        vetting=replace(vetting.audit, question=None, source=VETTED, limits=(), reproduce=""),
    )


def training_tables(summary: score_audit.TrainedOn, vetting: Vetting) -> Mapping[str, pl.DataFrame]:
    """Return the tables of a trained matcher by file name."""
    features = [
        {"feature": row.feature, "source": row.source, "used": "yes" if row.used else "no", "why": row.why}
        for row in summary.features
    ]
    verdicts = vetting.tables["features.csv"].select("feature", "verdict", "reasons")
    return {
        "features.csv": pl.DataFrame(features).join(verdicts, on="feature", how="left", maintain_order="left"),
        "proxies.csv": vetting.tables["proxies.csv"],
        "evaluation.csv": pl.DataFrame([as_json(row) for row in summary.evaluation], infer_schema_length=None),
        "frontier.csv": pl.DataFrame([_flat(row) for row in summary.frontier]),
        "stopping.csv": pl.DataFrame(
            [as_json(row) for row in (() if summary.stopped is None else summary.stopped.groups)],
            infer_schema_length=None,
        ),
    }


def _counts(trained: Trained, labelled: match_people.Labelled, options: TrainOptions) -> dict[str, Any]:
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


def _feature_rows(trained: Trained, options: TrainOptions) -> tuple[score_audit.FeatureRow, ...]:
    rows = []
    for feature, curve, weight in zip(FEATURES, trained.matcher.curves, trained.importance, strict=True):
        if feature.name in options.without:
            used, reason = False, "left out by --without"
        elif feature.name in trained.constant:
            used, reason = False, "has one value among the pairs that the model was fitted on"
        elif not curve.is_used:
            used, reason = False, "the model doesn't use it: it has the same information as others"
        else:
            used, reason = True, f"changes the margin by {weight:.3f} on average"
        rows.append(
            score_audit.FeatureRow(
                feature=feature.name,
                title=feature.title,
                source=feature.source,
                used=used,
                why=reason,
                weight=weight if used else None,
            )
        )
    rows.append(_MASKED)
    rows += [
        score_audit.FeatureRow(
            feature=name,
            title=name,
            source="protected attribute",
            used=False,
            why=f"enters training through {_entering(options)}; no score depends on it",
        )
        for name in options.protected
    ]
    return tuple(rows)


def _stopped(
    trained: Trained, labelled: match_people.Labelled, outcomes: pl.DataFrame, options: TrainOptions
) -> score_audit.Stopped:
    """Return when training stopped and by which group, and the AUCs of the test pairs had the other rule stopped it."""
    trees, other, groups = trained.trees, trained.trees.other, trained.validation
    assert other is not None
    scored = outcomes.with_columns(pl.Series("other", trained.other_score))
    levels = list(labelled.levels.items())
    loss = trees.losses[trees.rounds - 1]
    rows = []
    for place, (attribute, code) in enumerate(zip(groups.attribute.tolist(), groups.code.tolist(), strict=True)):
        name, group = ("", "") if attribute < 0 else (levels[attribute][0], levels[attribute][1][code])
        tested = scored if attribute < 0 else scored.filter(pl.col(PROTECTED + name) == group)
        row = score_audit.StoppedGroup(
            attribute=name,
            group=group,
            pairs=int(groups.pairs[place]),
            positive=int(groups.positive[place]),
            counts=bool(groups.counts[place]),
            loss=float(loss[place]),
            lowest=int(np.argmin(trees.losses[:, place])) + 1,
        )
        rows.append(with_changed_auc(row, tested, score="score", other="other"))
    counting = [row for row in rows if row.counts] if options.stop_on == "worst-group" else []
    return score_audit.Stopped(
        on=options.stop_on,
        rounds=trees.rounds,
        rounds_trained=len(trees.losses),
        patience=PATIENCE,
        ended=options.stop_on != "none" and kept_rounds(stopping_loss(trees.losses, groups.counts, options.stop_on))[1],
        by=max(counting, key=lambda row: row.loss, default=None),
        other=Stopping(on=options.stop_on).other,
        other_rounds=other.rounds,
        groups=tuple(rows),
    )


def _curves(trained: Trained) -> tuple[score_audit.FeatureCurve, ...]:
    return tuple(
        score_audit.FeatureCurve(
            feature=feature.name,
            **copied(feature, "title unit lowest highest"),
            **copied(curve, "edges values missing"),
        )
        for feature, curve in zip(FEATURES, trained.matcher.curves, strict=True)
        if curve.is_used
    )


def _calibrations(trained: Trained) -> Mapping[str, str]:
    by_family = {FAMILIES.get(code, code): calibration for code, calibration in trained.matcher.families.items()}
    calibrations = {"all other positions" if by_family else "all positions": trained.matcher.pooled, **by_family}
    return {name: f"{calibration.method}, {calibration.pairs:,} pairs" for name, calibration in calibrations.items()}


def _flat(row: score_audit.FrontierRow) -> dict[str, Any]:
    return {
        "fairness": row.strength,
        **copied(row, "rounds auc worst_auc"),
        **{f"gap_{name}": gap for name, gap in row.gaps.items()},
        "candidate": "yes" if row.candidate else "no",
        "chosen": "yes" if row.chosen else "no",
    }


def run_train(
    source: Path, options: TrainOptions, *, notice: Notices, progress: Progress | None = None
) -> match_people.MatchRun:
    """Train a matcher and evaluate it on held-out people and positions; return the finished run.

    Raises
    ------
    InputError
        Files, columns or options can't be used, or an extra is not installed.

    """
    refuse_clearing_input(options.out, [source, options.people, options.positions], force=options.force)
    people, positions = read_people(options.people), read_positions(options.positions)
    labelled = match_people.read_labelled(source, people, positions, options)
    with opened_run(options.folder("match"), force=options.force) as opened:
        needed = np.unique(labelled.pairs.people)
        texts = [""] * len(people)
        masked = match_people.masked_texts([people[number] for number in needed], options.cache, progress=progress)
        for number, text in zip(needed, masked, strict=True):
            texts[number] = text
        if progress is not None:
            progress("training")
        request = TrainingRequest(**copied(options, "fairness test_share without seed stop_on"))
        trained = train(texts, positions, labelled.pairs, request)
        warnings = _warnings(labelled, trained, options)
        for line in warnings:
            notice(line)
        result = _trained(trained, labelled, source, options, warnings)
        card = {} if result.audit.trained is None else result.audit.trained.card
        files = {"matcher.json": matcher_json(replace(trained.matcher, card=card))}
        return write_at_once(match_people.MatchRun, opened.folder, result, files=files, with_report=options.report)


def _warnings(labelled: match_people.Labelled, trained: Trained, options: TrainOptions) -> tuple[str, ...]:
    warnings = []
    if labelled.unlabelled:
        warnings.append(f"{labelled.unlabelled:,} pairs have no label and are left out.")
    if not trained.split.by_position:
        warnings.append(
            "There are too few positions to hold some out: the test has other people, but the same positions."
        )
    groups, levels = trained.validation, list(labelled.levels.items())
    few = []
    for place in np.flatnonzero((groups.attribute >= 0) & ~groups.counts):
        attribute, names = levels[groups.attribute[place]]
        positive = int(groups.positive[place])
        others = int(groups.pairs[place]) - positive
        few.append(f"{names[groups.code[place]]} ({attribute}: {positive:,} with the label, {others:,} without)")
    if few and options.stop_on == "worst-group":
        stops = "the others stop training" if groups.counts.any() else "all pairs stop training"
        warnings.append(f"Fewer than {FEWEST} validation pairs of a label, so {stops}: {listed(few)}.")
    return tuple(warnings)


def _trained(
    trained: Trained, labelled: match_people.Labelled, source: Path, options: TrainOptions, warnings: tuple[str, ...]
) -> Result[score_audit.MatchAudit, Any]:
    outcomes = _test_outcomes(trained, labelled)
    vetting = vetted_pairs(trained, labelled, options)
    every = evaluated(outcomes, vetting.findings)
    begin = len(every) - len(vetting.findings)
    findings, vetting = every[:begin], replace(vetting, findings=every[begin:])
    summary = training_summary(trained, labelled, outcomes, findings, options, vetting=vetting)
    audit = match_people.match_audit(
        "train",
        options,
        {"pairs": source, "people": options.people, "positions": options.positions},
        first=[str(source)],
        people=len(np.unique(labelled.pairs.people)),
        positions=len(np.unique(labelled.pairs.positions)),
        pairs=labelled.frame.height,
        trained=summary,
        warnings=(*warnings, *few_cluster_warnings(findings)),
    )
    columns = {name: str(kind).lower() for name, kind in labelled.frame.schema.items() if not name.startswith("_")}
    return Result(
        audit=audit,
        findings=every,
        tables={**training_tables(summary, vetting), OUTCOMES: outcomes},
        input={"rows": labelled.frame.height + labelled.unlabelled, "columns": columns},
    )


def _test_outcomes(trained: Trained, labelled: match_people.Labelled) -> pl.DataFrame:
    """Return the test pairs: score, label, groups; the set is the position."""
    rows = trained.split.test
    tested = labelled.frame[rows]
    groups = {
        f"{PROTECTED}{name}": pl.Series(
            [None if group < 0 else labelled.levels[name][group] for group in groups[rows]], dtype=pl.String
        )
        for name, groups in labelled.pairs.groups.items()
    }
    person, position = (tested[name].cast(pl.String) for name in ("person", "position"))
    return conform_outcomes(
        pl.DataFrame(
            {
                "item": person,
                "unit": person + "/" + position,
                "set": position,
                "attempt": pl.repeat(0, tested.height, dtype=pl.Int32, eager=True),
                "score": trained.score,
                "label": tested["_label"],
                "status": pl.repeat("observed", tested.height, eager=True),
                **groups,
                "context.position": position,
            }
        )
    )


def run_score(options: ScoreOptions, *, progress: Progress | None = None) -> match_people.MatchRun:
    """Score pairs, or everybody for every position; return the finished run.

    Raises
    ------
    InputError
        A file can't be used, pairs name an unknown person or position, or the matcher was changed.

    """
    request = match_people.scoring_request(options, progress=progress)
    matches: Counter[float] = Counter()
    parts: list[bytes] = []
    for scored in match_people.scored_pairs(request):
        table = match_people.pair_table(request, scored)
        matches.update(dict(table["match"].value_counts().iter_rows()))
        part = csv_bytes(table)
        parts.append(part if not parts else part.partition(b"\n")[2])
    result = Result[Any, Any](audit=match_people.scored_audit(request, options, "score", matches), findings=())
    files = {"scores.csv": b"".join(parts)}
    return written_run(match_people.MatchRun, result, options, "match-score", files=files)


MOST_EXPLAINED_PAIRS: Final = 100_000
#: Pairs that the page shows, those of the first people and positions.
DISPLAYED_PAIRS: Final = 10


def run_explain(options: ScoreOptions, *, progress: Progress | None = None) -> match_people.MatchRun:
    """Explain the scores of pairs; return the finished run.

    Raises
    ------
    InputError
        A file can't be used, the matcher was changed, or there are too many pairs.

    """
    request = match_people.scoring_request(options, progress=progress)
    if request.pairs > MOST_EXPLAINED_PAIRS:
        raise InputError(
            f"{request.pairs:,} pairs are too many to explain; give --pairs FILE with {MOST_EXPLAINED_PAIRS:,} at most."
        )
    if request.rows is None:  # features are there for pairs that are named one by one
        numbers, columns = np.indices((len(request.people), len(request.positions)))
        request = replace(request, rows=numbers.ravel(), columns=columns.ravel())
    rows = list(_explained(request))
    matches = Counter(row["match"] for row in rows)
    lines = b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
    displayed = tuple(_explained_pair(row) for row in rows[:DISPLAYED_PAIRS])
    features = pl.DataFrame(
        [{name: row[name] for name in ("person", "position", "score")} | row["features"] for row in rows],
        infer_schema_length=None,
    )
    audit = match_people.scored_audit(request, options, "explain", matches, explained=displayed)
    result = Result[Any, Any](audit=audit, findings=(), tables={"pairs.csv": features})
    return written_run(match_people.MatchRun, result, options, "match-explain", files={"explanations.jsonl": lines})


def _explained(request: match_people.ScoringRequest) -> Iterator[dict[str, Any]]:
    """Yield the rows of explanations.jsonl: base + Σ contributions = margin."""
    matcher, facts = request.matcher, request.facts
    reasons = Reasons(matcher, facts)
    for scored in match_people.scored_pairs(request):
        assert scored.features is not None
        contributions = matcher.contributions(scored.features)
        match = half_steps(scored.score)
        for row, (person, position) in enumerate(zip(scored.people.tolist(), scored.positions.tolist(), strict=True)):
            values = scored.features[row]
            yield {
                "person": request.people[person].id,
                "position": request.positions[position].id,
                "score": float(scored.score[row]),
                "match": float(match[row]),
                "margin": float(scored.margin[row]),
                "base": matcher.base,
                "contributions": dict(zip(NAMES, contributions[row].tolist(), strict=True)),
                "features": {
                    name: None if np.isnan(value) else round(float(value), 4)
                    for name, value in zip(NAMES, values, strict=True)
                },
                "words": reason_rows(reasons.of(person, position, values)),
            }


def reason_rows(reasons: Sequence[Reason]) -> list[dict[str, Any]]:
    """Return the reasons of a pair as rows of a file."""
    return [{"feature": reason.feature, "met": reason.met, "text": reason.text} for reason in reasons]


def _explained_pair(row: dict[str, Any]) -> score_audit.ExplainedPair:
    """Return a pair for the page: the features that the model uses, by size of contribution."""
    words: dict[str, str] = {}
    for reason in row["words"]:
        words.setdefault(reason["feature"], reason["text"])
    titles = {feature.name: feature.title for feature in FEATURES}
    added = sorted(row["contributions"].items(), key=lambda item: -abs(item[1]))
    return score_audit.ExplainedPair(
        person=row["person"],
        position=row["position"],
        score=row["score"],
        match=row["match"],
        margin=row["margin"],
        base=row["base"],
        reasons=tuple(
            score_audit.Reason(feature=titles[name], text=words.get(name, ""), contribution=value)
            for name, value in added
            if value or name in words
        ),
    )


MOST_RANKED_PAIRS: Final = 20_000_000
#: The lowest strong match.
STRONG: Final = 4.0
#: Lists that recommendations.html shows.
DISPLAYED_CARDS: Final = 50
#: Features that the list of matching skills covers.
_LISTED: Final = frozenset({"skills", "nice", "technology"})
#: The limit of the column `rank` in outcomes.parquet.
_LARGEST_RANK: Final = 2**15 - 1


@dataclass(frozen=True, kw_only=True)
class _Ranked(match_people.ScoredPairs):
    """Pairs with their ranks, all (n,)."""

    rank: NDArray[np.int64]


def run_recommend(options: RecommendOptions, *, progress: Progress | None = None) -> match_people.MatchRun:
    """Rank positions for people or people for positions; return the finished run.

    Raises
    ------
    InputError
        A file can't be used, the matcher was changed, or there are too many pairs.

    """
    request = match_people.scoring_request(options, progress=progress)
    if request.pairs > MOST_RANKED_PAIRS:
        raise InputError(
            f"{request.pairs:,} pairs are too many to rank; give {MOST_RANKED_PAIRS:,} at most, or --pairs."
        )
    ranked = _ranked(request, options)
    if options.top > (longest := int(ranked.rank.max())):
        raise InputError(
            f"--top {options.top:,} is more than the longest list has ({longest:,}): all would count as selected."
        )
    steps, counts = np.unique(half_steps(ranked.score), return_counts=True)
    attributes, top, listed = _attributes(request), options.top, options.listed
    whom = score_audit.Recommended(ranked=options.ranked, attributes=attributes, top=top, listed=listed)
    rows, cards, lists = bytearray(), [], 0
    for entry in _lists(request, ranked, options):
        rows += orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE)
        lists += 1
        if lists <= DISPLAYED_CARDS:
            cards.append(_cards(entry, request, for_people=options.for_people))
    page = cards_page(cards, lists=lists, for_people=options.for_people)
    matches = Counter(dict(zip(steps.tolist(), counts.tolist(), strict=True)))
    audit = match_people.scored_audit(request, options, "recommend", matches, recommended=whom)
    outcomes = _ranked_outcomes(request, ranked, options)
    result = Result[Any, Any](audit=audit, findings=(), tables={OUTCOMES: outcomes})
    files = {"recommendations.jsonl": bytes(rows), "recommendations.html": page.encode()}
    return written_run(match_people.MatchRun, result, options, "match-recommend", files=files)


def _attributes(request: match_people.ScoringRequest) -> tuple[str, ...]:
    return tuple(sorted({name for person in request.people for name in person.protected}))


def _ranked(request: match_people.ScoringRequest, options: RecommendOptions) -> _Ranked:
    parts = list(match_people.scored_pairs(request))
    columns = ("people", "positions", "score", "margin")
    pairs = {name: np.concatenate([getattr(part, name) for part in parts]) for name in columns}
    lists = pairs["people" if options.for_people else "positions"]
    rank = ranks_of(lists, pairs["score"], pairs["margin"], rng=np.random.default_rng(options.seed))
    return _Ranked(**pairs, rank=rank)


def _lists(
    request: match_people.ScoringRequest, ranked: _Ranked, options: RecommendOptions
) -> Iterator[dict[str, Any]]:
    """Yield a list for each person or position, as a row of recommendations.jsonl."""
    listed = np.flatnonzero(ranked.rank <= options.listed)
    recipients = ranked.people if options.for_people else ranked.positions
    listed = listed[np.lexsort((ranked.rank[listed], recipients[listed]))]
    people, positions = ranked.people[listed], ranked.positions[listed]
    features = pair_features(request.facts.people, request.facts.positions, people, positions)
    reasons, match = Reasons(request.matcher, request.facts), half_steps(ranked.score[listed])
    contributions = request.matcher.contributions(features)
    begins = np.flatnonzero(np.concatenate([[True], np.diff(recipients[listed]) != 0])).tolist()
    for begin, end in zip(begins, [*begins[1:], len(listed)], strict=True):
        entries = []
        for row in range(begin, end):
            person, position = int(people[row]), int(positions[row])
            pair_reasons = reasons.of(person, position, features[row])
            entries.append(
                {
                    "rank": int(ranked.rank[listed[row]]),
                    **_counterpart(request, person, position, for_people=options.for_people),
                    "score": float(ranked.score[listed[row]]),
                    "match": float(match[row]),
                    "strong": bool(match[row] >= STRONG),
                    "margin": float(ranked.margin[listed[row]]),
                    "base": request.matcher.base,
                    "contributions": dict(zip(NAMES, contributions[row].tolist(), strict=True)),
                    "words": reason_rows(pair_reasons),
                    "matching_skills": reasons.matching(person, position),
                    "found": [reason.text for reason in pair_reasons if reason.met and reason.feature not in _LISTED],
                    "not_found": [
                        reason.text for reason in pair_reasons if reason.met is False and reason.feature not in _LISTED
                    ],
                }
            )
        if options.for_people:
            yield {"person": request.people[int(people[begin])].id, "positions": entries}
        else:
            ranked_for = request.positions[int(positions[begin])]
            yield {"position": ranked_for.id, "title": ranked_for.title, "candidates": entries}


def _counterpart(
    request: match_people.ScoringRequest, person: int, position: int, *, for_people: bool
) -> dict[str, Any]:
    if for_people:
        entry = request.positions[position]
        return {"position": entry.id, "title": entry.title, "location": entry.location}
    return {"person": request.people[person].id, "candidate": pseudonym(request.people[person].id)}


def pseudonym(name: str) -> str:
    """Return a pseudonym: an id may be a file's name, and so a person's."""
    return hashlib.blake2b(name.encode(), digest_size=4).hexdigest()


def _cards(row: dict[str, Any], request: match_people.ScoringRequest, *, for_people: bool) -> CardList:
    if for_people:
        cards = [_card(entry, heading=entry["title"], place=entry["location"] or "") for entry in row["positions"]]
        return CardList(heading=row["person"], cards=cards)
    texts = dict(zip((person.id for person in request.people), request.texts, strict=True))
    cards = [
        _card(entry, heading=f"Candidate {entry['candidate']}", text=texts[entry["person"]])
        for entry in row["candidates"]
    ]
    return CardList(heading=row["title"], cards=cards)


def _card(row: dict[str, Any], *, heading: str, place: str = "", text: str = "") -> Card:
    same = {name: row[name] for name in ("rank", "match", "strong", "found")}
    return Card(heading=heading, place=place, skills=row["matching_skills"], text=text, **same)


def _ranked_outcomes(request: match_people.ScoringRequest, ranked: _Ranked, options: RecommendOptions) -> pl.DataFrame:
    """Return the ranked pairs as outcomes: a success is a rank up to --top."""
    people, positions = ranked.people, ranked.positions
    person = _ids([applicant.id for applicant in request.people]).gather(people)
    position = _ids([opening.id for opening in request.positions]).gather(positions)
    groups = {
        f"{PROTECTED}{name}": _ids([applicant.protected.get(name) for applicant in request.people]).gather(people)
        for name in _attributes(request)
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
