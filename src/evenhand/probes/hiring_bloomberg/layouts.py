"""Layouts of an answer: numbered lists, tables, a name per line, names in a row, JSON.

All functions take text in which a mark stands for each full name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pydantic_core import from_json

from evenhand.patterns import lazy_re
from evenhand.probes.hiring_bloomberg.candidates import NAMED, RANKING_WORDS, plain_words
from evenhand.probes.hiring_bloomberg.cues import (
    announces_winner,
    direction_of,
    is_final,
    is_following,
    is_ranking,
    is_rest,
)

_BULLET = lazy_re(r"^\s*(?:[-\u2022+o\u25cf\u25e6\u25aa\u2023]\s+|\(?(?:[a-z]|[ivx]{1,4})[.)]\s+)")
_RULE = lazy_re(r"^[\s|:=_-]*$|^\W*<hr\W*$")
_NAME = lazy_re(NAMED)
_NAME_ALONE = lazy_re(rf"^\W*{NAMED}\W*$")
_LABELLED = lazy_re(rf"^[^:\n]{{1,30}}:\W*{NAMED}\W*(?:\([^)]*\))?$")
_DIGIT = lazy_re(r"\d")

_ROW = lazy_re(r"^\s*\|\W*(\d{1,2})\W*\|\s*([^|]+)\|")  # of a table, on its own
_SHORT_WORD = lazy_re(r"(?<=\w) \w{1,3}$")
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

    `kind` is numbered, table, lines (one name each), row (several in one line) or json. `lead` are those of its
    heading that stand right before it. `level` says that its entries share a place.
    """

    kind: str
    heading: str = ""
    entries: list[Entry] = field(default_factory=list)
    first_line: int = 0
    last_line: int = 0
    indented: bool = False
    lead: str = ""
    level: bool = False


def blocks(lines: Sequence[str]) -> tuple[list[Block], list[int]]:
    """Return the numbered lists of an answer, and the positions of the lines that are in none."""
    lists: list[Block] = []
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
            lists.append(replace(table, heading=heading))
            end, heading, waiting = table.last_line, "", False
            continue
        inline = _inline(line)
        if inline is not None:
            lists.append(replace(inline, heading=inline.heading or heading, first_line=place, last_line=place))
            waiting = False
            continue
        marked = numbered_line(line, lists[-1] if lists else None)
        if marked is None:
            if waiting:
                block = lists[-1]
                block.entries[-1] = replace(block.entries[-1], text=line.strip())
                block.last_line = place
                waiting = False
            else:
                loose.append(place)
                heading = line
            continue
        indented = line.startswith("  ")
        if not lists or not _goes_on(lists[-1], marked, between=heading):
            if lists and indented and not lists[-1].indented and not _NAME.search(marked.text):
                continue  # points below an entry
            lists.append(Block(kind="numbered", heading=heading, first_line=place, indented=indented))
        elif indented and not lists[-1].indented and not _NAME.search(marked.text) and marked.text:
            continue
        lists[-1].entries.append(marked)
        lists[-1].last_line = place
        heading = ""
        waiting = not marked.text and marked.number is not None
    return lists, loose


def numbered_line(line: str, block: Block | None = None) -> Entry | None:
    """Return the entry of a line that begins with a number or a word for a place; `block` is the list before it."""
    row = _ROW.match(line)
    if row is not None:
        return Entry(text=row[2], number=int(row[1]))
    match = None if RANKING_WORDS.scale_line.match(line) else RANKING_WORDS.marker.match(line)
    if match is not None:
        if not line[match.end() :].strip() and is_level(line):
            return None  # the heading of those who share a level
        number = _number_of(match)
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
    numbers = [previous.number for previous in block.entries if previous.number is not None]
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
    matches = list(RANKING_WORDS.inline.finditer(line))
    for skip in range(len(matches) - 1):
        used = matches[skip:]
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
        named_count = sum(_NAME.match(text.lstrip("\"'[(")) is not None for text in texts)
        if named_count * 2 >= size and (size > 2 or named_count == size):
            entries = [Entry(text=text, number=number) for text, number in zip(texts, numbers[:size], strict=True)]
            return Block(kind="numbered", heading=line[: used[0].start()].strip(), entries=entries)
    return _inline_in_words(line)


def _inline_in_words(line: str) -> Block | None:
    """Return the list of a line that counts in words: 'first place goes to …, second place to …'."""
    if len(_NAME.findall(line)) < 2:
        return None
    matches = list(RANKING_WORDS.in_words.finditer(line))
    ordinals = RANKING_WORDS.ordinals
    numbers = [1 if match["top"] else int(match["number"] or 0) or ordinals[match["word"]] for match in matches]
    if len(matches) < 2 or numbers != list(range(1, len(matches) + 1)) or _NAME.search(line, 0, matches[0].start()):
        return None
    ends = [*(match.start() for match in matches[1:]), len(line)]
    entries = [
        Entry(text=line[match.end() : end].strip(" ,;."), number=number)
        for match, end, number in zip(matches, ends, numbers, strict=True)
    ]
    return Block(kind="numbered", heading=line[: matches[0].start()].strip(), entries=entries)


def without_bullet(line: str) -> str:
    """Return a line without the mark of a list before it."""
    return _BULLET.sub("", line, count=1).strip()


def _number_of(match: re.Match[str] | None) -> int | None:
    """Return the number that a match has in digits or in a word."""
    return match and (int(match["number"]) if match["number"] else RANKING_WORDS.ordinals[match["word"]])


@lru_cache(maxsize=2048)
def number_after(text: str) -> int | None:
    """Return the number that follows a name and nothing else: 'NAME (2)', 'NAME: 2nd'."""
    return _number_of(RANKING_WORDS.number_after.match(text))


def is_level(line: str) -> bool:
    """Return whether a line is the heading of those who share a level: 'Tier 1:', 'Tied for first:'."""
    return RANKING_WORDS.level.match(line) is not None


def is_group(heading: str) -> bool:
    """Return whether words may be the name of a group, and announce no order."""
    return bool(plain_words(heading)) and RANKING_WORDS.order_key.search(heading) is None


def place_in(text: str) -> int | None:
    """Return the place that a text begins with.

    >>> place_in("1st"), place_in("#3"), place_in("second place"), place_in("8.5")
    (1, 3, 2, None)
    """
    return _number_of(RANKING_WORDS.place_alone.match(text))


def score_in(text: str) -> float | None:
    """Return the points that a text consists of.

    >>> score_in("8.5/10"), score_in("92 %"), score_in("high")
    (8.5, 92.0, None)
    """
    match = RANKING_WORDS.score_alone.match(text)
    return None if match is None else float(match[1])


@lru_cache(maxsize=2048)
def rank_after(text: str) -> int | None:
    """Return the number that stands with the word rank behind a name: 'NAME (rank 2)', 'NAME, ranked 2nd'."""
    return _number_of(RANKING_WORDS.ranked.match(text))


@lru_cache(maxsize=2048)
def score_after(text: str) -> float | None:
    """Return the points that follow a name: 'NAME (8/10)', 'NAME - score: 85'."""
    match = RANKING_WORDS.scored.match(text)
    return None if match is None else float(match["score"] or match["parts"])


def with_ranks_joined(lines: Sequence[str]) -> list[str]:
    """Return lines in which a rank on a line of its own is moved behind the name above it."""
    alone = [place for place, line in enumerate(lines) if RANKING_WORDS.rank_alone.match(line)]
    if not alone or not any(map(RANKING_WORDS.entitled.match, lines[max(0, alone[0] - 3) : alone[0]])):
        return list(lines)
    joined: list[str] = []
    for place, line in enumerate(lines):
        if place in alone and joined:
            last_named = next(
                (at for at in range(len(joined) - 1, -1, -1) if _NAME.search(joined[at])), len(joined) - 1
            )
            joined[last_named] = f"{joined[last_named]} ({line.strip(' -*')})"
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
    named_rows = [row for row in rows if any(_NAME.search(cell) for cell in row)]
    width = max(map(len, rows))
    # Several names in a row of cells are a ranking in one line.
    if (
        len(named_rows) < 2
        or width < 2
        or any(sum(_NAME_ALONE.match(cell) is not None for cell in row) > 1 for row in named_rows)
    ):
        return None
    headers = [] if rows[0] in named_rows else rows.pop(0)
    column = max(
        range(width), key=lambda at: sum(_NAME.match(row[at]) is not None for row in named_rows if at < len(row))
    )
    rows = [row for row in rows if column < len(row) and row[column]]
    numbers, scores = _ranks_of(rows, headers, column), _scores_of(rows, headers)
    if scores is not None and numbers is not None and not any(map(RANKING_WORDS.rank_header.match, headers)):
        # Rows that are counted may stand in any order; a rank that is called so is the rank.
        by_number = [score for _, score in sorted(zip(numbers, scores, strict=True), key=lambda pair: pair[0])]
        if by_number != sorted(by_number, reverse=True):
            numbers = None
    entries = [
        Entry(
            text=" ".join([row[column], *(f"({cell})" for cell in row if "tie" in cell and cell != row[column])]),
            number=None if numbers is None else int(numbers[at]),
            score=None if scores is None else scores[at],
        )
        for at, row in enumerate(rows)
    ]
    return Block(kind="table", entries=entries, first_line=start, last_line=last)


def _ranks_of(rows: Sequence[Sequence[str]], headers: Sequence[str], column: int) -> list[float] | None:
    """Return the ranks of the rows of a table: those of the column that is called so, else numbers in front."""
    places = _columns(rows, headers, place_in)
    ranked = {header: ranks for _, header, ranks in places if _is_rank(header, ranks)}
    # Without a header that says so, '10 years' is no rank.
    counted = [
        ranks
        for at, header, ranks in places
        if at != column
        and (not headers or RANKING_WORDS.count_header.match(header))
        and all(len(row[at]) <= _SHORT for row in rows)
    ]
    if counted and (len(ranked) != 1 and not any(map(RANKING_WORDS.overall.search, ranked))):
        return counted[0]
    return _that_counts(ranked, best=min, worst=max)


def _is_rank(header: str, cells: Sequence[float]) -> bool:
    """Return whether a column is called a rank, or final and counts its rows."""
    if RANKING_WORDS.rank_header.match(header) or RANKING_WORDS.score_header.search(header):
        return RANKING_WORDS.rank_header.match(header) is not None
    return is_final(header) and {*cells} == {*range(1, len(cells) + 1)}


def _scores_of(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> list[float] | None:
    """Return the points of the rows of a table: those of the column of totals, else of the last that is called so."""
    scored = {
        header: scores
        for _, header, scores in _columns(rows, headers, score_in)
        if RANKING_WORDS.score_header.search(header)
        or (RANKING_WORDS.overall.search(header) and not _is_rank(header, scores))
    }
    return _that_counts(scored, best=max, worst=min)


def _columns(
    rows: Sequence[Sequence[str]], headers: Sequence[str], read: Callable[[str], float | None]
) -> list[tuple[int, str, list[float]]]:
    """Return the columns whose cells can all be read, with their headers."""
    columns = [(at, [read(row[at]) for row in rows]) for at in range(min(map(len, rows)))]
    read_cells = [(at, [cell for cell in cells if cell is not None]) for at, cells in columns]
    return [
        (at, headers[at] if at < len(headers) else "-", cells) for at, cells in read_cells if len(cells) == len(rows)
    ]


def _that_counts(
    columns: Mapping[str, list[float]], *, best: Callable[[list[float]], float], worst: Callable[[list[float]], float]
) -> list[float] | None:
    """Return the last column of those called overall, else of all; those who lead in one share the first place."""
    counting = [cells for header, cells in columns.items() if RANKING_WORDS.overall.search(header)]
    counting = counting or [*columns.values()]
    if not counting:
        return None
    last, tops = counting[-1], {cells.index(best(cells)) for cells in counting}
    return last if len(tops) == 1 else [(best if at in tops else worst)(last) for at in range(len(last))]


#: Says whether the words of an entry name a candidate, or two of them.
Names = Callable[[str], bool]
_HEAD = lazy_re(r"\s-+\s|[:(\[|;]|\s-+$|->|\u2192|(?<!\b\w)\.\s|(?<!\b\w)\.$|,|\n")


@lru_cache(maxsize=2048)
def head_of(text: str) -> str:
    """Return the part of an entry that can hold its name: up to a dash, colon, bracket, comma or stop."""
    rest = RANKING_WORDS.entry_lead.sub("", text, count=1)
    last_first = re.match(r"^\W*([^\W\d_]+),\s*([^\W\d_]+)\W*$", rest)
    if last_first is not None:
        return f"{last_first[2]} {last_first[1]}"
    return _HEAD.split(rest.lstrip(" \"'([{"), maxsplit=1)[0]


def lines_blocks(lines: Sequence[str], loose: Sequence[int], *, size: int, names: Names) -> list[Block]:
    """Return the runs of lines that hold one name each; `size` is the number of candidates."""
    runs: list[Block] = []
    heading, before, current = "", -1, False
    for place in loose:
        line = without_bullet(lines[place])
        bulleted = line != lines[place].strip()
        if _is_entry(line, bulleted=bulleted, names=names):
            # Who is named again begins another list.
            marks = _NAME.findall(line)[:1]
            if current and marks and any(_NAME.findall(entry.text)[:1] == marks for entry in runs[-1].entries[:-1]):
                heading, before, current = "", -1, False
            if not current:
                runs.append(Block(kind="lines", heading=heading, first_line=place))
                if _may_be_unknown(lines, before, bulleted=bulleted) and before == place - 1:
                    runs[-1].entries.append(Entry(text=without_bullet(lines[before])))
                current = True
            runs[-1].entries.append(Entry(text=line))
            runs[-1].last_line = place
        elif current and _is_name_like(line):
            runs[-1].entries.append(Entry(text=line))
        else:
            heading = line
            current = current and not line.endswith(":") and not is_ranking(line) and not is_final(line)
        before = place
    for block in runs:
        _drop_heading(block, size=size, names=names)
    return runs


def _is_entry(line: str, *, bulleted: bool, names: Names) -> bool:
    marks = _NAME.findall(line)
    if RANKING_WORDS.separated.search(line) is not None and _row(line, names=names) is not None:
        return False
    if marks:
        rest = RANKING_WORDS.entry_lead.sub("", line, count=1)
        if bulleted and _NAME.match(rest) is not None and not re.match(rf"^{NAMED}\W*(?:,|and|&)\W*{NAMED}", rest):
            return True
        explained = RANKING_WORDS.explained.split(rest, maxsplit=1)[0]
        single = len(marks) == 1 or len(_NAME.findall(explained)) == 1 != len(rest)
        return RANKING_WORDS.named_entry.match(rest) is not None and single
    words = plain_words(head_of(line))
    return 0 < len(words) <= 3 and len(plain_words(line)) <= 6 and not line.endswith(":") and names(line)


def _is_name_like(line: str) -> bool:
    """Return whether a line looks like the name of somebody, known or not."""
    words = plain_words(line)
    return (
        2 <= len(words) <= 3
        and not line.rstrip().endswith((":", ".", "!", "?"))
        and not any(word.isdigit() for word in words)
        and _NAME.search(line) is None
        and RANKING_WORDS.heading.search(line) is None
    )


def _may_be_unknown(lines: Sequence[str], place: int, *, bulleted: bool) -> bool:
    if place < 0:
        return False
    line = without_bullet(lines[place])
    return _is_name_like(line) and bulleted == (line != lines[place].strip())


def _drop_heading(block: Block, *, size: int, names: Names) -> None:
    """Take a first line that names nobody for a heading where no candidate is left for it."""
    first = block.entries[0].text
    known = [entry for entry in block.entries[1:] if _NAME.search(entry.text) or names(entry.text)]
    if _NAME.search(first) is None and not names(first) and len(known) >= size:
        block.heading = first
        del block.entries[0]


def row_blocks(line: str, place: int, *, heading: str, names: Names) -> list[Block]:
    """Return the names of a line that are in a row: 'A, B and C', 'A > B > C'."""
    rows: list[Block] = []
    lead = heading
    for segment in RANKING_WORDS.segment.split(line):
        row = _row(segment, names=names)
        if row is not None:
            before, entries = row
            if "<" in segment and ">" not in segment:
                entries = entries[::-1]
            words = segment if is_following(segment) else _NAME.split(segment, maxsplit=1)[0]
            rows.append(_row_block(place, f"{lead} {before}", entries, lead=words if plain_words(words) else lead))
        elif re.match(rf"^\W*{NAMED}\W*$", segment) and segment != line and announces_winner(lead):
            rows.append(_row_block(place, lead, [Entry(text=segment)], lead=lead))
        lead = segment
    return rows


def is_labelled(line: str) -> bool:
    """Return whether a line has one name behind a colon, as the groups of an answer may have."""
    return _LABELLED.match(line) is not None


def _row_block(place: int, heading: str, entries: list[Entry], *, lead: str) -> Block:
    return Block(kind="row", heading=heading, entries=entries, first_line=place, last_line=place, lead=lead)


def _row(segment: str, *, names: Names) -> tuple[str, list[Entry]] | None:
    """Return the words before a row and its entries, None where a segment is no row."""
    pieces = [piece for piece in RANKING_WORDS.separator.split(segment) if piece.strip(" .\"'[](){}`")]
    # 'C, D y, por último, E'
    if len(pieces) > 3 and _NAME.search(segment) is None and not names(pieces[-2]) and names(pieces[-1]):
        pieces[-3:] = [_SHORT_WORD.sub("", pieces[-3]), pieces[-1]]
    lead = ""
    while len(pieces) > 2 and not _is_name_part(pieces[0], names=names):
        lead = f"{lead} {pieces.pop(0)}"
    while len(pieces) > 2 and not _is_name_part(pieces[-1], names=names):
        pieces.pop()
    if len(pieces) < 2:
        return None
    start = _NAME.search(pieces[0])
    if start is not None:
        lead, pieces[0] = f"{lead} {pieces[0][: start.start()]}", pieces[0][start.start() :]
    if not _are_names(pieces, names=names):
        return None
    end = _NAME.search(pieces[-1])
    if end is not None and number_after(pieces[-1]) is None and score_after(pieces[-1]) is None:
        pieces[-1] = pieces[-1][: end.end()]
    if len(pieces) == 2 and RANKING_WORDS.in_order.search(segment) is None:
        return lead, [Entry(text=f"{pieces[0]} and {pieces[1]}")]
    return lead, [Entry(text=piece.strip()) for piece in pieces]


def _are_names(pieces: Sequence[str], *, names: Names) -> bool:
    """Return whether the pieces of a row are names, at least half of them known, and no sentence."""
    known = [_NAME.search(piece) is not None for piece in pieces]
    if any(known[place] and not RANKING_WORDS.at_start.match(piece) for place, piece in enumerate(pieces) if place):
        return False
    words = [len(plain_words(piece)) for piece in pieces]
    # 'then comes B' is a place, 'B comes from afar' none.
    said = [RANKING_WORDS.verb.search(piece) for piece in pieces]
    if max(words) > 4 or (words[-1] > 1 and known[-1] and said[-1]) or (any(said) and not all(known)):
        return False
    if any(verb and _NAME.search(piece, 0, verb.start()) for verb, piece in zip(said, pieces, strict=True)):
        return False
    named_count = sum(has or names(piece) for has, piece in zip(known, pieces, strict=True))
    return named_count >= 2 and 2 * named_count >= len(pieces) and (any(known) or named_count == len(pieces))


def _is_name_part(piece: str, *, names: Names) -> bool:
    return _NAME.search(piece) is not None or _is_name_like(piece) or names(piece)


def is_heading(text: str) -> bool:
    """Return whether words could head a list, or name a position."""
    return RANKING_WORDS.heading.search(text) is not None


def json_block(text: str) -> Block | None:
    """Return the list that an answer gives as JSON, as far as it came; None where it is none."""
    starts = [place for place in (text.find("["), text.find("{")) if place >= 0]
    if '"' not in text or not starts:
        return None
    # An answer that is cut off ends within its JSON.
    cut = text.count("[") + text.count("{") > text.count("]") + text.count("}")
    end = len(text) if cut else max(text.rfind("]"), text.rfind("}")) + 1
    try:
        # Half an emoji is no text that JSON can have.
        value = from_json(text[min(starts) : end].encode("utf-8", "replace"), allow_partial=cut)
    except ValueError:
        return None
    keyed_list = _json_list(value)
    if keyed_list is None or (cut and not _states_order(keyed_list[1])):
        return None
    key, entries = keyed_list
    before = text[: min(starts)]
    first, size = (sum(bool(line.strip()) for line in part.split("\n")) for part in (before, text[min(starts) : end]))
    return Block(
        kind="json",
        heading=f"{before} {key}".strip(),
        entries=entries,
        first_line=max(0, first - (not before.endswith("\n") and bool(before.strip()))),
        last_line=first + size - 1,
    )


def _states_order(entries: list[Entry]) -> bool:
    """Return whether the beginning of a list states its order, without the last entry where the cut took its number.

    The cut may also have taken the number of an only entry, or the entry with the most points.
    """
    if entries[-1].number is None and entries[0].number is not None:
        entries.pop()
    return len(entries) > 1 and all(entry.score is None for entry in entries)


def _json_list(value: object) -> tuple[str, list[Entry]] | None:
    """Return the entries of a list that names somebody, and the key it stands under."""
    if isinstance(value, list):
        entries = [_json_entry(item) for item in value]
        known = [entry for entry in entries if entry is not None]
        is_ranking_list = len(known) == len(entries) and any(_NAME.search(entry.text) for entry in known)
        return ("", known) if is_ranking_list else None
    if not isinstance(value, dict):
        return None
    return _json_by_name(value) or _json_by_place(value) or _json_inside(value)


def _json_by_name(value: dict[str, object]) -> tuple[str, list[Entry]] | None:
    """Return the entries of an object whose keys are names: {'NAME': 2, …}."""
    if not value or not all(_NAME.search(key) for key in value):
        return None
    if all(isinstance(inner, dict) for inner in value.values()):
        inner = [_json_entry({**details, "name": key}) for key, details in value.items() if isinstance(details, dict)]
        return "", [entry for entry in inner if entry is not None]
    places = [place_in(str(rank)) for rank in value.values()]
    if sorted(place for place in places if place is not None) == list(range(1, len(value) + 1)):
        return "", [Entry(text=key, number=place) for key, place in zip(value, places, strict=True)]
    return "", [Entry(text=key, score=score_in(str(score))) for key, score in value.items()]


def _json_by_place(value: dict[str, object]) -> tuple[str, list[Entry]] | None:
    """Return the entries of an object whose keys are places: {'1': 'NAME', …}, {'winner': 'NAME', 'others': […]}."""
    numbered: list[Entry] = []
    for key, item in value.items():
        entry = _json_entry(item) if isinstance(item, (str, dict)) else None
        if entry is None or _NAME.search(entry.text) is None or RANKING_WORDS.worst_key.search(key):
            continue
        digits = re.search(r"\d+", key)
        place = int(digits.group()) if digits else place_in(key)
        if place is None:
            place = 2 if RANKING_WORDS.second_key.search(key) else 1 if RANKING_WORDS.best_key.search(key) else None
        if place is not None:
            numbered.append(Entry(text=entry.text, number=place))
    if not numbered:
        return None
    keyed = [(key, _json_list(item)) for key, item in value.items()]
    lists = [
        (key, keyed_list[1]) for key, keyed_list in keyed if keyed_list is not None and isinstance(value[key], list)
    ]
    # The object may have a ranking in addition to its winner, who is its first then.
    ranked = [pair for pair in lists if RANKING_WORDS.order_key.search(pair[0]) and not is_rest(pair[0])]
    if ranked:
        winners = [entry for entry in numbered if entry.number == 1]
        key, entries = ranked[0]
        down = -1 if direction_of(key) < 0 else 1
        first = min(entries[::down], key=lambda entry: (entry.number or 0, -(entry.score or 0)))
        agree = not winners or _NAME.findall(winners[0].text)[:1] == _NAME.findall(first.text)[:1]
        return None if agree else ("", [winners[0], replace(first, number=1), replace(first, number=2)])
    rest = [Entry(text=entry.text) for key, entries in lists if is_rest(key) for entry in entries]
    ordered = sorted(numbered, key=lambda entry: entry.number or 0) if rest else numbered
    return "", [*ordered, *rest]


def _json_inside(value: dict[str, object]) -> tuple[str, list[Entry]] | None:
    for key in sorted(value, key=lambda key: not RANKING_WORDS.order_key.search(key)):
        inner = _json_list(value[key])
        if inner is not None and not RANKING_WORDS.worst_key.search(key):
            return f"{key} {inner[0]}".strip(), inner[1]
    return None


def _json_entry(value: object) -> Entry | None:
    if isinstance(value, str):
        return Entry(text=value)
    if not isinstance(value, dict):
        return None
    texts = [text for key, text in value.items() if isinstance(text, str) and key in RANKING_WORDS.name_keys]
    texts += [text for text in value.values() if isinstance(text, str) and _NAME.search(text)]
    if not texts:
        return None
    scalars = {key: str(scalar) for key, scalar in value.items() if isinstance(scalar, (str, int, float))}
    rank_keys, rank_header = RANKING_WORDS.rank_keys, RANKING_WORDS.rank_header
    ranks = [
        place_in(text)
        for key, text in sorted(scalars.items(), key=lambda pair: not RANKING_WORDS.overall.search(pair[0]))
        if key in rank_keys or rank_header.match(key)
    ]
    scores = [score_in(text) for key, text in scalars.items() if RANKING_WORDS.score_header.search(key)]
    return Entry(
        text=texts[0],
        number=next((rank for rank in ranks if rank is not None), None),
        score=next((score for score in scores[::-1] if score is not None), None),
    )
