"""Masking quality: recall, precision and over-masking of annotated texts, with intervals over texts."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np
import orjson
from pydantic import BaseModel, ValidationError

from evenhand.data.toml_files import json_rows
from evenhand.errors import InputError
from evenhand.masking.mask import check_names
from evenhand.masking.pronouns import CATEGORIES, OPTIONAL
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, quoted
from evenhand.stats import clustered_rate, multiway_variance

_WORD = lazy_re(r"\w+")
_EXPECTED = 'rows {"text": "…", "spans": [[start, end, "NAME"], …], "origin": "…"}'


@dataclass(frozen=True, kw_only=True)
class AnnotatedText:
    """A text, the spans that identify the person, those that may be masked or not, and the name's origin.

    `spans` are start, end and category, `ignored` start and end, in code points.
    """

    text: str
    spans: Sequence[tuple[int, int, str]]
    ignored: Sequence[tuple[int, int]] = ()
    known_names: Sequence[str] = ()
    origin: str | None = None


@dataclass(frozen=True, kw_only=True)
class MaskingCounts:
    """Counts of one text, by category.

    `annotated` spans, and of these `found`: all their letters and digits are masked, by whatever category. `masked`
    spans, and of these `right`: half of their letters and digits at least are annotated. `needless` words are masked
    whole and hold nothing annotated, of `words` that hold nothing annotated.
    """

    annotated: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    needless: Counter[str] = field(default_factory=Counter)
    words: int = 0


def annotated_texts(source: Path) -> Iterator[AnnotatedText]:
    """Yield the rows of a file; messages never quote a text.

    Raises
    ------
    InputError
        The file can't be read, or a row has no text, or spans that don't fit it.

    """
    for number, row in json_rows(source, expected=_EXPECTED):
        place = f"line {number} of {source}"
        try:
            row_model = _Row.model_validate_json(orjson.dumps(row), strict=True)
        except ValidationError as error:
            field = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise InputError(f"{field} in {place} is missing or of another type; expected {_EXPECTED}.") from None
        categories = {category for _, _, category in row_model.spans} - {*CATEGORIES, *OPTIONAL.values()}
        if categories:
            known = listed((*CATEGORIES, *OPTIONAL.values()))
            raise InputError(f"A span in {place} is of category {quoted(min(categories))}; expected {known}.")
        stretches = [*row_model.ignored, *((start, end) for start, end, _ in row_model.spans)]
        if not all(0 <= start < end <= len(row_model.text) for start, end in stretches):
            raise InputError(f"A span in {place} does not lie within its text; offsets count characters from 0.")
        check_names(row_model.known_names)
        yield AnnotatedText(
            text=row_model.text,
            spans=row_model.spans,
            ignored=row_model.ignored,
            known_names=row_model.known_names,
            origin=(row_model.origin or "").strip() or None,
        )


class _Row(BaseModel):
    text: str
    spans: list[tuple[int, int, str]]
    ignored: list[tuple[int, int]] = []
    known_names: list[str] = []
    origin: str | None = None


def masking_counts(
    given: AnnotatedText, masked: Sequence[tuple[int, int, str]], *, wanted: Collection[str]
) -> MaskingCounts:
    """Return the counts of masked spans against the annotations of the wanted categories; others may be masked or not.

    >>> given = AnnotatedText(text="Jane Doe, nurse", spans=[(0, 8, "NAME")])
    >>> counts = masking_counts(given, [(0, 4, "NAME"), (10, 15, "GENDER")], wanted=["NAME"])
    >>> counts.found["NAME"], counts.right["NAME"], counts.needless["GENDER"], counts.words
    (0, 1, 1, 1)
    """
    claims: list[str | None] = [None] * len(given.text)
    for start, end, category in masked:
        claims[start:end] = [category] * (end - start)
    truth = [0] * len(given.text)  # 1: annotated; 2: may be masked or not
    for start, end in [*given.ignored, *((start, end) for start, end, kind in given.spans if kind not in wanted)]:
        truth[start:end] = [2] * (end - start)
    of_these = [span for span in given.spans if span[2] in wanted]
    for start, end, _ in of_these:
        truth[start:end] = [1] * (end - start)
    counts = MaskingCounts()
    for start, end, category in of_these:
        letters = [place for place in range(start, end) if given.text[place].isalnum()]
        counts.annotated[category] += 1
        counts.found[category] += all(claims[place] is not None for place in letters)
    for start, end, category in masked:
        letters = [place for place in range(start, end) if given.text[place].isalnum()] or list(range(start, end))
        if all(truth[place] == 2 for place in letters):
            continue
        counts.masked[category] += 1
        counts.right[category] += 2 * sum(truth[place] > 0 for place in letters) >= len(letters)
    plain = [word.span() for word in _WORD.finditer(given.text) if not any(truth[slice(*word.span())])]
    for start, end in plain:
        claim = claims[start]
        if claim is not None and all(claims[start:end]):
            counts.needless[claim] += 1
    return replace(counts, words=len(plain))


Measure = Literal["masking_recall", "masking_precision", "over_masking"]
#: Numerator and denominator of each measure for a text, for a category or, with None, for all.
_COUNTED: Final[dict[Measure, Callable[[MaskingCounts, str | None], tuple[int, int]]]] = {
    "masking_recall": lambda text, category: (_count(text.found, category), _count(text.annotated, category)),
    "masking_precision": lambda text, category: (_count(text.right, category), _count(text.masked, category)),
    "over_masking": lambda text, category: (_count(text.needless, category), text.words),
}
MEASURES: Final = tuple(_COUNTED)


@dataclass(frozen=True, kw_only=True)
class MaskingRate:
    """A share of `n` spans or words in so many texts; over all categories and origins unless one is named.

    `low` and `high` are the 95 % confidence interval; null with a reason where they can't be computed.
    """

    measure: Measure
    category: str | None
    origin: str | None
    k: int
    n: int
    texts: int
    estimate: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    reason: str | None


def masking_rates(texts: Sequence[tuple[str | None, MaskingCounts]]) -> list[MaskingRate]:
    """Return the rates of texts with their origins: over all, per category, per origin, and of names per origin.

    Texts are what was sampled: spans of one text are as a cluster (`clustered_rate`).
    """
    all_judged = [judged for _, judged in texts]
    rates = [*_rates(all_judged, None, None)]
    for category in sorted({name for text in all_judged for name in (*text.annotated, *text.masked)}):
        rates += _rates(all_judged, category, None)
    for origin in sorted({origin for origin, _ in texts if origin is not None}):
        of_origin = [judged for text_origin, judged in texts if text_origin == origin]
        rates += [*_rates(of_origin, None, origin), *_rates(of_origin, "NAME", origin)]
    return rates


def _rates(texts: Sequence[MaskingCounts], category: str | None, origin: str | None) -> Iterator[MaskingRate]:
    for measure, counted in _COUNTED.items():
        k, n = np.array([counted(text, category) for text in texts], dtype=np.float64).T
        k, n = k[n > 0], n[n > 0]
        total, clusters = int(n.sum()), n.size
        reason: str | None
        if not total:
            reason = "There is none." if measure == "over_masking" else "There are no such spans."
            estimate = error = low = high = None
        else:
            estimate = float(k.sum() / total)
            variance = multiway_variance((k - estimate * n) / total, [np.arange(clusters)])
            limits = clustered_rate(estimate, variance.variance, clusters)
            low, high, reason = limits.low, limits.high, limits.reason or None
            error = float(np.sqrt(variance.variance)) if variance.variance else None
        yield MaskingRate(
            measure=measure,
            category=category,
            origin=origin,
            k=int(k.sum()),
            n=total,
            texts=clusters,
            estimate=estimate,
            standard_error=error,
            low=low,
            high=high,
            reason=reason,
        )


def _count(counts: "dict[str, int]", category: str | None) -> int:
    return sum(counts.values()) if category is None else counts.get(category, 0)
