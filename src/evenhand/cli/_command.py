"""Turn a function that takes groups of options into one whose parameters typer reads; options that commands share."""

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
    """The output of a run, and the conditions of failure."""

    fail_on: Annotated[
        tuple[str, ...],
        Option(
            "Exit 1 if it holds, 6 if it can't be judged: difference, adverse-impact, below, mark:B|C|D, "
            "mark-estimate:B|C|D, gap:MEASURE=LIMIT, worse:MEASURE=LIMIT, not-equivalent, undetected:SHARE.",
            commas=True,
        ),
    ] = ()
    json: Annotated[bool, Option("Print findings.json on stdout and nothing else there.")] = False
    quiet: Annotated[bool, Option("No summary and no progress.")] = False


@dataclass(frozen=True, kw_only=True)
class AsJson(Group):
    """Whether a result is printed as JSON."""

    json: Annotated[bool, Option("Print the result as JSON on stdout and nothing else there.")] = False


@dataclass(frozen=True, kw_only=True)
class ResultOutputOptions(AsJson):
    """The output of a result other than a run."""

    quiet: Annotated[bool, Option("No summary and no remarks.")] = False


def family(**more: Any) -> typer.Typer:
    """Return a typer application with our defaults."""
    defaults = {"rich_markup_mode": None, "add_completion": False, "pretty_exceptions_enable": False}
    return typer.Typer(**(defaults | more))


def command(
    *, settings: Iterable[Declared] = (), without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that turns the function's groups into options of the command line."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        apart = TakenApart(function, settings=settings, without=without)
        options = {field.name: field for field in apart.parameters if isinstance(field, Declared)}

        def called(**typed: Any) -> None:
            apart.call(
                {name: _value(options[name], value) if name in options else value for name, value in typed.items()}
            )

        called.__signature__ = inspect.Signature(list(map(_parameter, apart.parameters)))  # type: ignore[attr-defined]
        called.__name__, called.__doc__ = function.__name__, function.__doc__
        return called

    return decorate


def _parameter(parameter: inspect.Parameter | Declared) -> inspect.Parameter:
    if isinstance(parameter, inspect.Parameter):
        return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    info: Any = (
        typer.Argument(help=parameter.option.help, metavar=parameter.flag, show_default=False)
        if not parameter.flag.startswith("-")
        else typer.Option(
            parameter.flag,
            help=parameter.option.help,
            metavar=parameter.option.metavar,
            formats=["%Y-%m-%d"] if parameter.kind is date else None,
        )
    )
    default = (
        inspect.Parameter.empty
        if parameter.required
        else parameter.default or None
        if parameter.several
        else parameter.default
    )
    if parameter.kind is bool:
        default = False
    return inspect.Parameter(
        parameter.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[_typed(parameter), info]
    )


def _typed(field: Declared) -> Any:
    if field.several:
        return list[str] | None
    kind: Any = field.kind
    choice_of: Any = StrEnum
    if field.option.choices:
        kind = choice_of(field.name, {choice: choice for choice in field.option.choices})
    elif field.option.read is not None:
        kind = str
    elif field.kind is date:
        kind = datetime
    return kind | None if field.default is None else kind


def _value(field: Declared, typed: Any) -> Any:
    """Return a typed value as the value of the group's field."""
    if isinstance(typed, StrEnum):
        return typed.value
    if isinstance(typed, datetime):
        return typed.date()
    if field.kind is bool:
        return typed is not field.default
    if field.option.commas and typed is not None:
        typed = split(typed)
    if field.several and field.kind is float:
        typed = [_number(field, part) for part in typed or ()]
    return field.value(typed, named=field.flag)


def _number(field: Declared, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"{field.flag} is {text!r}; expected {field.option.expected}.") from error
