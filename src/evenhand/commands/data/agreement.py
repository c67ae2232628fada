"""`evenhand data agreement`: how far two annotators agree, and labels to train on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from evenhand.commands.data.classifier_reading import confusion_table, kappa_json, reading_json, say_reading
from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.probes.an2024.labels.agreement import Agreement, agreement, joined_sheets, with_labels
from evenhand.probes.an2024.labels.key import with_key
from evenhand.probes.an2024.labels.reading import Reading, reading
from evenhand.report.words.numbers import Scale, confidence_text, counted
from evenhand.runs.options.files import AgreementOptions
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
    sheets: Sequence[Path], options: AgreementOptions, *, notice: Callable[[str], None]
) -> AgreementResult:
    """Read one sheet with both annotators' labels or two with one each; write the labels on which they agree.

    With the sheet's key the classifier is compared with these labels, too.

    Raises
    ------
    InputError
        A sheet, its key or the file to write can't be used.

    """
    out = options.out
    if out is not None:
        if out.suffix.lower() not in {".csv", ".jsonl"}:
            raise InputError(f"--out {out} has the ending {out.suffix or '(none)'}; expected .csv or .jsonl.")
        refuse_existing(out, force=options.force)
    joined, remarks = joined_sheets(sheets)
    for line in remarks:
        notice(line)
    found = agreement(joined)
    read = None if options.key is None else reading(with_key(with_labels(joined), options.key))
    if out is not None:
        if not found.labels.height:
            raise InputError("There is no label that both annotators gave, so there are no labels to write.")
        lines = b"".join(orjson.dumps(row) + b"\n" for row in found.labels.iter_rows(named=True))
        write_file(out, csv_bytes(found.labels, mark=True) if out.suffix.lower() == ".csv" else lines)
    for line in _remarks(found, written=out is not None):
        notice(line)
    return AgreementResult(json=_json(found, read, out), text=_text(found, read, out))


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


def _json(found: Agreement, read: Reading | None, out: Path | None) -> str:
    kappa = found.kappa
    content = {
        "emails": found.emails,
        "n": kappa.n,
        "unlabelled": found.unlabelled,
        "agreement": kappa.agreement,
        "kappa": kappa_json(kappa),
        "confusion": {row[0]: dict(zip(DECISIONS, row[1:], strict=True)) for row in found.table.iter_rows()},
        "disagreements": found.disagreements.to_dicts(),
        "resolved": found.resolved,
        "labels": {"file": None if out is None else str(out), "emails": found.labels.height},
        **({} if read is None else {"classifier": reading_json(read)}),
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()


def _text(found: Agreement, read: Reading | None, out: Path | None) -> str:
    kappa, screen = found.kappa, Screen()
    share = "–" if kappa.agreement is None else f"{100 * kappa.agreement:.1f} %"
    screen.say(f"Agreement: {share} of {counted(kappa.n, 'e-mail')} with both labels.")
    if kappa.estimate is None:
        screen.say(f"Cohen's kappa: not computed. {kappa.reason}")
    else:
        interval = f"{confidence_text(kappa.confidence)} CI {KAPPA.interval(kappa.low, kappa.high)}"
        screen.say(f"Cohen's kappa: {KAPPA.text(kappa.estimate)} ({interval}). {kappa.method}.")
    screen.say()
    screen.draw(confusion_table(found.table, "first", "second"))
    if found.disagreements.height:
        screen.say(f"\n{counted(found.disagreements.height, 'disagreement')}:")
        for email, first, second, resolved in found.disagreements.head(SHOWN).iter_rows():
            screen.say(f"{email}: {first}, {second}" + (f"; resolved: {resolved}" if resolved else ""), bullet="  ")
        if found.disagreements.height > SHOWN:
            screen.say(f"  and {found.disagreements.height - SHOWN:,} more; --json has all")
    if read is not None:
        say_reading(screen, read)
    if out is not None:
        screen.say(f"\n{counted(found.labels.height, 'label')}, {found.resolved:,} of them resolved.")
        screen.keep(str(out))
    return screen.text
