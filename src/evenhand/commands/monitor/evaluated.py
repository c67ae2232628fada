"""What `evenhand mask --evaluate --out FILE.json` wrote, as a store records it."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.errors import InputError
from evenhand.monitoring.history.daily import MEASURED, DailyValue
from evenhand.monitoring.history.runs import FinishedRun
from evenhand.tables.fingerprints import sha256_of

__all__ = ["evaluated_masking"]

#: Whose values they are, unless --model says.
MASKING: Final = "masking"


def evaluated_masking(path: Path, *, model: str | None) -> FinishedRun:
    """Return an evaluation of masking with its values of the day.

    Raises
    ------
    InputError
        The file is something else.

    """
    try:
        content = orjson.loads(path.read_bytes())
        day = datetime.fromisoformat(content["evaluated"]).date()
        own = model or MASKING
        rates = content["masking_rates"]
        values = [_value(rate, model=own, day=day) for rate in rates if rate["measure"] in MEASURED]
        return FinishedRun(
            id=sha256_of(path),
            model=own,
            kind="masking",
            title=f"Masking of {content['file']}",
            created=content["evaluated"],
            folder=str(path.absolute()),
            findings={_name(rate): rate for rate in rates},
            values=values,
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is no file of evenhand mask --evaluate --out, and no table.") from error
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error


def _value(rate: dict[str, Any], *, model: str, day: date) -> DailyValue:
    cut = {name: rate[name] for name in ("category", "origin") if rate[name] is not None}
    return DailyValue(
        model=model,
        measure=rate["measure"],
        day=day,
        value=rate["estimate"],
        n=rate["n"],
        slice=cut,
        standard_error=rate["standard_error"],
        reason=rate["reason"],
    )


def _name(rate: dict[str, Any]) -> str:
    parts: Sequence[str | None] = (rate["measure"], rate["category"], rate["origin"])
    return "/".join(part for part in parts if part is not None)
