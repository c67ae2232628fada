"""The inputs of match scores (people, positions, pairs, labels), and the run folder they end in.

Texts of people are masked once (`masked_texts`): a cache stores them by a hash of text and masking rules.
"""

import hashlib
import shlex
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.analyses.options.output import Reported
from evenhand.analyses.options.scores import ScoreOptions, TrainOptions
from evenhand.analyses.progress import Progress, cores, processes
from evenhand.analyses.run import Run, refuse_clearing_input, synthetic_note
from evenhand.data.inputs import Position, read_positions
from evenhand.data.labels import labels_of, likely_meaning, outcomes_of
from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError
from evenhand.masking.mask import mask_text
from evenhand.masking.people import Person, read_people
from evenhand.matching.features import NAMES, pair_features
from evenhand.matching.matcher import MASKING, Facts, Matcher, half_steps, read_matcher
from evenhand.matching.training import LabelledPairs
from evenhand.options import to_manifest, words
from evenhand.results.files import sha256_of
from evenhand.results.messages import listed, quoted
from evenhand.results.score_audit import MatchAudit

TRAINING: Final = "How well do match scores predict the labels, overall and by group, and which features do they use?"
SCORING: Final = "How well do these people and positions match, according to this matcher?"
PACKAGES: Final = ("lightgbm", "scikit-learn")
#: Options without a default; the command line that reproduces a run always has them.
REQUIRED: Final = ("people", "positions", "label", "protected", "matcher")
LIMITS: Final = (
    "A match score reproduces the labels that it was trained on. If they were unfair, so is the score, unless the "
    "penalty or the choice of features prevents it.",
    "Masked texts still have information about people: dates, gaps between jobs, and words that masking missed may "
    "be proxies for a group.",
    "A score describes a pair. It says nothing about a person without the position.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class MatchRun(Run):
    """A finished run of `evenhand match`."""

    audit: MatchAudit


def match_audit(
    command: str, options: Reported, inputs: Mapping[str, Path], *, first: Sequence[str] = (), **facts: Any
) -> MatchAudit:
    """Return the facts of a run; `inputs` are files by role, `first` the arguments before the options."""
    fingerprints = {name: sha256_of(path) for name, path in inputs.items() if path.is_file()}
    drawn = synthetic_note(inputs["people"], fingerprints)
    audit = MatchAudit(
        simulated=drawn is not None,
        simulated_note=drawn,
        parameters=to_manifest(options, only_given=True),
        limits=LIMITS,
        reproduce=shlex.join(["evenhand", "match", command, *first, *words(options, always=REQUIRED)]),
        fingerprints=fingerprints,
        **facts,
    )
    if audit.trained is None:
        return replace(audit, question=SCORING)
    return replace(audit, question=TRAINING, versions={name: version(name) for name in PACKAGES})


#: People that one process masks at a time; up to the second number this process masks all, as others start slowly.
_PEOPLE, _FEW = 64, 256


def masked_texts(people: Sequence[Person], cache_file: Path, *, progress: Progress | None = None) -> list[str]:
    """Return the masked text of each person; texts in `cache_file` are not masked again.

    Raises
    ------
    InputError
        The file can't be used.

    """
    keys = [_key(person) for person in people]
    try:
        cache_file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(cache_file, timeout=60)) as store:
            store.execute("CREATE TABLE IF NOT EXISTS masked (key TEXT PRIMARY KEY, text TEXT NOT NULL)")
            known = dict(_known(store, keys))
            missing = [number for number, key in enumerate(keys) if key not in known]
            done = 0
            for batch in _masked([people[number] for number in missing]):
                rows = list(zip((keys[number] for number in missing[done : done + len(batch)]), batch, strict=True))
                with store:
                    store.executemany("INSERT OR REPLACE INTO masked VALUES (?, ?)", rows)
                known.update(rows)
                done += len(batch)
                if progress is not None:
                    progress("masking", done, len(missing))
    except (sqlite3.Error, OSError) as error:
        raise InputError(f"--cache {cache_file} can't be used ({error}); give another file.") from error
    return [known[key] for key in keys]


def _known(store: sqlite3.Connection, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    rest = iter(keys)
    while part := list(islice(rest, 500)):
        marks = ",".join("?" * len(part))
        yield from store.execute(f"SELECT key, text FROM masked WHERE key IN ({marks})", part)  # noqa: S608 - marks alone


def _masked(people: Sequence[Person]) -> Iterator[list[str]]:
    """Yield masked texts in the order of people."""
    batches = [people[start : start + _PEOPLE] for start in range(0, len(people), _PEOPLE)]
    workers = min(cores(), len(batches))
    if len(people) <= _FEW or workers == 1:
        yield from map(_batch, batches)
        return
    with processes(workers) as pool:
        yield from pool.map(_batch, batches)


def _batch(people: Sequence[Person]) -> list[str]:
    return [
        mask_text(
            person.text,
            known_names=person.known_names,
            file_name=person.file_name,
            metadata=person.metadata,
            options=MASKING,
        ).text
        for person in people
    ]


def _key(person: Person) -> str:
    """Return the hash of all that a masked text depends on, the rules included."""
    parts = [_rules(), person.text, *person.known_names, "", person.file_name or "", *person.metadata]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()


@cache
def _rules() -> str:
    """Return the hash of the code and word lists of masking."""
    package = Path(str(files("evenhand")))
    digest = hashlib.sha256(repr(sorted(MASKING.optional)).encode())
    for folder in ("masking", "data/lexicons"):
        for file in sorted((package / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.read_bytes())
    return digest.hexdigest()


PERSON: Final = "person"
POSITION: Final = "position"


def read_pairs(path: Path, *, people: Sequence[str], positions: Sequence[str]) -> pl.DataFrame:
    """Return the pairs of a file, with the numbers of their people and positions as `_person` and `_position`.

    Raises
    ------
    InputError
        The file can't be read, lacks a column, names an unknown person or position, or has a pair twice.

    """
    suffix = path.suffix.lower()
    if suffix == ".parquet" and path.is_file():
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"{path} is not a Parquet file that can be read ({type(error).__name__}).") from error
    elif suffix in {".csv", ".tsv", ".txt"}:
        frame = read_text_table(path).frame
    else:
        problem = f"{path} has the ending {suffix or '(none)'}" if path.exists() else f"No file {path}"
        raise InputError(f"{problem}; expected pairs as .csv or .parquet with the columns person and position.")
    for name in (PERSON, POSITION):
        if name not in frame.columns:
            raise InputError(f"No column {quoted(name)} in {path}. Columns: {listed(frame.columns, most=8)}.")
    if not frame.height:
        raise InputError(f"{path} has no rows; expected a pair of person and position in each.")
    frame = frame.with_columns(
        _numbers(frame[PERSON], people, path, "people").alias("_person"),
        _numbers(frame[POSITION], positions, path, "positions").alias("_position"),
    )
    twice = frame.select("_person", "_position").is_duplicated()
    if twice.any():
        row = frame.filter(twice).row(0, named=True)
        raise InputError(
            f"{path} has the pair of person {quoted(str(row[PERSON]))} and position {quoted(str(row[POSITION]))} "
            f"more than once, {int(twice.sum()):,} rows have such a pair; give each pair once."
        )
    return frame


def _numbers(column: pl.Series, known: Sequence[str], path: Path, what: str) -> pl.Series:
    """Return the positions of ids among the known ones."""
    ids = column.cast(pl.String).str.strip_chars()
    places = pl.DataFrame({"id": list(known), "place": range(len(known))}, schema={"id": pl.String, "place": pl.Int64})
    numbers = pl.DataFrame({"id": ids}).join(places, on="id", how="left", maintain_order="left")["place"]
    if numbers.null_count():
        unknown = ids.filter(numbers.is_null())
        first = "an empty cell" if unknown[0] in {None, ""} else quoted(unknown[0])
        raise InputError(
            f"{path} names {first}, which --{what} does not hold ({numbers.null_count():,} of {len(ids):,} rows have "
            f"such an id); give all {what} that the pairs name."
        )
    return numbers


#: The fewest pairs for training.
FEWEST = 200
_EMPTY = frozenset({"", "nan", "<na>", "null"})


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """Pairs with labels; `levels` are the names of groups by attribute, `unlabelled` pairs have no label."""

    frame: pl.DataFrame
    pairs: LabelledPairs
    levels: dict[str, tuple[str, ...]]
    unlabelled: int


def read_labelled(
    source: Path, people: Sequence[Person], positions: Sequence[Position], options: TrainOptions
) -> Labelled:
    """Return the labelled pairs of a file.

    Raises
    ------
    InputError
        The file or a column can't be used, or there are too few labels or groups.

    """
    frame = read_pairs(source, people=[record.id for record in people], positions=[record.id for record in positions])
    column, _, value = options.label.partition("=")
    if options.label in frame.columns:
        column, value = options.label, ""
    if column not in frame.columns:
        raise InputError(f"No column {quoted(column)} in {source} (--label). Columns: {_columns(frame)}.")
    for name in (*options.protected, column):
        if name in {PERSON, POSITION}:
            raise InputError(f"The column {quoted(name)} identifies the pair; it is neither a group nor a label.")
        if name in NAMES:
            raise InputError(f"{quoted(name)} is also the name of a feature of match scores; rename the column.")
    label = pl.Series("_label", _labels(frame[column], value), dtype=pl.Boolean)
    frame = frame.with_columns(label).filter(label.is_not_null())
    if frame.height < FEWEST:
        raise InputError(f"{source} has {frame.height:,} pairs with a label; a model needs {FEWEST} at least.")
    groups, levels = {}, {}
    for name in options.protected:
        values = _attribute(name, frame, people, source)
        names = tuple(sorted({value for value in values if value is not None}))
        if len(names) < 2:
            raise InputError(f"--protected {name} has {len(names)} group among the pairs; comparing needs two.")
        numbers = {level: number for number, level in enumerate(names)}
        groups[name] = np.asarray([-1 if value is None else numbers[value] for value in values], np.int64)
        levels[name] = names
    return Labelled(
        frame=frame,
        pairs=LabelledPairs(
            people=frame["_person"].to_numpy(),
            positions=frame["_position"].to_numpy(),
            label=frame["_label"].cast(pl.Float64).to_numpy(),
            groups=groups,
        ),
        levels=levels,
        unlabelled=len(label) - frame.height,
    )


def _labels(cells: pl.Series, value: str) -> list[bool | None]:
    """Return the label of each pair: whether the cell has the value or, without one, means yes."""
    counts = pl.DataFrame({"decision": cells}).group_by("decision").agg(n=pl.len())
    outcomes = outcomes_of(counts, cells.name, value or None)
    doubtful = [
        label for label in outcomes.counts if label not in outcomes.selected and likely_meaning(label) == "none"
    ]
    if doubtful:
        raise InputError(
            f"The label {quoted(cells.name)} holds {listed(doubtful, quotes=True)}, which may not be labels: "
            "leave these cells empty, or write no."
        )
    return [outcomes.of[cell] for cell in cells]


def _attribute(name: str, frame: pl.DataFrame, people: Sequence[Person], source: Path) -> list[str | None]:
    """Return the group of each pair: from a column of the pairs, or from the people."""
    if name in frame.columns:
        values = frame[name].cast(pl.String).to_list()
    elif any(name in person.protected for person in people):
        values = [people[number].protected.get(name) for number in frame["_person"]]
    else:
        known = sorted({key for person in people for key in person.protected})
        raise InputError(
            f"No column {quoted(name)} in {source} or among people (--protected). Columns: {_columns(frame)}; "
            f"of people: {listed(known) if known else 'none'}."
        )
    counts = pl.Series("value", values, dtype=pl.String).value_counts()
    labels = labels_of(list(counts.iter_rows()), _EMPTY)
    return [labels.of[value] for value in values]


def _columns(frame: pl.DataFrame) -> str:
    return listed([name for name in frame.columns if not name.startswith("_")], most=8)


@dataclass(frozen=True, kw_only=True)
class ScoringRequest:
    """A matcher, people, positions, and the indices of the pairs; None for all pairs."""

    matcher: Matcher
    people: Sequence[Person]
    positions: Sequence[Position]
    facts: Facts
    texts: Sequence[str]
    rows: NDArray[np.int64] | None
    columns: NDArray[np.int64] | None

    @property
    def pairs(self) -> int:
        """Return the number of pairs."""
        return len(self.people) * len(self.positions) if self.rows is None else len(self.rows)


def scoring_request(options: ScoreOptions, *, progress: Progress | None = None) -> ScoringRequest:
    """Return the matcher and the pairs that options name.

    Raises
    ------
    InputError
        A file can't be used, or pairs name an unknown person or position.

    """
    inputs = [options.matcher, options.people, options.positions, options.pairs]
    refuse_clearing_input(options.out, [path for path in inputs if path is not None], force=options.force)
    matcher = read_matcher(options.matcher)
    people, positions = read_people(options.people), read_positions(options.positions)
    rows = columns = None
    if options.pairs is not None:
        frame = read_pairs(
            options.pairs, people=[record.id for record in people], positions=[record.id for record in positions]
        )
        rows, columns = frame["_person"].to_numpy(), frame["_position"].to_numpy()
        paired = np.unique(rows)
        people, rows = tuple(people[number] for number in paired), np.searchsorted(paired, rows)
    texts = masked_texts(people, options.cache, progress=progress)
    if progress is not None:
        progress("scoring")
    return ScoringRequest(
        matcher=matcher,
        people=people,
        positions=positions,
        facts=matcher.facts(texts, positions),
        texts=texts,
        rows=rows,
        columns=columns,
    )


@dataclass(frozen=True, kw_only=True)
class ScoredPairs:
    """Pairs in the requested order, with margins and scores; features only for pairs named one by one."""

    people: NDArray[np.int64]
    positions: NDArray[np.int64]
    margin: NDArray[np.float64]
    score: NDArray[np.float64]
    features: NDArray[np.float32] | None = None


def scored_pairs(request: ScoringRequest) -> Iterator[ScoredPairs]:
    """Yield the scored pairs in blocks, so that memory doesn't grow with their number."""
    matcher, facts = request.matcher, request.facts
    if request.rows is None or request.columns is None:
        for block in matcher.blocks(facts):
            people, positions = np.indices(block.margin.shape)
            yield ScoredPairs(
                people=people.ravel() + block.first,
                positions=positions.ravel(),
                margin=block.margin.ravel(),
                score=block.score.ravel(),
            )
        return
    features = pair_features(facts.people, facts.positions, request.rows, request.columns)
    margin = matcher.margin(features)
    families = [facts.positions.families[column] for column in request.columns]
    yield ScoredPairs(
        people=request.rows,
        positions=request.columns,
        margin=margin,
        score=matcher.score(margin, families),
        features=features,
    )


def pair_table(request: ScoringRequest, scored: ScoredPairs) -> pl.DataFrame:
    """Return the columns of scores.csv: person, position, score, match."""
    people = pl.Series([person.id for person in request.people], dtype=pl.String)
    positions = pl.Series([position.id for position in request.positions], dtype=pl.String)
    return pl.DataFrame(
        {
            "person": people.gather(scored.people),
            "position": positions.gather(scored.positions),
            "score": scored.score,
            "match": half_steps(scored.score),
        }
    )


def scored_audit(
    request: ScoringRequest, options: ScoreOptions, command: str, matches: Mapping[float, int], **facts: Any
) -> MatchAudit:
    """Return the facts of scoring; `matches` counts pairs by their match."""
    inputs = {"matcher": options.matcher, "people": options.people, "positions": options.positions}
    if options.pairs is not None:
        inputs["pairs"] = options.pairs
    return match_audit(
        command,
        options,
        inputs,
        model=options.matcher.name,
        people=len(request.people),
        positions=len(request.positions) if request.columns is None else len(np.unique(request.columns)),
        pairs=request.pairs,
        matches={f"{match:g}": matches[match] for match in sorted(matches)},
        **facts,
    )
