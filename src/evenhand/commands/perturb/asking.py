"""Asks a scorer about résumés and positions, in every arm or as they are: to a run folder with journal and outcomes."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.answers import identical_repetitions
from evenhand.collect.batches.log import refuse_open_batches
from evenhand.collect.journal.file import Journal
from evenhand.collect.journal.joined import Part, join_journals
from evenhand.collect.outcomes import OutcomeSummary, answered_stimuli, write_outcomes
from evenhand.collect.twins import Twins
from evenhand.commands.perturb.layout import Layout
from evenhand.commands.perturb.probe import perturbation_probe
from evenhand.errors import InputError
from evenhand.intake.positions import Position
from evenhand.models.model import Model
from evenhand.models.scorers.matcher import MatcherScorer
from evenhand.models.scorers.saved_scores import OF_ARMS
from evenhand.models.scorers.service import HttpScorer
from evenhand.probes.shared.probe import Probe
from evenhand.runs.adapted import adaptation_warnings, keep_adaptations, once
from evenhand.runs.asking.asking import Asking, ask_lacking
from evenhand.runs.asking.by_batch import check_batch, tell_abandoned
from evenhand.runs.asking.scorer_spec import Shown, is_model, open_scorer, refuse_foreign_options
from evenhand.runs.asking.spending import Priced, open_account, priced
from evenhand.runs.model_spec import open_model, refuse_unobeyed
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.scores.scoring import Scoring
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.opened import OpenedRun, opened_run, status_kept
from evenhand.runs.records.scores.perturb import begun_manifest, finish_manifest, parts_of, perturb_manifest
from evenhand.runs.sample import prompt_tokens, sample_size
from evenhand.tables.audit.perturb import MASKS
from evenhand.tables.run_folder import RunFolder

__all__ = ["AskedScores", "Presented", "ask_arms", "ask_scores"]

#: Scorers that cost nobody anything.
_FREE: Final = ("sim", "replay", "python", "matcher")
_MOST_AT_ONCE: Final = 1000


@dataclass(frozen=True, kw_only=True)
class Presented:
    """What a scorer is asked about: the probe that asks, and what of it the scorer and the manifest need.

    `documents` gives the ids of all documents, `foreign` is what is said of others in saved scores; `told` says how
    much is asked, `settings` are those of the experiment.
    """

    probe: Probe
    documents: Callable[[], Collection[str]]
    positions: Sequence[Position]
    groups: Collection[str]
    settings: Mapping[str, Any]
    told: str
    foreign: str = OF_ARMS


@dataclass(frozen=True, kw_only=True)
class AskedScores:
    """A run whose scores are there: the folder with journal and outcomes, its manifest, and what was read."""

    folder: RunFolder
    manifest: dict[str, Any]
    probe: Probe
    summary: OutcomeSummary
    warnings: tuple[str, ...]


def ask_arms(
    layout: Layout,
    scoring: Scoring,
    options: ProbeOptions,
    *,
    judged: Mapping[str, Any] | None = None,
    notice: Notices,
    progress: Progress | None = None,
    finish: Callable[[AskedScores], None] | None = None,
    parts: Sequence[Path] = (),
) -> AskedScores:
    """Ask a scorer about all of a layout, as `ask_scores` does; return the run."""
    positions = layout.applicants.positions
    presented = Presented(
        probe=_probe(layout, scoring),
        documents=layout.document_ids,
        positions=[each.asked for each in positions],
        groups=layout.groups,
        settings={
            "arms": ", ".join(layout.arms.kinds),
            "by": ", ".join(layout.arms.choice.by),
            "experiment": layout.digest(),
            "names": dict(layout.arms.choice.record),
        },
        told=_told_size(layout, options),
    )
    return ask_scores(
        presented, scoring, options, judged=judged, notice=notice, progress=progress, finish=finish, parts=parts
    )


def ask_scores(
    presented: Presented,
    scoring: Scoring,
    options: ProbeOptions,
    *,
    judged: Mapping[str, Any] | None = None,
    notice: Notices,
    progress: Progress | None = None,
    finish: Callable[[AskedScores], None] | None = None,
    parts: Sequence[Path] = (),
) -> AskedScores:
    """Ask a scorer and write what it gave as outcomes; return the run.

    Limits, retries, journal, cost, shards, repetitions and going on are those of a probe's run: `options` says them,
    its model is the scorer. `judged` is what was fixed beforehand about how scores are judged; a run goes on with the
    same only. `finish` is called while the folder is locked, before the manifest says that the run is finished: what
    it writes there belongs to the run. `parts` are folders of runs with --shard, whose answers are taken over before
    what they lack is asked.

    Raises
    ------
    InputError
        Options, folder, journal or scorer can't be used; nothing was asked.
    ServiceError
        The scorer refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; what was given is in the journal.

    """
    notice = once(notice)
    options = replace(options, model=scoring.scorer.strip(), everything=True, sample=None)
    refuse_foreign_options(scoring, options.generation, options)
    probe = presented.probe
    check_batch(options)
    sample_size(probe, options)
    scorer = _opened(presented, scoring, options)
    price = priced(scorer.name, options.prices, max_cost=options.max_cost)
    abandoned = partial(tell_abandoned, notice=notice)
    out = options.folder(probe.name)
    with opened_run(out, force=options.force, resume=options.resume, before_clearing=abandoned) as opened:
        settings = {**_settings(presented, scoring, scorer), **(judged or {})}
        asking = _asking(probe, scorer, options, opened, price=price, settings=settings, notice=notice)
        _take_over(parts, asking, opened)
        if options.model.partition(":")[0] not in _FREE and not (opened.previous and opened.previous.is_finished):
            notice(presented.told)
        with status_kept(opened.folder, asking.manifest, opened.previous):
            ids = _ask(asking, opened, notice=notice, progress=progress)
            asked = _asked(asking, ids, notice=notice, progress=progress)
        if finish is not None:
            finish(asked)
        finish_manifest(asked.manifest, asked.folder)
        return asked


def _told_size(layout: Layout, options: ProbeOptions) -> str:
    """Return how many scores are asked for, and what asks for fewer."""
    times = f", {options.repetitions:,} times each" if options.repetitions > 1 else ""
    people = len(layout.applicants.templates)
    whose = f"{people:,} résumés in their arms and names" if people > 1 else "1 résumé in its arms and names"
    positions = len(layout.applicants.positions)
    for_all = f"for {positions:,} positions" if positions > 1 else "for 1 position"
    where = for_all if layout.applicants.sent is None else "each for its position"
    return (
        f"{layout.size * options.repetitions:,} scores are asked for: {whose}, {where}{times}; --sample and "
        "--names-per-group ask for fewer."
    )


def _probe(layout: Layout, scoring: Scoring) -> Probe:
    wording = {} if scoring.wording is None else {"wording": scoring.wording}
    return perturbation_probe(layout, is_model=is_model(scoring.scorer), given_range=scoring.range, **wording)


def _asking(
    probe: Probe,
    scorer: Model,
    options: ProbeOptions,
    opened: OpenedRun,
    *,
    price: Priced,
    settings: Mapping[str, Any],
    notice: Notices,
) -> Asking:
    """Return the run under way: what is asked of the scorer, and where it is kept."""
    folder, previous = opened.folder, opened.previous
    (design,) = probe.designs.values()
    manifest = perturb_manifest(probe, design, scorer, options, settings=settings)
    manifest = begun_manifest(manifest, previous, folder, notice=notice)
    if previous is not None and not options.batch:
        refuse_open_batches(folder.path)
    prompt = partial(prompt_tokens, design, design.size, seed=options.seed)
    return Asking(
        probe=probe,
        design=design,
        sample=design.size,
        model=scorer,
        options=_widened(options, scorer),
        folder=folder,
        manifest=manifest,
        update_manifest=keep_adaptations(scorer, manifest, folder, previous=previous, notice=notice),
        account=open_account(price, options, folder=folder.path, previous=previous, prompt=prompt),
        enough=None,
        resume_out=folder.path,
    )


def _opened(presented: Presented, scoring: Scoring, options: ProbeOptions) -> Model:
    """Return the scorer, a language model among them."""
    if is_model(scoring.scorer):
        refuse_unobeyed(options.model, options.generation)
        return open_model(options.model, probe=presented.probe, seed=options.seed, service=options)
    needs_ids = options.model.startswith("replay:")
    shown = Shown(
        documents=presented.documents() if needs_ids else frozenset(),
        positions=presented.positions,
        groups=presented.groups,
        foreign=presented.foreign,
    )
    return open_scorer(scoring, shown=shown, seed=options.seed, service=options, environ=os.environ)


def _widened(options: ProbeOptions, scorer: Model) -> ProbeOptions:
    """Return the options with as many attempts under way as fill the requests that --concurrency allows."""
    if not isinstance(scorer, HttpScorer) or scorer.per_request == 1:
        return options
    return replace(options, concurrency=min(_MOST_AT_ONCE, options.concurrency * scorer.per_request))


def _settings(presented: Presented, scoring: Scoring, scorer: Model) -> dict[str, Any]:
    """Return what the manifest says of the experiment, without a secret or a text."""
    return {
        **presented.settings,
        "range": scoring.range,
        "wording": scoring.wording,
        "score_at": scoring.score_at,
        "request": scorer.form.digest if isinstance(scorer, HttpScorer) else None,
        **({MASKS: True} if isinstance(scorer, MatcherScorer) else {}),
    }


def _take_over(parts: Sequence[Path], asking: Asking, opened: OpenedRun) -> None:
    """Write the answers of parts to the journal of the whole run, and count their requests."""
    found = parts_of(parts, asking.manifest)
    if not found:
        return
    asking.account.sent += sum(part.requests or 0 for part in found)
    joined = [Part(folder=path, finished=part.is_finished) for path, part in zip(parts, found, strict=True)]
    opened.begin(asking.manifest)
    with Journal(asking.folder.path) as journal:
        join_journals(joined, journal)


def _ask(asking: Asking, opened: OpenedRun, *, notice: Notices, progress: Progress | None) -> NDArray[np.uint64]:
    previous, scorer = opened.previous, asking.model
    finished = previous is not None and previous.is_finished
    if isinstance(scorer, HttpScorer) and scorer.unencrypted is not None:
        notice(scorer.unencrypted)
    with Journal(asking.folder.path) as journal:
        for line in journal.notices:
            notice(line)
        opened.begin(asking.manifest)
        if finished and previous is not None and previous.requests and not journal.answered().size:
            raise InputError(
                f"{journal.folder} is a finished run whose journal holds no answers. "
                "Restore its answers-*.jsonl from a copy, or begin a new run with another --out."
            )
        return ask_lacking(asking, journal, finished=finished, notice=notice, progress=progress)


def _asked(asking: Asking, ids: NDArray[np.uint64], *, notice: Notices, progress: Progress | None) -> AskedScores:
    """Read the journal into outcomes."""
    folder, probe = asking.folder, asking.probe
    if progress is not None:
        progress(f"{probe.name}: reading")
    pieces = answered_stimuli(folder.path, asking.design, planned=ids)
    summary = write_outcomes(pieces, probe.read, folder.outcomes, folder.words, twins=Twins(()))
    warnings = (*adaptation_warnings(asking.manifest), *_unvaried(asking))
    for line in warnings:
        notice(f"Warning: {line}")
    return AskedScores(folder=folder, manifest=asking.manifest, probe=probe, summary=summary, warnings=warnings)


def _unvaried(asking: Asking) -> list[str]:
    """Return that repetitions brought nothing new, where they did not."""
    repetitions = asking.options.repetitions
    if repetitions < 2:
        return []
    repeated = identical_repetitions(asking.folder.path)
    if not repeated.compared or repeated.identical < repeated.compared:
        return []
    return [f"All {repeated.compared:,} pairs got the same score in all {repetitions} repetitions; one would do."]
