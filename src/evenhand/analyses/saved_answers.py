"""`evenhand data prompts` and `data answers`: a probe's prompts for other tools, and the answers that these saved.

An answer belongs to the prompt that its id names, else to the one whose text was sent. Ids of ours are
PROBE-LAYOUT-NUMBER-ATTEMPT: LAYOUT stands for the probe's version, design and settings, NUMBER is the prompt's
place in the design. Several answers to one text are attempts at it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
import polars as pl

from evenhand.analyses.options.probes import (
    AnswersOptions,
    MeasureOptions,
    PromptsOptions,
    configured,
    find_probe,
    probe_settings,
    settings_block,
)
from evenhand.analyses.sample import chosen_design, chosen_sample
from evenhand.data.inputs import PackedAnswers, packed, packed_answers, renamed_values, unpacked
from evenhand.errors import InputError, option_text
from evenhand.models.answer_logs import Places, Record, ended_early, is_log, joined_rows, place_in, read_log
from evenhand.models.batch_apis import BATCH_APIS, batches_of
from evenhand.models.dialects import DIALECTS
from evenhand.models.http import open_http_model
from evenhand.models.order import OrderedPrompts, Planned, planned
from evenhand.models.outcomes import ParquetParts
from evenhand.probes import PROBES
from evenhand.probes.probe import Design, Probe, shuffled_indices
from evenhand.report.words.numbers import counted
from evenhand.results.files import refuse_existing, written
from evenhand.results.finding import shared
from evenhand.results.messages import Notices, listed, number_of, quoted
from evenhand.results.terminal import CommandOutput, command_output

#: So many prompts of a design are looked through for a text; those of the run's seed come first.
_MOST_SOUGHT: Final = 6_000_000
#: The columns that tell one attempt of a prompt.
_ATTEMPT: Final = ("index", "attempt")
_CHUNK: Final = 50_000
_LISTED: Final = 3
#: Probe, layout, number and attempt in an id of ours.
_ID: Final = r"^([a-z0-9-]+)-([0-9a-f]{6})-(\d{1,18})-(\d{1,9})$"
#: Columns of stimuli that saved answers don't have.
_OURS: Final = ("index", "prompt", "unit", "pair", "schema")


def layout_of(probe: Probe, design: Design, settings: Mapping[str, Any]) -> str:
    """Return six hex digits that stand for what the numbers of prompts depend on."""
    asked = {name: settings.get(name) for name in probe_settings(probe, changing="prompts")}
    content = orjson.dumps([probe.version, design.name, settings_block(asked)], option=orjson.OPT_SORT_KEYS)
    return blake2b(content, digest_size=3).hexdigest()


def write_prompts(name: str, options: PromptsOptions, *, notice: Notices) -> CommandOutput:
    """Write the prompts that `probe` would send with the same sample and seed, each with its id.

    Raises
    ------
    InputError
        The design can't give such a sample, the format needs a model, or the file can't be written.

    """
    probe = configured(find_probe(name), options.settings, command="data prompts")
    design = chosen_design(probe, options.design, named="--design")
    sample = design.size if options.everything else chosen_sample(probe, design, options.sample, named="--sample")
    refuse_existing(options.out, force=options.force)
    layout = layout_of(probe, design, options.settings)
    line, most = _written_as(options)
    chunks = planned(
        shuffled_indices(design.size, sample, seed=options.seed, block=design.block),
        stimuli=design.rows,
        asked=OrderedPrompts(
            probe=probe.name, version=probe.version, model="", generation=options.generation, seed=options.seed
        ),
        order_seed=options.seed,
        repetitions=options.repetitions,
    )
    attempts = 0
    with written(options.out) as file:
        if options.chosen_format == "csv":
            file.write(b"id,prompt\n")
        for chunk in chunks:
            first = [asked for asked in chunk if asked.request.stimulus.get("round", 0) == 0]
            attempts += len(first)
            file.writelines(
                line(f"{probe.name}-{layout}-{asked.index}-{asked.request.attempt}", asked) for asked in first
            )
    if design.rounds > 1:
        notice(
            f"{probe.name}: {counted(attempts, 'prompt')}, of the whole piles. The other prompts depend on the "
            "model's answers, so only evenhand probe can send them."
        )
    if attempts > most:
        notice(f"The provider accepts {most:,} requests per batch: split the {attempts:,} lines into several files.")
    content = {"probe": probe.name, "prompts": attempts, "design": design.name, "format": options.chosen_format}
    return command_output(
        {**content, "out": str(options.out)},
        f"{counted(attempts, 'prompt')} of {probe.name}, design {design.name}, seed {options.seed}.",
        f"When they are answered: evenhand data answers ANSWERS {options.out} --probe {probe.name} --out saved.jsonl",
    )


def _written_as(options: PromptsOptions) -> tuple[Callable[[str, Planned], bytes], float]:
    """Return what makes a line of an id and a request, and the most lines of a file."""
    scheme, _, kind = options.chosen_format.partition("-")
    if kind != "batch":
        if options.model is not None:
            raise InputError(
                f"{option_text('model')} is for batch formats: add --format openai-batch or anthropic-batch."
            )
        if scheme == "csv":
            return lambda name, asked: f'{name},"{_prompt(asked).replace(chr(34), chr(34) * 2)}"\n'.encode(), np.inf
        return (
            lambda name, asked: orjson.dumps({"id": name, "prompt": _prompt(asked)}, option=orjson.OPT_APPEND_NEWLINE),
            np.inf,
        )
    if options.model is None:
        raise InputError(f"{option_text('format', options.chosen_format)} needs --model: each request names it.")
    dialect = DIALECTS[scheme]
    # Nothing is sent, so any key will do.
    model = open_http_model(
        options.model.removeprefix(f"{scheme}:"),
        dialect=dialect,
        base_urls=(),
        environ={dialect.key_variable: "none"},
        timeout=1.0,
        concurrency=1,
    )
    service = batches_of(model)
    assert service is not None, "both schemes have batches"
    return (
        lambda name, asked: service.line(name, asked.request).rstrip(b"\n") + b"\n",
        BATCH_APIS[scheme].most_requests,
    )


def _prompt(asked: Planned) -> str:
    return asked.request.messages[-1]["content"]


@dataclass(frozen=True, kw_only=True)
class Collected:
    """Saved answers, and what could not be joined.

    `answers` has `empty, error`; `pieces` are saved answers with all columns, a piece at a time. `not_asked` names
    answers to no prompt of the probe, the first with its place, `unanswered` the requests without an answer, which are
    missing.
    """

    answers: pl.DataFrame
    pieces: Iterator[pl.DataFrame]
    not_asked: Sequence[str]
    unanswered: Sequence[str]
    first_not_asked: str | None

    def counts(self) -> dict[str, int]:
        """Return the answers with a text, without one, and failed requests."""
        failed, empty = pl.col("error").is_not_null(), pl.col("empty")
        row = self.answers.filter(pl.col("error").is_null() | (pl.col("error") != "missing")).select(
            answers=(~failed & ~empty).sum(), errors=failed.sum(), empty=(~failed & empty).sum()
        )
        return row.row(0, named=True)


def write_answers(files: Sequence[Path], options: AnswersOptions, *, notice: Notices) -> CommandOutput:
    """Write what other tools saved as saved answers, which `measure` and `replay:` read.

    Raises
    ------
    InputError
        A file can't be read, an id is there twice or of another probe, or no answer is to a prompt of the probe.

    """
    refuse_existing(options.out, force=options.force)
    probe = configured(find_probe(options.probe), options.settings, command="data answers")
    collected = collected_answers(files, probe, options)
    if options.out.suffix.lower() not in {".jsonl", ".parquet"}:
        raise InputError(f"--out {options.out}: expected a .jsonl or .parquet file.")
    if options.out.suffix.lower() == ".parquet":
        with ParquetParts(options.out) as parts:
            for piece in collected.pieces:
                parts.add(piece)
    else:
        with written(options.out) as file:
            for piece in collected.pieces:
                piece.write_ndjson(file)
    counts = collected.counts()
    said = [
        f"{counted(counts['answers'], 'answer')} of {probe.name}, {number_of(counts['errors'], 'failed request')}, "
        f"{counts['empty']:,} without text."
    ]
    for some, what in (
        (collected.unanswered, "without an answer, kept as missing"),
        (collected.not_asked, f"to no prompt of {probe.name}, left out"),
    ):
        if some:
            more = f" and {len(some) - _LISTED:,} more" if len(some) > _LISTED else ""
            noun = "request" if some is collected.unanswered else "answer"
            said.append(f"{counted(len(some), noun)} {what}: {listed(some[:_LISTED])}{more}.")
    if collected.not_asked:
        notice(f"{said.pop()[:-1]}; the first: {collected.first_not_asked}.")
    for path, early in ((path, ended_early(path)) for path in files):
        if early is not None:
            notice(f"{early.sentence(path)}. With the file of data prompts, too, the others are kept as missing.")
    content = {**counts, "not_asked": list(collected.not_asked), "unanswered": list(collected.unanswered)}
    return command_output(
        {**content, "out": str(options.out)},
        *said,
        f"Measure them: evenhand measure {probe.name} {options.out}",
    )


def saved_answers(path: Path, probe: Probe, options: MeasureOptions, *, notice: Notices) -> PackedAnswers:
    """Return saved answers, or those of another tool's file, whose prompts tell where they belong."""
    chosen_design(probe, options.design, named="--design")
    if not is_log(path):
        return packed_answers(path, maps=options.map)
    collected = collected_answers(
        [path],
        probe,
        AnswersOptions(**shared(options, AnswersOptions) | {"probe": probe.name, "out": path}),
    )
    if collected.not_asked:
        number = counted(len(collected.not_asked), "answer")
        notice(f"{number} to no prompt of {probe.name}, left out; the first: {collected.first_not_asked}.")
    return PackedAnswers.of(collected.pieces)


def collected_answers(files: Sequence[Path], probe: Probe, options: AnswersOptions) -> Collected:
    """Return the answers in some files of requests and answers, in the order of the files."""
    if (options.join is None) != (options.on is None):
        raise InputError(
            f"{option_text('join')} and {option_text('on')} need each other: the file, and the key that both files "
            "have."
        )
    joined = {} if options.join is None or options.on is None else joined_rows(options.join, options.on)
    places = Places(answer=options.answer, item=options.item, on=options.on, joined=joined)
    table, texts = _table((number, record) for number, file in enumerate(files) for record in read_log(file, places))
    if not table.filter(~pl.col("asks")).height:
        lacking = "only prompts, no answers; add the files with the answers" if table.height else "nothing is there"
        raise InputError(f"{listed([str(file) for file in files])}: {lacking}.")
    if "columns" in table.columns:
        return _by_columns(table, texts, files, probe, options)
    if options.map:
        raise InputError(
            f"{option_text('map')} renames values of columns that identify the prompt, but these records have "
            "its id or text. Leave it out."
        )
    design = chosen_design(probe, options.design, named="--design")
    requests, answers = table.filter("asks"), table.filter(~pl.col("asks"))
    _refuse_repeated(requests, files)
    _refuse_repeated(answers.filter(pl.col("k") == 0), files)
    sent = requests.select("id", sent="prompt").drop_nulls("id")
    answers = answers.join(sent, on="id", how="left", maintain_order="left")
    # What --item names may be an id as well as a prompt.
    is_id = pl.col("id").str.contains(_ID) & (pl.col("prompt") == _hashed(answers["id"]))
    said = pl.when(is_id).then(None).otherwise("prompt")
    answers = answers.with_columns(pl.coalesce("sent", said).alias("prompt"))
    silent = requests.filter(~pl.col("id").is_in(answers["id"].drop_nulls().implode())).with_columns(
        error=pl.lit("missing"), k=pl.lit(0, pl.UInt32)
    )
    every = pl.concat([answers.drop("sent"), silent], how="vertical")
    found = _by_text(_by_id(every, files, probe, design, options), design, seed=options.seed)
    # A request with an id may be answered in a log that has the text alone.
    found = pl.concat(
        [
            found.filter(~pl.col("asks")),
            found.filter("asks").join(found.filter(~pl.col("asks")), on=_ATTEMPT, how="anti"),
        ]
    )
    known = found.filter(pl.col("index").is_not_null())
    if not known.filter(~pl.col("asks")).height:
        first = answers.row(0, named=True)
        why = (
            f"the prompt that was sent is none of {probe.name}"
            if first["prompt"] is not None
            else f"none of the {requests.height:,} requests has its id {quoted(first['id'])}"
            if first["id"] is not None and requests.height
            else f"its id {quoted(first['id'])} is none of ours; give the file of requests, too"
            if first["id"] is not None
            else "it has neither an id nor a prompt; say where one of them is with --item"
        )
        raise InputError(
            f"{_place(first, files)}: no prompt of {probe.name} was found for this or any other answer: {why}. "
            "Give the --design, --seed and settings of the prompts."
        )
    strangers = found.filter(pl.col("index").is_null() & ~pl.col("asks"))
    return Collected(
        answers=known.select("empty", "error"),
        pieces=_with_stimuli(known, texts, design, files),
        not_asked=_named(strangers, files),
        unanswered=_named(found.filter("asks").sort("row"), files),
        first_not_asked=_first(strangers, files),
    )


def _table(records: Iterable[tuple[int, Record]]) -> tuple[pl.DataFrame, list[bytes]]:
    """Return one row per answer or request, and the texts of answers, packed in pieces of `_CHUNK` rows.

    Of prompts the hash is enough. `k` counts the answers of a record.
    """
    pieces, texts = list[pl.DataFrame](), list[bytes]()
    columns = list[Mapping[str, Any] | None]()
    rows = (
        (file, record.number, record.id, record.prompt, answer, k, record.columns)
        for file, record in records
        for k, answer in enumerate(record.answers or (None,))
    )
    while chunk := list(islice(rows, _CHUNK)):
        *keys, answers, ks, chunk_columns = zip(*chunk, strict=True)
        told = [(one.text, one.finish_reason, one.error_class) if one else (None,) * 3 for one in answers]
        piece = _piece([*keys, *zip(*told, strict=True), [one is None for one in answers], ks])
        texts.append(packed(piece["answer"]))
        pieces.append(piece.drop("answer"))
        columns += chunk_columns
    table = (pl.concat(pieces) if pieces else _piece([[]] * 9).drop("answer")).with_row_index("row")
    return table.with_columns(pl.Series("columns", columns, dtype=pl.Object)) if any(columns) else table, texts


def _piece(values: Sequence[Sequence[Any]]) -> pl.DataFrame:
    kinds: dict[str, Any] = {"file": pl.UInt32(), "number": pl.UInt32()}
    kinds |= dict.fromkeys(("id", "prompt", "answer", "finish_reason", "error"), pl.String())
    kinds |= {"asks": pl.Boolean(), "k": pl.UInt32()}
    frame = pl.DataFrame(dict(zip(kinds, values, strict=True)), schema=kinds)
    empty = pl.col("answer").fill_null("").str.strip_chars() == ""
    return frame.with_columns(_hashed(frame["prompt"]), empty=empty)


def _hashed(prompts: pl.Series) -> pl.Series:
    """Return 64-bit hashes of texts; null where there is none."""
    hashes = prompts.str.strip_chars().hash()
    return pl.select(pl.when(prompts.is_not_null()).then(hashes).alias("prompt")).to_series()


def _refuse_repeated(rows: pl.DataFrame, files: Sequence[Path]) -> None:
    again = rows.filter(pl.col("id").is_not_null() & ~pl.col("id").is_first_distinct())
    if again.height:
        row = again.row(0, named=True)
        raise InputError(
            f"{_place(row, files)} has the id {quoted(row['id'])} of an earlier record; leave out one of them."
        )


def _by_id(
    rows: pl.DataFrame, files: Sequence[Path], probe: Probe, design: Design, options: AnswersOptions
) -> pl.DataFrame:
    """Return rows with the `index` and `attempt` that ids of ours name.

    Raises
    ------
    InputError
        An id is of another probe, or of other settings.

    """
    parts = [pl.col("id").str.extract(_ID, group) for group in range(1, 5)]
    rows = rows.with_columns(
        parts[0].alias("probe"),
        parts[1].alias("layout"),
        parts[2].cast(pl.Int64).alias("index"),
        parts[3].cast(pl.Int32).alias("attempt"),
    )
    other = rows.filter(pl.col("probe").is_in([name for name in PROBES if name != probe.name]))
    if other.height:
        row = other.row(0, named=True)
        raise InputError(
            f"{_place(row, files)} answers a prompt of {row['probe']}, not of {probe.name}; "
            f"give --probe {row['probe']}."
        )
    layout = layout_of(probe, design, options.settings)
    ours = pl.col("probe").eq_missing(probe.name)
    wrong = rows.filter(ours & ((pl.col("layout") != layout) | (pl.col("index") >= design.size)))
    if wrong.height:
        row = wrong.row(0, named=True)
        raise InputError(
            f"{_place(row, files)}: the id {quoted(row['id'])} belongs to another design or other settings; "
            "give the --design and the settings of evenhand data prompts."
        )
    return rows.with_columns(
        pl.when(ours).then("index").alias("index"), pl.when(ours).then("attempt").alias("attempt")
    ).drop("probe", "layout")


def _by_text(rows: pl.DataFrame, design: Design, *, seed: int) -> pl.DataFrame:
    """Return rows with the `index` of the prompt that was sent, where the id did not tell it."""
    sought = rows.filter(pl.col("index").is_null() & pl.col("prompt").is_not_null())
    if not sought.height:
        return rows
    left, found = sought["prompt"].unique(), list[pl.DataFrame]()
    most, step = (some // design.block * design.block for some in (min(design.size, _MOST_SOUGHT), _CHUNK))
    for start in range(0, most, step):
        indices = shuffled_indices(design.size, min(start + step, most), seed=seed, block=design.block, after=start)
        prompts = pl.DataFrame({"found": indices, "prompt": _hashed(design.stimuli(indices)["prompt"])})
        found.append(prompts.filter(pl.col("prompt").is_in(left.implode())).unique("prompt", keep="first"))
        left = left.filter(~left.is_in(found[-1]["prompt"].implode()))
        if not len(left):
            break
    matched = sought.join(pl.concat(found), on="prompt", how="left", maintain_order="left").with_columns(
        pl.col("found").alias("index"), pl.int_range(pl.len()).over("prompt", "asks").cast(pl.Int32).alias("attempt")
    )
    rest = rows.filter(pl.col("index").is_not_null() | pl.col("prompt").is_null())
    return pl.concat([rest, matched.drop("found")])


def _with_stimuli(
    rows: pl.DataFrame, texts: Sequence[bytes], design: Design, files: Sequence[Path]
) -> Iterator[pl.DataFrame]:
    """Yield saved answers: the stimuli of rows, and what was answered.

    Raises
    ------
    InputError
        What was sent under an id is another text than the prompt of this id.

    """
    for number, content in enumerate(texts):
        piece = rows.filter(pl.col("row") // _CHUNK == number).sort("row")
        stimuli = design.stimuli(piece["index"].to_numpy())
        differs = (piece["prompt"] != _hashed(stimuli["prompt"])).fill_null(value=False).arg_true()
        if len(differs):
            row = piece.row(differs[0], named=True)
            raise InputError(
                f"{_place(row, files)}: the prompt sent with the id {quoted(row['id'])} is not the prompt of this id; "
                f"answers to "
                "changed prompts can't be measured as answers of this probe."
            )
        answers = piece.select(
            "attempt", unpacked(content).gather(piece["row"] % _CHUNK).alias("answer"), "finish_reason", "error"
        )
        yield stimuli.drop(name for name in _OURS if name in stimuli.columns).hstack(answers)


def _by_columns(
    table: pl.DataFrame, texts: Sequence[bytes], files: Sequence[Path], probe: Probe, options: AnswersOptions
) -> Collected:
    """Return answers whose prompts are told by columns, as in saved answers; they are checked as `measure` does."""
    told = pl.Series([columns is not None for columns in table["columns"]])
    strangers, table = table.filter(~told), table.filter(told)
    if strangers["prompt"].count():
        raise InputError(
            f"{_place(strangers.row(0, named=True), files)} has its prompt or id, and other records identify it "
            "by columns; convert them in separate calls."
        )
    own = [
        {
            name: orjson.dumps(value).decode() if isinstance(value, list | dict) else value
            for name, value in columns.items()
            if name != (options.answer or "").partition(".")[0]
        }
        for columns in table["columns"]
    ]
    answer = pl.concat(map(unpacked, texts)).gather(table["row"]).alias("answer")
    answers = table.select(answer, "finish_reason", "error")
    rows = pl.DataFrame(own, infer_schema_length=None).drop(answers.columns, strict=False).hstack(answers)
    rows = renamed_values(rows, options.map, source=files[0])
    none = [pl.lit(None, pl.Int32).alias("attempt"), *([] if "item" in rows.columns else [pl.lit(None).alias("item")])]
    probe.saved(rows.with_columns(none))
    return Collected(
        answers=table.select("empty", "error"),
        pieces=iter([rows]),
        not_asked=_named(strangers, files),
        unanswered=(),
        first_not_asked=_first(strangers, files),
    )


def _place(row: Mapping[str, Any], files: Sequence[Path]) -> str:
    return place_in(files[row["file"]], row["number"])


def _first(rows: pl.DataFrame, files: Sequence[Path]) -> str | None:
    return _place(rows.row(0, named=True), files) if rows.height else None


def _named(rows: pl.DataFrame, files: Sequence[Path]) -> list[str]:
    """Return the ids of records, or where those without one stand."""
    return [row["id"] or _place(row, files) for row in rows.select("file", "number", "id").iter_rows(named=True)]
