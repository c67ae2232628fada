"""`evenhand mask --jsonl`: résumés in JSONL masked, with the spans that were found."""

from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from evenhand.errors import InputError, Interrupted
from evenhand.options import from_python
from evenhand.resumes.documents.request import absent_names, names_missing
from evenhand.resumes.mask import Masked, MaskOptions, check_names, mask_text
from evenhand.runs.options.files import MaskSettings
from evenhand.runs.processes import cores, processes
from evenhand.runs.progress import Progress
from evenhand.tables.files import refuse_existing, written

__all__ = ["MaskedFile", "mask", "mask_jsonl", "mask_options"]


@dataclass(frozen=True, kw_only=True)
class MaskedFile:
    """What was written, how many texts, and the spans of each category."""

    path: Path
    texts: int
    spans: Mapping[str, int]

    @property
    def content(self) -> dict[str, Any]:
        """The result as JSON."""
        return {"path": str(self.path), "texts": self.texts, "spans": dict(self.spans)}

    @property
    def summary(self) -> str:
        """One line for the terminal."""
        told = ", ".join(f"{category} {count:,}" for category, count in self.spans.items())
        return f"{self.texts:,} {'text' if self.texts == 1 else 'texts'}; masked: {told or 'nothing'}."


@from_python()
def mask(text: str, options: MaskSettings, *, file_name: str | None = None, metadata: Sequence[str] = ()) -> Masked:
    """Return a résumé's text without what tells who the person is; `.text`, `.spans`, `.names`.

    >>> mask("Jane Doe, she/her. Tel. 312-555-0188", optional=["phone"]).text
    '[NAME], [GENDER]. Tel. [PHONE]'
    """
    check_names(options.known_names)
    own = mask_options(options)
    return mask_text(text, known_names=options.known_names, file_name=file_name, metadata=metadata, options=own)


def mask_options(settings: MaskSettings) -> MaskOptions:
    """Return what masking is asked besides the names."""
    found = MaskOptions(optional=frozenset(settings.optional), strict=settings.strict)
    return replace(found, pronouns="neutral") if settings.pronouns == "neutral" else found


def mask_jsonl(
    source: Path,
    *,
    out: Path,
    options: MaskOptions,
    known_names: Sequence[str] = (),
    force: bool = False,
    progress: Progress | None = None,
) -> MaskedFile:
    """Mask each row's `text` and write `{"text", "spans"}` with the row's `id`, in the order of the file.

    A row may hold `known_names`; `known_names` given here are added to each. All rows are checked before the first
    is masked; many are masked on all cores. Memory doesn't grow with the file.

    Raises
    ------
    InputError
        The file can't be read, a row has no text, or the file to write is there already.
    CheckFailed
        Masking is strict, and a row's known name is not in its text, or one given here in no text; nothing is written.
    Interrupted
        The user stopped it; nothing is written.

    """
    check_names(known_names)
    refuse_existing(out, force=force)
    if not source.is_file():
        raise InputError(f"No file {source}; expected JSONL with a text in each row.")
    if out.exists() and out.samefile(source):
        raise InputError(f"--out {out} is the file to mask; give another.")
    total = sum(1 for _ in _rows(source))
    if not total:
        raise InputError(f"{source} has no rows.")
    counts: Counter[str] = Counter()
    done = 0
    absent = set(range(1, len(known_names) + 1)) if options.strict else set()
    masked = _masked_batches(source, total, _Asked(options, tuple(known_names)))
    try:
        with written(out) as file, closing(masked):
            for batch in masked:
                file.write(batch.lines)
                counts.update(batch.spans)
                done += batch.rows
                absent &= batch.absent
                if progress is not None:
                    progress("masking", done, total)
            if absent:
                raise names_missing(sorted(absent), known_names, place=f"any row of {source}")
    except KeyboardInterrupt as interrupt:
        raise Interrupted(f"Interrupted after {done:,} of {total:,} rows; nothing was written.") from interrupt
    return MaskedFile(path=out, texts=total, spans=dict(sorted(counts.items())))


@dataclass(frozen=True)
class _Asked:
    options: MaskOptions
    known_names: tuple[str, ...]


@dataclass(frozen=True)
class _Batch:
    lines: bytes
    rows: int
    spans: Counter[str]
    absent: frozenset[int]


#: Rows that one process masks at a time: a quarter of a second's work.
_ROWS = 64
#: Processes take a second to start; so many rows are masked in one.
_FEW = 512


def _masked_batches(source: Path, total: int, asked: _Asked) -> Generator[_Batch]:
    """Yield the rows' results in order; only so many rows are under way as keep all cores busy."""
    batches = _in_batches(_rows(source))
    workers = min(cores(), -(-total // _ROWS))
    if total <= _FEW or workers == 1:
        yield from (_masked_rows(batch, asked) for batch in batches)
        return
    pool = processes(workers)
    waiting: deque[Future[_Batch]] = deque()
    try:
        for batch in batches:
            waiting.append(pool.submit(_masked_rows, batch, asked))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _in_batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while batch := list(islice(rows, _ROWS)):
        yield batch


def _masked_rows(rows: list[dict[str, Any]], asked: _Asked) -> _Batch:
    lines: list[bytes] = []
    spans: Counter[str] = Counter()
    absent = frozenset(range(1, len(asked.known_names) + 1))
    for row in rows:
        if asked.options.strict:
            missing = absent_names(row["known_names"], row["text"])
            if missing:
                raise names_missing(missing, row["known_names"], place=row["place"])
            absent &= frozenset(absent_names(asked.known_names, row["text"]))
        masked = mask_text(row["text"], known_names=(*row["known_names"], *asked.known_names), options=asked.options)
        spans.update(span.category for span in masked.spans)
        written = {
            **({"id": row["id"]} if "id" in row else {}),
            "text": masked.text,
            "spans": [[span.start, span.end, span.category] for span in masked.spans],
        }
        lines.append(orjson.dumps(written, option=orjson.OPT_APPEND_NEWLINE))
    return _Batch(b"".join(lines), len(rows), spans, absent)


def _rows(source: Path) -> Iterator[dict[str, Any]]:
    """Yield what is needed of each row."""
    with source.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _row(line.removeprefix(b"\xef\xbb\xbf"), number, source)


def _row(line: bytes, number: int, source: Path) -> dict[str, Any]:
    """Return a row with a text; names and all else in it are checked, none of it is told."""
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InputError(f"Row {number} of {source} is no JSON ({error}).") from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise InputError(f'Row {number} of {source} has no text; expected {{"text": "…", "known_names": ["…"]}}.')
    names = row.get("known_names") or []
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise InputError(f"known_names in row {number} of {source} is no list of names.")
    try:
        check_names(names)
    except InputError:
        raise InputError(
            f"known_names in row {number} of {source} holds what is no name: expected a word of two letters at least."
        ) from None
    place = f"row {number} of {source}"
    return {"text": row["text"], "known_names": names, "place": place} | ({"id": row["id"]} if "id" in row else {})
