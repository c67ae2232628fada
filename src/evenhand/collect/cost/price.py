"""What a model's tokens cost."""

from dataclasses import dataclass

__all__ = ["Price"]

_MILLION = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """Prices per million tokens of one model; `batch_discount` is the share taken off with --batch."""

    input: float
    output: float
    currency: str | None = None
    batch_discount: float = 0.0

    def cost(self, input_tokens: float, output_tokens: float, *, batch: bool = False) -> float:
        """Return what so many tokens cost.

        >>> Price(input=2.0, output=8.0).cost(1_000_000, 500_000)
        6.0
        """
        whole = (input_tokens * self.input + output_tokens * self.output) / _MILLION
        return whole * (1 - self.batch_discount) if batch else whole
