"""ADDRESS: street addresses with what follows them, post office boxes, values after `Address:`, by option.

A line is cut at bars, tabs and wide gaps; a piece is read as a run of capitalised words, numbers and the
words that join them. Each sign of an address in it adds to its weight: a street with its number, a
postal code with its town, a box (two each), a flat, a building, a district with a number (one each). Two are
enough; one is, in the contact details at the top, if the piece is nothing but the run.

Kept: a city or country alone (a job's place, a wish to relocate), a street in a company's name.
"""

from bisect import bisect_left

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.contacts.address.run import runs_of
from evenhand.resumes.categories.contacts.address.words import ADDRESS_WORDS, hinted
from evenhand.resumes.categories.contacts.address.wrap import code_below, number_above
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout, Line

__all__ = ["addresses"]

_SEPARATOR = lazy_re(
    r"[|;•·\t{}\[\]\"<>:`]|[ ]{2,}|[ ][/*~][ ]|(?<![^\s,;|:<>{}\[\]\"`•·])[^\s,;|:<>]+@[^\s,;|:<>]+|(?:https?://|www\.)[^\s,;|<>]+|"
    r"(?<![\w/-])(?:\+\d(?:(?![ ]{2})[ ()./-]{0,3}\d){7,13}|\(?0\d{2,4}\)?[ -]\d{3,4}[ -]?\d{3,4}|"
    r"\(\d{3}\)[ ]\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|\d{5}-\d{3}-\d{3})(?![\w/-])"
)
_NUMBER_LABEL = lazy_re(r"\b(?:no|nr|d|kat|daire)$")
_HINT = lazy_re(r"\d")
#: The same, with the whole address to the end of its line: `live at The Old Dairy, Nether Wallop, SO20 8EX`.
_LIVING = frozenset({"live", "living", "lives", "reside", "residing"})
_PLACED = lazy_re(r"(?:[^\W\d_]|\d[\w/-]*,? [^\W\d_])(?<![a-z])")
#: The years of a job, no house: `2017-2020 Dashen Bank`.
_YEARS_FIRST = lazy_re(r"(?:19|20)\d\d[ ]?(?:-|/|to)[ ]?(?:(?:19|20)\d\d|present|now)\b")
#: A postal code that ends a line, or has one of its own.
_CODE_LAST = lazy_re(r",[ ](?:\d{4,6}|\d\d-\d{3}|\d{3} \d\d)$")
_CODE_ALONE = lazy_re(r"[ ]*(?:[a-z]{1,2}-)?(?:\d{5,6}|\d{3}-\d{4}|\d{3} \d{2,3}|\d{5}-\d{3,4})[ ]*")
_NUMBER = lazy_re(r"\d[\d ()-]{7,}\d")
_LONGEST = 240
#: A licence's number, which no house has: `NMC PIN 12A3456O`.
_REGISTRATION = lazy_re(r"\b(?=[a-z]*\d[a-z]*\d)[a-z\d]{6,}\b")
_FIRST_LINES = 14
_ENOUGH = 2


def addresses(folded: FoldedText, layout: Layout) -> list[Found]:
    """Return addresses, with the lines that go on with them.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Home: 1420 W Fullerton Ave Apt 3B, Chicago, IL 60614")
    >>> [seen.text[found.start : found.end] for found in addresses(seen, layout_of(seen))][:1]
    ['1420 W Fullerton Ave Apt 3B, Chicago, IL 60614']
    """
    return _Reader(folded, layout).found()


class _Reader:
    def __init__(self, folded: FoldedText, layout: Layout) -> None:
        self._folded = folded
        self._layout = layout
        self._lines = layout.lines
        self._signed = _numbers_signed(folded, layout)
        self._done = -1

    def found(self) -> list[Found]:
        low, found = self._folded.low, []
        hints = hinted(self._folded)
        for number, line in enumerate(self._lines):
            if _HINT.search(low, line.start, line.end) is None:
                continue
            first = bisect_left(hints, line.start)
            if (first == len(hints) or hints[first] >= line.end) and ADDRESS_WORDS.code_hint.search(
                low, line.start, line.end
            ) is None:
                continue
            label = (
                number > 0 and low[self._lines[number - 1].start : self._lines[number - 1].end] in ADDRESS_WORDS.labels
            )
            for start, end in self._pieces(line):
                if _HINT.search(low, start, end) is None:
                    continue
                place = bisect_left(hints, start)
                if (place == len(hints) or hints[place] >= end) and ADDRESS_WORDS.code_hint.search(
                    low[start:end]
                ) is None:
                    continue
                found += self._in_piece(number, start, end, labelled=label)
        found += self._told()
        for field in self._layout.fields:
            if _is_label(field.label) and _worth(field.label, low[field.start : field.end]):
                found.append(_found(low, field.start, field.end, "labelled", 0.95))
                found += self._next_lines(self._number_at(field.start), field.end)
        return found

    def _told(self) -> list[Found]:
        """Return what follows `live at` and `Where do you live?`."""
        folded, found = self._folded, []
        for place in folded.places(_LIVING):
            _, start, _ = folded.words[place]
            told = ADDRESS_WORDS.told.match(folded.low, start)
            if told is None or ADDRESS_WORDS.not_living.search(folded.low, max(0, start - 12), start) is not None:
                continue
            value = folded.text[told.start(1) : told.end(1)]
            if _PLACED.match(value) is not None or (
                value.islower() and ADDRESS_WORDS.code_hint.search(value) is not None
            ):
                found.append(_found(folded.low, told.start(1), told.end(1), "told", 0.85))
        return found

    def _pieces(self, line: Line) -> list[tuple[int, int]]:
        low, start, pieces = self._folded.low, line.start, []
        for match in _SEPARATOR.finditer(low, line.start, line.end):
            place, after = match.span()
            if low[place] == ":" and _NUMBER_LABEL.search(low, max(start, place - 6), place) is not None:
                continue  # `No: 14`
            if after - place == 2 and low[place] == " " and low[place - 1] in ".,":
                continue
            pieces.append((start, place))
            start = after
        pieces.append((start, line.end))
        if line.end - line.start > _LONGEST:
            pieces = [part for piece in pieces for part in _sentences(self._folded.text, *piece)]
        return [piece for piece in pieces if piece[1] - piece[0] > 3]

    def _in_piece(self, number: int, start: int, end: int, *, labelled: bool) -> list[Found]:
        low, found = self._folded.low, []
        if ADDRESS_WORDS.places_reference.search(low, max(0, start - 24), start) is not None:
            return []
        contact = labelled or self._in_contact(number) or self._beside_contact(number, start, end)
        for run in runs_of(self._folded, start, end):
            lives = ADDRESS_WORDS.lives.search(low, max(start, run.start - 24), run.start) is not None
            zone = contact or lives
            whole = run.start - start <= 3 and end - run.end <= 3
            weight = run.weight(zone=zone)
            enough = weight >= _ENOUGH and (run.strong or run.code or zone or weight > _ENOUGH)
            alone = zone and (whole or lives) and weight and (run.code or labelled or (run.commas and run.numbered))
            if not enough and not (alone and not run.job and not run.phone and not run.dated):
                continue
            first, last = run.extent(zone=zone, whole=whole)
            if _YEARS_FIRST.match(low, first) is not None:
                continue
            found.append(_found(low, first, last, run.rule, 0.93 if run.strong else 0.85))
            if run.code and first - start <= 3:
                found += self._line_above(number, start)
            if self._lines[number].end - last <= 3:
                found += self._next_lines(number, last)
        return found

    def _in_contact(self, number: int) -> bool:
        """Say whether a line is among contact details: at the top, under such a heading, near an e-mail address."""
        line = self._lines[number]
        return (
            (not line.section and number < _FIRST_LINES)
            or line.section in {"personal", "contact"}
            or line.number in self._signed
            or (number > 0 and self._contact_follows(number - 1) and line.end - line.start < _LONGEST // 2)
        )

    def _beside_contact(self, number: int, start: int, end: int) -> bool:
        """Say whether a piece is an item between a telephone number and an e-mail address in a line."""
        line, low = self._lines[number], self._folded.low
        rest = low[line.start : start] + " " + low[end : line.end]
        return "@" in rest and _NUMBER.search(rest) is not None

    def _number_at(self, place: int) -> int:
        return next((number for number, line in enumerate(self._lines) if line.end >= place), len(self._lines) - 1)

    def _line_above(self, number: int, start: int) -> list[Found]:
        """Return the line above a postal code with its town if it is a street: `Unter den Linden 77`."""
        if number == 0 or start - self._lines[number].start > 3:
            return []
        above = self._lines[number - 1]
        if self._lines[number].number - above.number != 1 or above.heading:
            return []
        pieces = self._pieces(above)
        number_only = number_above(self._folded.low, above.start, above.end) if self._in_contact(number) else None
        if number_only is not None or not pieces:
            return [_found(self._folded.low, *number_only, "line above", 0.85)] if number_only is not None else []
        first, last = pieces[-1]
        runs = runs_of(self._folded, first, last)
        if len(runs) != 1 or runs[0].end - runs[0].start < last - first - 3:
            return []
        if not runs[0].numbered or runs[0].dated or _REGISTRATION.search(self._folded.low, first, last) is not None:
            return []
        return [_found(self._folded.low, first, last, "line above", 0.85)]

    def _next_lines(self, number: int, end: int) -> list[Found]:
        """Return the lines that go on with an address: a town with its code, a district, a country."""
        low, lines = self._folded.low, self._lines
        found: list[Found] = []
        comma = (
            low[end : end + 1] == "," or low[end - 1 : end] == "," or _CODE_LAST.search(low, end - 8, end) is not None
        )
        pending: list[Found] = []
        below = self._code_below(number, end)
        if below is not None:
            return [_found(low, *below, "next line", 0.85)]
        for step in range(number + 1, min(number + 4, len(lines))):
            line = lines[step]
            if line.number - lines[step - 1].number != 1 or line.heading:
                break
            start, last = self._pieces(line)[0] if self._pieces(line) else (line.start, line.end)
            if _CODE_ALONE.fullmatch(low, start, last) is not None:
                return [*found, *pending, _found(low, start, last, "next line", 0.85)]
            runs = runs_of(self._folded, start, last)
            if (
                last - start > 60
                or low[last : line.end].lstrip(" .")[:1] in {":", "/"}
                or low[line.start] == "|"
                or "@" in low[start:last]
                or len(runs) != 1
                or runs[0].end - runs[0].start < last - start - 3
                or runs[0].dated
                or runs[0].job
                or low.count(" ", start, last) > 8
            ):
                break
            run = runs[0]
            here = _found(low, start, last, "next line", 0.85)
            if run.code or run.country or (comma and not run.numbered) or (run.signs and run.numbered):
                found += [*pending, here]
                pending = []
            elif not run.numbered and low.count(" ", start, last) <= 3:
                pending = [*pending, here]  # a town alone counts if a code follows
            else:
                break
            comma = low[last - 1 : last] == ","
            if line.end - last > 3:
                break
        if len(pending) == 1 and not found and self._contact_follows(number + 2):
            found = pending  # a town under a street, above a telephone number
        return found

    def _code_below(self, number: int, end: int) -> tuple[int, int] | None:
        lines = self._lines
        if (
            number + 1 == len(lines)
            or lines[number + 1].number - lines[number].number != 1
            or lines[number + 1].heading
        ):
            return None
        return code_below(self._folded.low, end, lines[number + 1].start)

    def _contact_follows(self, number: int) -> bool:
        """Say whether a line is one of contact details alone: a telephone number, an e-mail address."""
        if number >= len(self._lines) or self._lines[number].number - self._lines[number - 1].number != 1:
            return False
        return (
            ADDRESS_WORDS.contact.match(self._folded.low, self._lines[number].start, self._lines[number].end)
            is not None
        )


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the sentences of a paragraph that have a number."""
    found = []
    for match in _SENTENCE_END.finditer(text, start, end):
        found.append((start, match.start() + 1))
        start = match.end()
    return [piece for piece in (*found, (start, end)) if _HINT.search(text, *piece) is not None]


_SENTENCE_END = lazy_re(r"(?<=[a-z]{3})[.!?] (?=[A-Z])")


def _numbers_signed(folded: FoldedText, layout: Layout) -> frozenset[int]:
    """Return the numbers of the lines under the dashes that end a letter."""
    place = folded.low.rfind("\n--\n")
    after = [line.number for line in layout.lines if line.start > place] if place >= 0 else []
    return frozenset(after) if len(after) <= _SIGNED else frozenset()


_SIGNED = 8


#: A code that ends a sentence: `MA 02110. Desk phone`.
_CODE_ENDS = lazy_re(r"\b(?:\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d)(?=\. [a-z])")


def _found(low: str, start: int, end: int, rule: str, confidence: float) -> Found:
    code = _CODE_ENDS.search(low, start, end)
    end = end if code is None else code.end()
    while end > start + 1 and low[end - 1] in " \t\n\r,;.-(/":
        end -= 1
    while start < end - 1 and low[start] in " \t,;.-)/":
        start += 1
    return Found(start=start, end=end, category="ADDRESS", rule=rule, confidence=confidence)


def _is_label(label: str) -> bool:
    return label in ADDRESS_WORDS.labels or label.endswith((" addr", " address", " adresse", " adresa", " direccion"))


def _worth(label: str, value: str) -> bool:
    if "@" in value or "http" in value:
        return False
    if label.startswith(("e-mail", "email", "mail", "ip ", "web", "mac ")):
        return False
    return len(value) >= 6 and (
        label not in ADDRESS_WORDS.only_with_number or any(letter.isdigit() for letter in value)
    )
