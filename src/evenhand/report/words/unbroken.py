"""What a line never ends within: a number and its unit, a p-value, the name of an interval."""

from evenhand.patterns import lazy_re

__all__ = ["unbroken"]

SPACE = "\N{NO-BREAK SPACE}"
#: Spaces between such parts.
_TOGETHER = lazy_re(
    r"(?<=\d) (?=%|points?\b|percentage\b|tokens\b)|(?<=\d %) (?=CI\b)"
    r"|(?<=\b[pnZF]) (?=[=<≤] ?\.?\d)|(?<=\b[pnZF] [=<≤]) (?=\.?\d)"
)


def unbroken(text: str) -> str:
    r"""Return a text in which what belongs together is held together by no-break spaces.

    >>> unbroken("male names: 4.0 points (95 % CI 1.0 to 7.0; p < 0.001)").split(" ")
    ['male', 'names:', '4.0\xa0points', '(95\xa0%\xa0CI', '1.0', 'to', '7.0;', 'p\xa0<\xa00.001)']
    """
    return _TOGETHER.sub(SPACE, text)
