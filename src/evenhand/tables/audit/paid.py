"""What was asked and paid, as manifests and audit blocks say it."""

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Account", "Stopping", "Usage"]


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of all answers, as the server counted them; of answers without a count they are estimated."""

    input_tokens: int = 0
    output_tokens: int = 0
    answers: int = 0
    answers_without_usage: int = 0


@dataclass(frozen=True, kw_only=True)
class Stopping:
    """How --until-width ended."""

    measure: str
    until_width: float
    reached: bool
    width: float | None
    looks: int
    look_every: int
    prompts: int
    journaled: int
    planned: int
    saved: float
    fixed_sample: int | None
    sentence: str


# What a block must say, a property each.
# arid: disable
class Account(Protocol):
    """A block that says what was paid, or why that is not known."""

    @property
    def simulated(self) -> bool:
        """Return whether a simulated model answered."""

    @property
    def requests(self) -> int | None:
        """Return how many requests were sent."""

    @property
    def cost(self) -> float | None:
        """Return what was paid."""

    @property
    def currency(self) -> str | None:
        """Return its currency."""

    @property
    def cost_reason(self) -> str | None:
        """Return why the cost is not known."""

    @property
    def cost_uncertain(self) -> float | None:
        """Return what may have been paid besides."""

    @property
    def usage(self) -> Usage | None:
        """Return the tokens."""


# arid: enable
