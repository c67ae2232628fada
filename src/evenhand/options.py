"""Options, each declared once: a field of a frozen group, with its help, its check and its use in the manifest.

A group is a frozen dataclass below `Group`; a command's options are groups joined by inheritance. The command line,
the Python signature, the check, the manifest and the line 'reproduce' are made from the declaration.

>>> from typing import Annotated
>>> @dataclass(frozen=True, kw_only=True)
... class Limits(Group):
...     tries: Annotated[int, Option("Tries of each.", check=lambda n: n > 0, expected="a number from 1")] = 1
>>> words(Limits(tries=3)), to_manifest(Limits(tries=3))
(['--tries', '3'], {'tries': 3})
>>> Limits(tries=0)
Traceback (most recent call last):
evenhand.errors.InputError: --tries is 0; expected a number from 1.
"""

import inspect
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass, fields, is_dataclass, replace
from datetime import date
from difflib import get_close_matches
from functools import cache, wraps
from pathlib import Path
from types import GenericAlias, NoneType, UnionType
from typing import Any, Final, Literal, SupportsFloat, TypeVar, get_args, get_origin, get_type_hints

from evenhand.errors import EvenhandError, InputError
from evenhand.results.files import sha256_of
from evenhand.results.messages import in_python, quoted

T = TypeVar("T")

#: Names of types in messages about a wrong type.
_NAMES: Final = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    Path: "a path",
    date: "a date",
}


@dataclass(frozen=True)
class Option:
    """The properties of an option besides its name, type and default.

    On input: `help`; `flag`, where it differs from the name, without dashes for a positional argument; `metavar`; the
    `choices` of the command line; whether `commas` separate values there; whether Python accepts it by position
    (`placed`); `read`, which converts the input. A value that `check` denies is refused, each of several values by
    itself; the message says what was `expected`.

    Afterwards: `kept` in the manifest (True, False, or another name), repeated in the line 'reproduce' (`again`), the
    `same` when a run is resumed, specific to a `machine` when several share a run. For settings of a probe: what it
    `changes`, and whether compared runs must share it (`shared`).
    """

    help: str
    _: KW_ONLY
    flag: str | None = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    commas: bool = False
    placed: bool = False
    read: Callable[[Any], Any] | None = None
    check: Callable[[Any], bool] | None = None
    expected: str = ""
    kept: bool | str = True
    again: bool = True
    same: bool = False
    machine: bool = False
    changes: Literal["prompts", "reading", "numbers"] = "prompts"
    shared: bool = False


@dataclass(frozen=True, kw_only=True)
class Declared:
    """An option of a group: its name, type and default, and the field of the group that holds it with others."""

    name: str
    option: Option
    type: Any
    default: Any
    within: str | None = None

    @property
    def flag(self) -> str:
        """Return its name on the command line; `--no-…` turns off an option that is on by default."""
        return self.option.flag or f"--{'no-' if self.default is True else ''}{self.name.replace('_', '-')}"

    @property
    def required(self) -> bool:
        """Say whether there is no default."""
        return self.default is MISSING

    @property
    def several(self) -> bool:
        """Say whether it takes any number of values."""
        return get_origin(self.type) is tuple

    @property
    def kind(self) -> Any:
        """Return the type of a value: of each, where there are several, and without None."""
        kinds = get_args(self.type) if self.several or NoneType in get_args(self.type) else (self.type,)
        return next(kind for kind in kinds if kind not in {NoneType, ...})

    @property
    def python(self) -> Any:
        """Return the type that Python accepts."""
        if self.option.read is not None:
            return (
                _argument_type(self.option.read)
                if self.default is not None
                else _argument_type(self.option.read) | None
            )
        if self.kind is Path:
            return str | self.type
        return self.kind | GenericAlias(Sequence, (self.kind,)) if self.several else self.type

    def of(self, group: Any) -> Any:
        """Return the value in a group."""
        return getattr(getattr(group, self.within) if self.within else group, self.name)

    def value(self, value: Any, *, named: str) -> Any:
        """Return an input converted for the group; `named` is the option's name in messages.

        Raises
        ------
        InputError
            It is of another type.

        """
        if value is None and (self.several or self.default is None):
            return () if self.several else None
        if self.option.read is not None:
            if not _fits(value, _argument_type(self.option.read)):
                raise InputError(f"{named} is {quoted(value)}; expected {self.option.expected}.")
            return self.option.read(value)
        if not self.several:
            return self._one(value, named=f"{named} is")
        alone = isinstance(value, str) or not isinstance(value, Iterable)
        verb = "holds" if self.kind is str else "is"
        return tuple(self._one(item, named=f"{named} {verb}") for item in ([value] if alone else value))

    def _one(self, value: Any, *, named: str) -> Any:
        right = {
            int: hasattr(value, "__index__") and not isinstance(value, bool),
            float: isinstance(value, SupportsFloat) and not isinstance(value, bool),
            Path: isinstance(value, str | Path),
        }
        if not right.get(self.kind, isinstance(value, self.kind)):
            expected = self.option.expected if self.option.check is None else ""
            several = "texts" if self.several and self.kind is str else _NAMES[self.kind]
            raise InputError(f"{named} {quoted(value)}; expected {expected or several}.")
        return value if self.kind in {str, date} else operator.index(value) if self.kind is int else self.kind(value)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Options that belong together; a value that its option denies is refused."""

    def __post_init__(self) -> None:
        """Check each value.

        Raises
        ------
        InputError
            An option's check denies its value.

        """
        for entry in declared(type(self)):
            value, check = entry.of(self), entry.option.check
            if value is None or check is None:
                continue
            for item in value if entry.several else (value,):
                if not check(item):
                    raise InputError(f"{entry.flag} is {quoted(item)}; expected {entry.option.expected}.")


def refuse(problems: Mapping[str, Any]) -> None:
    """Refuse options with the first message whose condition holds.

    >>> refuse({"--tries needs --model.": False})

    Raises
    ------
    InputError
        A condition holds.

    """
    for problem, holds in problems.items():
        if holds:
            raise InputError(problem)


def _argument_type(read: Callable[[Any], Any]) -> Any:
    """Return the type of a converter's argument."""
    return next(iter(get_type_hints(read).values()))


def _fits(value: Any, hint: Any) -> bool:
    """Say whether a value is of a type, and all that it holds."""
    if hint is Any:
        return True
    if isinstance(hint, UnionType):
        return any(_fits(value, kind) for kind in get_args(hint))
    if not isinstance(value, get_origin(hint) or hint):
        return False
    contents = (value.keys(), value.values()) if isinstance(value, Mapping) else (value,)
    return all(_fits(item, kind) for kind, values in zip(get_args(hint), contents, strict=False) for item in values)


def declared(group: Any) -> tuple[Declared, ...]:
    """Return the options of a group, including those of groups in its fields."""
    return _declared(group)


@cache
def _declared(group: Any) -> tuple[Declared, ...]:
    hints = get_type_hints(group, include_extras=True)
    options: list[Declared] = []
    for field in fields(group):
        hint = hints[field.name]
        annotations = [annotation for annotation in getattr(hint, "__metadata__", ()) if isinstance(annotation, Option)]
        if annotations:
            kind = get_args(hint)[0]
            options.append(Declared(name=field.name, option=annotations[0], type=kind, default=field.default))
        if is_dataclass(hint):
            options += [replace(inner, within=field.name) for inner in declared(hint)]
    return tuple(options)


def build_group(group: type[T], by_name: Mapping[str, Any]) -> T:
    """Return a group with the given values, by name, and defaults for the others."""
    hints = get_type_hints(group)
    values = {}
    for field in fields(group):  # type: ignore[arg-type]
        if is_dataclass(hints[field.name]):
            values[field.name] = build_group(hints[field.name], by_name)
        elif field.name in by_name:
            values[field.name] = by_name[field.name]
    return group(**values)


def to_manifest(group: Any, *, of: Any = None, only_given: bool = False) -> dict[str, Any]:
    """Return the values for a manifest: all, those of options in the group `of`, or those that differ from defaults."""
    return {
        entry.name if entry.option.kept is True else str(entry.option.kept): json_value(entry.of(group))
        for entry in declared(of or type(group))
        if entry.option.kept and not (only_given and entry.of(group) == entry.default)
    }


def json_value(value: Any) -> Any:
    """Return a value as JSON, a file by its name and fingerprint."""
    if isinstance(value, Path):
        return {"file": value.name, "sha256": sha256_of(value)}
    if isinstance(value, tuple):
        return [json_value(item) for item in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def words(
    group: Any, *, always: Collection[str] = (), without: Collection[str] = (), machine: bool = True
) -> list[str]:
    """Return the command line's words for options that differ from their defaults and are repeated.

    Options in `always` are included in any case; without `machine` those specific to a machine are left out.
    """
    line: list[str] = []
    for entry in declared(type(group)):
        value = entry.of(group)
        repeated = entry.name in always or (entry.option.again and value != entry.default)
        if repeated and entry.name not in without and (machine or not entry.option.machine):
            spelled = spelled_out(entry.flag, value)
            line = [*line, *spelled] if entry.flag.startswith("-") else [*spelled[1:], *line]
    return line


def spelled_out(flag: str, value: Any) -> list[str]:
    """Return the words that give a value to an option.

    >>> spelled_out("--seed", 3), spelled_out("--where", ("a > 1", "b = 2")), spelled_out("--mixed", True)
    (['--seed', '3'], ['--where', 'a > 1', '--where', 'b = 2'], ['--mixed'])
    >>> spelled_out("--cutoff", (60.0, 0.5))
    ['--cutoff', '60', '--cutoff', '0.5']
    """
    if isinstance(value, bool):
        return [flag]
    items = value if isinstance(value, tuple) else (value,)
    return [word for item in items for word in (flag, str(item).removesuffix(".0" if isinstance(item, float) else ""))]


class TakenApart:
    """A function whose groups of options are passed as single options.

    A parameter that is annotated with a group becomes its options, except those in `without`; a parameter or a field
    of a group named `settings` takes a mapping of the given `settings`.
    """

    def __init__(
        self, function: Callable[..., Any], *, settings: Iterable[Declared] = (), without: Collection[str] = ()
    ) -> None:
        hints = get_type_hints(function, include_extras=True)
        self.function, self.settings = function, tuple(settings)
        self.returned = hints.get("return", inspect.Signature.empty)
        self._groups: dict[str, Any] = {}
        self.parameters: list[inspect.Parameter | Declared] = []
        for name, parameter in inspect.signature(function).parameters.items():
            hint = hints[name]
            if isinstance(hint, type) and issubclass(hint, Group):
                self._groups[name] = hint
                self.parameters += [entry for entry in declared(hint) if entry.name not in without]
            if name == "settings" or "settings" in getattr(hint, "__dataclass_fields__", ()):
                self.parameters += self.settings
            elif name not in self._groups:
                self.parameters.append(parameter.replace(annotation=hint))
        self._settings_alone = "settings" in hints

    def call(self, arguments: Mapping[str, Any]) -> Any:
        """Call the function with options by name; a setting of None or False is not given."""
        known = {setting.name: arguments.get(setting.name) for setting in self.settings}
        settings = {name: value for name, value in known.items() if value is not None and value is not False}
        groups = {name: build_group(group, {**arguments, "settings": settings}) for name, group in self._groups.items()}
        names = [parameter.name for parameter in self.parameters if isinstance(parameter, inspect.Parameter)]
        positional = {name: arguments[name] for name in names if name in arguments}
        return self.function(**positional, **groups, **({"settings": settings} if self._settings_alone else {}))


def from_python(
    *, settings: Iterable[Declared] = (), without: Collection[str] = ()
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator that expands the function's groups into keywords, which its signature shows.

    Raises
    ------
    InputError
        Where it is called with an option that it hasn't, or with a value of a wrong type.

    """

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        apart = TakenApart(function, settings=settings, without=without)
        options = {entry.name: entry for entry in apart.parameters if isinstance(entry, Declared)}
        parameters = sorted(map(_parameter, apart.parameters), key=lambda parameter: parameter.kind)
        signature = inspect.Signature(parameters, return_annotation=apart.returned)
        keywords = python_names(options.values())

        def value_of(name: str, value: Any) -> Any:
            if name in options:
                return options[name].value(value, named=name)
            hint = signature.parameters[name].annotation
            if not _fits(value, hint):  # it may be a résumé, so it isn't repeated
                expected = inspect.formatannotation(hint)
                raise InputError(f"{name} is of type {type(value).__name__}; expected {expected}.")
            return value

        @wraps(function)
        def called(*positional: Any, **named: Any) -> T:
            arguments = _bound(signature, function.__name__, positional, named)
            try:
                result: T = apart.call({name: value_of(name, value) for name, value in arguments.items()})
            except EvenhandError as error:
                error.args = (in_python(str(error.args[0]) if error.args else "", keywords),)
                raise
            return result

        called.__signature__ = signature  # type: ignore[attr-defined]
        return called

    return decorate


def _bound(
    signature: inspect.Signature, function: str, positional: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments by name; InputError where the function can't be called with them."""
    for name in named:
        if name not in signature.parameters:
            near = get_close_matches(name, signature.parameters, n=1)
            known = f"Did you mean {near[0]}?" if near else f"There are {', '.join(sorted(signature.parameters))}."
            raise InputError(f"{function} has no option {quoted(name)}. {known}")
    try:
        return signature.bind(*positional, **named).arguments
    except TypeError as error:
        needed = [
            parameter.name
            for parameter in signature.parameters.values()
            if parameter.kind is not parameter.KEYWORD_ONLY
        ]
        usage = f"of {', '.join(needed)} by place, all else by name: {function}({needed[0]}, option=value)"
        raise InputError(f"{function}: {error}; give {usage}.") from None


def python_names(options: Iterable[Declared]) -> dict[str, tuple[str, str | None]]:
    """Return Python's name of each option, by its flag, and the value of a flag without a value (see `in_python`)."""
    return {
        option.flag: (option.name, str(option.default is not True) if option.kind is bool else None)
        for option in options
    }


def _parameter(parameter: inspect.Parameter | Declared) -> inspect.Parameter:
    """Return a parameter of Python: of options those without a default may be given by their place, or said to be."""
    if isinstance(parameter, inspect.Parameter):
        return parameter
    if parameter.required or parameter.option.placed:
        default = inspect.Parameter.empty if parameter.required else parameter.default
        by_place = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Parameter(parameter.name, by_place, default=default, annotation=parameter.python)
    return inspect.Parameter(
        parameter.name, inspect.Parameter.KEYWORD_ONLY, default=parameter.default, annotation=parameter.python
    )
