"""Prompts divided into pieces, each of which fits into one batch."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from evenhand.collect.collected import Sent
from evenhand.collect.order import Planned
from evenhand.models.batches.service import BatchService

__all__ = ["Piece", "pieces"]

# A batch is built in memory, so it is smaller than providers allow.
_MOST_BYTES = 32_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Prompts that fit into one batch, as the provider gets them.

    `parameters` are those that they are sent with. `again` says whether they were in a
    batch before.
    """

    token: str
    parameters: frozenset[str]
    again: bool
    lines: list[bytes] = field(default_factory=list)
    items: list[Sent] = field(default_factory=list)

    def halves(self, token: Callable[[], str]) -> "list[Piece]":
        """Return two pieces of half the size."""
        middle = len(self.items) // 2
        parts = (slice(None, middle), slice(middle, None))
        return [replace(self, token=token(), lines=self.lines[part], items=self.items[part]) for part in parts]


def pieces(
    attempts: Iterable[Planned], service: BatchService, *, token: Callable[[], str], again: bool
) -> Iterator[Piece]:
    """Yield all attempts in planned order, as many at a time as the service takes."""
    most = min(service.most_bytes, _MOST_BYTES)
    piece: Piece | None = None
    size = 0
    for attempt in attempts:
        request = attempt.request
        if piece is not None:
            line = service.line(f"{request.id}-{piece.token}", request)
            if len(piece.items) == service.most_requests or size + len(line) > most:
                yield piece
                piece = None
        if piece is None:
            piece = Piece(token=token(), parameters=service.access.parameters(request), again=again)
            size = 0
            line = service.line(f"{request.id}-{piece.token}", request)
        piece.lines.append(line)
        piece.items.append(Sent.of(attempt))
        size += len(line)
    if piece is not None:
        yield piece
