"""ADDRESS: street addresses, post office boxes and values after `Address:` (optional category).

A line is cut at bars, tabs and wide gaps; a piece is parsed as runs of capitalised words, numbers and the
words that join them. Each sign of an address adds to a run's weight: a street with its number, a postal code
with its town, a box (two each), a flat, a building, a district with a number (one each). Two are enough; in
the contact details at the top one is, if the piece is nothing but the run.

Kept: a city or country alone (a job's place, a wish to relocate), a street in a company's name.
"""

from bisect import bisect_left
from dataclasses import dataclass

from evenhand.masking.categories import address_tokens
from evenhand.masking.categories.studies import kind_of
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout, Line
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re

_ADDRESS_LEADS = frozenset({"#", "c/o", "s/o", "d/o", "w/o"})
_LINK_BETWEEN = frozenset({"of", "on", "upon", "and", "the", "in", "auf", "y", "u", "na", "i"})


@dataclass(slots=True)
class Run:
    """A run of words and numbers that can be an address, and the signs of one in it."""

    tokens: list[address_tokens.Token]
    signs: list[address_tokens.Sign]

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.tokens[-1].end

    def weight(self, *, zone: bool) -> int:
        """Return the weight of its signs; a building without a number counts among contact details only."""
        return sum(sign.weight for sign in self.signs if zone or sign.rule != "building")

    @property
    def strong(self) -> bool:
        """Whether a sign is enough by itself."""
        return any(sign.weight > 1 for sign in self.signs)

    @property
    def rule(self) -> str:
        """The weightiest sign's rule."""
        return max(self.signs, key=lambda sign: sign.weight).rule if self.signs else ""

    @property
    def code(self) -> bool:
        """Whether it has a postal code."""
        return any(sign.rule == "postal code" for sign in self.signs)

    @property
    def commas(self) -> bool:
        """Whether it has several parts."""
        return any(token.word == "," for token in self.tokens)

    @property
    def numbered(self) -> bool:
        """Whether it has a number."""
        return any(token.form == "number" for token in self.tokens)

    @property
    def phone(self) -> bool:
        """Whether a number in it is too long for an address."""
        return any(sum(letter.isdigit() for letter in token.word) > 6 and token.word.isdigit() for token in self.tokens)

    @property
    def country(self) -> bool:
        """Whether it is a country, maybe with a region."""
        return "country" in self.tokens[-1].kinds and len(self.tokens) <= 5

    @property
    def dated(self) -> bool:
        """Whether it has a month or a year."""
        return any(address_tokens.is_date(token) for token in self.tokens)

    @property
    def job(self) -> bool:
        """Whether it has a job's title or a company's form."""
        following = [*self.tokens[1:], None]
        return any(
            kind_of(token.word) in {"work", "firm"}
            for token, after in zip(self.tokens, following, strict=True)
            if token.form == "capital"
            and not token.kinds
            and not (after is not None and after.form == "capital" and after.kinds & {"area", "building", "street"})
        )

    def extent(self, *, zone: bool, whole: bool) -> tuple[int, int]:
        """Return where the address begins and ends: the parts between commas that belong to its signs."""
        parts = self._parts()
        signs = self.signs if zone else [sign for sign in self.signs if sign.rule != "building"]
        first = min(sign.first for sign in signs)
        last = max(sign.last for sign in signs)
        left = next(number for number, part in enumerate(parts) if part[-1] >= first)
        right = next(number for number, part in enumerate(parts) if part[-1] >= last)
        begin = self._begin(parts[left], first, zone=zone)
        coded = self._state_and_code(first) or (zone and whole and left == 1 and self._begins_with_code(first))
        if left > 0 and begin == parts[left][0] and coded and self._is_town(parts[left - 1]):
            left -= 1
            begin = parts[left][0]
        if zone and whole and begin == parts[left][0]:
            left = next((part for part in range(left) if self._belongs_before(parts[part], zone=True)), left)
            begin = parts[left][0]
        while left > 0 and begin == parts[left][0] and self._belongs_before(parts[left - 1], zone=zone):
            left -= 1
            begin = self._begin_of_part(parts[left])
            if begin != parts[left][0]:
                break
        if zone and whole and self.code and self.strong and left < 4 and begin == parts[left][0] and left > 1:
            begin = parts[0][0]  # Ty Newydd, Heol y Bont, Llanrwst LL26 0AB
        named = zone and whole and self.tokens[first].form != "number"  # a house's name before its street
        if named and left == 1 and begin == parts[left][0] and len(parts[0]) <= 4:
            begin = parts[0][0]
        finish = self._finish(parts[right], last)
        while finish == parts[right][-1] and right + 1 < len(parts) and self._belongs_after(parts[right + 1]):
            right += 1
            finish = parts[right][-1]
        return self.tokens[begin].start, self.tokens[finish].end

    def _parts(self) -> list[list[int]]:
        parts: list[list[int]] = [[]]
        for number, token in enumerate(self.tokens):
            if token.word == ",":
                parts.append([])
            else:
                parts[-1].append(number)
        return [part for part in parts if part]

    def _begin(self, part: list[int], first: int, *, zone: bool) -> int:
        """Return where an address begins in the part of its first sign: a town's words before a code belong to it."""
        sign = next(sign for sign in self.signs if sign.first == first)
        before = [number for number in part if number < first]
        if sign.rule == "postal code":
            begin = first
            while begin > part[0] and first - begin < 4 and self.tokens[begin - 1].form in {"capital", "lower"}:
                begin -= 1
            return begin
        if all(
            self.tokens[number].form == "number" or self.tokens[number].kinds & {"unit", "building"}
            for number in before
        ):
            return part[0]
        if sign.rule == "street first" and zone and len(before) < 3:
            named = all(self.tokens[number].form == "capital" and not self.tokens[number].kinds for number in before)
            return part[0] if named else first  # Sodra Forstadsgatan 21
        if sign.rule in {"district", "building"}:
            numbers = [number for number in before if self.tokens[number].form == "number"]
            return numbers[0] if numbers else part[0] if zone or len(before) < 3 else first
        return first

    def _begin_of_part(self, part: list[int]) -> int:
        """Return where an address can begin in an earlier part: not before the number in a sentence."""
        numbers = [number for number in part if self.tokens[number].form == "number"]
        if numbers and self.tokens[part[0]].form == "capital" and not self.tokens[part[0]].kinds:
            return numbers[0] if numbers[0] - part[0] > 3 else part[0]
        return part[0]

    def _belongs_before(self, part: list[int], *, zone: bool) -> bool:
        tokens = [self.tokens[number] for number in part]
        if any(
            address_tokens.is_date(token) or (kind_of(token.word) in {"work", "firm"} and not token.kinds)
            for token in tokens
        ):
            return False
        return len(tokens) <= 7 and any(
            token.form == "number" or (zone and token.kinds & {"unit", "building", "street", "area", "weak"})
            for token in tokens
        )

    def _state_and_code(self, first: int) -> bool:
        return self.tokens[first].form == "capital" and any(
            sign.first == first and sign.rule == "postal code" for sign in self.signs
        )

    def _begins_with_code(self, first: int) -> bool:
        return any(sign.first == first and sign.rule == "postal code" for sign in self.signs)

    def _is_town(self, part: list[int]) -> bool:
        tokens = [self.tokens[number] for number in part]
        return len(tokens) <= 3 and all(
            token.form == "capital" and kind_of(token.word) not in {"work", "firm"} for token in tokens
        )

    def _belongs_after(self, part: list[int]) -> bool:
        tokens = [self.tokens[number] for number in part]
        in_place = bool(tokens[-1].kinds & {"area", "building", "street"})  # Works Layout
        return len(tokens) <= 6 and not any(
            address_tokens.is_date(token)
            or (kind_of(token.word) in {"work", "firm"} and not token.kinds and not in_place)
            or sum(letter.isdigit() for letter in token.word) > 8
            or (len(token.word) > 7 and token.word.isdigit())
            for token in tokens
        )

    def _finish(self, part: list[int], last: int) -> int:
        """Return where an address ends in the part of its last sign."""
        finish = last
        for number in part:
            if number <= last:
                continue
            token = self.tokens[number]
            if address_tokens.is_date(token) or (kind_of(token.word) == "work" and not token.kinds):
                break
            finish = number
        return finish


def runs_of(folded: FoldedText, start: int, end: int) -> list[Run]:
    """Return the runs of a piece of a line, with their signs.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("I live at 12 Elm Road, Leeds and work in Park Lane.")
    >>> [(run.rule, run.extent(zone=False, whole=False)) for run in runs_of(seen, 0, len(seen.text)) if run.signs]
    [('street', (10, 28))]
    """
    tokens = address_tokens.tokens_of(folded, start, end)
    runs: list[Run] = []
    run: list[address_tokens.Token] = []
    for number, token in enumerate(tokens):
        if token.form and not _breaks(tokens, number, run):
            run.append(token)
            if token.form == "capital" and _ends_sentence(folded, token):
                _add(runs, folded, run, "")
                run = []
        else:
            _add(runs, folded, run, token.word)
            run = []
    _add(runs, folded, run, "")
    return runs


def _add(runs: list[Run], folded: FoldedText, run: list[address_tokens.Token], follows: str) -> None:
    """Add a run without the marks and links at its ends; `follows` is the word that broke it."""
    comma = bool(run) and run[-1].word == ","
    while run and run[-1].form in {"mark", "lower"} and "lower" not in run[-1].kinds:
        run.pop()
    while run and (
        run[0].form in {"mark", "lower"} and run[0].word not in _ADDRESS_LEADS and not address_tokens.is_street(run[0])
    ):
        run.pop(0)
    if run:
        runs.append(Run(tokens=run, signs=address_tokens.signs_of(folded, run, "" if comma else follows)))


def _breaks(tokens: list[address_tokens.Token], number: int, run: list[address_tokens.Token]) -> bool:
    """Say whether an English link is not between two capitalised words, so that it breaks the run."""
    token = tokens[number]
    if token.form != "lower" or token.word not in _LINK_BETWEEN:
        return False
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    return not (run and run[-1].form == "capital" and after is not None and after.form in {"capital", "lower"})


def _ends_sentence(folded: FoldedText, token: address_tokens.Token) -> bool:
    """Say whether a word with a full stop ends a sentence: it is no abbreviation."""
    return (
        folded.text[token.end - 1] == "." and len(token.word) > 4 and not token.kinds and not token.word.endswith("str")
    )


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
    r"""Return the end in the next line, which begins at `below`, of an address broken by a line's end.

    >>> code_below("3 elm ave, wembley ha9\n8ll", 22, 23), code_below("road 5,\ndhaka 1205  x", 7, 8)
    ((23, 26), (8, 18))
    """
    before = low[max(0, end - 24) : end]
    inward = _INWARD.match(low, below) if _OUTWARD.search(before) is not None else None
    if inward is not None:
        return inward.span(1)
    digits = _DIGITS.match(low, below) or (
        _FOUR.match(low, below) if address_tokens.ADDRESS_WORDS.state.search(before) is not None else None
    )
    if digits is not None:
        return digits.start(1), digits.end(2)
    open_end = address_tokens.ADDRESS_WORDS.open.search(before) or (low[end : end + 1] == ",")
    town = _TOWN.match(low, below) if open_end else None
    if town is None or (not any(letter.isdigit() for letter in town.group(1)) and before.rstrip().endswith(",")):
        return None
    return town.span(1)


def number_above(low: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a house's number that ends the line above its street."""
    match = _NUMBER_LAST.search(low, start, end)
    return match.span(1) if match is not None else None


_SEPARATOR = lazy_re(
    r"[|;•·\t{}\[\]\"<>:`]|[ ]{2,}|[ ][/*~][ ]|(?<![^\s,;|:<>{}\[\]\"`•·])[^\s,;|:<>]+@[^\s,;|:<>]+|(?:https?://|www\.)[^\s,;|<>]+|"
    r"(?<![\w/-])(?:\+\d(?:(?![ ]{2})[ ()./-]{0,3}\d){7,13}|\(?0\d{2,4}\)?[ -]\d{3,4}[ -]?\d{3,4}|"
    r"\(\d{3}\)[ ]\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|\d{5}-\d{3}-\d{3})(?![\w/-])"
)
_NUMBER_LABEL = lazy_re(r"\b(?:no|nr|d|kat|daire)$")
_HINT = lazy_re(r"\d")
#: The same, with the whole address to the end of its line: `live at The Old Dairy, Nether Wallop, SO20 8EX`.
_LIVING = frozenset({"live", "living", "lives", "reside", "residing"})
_ADDRESS_START = lazy_re(r"(?:[^\W\d_]|\d[\w/-]*,? [^\W\d_])(?<![a-z])")
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
_LEAST_WEIGHT = 2


def addresses(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    """Return addresses, with the lines that go on with them.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Home: 1420 W Fullerton Ave Apt 3B, Chicago, IL 60614")
    >>> [seen.text[match.start : match.end] for match in addresses(seen, layout_of(seen))][:1]
    ['1420 W Fullerton Ave Apt 3B, Chicago, IL 60614']
    """
    return _Reader(folded, layout).matches()


class _Reader:
    def __init__(self, folded: FoldedText, layout: Layout) -> None:
        self._folded = folded
        self._layout = layout
        self._lines = layout.lines
        self._signed = _numbers_signed(folded, layout)
        self._done = -1

    def matches(self) -> list[RuleMatch]:
        low, matches = self._folded.low, []
        hints = address_tokens.hinted(self._folded)
        for number, line in enumerate(self._lines):
            if _HINT.search(low, line.start, line.end) is None:
                continue
            first = bisect_left(hints, line.start)
            if (first == len(hints) or hints[first] >= line.end) and address_tokens.ADDRESS_WORDS.code_hint.search(
                low, line.start, line.end
            ) is None:
                continue
            label = (
                number > 0
                and low[self._lines[number - 1].start : self._lines[number - 1].end]
                in address_tokens.ADDRESS_WORDS.labels
            )
            for start, end in self._pieces(line):
                if _HINT.search(low, start, end) is None:
                    continue
                place = bisect_left(hints, start)
                if (place == len(hints) or hints[place] >= end) and address_tokens.ADDRESS_WORDS.code_hint.search(
                    low[start:end]
                ) is None:
                    continue
                matches += self._in_piece(number, start, end, labelled=label)
        matches += self._after_living()
        for field in self._layout.fields:
            if _is_label(field.label) and _worth(field.label, low[field.start : field.end]):
                matches.append(_address_match(low, field.start, field.end, "labelled", 0.95))
                matches += self._next_lines(self._number_at(field.start), field.end)
        return matches

    def _after_living(self) -> list[RuleMatch]:
        """Return the addresses after `live at` and `Where do you live?`."""
        text, matches = self._folded, []
        for place in text.places(_LIVING):
            _, start, _ = text.words[place]
            match = address_tokens.ADDRESS_WORDS.living_at.match(text.low, start)
            if (
                match is None
                or address_tokens.ADDRESS_WORDS.not_living.search(text.low, max(0, start - 12), start) is not None
            ):
                continue
            value = text.text[match.start(1) : match.end(1)]
            if _ADDRESS_START.match(value) is not None or (
                value.islower() and address_tokens.ADDRESS_WORDS.code_hint.search(value) is not None
            ):
                matches.append(_address_match(text.low, match.start(1), match.end(1), "told", 0.85))
        return matches

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

    def _in_piece(self, number: int, start: int, end: int, *, labelled: bool) -> list[RuleMatch]:
        low, matches = self._folded.low, []
        if address_tokens.ADDRESS_WORDS.places_reference.search(low, max(0, start - 24), start) is not None:
            return []
        contact = labelled or self._in_contact(number) or self._is_among_contacts(number, start, end)
        for run in runs_of(self._folded, start, end):
            lives = address_tokens.ADDRESS_WORDS.lives.search(low, max(start, run.start - 24), run.start) is not None
            zone = contact or lives
            whole = run.start - start <= 3 and end - run.end <= 3
            weight = run.weight(zone=zone)
            is_address = weight >= _LEAST_WEIGHT and (run.strong or run.code or zone or weight > _LEAST_WEIGHT)
            alone = zone and (whole or lives) and weight and (run.code or labelled or (run.commas and run.numbered))
            if not is_address and not (alone and not run.job and not run.phone and not run.dated):
                continue
            first, last = run.extent(zone=zone, whole=whole)
            if _YEARS_FIRST.match(low, first) is not None:
                continue
            matches.append(_address_match(low, first, last, run.rule, 0.93 if run.strong else 0.85))
            if run.code and first - start <= 3:
                matches += self._line_above(number, start)
            if self._lines[number].end - last <= 3:
                matches += self._next_lines(number, last)
        return matches

    def _in_contact(self, number: int) -> bool:
        """Say whether a line is among contact details: at the top, under such a heading, near an e-mail address."""
        line = self._lines[number]
        return (
            (not line.section and number < _FIRST_LINES)
            or line.section in {"personal", "contact"}
            or line.number in self._signed
            or (number > 0 and self._contact_follows(number - 1) and line.end - line.start < _LONGEST // 2)
        )

    def _is_among_contacts(self, number: int, start: int, end: int) -> bool:
        """Say whether a piece is an item between a telephone number and an e-mail address in a line."""
        line, low = self._lines[number], self._folded.low
        rest = low[line.start : start] + " " + low[end : line.end]
        return "@" in rest and _NUMBER.search(rest) is not None

    def _number_at(self, place: int) -> int:
        return next((number for number, line in enumerate(self._lines) if line.end >= place), len(self._lines) - 1)

    def _line_above(self, number: int, start: int) -> list[RuleMatch]:
        """Return the line above a postal code with its town if it is a street: `Unter den Linden 77`."""
        if number == 0 or start - self._lines[number].start > 3:
            return []
        above = self._lines[number - 1]
        if self._lines[number].number - above.number != 1 or above.heading:
            return []
        pieces = self._pieces(above)
        number_only = number_above(self._folded.low, above.start, above.end) if self._in_contact(number) else None
        if number_only is not None or not pieces:
            return (
                [_address_match(self._folded.low, *number_only, "line above", 0.85)] if number_only is not None else []
            )
        first, last = pieces[-1]
        runs = runs_of(self._folded, first, last)
        if len(runs) != 1 or runs[0].end - runs[0].start < last - first - 3:
            return []
        if not runs[0].numbered or runs[0].dated or _REGISTRATION.search(self._folded.low, first, last) is not None:
            return []
        return [_address_match(self._folded.low, first, last, "line above", 0.85)]

    def _next_lines(self, number: int, end: int) -> list[RuleMatch]:
        """Return the lines that go on with an address: a town with its code, a district, a country."""
        low, lines = self._folded.low, self._lines
        matches: list[RuleMatch] = []
        comma = (
            low[end : end + 1] == "," or low[end - 1 : end] == "," or _CODE_LAST.search(low, end - 8, end) is not None
        )
        pending: list[RuleMatch] = []
        below = self._code_below(number, end)
        if below is not None:
            return [_address_match(low, *below, "next line", 0.85)]
        for step in range(number + 1, min(number + 4, len(lines))):
            line = lines[step]
            if line.number - lines[step - 1].number != 1 or line.heading:
                break
            start, last = self._pieces(line)[0] if self._pieces(line) else (line.start, line.end)
            if _CODE_ALONE.fullmatch(low, start, last) is not None:
                return [*matches, *pending, _address_match(low, start, last, "next line", 0.85)]
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
            match = _address_match(low, start, last, "next line", 0.85)
            if run.code or run.country or (comma and not run.numbered) or (run.signs and run.numbered):
                matches += [*pending, match]
                pending = []
            elif not run.numbered and low.count(" ", start, last) <= 3:
                pending = [*pending, match]  # a town alone counts if a code follows
            else:
                break
            comma = low[last - 1 : last] == ","
            if line.end - last > 3:
                break
        if len(pending) == 1 and not matches and self._contact_follows(number + 2):
            matches = pending  # a town under a street, above a telephone number
        return matches

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
            address_tokens.ADDRESS_WORDS.contact.match(
                self._folded.low, self._lines[number].start, self._lines[number].end
            )
            is not None
        )


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the sentences of a paragraph that have a number."""
    sentences = []
    for match in _SENTENCE_END.finditer(text, start, end):
        sentences.append((start, match.start() + 1))
        start = match.end()
    return [piece for piece in (*sentences, (start, end)) if _HINT.search(text, *piece) is not None]


_SENTENCE_END = lazy_re(r"(?<=[a-z]{3})[.!?] (?=[A-Z])")


def _numbers_signed(folded: FoldedText, layout: Layout) -> frozenset[int]:
    """Return the numbers of the lines under the dashes that end a letter."""
    place = folded.low.rfind("\n--\n")
    after = [line.number for line in layout.lines if line.start > place] if place >= 0 else []
    return frozenset(after) if len(after) <= _SIGNED else frozenset()


_SIGNED = 8


#: A code that ends a sentence: `MA 02110. Desk phone`.
_CODE_ENDS = lazy_re(r"\b(?:\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d)(?=\. [a-z])")


def _address_match(low: str, start: int, end: int, rule: str, confidence: float) -> RuleMatch:
    code = _CODE_ENDS.search(low, start, end)
    end = end if code is None else code.end()
    while end > start + 1 and low[end - 1] in " \t\n\r,;.-(/":
        end -= 1
    while start < end - 1 and low[start] in " \t,;.-)/":
        start += 1
    return RuleMatch(start=start, end=end, category="ADDRESS", rule=rule, confidence=confidence)


def _is_label(label: str) -> bool:
    return label in address_tokens.ADDRESS_WORDS.labels or label.endswith(
        (" addr", " address", " adresse", " adresa", " direccion")
    )


def _worth(label: str, value: str) -> bool:
    if "@" in value or "http" in value:
        return False
    if label.startswith(("e-mail", "email", "mail", "ip ", "web", "mac ")):
        return False
    return len(value) >= 6 and (
        label not in address_tokens.ADDRESS_WORDS.only_with_number or any(letter.isdigit() for letter in value)
    )
