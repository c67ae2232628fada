"""The user's prices per million tokens, from a TOML file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path
from typing import Any

from evenhand.errors import InputError
from evenhand.tables.shown import quoted

__all__ = ["Price", "Prices", "read_prices"]

_MILLION = 1_000_000
#: Characters of a message of the TOML reader.
_LONGEST = 200
_KEYS = ("input", "output", "batch_discount", "currency")
_LAYOUT = 'expected [models."NAME"] with input and output, prices per million tokens'


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """Prices per million tokens of one model; `batch_discount` is the share taken off with --batch."""

    input: float
    output: float
    currency: str | None = None
    batch_discount: float = 0.0

    def cost(self, input_tokens: float, output_tokens: float, *, batch: bool = False) -> float:
        """Return what so many tokens cost.

        >>> Price(input=2.0, output=8.0).cost(1_000_000, 500_000)
        6.0
        """
        whole = (input_tokens * self.input + output_tokens * self.output) / _MILLION
        return whole * (1 - self.batch_discount) if batch else whole


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
    unknown = sorted(set(content) - {"currency", "models"})
    if unknown:
        raise InputError(f"{path} has the unknown key {quoted(unknown[0])}; {_LAYOUT}, and if wanted currency.")
    models = content.get("models")
    if not isinstance(models, dict) or not models:
        raise InputError(f"{path} holds no prices; {_LAYOUT}.")
    currency = _currency(path, content.get("currency"))
    return Prices(
        path=path, models={name: _price(path, name, entry, currency=currency) for name, entry in models.items()}
    )


def _price(path: Path, name: str, entry: Any, *, currency: str | None) -> Price:
    where = f'{path}, [models."{quoted(name)[1:-1]}"]'
    if not isinstance(entry, dict):
        raise InputError(f"{where} is {quoted(entry)}; {_LAYOUT}.")
    if any(isinstance(value, dict) for value in entry.values()):
        # Without quotes TOML reads the dots of gpt-4.1 as tables in tables.
        raise InputError(f'{where} holds tables; write a name with dots in quotes, as in [models."gpt-4.1"].')
    for key in entry:
        if key not in _KEYS:
            raise InputError(f"{where} has the unknown key {quoted(key)}; expected {', '.join(_KEYS)}.")
    for key in ("input", "output"):
        if key not in entry:
            raise InputError(f"{where} has no {key}; expected the price of a million {key} tokens.")
    discount = _number(where, "batch_discount", entry.get("batch_discount", 0.0))
    if discount > 1:
        raise InputError(f"{where}: batch_discount is {discount:g}; expected a share from 0 to 1, such as 0.5.")
    return Price(
        input=_number(where, "input", entry["input"]),
        output=_number(where, "output", entry["output"]),
        currency=_currency(path, entry.get("currency", currency)),
        batch_discount=discount,
    )


def _number(where: str, key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise InputError(f"{where}: {key} is {quoted(value)}; expected a number from 0.")
    return float(value)


def _currency(path: Path, value: Any) -> str | None:
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise InputError(f'{path}: currency is {quoted(value)}; expected a text such as "USD".')
    return None if value is None else str(value).strip()
