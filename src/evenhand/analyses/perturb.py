"""`evenhand perturb`: whether scores change with the group that a résumé signals, all else equal.

`run_perturb` scores all arms and reports; `write_documents` writes the arms for systems without an interface.
"""

import random
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.analyses.manifest import manifest_of, utc_now
from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.options.scores import ArmOptions, JudgingOptions, PeopleOptions, PerturbOptions
from evenhand.analyses.perturb_arms import (
    Applicants,
    Layout,
    check_written,
    embedded_applicants,
    read_applicants,
    write_arms,
)
from evenhand.analyses.perturb_asking import CollectedScores, PerturbRun, ask_arms
from evenhand.analyses.progress import Progress
from evenhand.analyses.run import refuse_clearing_input, write_findings
from evenhand.comparisons.perturbation import Judging, margin_of, moved_most, perturb_table, perturbation_findings
from evenhand.data.inputs import read_group_names
from evenhand.data.lexicons.names import group_names
from evenhand.errors import InputError
from evenhand.options import build_group, declared, json_value, to_manifest, words
from evenhand.report.words.results import capital
from evenhand.results.audit import Account
from evenhand.results.finding import copied, shared
from evenhand.results.messages import Notices, listed, number_of
from evenhand.results.result import Result
from evenhand.results.schemas import CONTEXT
from evenhand.results.score_audit import PLACEBO, ArmName, Experiment, MovedPair, PerturbAudit, arm_group_label
from evenhand.results.terminal import CommandOutput, Screen
from evenhand.synthetic.arms import Arms, choose_names, experiment_of, kinds_by
from evenhand.synthetic.dates import latest_year
from evenhand.synthetic.identities import known_identities
from evenhand.synthetic.templates import LeftOut, Templates

_CONFIDENCE, _PERMUTATIONS = 0.95, 2000
#: The pairs with the largest differences on the page, and of how many the texts are shown.
_MOST_MOVED: Final = 5
_DISPLAYED_TEXTS: Final = 3
_OF_PAIRS: Final = ("group", "reference", "position", "name", "reference_name", "score", "reference_score")


QUESTION: Final = "Does the score of a résumé change if only the group that it signals changes?"
SIMULATED: Final = "The scores come from a simulated scorer with a known effect, not from a system in use."
LIMITS: Final = (
    "Names, pronouns and lines of membership signal a group; they are not the group, and may signal class or age, too.",
    "The results are about this scorer with these résumés and positions. Others may be scored differently.",
    "A score is not a decision: the effect of a difference depends on how the scores are used.",
)
SYNTHETIC: Final = "Résumés and positions are synthetic; those of your applicants may be scored differently."


def finished_perturb_run(collected: CollectedScores, layout: Layout, options: PerturbOptions) -> PerturbRun:
    """Write findings, table and report of collected scores; return the run."""
    applicants, arms = layout.applicants, layout.arms
    experiment = experiment_of(arms, Templates(templates=applicants.templates, left_out=applicants.left_out))
    outcomes = pl.scan_parquet(collected.folder.outcomes)
    manifest = manifest_of({**collected.manifest, "finished": utc_now()})
    record: Mapping[str, Any] = manifest.settings["names"]
    given = {
        field.name: json_value(field.of(options))
        for group in (PeopleOptions, ArmOptions, JudgingOptions)
        for field in declared(group)
    }
    known = shared(manifest, Account) | {
        "parameters": {**given, **manifest.parameters},
        "reproduce": written_words(options),
    }
    facts = PerturbAudit(
        question=QUESTION,
        **known,
        simulated_note=SIMULATED if manifest.simulated else None,
        synthetic=applicants.synthetic,
        people=len(applicants.templates),
        positions=len(applicants.sent_for),
        experiment=experiment,
        arms=tuple(arms.kinds),
        settings={name: value for name, value in manifest.settings.items() if name != "names"},
        names=tuple(_names(arms.choice.record, experiment, outcomes)),
        names_per_group=record["names_per_group"]["chosen"],
        matched_on=tuple(record["matched_on"]),
        names_note=str(record["note"]),
        pairs=tuple(_moved(layout, outcomes, experiment, options)),
        titles={applicants.positions[place].id: applicants.positions[place].title for place in applicants.sent_for},
        statuses=dict(sorted(collected.summary.statuses.items())),
        reading_rules=dict(collected.summary.rules.most_common()),
        attempts=collected.summary.attempts,
        limits=(*((SYNTHETIC,) if applicants.synthetic else ()), *LIMITS, *_limits(arms)),
        warnings=collected.warnings,
    )
    return write_findings(PerturbRun, collected.folder, analyse_perturb(outcomes, facts))


def _limits(arms: Arms) -> list[str]:
    """Return what each identity of the arms shows, and what it can't."""
    table = [known_identities()[name] for name in arms.all_identities]
    return [f"{capital(identity.name)}: {identity.shows} {identity.limits}" for identity in table]


def analyse_perturb(outcomes: pl.LazyFrame, facts: PerturbAudit) -> Result[PerturbAudit, Any]:
    """Return how scores move between the arms of the experiment of `facts`, by its settings."""
    settings: Mapping[str, Any] = facts.settings
    parameters: Mapping[str, Any] = facts.parameters
    findings = perturbation_findings(
        outcomes,
        facts.experiment,
        Judging(margin=margin_of(settings["margin"] or ""), cutoff=settings["cutoff"], top=settings["top"]),
        seed=parameters["seed"],
        permutations=_PERMUTATIONS,
        confidence=_CONFIDENCE,
    )
    return Result(audit=facts, findings=findings, tables={"perturb.csv": perturb_table(findings)})


def written_words(options: PerturbOptions) -> str:
    """Return the command line that reproduces the run."""
    return shlex.join(["evenhand", "perturb", *words(options, always=("scorer", "margin", "seed"))])


def _names(record: Mapping[str, Any], experiment: Experiment, outcomes: pl.LazyFrame) -> list[ArmName]:
    """Return the names that were used in a résumé."""
    used = set(outcomes.select(f"{CONTEXT}name").unique().collect().to_series())
    return [
        ArmName(
            name=row["name"],
            group=arm_group_label(tuple(row[attribute] for attribute in experiment.by)),
            shown_in=row["for"],
            matched=row["matched"],
            length=row["length"],
        )
        for row in record["names"]
        if row["name"] in used
    ]


def _moved(layout: Layout, outcomes: pl.LazyFrame, experiment: Experiment, options: PerturbOptions) -> list[MovedPair]:
    """Return the pairs with the largest differences, sorted; texts of the first ones, if they may be shown."""
    displayed = options.show_pairs
    if displayed is None:
        displayed = _DISPLAYED_TEXTS if layout.applicants.synthetic else 0
    rows = moved_most(outcomes, experiment, most=max(_MOST_MOVED, displayed))
    if not rows.height:
        return []
    rows = rows.filter(pl.col("arm") != PLACEBO).sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    pairs = []
    for number, row in enumerate(rows.head(max(_MOST_MOVED, displayed)).iter_rows(named=True)):
        texts: dict[str, Any] = _texts(layout, row) if number < displayed else {}
        pairs.append(MovedPair(kind=row["arm"], **{name: row[name] for name in _OF_PAIRS}, **texts))
    return pairs


def _texts(layout: Layout, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the person and the two texts of a pair."""
    template = next(candidate for candidate in layout.applicants.templates if candidate.id == row["person"])
    arms = {arm.label: arm for arm in layout.arms.arms(template)}
    texts = []
    for arm, name in (("group_arm", "name"), ("reference_arm", "reference_name")):
        names = [chosen.name.text for chosen in layout.arms.names(template, arms[row[arm]])]
        texts.append(layout.arms.text(template, arms[row[arm]], names.index(row[name])).text)
    return {"person": template.id, "text": texts[0], "reference_text": texts[1]}


#: The default sample of synthetic résumés: those of 16 positions.
_DEFAULT_SAMPLE: Final = 48


def run_perturb(options: PerturbOptions, *, notice: Notices, progress: Progress | None = None) -> PerturbRun:
    """Score every résumé in every arm, and report; return the finished run.

    Raises
    ------
    InputError
        Options, files, folder or scorer can't be used; nothing was sent.
    ServiceError
        The scorer refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; the answers so far are in the journal.

    """
    inputs = (options.resumes, options.positions, options.names, options.request, options.write_arms, *options.join)
    refuse_clearing_input(options.out, [path for path in inputs if isinstance(path, Path)], force=options.force)
    layout = _layout(options)
    written: dict[str, Any] = {}
    if options.write_arms is not None:
        check_written(layout, options.write_arms)
        written = {"written": str(options.write_arms)}
    if options.joined is not None:
        options = replace(options, scorer=f"replay:{options.joined}", join=(), write_arms=None)
    runs: list[PerturbRun] = []

    def finish(collected: CollectedScores) -> None:
        if progress is not None:
            progress("perturb: measuring")
        runs.append(finished_perturb_run(collected, layout, options))

    ask_arms(
        layout,
        options,
        build_group(
            ProbeOptions,
            {field.name: field.of(options) for field in declared(PerturbOptions)} | {"model": "", "sample": None},
        ),
        judged=to_manifest(options, of=JudgingOptions) | written,
        parts=options.join,
        columns=options.score_columns,
        notice=notice,
        progress=progress,
        finish=finish,
    )
    return runs[0]


def write_documents(options: PerturbOptions) -> CommandOutput:
    """Write the documents of all arms to a new folder, and the key next to it.

    Raises
    ------
    InputError
        Options or files can't be used, or the folder exists already.

    """
    to = options.write_arms
    if to is None:
        raise InputError("--write-arms is missing: give the folder to write.")
    layout = _layout(options)
    key = to.with_name(f"{to.name}-key.csv")
    written = write_arms(layout, to=to, key=key)
    follow_up = replace(options, write_arms=None, scorer="replay:SCORES.csv", margin=options.margin or "X")
    joining = shlex.join(["--write-arms", str(to), "--join", "SCORES.csv"])
    command = written_words(follow_up).replace("--scorer replay:SCORES.csv", joining)
    left_out = [f"{person.id} ({person.reason})" for person in layout.applicants.left_out]
    content = {
        "folder": str(to),
        "key": str(key),
        **copied(written, "documents positions rows"),
        "command": command,
        "left_out": left_out,
        **copied(written, "pictures retyped"),
    }
    screen = Screen()
    screen.say(
        f"{written.documents:,} documents for {written.positions:,} positions are in {to}; arms.csv has "
        f"{written.rows:,} rows to score. {key} maps each id to its arm: keep it from the people who score."
    )
    if written.pictures:
        screen.say(
            f"{number_of(written.pictures, 'résumé')} with pictures, which are the same in every arm: a photo shows "
            "the person whatever the name."
        )
    if written.retyped:
        screen.say(
            f"{number_of(written.retyped, 'résumé')} in another format than Word, such as PDF: documents has their "
            "text as a Word file, without the layout."
        )
    if left_out:
        screen.say(f"{number_of(len(left_out), 'résumé')} left out: {listed(left_out)}.")
    screen.say()
    screen.say("When you have the scores in a table with id or file, position and score, run:")
    screen.type(command)
    return CommandOutput(content=content, text=screen.text)


def _layout(options: PerturbOptions) -> Layout:
    pool = group_names() if options.names is None else read_group_names(options.names)
    signalled = tuple(attribute for attribute in options.by if attribute not in known_identities())
    choice = choose_names(
        pool,
        by=signalled or tuple(pool[0].signals)[:1] if options.by else (),
        per_group=options.names_per_group,
        seed=options.seed,
        placebo=options.placebo,
    )
    kinds = tuple(dict.fromkeys((*kinds_by(options.arms, options.by), *((PLACEBO,) if options.placebo else ()))))
    typed = options.reference
    reference = None if typed is None else " × ".join(part.rpartition("=")[2].strip() for part in typed.split(","))
    arms = Arms(choice=choice, kinds=kinds, reference=reference)
    if options.resumes is None or options.positions is None:
        applicants = _sampled(_showing(embedded_applicants(), arms), options.sample or _DEFAULT_SAMPLE, options.seed)
    else:
        applicants = _showing(read_applicants(options.resumes, options.positions), arms)
        if options.sample is not None:
            applicants = _sampled(applicants, options.sample, options.seed)
    if any(known_identities()[name].edit == "dates" for name in arms.identities):
        latest = max(latest_year(template.dates) for template in applicants.templates)
        arms = replace(arms, until=latest if applicants.synthetic else int(utc_now()[:4]))
    return Layout(applicants=applicants, arms=arms, seed=options.seed)


def _showing(applicants: Applicants, arms: Arms) -> Applicants:
    """Return those whose résumés can show every identity of the arms; the others are left out."""
    lacking = [
        next(filter(None, (known_identities()[name].lacks(template) for name in arms.identities)), None)
        for template in applicants.templates
    ]
    chosen = [number for number, reason in enumerate(lacking) if reason is None]
    if not chosen:
        raise InputError(f"No résumé can have these arms: {lacking[0]}. Leave it out of --arms and --by.")
    left_out = [
        LeftOut(id=template.id, reason=reason, protected=template.protected)
        for template, reason in zip(applicants.templates, lacking, strict=True)
        if reason is not None
    ]
    return replace(_chosen(applicants, chosen), left_out=(*applicants.left_out, *left_out))


def _sampled(applicants: Applicants, sample: int, seed: int) -> Applicants:
    """Return a random sample of résumés; synthetic ones of one position stay together."""
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
    return _chosen(applicants, sorted(order[:sample]))


def _chosen(applicants: Applicants, chosen: list[int]) -> Applicants:
    return replace(
        applicants,
        templates=tuple(applicants.templates[number] for number in chosen),
        sent=None if applicants.sent is None else tuple(applicants.sent[number] for number in chosen),
    )
