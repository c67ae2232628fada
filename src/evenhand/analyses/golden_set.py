"""`evenhand monitor golden`: add, label, adjudicate, close, export, import and forget cases.

People label cases in sheets: masked, in a random order, without the labels of others. `agreement` gives Cohen's kappa.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl

from evenhand.analyses.options import golden
from evenhand.analyses.options.monitoring import StoreOptions
from evenhand.data.inputs import Position, read_positions
from evenhand.data.text_tables import read_text_table
from evenhand.data.toml_files import json_rows
from evenhand.errors import InputError, option_text
from evenhand.masking.mask import mask_text
from evenhand.masking.people import Person, people_of, read_people
from evenhand.monitoring import golden_cases, golden_labels, golden_stream
from evenhand.monitoring.store import Writing, canonical_json, opened_store, store_now, utc_text
from evenhand.report.page.parts import Column, Table, headings
from evenhand.report.words.numbers import ABSENT, counted, p_text
from evenhand.report.words.numbers import Scale as NumberScale
from evenhand.results.files import parsed_json, refuse_existing, write_file
from evenhand.results.finding import copied
from evenhand.results.messages import Notices, listed, quoted
from evenhand.results.result import csv_bytes, unguarded
from evenhand.results.terminal import CommandOutput, Screen, command_output
from evenhand.stats import CohensKappa

_LABEL_COLUMNS: Final = ("one said", "the other said")


def _masked_resume(case: golden_cases.Case) -> str:
    return mask_text(case.text or "", known_names=case.known_names).text


def write_sheet(cases: Sequence[golden_labels.OpenCase], path: Path, *, adjudicating: bool) -> None:
    """Write cases for one person to label; who adjudicates sees both labels."""
    label_columns = _LABEL_COLUMNS if adjudicating else ()
    rows = [
        {
            "case": case.code,
            "label": None,
            **dict(zip(label_columns, case.said, strict=True)),
            "position": case.position,
            "resume": case.resume,
        }
        for case in cases
    ]
    columns = ("case", "label", *label_columns, "position", "resume")
    write_file(path, csv_bytes(pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String)), mark=True))


def read_sheet(path: Path) -> dict[str, str]:
    """Return the labels of a sheet by case; rows without a label are skipped.

    Raises
    ------
    InputError
        The sheet can't be read, or has a case twice.

    """
    frame = read_text_table(path).frame
    if not {"case", "label"} <= set(frame.columns):
        raise InputError(f"{path} has no columns case and label. Columns: {listed(frame.columns)}.")
    labels: dict[str, str] = {}
    for number, (case, label) in enumerate(frame.select("case", "label").iter_rows(), 1):
        if label is None:
            continue
        code = unguarded((case or "").strip())
        if code in labels:
            raise InputError(f"Row {number} of {path} repeats a case.")
        labels[code] = unguarded(label)
    return labels


#: Keys of a row that are not groups.
_CASE_KEYS: Final = ("position", "twin", "reason")
_YES, _NO = frozenset({"yes", "true", "1", "y"}), frozenset({"no", "false", "0", "n"})


def add(
    source: Path, options: golden.GoldenAddOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Add all cases of a file, or the chosen ones; return how many are new.

    Raises
    ------
    InputError
        A file can't be used, or a case has no reason, no position, or the id of another case.

    """
    positions = {position.id: position for position in read_positions(options.positions)}
    people = people_in(source)
    scale, protected = _scale(options), _attributes(people, options)
    with opened_store(options.store, create=True, notice=notice, clock=clock) as store, store.writing() as writing:
        existing = golden_cases.cases_of(writing)
        reasons = None if options.choose is None else _chosen(people, options, existing, protected)
        chosen = people if reasons is None else [person for person in people if person.id in reasons]
        cases = [_new_case(person, positions, options, reasons or {}, protected) for person in chosen]
        cases = _with_twins(cases, existing)
        new = golden_cases.add_cases(writing, cases, scale)
        total = len(existing) + new
    known = len(cases) - new
    notes = f" {counted(known, 'case was', 'cases were')} there before." if known else ""
    notes += "" if reasons is None or len(reasons) == options.choose else " No reason holds for more."
    attributes = sorted({name for case in cases for name in case.groups})
    given = {person.id for person in chosen if "twin" in person.protected}
    twins = [case.id for case in cases if case.twin is not None and case.id not in given]
    if twins:
        notes += f" {counted(len(twins), 'case is', 'cases are')} another's twin: masked, both texts are the same."
    groups = f" Protected attributes: {listed(attributes)}." if attributes else ""
    return command_output(
        {"new": new, "known": known, "cases": total, "attributes": attributes, "chosen": reasons, "twins": twins},
        f"Added {counted(new, 'case')}; the golden set has {total:,}.{notes}{groups}",
    )


def forget(
    name: str | None, options: golden.GoldenForgetOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Remove the text of a case, those of a recorded unit, or those whose days are over.

    Return the cases without text now, and their counterparts that keep theirs.

    Raises
    ------
    InputError
        Not one of the three is asked for, there is no such case, or its text was removed before.

    """
    if sum((name is not None, options.unit is not None, options.expired)) != 1:
        raise InputError("Give one of these: the ID of a case, --unit UNIT or --expired.")
    with opened_store(options.store, notice=notice, clock=clock) as opened:
        try:
            with opened.writing() as writing:
                ids = _forgotten(writing, name, options.unit)
                cases = golden_cases.cases_of(writing)
        finally:  # also of a case that was forgotten before: the process may have been killed here
            left = opened.connection.write_over(golden_cases.TEXTS)
            if left is not None:
                notice(f"Copies may still be in {left}.")
    if name is None:
        text = f"The texts of {counted(len(ids), 'case')} are removed. Labels and scores stay."
    else:
        also = f", which {listed(ids)} had together" if len(ids) > 1 else ""
        text = f"The text of {quoted(name)} is removed{also}. Labels and scores stay."
    clusters = {case.cluster for case in cases if case.id in ids}
    twins = [case.id for case in cases if case.cluster in clusters and case.text is not None]
    text += f" Twins whose text stays: {listed(twins)}." if twins else ""
    return command_output({"forgotten": ids, "twins": twins}, text)


def _forgotten(writing: Writing, name: str | None, unit: str | None) -> list[str]:
    if name is not None:
        return golden_cases.forget_case(writing, name)
    if unit is None:
        return golden_cases.forget_expired(writing)
    ids = golden_cases.forget_unit(writing, golden_stream.unit_keys(writing)(unit.strip()))
    if not ids:
        raise InputError("No golden case with a text belongs to this unit; give the unit as it was recorded.")
    return ids


def people_in(source: Path) -> tuple[Person, ...]:
    """Return the people of JSONL, résumés, or a CSV with the same columns and names separated by semicolons."""
    if source.suffix.lower() not in {".csv", ".tsv"} or source.is_dir():
        return read_people(source)
    rows = []
    for number, cells in enumerate(read_text_table(source).frame.iter_rows(named=True), 1):
        row = {name: None if cell is None else unguarded(cell) for name, cell in cells.items()}
        names = [name.strip() for name in (row.get("known_names") or "").split(";") if name.strip()]
        rows.append((f"Row {number} of {source}", {**row, "known_names": names}))
    return people_of(rows)


def _scale(options: golden.GoldenAddOptions) -> golden_cases.Scale | None:
    if not options.labels:
        if options.positive is not None:
            raise InputError("--positive needs --labels: it is one of them.")
        return None
    return golden_cases.Scale(labels=options.labels, positive=options.positive or options.labels[-1])


def position_of(person: Person, positions: Mapping[str, Position]) -> Position:
    """Return the position that a row names, or the only one there is.

    Raises
    ------
    InputError
        It names none of them.

    """
    name = person.protected.get("position") or (next(iter(positions)) if len(positions) == 1 else None)
    if name is None:
        raise InputError(
            f"Case {quoted(person.id)} has no position, and there are {len(positions)}; give a key position."
        )
    if name not in positions:
        raise InputError(
            f"Case {quoted(person.id)} has the position {quoted(name)}; expected one of {listed(positions)}."
        )
    return positions[name]


def _new_case(
    person: Person,
    positions: Mapping[str, Position],
    options: golden.GoldenAddOptions,
    reasons: Mapping[str, str],
    attributes: Collection[str],
) -> golden_cases.Case:
    reason = reasons.get(person.id) or person.protected.get("reason") or options.reason
    if not (reason or "").strip():
        raise InputError(f"Case {quoted(person.id)} has no reason; give --reason, or add the key reason to the file.")
    return golden_cases.Case(
        id=person.id,
        text=person.text,
        known_names=person.known_names,
        position=asdict(position_of(person, positions)),
        groups=_groups(person, attributes),
        twin=person.protected.get("twin"),
        reason=str(reason).strip(),
    )


def _chosen(
    people: Sequence[Person],
    options: golden.GoldenAddOptions,
    existing: Sequence[golden_cases.Case],
    attributes: Collection[str],
) -> dict[str, str]:
    """Return the reason for each chosen person."""
    known = {case.id for case in existing}
    candidates = [
        golden_cases.Candidate(
            id=person.id,
            groups=_groups(person, attributes),
            scores={name: _number(person, name) for name in options.scores if name in person.protected},
            decided=None if options.decision is None else _decided(person, options.decision),
        )
        for person in people
        if person.id not in known
    ]
    for name in (*options.scores, *([options.decision] if options.decision else [])):
        if not any(name in person.protected for person in people):
            raise InputError(f"No row has a key {quoted(name)}.")
    reasons = golden_cases.chosen(candidates, options.choose or 0, there=[case.groups for case in existing])
    if not reasons:
        raise InputError("--choose needs --scores and --decision, or rows with a protected attribute.")
    return reasons


def _attributes(people: Sequence[Person], options: golden.GoldenAddOptions) -> tuple[str, ...]:
    """Return the keys with the groups: those of --protected, else all that have no other meaning and hold no number."""
    meant = {*_CASE_KEYS, *options.scores, options.decision}
    keys = list(dict.fromkeys(key for person in people for key in person.protected if key not in meant))
    if options.protected:
        for name in options.protected:
            if name in meant:
                raise InputError(
                    f"--protected {name}: this key has another meaning here; rename the key of the groups."
                )
            if name not in keys:
                raise InputError(f"No row has a key {quoted(name)}, which --protected names. Keys: {listed(keys)}.")
        return options.protected
    numeric = [key for key in keys if any(_is_number(person.protected.get(key)) for person in people)]
    if numeric:
        words = ",".join(key for key in keys if key not in numeric) or numeric[0]
        raise InputError(
            f"{listed(numeric)}: these keys hold numbers and may not be protected attributes. Give all keys that are, "
            f"such as {option_text('protected', words)}; others are left out."
        )
    return tuple(keys)


def _is_number(value: str | None) -> bool:
    try:
        return value is not None and isfinite(float(value))
    except ValueError:
        return False


def _groups(person: Person, attributes: Collection[str]) -> dict[str, str]:
    return {key: value for key, value in person.protected.items() if key in attributes}


def _with_twins(cases: Sequence[golden_cases.Case], existing: Sequence[golden_cases.Case]) -> list[golden_cases.Case]:
    """Return the cases; one without a twin that masking makes equal to an earlier one, for a position, gets its twin.

    Masking takes long: it is done where two cases for a position have as many lines.
    """
    known = {case.id for case in existing}
    candidates: dict[tuple[str, int], list[golden_cases.Case]] = defaultdict(list)
    for case in (*existing, *(case for case in cases if case.id not in known)):
        if case.text is not None:
            candidates[canonical_json(case.position), len(case.text.splitlines())].append(case)
    twins: dict[str, str] = {}
    for alike in candidates.values():
        if not any(case.id not in known and case.twin is None for case in alike[1:]):
            continue
        first: dict[str, str] = {}
        for case in alike:
            twin = first.setdefault(_masked_resume(case), case.cluster)
            if case.twin is None and twin != case.id:
                twins[case.id] = twin
    return [replace(case, twin=twins.get(case.id, case.twin)) if case.id not in known else case for case in cases]


def _number(person: Person, name: str) -> float:
    try:
        number = float(person.protected[name])
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InputError(f"{quoted(name)} of case {quoted(person.id)} is not a number.")
    return number


def _decided(person: Person, name: str) -> bool | None:
    value = person.protected.get(name)
    if value is None:
        return None
    if value.casefold() not in _YES | _NO:
        raise InputError(f"{quoted(name)} of case {quoted(person.id)} is {quoted(value)}; expected yes or no.")
    return value.casefold() in _YES


def label(
    sheet: Path | None,
    options: golden.GoldenLabelOptions,
    *,
    adjudicating: bool,
    notice: Notices,
    clock: Callable[[], datetime] = store_now,
) -> CommandOutput:
    """Write a sheet of the open cases of one person, or store the labels of one.

    Raises
    ------
    InputError
        No person is named, both or neither of sheet and --out are given, or a label can't be used.

    """
    by = golden_labels.person_named(options.by)
    if (sheet is None) == (options.out is None):
        raise InputError("Give --out FILE.csv to write the cases to label, or the completed sheet, not both.")
    if options.out is not None:
        refuse_existing(options.out, force=options.force)
    with opened_store(options.store, notice=notice, clock=clock) as store:
        labels = golden_cases.scale_of(store).labels
        if sheet is not None:
            sheet_labels = read_sheet(sheet)
            with store.writing() as writing:
                new = golden_labels.take_labels(writing, sheet_labels, by=by, adjudicating=adjudicating)
            return command_output(
                {"by": by, "new": new, "given": len(sheet_labels)}, f"Took {counted(new, 'new label')} of {by}."
            )
        assert options.out is not None
        resume = (lambda case: case.text or "") if options.unmasked else _masked_resume
        cases = golden_labels.open_cases(store, by=by, adjudicating=adjudicating, resume=resume)
    write_sheet(cases, options.out, adjudicating=adjudicating)
    words = f"fill in the column label: {', '.join(labels)}."
    text = f"{counted(len(cases), 'case is', 'cases are')} in {options.out}; {words}"
    text = text if cases else f"No case waits for {by}; {options.out} has none."
    return command_output({"by": by, "cases": len(cases), "file": str(options.out)}, text)


def close(
    options: golden.GoldenCloseOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Close a version of the cases with a final label.

    Raises
    ------
    InputError
        No person is named, or there is nothing new to close.

    """
    with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
        version = golden_labels.close_version(writing, by=golden_labels.person_named(options.by))
        waiting = sum(case.label is None for case in golden_labels.case_labels(writing).values())
    content = {"version": version.number, "cases": len(version.labels), "waiting": waiting, "digest": version.digest}
    others = f" Left out: {counted(waiting, 'other')} without a final label." if waiting else ""
    return command_output(content, f"Closed version {version.number}: {counted(len(version.labels), 'case')}.{others}")


DEPENDENT = "The cases of a counterfactual pair count as one cluster in the intervals: they share a résumé."
_KAPPA = NumberScale(decimals=3)
_SHARE = NumberScale(factor=100, suffix=" %", decimals=1)


def agreement(options: StoreOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now) -> CommandOutput:
    """Return kappa by group, and the labels of counterfactual pairs.

    Raises
    ------
    InputError
        There is no golden set.

    """
    with opened_store(options.store, notice=notice, clock=clock) as store:
        kappas, twins = golden_labels.kappas(store), golden_labels.counterfactual_labels(store)
        ordered = len(golden_cases.scale_of(store).labels) > 2
    screen = Screen()
    screen.draw(_kappa_table(kappas, ordered=ordered))
    if twins:
        screen.say(DEPENDENT)
        screen.say()
        screen.draw(_counterfactual_table(twins))
    content: dict[str, Any] = {
        "kappa": [
            {"group": dict(kappa.group), "drawn": kappa.drawn}
            | {name: asdict(getattr(kappa, name)) for name in ("plain", "weighted")}
            for kappa in kappas
        ],
        "twins": [asdict(row) for row in twins],
    }
    return CommandOutput(content=content, text=screen.text)


def _kappa_table(kappas: list[golden_labels.GroupKappa], *, ordered: bool) -> Table:
    columns = headings("Group", "n", "Agree", "Kappa", "95 % CI", *(["Weighted kappa", "95 % CI"] if ordered else []))
    rows = []
    for kappa in kappas:
        name = ", ".join(f"{attribute} = {value}" for attribute, value in kappa.group.items()) or "All"
        name = "Drawn, weighted" if kappa.drawn else name
        agree = ABSENT if kappa.plain.agreement is None or not kappa.plain.n else _SHARE.text(kappa.plain.agreement)
        cells = [*_cells(kappa.plain), *(_cells(kappa.weighted) if ordered else ())]
        rows.append([name, f"{kappa.plain.n:,}", agree, *cells])
    return Table(
        caption="How far two labels of a case agree, before adjudication (Cohen's kappa"
        + ("; weighted by the squared distance):" if ordered else "):"),
        columns=columns,
        rows=rows,
    )


def _cells(kappa: CohensKappa) -> tuple[str, str]:
    if kappa.estimate is None:
        return ABSENT, ABSENT
    return _KAPPA.text(kappa.estimate), _KAPPA.interval(kappa.low, kappa.high)


def _counterfactual_table(twins: list[golden_labels.CounterfactualLabels]) -> Table:
    labels = ("Labeller", "Groups", "Twins", "First higher", "Second higher", "Differ", "95 % CI", "p", "p, adjusted")
    rows = [
        [
            row.labeller,
            ", ".join(row.groups),
            f"{row.pairs:,}",
            f"{row.higher_first:,}",
            f"{row.higher_second:,}",
            _SHARE.text(row.share),
            _SHARE.interval(row.low, row.high),
            p_text(row.p),
            p_text(row.p_adjusted),
        ]
        for row in twins
    ]
    return Table(
        caption="Labels of twins, which differ only in the group; p: McNemar's exact test, Holm over these lines:",
        columns=[Column(label=label, numeric=place > 1) for place, label in enumerate(labels)],
        rows=rows,
    )


#: Fields that a CSV holds as JSON.
NESTED: Final = ("known_names", "position", "groups", "labels", "adjudicated", "versions", "scale", "drawn")
_EXPECTED: Final = "a line of evenhand monitor golden export"
_CASE: Final = ("id", "text", "position", "groups", "twin", "reason", "day", "keep_until")
_LABEL_FIELDS: Final = {"by": str, "label": str, "time": str}
_STRATUM_FIELDS: Final = {"model": str, "groups": str, "size": int, "drawn": int, "proposed": str}
_NUMBER: Final = (int, float, type(None))
#: The shape of each field: a type, several, a list of one kind, or a mapping; `str` as a key stands for any.
_SHAPE: Final[Mapping[str, Any]] = {
    "id": str,
    "text": (str, type(None)),
    "twin": (str, type(None)),
    "reason": str,
    "day": (str, type(None)),
    "keep_until": (str, type(None)),
    "known_names": [str],
    "groups": {str: str},
    "position": {
        "id": str,
        "title": str,
        "text": str,
        "skills": [str],
        "location": (str, type(None)),
        "must": [str],
        "nice": [str],
        "years": [_NUMBER],
        "columns": {str: str},
    },
    "labels": [_LABEL_FIELDS],
    "scale": {"labels": [str], "positive": str},
}


@dataclass(frozen=True, kw_only=True)
class Exported:
    """Cases with a text, their labels, and how many cases have none.

    `labels` and `decided` (adjudicated) are by person and case, and so are `times`; `strata` are by case.
    """

    scale: golden_cases.Scale
    cases: Sequence[golden_cases.Case]
    labels: Mapping[str, Mapping[str, str]]
    decided: Mapping[str, Mapping[str, str]]
    times: Mapping[tuple[str, str], str]
    strata: Mapping[str, golden_stream.Stratum]
    left_out: int


def read_exported(path: Path) -> Exported:
    """Return the content of an exported file.

    Raises
    ------
    InputError
        The file can't be read, or `export` did not write a row; the first is named.

    """
    rows = _rows(path)
    for number, row in enumerate(rows, 1):
        wrong = next((name for name, shape in _SHAPE.items() if not _fits(row.get(name), shape)), None)
        for name, shape in (("adjudicated", _LABEL_FIELDS), ("drawn", _STRATUM_FIELDS)):
            wrong = wrong or (None if row.get(name) is None or _fits(row[name], shape) else name)
        wrong = wrong or (None if row["scale"] == rows[0]["scale"] else "scale")
        said = [*row.get("labels", ()), *filter(None, [row.get("adjudicated")])] if wrong is None else []
        wrong = wrong or (None if all(map(_is_dated_label, said)) else "labels")
        if wrong is not None:
            raise InputError(
                f"Row {number} of {path} was not written by evenhand monitor golden export: {wrong} has another form."
            )
    with_text = [{"day": None, "keep_until": None} | row for row in rows if row["text"] is not None]
    labels = [(row["id"], label) for row in with_text for label in row["labels"]]
    decided = [(row["id"], row["adjudicated"]) for row in with_text if row.get("adjudicated") is not None]
    return Exported(
        scale=golden_cases.Scale(labels=tuple(rows[0]["scale"]["labels"]), positive=rows[0]["scale"]["positive"]),
        cases=[
            golden_cases.Case(known_names=tuple(row["known_names"]), **{name: row[name] for name in _CASE})
            for row in with_text
        ],
        labels=_by_person(labels),
        decided=_by_person(decided),
        times={
            (label["by"], name): utc_text(datetime.fromisoformat(label["time"])) for name, label in (*labels, *decided)
        },
        strata={row["id"]: golden_stream.Stratum(**row["drawn"]) for row in with_text if row.get("drawn") is not None},
        left_out=len(rows) - len(with_text),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix.lower() != ".csv":
        return [row for _, row in json_rows(path, expected=_EXPECTED)]
    rows = []
    for number, row in enumerate(read_text_table(path).frame.iter_rows(named=True), 1):
        cells = {name: None if cell is None else unguarded(cell) for name, cell in row.items()}
        try:
            rows.append(
                {name: parsed_json(cell.encode()) if name in NESTED and cell else cell for name, cell in cells.items()}
            )
        except orjson.JSONDecodeError as error:
            raise InputError(f"Row {number} of {path} was not written by evenhand monitor golden export.") from error
    if not rows:
        raise InputError(f"{path} has no rows; expected {_EXPECTED}.")
    return rows


def _fits(value: Any, shape: Any) -> bool:
    """Return whether a value has a shape of `_SHAPE`."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(item, shape[0]) for item in value)
    if not isinstance(shape, dict):
        return isinstance(value, shape) and not isinstance(value, bool)
    if not isinstance(value, dict):
        return False
    if str in shape:
        return all(_fits(item, shape[str]) for item in value.values())
    return value.keys() == shape.keys() and all(_fits(value[name], part) for name, part in shape.items())


def _is_dated_label(label: Mapping[str, str]) -> bool:
    """Return whether a label has a person, and a time with its zone."""
    try:
        at = datetime.fromisoformat(label["time"])
    except ValueError:
        return False
    return label["by"] == label["by"].strip() != "" and at.tzinfo is not None


def _by_person(labels: Sequence[tuple[str, Mapping[str, str]]]) -> dict[str, dict[str, str]]:
    """Return labels by person and case."""
    by_person: dict[str, dict[str, str]] = {}
    for name, label in labels:
        by_person.setdefault(label["by"], {})[name] = label["label"]
    return by_person


_COLUMNS: Final = ("id", "text", "twin", "reason", "label", "day", "keep_until", *NESTED)


def export(
    options: golden.GoldenExportOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Write all cases with their labels.

    Raises
    ------
    InputError
        There is no golden set, or the file can't be written.

    """
    if options.out.suffix.lower() not in {".jsonl", ".csv"}:
        raise InputError(f"--out {options.out} has another extension; expected .jsonl or .csv.")
    refuse_existing(options.out, force=options.force)
    with opened_store(options.store, notice=notice, clock=clock) as store:
        scale, known = golden_cases.scale_of(store), golden_labels.case_labels(store)
        strata = golden_stream.strata_of(store)
        rows = [
            _row(case, known[case.id], scale)
            | {"drawn": None if case.stratum is None else asdict(strata[case.stratum])}
            for case in golden_cases.cases_of(store)
        ]
    write_file(options.out, _written(rows, options.out))
    return command_output(
        {"cases": len(rows), "file": str(options.out)}, f"{counted(len(rows), 'case')} in {options.out}."
    )


def _row(case: golden_cases.Case, labels: golden_labels.CaseLabels, scale: golden_cases.Scale) -> dict[str, Any]:
    def label_row(label: golden_labels.GoldenLabel) -> dict[str, str]:
        return {"by": label.by, "label": scale.labels[label.label], "time": label.time}

    return {
        **copied(case, "id text twin reason"),
        "label": None if labels.label is None else scale.labels[labels.label],
        **copied(case, "known_names position groups"),
        "labels": [label_row(label) for label in labels.labels],
        "adjudicated": None if labels.adjudicated is None else label_row(labels.adjudicated),
        "versions": labels.versions,
        **copied(case, "day keep_until"),
        "scale": {"labels": scale.labels, "positive": scale.positive},
    }


def import_cases(
    source: Path, options: StoreOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Add exported cases with their labels; versions are closed anew.

    Raises
    ------
    InputError
        `export` did not write the file, or it contradicts the store.

    """
    exported = read_exported(source)
    with opened_store(options.store, create=True, notice=notice, clock=clock) as store, store.writing() as writing:
        numbers = {
            stratum: golden_stream.stratum_id(writing, stratum) for stratum in dict.fromkeys(exported.strata.values())
        }
        cases = [
            replace(case, stratum=numbers[exported.strata[case.id]]) if case.id in exported.strata else case
            for case in exported.cases
        ]
        new = golden_cases.add_cases(writing, cases, exported.scale)
        labels = sum(
            golden_labels.add_labels(writing, by_case, by=by, times=exported.times)
            for by, by_case in exported.labels.items()
        )
        labels += sum(
            golden_labels.add_adjudications(writing, by_case, by=by, times=exported.times)
            for by, by_case in exported.decided.items()
        )
        golden_labels.save_labeller_values(writing)
        golden_cases.forget_expired(writing)
    left = exported.left_out
    without = f" {counted(left, 'case has', 'cases have')} no text and stayed out." if left else ""
    content = {"new": new, "labels": labels, "left_out": left}
    return command_output(content, f"Added {counted(new, 'case')} and {counted(labels, 'label')}.{without}")


def _written(rows: Sequence[Mapping[str, Any]], path: Path) -> bytes:
    if path.suffix.lower() == ".jsonl":
        return b"".join(orjson.dumps(row) + b"\n" for row in rows)
    flat = [{name: canonical_json(row[name]) if name in NESTED else row[name] for name in _COLUMNS} for row in rows]
    return csv_bytes(pl.DataFrame(flat, schema=dict.fromkeys(_COLUMNS, pl.String)), mark=True)
