"""From the scores of all arms to a finished run folder: findings, perturb.csv and the page."""

import shlex
from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from evenhand.commands.perturb.asking import AskedScores
from evenhand.commands.perturb.layout import Layout
from evenhand.findings.scores.perturbation.findings import Judging, moved_most, perturbation_findings
from evenhand.findings.scores.perturbation.margin import margin_of
from evenhand.options import declared, json_value, words
from evenhand.resumes.arms.experiment import experiment_of
from evenhand.resumes.arms.template import Templates
from evenhand.runs.options.scores.perturb import ArmOptions, JudgingOptions, PeopleOptions, PerturbOptions
from evenhand.runs.records.scores.perturb import Perturbed, PerturbRun, write_perturbed
from evenhand.tables.audit.perturb import PLACEBO, Experiment, MovedPair, NameShown, group_label
from evenhand.tables.finding import Finding
from evenhand.tables.schemas import CONTEXT

__all__ = ["judged_outcomes", "judged_run", "written_words"]

_CONFIDENCE, _PERMUTATIONS = 0.95, 2000
#: How many pairs stand in the table of those that moved most, and the texts of how many beside each other.
_MOST_MOVED: Final = 5
_SHOWN: Final = 3


def judged_run(asked: AskedScores, layout: Layout, options: PerturbOptions) -> PerturbRun:
    """Write findings, table and report of scores that are there; return the run."""
    applicants, arms = layout.applicants, layout.arms
    experiment = experiment_of(arms, Templates(templates=applicants.templates, left_out=applicants.left_out))
    outcomes = pl.scan_parquet(asked.folder.outcomes)
    findings = judged_outcomes(
        outcomes, experiment, {each.name: each.of(options) for each in declared(JudgingOptions)}, seed=options.seed
    )
    perturbed = Perturbed(
        experiment=experiment,
        arms=tuple(arms.kinds),
        synthetic=applicants.synthetic,
        people=len(applicants.templates),
        positions=len(applicants.sent_for),
        titles={applicants.positions[place].id: applicants.positions[place].title for place in applicants.sent_for},
        names=tuple(_names(arms.choice.record, experiment, outcomes)),
        pairs=tuple(_moved(layout, outcomes, experiment, options)),
        given={
            each.name: json_value(each.of(options))
            for group in (PeopleOptions, ArmOptions, JudgingOptions)
            for each in declared(group)
        },
        summary=asked.summary,
        findings=findings,
        warnings=asked.warnings,
        reproduce=written_words(options),
    )
    return write_perturbed(asked.folder, asked.manifest, perturbed)


def judged_outcomes(
    outcomes: pl.LazyFrame, experiment: Experiment, judging: Mapping[str, Any], *, seed: int
) -> list[Finding]:
    """Return the findings of scores, by the options that say how they are judged."""
    return perturbation_findings(
        outcomes,
        experiment,
        Judging(margin=margin_of(judging["margin"] or ""), cutoff=judging["cutoff"], top=judging["top"]),
        seed=seed,
        permutations=_PERMUTATIONS,
        confidence=_CONFIDENCE,
    )


def written_words(options: PerturbOptions) -> str:
    """Return the command line that asks the same again."""
    return shlex.join(["evenhand", "perturb", *words(options, always=("scorer", "margin", "seed"))])


def _names(record: Mapping[str, Any], experiment: Experiment, outcomes: pl.LazyFrame) -> list[NameShown]:
    """Return the names that stood in a résumé."""
    stood = set(outcomes.select(f"{CONTEXT}name").unique().collect().to_series())
    return [
        NameShown(
            name=row["name"],
            group=group_label(tuple(row[attribute] for attribute in experiment.by)),
            shown_in=row["for"],
            matched=row["matched"],
            length=row["length"],
        )
        for row in record["names"]
        if row["name"] in stood
    ]


def _moved(layout: Layout, outcomes: pl.LazyFrame, experiment: Experiment, options: PerturbOptions) -> list[MovedPair]:
    """Return the pairs that moved most, the widest first; texts of the first ones, where they may be shown."""
    shown = options.show_pairs
    if shown is None:
        shown = _SHOWN if layout.applicants.synthetic else 0
    rows = moved_most(outcomes, experiment, most=max(_MOST_MOVED, shown))
    if not rows.height:
        return []
    rows = rows.filter(pl.col("arm") != PLACEBO).sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    found = []
    for number, row in enumerate(rows.head(max(_MOST_MOVED, shown)).iter_rows(named=True)):
        texts = _texts(layout, row) if number < shown else {}
        found.append(
            MovedPair(
                kind=row["arm"],
                group=row["group"],
                reference=row["reference"],
                position=row["position"],
                name=row["name"],
                reference_name=row["reference_name"],
                score=row["score"],
                reference_score=row["reference_score"],
                **texts,
            )
        )
    return found


def _texts(layout: Layout, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the two texts of a pair, and whose they are."""
    template = next(each for each in layout.applicants.templates if each.id == row["person"])
    arms = {arm.label: arm for arm in layout.arms.arms(template)}
    texts = []
    for arm, name in (("group_arm", "name"), ("reference_arm", "reference_name")):
        names = [each.name.text for each in layout.arms.names(template, arms[row[arm]])]
        texts.append(layout.arms.text(template, arms[row[arm]], names.index(row[name])).text)
    return {"person": template.id, "text": texts[0], "reference_text": texts[1]}
