"""What a collection did: the lines that it wrote to the journal, and counts."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.asking._stopping import Stopped, Stopping
from evenhand.collect.journal.attempt_ids import attempt_ids, known_among
from evenhand.collect.journal.file import Journal
from evenhand.collect.order import Planned
from evenhand.models.model import Answer

__all__ = ["Collected", "Sent", "Tally", "journal_line"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Collected:
    """What a collection did; counts are attempts, `requests` are what went to the server.

    `skipped` were answered before. `failed` counts journaled errors by class. `stopped`
    is None when everything planned has a line now; `message` says why it is not so.
    """

    asked: int
    answered: int
    skipped: int
    failed: dict[str, int]
    requests: int
    retries: int
    stopped: Stopped | None
    message: str | None


@dataclass(frozen=True, slots=True)
class Sent:
    """One attempt: all that its journal line needs besides the answer."""

    id: str
    index: int
    attempt: int
    sent_order: int

    @classmethod
    def of(cls, planned: Planned) -> "Sent":
        """Return what identifies a planned attempt."""
        return cls(planned.request.id, planned.index, planned.request.attempt, planned.sent_order)


def journal_line(sent: Sent, answer: Answer, *, latency: float | None, retries: int, time: datetime) -> dict[str, Any]:
    """Return one line of the journal; `latency` are the seconds of the try that was answered."""
    line = {
        "id": sent.id,
        "index": sent.index,
        "attempt": sent.attempt,
        "sent_order": sent.sent_order,
        "text": answer.text,
        "finish_reason": answer.finish_reason,
        "returned_model": answer.returned_model,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "latency": None if latency is None else round(latency, 6),
        "retries": retries,
        "error_class": answer.error_class,
        "time": time,
    }
    if answer.chunk is not None:
        line["chunk"] = dict(answer.chunk)
    return line


class Tally:
    """Counts of a collection under way; all that counts as answered or failed is in the journal.

    `progress` gets the number of attempts settled since its last call; those answered before are none of them.
    """

    def __init__(self, journal: Journal, *, progress: Callable[[int], None] | None) -> None:
        self.asked = self.answered = self.skipped = self.requests = self.retries = 0
        self.failed: Counter[str] = Counter()
        self._journal = journal
        self._progress = progress

    def unanswered(self, chunk: list[Planned], answered: NDArray[np.uint64]) -> list[Planned]:
        """Return what of a chunk has no answer yet; `answered` are sorted ids, and the rest is skipped."""
        if not answered.size:
            return chunk
        known = known_among(attempt_ids(chunk), answered).tolist()
        left = [attempt for attempt, is_known in zip(chunk, known, strict=True) if not is_known]
        self.skipped += len(chunk) - len(left)
        return left

    def write(self, line: Mapping[str, Any]) -> None:
        """Write and count one line of the journal."""
        self._journal.append(line)
        error_class = line["error_class"]
        if error_class is None:
            self.answered += 1
        else:
            self.failed[error_class] += 1

    def settle(self, count: int) -> None:
        """Show attempts as done."""
        if self._progress is not None and count:
            self._progress(count)

    def show(self) -> None:
        """Have the progress drawn again, although nothing more is done."""
        if self._progress is not None:
            self._progress(0)

    def collected(self, stopping: Stopping) -> Collected:
        """Return the counts, and why the collection was stopped."""
        return Collected(
            asked=self.asked,
            answered=self.answered,
            skipped=self.skipped,
            failed=dict(sorted(self.failed.items())),
            requests=self.requests,
            retries=self.retries,
            stopped=stopping.reason,
            message=stopping.message,
        )
