"""The user's prices per million tokens, from a TOML file."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from evenhand.collect.cost.price import Price
from evenhand.errors import InputError
from evenhand.tables.messages.quoting import quoted

__all__ = ["Price", "Prices", "read_prices"]

#: Characters of a message of the TOML reader.
_LONGEST = 200
_LAYOUT = 'expected [models."NAME"] with input and output, prices per million tokens'
#: The kind of error that pydantic finds in a key which is no field.
_UNKNOWN = "unexpected_keyword_argument"

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
_Share = Annotated[float, Field(ge=0, le=1, strict=True)]
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Prices by model name or pattern, as the file has them."""

    path: Path
    models: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """Return the price of a model such as openai:gpt-4o; None where the file has none.

        A name counts with or without its scheme. A name that is spelled out goes before
        patterns (`*`, `?`), a longer pattern before a shorter one.
        """
        names = (model, model.partition(":")[2])
        for name in names:
            if name in self.models:
                return self.models[name]
        fitting = [pattern for pattern in self.models if any(fnmatchcase(name, pattern) for name in names)]
        return self.models[max(fitting, key=len)] if fitting else None

    def reason(self, model: str) -> str:
        """Return why there is no price for a model, in one sentence."""
        near = get_close_matches(model.partition(":")[2], self.models, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        return f"{self.path.name} has no price for {model}.{hint}"


@dataclass(frozen=True, kw_only=True)
class _Written:
    """The price of a model as the file has it."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    input: _Amount
    output: _Amount
    currency: _Text | None = None
    batch_discount: _Share = 0.0


@dataclass(frozen=True, kw_only=True)
class _File:
    __pydantic_config__ = ConfigDict(extra="forbid")

    models: Annotated[dict[str, _Written], Field(min_length=1)]
    currency: _Text | None = None


_FILE = TypeAdapter(_File)
_KEYS = [field.name for field in fields(Price)]


def read_prices(path: Path) -> Prices:
    """Return the prices in a TOML file.

    Raises
    ------
    InputError
        The file can't be read, is no TOML, or has something else in it than prices.

    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"The prices in {path} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The prices in {path} are no UTF-8 text; save the file as UTF-8.") from None
    except RecursionError:
        raise InputError(f"{path} is nested too deeply; {_LAYOUT}.") from None
    except ValueError as error:
        # TOML's own errors, and numbers of thousands of digits.
        raise InputError(f"{path} is no TOML: {quoted(str(error), most=_LONGEST)[1:-1]}.") from None
    try:
        found = _FILE.validate_python(content)
    except ValidationError as error:
        raise InputError(_message(path, error.errors(include_url=False, include_context=False))) from None
    models = {
        name: Price(**asdict(replace(each, currency=each.currency or found.currency)))
        for name, each in found.models.items()
    }
    return Prices(path=path, models=models)


def _message(path: Path, errors: Sequence[ErrorDetails]) -> str:
    """Return what is wrong with a file in one line; a key that nobody knows comes before what it leaves open."""
    error = min(errors, key=lambda each: each["type"] != _UNKNOWN)
    place, key, value = error["loc"], str(error["loc"][-1]), quoted(error["input"])
    if key == "currency" and len(place) != 2:
        return f'{path}: currency is {value}; expected a text such as "USD".'
    if len(place) == 1:
        if error["type"] == _UNKNOWN:
            return f"{path} has the unknown key {quoted(key)}; {_LAYOUT}, and if wanted currency."
        return f"{path} holds no prices; {_LAYOUT}."
    where = f'{path}, [models."{quoted(str(place[1]))[1:-1]}"]'
    if len(place) == 2:
        return f"{where} is {value}; {_LAYOUT}."
    return where + _wrong(error, key, value)


def _wrong(error: ErrorDetails, key: str, value: str) -> str:
    """Return what is wrong with a key of a model."""
    if error["type"] == "missing":
        return f" has no {key}; expected the price of a million {key} tokens."
    if isinstance(error["input"], dict):
        # Without quotes TOML reads the dots of gpt-4.1 as tables in tables.
        return ' holds tables; write a name with dots in quotes, as in [models."gpt-4.1"].'
    if error["type"] == _UNKNOWN:
        return f" has the unknown key {quoted(key)}; expected {', '.join(_KEYS)}."
    if error["type"] == "less_than_equal":
        return f": {key} is {value}; expected a share from 0 to 1, such as 0.5."
    return f": {key} is {value}; expected a number from 0."
