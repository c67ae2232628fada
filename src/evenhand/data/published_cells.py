"""Cells of published tables of counts: counts that are not shown, and selection rates, as ranges of whole numbers."""

import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from evenhand.data.group_labels import plain_label
from evenhand.data.labels import fold
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import quoted

Range = tuple[int, int]

_RANGE = lazy_re(r"([0-9]{1,15})\s*(?:[-–—]|to|bis)\s*([0-9]{1,15})")
_RATE = lazy_re(r"([+-]?[0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]{1,2})?|[0-9]+[.,])\s*(%?)")
#: Decimals beyond which a rate was computed and not typed, and those to which such a rate is exact.
_TYPED, _EXACT = 6, 12
_PERCENT = 100


@cache
def _words(of: str) -> dict[str, list[str]]:
    text = files("evenhand.data").joinpath("count_tables.toml").read_text("utf-8")
    return {kind: list(words) for kind, words in tomllib.loads(text)[of].items()}


def read_range(text: str) -> Range:
    """Return the numbers that a suppressed cell may be, of `--suppressed`.

    Raises
    ------
    InputError
        It is no range of whole numbers.

    >>> read_range("1-4")
    (1, 4)
    """
    read = _RANGE.fullmatch(text.strip())
    if read is None or int(read[1]) > int(read[2]):
        raise InputError(
            f"{option_text('suppressed')} is {quoted(text)}; expected the lowest and the highest number that a "
            "suppressed cell can be, such as 1-4."
        )
    return int(read[1]), int(read[2])


def suppressed_range(text: str) -> tuple[int | None, int | None] | None:
    """Return what a cell says of a count that is not shown: its lowest and highest number; None for other cells.

    >>> suppressed_range("<5"), suppressed_range("1-4"), suppressed_range("*"), suppressed_range("5")
    ((None, 4), (1, 4), (None, None), None)
    """
    folded, words = fold(text), _words("suppressed")
    if folded in words["signs"] or plain_label(text) in words["signs"]:
        return None, None
    if read := _RANGE.fullmatch(folded):
        return int(read[1]), int(read[2])
    for kind, less in (("at_most", 0), ("below", 1)):
        for word in words[kind]:
            number = folded.removeprefix(word).strip()
            if number != folded and number.isdigit():
                return None, int(number) - less
    return None


def suppressed_count(text: str, among: Range) -> Range | None:
    """Return the numbers that a suppressed cell may be, of those that the user gives; None for other cells.

    Raises
    ------
    InputError
        The cell may be none of the user's numbers, or more.

    >>> suppressed_count("<5", (1, 9)), suppressed_count("*", (1, 4))
    ((1, 4), (1, 4))
    """
    said = suppressed_range(text)
    if said is None:
        return None
    low, high = max(among[0], said[0] or 0), among[1] if said[1] is None else min(among[1], said[1])
    if low > high or (said[1] or 0) > among[1] or (said[0] is not None and said[0] < among[0]):
        raise InputError(f"which says more than {option_text('suppressed', f'{among[0]}-{among[1]}')}; give its range.")
    return low, high


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A selection rate as it is printed: the share, and how many decimals the share has.

    An `unsigned` rate is a percentage by the name of its column alone.
    """

    share: Decimal
    decimals: int
    unsigned: bool = False

    def selected(self, n: int) -> tuple[int, Range] | None:
        """Return how many of n people are selected at this rate, and the range that rounds to it; None for no number.

        >>> Rate(share=Decimal("0.12"), decimals=2).selected(2500)
        (300, (288, 312))
        >>> Rate(share=Decimal("0.333"), decimals=3).selected(10)
        """
        half = Decimal(5).scaleb(-self.decimals - 1)
        low, high = math.ceil(n * (self.share - half)), math.floor(n * (self.share + half))
        central = min(max(round(n * self.share), low), high)
        return (central, (max(low, 0), min(high, n))) if low <= high else None


def says_percent(name: str) -> bool:
    """Say whether the name of a column says that it holds percentages.

    >>> says_percent("Offer rate (%)"), says_percent("Pct. hired"), says_percent("Percentile")
    (True, True, False)
    """
    plain, words = " ".join(["", *re.findall(r"[^\W_]+", plain_label(name)), ""]), _words("percent")
    return any(sign in name for sign in words["signs"]) or any(f" {word} " in plain for word in words["words"])


def read_rates(cells: Sequence[Any], name: str = "") -> list[Rate | str | None]:
    """Return the rate of each cell of a column, null where it is empty, or what is wrong with the cell.

    Where the name of the column says percent, numbers without a sign are percentages, too.

    >>> read_rates(["24.8 %", "9%", None])[0]
    Rate(share=Decimal('0.248'), decimals=3, unsigned=False)
    >>> read_rates(["24.8"])
    ['is above 1 and has no percent sign; write 24.8% or 0.248 and the other rates alike']
    >>> read_rates(["24.8"], "Hired (%)")
    [Rate(share=Decimal('0.248'), decimals=3, unsigned=True)]
    """
    percent = says_percent(name)
    texts = [None if cell is None else str(cell).strip() or None for cell in cells]
    read = [None if text is None else _RATE.fullmatch(text) for text in texts]
    signs = {sign for match in read if match for sign in ".," if sign in match[1]}
    percents = [bool(match[2]) for match in read if match]
    longest = max(
        (len(_digits(match[1])) for match in read if match and not match[2] and len(_digits(match[1])) <= _TYPED),
        default=0,
    )
    # As a percentage or as a share: a workbook may hold 0.125 in a column 'Rate (%)' whose cells show 12.5%.
    unclear = percent and not any(percents) and all(_number(match) <= 1 for match in read if match)
    rates: list[Rate | str | None] = []
    for text, match in zip(texts, read, strict=True):
        if text is None or fold(text) == "nan":
            rates.append(None)
        elif match is None:
            rates.append("is not a rate; expected a share such as 0.248, or a percentage such as 24.8%")
        elif len(signs) > 1 and any(sign in match[1] for sign in signs):
            other = next(m[1] for m in read if m and any(sign in m[1] for sign in signs - set(match[1])))
            rates.append(f"has another decimal mark than {quoted(other)}; write decimals with a point in all rows")
        elif unclear and _number(match):
            share = _number(match)
            rates.append(
                f"may be {share:f}% or the share {share:f}; write {share:f}% or {share * _PERCENT:f}%, or, if these "
                "are shares, name the column without percent"
            )
        else:
            rates.append(_rate(match, longest, name, mixed=any(percents) and not all(percents), of_percent=percent))
    return rates


def _digits(number: str) -> str:
    return re.split("[.,]", number + ".")[1]


def _number(match: re.Match[str]) -> Decimal:
    return Decimal(match[1].replace(",", "."))


def _rate(match: re.Match[str], longest: int, name: str, *, mixed: bool, of_percent: bool) -> Rate | str:
    number, signed = _number(match), bool(match[2])
    if not of_percent and mixed and not signed and number:
        return "has no percent sign, as others have; write all rates with a percent sign, or none"
    if not of_percent and not signed and number > 1:
        called = f", or call the column {quoted(f'{name} (%)')}" if name else ""
        return (
            f"is above 1 and has no percent sign; write {match[1]}% or {number / _PERCENT:f} and the other rates "
            f"alike{called}"
        )
    percent = signed or of_percent
    share = number / _PERCENT if percent else number
    if not 0 <= share <= 1:
        return "is not a rate from 0 to 100 %"
    exponent = number.as_tuple().exponent
    decimals = min(max(-exponent, 0), _EXACT) if isinstance(exponent, int) else 0
    decimals = decimals if signed else max(decimals, longest)
    return Rate(share=share, decimals=decimals + 2 if percent else decimals, unsigned=not signed and of_percent)
