"""`evenhand mask --jsonl`: résumés in JSONL masked, with the spans that were found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from evenhand.commands._data_files import refuse_existing, write_file
from evenhand.errors import InputError
from evenhand.resumes.mask import Masked, MaskOptions, mask_text
from evenhand.resumes.spans import OPTIONAL

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
        return f"{self.texts:,} texts; masked: {told or 'nothing'}."


def mask(
    text: str,
    *,
    known_names: Sequence[str] = (),
    optional: Sequence[str] = (),
    strict: bool = False,
    pronouns: str = "token",
    file_name: str | None = None,
    metadata: Sequence[str] = (),
) -> Masked:
    """Return a résumé's text without what tells who the person is; `.text`, `.spans`, `.names`.

    >>> mask("Jane Doe, she/her. Tel. 312-555-0188", optional=["phone"]).text
    '[NAME], [GENDER]. Tel. [PHONE]'
    """
    if not isinstance(text, str):
        raise InputError(f"The text to mask is of type {type(text).__name__}; expected str.")
    names = (known_names,) if isinstance(known_names, str) else tuple(known_names)
    options = mask_options(
        optional=(optional,) if isinstance(optional, str) else optional, strict=strict, pronouns=pronouns
    )
    return mask_text(text, known_names=names, file_name=file_name, metadata=metadata, options=options)


def mask_options(*, optional: Sequence[str], strict: bool, pronouns: str) -> MaskOptions:
    """Return the options of masking, checked.

    Raises
    ------
    InputError
        A category is not optional, or the pronouns are neither token nor neutral.

    """
    wrong = [name for name in optional if name not in OPTIONAL]
    if wrong:
        raise InputError(f"--optional is {wrong[0]!r}; expected some of {', '.join(OPTIONAL)}.")
    if pronouns == "token":
        return MaskOptions(optional=frozenset(optional), strict=strict)
    if pronouns == "neutral":
        return MaskOptions(optional=frozenset(optional), strict=strict, pronouns="neutral")
    raise InputError(f"--pronouns is {pronouns!r}; expected token or neutral.")


def mask_jsonl(
    source: Path, *, out: Path, options: MaskOptions, known_names: Sequence[str] = (), force: bool = False
) -> MaskedFile:
    """Mask each row's `text` and write `{"text", "spans"}` with the row's `id`, in the order of the file.

    A row may hold `known_names`; `known_names` given here are added to each.

    Raises
    ------
    InputError
        The file can't be read, a row has no text, or the file to write is there already.

    """
    refuse_existing(out, force=force)
    if not source.is_file():
        raise InputError(f"No file {source}; expected JSONL with a text in each row.")
    if out.exists() and out.samefile(source):
        raise InputError(f"--out {out} is the file to mask; give another.")
    lines: list[bytes] = []
    counts: dict[str, int] = {}
    with source.open("rb") as rows:
        for number, line in enumerate(rows, 1):
            if not line.strip():
                continue
            row = _row(line.removeprefix(b"\xef\xbb\xbf"), number, source)
            masked = mask_text(row["text"], known_names=(*row.get("known_names", ()), *known_names), options=options)
            for span in masked.spans:
                counts[span.category] = counts.get(span.category, 0) + 1
            written = {
                **({"id": row["id"]} if "id" in row else {}),
                "text": masked.text,
                "spans": [[span.start, span.end, span.category] for span in masked.spans],
            }
            lines.append(orjson.dumps(written, option=orjson.OPT_APPEND_NEWLINE))
    if not lines:
        raise InputError(f"{source} has no rows.")
    write_file(out, b"".join(lines))
    return MaskedFile(path=out, texts=len(lines), spans=dict(sorted(counts.items())))


def _row(line: bytes, number: int, source: Path) -> dict[str, Any]:
    """Return a row with a text; names and all else in it are checked, none of it is told."""
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InputError(f"Row {number} of {source} is no JSON ({error}).") from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise InputError(f'Row {number} of {source} has no text; expected {{"text": "…", "known_names": ["…"]}}.')
    names = row.get("known_names")
    if names is None:
        row.pop("known_names", None)
    elif not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise InputError(f"known_names in row {number} of {source} is no list of names.")
    return row
