"""From the scores of all arms to a finished run folder: findings, perturb.csv and the page."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from evenhand.commands.perturb.asking import AskedArms
from evenhand.commands.perturb.layout import Layout
from evenhand.findings.scores.perturbation.bins import difference_bins
from evenhand.findings.scores.perturbation.findings import Judging, moved_most, perturb_table, perturbation_findings
from evenhand.findings.scores.perturbation.margin import margin_of
from evenhand.options import declared, json_value, words
from evenhand.report import write_files
from evenhand.runs.finished_run import Run
from evenhand.runs.manifest import manifest_of
from evenhand.runs.options.perturb import ArmOptions, JudgingOptions, PeopleOptions, PerturbOptions
from evenhand.runs.records.stamps import utc_now
from evenhand.tables.audit.perturb import PLACEBO, Experiment, MovedPair, NameShown, PerturbAudit, group_label
from evenhand.tables.csv_files import csv_bytes, read_csv
from evenhand.tables.files import write_atomically
from evenhand.tables.schemas import CONTEXT, PERTURB

__all__ = ["PerturbRun", "judged_run", "written_words"]

QUESTION: Final = "Does the score of a résumé move when only the group that it shows does?"
SIMULATED: Final = "The scores come from a simulated scorer with a known effect, not from a system in use."
LIMITS: Final = (
    "Names, pronouns and lines of membership signal a group; they are not the group, and may signal class or age, too.",
    "What is measured is this scorer with these résumés and positions. Others may be scored otherwise.",
    "A score that moves is no decision yet: what a difference does depends on how scores are used.",
)
SYNTHETIC: Final = "Résumés and positions are synthetic; those of your applicants may be scored otherwise."
_CONFIDENCE, _PERMUTATIONS = 0.95, 2000
#: How many pairs of each comparison stand in the table of those that moved most.
_MOST_MOVED: Final = 5
_SHOWN: Final = 3


@dataclass(frozen=True, kw_only=True, repr=False)
class PerturbRun(Run):
    """What a perturbation test left behind."""

    audit: PerturbAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return perturb.csv."""
        return read_csv(self.folder / "perturb.csv", PERTURB).with_columns(pl.col("position").fill_null(""))


def judged_run(asked: AskedArms, experiment: Experiment, options: PerturbOptions) -> PerturbRun:
    """Write findings, table and report of scores that are there; return the run."""
    folder = asked.folder
    outcomes = pl.scan_parquet(folder.outcomes)
    findings = perturbation_findings(
        outcomes,
        experiment,
        Judging(margin=margin_of(options.margin or ""), cutoff=options.cutoff, top=options.top),
        seed=options.seed,
        permutations=_PERMUTATIONS,
        confidence=_CONFIDENCE,
    )
    write_atomically(folder.path / "perturb.csv", csv_bytes(perturb_table(findings)))
    asked.manifest["finished"] = utc_now()
    audit = _block(asked, experiment, options, outcomes)
    folder.write_findings(audit, findings)
    write_files(folder.path)
    return PerturbRun(folder=folder.path, audit=audit, findings=findings)


def written_words(options: PerturbOptions) -> str:
    """Return the command line that asks the same again."""
    return shlex.join(["evenhand", "perturb", *words(options, always=("scorer", "margin", "seed"))])


def _block(asked: AskedArms, experiment: Experiment, options: PerturbOptions, outcomes: pl.LazyFrame) -> PerturbAudit:
    manifest, applicants = manifest_of(asked.manifest), asked.layout.applicants
    record = asked.layout.arms.choice.record
    given = {
        each.name: json_value(each.of(options))
        for group in (PeopleOptions, ArmOptions, JudgingOptions)
        for each in declared(group)
    }
    return PerturbAudit(
        question=QUESTION,
        model=manifest.model,
        simulated=manifest.simulated,
        simulated_note=SIMULATED if manifest.simulated else None,
        synthetic=applicants.synthetic,
        people=len(applicants.templates),
        positions=len({place for at in range(len(applicants.templates)) for place in applicants.positions_of(at)}),
        experiment=experiment,
        arms=tuple(asked.layout.arms.kinds),
        settings={name: value for name, value in manifest.settings.items() if name != "names"},
        names=tuple(_names(record, experiment, outcomes)),
        matched_on=tuple(record["matched_on"]),
        names_per_group=record["names_per_group"]["chosen"],
        names_note=str(record["note"]),
        distributions=difference_bins(outcomes, experiment),
        pairs=tuple(_moved(asked.layout, outcomes, experiment, options)),
        titles={each.id: each.title for each in applicants.positions},
        parameters={**given, **manifest.parameters},
        statuses=dict(sorted(asked.summary.statuses.items())),
        reading_rules=dict(asked.summary.rules.most_common()),
        attempts=asked.summary.attempts,
        requests=manifest.requests,
        cost=manifest.cost,
        currency=manifest.currency,
        cost_reason=manifest.cost_reason,
        cost_uncertain=manifest.cost_uncertain,
        usage=manifest.usage,
        limits=(*((SYNTHETIC,) if applicants.synthetic else ()), *LIMITS),
        warnings=asked.warnings,
        reproduce=written_words(options),
        started=manifest.started,
        finished=manifest.finished,
        versions=manifest.versions,
        fingerprints=manifest.fingerprints,
    )


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
    for each in layout.arms.comparisons(template):
        group, reference = group_label(each.group), group_label(each.reference)
        if each.kind != row["arm"] or {group, reference} != {row["group"], row["reference"]}:
            continue
        arms = (each.arm, each.against) if group == row["group"] else (each.against, each.arm)
        texts = []
        for arm, name in zip(arms, (row["name"], row["reference_name"]), strict=True):
            numbers = [each.name.text for each in layout.arms.names(template, arm)]
            if name in numbers:
                texts.append(layout.arms.text(template, arm, numbers.index(name)).text)
        if len(texts) == 2:
            return {"person": template.id, "text": texts[0], "reference_text": texts[1]}
    return {}
