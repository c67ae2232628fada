"""The page of a bundle: the audit protocol of each run, beside its report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from evenhand.evidence.contents import BundledRun, Contents
from evenhand.evidence.pipeline import Place, pipeline, told_apart
from evenhand.report.page.style import page_policy, page_style
from evenhand.report.page.template import page_template
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.wording import in_words, listing

__all__ = ["PAGE", "bundle_page", "pipeline_page"]

PAGE: Final = "index.html"
LINKS: Final = (("Report", "report.html"), ("Findings", "findings.json"), ("Manifest", "manifest.json"))
_SIMULATED: Final = "Runs that ask a simulated model or scorer say so; no real one was audited there."
_INTRODUCTION: Final = (
    "What was asked, by whom, on which data, what was decided beforehand, and what can't be told. How to check it "
    "without trusting those who made it stands at the end."
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
    style = page_style()
    packages = [*contents.packages.items()]
    if contents.lock is not None:
        packages.append((f"{contents.lock.file}, sha256", contents.lock.sha256))
    log = contents.log
    logged = [] if log is None else [Place(told="The log of what is monitored", link="#check")]
    page = page_template("bundle.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=_SIMULATED if any(run.simulated for run in contents.runs) else "",
        heading=f"Evidence of {counted(len(contents.runs), 'run')}",
        introduction=_INTRODUCTION,
        cards=_cards(contents.runs),
        stages=pipeline(
            contents.runs,
            audits=[Place(told="This bundle, and how to check it", link="#check")],
            log=logged,
            masking=logged if log is not None and log.masking else [],
        ),
        packages=packages,
        log=[] if log is None else [("Store", log.store), ("Entries", count_text(log.entries)), ("Head", log.head)],
    )
    return page.encode()


def pipeline_page(
    runs: Sequence[BundledRun], *, audits: Sequence[Place], log: Sequence[Place], masking: Sequence[Place]
) -> bytes:
    """Return the page of a folder of runs: each stage of the pipeline with its evidence."""
    style = page_style()
    page = page_template("pipeline.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=_SIMULATED if any(run.simulated for run in runs) else "",
        heading=f"Evidence of {counted(len(runs), 'run')}",
        cards=_cards(runs),
        stages=pipeline(runs, audits=audits, log=log, masking=masking),
    )
    return page.encode()


def _cards(runs: Sequence[BundledRun]) -> list[_Card]:
    """Return the audit protocols of runs, in their order."""
    titles = told_apart(runs)
    return [_card(run, f"run-{number}", title) for number, (run, title) in enumerate(zip(runs, titles, strict=True), 1)]


def _card(run: BundledRun, anchor: str, heading: str) -> _Card:
    protocol = run.protocol
    return _Card(
        id=anchor,
        heading=f"{heading}{' (simulated)' if run.simulated else ''}",
        question=protocol.question or "",
        found=run.found,
        links=[(told, f"{run.folder}/{name}") for told, name in (*LINKS, *_model_card(run))],
        terms=_terms(run),
        command=protocol.command,
        lists=[
            ("Warnings", protocol.warnings),
            ("Limits", protocol.limits),
            ("Not in the bundle", run.not_inside),
        ],
        folded=[
            (
                "What was decided beforehand",
                [(in_words(name), _value(each)) for name, each in protocol.decided.items() if each is not None],
            ),
            ("Columns of the table that was read", [*protocol.input.get("columns", {}).items()]),
            ("Data, by the sha256 of each file", [*protocol.data.items()]),
            ("Versions of what computed the numbers", [*run.versions.items()]),
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
        ("Made", " to ".join(_time(each) for each in (run.started, run.finished) if each)),
        ("Read", ", ".join([*table, *texts])),
        ("Named beforehand", listing([in_words(name) for name in protocol.planned])),
    ]
    return [(term, value) for term, value in terms if value]


def _time(stamp: str) -> str:
    return stamp.replace("T", " ").replace("+00:00", " UTC")


def _value(value: Any) -> str:
    """Return what was set, as a reader sees it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count_text(value)
    return str(value)
