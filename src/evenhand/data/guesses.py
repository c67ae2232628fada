"""Guesses of the roles of a table's columns, with reasons, for a person to confirm; nothing is counted by a guess."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import ibis

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.count_tables import column_of_counts, is_numeric
from evenhand.data.feature_columns import ParsedColumn, columns_of
from evenhand.data.group_labels import attribute_of
from evenhand.data.labels import NO, YES, as_typed, decisions_of, fold, labels_of, likely_meaning
from evenhand.data.open_table import OpenTable, is_text
from evenhand.data.published_cells import read_rates, suppressed_range
from evenhand.data.roles import name_words
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import ColumnPreview
from evenhand.results.messages import listed, quoted, shortened

#: Limits on the columns that are previewed and on the values listed of one.
MOST_COLUMNS: Final = 200
MOST_VALUES: Final = 40
MOST_GROUPS: Final = 20
MOST_POSITIONS: Final = 1_000
_WORDS: Final = {
    "protected": "gender sex race ethnicity ethnic hispanic nationality religion disability disabled veteran "
    "orientation caste",
    "selected": "hired hire selected selection admitted admit admission accepted offered offer passed decision outcome "
    "called callback invited interviewed shortlisted promoted approved result status",
    "position": "position job department dept role requisition vacancy opening team",
    "score": "score rating probability points",
    "unit": "applicant candidate person",
    "age": "age",
    "applicants": "applied applicants applications bewerbungen bewerber candidatures candidats solicitudes "
    "sollicitaties",
    "selection_rate": "rate quote quota taux tasa percentage percent",
}
#: Words in the names of columns, by the option that takes such a column.
NAMES: Final = {option: frozenset(words.split()) for option, words in _WORDS.items()}
#: The option and the reason, by column.
Guesses = dict[str, tuple[str, str]]


def column_previews(table: OpenTable) -> tuple[int, list[ColumnPreview]]:
    """Return the number of rows, and a preview of the first 200 columns with the role that each may have.

    A role is guessed from the name and the values of a column; where two columns are equally likely, none gets it.

    Raises
    ------
    ServiceError
        The engine failed.

    """
    columns = columns_of(table)
    previews = [_column_preview(table, name, columns.readings[name]) for name in list(columns.readings)[:MOST_COLUMNS]]
    guesses = _guesses(table, previews, columns.rows)
    return columns.rows, [
        replace(preview, role=guesses[preview.name][0], reason=guesses[preview.name][1])
        if preview.name in guesses
        else preview
        for preview in previews
    ]


def open_question(table: OpenTable, previews: Sequence[ColumnPreview]) -> str:
    """Return what to ask where the guesses don't say who is compared and selected, with the options that answer it."""
    protected, selected = option_text("protected"), option_text("selected")
    wide = _columns_of_groups(table, previews)
    if wide:
        return f"Groups may have columns of their own: if they do, say {option_text('counts', as_typed(wide))}."
    if stages := _stages(table, previews):
        return f"Each column may be a stage: if so, say {option_text('funnel', as_typed(','.join(stages)))}."
    chosen = next((preview for preview in previews if preview.role == "selected" and not preview.plain), None)
    if any(preview.role in {"selected_count", "score"} or preview.plain for preview in previews if preview.role):
        return f"Which column has the groups? Say {protected}."
    if chosen is None:
        known = any(preview.role == "protected" for preview in previews)
        which, groups = ("What", "") if known else ("Which column has the groups, and what", f"{protected} with ")
        return (
            f"{which} says who was selected? Say {groups}{selected} (a row is one person), {option_text('applicants')} "
            f"with {option_text('selected_count')} (a row is a group), {option_text('funnel')} (a column is a stage), "
            f"or {option_text('furthest')} (a column has the stage that each person reached last)."
        )
    name, labels = shortened(chosen.name), [label for label in chosen.values if label]
    way = option_text("selected", as_typed(f"{name}={labels[0] if len(labels) == 1 else 'VALUE,…'}"))
    if len(labels) > 2 and not any(fold(label) in YES | NO for label in labels):
        furthest = option_text("furthest", as_typed(f"{name}={','.join(labels)}"))
        return (
            f"What does {quoted(chosen.name)} say? If it is the stage that each person reached last, give {furthest} "
            f"with the stages in their order; else name the values that mean selected: {way}."
        )
    return (
        f"Which values of {quoted(chosen.name)} mean selected: {way}, and which mean no decision: "
        f"{option_text('undecided', as_typed(f'{name}=VALUE'))}?"
    )


def _columns_of_groups(table: OpenTable, previews: Sequence[ColumnPreview]) -> str:
    """Return `--counts` of columns of numbers that differ in the word for who applied or was selected; "" without."""
    places: dict[tuple[str, ...], dict[str, str]] = {}
    labels: dict[tuple[str, ...], str] = {}
    for preview in previews:
        for option in ("applicants", "selected"):
            if (word := _word(preview.name, option)) and is_numeric(table, preview.name):
                rest = tuple(each for each in name_words(preview.name) if each != word)
                places.setdefault(rest, {}).setdefault(option, preview.name)
                labels.setdefault(rest, re.sub(word, "", preview.name, flags=re.IGNORECASE).strip(" _-:/."))
    pairs = [
        f"{labels[rest]}={columns['selected']}/{columns['applicants']}"
        for rest, columns in places.items()
        if labels[rest] and len(columns) > 1
    ]
    return ",".join(pairs) if len(pairs) > 1 else ""


def _stages(table: OpenTable, previews: Sequence[ColumnPreview]) -> list[str]:
    """Return the columns from that of who applied to the last of who was selected, if all hold days, or all counts."""
    applied, selected = (
        [place for place, preview in enumerate(previews) if _word(preview.name, option)]
        for option in ("applicants", "selected")
    )
    stages = previews[applied[0] : selected[-1] + 1] if applied and selected else ()
    days, counts = (preview.holds == "date" for preview in stages), (_is_count(table, preview) for preview in stages)
    return [preview.name for preview in stages] if len(stages) > 2 and (all(days) or all(counts)) else []


def _is_count(table: OpenTable, preview: ColumnPreview) -> bool:
    """Say whether a column holds numbers, some of which may not be shown."""
    shown = [label for label in preview.values if label and suppressed_range(label) is None]
    return is_numeric(table, preview.name) or (
        0 < len(shown) < len(preview.values) and all(label.replace(",", "").isdecimal() for label in shown)
    )


def _is_rate(preview: ColumnPreview) -> bool:
    """Say whether a column holds rates: shares or percentages."""
    labels = [label for label in preview.values if label not in {"", "0", "1"}]
    return bool(labels) and not any(isinstance(rate, str) for rate in read_rates(labels, preview.name))


def _column_preview(table: OpenTable, name: str, parsed: ParsedColumn) -> ColumnPreview:
    column = table.expr[name]
    value = column.strip().nullif("") if is_text(column) else column
    normalised = value.lower() if is_text(column) else value
    countable = not parsed.many or _word(name, "unit")
    different = normalised.nunique() if countable else ibis.null("int64")
    summary = table.expr.aggregate(n=different, empty=value.isnull().cast("int64").sum())
    n, empty = table.fetch(summary).row(0)
    preview = ColumnPreview(name=name, holds=parsed.kind, different=n, empty=empty or 0)
    if not preview.has(0, MOST_VALUES):
        return preview
    cells = table.fetch(table.expr.group_by(decision=column).aggregate(n=table.expr.count()))
    labels = labels_of(list(cells.iter_rows()), frozenset({""})).of
    values: dict[str, int] = {}
    for cell, n in cells.sort("n", descending=True).iter_rows():
        values[labels[cell] or ""] = values.get(labels[cell] or "", 0) + n
    try:
        plain = bool(decisions_of(cells, name, None).selected)
    except InputError:
        plain = False
    return replace(
        preview,
        values=dict(sorted(values.items(), key=lambda item: (-item[1], item[0]))),
        plain=plain,
        meanings={label: likely_meaning(label) for label in values if label},
    )


def _word(name: str, option: str) -> str | None:
    """Return the first word of a column's name that is usual for an option.

    >>> _word("AdmitDecision_2", "selected")
    'admit'
    """
    return next((word for word in name_words(name) if word in NAMES[option]), None)


def _guesses(table: OpenTable, previews: Sequence[ColumnPreview], rows: int) -> Guesses:
    guesses: Guesses = {}
    for preview in previews:
        if not preview.has(2, MOST_GROUPS):
            continue
        attributes = Counter(filter(None, map(attribute_of, preview.values))).most_common(1)
        if _word(preview.name, "protected"):
            guesses |= _only([preview], "protected", "{called}, and it has {n} values.")
        elif attributes and attributes[0][1] > 1:
            attribute, n = attributes[0]
            guesses[preview.name] = "protected", f"It holds {n} labels of {attribute}."
    guesses |= _counts(table, [preview for preview in previews if preview.name not in guesses], groups=tuple(guesses))
    remaining = [preview for preview in previews if preview.name not in guesses]
    if not any(role in {"selected_count", "selection_rate"} for role, _ in guesses.values()):
        guesses |= _selected(
            [preview for preview in remaining if preview.plain or not (_is_rate(preview) or _is_count(table, preview))]
        )
    numbers = [preview for preview in remaining if preview.holds == "number" and preview.name not in guesses]
    if not any(role.startswith("selected") for role, _ in guesses.values()):
        guesses |= _only(
            [preview for preview in numbers if _word(preview.name, "score")], "score", "{called}, and it holds numbers."
        )
    guesses |= _only(
        [preview for preview in numbers if _word(preview.name, "age")], "age", "{called}, and it holds numbers."
    )
    places = [preview for preview in remaining if _word(preview.name, "position") and preview.has(2, MOST_POSITIONS)]
    guesses |= _only(places, "position", "{called}, and it has {n:,} values.")
    people = [
        preview
        for preview in remaining
        if _word(preview.name, "unit") and preview.has(MOST_GROUPS + 1, rows - preview.empty - 1)
    ]
    return guesses | _only(people, "unit", "{called}, and some of its {n:,} values stand in several rows.")


def _counts(table: OpenTable, previews: Sequence[ColumnPreview], *, groups: tuple[str, ...]) -> Guesses:
    """Return the columns of a table of counts: people per row, or numbers of applicants and selected people."""
    column = column_of_counts(table, ApplicantQuery(protected=groups))
    reason = "Its name is that of a count, it holds numbers, and each row is another combination."
    if column is None:
        numbers = [preview for preview in previews if not preview.plain and is_numeric(table, preview.name)]
        applied = [preview for preview in numbers if _word(preview.name, "applicants")]
        column, reason = applied[0].name if len(applied) == 1 else "", "Its name is that of a number of applicants."
    if column not in {preview.name for preview in previews}:
        return {}
    candidates = [
        preview
        for preview in previews
        if preview.name != column and not preview.plain and _word(preview.name, "selected")
    ]
    counts = [preview for preview in candidates if _is_count(table, preview) and not _is_rate(preview)]
    rates = [preview for preview in previews if _word(preview.name, "selection_rate") and _is_rate(preview)]
    chosen = _only(counts, "selected_count", "It holds numbers, too.")
    if not counts:
        chosen = _only(rates, "selection_rate", "{called}, and it holds {values}.")
    if not chosen and _word(column, "applicants"):
        return {}
    return {column: ("applicants" if chosen else "count", reason)} | chosen


def _selected(previews: Sequence[ColumnPreview]) -> Guesses:
    """Return the decision column: by name and yes/no values, else by yes/no values, else by name."""
    plain = [preview for preview in previews if preview.plain and preview.has(2, 2)]
    named = [preview for preview in previews if _word(preview.name, "selected") and preview.has(2, MOST_GROUPS)]
    for candidates, reason in (
        ([preview for preview in plain if preview in named], "{called}, and it holds {values}."),
        (plain, "It is the only column that holds yes and no: {values}."),
        ([preview for preview in named if preview.holds == "text"], "{called}, and it holds {values}."),
    ):
        if candidates:
            return _only(candidates, "selected", reason)
    return {}


def _only(candidates: Sequence[ColumnPreview], role: str, reason: str) -> Guesses:
    """Return the guess if exactly one column fits; several are equally likely."""
    if len(candidates) != 1:
        return {}
    preview = candidates[0]
    called = f"Its name has the word {quoted(_word(preview.name, role) if role in NAMES else None)}"
    values = listed([label for label in preview.values if label], most=4, quotes=True)
    return {preview.name: (role, reason.format(called=called, n=preview.different, values=values))}
