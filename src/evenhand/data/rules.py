"""The register of legal thresholds and rules: each with its citation, our words, its values and dates."""

import tomllib
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

ALWAYS = ("four_fifths", "small_numbers", "two_standard_deviations", "no_adjustment")
AVAILABILITY = ("two_standard_deviations", "no_adjustment")
AGE = ("age_forty", "age_older_only", "age_reasonable_factor", "age_guidelines")
LL144 = ("ll144_rates", "ll144_small_categories", "ll144_data", "ll144_published")


@dataclass(frozen=True, kw_only=True)
class _Rule:
    """One entry; `checked` is None where it was not yet compared with the source's text.

    A law that no analysis rests on has the `figure` of ours that is about the same matter, and the `url` of its text.
    """

    title: str
    citation: str
    words: str
    values: dict[str, int | float]
    in_force: date
    checked: date | None = None
    figure: str | None = None
    url: str | None = None


@cache
def _register() -> dict[str, _Rule]:
    text = (resources.files("evenhand.data") / "lexicons" / "rules.toml").read_text(encoding="utf-8")
    return {key: _Rule(**entry) for key, entry in tomllib.loads(text).items()}


def rules() -> list[dict[str, Any]]:
    """Return all entries of the register, as plain values in its order.

    >>> [each["key"] for each in rules()][:2]
    ['four_fifths', 'small_numbers']
    """
    return [rule(key) for key in _register()]


def rule(key: str) -> dict[str, Any]:
    """Return one entry: key, title, citation, words, values, in_force and checked; of a law figure and url, too.

    Dates are ISO texts; `checked` is None where the entry was not yet compared with the source's text.

    >>> rule("four_fifths")["values"], rule("age_forty")["values"]["age"]
    ({'numerator': 4, 'denominator': 5}, 40)
    """
    entry = asdict(_register()[key])
    if entry["figure"] is None:
        del entry["figure"], entry["url"]
    return {"key": key} | {name: each.isoformat() if isinstance(each, date) else each for name, each in entry.items()}


def used_by(
    *,
    min_share: bool = False,
    stages: bool = False,
    age: bool = False,
    ll144: bool = False,
    availability: bool = False,
) -> list[dict[str, Any]]:
    """Return the rules that an analysis of applicants with these options rests on, in the register's order.

    With `availability` people are compared with stated shares, and nobody was selected.

    >>> [each["key"] for each in used_by(stages=True)][3:]
    ['bottom_line', 'no_adjustment']
    """
    wanted = {
        *(AVAILABILITY if availability else ALWAYS),
        *(("two_percent_of_people",) if min_share else ()),
        *(("bottom_line",) if stages else ()),
        *(AGE if age else ()),
        *(LL144 if ll144 else ()),
    }
    return [each for each in rules() if each["key"] in wanted]
