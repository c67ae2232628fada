"""How an answer is laid out: its lists, the entries of each, and the words around them.

Works on text in which a mark stands for each full name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evenhand.patterns import lazy_re
from evenhand.probes.hiring_bloomberg.reading.candidates import NAMED, RANKING_WORDS

__all__ = [
    "Block",
    "Entry",
    "blocks",
    "is_level",
    "number_after",
    "numbered_line",
    "place_in",
    "rank_after",
    "score_after",
    "score_in",
    "with_ranks_joined",
    "without_bullet",
]

_BULLET = lazy_re(r"^\s*(?:[-\u2022+o\u25cf\u25e6\u25aa\u2023]\s+|\(?(?:[a-z]|[ivx]{1,4})[.)]\s+)")
_RULE = lazy_re(r"^[\s|:=_-]*$|^\W*<hr\W*$")
_NAME = lazy_re(NAMED)
_NAME_ALONE = lazy_re(rf"^\W*{NAMED}\W*$")
_DIGIT = lazy_re(r"\d")

_ROW = lazy_re(r"^\s*\|\W*(\d{1,2})\W*\|\s*([^|]+)\|")  # of a table, on its own
_SHORT = 5  # characters of a cell like '10th'


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A place of a list: its text, its number, and how many points it has, where it has them."""

    text: str
    number: int | None = None
    score: float | None = None


@dataclass(kw_only=True, slots=True)
class Block:
    """A list: its entries as they stand, and the words before it.

    `kind` is numbered, table, lines (one name each), row (several in one line) or json.
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
    end = -1
    for place, line in enumerate(lines):
        if place <= end or _RULE.match(line):
            continue
        sign = "|" if "|" in line else "," if RANKING_WORDS.commas.match(line) else None
        table = None if sign is None else _table(lines, place, sign)
        if table is not None:
            found.append(replace(table, heading=heading))
            end, heading, waiting = table.last_line, "", False
            continue
        inline = _inline(line)
        if inline is not None:
            found.append(replace(inline, heading=inline.heading or heading, first_line=place, last_line=place))
            waiting = False
            continue
        marked = numbered_line(line, found[-1] if found else None)
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


def numbered_line(line: str, block: Block | None = None) -> Entry | None:
    """Return the entry of a line that begins with a number or a word for a place; `block` is the list before it."""
    row = _ROW.match(line)
    if row is not None:
        return Entry(text=row[2], number=int(row[1]))
    match = None if RANKING_WORDS.scale_line.match(line) else RANKING_WORDS.marker.match(line)
    if match is not None:
        if not line[match.end() :].strip() and is_level(line):
            return None  # the heading of those who share a level
        number = int(match["number"]) if match["number"] else RANKING_WORDS.ordinals[match["word"]]
        last = block.entries[-1].number if block is not None else None
        if match["bare"] is None or (number == (last or 0) + 1 and line.lstrip()[0].isdigit()):
            return Entry(text=line[match.end() :].strip(), number=number)
        return None
    labels = ((1, RANKING_WORDS.winner_label), (2, RANKING_WORDS.second_label), (None, RANKING_WORDS.last_label))
    for label, pattern in labels:
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
    found = list(RANKING_WORDS.inline.finditer(line))
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
    found = list(RANKING_WORDS.in_words.finditer(line))
    ordinals = RANKING_WORDS.ordinals
    numbers = [1 if match["top"] else int(match["number"] or 0) or ordinals[match["word"]] for match in found]
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
    match = RANKING_WORDS.number_after.match(text)
    if match is None:
        return None
    return int(match["number"]) if match["number"] else RANKING_WORDS.ordinals[match["word"]]


def is_level(line: str) -> bool:
    """Return whether a line is the heading of those who share a level: 'Tier 1:', 'Tied for first:'."""
    return RANKING_WORDS.level.match(line) is not None


def place_in(text: str) -> int | None:
    """Return the place that a text begins with.

    >>> place_in("1st"), place_in("#3"), place_in("second place"), place_in("8.5")
    (1, 3, 2, None)
    """
    match = RANKING_WORDS.place_alone.match(text)
    if match is None:
        return None
    return int(match["number"]) if match["number"] else RANKING_WORDS.ordinals[match["word"]]


def score_in(text: str) -> float | None:
    """Return the points that a text consists of.

    >>> score_in("8.5/10"), score_in("92 %"), score_in("high")
    (8.5, 92.0, None)
    """
    match = RANKING_WORDS.score_alone.match(text)
    return None if match is None else float(match[1])


def rank_after(text: str) -> int | None:
    """Return the number that stands with the word rank behind a name: 'NAME (rank 2)', 'NAME, ranked 2nd'."""
    match = RANKING_WORDS.ranked.match(text)
    if match is None:
        return None
    return int(match["number"]) if match["number"] else RANKING_WORDS.ordinals[match["word"]]


def score_after(text: str) -> float | None:
    """Return the points that stand behind a name: 'NAME (8/10)', 'NAME - score: 85'."""
    match = RANKING_WORDS.scored.match(text)
    return None if match is None else float(match["score"] or match["parts"])


def with_ranks_joined(lines: Sequence[str]) -> list[str]:
    """Return lines in which a rank on a line of its own stands behind the name above it."""
    alone = [place for place, line in enumerate(lines) if RANKING_WORDS.rank_alone.match(line)]
    if not alone or not any(map(RANKING_WORDS.entitled.match, lines[max(0, alone[0] - 3) : alone[0]])):
        return list(lines)
    joined: list[str] = []
    for place, line in enumerate(lines):
        if place in alone and joined:
            named = next((at for at in range(len(joined) - 1, -1, -1) if _NAME.search(joined[at])), len(joined) - 1)
            joined[named] = f"{joined[named]} ({line.strip(' -*')})"
        else:
            joined.append(line)
    return joined


def _table(lines: Sequence[str], start: int, sign: str) -> Block | None:
    """Return the table that begins in a line, None where these are no rows of one."""
    end = next((place for place in range(start, len(lines)) if sign not in lines[place]), len(lines))
    if sum(_NAME.search(line) is not None for line in lines[start:end]) < 2:
        return None
    rows: list[list[str]] = []
    last = start
    for place in range(start, end):
        if not _RULE.match(lines[place]):
            line = lines[place].strip()
            line = line[1:-1] if line[0] == line[-1] == "|" else line
            rows.append([cell.strip() for cell in line.split(sign)])
            last = place
    named = [row for row in rows if any(_NAME.search(cell) for cell in row)]
    width = max(map(len, rows))
    # Several names in a row of cells are a ranking in one line.
    if (
        len(named) < 2
        or width < 2
        or any(sum(_NAME_ALONE.match(cell) is not None for cell in row) > 1 for row in named)
    ):
        return None
    headers = [] if rows[0] in named else rows.pop(0)
    column = max(range(width), key=lambda at: sum(_NAME.match(row[at]) is not None for row in named if at < len(row)))
    rows = [row for row in rows if column < len(row) and row[column]]
    numbers, scores = _ranks_of(rows, headers, column), _scores_of(rows, headers)
    if scores is not None and numbers is not None and not _is_header(headers, RANKING_WORDS.rank_header):
        # Rows that are counted may stand in any order; a rank that is called so is the rank.
        by_number = [score for _, score in sorted(zip(numbers, scores, strict=True), key=lambda each: each[0])]
        if by_number != sorted(by_number, reverse=True):
            numbers = None
    entries = [
        Entry(
            text=" ".join([row[column], *(f"({cell})" for cell in row if "tie" in cell and cell != row[column])]),
            number=None if numbers is None else numbers[at],
            score=None if scores is None else scores[at],
        )
        for at, row in enumerate(rows)
    ]
    return Block(kind="table", entries=entries, first_line=start, last_line=last)


def _is_header(headers: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(header) for header in headers)


def _ranks_of(rows: Sequence[Sequence[str]], headers: Sequence[str], column: int) -> list[int] | None:
    """Return the ranks of the rows of a table: those of the column that is called so, else numbers in front."""
    width = min(len(row) for row in rows)
    ranked = [at for at, header in enumerate(headers[:width]) if RANKING_WORDS.rank_header.match(header)]
    counted = [
        at
        for at in range(width)
        if at != column and (not headers or (at < len(headers) and RANKING_WORDS.count_header.match(headers[at])))
    ]
    for at in ranked or counted:
        # Without a header that says so, '10 years' is no rank.
        places = [place_in(row[at]) if ranked or len(row[at]) <= _SHORT else None for row in rows]
        known = [place for place in places if place is not None]
        if len(known) == len(rows):
            return known
    return None


def _scores_of(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> list[float] | None:
    """Return the points of the rows of a table: those of the last column that is called so."""
    width = min(len(row) for row in rows)
    for at in [at for at, header in enumerate(headers[:width]) if RANKING_WORDS.score_header.search(header)][::-1]:
        scores = [score_in(row[at]) for row in rows]
        known = [score for score in scores if score is not None]
        if len(known) == len(rows):
            return known
    return None
