"""How people labelled golden cases, in words."""

from typing import Final

from evenhand.monitoring.golden.agreement import TwinLabels
from evenhand.report.words.numbers import Scale, p_equals
from evenhand.report.words.wording import in_words
from evenhand.tables.messages.quoting import shortened

__all__ = ["twins_text"]

_SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)


def twins_text(twins: TwinLabels) -> str:
    """Return in how many pairs of twins a person gave different labels, and to whom the higher.

    >>> twins = TwinLabels(
    ...     labeller="ben", attribute="gender", groups=("man", "woman"), pairs=200, higher_first=30, higher_second=2,
    ...     share=0.16, low=0.116, high=0.217, p=2.5e-7,
    ... )
    >>> twins_text(twins).partition(": ")[2]
    'man higher in 30, woman in 2 (p < 0.001 of no preference).'
    """
    first, second = (group or "unknown" for group in twins.groups)
    differ = twins.higher_first + twins.higher_second
    p = "" if twins.p is None else f" (p {p_equals(twins.p)} of no preference)"
    return (
        f"{shortened(twins.labeller)} labelled {differ:,} of {twins.pairs:,} twins by "
        f"{in_words(twins.attribute)} differently ({_SHARE.text(twins.share)}, 95 % CI "
        f"{_SHARE.interval(twins.low, twins.high)}): {first} higher in {twins.higher_first:,}, {second} in "
        f"{twins.higher_second:,}{p}."
    )
