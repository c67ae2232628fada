"""Lists without numbers: a line for each name, several names in a row, JSON.

Works on text in which a mark stands for each full name.
"""

import re
from collections.abc import Callable, Sequence

from pydantic_core import from_json

from evenhand.patterns import lazy_re
from evenhand.probes.hiring_bloomberg.reading.candidates import NAMED, RANKING_WORDS, plain_words
from evenhand.probes.hiring_bloomberg.reading.cues import is_final, is_ranking, is_rest
from evenhand.probes.hiring_bloomberg.reading.entries import (
    Block,
    Entry,
    number_after,
    place_in,
    score_in,
    without_bullet,
)

__all__ = ["head_of", "is_heading", "json_block", "lines_blocks", "row_blocks"]

#: Tells whether the words of an entry name a candidate, or two of them.
Names = Callable[[str], bool]

_NAME = lazy_re(NAMED)
_HEAD = lazy_re(r"\s-+\s|[:(\[|;]|\s-+$|->|\u2192|(?<!\b\w)\.\s|(?<!\b\w)\.$|,|\n")


def head_of(text: str) -> str:
    """Return the part of an entry that can hold its name: up to a dash, colon, bracket, comma or stop."""
    rest = RANKING_WORDS.entry_lead.sub("", text, count=1)
    last_first = re.match(r"^\W*([^\W\d_]+),\s*([^\W\d_]+)\W*$", rest)
    if last_first is not None:
        return f"{last_first[2]} {last_first[1]}"
    return _HEAD.split(rest.lstrip(" \"'([{"), maxsplit=1)[0]


def lines_blocks(lines: Sequence[str], loose: Sequence[int], *, size: int, names: Names) -> list[Block]:
    """Return the runs of lines that hold one name each; `size` is the number of candidates."""
    found: list[Block] = []
    heading, before, current = "", -1, False
    for place in loose:
        line = without_bullet(lines[place])
        bulleted = line != lines[place].strip()
        if _is_entry(line, bulleted=bulleted, names=names):
            if not current:
                found.append(Block(kind="lines", heading=heading, first_line=place))
                if _may_be_unknown(lines, before, bulleted=bulleted) and before == place - 1:
                    found[-1].entries.append(Entry(text=without_bullet(lines[before])))
                current = True
            found[-1].entries.append(Entry(text=line))
            found[-1].last_line = place
        elif current and _is_name_like(line):
            found[-1].entries.append(Entry(text=line))
        else:
            heading = line
            current = current and not line.endswith(":") and not is_ranking(line) and not is_final(line)
        before = place
    for block in found:
        _drop_heading(block, size=size, names=names)
    return found


def _is_entry(line: str, *, bulleted: bool, names: Names) -> bool:
    named = _NAME.findall(line)
    if RANKING_WORDS.separated.search(line) is not None and _row(line, names=names) is not None:
        return False
    if named:
        rest = RANKING_WORDS.entry_lead.sub("", line, count=1)
        if bulleted and _NAME.match(rest) is not None and not re.match(rf"^{NAMED}\W*(?:,|and|&)\W*{NAMED}", rest):
            return True
        explained = RANKING_WORDS.explained.split(rest, maxsplit=1)[0]
        single = len(named) == 1 or len(_NAME.findall(explained)) == 1 != len(rest)
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
    """Return the names that stand in a row in a line: 'A, B and C', 'A > B > C'."""
    found: list[Block] = []
    lead = heading
    for segment in RANKING_WORDS.segment.split(line):
        row = _row(segment, names=names)
        if row is not None:
            before, entries = row
            if "<" in segment and ">" not in segment:
                entries = entries[::-1]
            found.append(
                Block(kind="row", heading=f"{lead} {before}", entries=entries, first_line=place, last_line=place)
            )
        elif re.match(rf"^\W*{NAMED}\W*$", segment) and segment != line and (is_ranking(lead) or is_final(lead)):
            found.append(
                Block(kind="row", heading=lead, entries=[Entry(text=segment)], first_line=place, last_line=place)
            )
        lead = segment
    return found


def _row(segment: str, *, names: Names) -> tuple[str, list[Entry]] | None:
    """Return the words before a row and its entries, None where a segment is no row."""
    pieces = [piece for piece in RANKING_WORDS.separator.split(segment) if piece.strip(" .\"'[](){}`")]
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
    if end is not None and number_after(pieces[-1]) is None:
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
    if max(words) > 4 or (words[-1] > 1 and known[-1] and RANKING_WORDS.verb.search(pieces[-1])):
        return False
    if not all(known) and any(RANKING_WORDS.verb.search(piece) for piece in pieces):
        return False
    named = sum(has or names(piece) for has, piece in zip(known, pieces, strict=True))
    return named >= 2 and 2 * named >= len(pieces) and (any(known) or named == len(pieces))


def _is_name_part(piece: str, *, names: Names) -> bool:
    return _NAME.search(piece) is not None or _is_name_like(piece) or names(piece)


def is_heading(text: str) -> bool:
    """Return whether words could stand over a list, or name a position."""
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
    found = _json_list(value)
    if found is None or (cut and not _is_told(found[1])):
        return None
    key, entries = found
    before = text[: min(starts)]
    first, size = (sum(bool(line.strip()) for line in part.split("\n")) for part in (before, text[min(starts) : end]))
    return Block(
        kind="json",
        heading=f"{before} {key}".strip(),
        entries=entries,
        first_line=max(0, first - (not before.endswith("\n") and bool(before.strip()))),
        last_line=first + size - 1,
    )


def _is_told(entries: list[Entry]) -> bool:
    """Return whether the beginning of a list tells its order, without the last entry where the cut took its number.

    Behind the cut may also stand the number of an only entry, or whoever has the most points.
    """
    if entries[-1].number is None and entries[0].number is not None:
        entries.pop()
    return len(entries) > 1 and all(entry.score is None for entry in entries)


def _json_list(value: object) -> tuple[str, list[Entry]] | None:
    """Return the entries of a list that names somebody, and the key it stands under."""
    if isinstance(value, list):
        entries = [_json_entry(each) for each in value]
        known = [entry for entry in entries if entry is not None]
        named = len(known) == len(entries) and any(_NAME.search(entry.text) for entry in known)
        return ("", known) if named else None
    if not isinstance(value, dict):
        return None
    return _json_by_name(value) or _json_by_place(value) or _json_inside(value)


def _json_by_name(value: dict[str, object]) -> tuple[str, list[Entry]] | None:
    """Return the entries of an object whose keys are names: {'NAME': 2, …}."""
    if not value or not all(_NAME.search(key) for key in value):
        return None
    if all(isinstance(each, dict) for each in value.values()):
        inner = [_json_entry({**each, "name": key}) for key, each in value.items() if isinstance(each, dict)]
        return "", [entry for entry in inner if entry is not None]
    places = [place_in(str(each)) for each in value.values()]
    if sorted(place for place in places if place is not None) == list(range(1, len(value) + 1)):
        return "", [Entry(text=key, number=place) for key, place in zip(value, places, strict=True)]
    return "", [Entry(text=key, score=score_in(str(each))) for key, each in value.items()]


def _json_by_place(value: dict[str, object]) -> tuple[str, list[Entry]] | None:
    """Return the entries of an object whose keys are places: {'1': 'NAME', …}, {'winner': 'NAME', 'others': […]}."""
    numbered: list[Entry] = []
    for key, each in value.items():
        entry = _json_entry(each) if isinstance(each, (str, dict)) else None
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
    keyed = [(key, _json_list(each)) for key, each in value.items()]
    lists = [(key, found[1]) for key, found in keyed if found is not None and isinstance(value[key], list)]
    if any(RANKING_WORDS.order_key.search(key) for key, _ in lists):
        return None  # a ranking stands beside its winner
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
    texts = [each for key, each in value.items() if isinstance(each, str) and key in RANKING_WORDS.name_keys]
    texts += [each for each in value.values() if isinstance(each, str) and _NAME.search(each)]
    if not texts:
        return None
    scalars = {key: str(each) for key, each in value.items() if isinstance(each, (str, int, float))}
    rank_keys, rank_header = RANKING_WORDS.rank_keys, RANKING_WORDS.rank_header
    ranks = [place_in(each) for key, each in scalars.items() if key in rank_keys or rank_header.match(key)]
    scores = [score_in(each) for key, each in scalars.items() if RANKING_WORDS.score_header.search(key)]
    return Entry(
        text=texts[0],
        number=next((rank for rank in ranks if rank is not None), None),
        score=next((score for score in scores[::-1] if score is not None), None),
    )
