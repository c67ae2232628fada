"""`evenhand data agreement`: how far two annotators agree, and labels to train on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.probes.an2024.labels.agreement import Agreement, agreement, joined_sheets
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import Scale, confidence_text, count_text, counted
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import refuse_existing, write_file

__all__ = ["AgreementResult", "measure_agreement"]

#: `--labels` wants so many e-mails that accept, and so many that reject.
FEWEST = 5
#: Disagreements that the terminal lists; the JSON has all.
SHOWN = 20
KAPPA = Scale(decimals=3)


@dataclass(frozen=True, kw_only=True)
class AgreementResult:
    """The agreement as JSON, and as text for the terminal."""

    json: str
    text: str


def measure_agreement(
    sheets: Sequence[Path], *, out: Path | None, force: bool, notice: Callable[[str], None]
) -> AgreementResult:
    """Read one sheet with both annotators' labels or two with one each; write the labels on which they agree.

    Raises
    ------
    InputError
        A sheet or the file to write can't be used.

    """
    if out is not None:
        if out.suffix.lower() not in {".csv", ".jsonl"}:
            raise InputError(f"--out {out} has the ending {out.suffix or '(none)'}; expected .csv or .jsonl.")
        refuse_existing(out, force=force)
    joined, remarks = joined_sheets(sheets)
    for line in remarks:
        notice(line)
    found = agreement(joined)
    if out is not None:
        if not found.labels.height:
            raise InputError("There is no label that both annotators gave, so there are no labels to write.")
        lines = b"".join(orjson.dumps(row) + b"\n" for row in found.labels.iter_rows(named=True))
        write_file(out, csv_bytes(found.labels, mark=True) if out.suffix.lower() == ".csv" else lines)
    for line in _remarks(found, written=out is not None):
        notice(line)
    return AgreementResult(json=_json(found, out), text=_text(found, out))


def _remarks(found: Agreement, *, written: bool) -> list[str]:
    lines = []
    if found.unlabelled:
        lines.append(f"{found.unlabelled:,} of {found.emails:,} e-mails lack a label and count for no agreement.")
    if written:
        open_ones = found.disagreements["resolved"].null_count()
        if open_ones:
            lines.append(
                f"{open_ones:,} disagreements are left out of the labels; those with a label under resolved are kept."
            )
        counts = dict(found.labels["label"].value_counts().iter_rows())
        few = [f"{counts.get(label, 0)} {label}" for label in DECISIONS[:2] if counts.get(label, 0) < FEWEST]
        if few:
            lines.append(
                f"--labels needs {FEWEST} e-mails that accept and {FEWEST} that reject; there are {' and '.join(few)}."
            )
    return lines


def _json(found: Agreement, out: Path | None) -> str:
    kappa = found.kappa
    content = {
        "emails": found.emails,
        "n": kappa.n,
        "unlabelled": found.unlabelled,
        "agreement": kappa.agreement,
        "kappa": {
            "estimate": kappa.estimate,
            "low": kappa.low,
            "high": kappa.high,
            "confidence": kappa.confidence,
            "standard_error": kappa.standard_error,
            "expected_agreement": kappa.expected_agreement,
            "method": kappa.method,
            "reason": kappa.reason,
        },
        "confusion": {row[0]: dict(zip(DECISIONS, row[1:], strict=True)) for row in found.table.iter_rows()},
        "disagreements": found.disagreements.to_dicts(),
        "resolved": found.resolved,
        "labels": {"file": None if out is None else str(out), "emails": found.labels.height},
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()


def _text(found: Agreement, out: Path | None) -> str:
    kappa, screen = found.kappa, Screen()
    share = "–" if kappa.agreement is None else f"{100 * kappa.agreement:.1f} %"
    screen.say(f"Agreement: {share} of {counted(kappa.n, 'e-mail')} with both labels.")
    if kappa.estimate is None:
        screen.say(f"Cohen's kappa: not computed. {kappa.reason}")
    else:
        interval = f"{confidence_text(kappa.confidence)} CI {KAPPA.interval(kappa.low, kappa.high)}"
        screen.say(f"Cohen's kappa: {KAPPA.text(kappa.estimate)} ({interval}). {kappa.method}.")
    heads = ("First", *(f"second: {label}" for label in DECISIONS))
    screen.say()
    screen.draw(
        Table(
            caption="E-mails by both labels",
            columns=[Column(label=label, numeric=place > 0) for place, label in enumerate(heads)],
            rows=[(row[0], *(count_text(count) for count in row[1:])) for row in found.table.iter_rows()],
        )
    )
    if found.disagreements.height:
        screen.say(f"\n{counted(found.disagreements.height, 'disagreement')}:")
        for email, first, second, resolved in found.disagreements.head(SHOWN).iter_rows():
            screen.say(f"{email}: {first}, {second}" + (f"; resolved: {resolved}" if resolved else ""), bullet="  ")
        if found.disagreements.height > SHOWN:
            screen.say(f"  and {found.disagreements.height - SHOWN:,} more; --json has all")
    if out is not None:
        screen.say(f"\n{counted(found.labels.height, 'label')}, {found.resolved:,} of them resolved.")
        screen.keep(str(out))
    return screen.text
