"""The stages of developing and monitoring a hiring model (Eightfold's Figure 1), and the runs that are evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenhand.evidence.contents import BundledRun

__all__ = ["Evidence", "Place", "pipeline", "told_apart"]


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where evidence stands: what it is called, and its link."""

    told: str
    link: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A part of a stage with its evidence; where there is none, `lacking` says what would be."""

    stage: str
    part: str
    places: Sequence[Place]
    lacking: str


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A part of a stage: the commands whose runs are evidence of it, an option that they must have, and what to run."""

    stage: str
    part: str
    commands: Sequence[str] = ()
    option: str = ""
    lacking: str


_PRODUCTS, _DATA = "Right products and analytics", "Right data and features"
_TRAINING, _GOVERNANCE = "Right algorithms and training", "Right governance and monitoring"
_MASKED: Final = "Candidate masking"
_MASKING: Final = "evenhand mask --evaluate, its result into a store by evenhand monitor record"
_LANGUAGE: Final = ("audit", "probe", "measure", "compare")

_PARTS: Final = (
    _Part(
        stage=_PRODUCTS,
        part="Diversity dashboard",
        commands=("impact",),
        option="--stage",
        lacking="evenhand impact --stage",
    ),
    _Part(
        stage=_PRODUCTS,
        part="Personalized recommendations",
        commands=("match recommend",),
        lacking="evenhand match recommend",
    ),
    _Part(stage=_DATA, part="Masked features", commands=("match train",), lacking="evenhand match train"),
    _Part(stage=_DATA, part="Feature distributions", commands=("features",), lacking="evenhand features"),
    _Part(
        stage=_TRAINING,
        part="Model selection and training",
        commands=("match train",),
        lacking="evenhand match train, whose report has the frontier and the model card",
    ),
    _Part(
        stage=_TRAINING,
        part="Model evaluation",
        commands=("evaluate", "match train", "monitor golden run", *_LANGUAGE),
        lacking="evenhand evaluate, or evenhand audit for a language model",
    ),
    _Part(stage=_GOVERNANCE, part="Adverse impact analysis", commands=("impact",), lacking="evenhand impact"),
    _Part(
        stage=_GOVERNANCE,
        part="Perturbation testing",
        commands=("perturb", "probe resume-score", "measure resume-score"),
        lacking="evenhand perturb",
    ),
)


def pipeline(
    runs: Sequence[BundledRun], *, audits: Sequence[Place], log: Sequence[Place], masking: Sequence[Place]
) -> list[Evidence]:
    """Return every part of the pipeline with its evidence among runs.

    `audits` are bundles, `log` stores, `masking` those of them in which it was recorded how much masking finds.
    """
    found = [Evidence(stage=_PRODUCTS, part=_MASKED, places=masking, lacking=_MASKING)]
    found += [
        Evidence(stage=part.stage, part=part.part, places=_places(part, runs), lacking=part.lacking) for part in _PARTS
    ]
    others = (
        ("External audits", audits, "evenhand bundle, signed, and checked by evenhand verify"),
        ("Active monitoring", log, "evenhand monitor record and check; evenhand bundle --store keeps the log's head"),
    )
    for part, places, lacking in others:
        found.append(Evidence(stage=_GOVERNANCE, part=part, places=places, lacking=lacking))
    return found


def _places(part: _Part, runs: Sequence[BundledRun]) -> list[Place]:
    """Return the runs that are evidence of a part; of a suite, the suite alone where that is."""
    found = [
        run
        for run in runs
        if any(f"{run.protocol.command} ".startswith(f"evenhand {each} ") for each in part.commands)
        and part.option in run.protocol.command
    ]
    own = [run for run in found if not any(run.folder.startswith(f"{other.folder}/") for other in found)]
    return [Place(told=told, link=f"{run.folder}/report.html") for run, told in zip(own, told_apart(own), strict=True)]


def told_apart(runs: Sequence[BundledRun]) -> list[str]:
    """Return what each run is called: its title and model, and its folder where others are called so."""
    titles = [": ".join(filter(None, (run.title, run.model))) for run in runs]
    return [
        title if titles.count(title) == 1 else f"{title} ({run.folder.rpartition('/')[2]})"
        for run, title in zip(runs, titles, strict=True)
    ]
