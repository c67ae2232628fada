"""Runs of words and numbers in a piece of a line, and how far an address in one goes."""

from dataclasses import dataclass

from evenhand.resumes.categories.contacts.address.signs import Sign, signs_of
from evenhand.resumes.categories.contacts.address.words import Token, is_date, is_street, tokens_of
from evenhand.resumes.categories.education.study import kind_of
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["Run", "runs_of"]

_KEPT_FIRST = frozenset({"#", "c/o", "s/o", "d/o", "w/o"})
_LINK_BETWEEN = frozenset({"of", "on", "upon", "and", "the", "in", "auf", "y", "u", "na", "i"})


@dataclass(slots=True)
class Run:
    """A run of words and numbers that can be an address, and the signs of one in it."""

    tokens: list[Token]
    signs: list[Sign]

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
        return any(is_date(token) for token in self.tokens)

    @property
    def job(self) -> bool:
        """Whether it has a job's title or a company's form."""
        beside = [*self.tokens[1:], None]
        return any(
            kind_of(token.word) in {"work", "firm"}
            for token, after in zip(self.tokens, beside, strict=True)
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
        if any(is_date(token) or (kind_of(token.word) in {"work", "firm"} and not token.kinds) for token in tokens):
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
        placed = bool(tokens[-1].kinds & {"area", "building", "street"})  # Works Layout
        return len(tokens) <= 6 and not any(
            is_date(token)
            or (kind_of(token.word) in {"work", "firm"} and not token.kinds and not placed)
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
            if is_date(token) or (kind_of(token.word) == "work" and not token.kinds):
                break
            finish = number
        return finish


def runs_of(folded: FoldedText, start: int, end: int) -> list[Run]:
    """Return the runs of a piece of a line, with their signs.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("I live at 12 Elm Road, Leeds and work in Park Lane.")
    >>> [(run.rule, run.extent(zone=False, whole=False)) for run in runs_of(seen, 0, len(seen.text)) if run.signs]
    [('street', (10, 28))]
    """
    tokens = tokens_of(folded, start, end)
    found: list[Run] = []
    run: list[Token] = []
    for number, token in enumerate(tokens):
        if token.form and not _breaks(tokens, number, run):
            run.append(token)
            if token.form == "capital" and _ends_sentence(folded, token):
                _add(found, folded, run, "")
                run = []
        else:
            _add(found, folded, run, token.word)
            run = []
    _add(found, folded, run, "")
    return found


def _add(found: list[Run], folded: FoldedText, run: list[Token], follows: str) -> None:
    """Add a run without the marks and links at its ends; `follows` is the word that broke it."""
    comma = bool(run) and run[-1].word == ","
    while run and run[-1].form in {"mark", "lower"} and "lower" not in run[-1].kinds:
        run.pop()
    while run and (run[0].form in {"mark", "lower"} and run[0].word not in _KEPT_FIRST and not is_street(run[0])):
        run.pop(0)
    if run:
        found.append(Run(tokens=run, signs=signs_of(folded, run, "" if comma else follows)))


def _breaks(tokens: list[Token], number: int, run: list[Token]) -> bool:
    """Say whether an English link stands where none can: not between two capitalised words."""
    token = tokens[number]
    if token.form != "lower" or token.word not in _LINK_BETWEEN:
        return False
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    return not (run and run[-1].form == "capital" and after is not None and after.form in {"capital", "lower"})


def _ends_sentence(folded: FoldedText, token: Token) -> bool:
    """Say whether a word with a full stop ends a sentence: it is no abbreviation."""
    return (
        folded.text[token.end - 1] == "." and len(token.word) > 4 and not token.kinds and not token.word.endswith("str")
    )
