"""The parts of a run that several machines ask."""

from dataclasses import dataclass

from evenhand.errors import InputError
from evenhand.tables.messages.quoting import quoted

__all__ = ["Shards"]


@dataclass(frozen=True, kw_only=True)
class Shards:
    """The part of a run that one machine asks: the `number`-th of `of`, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shards":
        """Return the shard of a text such as 1/4.

        Raises
        ------
        InputError
            The text is no such fraction.

        >>> Shards.parse("2/4")
        Shards(number=2, of=4)
        """
        number, slash, of = text.partition("/")
        digits = text.isascii() and number.isdecimal() and of.isdecimal()
        if not (slash and digits and 1 <= int(number) <= int(of) <= 10_000):
            raise InputError(
                f"--shard is {quoted(text)}; expected the number of a part and how many there are, as in 1/4."
            )
        return cls(number=int(number), of=int(of))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"
