"""Answers that other tools saved: batches of providers, chat completions, logs of evaluation tools, tables.

`read_log` yields what each record of a file says: an id, a prompt, an answer, or all of them. What a record
is, is told by its members:

- OpenAI's batch output (`custom_id`, `response`, `error`) and input (`custom_id`, `body`);
- Anthropic's (`custom_id`, `result`) and (`custom_id`, `params`);
- promptfoo's results (`prompt.raw`, `response.output`), as a file that it writes, or its lines;
- samples of lm-evaluation-harness (`arguments`, `resps`);
- logs of inspect_ai (`input`, `output.choices`), .eval or .json;
- chat completions (`choices`) with the `messages` that were sent, and whole conversations (`messages`);
- prompts with their ids (`id`, `prompt`), as `evenhand data prompts` writes them.

A table, or any other JSON, has its answers where the user says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import orjson
import polars as pl

from evenhand.data.text_tables import read_text_table
from evenhand.data.toml_files import jsonl_lines
from evenhand.errors import InputError, option_text
from evenhand.models.batch_apis import BATCH_APIS
from evenhand.models.dialects import DIALECTS
from evenhand.models.http_client import dumps, loads, mapping, string
from evenhand.models.http_errors import read_failure
from evenhand.models.model import Answer, Failure
from evenhand.results.files import parsed_json
from evenhand.results.messages import listed, quoted

EXPECTED = "expected .jsonl, .json, .eval, .csv, .tsv or .parquet"
#: What stands for the server in failures, of which the class alone is kept.
_FILE: Final = "the file"
#: Bytes in which a log of inspect_ai names its task.
_HEAD: Final = 4096
_NOTHING: Final = Answer(text=None, error_class="missing")


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What one record of a file says; without answers it is a request. `number` is its place there, from 1.

    Where neither id nor prompt is there, `columns` are its members besides the answer.
    """

    number: int
    id: str | None = None
    prompt: str | None = None
    answers: tuple[Answer, ...] = ()
    columns: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where a user's own records have the answer, and the id or prompt that it belongs to; paths have dots.

    A record gets the members of that of `joined` whose key its own member `on` is.
    """

    answer: str | None = None
    item: str | None = None
    on: str | None = None
    joined: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def joined_rows(path: Path, on: str) -> dict[str, dict[str, Any]]:
    """Return the records of a file by their member `on`.

    Raises
    ------
    InputError
        The file can't be read, or a record has no such member, or one that another has.

    """
    rows: dict[str, dict[str, Any]] = {}
    for number, row in log_rows(path):
        key = at(row, on)
        place = place_in(path, number)
        if key is None:
            raise InputError(f"{place} has no {quoted(on)} to join by; it has {listed(list(row))}.")
        if str(key) in rows:
            raise InputError(f"{place} has the {on} {quoted(key)} of an earlier record; give each record its own.")
        rows[str(key)] = row
    return rows


def read_log(path: Path, places: Places) -> Iterator[Record]:
    """Yield what each record of a file says.

    Raises
    ------
    InputError
        The file can't be read, or a record is none of those that are known; its line is named.

    """
    for number, row in log_rows(path):
        if places.on is not None:
            key = str(at(row, places.on))
            if key not in places.joined:
                yield Record(number=number, id=key, answers=(_NOTHING,))
                continue
            row = {**places.joined[key], **row}  # noqa: PLW2901 - the record, completed
        record = (_placed(row, number, places) if places.answer is not None else None) or _known(row, number)
        if record is None:
            raise InputError(
                f"{place_in(path, number)} has an unknown form: it has {listed(list(row))}. Give the place of "
                f"the answer with {option_text('answer')}, and of its prompt or id with {option_text('item')}."
            )
        yield record


def is_log(path: Path) -> bool:
    """Say whether a file of answers is another tool's: its first record is known, and has no column `answer`."""
    if path.suffix.lower() == ".eval":
        return True
    if path.suffix.lower() not in {".jsonl", ".ndjson", ".json"} or not path.is_file():
        return False
    try:
        _, row = next(log_rows(path), (1, {}))
    except InputError:
        return False
    return "answer" not in row and _known(row, 1) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class EndedEarly:
    """A log of inspect_ai whose task did not succeed: its status, its samples, and how many there were to be."""

    status: str
    samples: int
    planned: int

    def sentence(self, path: Path) -> str:
        """Return this in a sentence without its full stop."""
        has = f"has {self.samples:,} of {self.planned:,} samples"
        return f"{path.name} is the log of a task that did not end (status {self.status}): it {has}"


def ended_early(path: Path) -> EndedEarly | None:
    """Return how far the task of a log came that did not succeed; None for others, and for other files."""
    if path.suffix.lower() == ".eval":
        with ZipFile(path) as log:
            names = set(log.namelist())
            samples = sum(name.startswith("samples/") for name in names)
            header = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
            try:
                content = {} if header is None else _parsed(log.read(header), path, 1)
            except NotImplementedError:
                content = _read_by_inspect(path, header_only=True).model_dump(mode="json")
    elif path.suffix.lower() == ".json" and b'"eval"' in (written := path.read_bytes())[:_HEAD]:
        content = mapping(loads(written))
        samples = len(content.get("samples") or ())
    else:
        return None
    task, status = mapping(content.get("eval")), string(content.get("status")) or "started"
    if not task or status == "success":
        return None
    planned = mapping(task.get("dataset")).get("samples") or 0
    epochs = mapping(task.get("config")).get("epochs") or 1
    return EndedEarly(status=status, samples=samples, planned=max(planned * epochs, samples))


def place_in(path: Path, number: int) -> str:
    """Return how messages call a record.

    >>> place_in(Path("a.jsonl"), 3)
    'Line 3 of a.jsonl'
    """
    called = {".csv": "Row", ".tsv": "Row", ".parquet": "Row", ".eval": "Sample", ".json": "Entry"}
    return f"{called.get(path.suffix.lower(), 'Line')} {number:,} of {path}"


def log_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the members of each record of a file.

    Raises
    ------
    InputError
        The file can't be read, is cut off, or holds something else.

    """
    if not path.is_file():
        raise InputError(f"No file {path}; {EXPECTED}.")
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise InputError(f"{path} has the ending {path.suffix or '(none)'}; {EXPECTED}.")
    try:
        for number, row in read(path):
            if not isinstance(row, dict):
                raise InputError(f"{place_in(path, number)} is a JSON {type(row).__name__}; expected an object.")
            yield number, row
    except (OSError, BadZipFile, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} can't be read: {str(error).splitlines()[0]}") from error


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    with path.open("rb") as file:
        for number, line in jsonl_lines(file, path):
            yield number, _parsed(line, path, number)


def _entries(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the records of a whole file of JSON, which stand in a list, however it is called."""
    content = loads(path.read_bytes())
    if content is None:  # a record a line, by another ending
        yield from _lines(path)
        return
    for name in ("samples", "results", "results", "requests"):
        if isinstance(content, dict) and isinstance(content.get(name), list | dict):
            content = content[name]
    yield from enumerate(content if isinstance(content, list) else [content], 1)


def _zipped(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the samples of a log of inspect_ai, by that package where it has compressed them in its newer way."""
    try:
        with ZipFile(path) as log:
            samples = sorted(name for name in log.namelist() if name.startswith("samples/"))
            for number, name in enumerate(samples, 1):
                yield number, _parsed(log.read(name), path, number)
    except NotImplementedError:
        for number, sample in enumerate(_read_by_inspect(path).samples or (), 1):
            yield number, sample.model_dump(mode="json")


def _read_by_inspect(path: Path, *, header_only: bool = False) -> Any:
    if find_spec("inspect_ai") is None:
        raise InputError(
            f"{path} is compressed in a way that inspect_ai reads: install it, or convert the log there with "
            "inspect log convert."
        )
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - a package that few have

    return read_eval_log(str(path), header_only=header_only)


def _table_rows(path: Path) -> Iterator[tuple[int, Any]]:
    frame = pl.read_parquet(path) if path.suffix.lower() == ".parquet" else read_text_table(path).frame
    yield from enumerate(frame.iter_rows(named=True), 1)


_READERS: Final[Mapping[str, Callable[[Path], Iterator[tuple[int, Any]]]]] = {
    **dict.fromkeys((".jsonl", ".ndjson"), _lines),
    **dict.fromkeys((".csv", ".tsv", ".parquet"), _table_rows),
    ".json": _entries,
    ".eval": _zipped,
}


def _parsed(content: bytes, path: Path, number: int) -> Any:
    try:
        return parsed_json(content)
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"{place_in(path, number)} is not valid JSON ({error}): is the file cut off? Nothing was written."
        ) from error


def at(row: Any, path: str) -> Any:
    """Return the value at a path such as response.choices.0.text, None where there is none.

    >>> at({"a": [{"b": 1}]}, "a.0.b"), at({"a.b": 2}, "a.b"), at({}, "a.b")
    (1, 2, None)
    """
    if isinstance(row, dict) and path in row:
        return row[path]
    name, _, rest = path.partition(".")
    inner = (
        row.get(name)
        if isinstance(row, dict)
        else row[int(name)]
        if isinstance(row, list) and name.isdecimal() and int(name) < len(row)
        else None
    )
    return at(inner, rest) if rest else inner


def _placed(row: Mapping[str, Any], number: int, places: Places) -> Record | None:
    """Return a user's own record; whether its item is an id or a prompt, the prompts will tell."""
    path = places.answer or "answer"
    answer = at(row, path)
    if answer is None and path.partition(".")[0] not in row:
        return None
    item = at(row, places.item) if places.item else row.get("id")
    prompt = _text(item) if places.item else _text(row.get("prompt"))
    return Record(
        number=number,
        id=None if item is None else str(item),
        prompt=prompt,
        answers=(_answer(answer, error=row.get("error")),),
        columns=row if item is None and prompt is None else None,
    )


def _answer(text: Any, *, ended: Any = None, error: Any = None) -> Answer:
    """Return an answer; a number as its text, none of both as an empty one."""
    if error and text is None:
        return Answer(text=None, error_class="server_error" if not isinstance(error, str) else error[:80])
    written = text if isinstance(text, str) else "" if text is None else dumps(text).decode()
    return Answer(text=written, finish_reason=string(ended))


def _known(row: dict[str, Any], number: int) -> Record | None:
    for read in _SHAPES:
        record = read(row, number)
        if record is not None:
            return record
    return None


def _text(value: Any) -> str | None:
    """Return the text of a prompt: itself, or the last message of the user; JSON within a text is looked into."""
    if isinstance(value, str):
        inner = loads(value.encode()) if value.startswith("[{") else None
        return _text(inner) if isinstance(inner, list) else value
    if isinstance(value, dict):
        return _text(value.get("messages") or value.get("input") or value.get("prompt") or value.get("content"))
    said = [message for message in value if mapping(message).get("role") == "user"] if isinstance(value, list) else []
    return _joined(said[-1].get("content")) if said else None


def _joined(content: Any) -> str | None:
    """Return the content of a message, which may be in parts; reasoning is none of it."""
    if isinstance(content, list):
        return "".join(string(part.get("text")) or "" for part in map(mapping, content) if part.get("type") == "text")
    return string(content)


def _batched(row: dict[str, Any], number: int) -> Record | None:
    """Read an input or output of a provider's batch, whose answers are those of its API."""
    custom_id = row.get("custom_id")
    if not isinstance(custom_id, str):
        return None
    for scheme, sent, came in (("openai", "body", "response"), ("anthropic", "params", "result")):
        if isinstance(row.get(sent), dict):
            return Record(number=number, id=custom_id, prompt=_text(row[sent]))
        if came in row:
            return Record(number=number, id=custom_id, answers=(_replied(row, scheme),))
    return None


def _replied(row: dict[str, Any], scheme: str) -> Answer:
    dialect, reply = DIALECTS[scheme], BATCH_APIS[scheme].reply(row)
    try:
        if isinstance(reply, Failure):
            raise reply
        if not 200 <= reply.status < 300:
            raise read_failure(reply.status, {}, dumps(reply.data), where=_FILE, key_variable=dialect.key_variable)
        return dialect.answer(reply.data, where=_FILE)
    except Failure as failure:
        return Answer(text=None, error_class=failure.error_class)


def _promptfoo(row: dict[str, Any], number: int) -> Record | None:
    raw = mapping(row.get("prompt")).get("raw")
    if raw is None:
        return None
    response = mapping(row.get("response"))
    failed = response.get("error") or (row.get("error") if "output" not in response else None)
    return Record(
        number=number,
        prompt=_text(raw),
        answers=(_answer(response.get("output"), ended=response.get("finishReason"), error=failed and "server_error"),),
    )


def _harness(row: dict[str, Any], number: int) -> Record | None:
    asked, replies = row.get("arguments"), row.get("resps")
    if not isinstance(replies, list) or asked is None:
        return None
    first = next(iter(asked.values()), None) if isinstance(asked, dict) else asked[0] if asked else None
    prompt = first.get("arg_0") if isinstance(first, dict) else first[0] if isinstance(first, list) and first else first
    texts = [text for reply in replies for text in (reply if isinstance(reply, list) else [reply])]
    return Record(number=number, prompt=_text(prompt), answers=tuple(map(_answer, texts)) or (_NOTHING,))


def _inspected(row: dict[str, Any], number: int) -> Record | None:
    output = mapping(row.get("output"))
    if "input" not in row or not ("choices" in output or "error" in row):
        return None
    choices = output.get("choices") or [{}]
    message = mapping(mapping(choices[0]).get("message"))
    content = _joined(message.get("content"))
    failed = row.get("error") or output.get("error")
    text = content or (None if failed else "")
    answer = _answer(text, ended=mapping(choices[0]).get("stop_reason"), error=failed and "server_error")
    return Record(number=number, prompt=_text(row["input"]), answers=(answer,))


def _chat(row: dict[str, Any], number: int) -> Record | None:
    """Read a chat completion with the messages that were sent, or a conversation."""
    reply = mapping(row.get("response")) or row
    sent = row.get("request", row.get("messages", row.get("prompt", row.get("input"))))
    custom_id = string(row.get("custom_id")) or (string(row.get("id")) if sent is None else None)
    for scheme, member in (("openai", "choices"), ("anthropic", "content")):
        if isinstance(reply.get(member), list):
            try:
                answer = DIALECTS[scheme].answer(reply, where=_FILE)
            except Failure as failure:
                answer = Answer(text=None, error_class=failure.error_class)
            return Record(number=number, id=custom_id, prompt=_text(sent), answers=(answer,))
    messages = row.get("messages")
    if isinstance(messages, list) and messages and mapping(messages[-1]).get("role") == "assistant":
        text = _joined(messages[-1].get("content"))
        return Record(number=number, id=custom_id, prompt=_text(messages), answers=(_answer(text),))
    return None


def _prompt(row: dict[str, Any], number: int) -> Record | None:
    if not isinstance(row.get("id"), str) or not isinstance(row.get("prompt"), str):
        return None
    answers = (_answer(row["answer"], error=row.get("error")),) if "answer" in row else ()
    return Record(number=number, id=row["id"], prompt=row["prompt"], answers=answers)


_SHAPES: Final[Sequence[Callable[[dict[str, Any], int], Record | None]]] = (
    _batched,
    _promptfoo,
    _harness,
    _inspected,
    _chat,
    _prompt,
)
