"""Open the scorer that `--scorer` names; a language model is opened by `open_model`."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from evenhand.analyses.options.probes import Service
from evenhand.analyses.options.scores import Scoring
from evenhand.data.inputs import Position, ScoreColumns
from evenhand.errors import InputError
from evenhand.models.dialects import DIALECTS
from evenhand.models.local_embeddings import open_sentence_model
from evenhand.models.model import Generation, Model
from evenhand.models.rankers import SERVED, open_served
from evenhand.models.scorer_service import HttpScorer, read_request_form, scorer_address
from evenhand.models.scorers import (
    OF_ARMS,
    SavedScorer,
    open_function,
    open_matcher,
    open_shifted,
    read_saved_scores,
)
from evenhand.options import declared
from evenhand.results.messages import quoted

#: The forms of --scorer, those of models last.
SCORER_SCHEMES: Final = (
    "https://…",
    "http://…",
    "python:module:function",
    "replay:SCORES.csv",
    "matcher:FILE",
    "sim:shift?GROUP=x",
    "embedding:NAME",
    "rerank:NAME",
    "st:FOLDER",
    *(f"{scheme}:NAME" for scheme in DIALECTS),
    "hf:FOLDER",
    "sim:KIND",
)
_MODELS: Final = frozenset({*DIALECTS, "hf", "sim"})
_SERVICES: Final = frozenset({"http", "https"})
_SHIFT: Final = "sim:shift"


@dataclass(frozen=True, kw_only=True)
class ScorerInputs:
    """The inputs of a scorer: ids of documents by their names, positions, and the groups that texts signal.

    `foreign` describes, for messages, any other id in saved scores; `columns` and `repetitions` are those of such.
    """

    documents: Mapping[str, str]
    positions: Sequence[Position]
    groups: Collection[str]
    foreign: str = OF_ARMS
    columns: ScoreColumns = field(default_factory=ScoreColumns)
    repetitions: int = 1


def is_model(spec: str) -> bool:
    """Return whether a scorer is a language model, which gets the prompts of resume-score.

    Raises
    ------
    InputError
        There is no such kind of scorer.

    >>> is_model("openai:gpt-4o"), is_model("sim:unbiased"), is_model("sim:shift?female=1"), is_model("https://a/b")
    (True, True, False, False)
    """
    scheme, colon, rest = spec.strip().partition(":")
    known = {form.partition(":")[0] for form in SCORER_SCHEMES}
    if not colon or scheme not in known:
        near = get_close_matches(scheme, sorted(known), n=1)
        hint = f" Did you mean {near[0]}:?" if near and colon else ""
        raise InputError(f"--scorer {quoted(spec)} is not a scorer; expected one of {', '.join(SCORER_SCHEMES)}.{hint}")
    if not rest or (scheme in _SERVICES and not rest.startswith("//")):
        raise InputError(f"--scorer {quoted(spec)} has nothing after the colon; expected {_example(scheme)}.")
    return scheme in _MODELS and spec.strip().partition("?")[0] != _SHIFT


def _example(scheme: str) -> str:
    return next(form for form in SCORER_SCHEMES if form.startswith(f"{scheme}:"))


def refuse_foreign_options(scoring: Scoring, generation: Generation, service: Service) -> None:
    """Refuse options that belong to another kind of scorer.

    Raises
    ------
    InputError
        An option belongs to another kind; the message names it.

    """
    spec = quoted(scoring.scorer)
    model = is_model(scoring.scorer)
    is_service = scoring.scorer.strip().partition(":")[0] in _SERVICES
    for flag, value in (("--request", scoring.request), ("--score-at", scoring.score_at)):
        if value is not None and not is_service:
            raise InputError(f"{flag} is for scorers at https://…; the scorer is {spec}. Leave it out.")
    if model:
        return
    foreign = [parameter.flag for parameter in declared(Generation) if parameter.of(generation) is not None]
    foreign += ["--wording"] if scoring.wording is not None else []
    foreign += ["--base-url"] if service.base_url and scoring.scorer.strip().partition(":")[0] not in SERVED else []
    if foreign:
        raise InputError(f"{foreign[0]} is for language models; the scorer is {spec}. Leave it out.")


def open_scorer(
    scoring: Scoring, *, inputs: ScorerInputs, seed: int, service: Service, environ: Mapping[str, str]
) -> Model:
    """Return a scorer that is no language model, not yet connected; `seed` is the run's.

    Raises
    ------
    InputError
        An address, a file, a module or a group of the scorer can't be used.

    """
    spec = scoring.scorer.strip()
    scheme, _, rest = spec.partition(":")
    if scheme in _SERVICES:
        url = scorer_address(spec)
        form = read_request_form(scoring.request, score_at=scoring.score_at, environ=environ)
        return HttpScorer(url, form, timeout=service.timeout, concurrency=service.concurrency)
    reached: dict[str, Any] = {"timeout": service.timeout, "concurrency": service.concurrency}
    if scheme in SERVED:
        return open_served(spec, base_urls=service.base_url, environ=environ, **reached)
    if scheme == "replay":
        titles = Counter(position.title for position in inputs.positions)
        positions = {position.title: position.id for position in inputs.positions if titles[position.title] == 1}
        saved = read_saved_scores(
            Path(rest),
            ids=inputs.documents,
            positions=positions | {position.id: position.id for position in inputs.positions},
            foreign=inputs.foreign,
            columns=inputs.columns,
            repetitions=inputs.repetitions,
        )
        return SavedScorer(spec, saved, source=Path(rest))
    others: Mapping[str, Callable[[], Model]] = {
        "python": lambda: open_function(spec, **reached),
        "st": lambda: open_sentence_model(rest, name=spec),
        "matcher": lambda: open_matcher(spec, inputs.positions),
        "sim": lambda: open_shifted(spec, rest.partition("?")[2], groups=inputs.groups, seed=seed),
    }
    return others[scheme]()
