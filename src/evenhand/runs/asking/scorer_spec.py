"""From what `--scorer` was given to what gives scores."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from evenhand.errors import InputError
from evenhand.intake.positions import Position
from evenhand.models.dialects.schemes import DIALECTS
from evenhand.models.model import Generation, Model
from evenhand.models.scorers.function import open_function
from evenhand.models.scorers.matcher import open_matcher
from evenhand.models.scorers.request_form import read_request_form
from evenhand.models.scorers.saved_scores import OF_ARMS, open_saved_scores
from evenhand.models.scorers.service import HttpScorer, scorer_address
from evenhand.models.scorers.simulated import open_shifted
from evenhand.options import declared
from evenhand.runs.options.probe import Service
from evenhand.runs.options.scores.scoring import Scoring
from evenhand.tables.messages.quoting import quoted

__all__ = ["SCHEMES", "Shown", "is_model", "open_scorer", "refuse_foreign_options"]

#: What scorers are called by, those of models besides.
SCHEMES: Final = (
    "https://…",
    "http://…",
    "python:module:function",
    "replay:SCORES.csv",
    "matcher:FILE",
    "sim:shift?GROUP=x",
    *(f"{scheme}:NAME" for scheme in DIALECTS),
    "hf:FOLDER",
    "sim:KIND",
)
_MODELS: Final = frozenset({*DIALECTS, "hf", "sim"})
_SERVICES: Final = frozenset({"http", "https"})
_SHIFT: Final = "sim:shift"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a scorer is shown: ids of documents, positions, and the groups that texts signal.

    `foreign` is what is said of an id in saved scores that is none of these.
    """

    documents: Collection[str]
    positions: Sequence[Position]
    groups: Collection[str]
    foreign: str = OF_ARMS


def is_model(spec: str) -> bool:
    """Say whether a scorer is a model that is asked as resume-score asks.

    Raises
    ------
    InputError
        There is no such kind of scorer, or it is reserved.

    >>> is_model("openai:gpt-4o"), is_model("sim:unbiased"), is_model("sim:shift?female=1"), is_model("https://a/b")
    (True, True, False, False)
    """
    scheme, colon, rest = spec.strip().partition(":")
    known = {*_MODELS, *_SERVICES, "matcher", "python", "replay"}
    if not colon or scheme not in known:
        near = get_close_matches(scheme, sorted(known), n=1)
        hint = f" Did you mean {near[0]}:?" if near and colon else ""
        raise InputError(f"--scorer {quoted(spec)} is no scorer; expected one of {', '.join(SCHEMES)}.{hint}")
    if not rest or (scheme in _SERVICES and not rest.startswith("//")):
        raise InputError(f"--scorer {quoted(spec)} names nothing behind the colon; expected {_example(scheme)}.")
    return scheme in _MODELS and not _is_shift(spec)


def _is_shift(spec: str) -> bool:
    return spec.strip().partition("?")[0] == _SHIFT


def _example(scheme: str) -> str:
    return next(each for each in SCHEMES if each.startswith(f"{scheme}:"))


def refuse_foreign_options(scoring: Scoring, generation: Generation, service: Service) -> None:
    """Refuse options that belong to another kind of scorer.

    Raises
    ------
    InputError
        One does; the message names it.

    """
    spec = quoted(scoring.scorer)
    model = is_model(scoring.scorer)
    is_service = scoring.scorer.strip().partition(":")[0] in _SERVICES
    for flag, value in (("--request", scoring.request), ("--score-at", scoring.score_at)):
        if value is not None and not is_service:
            raise InputError(f"{flag} belongs to scorers at https://…, and the scorer is {spec}. Leave it out.")
    if model:
        return
    given = [each.flag for each in declared(Generation) if each.of(generation) is not None]
    given += ["--wording"] if scoring.wording is not None else []
    given += ["--base-url"] if service.base_url else []
    if given:
        raise InputError(f"{given[0]} belongs to language models, and the scorer is {spec}. Leave it out.")


def open_scorer(scoring: Scoring, *, shown: Shown, seed: int, service: Service, environ: Mapping[str, str]) -> Model:
    """Return a scorer that is no language model, not yet connected; `seed` is the run's.

    Raises
    ------
    InputError
        The scorer can't be used: an address, a file, a module or a group that there is not.

    """
    spec = scoring.scorer.strip()
    scheme, _, rest = spec.partition(":")
    if scheme in _SERVICES:
        url = scorer_address(spec)
        form = read_request_form(scoring.request, score_at=scoring.score_at, environ=environ)
        return HttpScorer(url, form, timeout=service.timeout, concurrency=service.concurrency)
    if scheme == "python":
        return open_function(spec, concurrency=service.concurrency, timeout=service.timeout)
    if scheme == "replay":
        positions = frozenset(each.id for each in shown.positions)
        return open_saved_scores(spec, Path(rest), ids=shown.documents, positions=positions, foreign=shown.foreign)
    if scheme == "matcher":
        return open_matcher(spec, shown.positions)
    return open_shifted(spec, rest.partition("?")[2], groups=shown.groups, seed=seed)
