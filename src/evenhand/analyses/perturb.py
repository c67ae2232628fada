"""`evenhand perturb`: whether scores move when only the group that a résumé shows does.

From the scores of all arms to a finished run folder: findings, perturb.csv and the page.
"""

import random
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl

from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.options.scores import ArmOptions, JudgingOptions, PeopleOptions, PerturbOptions
from evenhand.analyses.perturb_arms import Applicants, Layout, embedded_applicants, read_applicants, write_arms
from evenhand.analyses.perturb_asking import CollectedScores, Perturbed, PerturbRun, ask_arms, write_perturbed
from evenhand.analyses.progress import Notices, Progress
from evenhand.comparisons.perturbation import Judging, margin_of, moved_most, perturbation_findings
from evenhand.data.inputs import read_group_names
from evenhand.data.lexicons.names import group_names
from evenhand.errors import InputError
from evenhand.options import build_group, declared, json_value, to_manifest, words
from evenhand.report.terminal import Screen
from evenhand.results.finding import Finding, as_json
from evenhand.results.run_folder import refuse_clearing_input
from evenhand.results.schemas import CONTEXT
from evenhand.results.score_audit import PLACEBO, ArmName, Experiment, MovedPair, arm_group_label
from evenhand.synthetic.arms import Arms, choose_names, experiment_of
from evenhand.synthetic.templates import Templates

_CONFIDENCE, _PERMUTATIONS = 0.95, 2000
#: How many pairs stand in the table of those that moved most, and the texts of how many beside each other.
_MOST_MOVED: Final = 5
_DISPLAYED_TEXTS: Final = 3


def finished_perturb_run(asked: CollectedScores, layout: Layout, options: PerturbOptions) -> PerturbRun:
    """Write findings, table and report of scores that are there; return the run."""
    applicants, arms = layout.applicants, layout.arms
    experiment = experiment_of(arms, Templates(templates=applicants.templates, left_out=applicants.left_out))
    outcomes = pl.scan_parquet(asked.folder.outcomes)
    findings = outcome_findings(
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


def outcome_findings(
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


def _names(record: Mapping[str, Any], experiment: Experiment, outcomes: pl.LazyFrame) -> list[ArmName]:
    """Return the names that stood in a résumé."""
    stood = set(outcomes.select(f"{CONTEXT}name").unique().collect().to_series())
    return [
        ArmName(
            name=row["name"],
            group=arm_group_label(tuple(row[attribute] for attribute in experiment.by)),
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
        shown = _DISPLAYED_TEXTS if layout.applicants.synthetic else 0
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


#: How many of the synthetic résumés are drawn unless it is said: those of 16 positions.
_DEFAULT_SAMPLE: Final = 48


def run_perturb(options: PerturbOptions, *, notice: Notices, progress: Progress | None = None) -> PerturbRun:
    """Ask the scorer about every résumé in every arm, and report; return the finished run.

    Raises
    ------
    InputError
        Options, files, folder or scorer can't be used; nothing was asked.
    ServiceError
        The scorer refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; what was given is in the journal.

    """
    read = (options.resumes, options.positions, options.names, options.request)
    refuse_clearing_input(options.out, [each for each in read if each is not None], force=options.force)
    layout = _layout(options)
    found: list[PerturbRun] = []

    def finish(asked: CollectedScores) -> None:
        if progress is not None:
            progress("perturb: measuring")
        found.append(finished_perturb_run(asked, layout, options))

    ask_arms(
        layout,
        options,
        build_group(
            ProbeOptions,
            {each.name: each.of(options) for each in declared(PerturbOptions)} | {"model": "", "sample": None},
        ),
        judged=to_manifest(options, of=JudgingOptions),
        parts=options.join,
        notice=notice,
        progress=progress,
        finish=finish,
    )
    return found[0]


@dataclass(frozen=True, kw_only=True)
class WrittenArms:
    """What was written for a system that nothing can be asked of, and how it goes on."""

    folder: Path
    key: Path
    documents: int
    positions: int
    rows: int
    command: str

    @property
    def json(self) -> str:
        """Return it as JSON."""
        return orjson.dumps(as_json(self) | {"folder": str(self.folder), "key": str(self.key)}).decode()

    @property
    def text(self) -> str:
        """Return it in words, in lines that a terminal can hold."""
        screen = Screen()
        screen.say(
            f"{self.documents:,} documents for {self.positions:,} positions are in {self.folder}; arms.csv there has "
            f"{self.rows:,} rows to be scored. What stands behind each id is in {self.key}: keep it from "
            "whoever scores."
        )
        screen.say()
        screen.say("With the scores in a CSV with id, position and score:")
        screen.type(self.command)
        return screen.text


def write_documents(options: PerturbOptions) -> WrittenArms:
    """Write the documents of all arms to a new folder, and beside it what each of them is.

    Raises
    ------
    InputError
        Options or files can't be used, or the folder is there.

    """
    to = options.write_arms
    if to is None:
        raise InputError("--write-arms is missing: the folder to be written.")
    layout = _layout(options)
    key = to.with_name(f"{to.name}-key.csv")
    if key.exists():
        raise InputError(f"{key} is there already, and says what stands behind ids; give another --write-arms.")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--write-arms {to} can't be written: {error.strerror}.") from error
    written = write_arms(layout, to=to, key=key)
    again = replace(options, write_arms=None, scorer="replay:SCORES.csv", margin=options.margin or "X")
    return WrittenArms(
        folder=to,
        key=key,
        documents=written.documents,
        positions=written.positions,
        rows=written.rows,
        command=written_words(again),
    )


def _layout(options: PerturbOptions) -> Layout:
    pool = group_names() if options.names is None else read_group_names(options.names)
    choice = choose_names(
        pool, by=options.by, per_group=options.names_per_group, seed=options.seed, placebo=options.placebo
    )
    kinds = tuple(dict.fromkeys((*options.arms, *((PLACEBO,) if options.placebo else ()))))
    given = options.reference
    reference = None if given is None else " × ".join(part.rpartition("=")[2].strip() for part in given.split(","))
    arms = Arms(choice=choice, kinds=kinds, reference=reference)
    if options.resumes is None or options.positions is None:
        applicants = _sampled(embedded_applicants(), options.sample or _DEFAULT_SAMPLE, options.seed)
    else:
        applicants = read_applicants(options.resumes, options.positions)
        if options.sample is not None:
            applicants = _sampled(applicants, options.sample, options.seed)
    return Layout(applicants=applicants, arms=arms, seed=options.seed)


def _sampled(applicants: Applicants, sample: int, seed: int) -> Applicants:
    """Return so many résumés at random; of the synthetic ones those of a position together."""
    size = len(applicants.templates)
    if sample > size:
        raise InputError(f"--sample is {sample:,}, and there are {size:,} résumés; give {size:,} at most.")
    rng = random.Random(seed)  # noqa: S311 - no secret
    order = list(range(size))
    if applicants.sent is None:
        rng.shuffle(order)
    else:
        positions = list(range(len(applicants.positions)))
        rng.shuffle(positions)
        place = {position: number for number, position in enumerate(positions)}
        sent = applicants.sent
        order.sort(key=lambda template: place[sent[template][0]])
    chosen = sorted(order[:sample])
    return replace(
        applicants,
        templates=tuple(applicants.templates[each] for each in chosen),
        sent=None if applicants.sent is None else tuple(applicants.sent[each] for each in chosen),
    )
