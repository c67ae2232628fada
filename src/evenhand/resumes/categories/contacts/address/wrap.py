"""How an address goes on over a line's end: a postal code broken in two, a town with its code below."""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.contacts.address.words import ADDRESS_WORDS

__all__ = ["code_below", "number_above"]

#: The first half of a British or Canadian code at a line's end, and the second in the next line.
_OUTWARD = lazy_re(r"(?<![\w/-])(?:[a-z]{1,2}\d[a-z\d]?|[a-z]\d[a-z])[ ]*$")
_INWARD = lazy_re(r"[ >|]*(\d[a-z]{2}|\d[a-z]\d)(?=[ ]*(?:$|[\n|,;·•]|[ ]{2}))")
_DIGITS = lazy_re(r"[ >|]*(\d{5,6}(?:-\d{4})?|\d{3} \d{2,3})(?=[ ]*(?:,|$|\n|[ ]{2}))((?:,[ ][a-z][\w' -]{2,30}){0,2})")
_FOUR = lazy_re(r"[ >|]*(\d{4})(?=[ ]*(?:$|\n|[ ]{2}|,))()")
_TOWN = lazy_re(
    r"[ >|]*([a-z][\w'.-]+(?:[ ][a-z][\w'.-]+){0,3}(?:[ ,-]+\d{3,6}(?:-\d{3,4})?)?)(?=[ ]*(?:$|\n|[ ]{2}|[|·•]))"
)
_NUMBER_LAST = lazy_re(r"(?:^|[|·•,]|[ ]{2})[ ]*(\d{1,4}[a-z]?)[ ]*$")


def code_below(low: str, end: int, below: int) -> tuple[int, int] | None:
    r"""Return what of the next line, which begins at `below`, ends an address that its line's end breaks.

    >>> code_below("3 elm ave, wembley ha9\n8ll", 22, 23), code_below("road 5,\ndhaka 1205  x", 7, 8)
    ((23, 26), (8, 18))
    """
    before = low[max(0, end - 24) : end]
    inward = _INWARD.match(low, below) if _OUTWARD.search(before) is not None else None
    if inward is not None:
        return inward.span(1)
    digits = _DIGITS.match(low, below) or (
        _FOUR.match(low, below) if ADDRESS_WORDS.state.search(before) is not None else None
    )
    if digits is not None:
        return digits.start(1), digits.end(2)
    open_end = ADDRESS_WORDS.open.search(before) or (low[end : end + 1] == ",")
    town = _TOWN.match(low, below) if open_end else None
    if town is None or (not any(letter.isdigit() for letter in town.group(1)) and before.rstrip().endswith(",")):
        return None
    return town.span(1)


def number_above(low: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a house's number that ends the line above its street."""
    match = _NUMBER_LAST.search(low, start, end)
    return match.span(1) if match is not None else None
