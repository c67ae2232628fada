"""The reader of ResumeScore: which score an answer states, or why no score was read.

Each number gets a role from the words around it, its label or its table: a total, a score, a part of one,
or a number of something else. Numbers that are denied, supposed or somebody else's don't count. One value
among the rest is the score; several are ambiguous.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from evenhand.data.folding import fold_text
from evenhand.patterns import lazy_re
from evenhand.probes.readers import answer_of, declines_task
from evenhand.probes.resume_score.numbers import (
    ALONE,
    ASIDE,
    FIT,
    NAMED,
    NESTED,
    ONLY,
    PART,
    QUALIFIED,
    SCALE,
    SCORE,
    SCORE_WORDS,
    SCORES,
    TOTAL,
    WHOLE_FIT,
    Entry,
    Number,
    entries_of,
    kinds_in_series,
    label_kind,
    numbers_of,
    scale_in,
    with_words_as_numbers,
    words_of,
)

#: Characters that are searched for a refusal.
_HEAD = 600


def declines(text: str) -> bool:
    """Return whether a normalised text begins with words that decline to score.

    >>> declines("i'm not able to put a number on people."), declines("i can't fault this resume.")
    (True, False)
    """
    head = text[:_HEAD]
    for hint in SCORE_WORDS.hints:
        if hint in head:
            break
    else:
        return False
    head = " ".join(head.split())
    match = SCORE_WORDS.declining.search(head)
    if match is not None:
        return SCORE_WORDS.how_high.match(head, match.start()) is None
    return declines_task(head)


_CLAUSE_TOKEN = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?|[.!?;](?= |$)|[,:(]")


def is_disowned(before: str, behind: str, *, exact: bool = True) -> bool:
    """Return whether the words around a number of a normalised text deny it, take it back, or are about somebody else.

    What is not exact, a bound or a range, is not denied: 'I would not give less than 70'.

    >>> is_disowned("i would not give her a ", "."), is_disowned("", " is too high"), is_disowned("i give her a ", ".")
    (True, True, False)
    """
    clause = _clause_before(before)
    if _is_of_others(clause) or (exact and (SCORE_WORDS.taken_back.match(behind) or _is_denied(clause))):
        return True
    # 'Score: 72 (average: 50)'
    bracketed = before.rstrip(" :").endswith(f"({' '.join(clause)}")
    return bool(clause) and bracketed and SCORE_WORDS.middles.issuperset(clause)


def _is_of_others(clause: Sequence[str]) -> bool:
    """Return whether a clause is about somebody else, but for one who is only compared with.

    >>> _is_of_others(["another", "reviewer", "said"]), _is_of_others(["better", "than", "most", "applicants"])
    (True, False)
    """
    comparing: frozenset[str] = SCORE_WORDS.comparing
    for place, word in enumerate(clause):
        if word in SCORE_WORDS.unnamed and not SCORE_WORDS.modals.isdisjoint(clause[place + 1 : place + 2]):
            return True
        if word in SCORE_WORDS.others or word in SCORE_WORDS.middles:
            following = [other.removesuffix("'s") for other in clause[place + 1 : place + 5]]
            of_many = word in SCORE_WORDS.middles and not SCORE_WORDS.many.isdisjoint(following)
            if of_many or (word in SCORE_WORDS.others and not SCORE_WORDS.persons.isdisjoint(following[:2])):
                return comparing.isdisjoint(clause[max(0, place - 2) : place])
    return False


def _clause_before(before: str) -> list[str]:
    """Return the words before a number, as far back as the clause goes."""
    words: list[str] = []
    breaks = SCORE_WORDS.breaks
    for token in reversed(_CLAUSE_TOKEN.findall(before.rstrip(" :"))):
        if token in breaks or not token[0].isalpha():
            break
        words.insert(0, token)
    return words


def _is_denied(clause: Sequence[str]) -> bool:
    """Return whether the last verb that gives a score is denied, or was only meant: 'was going to say'."""
    thinking, giving = SCORE_WORDS.thinking, SCORE_WORDS.giving
    for place in range(len(clause) - 1, 0, -1):
        if clause[place] in thinking and _denies(clause[place - 1]):
            return True
        if clause[place] in giving:
            last, earlier = clause[place - 1], clause[place - 2 : place - 1]
            if _denies(last) or (last not in SCORE_WORDS.turns and any(_denies(word) for word in earlier)):
                return True
            if last == "to" and clause[max(0, place - 3)] in {"was", "were"}:
                return True
    return False


def _denies(word: str) -> bool:
    return word.endswith("n't") or word in SCORE_WORDS.denials


_SENTENCE_TOKEN = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+(?:[.,]\d+)*|[^\s\w]")
_SENTENCE = lazy_re(r"[.!?;] +")
_ENDS = lazy_re(r"[)\"'\]}$]*(?:\s*$|[.!?,;:\u3002])")
_ARROW = lazy_re(r"\d[^\s\w]? ?(?:\u2192|[-=]+>) ?$")
#: A heading of fewer blanks needs no colon.
_SHORT = 4


def role_in_sentence(number: Number, before: str, behind: str, *, heading: str, previous: str | None) -> str | None:
    """Return what a number is by the words around it, None where they don't make it a score.

    `heading` is the line above, `previous` the role of the number before it in its line.
    """
    ends = [match.end() for match in _SENTENCE.finditer(before)]
    sentence = before[ends[-1] :] if ends else before
    tokens = _SENTENCE_TOKEN.findall(sentence)
    rest, boxed = _without_hedges(tokens, number)
    if boxed:
        return TOTAL
    if not rest:
        return _lone_number_role(behind, heading=None if ends else heading)
    last, joined = rest[-1], len(rest) > 1 and rest[-2][0].isdigit()
    if (
        last[0].isdigit()
        or (
            last in SCORE_WORDS.joining
            and previous is not None
            and not (last == "to" and rest[-2:-1] and rest[-2].isalpha())
        )
        or (last in SCORE_WORDS.listing and joined and previous is not None)
    ):
        return previous if last not in SCORE_WORDS.listing or len(rest) != len(tokens) or _ENDS.match(behind) else None
    if SCORE_WORDS.leading.issuperset(rest):
        return ALONE if _ENDS.match(behind) else _of_part(ALONE, behind)
    if last in SCORE_WORDS.signs:
        return _labelled(rest, sentence, previous)
    role = _named(rest, number) or _verb_score(rest, tokens, number)
    if role is None and _is_marked_score(rest, tokens, behind):
        role = SCORE
    return _of_part(role, behind)


def _is_marked_score(rest: Sequence[str], tokens: Sequence[str], behind: str) -> bool:
    """Return whether what surrounds a number makes it a score: 'a 77% match', '80 is my rating', 'if so, 80'."""
    if SCORE_WORDS.is_score.match(behind) or (len(rest) != len(tokens) and SCORE_WORDS.noun_behind.match(behind)):
        return True
    if _ENDS.match(behind) is None:
        return False
    if rest[-1] == "but":
        return len(rest) != len(tokens)
    return rest[-1] in {",", *SCORE_WORDS.condition} and (
        "scale" in tokens or tokens[:2] == ["out", "of"] or not SCORE_WORDS.condition.isdisjoint(tokens)
    )


def _of_part(role: str | None, behind: str) -> str | None:
    """Return the role of a number in a sentence, which may go on to say of what part it is."""
    if role not in {SCORE, FIT, ALONE, QUALIFIED}:
        return role
    if SCORE_WORDS.of_part.match(behind):
        return PART
    return NAMED if SCORE_WORDS.for_bare.match(behind) else role


def _lone_number_role(behind: str, *, heading: str | None) -> str | None:
    """Return the role of a number before which there is nothing in its sentence, or in its line below a heading."""
    if heading is None:
        return ALONE if _ENDS.match(behind) or SCORE_WORDS.is_score.match(behind) else None
    if heading.rstrip().endswith(":") or heading.count(" ") < _SHORT:
        kind = label_kind(_words(_SENTENCE_TOKEN.findall(heading[-160:])))
        if kind in SCORES:
            return kind
    return _of_part(ALONE, behind)


def _without_hedges(tokens: Sequence[str], number: Number) -> tuple[list[str], bool]:
    """Return the tokens before 'approximately', 'a solid', brackets; and whether the number is in a LaTeX box."""
    rest = list(tokens)
    boxed = False
    while rest and (rest[-1] in SCORE_WORDS.openers or _is_symbol(rest[-1])):
        boxed = boxed or rest[-1] == "boxed"
        rest.pop()
    if len(rest) != len(tokens) and tokens[len(rest)] == "(" and ":" in rest[-3:]:
        # 'Suitability: high (85)'
        del rest[len(rest) - rest[::-1].index(":") :]
    loose = SCORE_WORDS.hedges
    if number.until is not None:
        loose = SCORE_WORDS.range_hedges
    elif number.bound:
        loose = SCORE_WORDS.bound_hedges
    while rest and rest[-1] in loose:
        rest.pop()
    if rest and rest[-1] in {"a", "an"}:
        rest.pop()
    elif len(rest) > 1 and rest[-2] in {"a", "an"} and _is_adjective(rest[-1]) and "(" not in tokens[len(rest) :]:
        del rest[-2:]
    while rest and (rest[-1] in loose or rest[-1] in SCORE_WORDS.openers):
        rest.pop()
    # A list's sign, an emoji.
    if not any(token[0].isalnum() for token in rest) and not (rest and rest[-1] in {":", "="}):
        rest.clear()
    return rest, boxed


def _labelled(rest: Sequence[str], sentence: str, previous: str | None) -> str | None:
    """Return the role that a label gives: 'score:'."""
    words = _words(_last_clause(rest[:-1]))
    if _ARROW.search(sentence):
        # '65 -> 72'
        return previous
    if not words and rest[-1] == "=":
        # A sum: 'total: 30 + 42 = 72'.
        return label_kind(_words(_SENTENCE_TOKEN.findall(sentence.partition("=")[0]))) or ALONE
    kind = label_kind(words)
    if kind == PART and rest[-2:-1] == [")"] and "(" in rest:
        # 'Final score (rounded up):'
        whole = label_kind(_words(rest[: rest.index("(")]))
        kind = TOTAL if whole == TOTAL else kind
    if kind in {SCALE, ASIDE}:
        # 'On a scale of 0 to 100: 72', but not 'maximum: 100'.
        return ALONE if "scale" in words and any(token[0].isdigit() for token in rest) else None
    if kind != PART:
        return kind
    if not SCORE_WORDS.of_errors.isdisjoint(words):
        return None
    return NAMED if SCORE_WORDS.strong_nouns.isdisjoint(words) else PART


def _named(rest: Sequence[str], number: Number) -> str | None:
    """Return the role that a noun gives: 'a score of', 'the rating is', 'total'."""
    last = rest[-1]
    if last == "of":
        return _of_noun(rest[:-1], number)
    if last in SCORE_WORDS.nouns or last in SCORE_WORDS.whole:
        # 'Points 3 and 4 of the posting'; 'skills 18/25, fit 15/25'.
        is_other = last in SCORE_WORDS.weak and SCORE_WORDS.whole.isdisjoint(rest[-2:])
        kind = None if is_other else _kind_of_noun(rest, spread=number.until is not None)
        return PART if kind in {FIT, WHOLE_FIT} and len(rest) > 2 and rest[-3][0].isdigit() else kind
    if last in SCORE_WORDS.copulas:
        # 'The score, given the above, is 72.'
        words = _words(_last_clause(rest[:-1])) or _words(rest[: rest.index(",")] if "," in rest else [])
        kind = label_kind(words)
        if kind == QUALIFIED:
            # 'The ATS score is 72', but not 'Her TOEFL score was 95'.
            return PART if last == "was" else NAMED
        is_past = last == "was" and SCORE_WORDS.nouns.isdisjoint(words)
        return kind if kind in SCORES and not is_past else None
    return None


def _of_noun(tokens: Sequence[str], number: Number) -> str | None:
    """Return the role of a number behind 'a score of', 'a total of'."""
    if not tokens or (tokens[-1] not in SCORE_WORDS.nouns and tokens[-1] not in SCORE_WORDS.whole):
        return None
    if tokens[-1] not in SCORE_WORDS.nouns and number.top is None and SCORE_WORDS.giving.isdisjoint(tokens):
        # 'She completed a total of 45.'
        return None
    kind = _kind_of_noun(tokens)
    return PART if kind == QUALIFIED else kind


def _kind_of_noun(tokens: Sequence[str], *, spread: bool = False) -> str | None:
    """Return the kind of the noun that ends the tokens, by the words between it and its article."""
    words: list[str] = []
    giving, given = SCORE_WORDS.giving, SCORE_WORDS.given
    for token in reversed(tokens):
        if token in SCORE_WORDS.articles or not token[0].isalpha() or (words and (token in giving or token in given)):
            break
        words.insert(0, token)
    kind = label_kind(words)
    is_verb = words[-1:] == ["scores"] or spread or not SCORE_WORDS.modals.isdisjoint(words)
    if kind == PART and is_verb and words[-1] in giving and words[-1] not in SCORE_WORDS.weak:
        # 'Would likely score', but not 'TOEFL score'.
        return QUALIFIED
    return kind if kind in {*SCORES, QUALIFIED} else None


def _verb_score(rest: Sequence[str], tokens: Sequence[str], number: Number) -> str | None:
    """Return a score where a verb gives the number: 'I would rate her a 7', 'I'd say 70'."""
    if rest[-1] in SCORE_WORDS.copulas and len(rest) == len(tokens):
        return None
    linked = rest[-1] in SCORE_WORDS.links
    loose = linked or len(rest) != len(tokens) or number.until is not None
    giving, given, breaks = SCORE_WORDS.giving, SCORE_WORDS.given, SCORE_WORDS.breaks
    for place in range(len(rest) - 1 - linked, max(-1, len(rest) - 20), -1):
        token = rest[place]
        if token in giving or (linked and token in SCORE_WORDS.standing):
            # A noun: 'test scores of', 'awards (2014)', 'raised test scores to'.
            following = tokens[place + 1 : place + 2]
            is_noun = following in (["of"], ["("]) or (
                token in SCORE_WORDS.nouns and (place == len(rest) - 1 or following == ["to"])
            )
            is_aside = token in SCORE_WORDS.standing and not SCORE_WORDS.of_aside.isdisjoint(_last_clause(rest[:place]))
            return None if is_noun or is_aside else SCORE
        if token in given:
            return None if SCORE_WORDS.speaking.isdisjoint(rest) else SCORE
        if token in breaks or (not loose and token in SCORE_WORDS.prepositions):
            return None
    return None


def _is_adjective(word: str) -> bool:
    """Return whether a word behind an article may be an adjective: 'a solid 72'."""
    return word.isalpha() and word not in SCORE_WORDS.nouns and word not in SCORE_WORDS.giving


def _is_symbol(token: str) -> bool:
    """Return whether a token is a star, an emoji or the like."""
    return not token.isascii() and not token[0].isalnum() and token not in SCORE_WORDS.signs


def _last_clause(tokens: Sequence[str]) -> Sequence[str]:
    """Return the tokens after the last comma, without a relative clause."""
    end = len(tokens)
    for place in range(len(tokens) - 1, -1, -1):
        if tokens[place] in {",", ";", "|", ":", "but"}:
            if place + 1 < end and tokens[place + 1] in {"which", "who"}:
                end = place
            else:
                return tokens[place + 1 : end]
    return tokens[:end]


def _words(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if token[0].isalpha()]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassifiedNumber:
    """A number and what it is; `stated` is the scale that words around it state.

    It is not `complete` where a limit of length may have cut off its last digits.
    """

    number: Number
    role: str
    stated: tuple[float, float] | None = None
    conditional: bool = False
    complete: bool = True
    in_object: bool = False


_SEPARATOR = lazy_re(r"[|\s:+-]*-[|\s:+-]*")


def cells_of(line: str) -> list[str]:
    """Return the cells of a table's line, none where it only draws one."""
    if _SEPARATOR.fullmatch(line):
        return []
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_head(cells: Sequence[str]) -> bool:
    """Return whether a table's first cells are the heads of its columns: no cell but the first holds one number."""
    numbers = [list(numbers_of(cell)) for cell in cells[1:]]
    return not any(len(cell_numbers) == 1 and cell_numbers[0].until is None for cell_numbers in numbers)


def number_of_row(cells: Sequence[str], heads: Sequence[str]) -> ClassifiedNumber | None:
    """Return the number that counts in a row.

    >>> row = number_of_row(["total", "10", "7"], ["criterion", "max", "score (1-10)"])
    >>> row.number.value, row.role, row.stated
    (7.0, 'total', (1.0, 10.0))
    """
    kinds = [label_kind(words_of(head)) for head in heads] + [None] * len(cells)
    words = words_of(cells[0])
    role = label_kind(words) or ALONE
    candidates: list[tuple[Number, str | None, int]] = []
    for place, (cell, kind) in enumerate(zip(cells, kinds, strict=False)):
        numbers = list(numbers_of(cell)) if place or not words else []
        if len(numbers) == 1 and kind not in {SCALE, ASIDE}:
            candidates.append((numbers[0], kind, place))
    if not candidates or role in {SCALE, ASIDE}:
        return None
    scored = [candidate for candidate in candidates if candidate[1] in {*SCORES, QUALIFIED}]
    number, kind, place = (scored or candidates)[-1]
    # A row of somebody's name, below the head 'Score'.
    role = QUALIFIED if role == PART and kind in SCORES else role
    return ClassifiedNumber(number=number, role=role, stated=scale_in(heads[place]) if place < len(heads) else None)


#: What is a score by its words.
_STRONG = SCORES | {ALONE}
#: Characters before and behind a number that count.
_BEFORE, _BEHIND_NUMBER = 160, 80

_LATIN = "a-z\u00df-\u024f"
_FOLLOWS = lazy_re(rf"([{_LATIN}]+)| \"?([^\W\d_]+)")
_DIGIT = lazy_re(r"\d")
_ITEM = lazy_re(r"[.)] +\S|: +[^\W\d_\"'(]")
_LETTERED = lazy_re(r"^[\s#>*-]*\(?(?:[a-z]|[ivx]{2,4})[.)]{1,2} +(?=[^\W\d])")
_BULLETS = " \t>-+\u2022\u25cf\u25e6\u2013#("
_OPERATORS = frozenset("+\u00d7\u00f7/x")
_OPERATES = lazy_re(r"[)%]* ?(?:[+\u00d7\u00f7]|x(?= ?\d)) ?[(\d.]")
_OPERATED = lazy_re(r"[\d)%] ?(?:[+\u00d7\u00f7/]|x) ?\(?$")
_POINT_SCALE = lazy_re(r"[- ]point scale\b")
_ENDS_LINE = lazy_re(r"[.!)\"'* ]*")
_SENTENCE_END = (". ", "! ", "? ", "; ")
_MARGIN = ("\u00b1", "+/-", "+-", "plus or minus")
_CURRENCY = frozenset("$\u20ac\u00a3\u00a5\u20b9")


def classified_numbers(text: str, *, low: float, high: float) -> tuple[list[ClassifiedNumber], int]:
    """Return the numbers of a normalised text that may be scores or parts of them, and how many numbers there are."""
    reader = _Reader(low=low, high=high)
    for line in text.split("\n"):
        reader.take(line)
    if reader.at_end:
        reader.numbers[-1] = replace(reader.numbers[-1], complete=False)
    kept = [
        replace(number, conditional=True) if number.role in _STRONG and place < reader.unsettled else number
        for place, number in enumerate(reader.numbers)
        if place >= reader.replaced or number.role not in _STRONG
    ]
    return kept, reader.count


class _Reader:
    """What is known while the lines of an answer are read."""

    def __init__(self, *, low: float, high: float) -> None:
        self.scale = (low, high)
        #: A scale that was stated for all that follows.
        self.stated: tuple[float, float] | None = None
        self.item = 0.0
        self.heads: list[str] = []
        self.heading = ""
        #: The last range of numbers.
        self.span: Number | None = None
        self.numbers: list[ClassifiedNumber] = []
        #: Whether the score so far is being revised; how many numbers were replaced, and how many taken back.
        self.turned = False
        self.replaced = self.unsettled = 0
        self.count = 0
        self.at_end = False

    def take(self, line: str) -> None:
        """Place the numbers of the next line."""
        self.at_end = False
        if line.count("|") > 1:
            self._row(line)
            return
        self.heads = []
        if _DIGIT.search(line) is not None:
            # A quotation, or an entry of a list.
            self._line(_LETTERED.sub("", line.removeprefix("> "), count=1))
        elif line and not line.isspace():
            self.heading = line
            self._turn(line)

    def _line(self, line: str) -> None:
        """Place the numbers of a line that is no table's."""
        stated: tuple[float, float] | None = None
        seen = 0
        role: str | None = None
        count_before = len(self.numbers)
        for number in numbers_of(line):
            gap, seen = line[seen : number.start], number.end
            scale = self._stated_scale(number, *_around(number, line))
            if scale is not None:
                stated = self._noted(scale, gap, line[seen:], is_behind=role is not None) or stated
                continue
            role = self._role(number, line, gap, role)
            self.count += 1
            if role is not None:
                self._add(number, line, role, stated)
        self._turn(line[seen:])
        self.heading = "" if len(self.numbers) > count_before else line

    def _noted(
        self, scale: tuple[float, float], gap: str, behind: str, *, is_behind: bool
    ) -> tuple[float, float] | None:
        """Note what a stated scale is that of; return it where it is that of its line."""
        if is_behind and SCORE_WORDS.scale_behind.fullmatch(gap):
            # 'A 7 on a scale from 1 to 10'.
            self.numbers[-1] = replace(self.numbers[-1], stated=scale)
        elif "scale" in f"{gap}{behind[:12]}" and "(" not in gap:
            self.stated = scale
        else:
            return scale
        return None

    def _role(self, number: Number, line: str, gap: str, previous: str | None) -> str | None:
        """Return what a number is, None where it is no score nor part of one."""
        before, behind = _around(number, line)
        turn = self._turn(gap)
        if self._counts_something(number, before, behind):
            return None
        role = role_in_sentence(number, before, behind, heading=self.heading, previous=previous)
        if turn is not None and role not in _STRONG:
            role = role_in_sentence(number, gap[turn:], behind, heading="", previous=None)
        if role in {None, NAMED} and (
            self._is_only(number, line)
            or (
                (role or before.rstrip().endswith(","))
                and _ENDS_LINE.fullmatch(behind)
                and SCORE_WORDS.closing.search(before)
            )
        ):
            role = ONLY
        if number.until is not None:
            self.span = number
        elif self.span is not None and role not in _STRONG and _is_pick(number, self.span, before):
            role = _of_part(SCORE, behind)
        if previous in _STRONG and role not in _STRONG and _is_parallel(before, gap, behind):
            role = SCORE
        if turn is not None and role not in _STRONG:
            self.unsettled = len(self.numbers)
        exact = not number.bound and number.until is None
        if role is not None and (is_disowned(before, behind, exact=exact) or declines(_sentence(before))):
            return None
        # '27 of 35' is a score of something.
        return PART if role is None and number.form == "fraction" else role

    def _is_only(self, number: Number, line: str) -> bool:
        """Return whether a number is one of the whole scale, in another language: '79 von 100'."""
        over = SCORE_WORDS.over_elsewhere.search(line, number.start, number.end)
        return number.top == self.scale[1] and over is not None

    def _add(self, number: Number, line: str, role: str, stated: tuple[float, float] | None) -> None:
        """Add a number, which may replace the score so far."""
        conditional = _is_conditional(*_around(number, line))
        if self.turned and role in _STRONG and not conditional:
            self.replaced, self.turned = len(self.numbers), False
        if stated is None and self.stated is not None and number.value <= self.stated[1]:
            stated = self.stated
        self.numbers.append(ClassifiedNumber(number=number, role=role, stated=stated, conditional=conditional))
        self.at_end = number.end == len(line)

    def _turn(self, text: str) -> int | None:
        """Notice that a text behind a score revises it; return where it goes on behind such words."""
        if not self.count or not text:
            return None
        end = None
        for match in SCORE_WORDS.revising.finditer(text):
            self.turned, end = True, match.end()
        if SCORE_WORDS.withdrawn.search(text):
            self.unsettled = len(self.numbers)
        return end

    def _stated_scale(self, number: Number, before: str, behind: str) -> tuple[float, float] | None:
        """Return the scale that a number is the end of, or that both of its numbers are."""
        if number.until is not None:
            ends = (number.value, number.until)
            named = SCORE_WORDS.scale_before.search(before) is not None and "scale" in before[-40:]
            bracketed = before.endswith("(") and behind.startswith(")")
            begins = number.value <= 1 and (named or bracketed or behind.startswith(" scale"))
            return ends if begins or ends == self.scale else None
        if _POINT_SCALE.match(behind):
            # It may begin at 0 or at 1.
            return (1.0, number.value)
        states = number.form == "number" and before.rstrip().endswith(SCORE_WORDS.tops)
        if states and SCORE_WORDS.stated_top.search(before) is not None:
            return (0.0, number.value)
        return None

    def _counts_something(self, number: Number, before: str, behind: str) -> bool:
        """Return whether a number is part of another word, a list's ordinal, an operand, or counts things."""
        if _is_inside(before, behind) or before.rstrip(" (").endswith(_MARGIN):
            return True
        starts = not before.strip(_BULLETS)
        if starts and number.value in {1, self.item + 1} and _ITEM.match(behind):
            self.item = number.value
            return True
        if SCORE_WORDS.defines.match(behind) and self._is_defined(number, before, behind, starts=starts):
            return True
        return _counts_things(behind) or _is_operand(before, behind)

    def _is_defined(self, number: Number, before: str, behind: str, *, starts: bool) -> bool:
        """Return whether words say what an end of the scale means, or a part of it: '0 = no match'."""
        if number.until is not None:
            return starts
        # But a score may be one of the ends, too.
        an_end = number.value in self.scale and number.form == "number"
        return an_end and SCORE_WORDS.is_score.match(behind) is None and not before.rstrip().endswith(":")

    def _row(self, line: str) -> None:
        """Place the number of a table's row."""
        cells = cells_of(line)
        if not cells:
            return
        if not self.heads:
            self.heads = cells
            if is_head(cells):
                return
        of_row = number_of_row(cells, self.heads)
        if of_row is not None:
            self.count += 1
            self.numbers.append(of_row)
            self.at_end = not line.rstrip().endswith("|")


def _around(number: Number, line: str) -> tuple[str, str]:
    """Return what stands before and behind a number, as far as it counts."""
    return line[max(0, number.start - _BEFORE) : number.start], line[number.end : number.end + _BEHIND_NUMBER]


def _is_inside(before: str, behind: str) -> bool:
    """Return whether a number is part of a date, a telephone number, a word, or money."""
    if before:
        last, earlier = before[-1], before[-2:-1]
        if last in "-/.,'" and earlier.isalnum():
            return True
        if last == ":" and earlier.isdigit():
            return True
        if before.rstrip()[-1:] in _CURRENCY and behind[:1] != "$" and not before.endswith("{"):
            return True
    if behind.startswith("-ish"):
        return False
    following = behind[:2]
    return (following[:1] in {"-", "/", ":", "'"} and following[1:].isalnum()) or following[:1] in {"\u20ac", "\u00a3"}


def _is_pick(number: Number, span: Number, before: str) -> bool:
    """Return whether a number is said to be the one of a range that counts: '70-80, if I have to name one: 76'."""
    within = span.value <= number.value <= (span.until or span.value)
    return within and SCORE_WORDS.picking.search(_sentence(before)) is not None


def _is_parallel(before: str, gap: str, behind: str) -> bool:
    """Return whether a clause gives another score as the one before it did: 'as a nurse 80, as a manager 55'."""
    begins = SCORE_WORDS.parallel.fullmatch(gap)
    return (
        begins is not None
        and _ENDS.match(behind) is not None
        and ":" not in (earlier := before.removesuffix(gap))
        and begins[1] in _SENTENCE_TOKEN.findall(earlier)
    )


def _counts_things(behind: str) -> bool:
    """Return whether the word behind a number is what it counts, or belongs to it: '5 years', '72nd'."""
    follows = _FOLLOWS.match(behind)
    if follows is None:
        return False
    joined, apart = follows.groups()
    if joined is not None:
        return joined not in SCORE_WORDS.units
    return not (apart in SCORE_WORDS.units or apart in SCORE_WORDS.goes_on or apart in SCORE_WORDS.nouns)


def _is_operand(before: str, behind: str) -> bool:
    """Return whether a number is one of those that are added up or multiplied."""
    if behind.lstrip(" )%")[:1] in _OPERATORS and _OPERATES.match(behind):
        return True
    return before.rstrip(" (")[-1:] in _OPERATORS and _OPERATED.search(before) is not None


def _sentence(before: str) -> str:
    """Return the sentence before a number, from its last turn on."""
    start = max(before.rfind(end) for end in _SENTENCE_END)
    sentence = before[start + 1 :] if start >= 0 else before
    if sentence.lstrip().startswith(SCORE_WORDS.concessive):
        sentence = sentence.partition(", ")[2]
    for turn in SCORE_WORDS.sentence_turns:
        sentence = sentence.rpartition(turn)[2]
    return sentence


_HALT = lazy_re(r"[.!?;,(\n]| but ")


def _is_conditional(before: str, behind: str) -> bool:
    """Return whether the sentence of a number says that it depends."""
    if SCORE_WORDS.may_depend.search(f"{before}{behind}") is None:
        return False
    start = max(before.rfind(end) for end in _SENTENCE_END)
    if SCORE_WORDS.without.match(behind) and SCORE_WORDS.would.search(before) is not None:
        return True
    # Words after a comma or in brackets may be about another number.
    behind = _HALT.split(behind, maxsplit=1)[0]
    sentence = f"{before[start + 1 :]} # {behind}"
    return SCORE_WORDS.depends.search(sentence) is not None


#: The rule of a reading, with the score where the rule reads one.
ByRule = tuple[str, float | None]
#: Denominators of a fraction that is a score without a label.
_USUAL = (5, 10, 20, 100)
#: The rules of numbers by their form; all others have the rule of their label.
_RULES = {"fraction": "fraction", "stars": "fraction", "percent": "percent"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """The scale of the scores that the prompt asks for."""

    low: float
    high: float

    def converted(self, value: float, low: float, high: float) -> float | None:
        """Return a value of the scale from `low` to `high` in these units, None where it can't be converted.

        A scale with the same upper end is this one. Another one is converted from 0, at which '1-10' begins, too:
        its 7 is 7 of 10; this one has to begin there.

        >>> Range(low=0, high=100).converted(7, 1, 10), Range(low=1, high=5).converted(7, 0, 10)
        (70.0, None)
        """
        if high == self.high:
            return value
        if self.low != 0 or low not in {0, 1} or high <= 0:
            return None
        return round(value / high * self.high, 9)

    def score(self, placed: ClassifiedNumber) -> float | None:
        """Return a number in these units."""
        number = placed.number
        if number.form == "stars" and number.top != self.high:
            return None
        if number.top is not None:
            return self.converted(number.value, 0.0, number.top)
        if placed.stated is not None:
            return self.converted(number.value, *placed.stated)
        return number.value

    def holds(self, placed: ClassifiedNumber) -> bool:
        """Return whether a number is within the scale, as far as it can be told."""
        score = self.score(placed)
        return score is None or self.low <= score <= self.high


def counting(entries: Sequence[Entry]) -> list[ClassifiedNumber]:
    """Return the numbers of the entries that count: totals, and scores that are nested no deeper than these."""
    if not entries:
        return []
    numbered = [entry for entry in entries if entry.numbers]
    strong = [entry for entry in numbered if entry.kind in SCORES]
    nested = [entry for entry in numbered if entry.kind == NESTED]
    if not strong and len(nested) == 1:
        strong = [replace(nested[0], kind=SCORE)]
    deepest = min([entry.depth for entry in strong if entry.kind == TOTAL] or [entry.depth for entry in strong] or [0])
    return [
        ClassifiedNumber(
            number=number,
            role=entry.kind if entry.kind in {*SCORES, QUALIFIED} else PART,
            stated=entry.scale,
            complete=entry.whole,
            in_object=True,
        )
        for entry in ([entry for entry in strong if entry.depth <= deepest] or numbered)
        for number in entry.numbers
    ]


def score_of_numbers(numbers: Sequence[ClassifiedNumber], scale: Range, *, cut: bool, single: bool) -> ByRule:
    """Return the rule by which the numbers are read, and the score that they agree on.

    `single`: the answer is one line with one number.
    """
    numbers = [candidate for candidate in numbers if not _is_span(candidate, scale)]
    roles = kinds_in_series([(candidate.role, candidate.number) for candidate in numbers])
    numbers = [
        candidate if candidate.role == role else replace(candidate, role=role)
        for candidate, role in zip(numbers, roles, strict=True)
    ]
    numbers = _without_shares(numbers, scale)
    strong = [candidate for candidate in numbers if candidate.role in _STRONG]
    strong = [candidate for candidate in strong if not candidate.conditional] or strong
    # 'M.Ed. (2012)' beside a score.
    strong = [candidate for candidate in strong if candidate.role != ALONE or scale.holds(candidate)] or strong
    if not strong:
        if not numbers:
            return "no number", None
        if cut or len(numbers) > 1 or not _counts_alone(numbers[0], scale, single=single):
            return "cut off" if cut else "sub-scores only", None
        strong = list(numbers)
    strong = [
        candidate for candidate in strong if candidate.number.until is None and not candidate.number.bound
    ] or strong
    strong = _without_parts(strong, scale)
    if len(strong) == 1:
        strong = [_on_the_scale_of_parts(strong[0], numbers)]
    first = strong[0]
    if len({scale.score(candidate) for candidate in strong}) > 1:
        return "conditional" if first.conditional else "several numbers", None
    if cut and not any(candidate.complete for candidate in strong):
        return "cut off", None
    return _score_of_number(strong[0], scale)


def _score_of_number(placed: ClassifiedNumber, scale: Range) -> ByRule:
    """Return the rule and the score of one number."""
    number = placed.number
    if number.until is not None:
        return "a range of numbers", None
    if number.bound:
        return "a bound", None
    if placed.conditional:
        return "conditional", None
    score = scale.score(placed)
    odd = placed.role == ALONE and number.form == "fraction" and number.top not in {*_USUAL, scale.high}
    if score is None or odd:
        return "another scale", None
    if not scale.low <= score <= scale.high:
        return "out of range", None
    rule = _RULES.get(number.form) or ("number" if placed.role == ALONE else "labelled")
    return "JSON" if placed.in_object else rule, score


def _counts_alone(only: ClassifiedNumber, scale: Range, *, single: bool) -> bool:
    """Return whether the only number counts although its label is no plain one: 'ATS score', 'Emily Walsh'."""
    if only.conditional:
        return False
    # A percentage, or a number on another scale, may be any.
    unconverted = only.number.form != "percent" and scale.score(only) == only.number.value
    return only.role == QUALIFIED or (unconverted and (only.role == ONLY or (only.role == NAMED and single)))


def _is_span(placed: ClassifiedNumber, scale: Range) -> bool:
    """Return whether a number stands for two that cannot both be scores: 'from 2010 to 2015'."""
    until = placed.number.until
    return until is not None and placed.role == ALONE and (placed.number.value < scale.low or until > scale.high)


def _without_shares(numbers: Sequence[ClassifiedNumber], scale: Range) -> Sequence[ClassifiedNumber]:
    """Return numbers without parts whose upper ends add up to the scale's, with their sum as a total."""
    shares = [each for each in numbers if each.number.form == "fraction" and (each.number.top or 0) < scale.high]
    rest = [each for each in numbers if each.number.form != "fraction" or (each.number.top or 0) >= scale.high]
    if not rest or len(shares) in {0, 1} or sum(each.number.top or 0 for each in shares) != scale.high:
        return numbers
    if any(each.role == TOTAL for each in rest):
        return rest
    total = sum(each.number.value for each in shares)
    return [replace(each, role=TOTAL) if each.number.value == total else each for each in rest]


def _without_parts(strong: Sequence[ClassifiedNumber], scale: Range) -> list[ClassifiedNumber]:
    """Return one total without the several scores that it is made of."""
    totals = [candidate for candidate in strong if candidate.role == TOTAL]
    scores = {scale.score(candidate) for candidate in strong if candidate.role != TOTAL}
    return totals if totals and len(scores) > 1 else list(strong)


def _on_the_scale_of_parts(total: ClassifiedNumber, numbers: Sequence[ClassifiedNumber]) -> ClassifiedNumber:
    """Return a total without a scale on that of its parts, where they add up to it: 8/10 + 7/10 = 15 of 20."""
    if total.role != TOTAL or total.number.top is not None or total.stated is not None:
        return total
    parts = [candidate.number for candidate in numbers if candidate is not total]
    tops = [part.top for part in parts if part.top is not None]
    if not parts or len(tops) < len(parts) or sum(part.value for part in parts) != total.number.value:
        return total
    return replace(total, stated=(0.0, sum(tops)))


_CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
_TIMES = lazy_re(r"(?<=\d) ?\* ?(?=\d)")
_TILDE = lazy_re(r"(?<=\d) ?~ ?(?=\d)")
_TAG = lazy_re(r"[<\[]\|?(/?)([a-z][a-z_ ]{0,30})\|?[>\]]")
# Folding would write '72' and a raised 1 as 721, 72 and a half as 721/2.
_HALVES = str.maketrans(
    {"\u00bd": ".5", "\u00bc": ".25", "\u00be": ".75"}
    | dict.fromkeys("\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", " ")
)
_RAISED = lazy_re("[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079]")


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedScore:
    """The score that an answer states, None where none was read, and the rule that read it."""

    status: str
    score: float | None
    rule: str


@cache
def _unread(rule: str) -> ParsedScore:
    return ParsedScore(status=SCORE_WORDS.statuses[rule], score=None, rule=rule)


def read_score(
    text: str | None, finish_reason: str | None = None, *, low: float, high: float, error_class: str | None = None
) -> ParsedScore:
    """Return the one score between `low` and `high` that an answer states, or the reason why there is none.

    >>> read_score("**Score:** 72/100", low=0, high=100).score
    72.0
    >>> read_score("5 years of experience", low=0, high=100).rule
    'numbers that are not scores'
    """
    answer = answer_of(text, finish_reason, error_class)
    if answer.status is not None:
        return _unread(answer.rule)
    return _read_text(answer.text, Range(low=float(low), high=float(high)), cut=answer.cut)


def _read_text(text: str, scale: Range, *, cut: bool) -> ParsedScore:
    if "{" in text:
        text = _CAMEL.sub("_", text)
    answer = text.lower()
    entries, rest = entries_of(answer) if "{" in answer else ([], answer)
    folded = _normalised_text(rest)
    rule, score, count = _read_numbers(folded, entries, scale, cut=cut)
    if rule == "no number" and not entries and folded != (spelled := with_words_as_numbers(folded)):
        rule, score, count = _read_numbers(spelled, entries, scale, cut=cut)
        rule = rule if score is None else "number word"
    if (score is None or score == scale.low) and declines(folded if rest is answer else _normalised_text(answer)):
        return _unread("declined")
    if score is not None:
        return ParsedScore(status="observed", score=score, rule=f"{rule}, cut off" if cut else rule)
    if rule == "no number":
        numbered = count or any(entry.numbers for entry in entries)
        return _unread("cut off" if cut else "numbers that are not scores" if numbered else "no number")
    return _unread(rule)


def _read_numbers(folded: str, entries: Sequence[Entry], scale: Range, *, cut: bool) -> tuple[str, float | None, int]:
    """Return the rule and the score of the numbers in a normalised text and in objects, and how many the text has."""
    placed, count = classified_numbers(folded, low=scale.low, high=scale.high)
    single = count == 1 and "\n" not in folded.strip()
    rule, score = score_of_numbers([*counting(entries), *placed], scale, cut=cut, single=single)
    return rule, score, count


def _normalised_text(text: str) -> str:
    """Return a normalised text, with the signs between numbers separated."""
    if not text.isascii() and _RAISED.search(text):
        text = text.translate(_HALVES)
    if "*" in text:
        text = _TIMES.sub(" \u00d7 ", text)
    if "~" in text:
        text = _TILDE.sub("-", text)
    folded = fold_text(text)
    if "<" in folded or "[" in folded:
        folded = _TAG.sub(lambda match: "\n" if match.group(1) else f"\n{match.group(2)}: ", folded)
    return folded.replace("\u00e9", "e").lstrip(" \n")
