"""Journals the results of batches that have ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.asking.retries import REJECTED_AFTER
from evenhand.collect.batches._calls import Calls
from evenhand.collect.batches._handing import UnderWay
from evenhand.collect.batches.log import BatchLog
from evenhand.collect.collected import Sent, Tally, journal_line
from evenhand.collect.journal.attempt_ids import known_among
from evenhand.collect.journal.file import Journal
from evenhand.models.batches.batch import BatchItem, BatchState
from evenhand.models.batches.service import BatchService
from evenhand.models.model import Answer, Failure, Request

__all__ = ["Results"]

_ID_LENGTH = 16


@dataclass(kw_only=True)
class _Gathering:
    """What of one ended batch is still to come, and what came."""

    left: dict[str, Sent]
    #: Rejected prompts: recorded unless all are.
    held: list[tuple[Sent, Failure]] = field(default_factory=list)
    answered: int = 0
    failed: int = 0
    #: Prompts that were rejected for a parameter that is not sent any more.
    again: set[int] = field(default_factory=set)
    fatal: Failure | None = None


class Results:
    """Fetches results and writes them to the journal; `answered` are the sorted ids that it held before."""

    def __init__(
        self,
        service: BatchService,
        journal: Journal,
        log: BatchLog,
        tally: Tally,
        calls: Calls,
        *,
        answered: NDArray[np.uint64],
        now: Callable[[], datetime],
    ) -> None:
        self._service = service
        self._journal = journal
        self._log = log
        self._tally = tally
        self._calls = calls
        self._known = answered
        self._now = now

    async def gather(self, under_way: UnderWay, state: BatchState, *, example: Request | None) -> set[int]:
        """Journal the results of an ended batch; return the ids that are to be handed over again.

        Those were rejected for a parameter that is not sent any more. `example` is any
        request of the run, None where nothing can be handed over again.
        """
        items = under_way.batch.items
        ids = np.fromiter((int(item.id, 16) for item in items), np.uint64, len(items))
        known = known_among(ids, self._known).tolist()
        gathering = _Gathering(
            left={item.id: item for item, is_known in zip(items, known, strict=True) if not is_known}
        )

        def adapts(failure: Failure, said: bytes) -> bool:
            """Return whether a rejected prompt would be sent with other parameters now."""
            return example is not None and self._service.access.adapts(example, failure, said, under_way.parameters)

        async def take() -> None:
            async for result in self._service.results(state):
                self._take(gathering, result, adapts)

        await self._calls.patiently(take)
        for item in gathering.left.values():
            self._write(item, Answer(text=None, error_class=state.leftover))
            gathering.failed += 1
        answered = gathering.answered or self._tally.answered or self._known.size
        if len(gathering.held) >= REJECTED_AFTER and len(gathering.held) == gathering.failed and not answered:
            # All rejected: it is the request that is wrong, not the prompts, and none is recorded.
            self._close(under_way, state, gathering)
            self._calls.end("fatal", f"All {len(gathering.held):,} prompts were rejected. {gathering.held[0][1]}")
        for item, failure in gathering.held:
            self._write(item, Answer(text=None, error_class=failure.error_class))
        self._close(under_way, state, gathering)
        if gathering.fatal is not None:
            self._calls.end("fatal", str(gathering.fatal))
        return gathering.again

    def _take(self, gathering: _Gathering, result: BatchItem, adapts: Callable[[Failure, bytes], bool]) -> None:
        """Journal one result, or hold it where the others decide what it means."""
        item = gathering.left.pop(result.custom_id[:_ID_LENGTH], None)
        if item is None:
            return
        if result.answer is not None:
            gathering.answered += 1
            self._write(item, result.answer)
            return
        failure = result.failure
        assert failure is not None
        if failure.error_class == "rejected" and adapts(failure, result.said):
            gathering.again.add(int(item.id, 16))
            return
        gathering.failed += 1
        if failure.kind == "fatal":
            gathering.fatal = failure
        elif failure.kind == "final":
            gathering.held.append((item, failure))
        else:
            self._write(item, Answer(text=None, error_class=failure.error_class))

    def _close(self, under_way: UnderWay, state: BatchState, gathering: _Gathering) -> None:
        # A batch that counts as collected is not fetched again: its answers must outlast a power cut.
        self._journal.sync()
        self._log.collected(
            under_way.batch,
            status=state.status,
            answered=gathering.answered,
            failed=gathering.failed + len(gathering.again),
            now=self._now(),
        )
        self._tally.settle(len(under_way.batch.items) - under_way.shown)

    def _write(self, item: Sent, answer: Answer) -> None:
        self._tally.write(journal_line(item, answer, latency=None, retries=0, time=self._now()))
