"""From a function that takes groups of options to one whose parameters typer reads.

What is shown of a result, and arguments that commands share.
"""

import inspect
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from evenhand.cli._show import split
from evenhand.errors import InputError
from evenhand.options import Declared, Group, Option, TakenApart
from evenhand.probes import NAMES

PROBE_HELP = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}."
ProbeName = Annotated[str, typer.Argument(metavar="PROBE", help=PROBE_HELP)]


@dataclass(frozen=True, kw_only=True)
class RunOutputOptions(Group):
    """What is shown of a run, and whether it counts as failed."""

    fail_on: Annotated[
        tuple[str, ...],
        Option(
            "Exit 1 if it holds: below, difference, gap:MEASURE=LIMIT, mark:B|C|D, not-equivalent, undetected:SHARE, "
            "worse:MEASURE=LIMIT.",
            commas=True,
        ),
    ] = ()
    json: Annotated[bool, Option("Print findings.json on stdout and nothing else there.")] = False
    quiet: Annotated[bool, Option("No summary and no progress.")] = False


@dataclass(frozen=True, kw_only=True)
class AsJson(Group):
    """Whether a result is shown as JSON."""

    json: Annotated[bool, Option("Print the result as JSON on stdout and nothing else there.")] = False


@dataclass(frozen=True, kw_only=True)
class ResultOutputOptions(AsJson):
    """What is shown of a result that is no run."""

    quiet: Annotated[bool, Option("No summary and no remarks.")] = False


def family(**more: Any) -> typer.Typer:
    """Return what commands are added to, as typer has it."""
    settled = {"rich_markup_mode": None, "add_completion": False, "pretty_exceptions_enable": False}
    return typer.Typer(**(settled | more))


def command(
    *, settings: Iterable[Declared] = (), without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator: the function's groups are taken apart into options of the command line."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        apart = TakenApart(function, settings=settings, without=without)
        options = {each.name: each for each in apart.parameters if isinstance(each, Declared)}

        def called(**typed: Any) -> None:
            apart.call({name: _value(options[name], each) if name in options else each for name, each in typed.items()})

        called.__signature__ = inspect.Signature(list(map(_parameter, apart.parameters)))  # type: ignore[attr-defined]
        called.__name__, called.__doc__ = function.__name__, function.__doc__
        return called

    return decorate


def _parameter(each: inspect.Parameter | Declared) -> inspect.Parameter:
    if isinstance(each, inspect.Parameter):
        return each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    told: Any = (
        typer.Argument(help=each.option.help, metavar=each.flag, show_default=False)
        if not each.flag.startswith("-")
        else typer.Option(
            each.flag,
            help=each.option.help,
            metavar=each.option.metavar,
            formats=["%Y-%m-%d"] if each.kind is date else None,
        )
    )
    default = inspect.Parameter.empty if each.required else each.default or None if each.several else each.default
    if each.kind is bool:
        default = False
    return inspect.Parameter(
        each.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[_typed(each), told]
    )


def _typed(each: Declared) -> Any:
    """Return the type that typer reads."""
    if each.several:
        return list[str] | None
    kind: Any = each.kind
    choice_of: Any = StrEnum
    if each.option.choices:
        kind = choice_of(each.name, {choice: choice for choice in each.option.choices})
    elif each.option.read is not None:
        kind = str
    elif each.kind is date:
        kind = datetime
    return kind | None if each.default is None else kind


def _value(each: Declared, typed: Any) -> Any:
    """Return what was typed as the group holds it.

    Raises
    ------
    InputError
        It is no number where numbers are expected.

    """
    if isinstance(typed, StrEnum):
        return typed.value
    if isinstance(typed, datetime):
        return typed.date()
    if each.kind is bool:
        return typed is not each.default
    if each.option.commas and typed is not None:
        typed = split(typed)
    if each.several and each.kind is float:
        typed = [_number(each, part) for part in typed or ()]
    return each.value(typed, named=each.flag)


def _number(each: Declared, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"{each.flag} is {text!r}; expected {each.option.expected}.") from error
