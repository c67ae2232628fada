"""`evenhand perturb`: whether scores move when only the group that a résumé shows does."""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import orjson

from evenhand.commands.perturb.applicants import Applicants, embedded_applicants, read_applicants
from evenhand.commands.perturb.asking import AskedScores, ask_arms
from evenhand.commands.perturb.judged import judged_run, written_words
from evenhand.commands.perturb.layout import Layout
from evenhand.commands.perturb.upload import write_arms
from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.intake.group_names import read_group_names
from evenhand.lexicons.names import group_names
from evenhand.options import declared, kept, made
from evenhand.resumes.arms.arms import Arms
from evenhand.resumes.arms.choosing import choose_names
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.scores.perturb import JudgingOptions, PerturbOptions
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.scores.perturb import PerturbRun
from evenhand.tables.audit.perturb import PLACEBO
from evenhand.tables.audit.written import as_json
from evenhand.tables.run_folder import refuse_own_input

__all__ = ["WrittenArms", "run_perturb", "write_documents"]

#: How many of the synthetic résumés are drawn unless it is said: those of 16 positions.
_DRAWN: Final = 48


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
    refuse_own_input(options.out, [each for each in read if each is not None], force=options.force)
    layout = _layout(options)
    found: list[PerturbRun] = []

    def finish(asked: AskedScores) -> None:
        if progress is not None:
            progress("perturb: measuring")
        found.append(judged_run(asked, layout, options))

    ask_arms(
        layout,
        options,
        made(
            ProbeOptions,
            {each.name: each.of(options) for each in declared(PerturbOptions)} | {"model": "", "sample": None},
        ),
        judged=kept(options, of=JudgingOptions),
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
        applicants = _drawn(embedded_applicants(), options.sample or _DRAWN, options.seed)
    else:
        applicants = read_applicants(options.resumes, options.positions)
        if options.sample is not None:
            applicants = _drawn(applicants, options.sample, options.seed)
    return Layout(applicants=applicants, arms=arms, seed=options.seed)


def _drawn(applicants: Applicants, sample: int, seed: int) -> Applicants:
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
