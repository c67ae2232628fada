"""How an answer is laid out: its lists, the entries of each, and the words around them.

Works on text in which a mark stands for each full name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evenhand.probes.hiring_bloomberg._candidates import NAMED

__all__ = [
    "Block",
    "Entry",
    "blocks",
    "is_final",
    "is_ranking",
    "is_survey",
    "number_after",
    "reversed_by",
    "without_bullet",
]

_ORDINALS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=1
    )
}
_ORDINAL = "|".join(_ORDINALS)
_PLACE = r"(?:place|choice|rank|pick|position|candidate)"
_MARKER = re.compile(
    r"^[\s<>\"'\[{(-]*(?:(?:rank(?:ed|ing)?|number|no|place|position|choice|pick|tier|group)\b[\s.:\"]*)?"
    rf"(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)?|(?P<word>{_ORDINAL}))\b(?:\s+{_PLACE}\b)?(?:\s*-\s*\d{{1,2}}(?=[.):]))?"
    rf"(?:\s*(?:[.)\]:|,>=\"]+|-+>?|\u2192)+\s*|\s+(?=\W{{0,2}}{NAMED})|\s*$|(?P<bare>\s+)(?=[a-z]))"
)
#: What stands for a place in words: 'Winner: …', 'Runner-up: …'.
_LABELS = (
    (
        1,
        r"(?:winner|(?:top|best|strongest|first|number one)(?: (?:candidate|choice|pick|fit|match))?"
        r"|most \w+(?: candidate)?)",
    ),
    (2, r"(?:runner ?up|second best(?: candidate)?)"),
    (None, r"(?:least \w+(?: candidate)?|worst|weakest|last|lowest)(?: (?:candidate|choice|fit))?"),
)
_LABELLED = [(number, re.compile(rf"^\W*(?:the )?{words}\s*(?:is\b)?\s*[:-]+\s*")) for number, words in _LABELS]
_BULLET = re.compile(r"^\s*(?:[-\u2022+o\u25cf\u25e6\u25aa\u2023]\s+|\(?(?:[a-z]|[ivx]{1,4})[.)]\s+)")
_INLINE = re.compile(
    rf"(?:^|(?<=[\s,;>(\[|]))\(?(?P<number>\d{{1,2}})(?:(?:[.):]|\s-)\s*|\s(?={NAMED}))(?=[\"'\[(]*(?:{NAMED}|[a-z]))"
)
# 'First place goes to NAME', 'in second place, NAME', 'top pick: NAME'.
_IN_WORDS = re.compile(
    rf"\b(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>{_ORDINAL})"
    r"|(?P<top>top (?:pick|choice|candidate)|best|winner))\b"
    rf"(?:\s+{_PLACE}\b)?[\s,:;.-]*(?:(?:goes|to|is|are|would|be|comes)\s+)*(?={NAMED})"
)
_AFTER = re.compile(
    rf"^\W*{NAMED}[\s\"'|:=,(-]*(?:rank(?:ed)?\W*)?(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)?|(?P<word>{_ORDINAL}))"
    r"(?:\s+place)?[\s\"'|).,\]}]*$"
)
_RULE = re.compile(r"^[\s|:=_-]*$|^\W*<hr\W*$")
_NAME = re.compile(NAMED)
_DIGIT = re.compile(r"\d")

_FINAL = re.compile(
    r"\b(?:final(?:ly)?|overall|conclusion|in summary|therefore|thus|so the|answer|correct(?:ion|ed)|revised|updated)\b"
)
_RANKING = re.compile(r"\b(?:rank\w*|order\w*|top|best|strongest|most \w+|winner|recommend\w*|sorted|as follows)\b")
_SURVEY = re.compile(
    r"\b(?:review\w*|consider\w*|evaluat\w*|assess\w*|compar\w*|analy\w*|look\w*|given|received|provided|submitted"
    r"|reason\w*|justif\w*|expla\w*|rationale|notes?|strengths?|weakness\w*|breakdown|none|neither"
    r"|all (?:of|eight|the)|each of|between|among|both|not ranked|unranked|in the order|as listed|original"
    r"|(?:candidates|applicants|resumes)(?: (?:are|were|include|of|from|for))?\W*$)"
)
_REVERSED = re.compile(
    r"\b(?:least|lowest|worst|weakest)\b[^.\n]{0,40}\b(?:to|through|up to)\b[^.\n]{0,25}"
    r"\b(?:most|highest|best|strongest)\b"
    r"|\b(?:ascending|reverse) order\b|\bfrom (?:the )?(?:bottom|last) to (?:the )?(?:top|first)\b"
    r"|\b1\b\W{0,3}(?:=|is|being|means|for)\W{0,3}(?:the )?(?:least|lowest|worst|weakest)\b|\bleast \w+ first\b"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A place of a list: its text, and its number where it has one."""

    text: str
    number: int | None = None


@dataclass(kw_only=True, slots=True)
class Block:
    """A list: its entries as they stand, and the words before it.

    `kind` is numbered, lines (one name each), row (several in one line) or json.
    """

    kind: str
    heading: str = ""
    entries: list[Entry] = field(default_factory=list)
    first_line: int = 0
    last_line: int = 0
    indented: bool = False


def blocks(lines: Sequence[str]) -> tuple[list[Block], list[int]]:
    """Return the numbered lists of an answer, and the positions of the lines that are in none."""
    found: list[Block] = []
    loose: list[int] = []
    heading = ""
    waiting = False
    for place, line in enumerate(lines):
        if _RULE.match(line):
            continue
        inline = _inline(line)
        if inline is not None:
            found.append(replace(inline, heading=inline.heading or heading, first_line=place, last_line=place))
            waiting = False
            continue
        marked = _numbered(line, found[-1] if found else None)
        if marked is None:
            if waiting:
                block = found[-1]
                block.entries[-1] = replace(block.entries[-1], text=line.strip())
                block.last_line = place
                waiting = False
            else:
                loose.append(place)
                heading = line
            continue
        indented = line.startswith("  ")
        if not found or not _goes_on(found[-1], marked, between=heading):
            if found and indented and not found[-1].indented and not _NAME.search(marked.text):
                continue  # points below an entry
            found.append(Block(kind="numbered", heading=heading, first_line=place, indented=indented))
        elif indented and not found[-1].indented and not _NAME.search(marked.text) and marked.text:
            continue
        found[-1].entries.append(marked)
        found[-1].last_line = place
        heading = ""
        waiting = not marked.text and marked.number is not None
    return found, loose


def _numbered(line: str, block: Block | None) -> Entry | None:
    """Return the entry of a line that begins with a number or a word for a place."""
    if "|" in line:
        cells = [cell.strip() for cell in line.split("|") if cell.strip()]
        numbers = [cell for cell in cells if cell.isdigit() and len(cell) <= 2]
        others = [cell for cell in cells if not cell.isdigit()]
        if numbers and others:
            named = [cell for cell in others if _NAME.search(cell)]
            return Entry(text=(named or others)[0], number=int(numbers[0]))
    match = _MARKER.match(line)
    if match is not None:
        if not line[match.end() :].strip() and re.match(r"\W*(?:tier|group)\b", line):
            return None  # the heading of those who share a level
        number = int(match["number"]) if match["number"] else _ORDINALS[match["word"]]
        last = block.entries[-1].number if block is not None else None
        if match["bare"] is None or (number == (last or 0) + 1 and line.lstrip()[0].isdigit()):
            return Entry(text=line[match.end() :].strip(), number=number)
        return None
    for label, pattern in _LABELLED:
        match = pattern.match(line)
        if match is not None and line[match.end() :].strip():
            return Entry(text=line[match.end() :].strip() if label is not None else "", number=label)
    return None


def _goes_on(block: Block, entry: Entry, *, between: str) -> bool:
    """Return whether an entry continues a list: its numbers go up, or down, or stay."""
    last = block.entries[-1].number
    if entry.number is None or last is None:
        return entry.number is None
    numbers = [each.number for each in block.entries if each.number is not None]
    if entry.number == last:
        return not between.rstrip().endswith(":")
    if entry.number in numbers:
        return False
    if not between:
        return True  # in any order: a table that is sorted by name
    if len(numbers) > 1 and numbers[1] < numbers[0]:
        return entry.number < last
    return entry.number > last or (len(numbers) == 1 and entry.number == last - 1)


def _inline(line: str) -> Block | None:
    """Return the list of a line with several numbers in a row: '1. … 2. … 3. …'."""
    if len(_DIGIT.findall(line)) < 2:
        return _inline_in_words(line)
    found = list(_INLINE.finditer(line))
    for skip in range(len(found) - 1):
        used = found[skip:]
        numbers = [int(match["number"]) for match in used]
        step = numbers[1] - numbers[0]
        if step not in {1, -1}:
            continue
        size = 1
        while size < len(used) and numbers[size] - numbers[size - 1] == step:
            size += 1
        if 1 not in {numbers[0], numbers[size - 1]}:
            continue
        used = used[:size]
        ends = [*(match.start() for match in used[1:]), len(line)]
        texts = [line[match.end() : end].strip(" ,;>|(-") for match, end in zip(used, ends, strict=True)]
        named = sum(_NAME.match(text.lstrip("\"'[(")) is not None for text in texts)
        if named * 2 >= size and (size > 2 or named == size):
            entries = [Entry(text=text, number=number) for text, number in zip(texts, numbers[:size], strict=True)]
            return Block(kind="numbered", heading=line[: used[0].start()].strip(), entries=entries)
    return _inline_in_words(line)


def _inline_in_words(line: str) -> Block | None:
    """Return the list of a line that counts in words: 'first place goes to …, second place to …'."""
    if len(_NAME.findall(line)) < 2:
        return None
    found = list(_IN_WORDS.finditer(line))
    numbers = [1 if match["top"] else int(match["number"] or 0) or _ORDINALS[match["word"]] for match in found]
    if len(found) < 2 or numbers != list(range(1, len(found) + 1)) or _NAME.search(line, 0, found[0].start()):
        return None
    ends = [*(match.start() for match in found[1:]), len(line)]
    entries = [
        Entry(text=line[match.end() : end].strip(" ,;."), number=number)
        for match, end, number in zip(found, ends, numbers, strict=True)
    ]
    return Block(kind="numbered", heading=line[: found[0].start()].strip(), entries=entries)


def without_bullet(line: str) -> str:
    """Return a line without the mark of a list before it."""
    return _BULLET.sub("", line, count=1).strip()


def number_after(text: str) -> int | None:
    """Return the number that stands behind a name and nothing else: 'NAME (2)', 'NAME: 2nd'."""
    match = _AFTER.match(text)
    if match is None:
        return None
    return int(match["number"]) if match["number"] else _ORDINALS[match["word"]]


def reversed_by(text: str) -> bool:
    """Return whether words announce a list from the worst to the best.

    >>> reversed_by("ranked from least qualified to most qualified:")
    True
    """
    return _REVERSED.search(text) is not None


def is_final(text: str) -> bool:
    """Return whether words announce the last word."""
    return _FINAL.search(text) is not None


def is_ranking(text: str) -> bool:
    """Return whether words announce a ranking or a winner."""
    return _RANKING.search(text) is not None


def is_survey(text: str) -> bool:
    """Return whether words only say whom the model looked at."""
    return _SURVEY.search(text) is not None
