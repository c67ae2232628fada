"""`evenhand mask --evaluate`: recall, precision and over-masking on annotated texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.analyses.manifest import package_versions, utc_now
from evenhand.analyses.options.masking import Masking
from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import CATEGORIES, OPTIONAL
from evenhand.masking.quality import MEASURES, MaskingRate, annotated_texts, masking_counts, masking_rates
from evenhand.report.page.parts import Table, headings
from evenhand.report.words.numbers import Scale, count_text, counted
from evenhand.results.files import refuse_existing, written
from evenhand.results.messages import shortened
from evenhand.results.terminal import CommandOutput, Screen

_SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)
#: For tables; 0 % and 100 % mean none and all.
_WHOLE: Final = Scale(factor=100, suffix=" %", decimals=0)


def evaluate_masking(source: Path, masking: Masking, *, clock: Callable[[], str] = utc_now) -> CommandOutput:
    """Return recall, precision and over-masking of a file of annotated texts, and write them to the JSON file of --out.

    `monitor record` reads the JSON values.

    Raises
    ------
    InputError
        The file can't be read, annotations don't fit their texts, or --out exists already.

    """
    out = masking.out
    if out is not None:
        refuse_existing(out, force=masking.force)
    wanted = {*CATEGORIES, *(OPTIONAL[name] for name in masking.optional)}
    texts, named = [], 0
    for annotated in annotated_texts(source):
        names = (*annotated.known_names, *masking.known_names)
        named += bool(names)
        spans = [
            (span.start, span.end, span.category)
            for span in mask_text(annotated.text, known_names=names, options=masking).spans
        ]
        texts.append((annotated.origin, masking_counts(annotated, spans, wanted=wanted)))
    rates = masking_rates(texts)
    content = {
        "file": source.name,
        "evaluated": clock(),
        "versions": package_versions(),
        "options": {"optional": sorted(masking.optional), "strict": masking.strict},
        "texts": len(texts),
        "texts_with_known_names": named,
        "masking_rates": [asdict(rate) for rate in rates],
    }
    if out is not None:
        with written(out) as file:
            file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    screen = Screen()
    screen.say(f"Masking · {shortened(source.name)}")
    screen.say()
    overall = {rate.measure: rate for rate in rates if rate.category is None and rate.origin is None}
    screen.say(_sentences(overall, len(texts)))
    if named:
        screen.say(f"The name was given in known_names for {named:,} of {len(texts):,} texts.")
    if any(rate.category is not None for rate in rates):
        screen.say()
        screen.draw(_by_category(rates))
    if any(rate.origin is not None for rate in rates):
        screen.say()
        screen.draw(_by_origin(rates))
    return CommandOutput(content=content, text=screen.text)


def _sentences(rates: Mapping[Any, MaskingRate], texts: int) -> str:
    recall, precision, over = (rates[name] for name in MEASURES)
    parts = [
        f"{recall.k:,} of {counted(recall.n, 'annotated span')} in {counted(texts, 'text')} were masked whole: recall",
        f"{_rate_text(recall)}. {precision.k:,} of {counted(precision.n, 'masked span')} were annotated: precision",
        f"{_rate_text(precision)}. {over.k:,} of {counted(over.n, 'word')} that hold nothing annotated were masked:",
        f"over-masking {_rate_text(over)}.",
    ]
    return " ".join(parts)


def _table(caption: str, label: str, first: str, rows: Sequence[tuple[str, Sequence[MaskingRate]]]) -> Table:
    """Return the table of recall, precision and over-masking per category, or per origin."""
    heads = ("Annotated", f"{first} (95 % CI)", "Masked", "Precision (95 % CI)", "Words masked for nothing")
    cells = [
        [name, count_text(recall.n), _rate(recall), count_text(precision.n), _rate(precision), count_text(over.k)]
        for name, (recall, precision, over) in rows
    ]
    return Table(caption=caption, columns=headings(label, *heads), rows=cells)


def _by_category(rates: Sequence[MaskingRate]) -> Table:
    by_measure = {
        (rate.category, rate.measure): rate for rate in rates if rate.origin is None and rate.category is not None
    }
    names = sorted({name for name, _ in by_measure if name is not None})
    return _table(
        "By category:",
        "Category",
        "Recall",
        [(name, [by_measure[name, measure] for measure in MEASURES]) for name in names],
    )


def _by_origin(rates: Sequence[MaskingRate]) -> Table:
    """Return the recall of names, with precision and over-masking of all categories, per origin of the name."""
    by_measure = {(rate.origin, rate.category, rate.measure): rate for rate in rates if rate.origin is not None}
    rows = [
        (
            shortened(name),
            [by_measure[name, "NAME" if measure == MEASURES[0] else None, measure] for measure in MEASURES],
        )
        for name in sorted({name for name, _, _ in by_measure if name is not None})
    ]
    return _table("By origin of the name, names found and all that was masked:", "Origin", "Recall of names", rows)


def _rate_text(rate: MaskingRate) -> str:
    """Return a rate and its interval in a sentence."""
    if rate.estimate is None or rate.low is None or rate.high is None:
        return _SHARE.text(rate.estimate, apart=[1])
    return f"{_SHARE.text(rate.estimate, apart=[1])} (95 % CI {_SHARE.interval(rate.low, rate.high, apart=[1])})"


def _rate(rate: MaskingRate) -> str:
    """Return a rate and its interval in a cell."""
    if rate.estimate is None or rate.low is None or rate.high is None:
        return _WHOLE.text(rate.estimate, apart=[1])
    limits = "–".join(_WHOLE.number(limit, apart=[1]) for limit in (rate.low, rate.high))
    return f"{_WHOLE.text(rate.estimate, apart=[1])} ({limits})"
