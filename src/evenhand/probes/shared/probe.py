"""What a probe is: data and functions, no base class, no state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from random import Random
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.measures import MeasureSet
from evenhand.options import Group
from evenhand.tables.audit.measured import Wording
from evenhand.tables.audit.probe import Facts
from evenhand.tables.finding import Finding

__all__ = ["Compatible", "Design", "Probe", "ReadAnswers", "Reading", "Reference"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What was read from one answer, and by which rule.

    `status` is one of `evenhand.tables.schemas.STATUSES`; `accepted` is set only when
    the status is `observed`.
    """

    status: str
    accepted: bool | None
    rule: str


@dataclass(frozen=True, kw_only=True)
class Design:
    """A way to lay out the stimuli of a probe.

    `size` counts all prompts; index i stands for one prompt. `block` prompts with
    consecutive indices are drawn together (2 for mirrored or matched pairs).
    `stimuli` builds the rows of any indices: `index, item, unit, pair`, the factors,
    and `prompt`. `note` says it in a sentence for the report.
    """

    name: str
    size: int
    block: int
    stimuli: Callable[[NDArray[np.int64]], pl.DataFrame]
    note: str


@dataclass(frozen=True, kw_only=True)
class ReadAnswers:
    """What a probe read from answers: their outcomes, and the words of documents.

    `words` has one row per document and distinct word: `item, unit, attempt, word, n`;
    None where the answers are decisions, not documents.
    """

    outcomes: pl.DataFrame
    words: pl.DataFrame | None = None


@dataclass(frozen=True, kw_only=True)
class Compatible:
    """A second definition of the same measures, that of another package.

    `read` reads answers by that package's rule; `measure(outcomes, seed)` gives its
    numbers, its intervals and its marks as findings.
    """

    package: str
    note: str
    read: Callable[[pl.DataFrame], ReadAnswers]
    measure: Callable[[pl.DataFrame, int], list[Finding]]


@dataclass(frozen=True, kw_only=True)
class Reference:
    """The value that a known kind of model has by construction."""

    kind: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Probe:
    """One question put to a model: how it is asked, read, measured and simulated.

    What is asked: `designs` maps the names that `--design` takes to their layout, the
    default first, `paired_design` is the one of pairs that differ in the group only;
    `default_sample` prompts are drawn unless the user says otherwise (None: all of the
    design).

    What is measured: `measured`; `references` are the values that known kinds of model
    have by construction; `against_label` names the regression's axis,
    `level_texts` say what the levels of a column stand for. For sentences, `success`
    says what a success is, `subject` whom a contrast compares, `labels` name measures
    and `quantities` what a contrast is a difference of; `wordings` tell the headline
    measures. `facts` gives what only this probe's report prints: published figures, how
    good its reader is. `twins` are the columns of stimuli whose prompts, if all are alike,
    differ in the name only.

    What it does: `kinds` of simulated model it knows; `read` turns stimuli joined with
    answers into outcomes; `respond(stimulus, kind, strength, rng)` writes the text of a
    simulated model; `saved` turns saved answers into stimuli, distinguished by the columns
    `saved_key`.

    `presets` are decoding parameters of the study that a probe follows, by name.

    What can be changed: `settings` is the group of options that only this probe has;
    `configure` takes one and returns the probe so set. `compatible` holds the definitions
    of other packages, by the name that `--compat` takes.
    """

    name: str
    version: str
    title: str
    question: str
    success: str
    designs: Mapping[str, Design]
    default_sample: int | None
    measured: MeasureSet
    against_label: str
    level_texts: Mapping[str, Mapping[str, str]]
    references: Mapping[str, tuple[Reference, ...]]
    limits: tuple[str, ...]
    kinds: tuple[str, ...]
    read: Callable[[pl.DataFrame], ReadAnswers]
    respond: Callable[[Mapping[str, Any], str, float, Random], str]
    saved: Callable[[pl.DataFrame], pl.DataFrame]
    saved_key: tuple[str, ...]
    settings: type[Group] = Group
    configure: Callable[[Any], "Probe"] | None = None
    compatible: Mapping[str, Compatible] = field(default_factory=dict)
    subject: str = "candidates"
    labels: Mapping[str, str] = field(default_factory=dict)
    quantities: Mapping[str, str] = field(default_factory=dict)
    wordings: Mapping[str, Wording] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    facts: Callable[[], Facts] = Facts
    twins: tuple[str, ...] = ()
    paired_design: str | None = None

    def with_settings(self, settings: Mapping[str, Any]) -> "Probe":
        """Return the probe with those of its settings that were given, by name.

        Raises
        ------
        InputError
            It refuses a value.

        """
        return self.configure(self.settings(**settings)) if settings and self.configure is not None else self

    def card(self) -> str:
        """Return the probe's card, the README.md of its folder."""
        folder = resources.files("evenhand.probes") / self.name.replace("-", "_")
        return (folder / "README.md").read_text(encoding="utf-8")
