"""Whether a request may be sent now: limits per minute and a budget, asked one after the other."""

import math
from dataclasses import dataclass

from evenhand.collect.asking.limits import Limits, Taken
from evenhand.collect.cost.tokens import TokenCount
from evenhand.collect.cost.totals import Budget
from evenhand.models.model import Answer, Failure, Request

__all__ = ["InFlight", "Meter"]

# Errors of tries that a server may have answered, and billed, though nothing of use arrived.
_MAYBE_BILLED = frozenset({"timeout", "connection", "malformed", "empty", "too_large"})


@dataclass(slots=True)
class InFlight:
    """A request that was sent: what was taken and set aside for it."""

    request: Request
    taken: Taken | None
    most: float


class Meter:
    """Counts what is sent against limits per minute and a budget; None is no limit."""

    def __init__(self, *, limits: Limits | None = None, budget: Budget | None = None) -> None:
        self.tokens = TokenCount()
        self._limits = limits
        self._budget = budget
        self._in_flight = 0

    @property
    def has_budget(self) -> bool:
        """Return whether costs are counted, or limit what is sent."""
        return self._budget is not None

    def wait(self, request: Request) -> float:
        """Return the seconds until the limits per minute let a request through."""
        return 0.0 if self._limits is None else self._limits.wait(self.tokens.expected(request))

    def exhausted(self, request: Request) -> str | None:
        """Return why no request like this can be sent any more; None where it can, perhaps later."""
        if self._budget is None:
            return None
        most = self._most(request)
        return self._budget.sentence(most) if self._budget.is_exhausted(most) else None

    def fits(self, request: Request) -> bool:
        """Return whether the budget lets a request through, with those in flight at their bounds.

        While no answer has shown how long answers are, and no --max-tokens says it, one
        request is sent at a time.
        """
        if self._budget is None or math.isinf(self._budget.limit):
            return True
        unknown = not self.tokens.answers and request.generation.max_tokens is None
        if unknown and self._in_flight:
            return False
        return self._budget.fits(self._most(request))

    def send(self, request: Request) -> InFlight:
        """Count a request that is being sent."""
        self._in_flight += 1
        most = 0.0
        if self._budget is not None:
            most = self._most(request)
            self._budget.reserve(most)
        taken = None if self._limits is None else self._limits.take(self.tokens.expected(request))
        return InFlight(request, taken, most)

    def answered(self, sent: InFlight, answer: Answer) -> tuple[float, float]:
        """Put what an answer used in the place of what was expected; return its input and output tokens."""
        used, made = self.tokens.add(sent.request, answer)
        if self._limits is not None:
            self._limits.correct(sent.taken, used + made)
        if self._budget is not None:
            self._budget.settle(sent.most, cost=self._budget.price.cost(used, made))
        self._end()
        return used, made

    def failed(self, sent: InFlight, failure: Failure) -> None:
        """Count a try without an answer; the server may have counted its tokens, so they stay taken."""
        if self._budget is not None:
            billed = sent.most if failure.error_class in _MAYBE_BILLED else 0.0
            self._budget.settle(sent.most, uncertain=billed)
        self._end()

    def uncertain(self) -> float:
        """Return what tries without an answer may have cost at most, those still in flight included."""
        return 0.0 if self._budget is None else self._budget.uncertain + self._budget.reserved

    def _most(self, request: Request) -> float:
        assert self._budget is not None
        return self._budget.price.cost(*self.tokens.bounds(request))

    def _end(self) -> None:
        self._in_flight -= 1
        if self._budget is not None and not self._in_flight:
            self._budget.reserved = 0.0  # no rounding is carried along
