"""How an answer is laid out: its lists, the entries of each, and the prose around them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Block", "blocks", "is_final_heading", "is_reversed"]

_ORDINALS = {
    word: number
    for number, words in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=1
    )
    for word in (words,)
}
_ROMAN = {numeral: number for number, numeral in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii"), start=1)}
_MARKER = re.compile(
    r"^[\s|>\[{\"'-]*"
    r"(?:(?:rank(?:ing)?|number|no|place|position|choice|pick)\b\s*[.:#]?\s*)?"
    r"\(?(?P<number>\d{1,2}|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|viii|vii|vi|iv|iii|ii|i|v)"
    r"(?:st|nd|rd|th)?(?:\s+(?:place|choice|rank|pick|position))?"
    r"\s*(?:[.)\]:|,]+|-+>?|\u2192|=>?)\s*",
)
_BARE_NUMBER = re.compile(r"^[\s|>-]*(?P<number>\d{1,2})\s+(?=[a-z])")
_INLINE = re.compile(r"(?:(?<=[\s,;>])|^)\(?(?P<number>\d{1,2})[.)]\s*(?=[^\d\s])")
_FINAL = re.compile(r"\b(?:final|overall|conclusion|in summary|therefore|so the|answer)\b")
_REVERSED = re.compile(
    r"\b(?:least|lowest|worst|weakest)\b[^.\n]{0,40}\b(?:to|through|up to)\b[^.\n]{0,25}"
    r"\b(?:most|highest|best|strongest)\b"
    r"|\b(?:ascending|reverse) order\b|\bfrom (?:the )?(?:bottom|last) to (?:the )?(?:top|first)\b"
)


@dataclass(kw_only=True, slots=True)
class Block:
    """A list: the text of its entries in their order, and the heading before it.

    `numbers` are those that the answer gives, empty where the entries have none.
    """

    entries: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    heading: str = ""


def _numbered(line: str) -> tuple[int, str] | None:
    """Return an entry's number and text, None where the line begins without one."""
    match = _MARKER.match(line) or _BARE_NUMBER.match(line)
    if match is None:
        return None
    number = match["number"]
    value = int(number) if number.isdigit() else _ORDINALS.get(number) or _ROMAN[number]
    return value, line[match.end() :].strip()


def blocks(lines: Sequence[str]) -> tuple[list[Block], list[str]]:
    """Return the numbered lists of an answer, and its lines without a number.

    A list goes on over lines between its entries, until the numbers start anew.
    """
    found: list[Block] = []
    loose: list[str] = []
    heading = ""
    waiting = False
    for line in lines:
        inline = list(_INLINE.finditer(line))
        if len(inline) > 2:
            block = Block(heading=heading or line[: inline[0].start()])
            for match, following in zip(inline, [*inline[1:], None], strict=True):
                end = len(line) if following is None else following.start()
                block.entries.append(line[match.end() : end].strip(" ,;>-"))
                block.numbers.append(int(match["number"]))
            found.append(block)
            continue
        marked = _numbered(line)
        if marked is None:
            if waiting and found and line.strip():
                found[-1].entries[-1] = line.strip()
                waiting = False
                continue
            loose.append(line)
            heading = line
            continue
        number, text = marked
        if not found or not _goes_on(found[-1], number):
            found.append(Block(heading=heading))
        found[-1].entries.append(text)
        found[-1].numbers.append(number)
        waiting = not text
    return found, loose


def _goes_on(block: Block, number: int) -> bool:
    last = block.numbers[-1]
    if len(block.numbers) > 1 and block.numbers[1] < block.numbers[0]:
        return number < last
    if len(block.numbers) == 1 and number == last - 1:
        return True  # a countdown
    return number > last


def is_reversed(text: str) -> bool:
    """Return whether words announce a list from the worst to the best.

    >>> is_reversed("ranked from least qualified to most qualified:")
    True
    """
    return _REVERSED.search(text) is not None


def is_final_heading(text: str) -> bool:
    """Return whether a heading announces the last word."""
    return _FINAL.search(text) is not None
