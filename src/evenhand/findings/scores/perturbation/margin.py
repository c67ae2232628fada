"""The margin within which a difference of scores counts as none, as it is given beforehand."""

import math
from dataclasses import dataclass

from evenhand.errors import InputError
from evenhand.tables.messages.quoting import quoted

__all__ = ["Margin", "margin_of"]

SD = "sd"


@dataclass(frozen=True, kw_only=True)
class Margin:
    """A margin in units of the scores, or in their standard deviations."""

    value: float
    in_sd: bool = False

    def of(self, sd: float) -> float | None:
        """Return the margin in units of scores with this standard deviation; None where they do not vary."""
        if not self.in_sd:
            return self.value
        return self.value * sd if sd > 0 else None


def margin_of(text: str) -> Margin:
    """Return the margin that a text gives.

    >>> margin_of("2.5"), margin_of("0.2sd")
    (Margin(value=2.5, in_sd=False), Margin(value=0.2, in_sd=True))

    Raises
    ------
    InputError
        It is no number above 0, alone or followed by `sd`.

    """
    given = text.strip().lower()
    try:
        value = float(given.removesuffix(SD))
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        message = f"--margin {quoted(text)}; expected a number above 0 in units of the scores, such as 2, or 0.2sd."
        raise InputError(message)
    return Margin(value=value, in_sd=given.endswith(SD))
