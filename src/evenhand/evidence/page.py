"""Pages of evidence: the audit protocols of a bundle, and the stages of a hiring model (Eightfold's Figure 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from evenhand.evidence.archive import BundledRun, Contents
from evenhand.report.page.html import page_policy, page_style, page_template
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.results import in_words, listing


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
    """A part of a stage: commands whose runs are evidence of it, options of which they have one, and what to run."""

    stage: str
    part: str
    commands: Sequence[str] = ()
    options: tuple[str, ...] = ()
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
        options=("--stage", "--funnel", "--furthest", "--sheets"),
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
    evidence = [Evidence(stage=_PRODUCTS, part=_MASKED, places=masking, lacking=_MASKING)]
    evidence += [
        Evidence(stage=part.stage, part=part.part, places=_places(part, runs), lacking=part.lacking) for part in _PARTS
    ]
    parts = (
        ("External audits", audits, "evenhand bundle, signed, and checked by evenhand verify"),
        ("Active monitoring", log, "evenhand monitor record and check; evenhand bundle --store keeps the log's head"),
    )
    for part, places, lacking in parts:
        evidence.append(Evidence(stage=_GOVERNANCE, part=part, places=places, lacking=lacking))
    return evidence


def _places(part: _Part, runs: Sequence[BundledRun]) -> list[Place]:
    """Return the runs that are evidence of a part; of a suite, the suite alone where that is."""
    matching = [
        run
        for run in runs
        if any(f"{run.protocol.command} ".startswith(f"evenhand {command} ") for command in part.commands)
        and (not part.options or any(option in run.protocol.command for option in part.options))
    ]
    top_runs = [run for run in matching if not any(run.folder.startswith(f"{parent.folder}/") for parent in matching)]
    return [
        Place(told=title, link=f"{run.folder}/report.html")
        for run, title in zip(top_runs, distinct_titles(top_runs), strict=True)
    ]


def distinct_titles(runs: Sequence[BundledRun]) -> list[str]:
    """Return what each run is called: its title and model, and its folder where others are called so."""
    titles = [": ".join(filter(None, (run.title, run.model))) for run in runs]
    return [
        title if titles.count(title) == 1 else f"{title} ({run.folder.rpartition('/')[2]})"
        for run, title in zip(runs, titles, strict=True)
    ]


PAGE: Final = "index.html"
LINKS: Final = (("Report", "report.html"), ("Findings", "findings.json"), ("Manifest", "manifest.json"))
_SIMULATED: Final = "Runs that ask a simulated model or scorer say so; no real one was audited there."
_INTRODUCTION: Final = (
    "Each run is listed with its question, author, data, options and limits. The last section shows how to verify the "
    "bundle without trusting its authors."
)


@dataclass(frozen=True, kw_only=True)
class _Card:
    """The audit protocol of a run, as its section shows it."""

    id: str
    heading: str
    question: str
    found: Sequence[str]
    links: Sequence[tuple[str, str]]
    terms: Sequence[tuple[str, str]]
    command: str
    lists: Sequence[tuple[str, Sequence[str]]]
    folded: Sequence[tuple[str, Sequence[tuple[str, str]]]]


def bundle_page(contents: Contents) -> bytes:
    """Return the page of what a bundle holds."""
    packages = [*contents.packages.items()]
    if contents.lock is not None:
        packages.append((f"{contents.lock.file}, sha256", contents.lock.sha256))
    log = contents.log
    logged = [] if log is None else [Place(told="The log of what is monitored", link="#check")]
    return _page(
        "bundle.html.jinja",
        contents.runs,
        stages=pipeline(
            contents.runs,
            audits=[Place(told="This bundle, and how to check it", link="#check")],
            log=logged,
            masking=logged if log is not None and log.masking else [],
        ),
        introduction=_INTRODUCTION,
        packages=packages,
        log=[] if log is None else [("Store", log.store), ("Entries", count_text(log.entries)), ("Head", log.head)],
    )


def pipeline_page(runs: Sequence[BundledRun], **places: Sequence[Place]) -> bytes:
    """Return the page of a folder of runs: each stage of the pipeline with its evidence, of the `places` as well."""
    return _page("pipeline.html.jinja", runs, stages=pipeline(runs, **places))


def _page(template: str, runs: Sequence[BundledRun], **more: Any) -> bytes:
    style = page_style()
    page = page_template(template).render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=_SIMULATED if any(run.simulated for run in runs) else "",
        heading=f"Evidence of {counted(len(runs), 'run')}",
        cards=_cards(runs),
        **more,
    )
    return page.encode()


def _cards(runs: Sequence[BundledRun]) -> list[_Card]:
    """Return the audit protocols of runs, in their order."""
    titles = distinct_titles(runs)
    return [_card(run, f"run-{number}", title) for number, (run, title) in enumerate(zip(runs, titles, strict=True), 1)]


def _card(run: BundledRun, anchor: str, heading: str) -> _Card:
    protocol = run.protocol
    return _Card(
        id=anchor,
        heading=f"{heading}{' (simulated)' if run.simulated else ''}",
        question=protocol.question or "",
        found=run.found,
        links=[(label, f"{run.folder}/{name}") for label, name in (*LINKS, *_model_card(run))],
        terms=_terms(run),
        command=protocol.command,
        lists=[
            ("Warnings", protocol.warnings),
            ("Limits", protocol.limits),
            ("Not in the bundle", run.not_inside),
        ],
        folded=[
            (
                "Options of this run",
                [(in_words(name), _value(value)) for name, value in protocol.decided.items() if value is not None],
            ),
            ("Columns of the table that was read", [*protocol.input.get("columns", {}).items()]),
            ("Data, by the sha256 of each file", [*protocol.data.items()]),
            ("Software versions", [*run.versions.items()]),
        ],
    )


def _model_card(run: BundledRun) -> list[tuple[str, str]]:
    """Return the link to the card of a matcher that the run trained."""
    return [("Model card", "report.html#card")] if run.protocol.command.startswith("evenhand match train ") else []


def _terms(run: BundledRun) -> list[tuple[str, str]]:
    protocol = run.protocol
    rows = protocol.input.get("rows")
    columns = protocol.input.get("columns", {})
    texts = [f"{count_text(protocol.input[name])} {name}" for name in ("people", "positions") if name in protocol.input]
    table = [] if rows is None or not columns else [f"{counted(rows, 'row')} of {counted(len(columns), 'column')}"]
    terms = [
        ("Asked by", protocol.asked_by or "not stated"),
        ("Made", " to ".join(_time(time) for time in (run.started, run.finished) if time)),
        ("Read", ", ".join([*table, *texts])),
        ("Planned", listing([in_words(name) for name in protocol.planned])),
    ]
    return [(term, value) for term, value in terms if value]


def _time(stamp: str) -> str:
    return stamp.replace("T", " ").replace("+00:00", " UTC")


def _value(value: Any) -> str:
    """Return what was set, as a reader sees it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count_text(value)
    return str(value)
