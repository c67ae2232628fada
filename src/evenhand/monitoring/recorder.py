"""A recorder for services: single judgements are checked, buffered, and written to a store in the background."""

import atexit
import logging
import math
import os
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self, TypedDict, Unpack

import polars as pl

from evenhand.errors import EvenhandError, InputError
from evenhand.monitoring.recording import Batch, record_batch
from evenhand.monitoring.store import opened_store, store_now
from evenhand.results.schemas import BREAKDOWN, DATED, LARGEST, PROTECTED, STATUSES
from evenhand.stats.rounding import kept_code


class Judgement(TypedDict, total=False):
    """A judgement of one person: what is left out or None is not known.

    `time` has a zone, and is now when left out; `latency` is in seconds. `by` has values such as
    {"department": "sales"}, `protected` groups such as {"gender": "female"}. With a `unit`, the person or case, it is
    counted once, and a label may come later. `status` is as in outcomes: observed, refused, error, ….
    """

    time: datetime
    score: float | None
    selected: bool | None
    label: bool | None
    status: str | None
    latency: float | None
    position: str | None
    stage: str | None
    decided_by: str | None
    by: Mapping[str, str | None]
    protected: Mapping[str, str | None]
    unit: str | None


#: Clocks of two machines differ.
_SLACK: Final = timedelta(minutes=5)
_TEXTS: Final = ("position", "stage", "decided_by", "unit")
_MEASURED_KEYS: Final = frozenset({"score", "selected", "label", "status", "latency"})


def row_of(judgement: Judgement, *, now: datetime) -> dict[str, Any]:
    """Return a judgement as a row.

    Raises
    ------
    InputError
        A field is not known or of a wrong type, or nothing was judged.

    >>> row = row_of({"score": 0.71, "by": {"department": "sales"}}, now=datetime(2026, 3, 1, tzinfo=UTC))
    >>> row["score"], row["undetected"], row["by.department"]
    (106100, False, 'sales')
    """
    unknown = sorted(set(judgement) - set(Judgement.__annotations__))
    if unknown:
        raise InputError(f"A judgement has no {unknown[0]}.")
    given_measures = {
        name for name in _MEASURED_KEYS & set(judgement) if judgement.get(name) is not None or name == "score"
    }
    if not given_measures or (given_measures == {"label"} and judgement.get("unit") is None):
        raise InputError("A judgement needs a score, selected, status or latency, or the label of a unit.")
    at = judgement.get("time") or now
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise InputError("time is not a datetime with a zone.")
    if at > now + _SLACK:
        raise InputError("time is in the future.")
    at = at.astimezone(UTC)
    score, seconds = _kept(judgement, "score"), _kept(judgement, "latency")
    if seconds is not None and seconds < 0:
        raise InputError("latency is below 0.")
    selected, status = _flag(judgement, "selected"), _status(judgement)
    expects_result = "score" in judgement or selected is not None
    unread = status not in {None, "observed"} or (expects_result and score is None and selected is None)
    row: dict[str, Any] = {name: _text(name, judgement.get(name)) for name in _TEXTS}
    row |= {f"{BREAKDOWN}{name}": _text("by", value) for name, value in (judgement.get("by") or {}).items()}
    row |= {
        f"{PROTECTED}{name}": _text("protected", value) for name, value in (judgement.get("protected") or {}).items()
    }
    return row | {
        "day": at.date(),
        "second": int(at.timestamp()),
        "score": score,
        "seconds": seconds,
        "selected": selected,
        "label": _flag(judgement, "label"),
        "failed": None if status is None else status == "error",
        "undetected": None if status is None and not expects_result else unread and status != "error",
        "n": 1,
    }


def frame_of(rows: Sequence[Mapping[str, Any]], *, units: bool) -> pl.DataFrame:
    """Return rows as a frame with the columns of `DATED`, and of units where there are some."""
    names = sorted({name for row in rows for name in row if name.startswith((BREAKDOWN, PROTECTED))})
    kinds: dict[str, pl.DataType] = DATED | dict.fromkeys(names, pl.String())
    if units:
        kinds |= {"unit": pl.String(), "second": pl.Int64()}
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in kinds}, schema=kinds)


def _kept(judgement: Judgement, name: str) -> int | None:
    """Return the code of a number; one that is not finite is not known."""
    value = judgement.get(name)
    if value is None:
        return None
    if isinstance(value, bool | str):
        raise InputError(f"{name} is not a number.")
    number = float(value)  # type: ignore[arg-type]
    if abs(number) > LARGEST and math.isfinite(number):
        raise InputError(f"{name} is beyond {LARGEST:,.0f}.")
    return kept_code(number) if math.isfinite(number) else None


def _flag(judgement: Judgement, name: str) -> bool | None:
    value = judgement.get(name)
    if value is None or value in (True, False):
        return None if value is None else bool(value)
    raise InputError(f"{name} is neither True nor False.")


def _status(judgement: Judgement) -> str | None:
    status = judgement.get("status")
    if status is not None and status not in STATUSES:
        raise InputError(f"status is not one of {', '.join(STATUSES)}.")
    return status


def _text(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is not text.")
    text = (value or "").strip()
    if "\0" in text or not text.encode(errors="ignore").decode() == text:
        raise InputError(f"{name} holds characters that a database can't store.")
    return text or None


_LOG: Final = logging.getLogger("evenhand.monitor")
#: A row with none of these is a label that comes later.
_JUDGEMENT_FIELDS: Final = ("score", "seconds", "selected", "failed", "undetected")


class Recorder:
    """Records the judgements of one model from within a service: buffered, never waiting, never raising.

    A thread writes the buffer into the store every `every` seconds. Where the store can't be written the judgements
    wait, and are tried again; beyond `most` that wait, further ones are dropped and counted, as are those that are no
    judgements. The logger `evenhand.monitor` warns of both. A killed process loses what waited. A child of a fork
    begins with an empty buffer, but can't write where the parent had used Polars or DuckDB: make the recorder in each
    worker.

    >>> from tempfile import mkdtemp
    >>> store = f"{mkdtemp()}/history.db"
    >>> with Recorder(store, model="screener") as recorder:
    ...     recorder.record(score=0.71, selected=True, latency=0.2, protected={"gender": "female"})
    >>> recorder.recorded, recorder.dropped
    (1, 0)
    """

    def __init__(
        self,
        store: str | Path,
        *,
        model: str,
        every: float = 60,
        most: int = 100_000,
        clock: Callable[[], datetime] = store_now,
    ) -> None:
        """Begin; the store is opened when something is written, and made where there is none.

        Raises
        ------
        InputError
            The model is blank, or a number is not above 0.

        """
        if not model.strip():
            raise InputError("model is blank; give the model, scorer or process that made the judgements.")
        if every <= 0 or most <= 0:
            raise InputError("every and most must be above 0.")
        self._store, self._model, self._every, self._most, self._clock = str(store), model.strip(), every, most, clock
        self._closed = False
        self._begin()
        atexit.register(self.close)

    def record(self, **judgement: Unpack[Judgement]) -> None:
        """Take a judgement into the buffer; the fields are those of `Judgement`."""
        try:
            if os.getpid() != self._process:
                self._begin()
            row = row_of(judgement, now=self._clock())
        except Exception as error:  # noqa: BLE001 - a service must not end by what it records
            self._drop(f"a judgement can't be recorded: {error}")
            return
        if len(self._rows) + self._held >= self._most or self._closed:
            self._drop("the recorder is closed" if self._closed else f"{self._most:,} judgements wait for the store")
            return
        self._rows.append(row)
        if self._thread is None:
            self._start()

    @property
    def recorded(self) -> int:
        """Return how many judgements are in the store."""
        return self._recorded

    @property
    def dropped(self) -> int:
        """Return how many judgements were dropped."""
        return self._dropped

    @property
    def waiting(self) -> int:
        """Return how many judgements wait to be written."""
        return len(self._rows) + self._held

    def flush(self) -> bool:
        """Write what waits, in this thread; return whether all of it is in the store."""
        with self._writing:
            try:
                self._take()
                while self._batches:
                    self._write(*self._batches[0])
                    self._batches.popleft()
            except EvenhandError as error:
                _LOG.warning("%s judgements of %s wait: %s", self.waiting, self._model, error)
                return False
            except Exception:  # noqa: BLE001 - likewise
                _LOG.exception("%s judgements of %s wait.", self.waiting, self._model)
                return False
        return True

    def close(self, *, timeout: float = 30) -> None:
        """Write what waits, and end; what can't be written within `timeout` seconds is dropped, and counted."""
        if os.getpid() != self._process or self._closed:
            return
        self._closed = True
        if self.waiting:
            self._start()
        self._ended.set()
        if self._thread is not None:
            self._thread.join(timeout)
        if self.waiting:
            self._drop("the store could not be written when the recorder was closed", n=self.waiting)
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self) -> None:
        """Begin with nothing, as a new process does: what waited in the one before is its own."""
        self._process = os.getpid()
        self._rows: deque[Mapping[str, Any]] = deque()
        self._batches: deque[tuple[str, pl.DataFrame, bool, int]] = deque()
        self._held = self._recorded = self._dropped = self._untold = 0
        self._thread: threading.Thread | None = None
        self._counting, self._writing, self._ended = threading.Lock(), threading.Lock(), threading.Event()

    def _start(self) -> None:
        with self._counting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="evenhand recorder", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            self.flush()
        self.flush()

    def _drop(self, reason: str, *, n: int = 1) -> None:
        with self._counting:
            first = not self._untold
            self._dropped += n
            self._untold += n
        if first:  # further ones are counted, and told with the next batch
            _LOG.warning("%s of %s dropped: %s", n, self._model, reason)

    def _take(self) -> None:
        """Make batches of the rows in the buffer, in the order of what they are: each has a name of its own."""
        rows = [self._rows.popleft() for _ in range(len(self._rows))]
        self._held += len(rows)
        kinds: dict[tuple[bool, bool], list[Mapping[str, Any]]] = {}
        for row in rows:
            of_unit = row["unit"] is not None
            kinds.setdefault((of_unit, of_unit and all(row[name] is None for name in _JUDGEMENT_FIELDS)), []).append(
                row
            )
        for (units, labels_only), records in sorted(kinds.items()):
            with self._counting:
                dropped, self._untold = self._untold, 0
            name = f"recorder-{secrets.token_hex(8)}"
            self._batches.append((name, frame_of(records, units=units), labels_only, dropped))

    def _write(self, name: str, frame: pl.DataFrame, labels_only: bool, dropped: int) -> None:  # noqa: FBT001 - of a batch
        batch = Batch(model=self._model, name=name, dropped=dropped)
        batch.add([frame])
        with opened_store(self._store, create=True, clock=self._clock) as store:
            record_batch(store, batch, decisions=[frame] if "unit" in frame.columns else None, labels_only=labels_only)
        self._held -= frame.height
        self._recorded += frame.height
