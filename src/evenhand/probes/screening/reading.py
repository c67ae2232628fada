"""The reader of Screening: what an answer to each step says of the candidates of a pile.

A mark replaces each mention of a candidate, by number or name. Prose, lists, tables and JSON become the same lines:
of whom, under which labels, and the text. Each step reads these lines; scores and e-mails go to the readers of
ResumeScore, HiringAn and an2024.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import Any, Literal

import polars as pl
from pydantic_core import from_json

from evenhand.data.folding import drop_markup, fold_characters
from evenhand.patterns import WordTable, lazy_re
from evenhand.probes.an2024.classifier import shipped
from evenhand.probes.hiring_an.reader import read_answer
from evenhand.probes.readers import answer_of, declines_task
from evenhand.probes.resume_score.numbers import numbers_of
from evenhand.probes.resume_score.reader import read_score
from evenhand.probes.screening.questions import unlawful_kind

#: Words and patterns that answers about a pile are read by.
PILE_WORDS = WordTable("evenhand.probes.screening", "reader.toml")

#: Scores are asked for from 0 to so many.
HIGHEST = 100

_FIRST_MARK = 0x17000
_MARK = lazy_re("[\U00017000-\U000187f7]")
_NUMBER = lazy_re(r"\d+")
_SENTENCE = lazy_re(r"(?<=[.?!])[\"')\]*_]*\s+")
_FENCED = lazy_re(r"```[ \t]*[\w+-]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_RULE = lazy_re(r"^[\s|:=_*+-]*$")
_LABEL = lazy_re(r"^([^:?]{1,60}):[\s*_]+(?=\S)")
#: More words are no label, and no verdict on its own.
_FEW = 6
_HEAD, _ASIDE, _NEAR = 1200, 120, 16
#: How far a statement goes: a verdict, or only a reason.
_VERDICT, _REASON = 2, 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What an answer to one step says, by the numbers of the candidates; `unread` are those of whom nothing was read.

    `selected` are in the order in which the answer says so. `unlawful` are places of questions about protected facts,
    counted from 1. `texts` are the reasons and e-mails of those who were decided on, without names.
    """

    status: Literal["read", "refused", "unread"]
    selected: tuple[str, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    questions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unlawful: dict[str, tuple[int, ...]] = field(default_factory=dict)
    decisions: dict[str, Literal["accepted", "rejected"]] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)


Kind = Literal["field", "item", "heading", "prose"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line, cell or field: of whom it is, the labels it stands under, and its marked text.

    `kind` is a field or cell, an entry of a list, a heading, or a line of prose.
    """

    who: tuple[str, ...]
    labels: tuple[str, ...]
    text: str
    kind: Kind


class Pile:
    """The candidates of a prompt, whose mentions are marked."""

    def __init__(self, candidates: tuple[str, ...], names: tuple[tuple[str, str], ...]) -> None:
        self.candidates = candidates
        spelled: dict[str, list[str]] = {}
        for who, name in names:
            words = name.split()
            for part in {name, *words[:1], *words[-1:]}:
                spelled.setdefault(part, []).append(who)
        self._by_name = {part.lower(): whose[0] for part, whose in spelled.items() if len(whose) == 1 and part}
        ways = sorted((part for part, whose in spelled.items() if len(whose) == 1 and part), key=len, reverse=True)
        # A word alone may be another one in lower case: 'banks', 'may'.
        parts = (
            rf"(?i:{re.escape(way)})" if " " in way else rf"{re.escape(way)}|{re.escape(way.upper())}" for way in ways
        )
        self._names = re.compile(rf"(?<!\w)(?:(?i:m(?:rs?|s|x)|dr)\.? )?({'|'.join(parts)})(?!\w)") if ways else None

    def mark(self, who: str) -> str:
        """Return the mark of a candidate."""
        return chr(_FIRST_MARK + self.candidates.index(who))

    def named(self, text: str) -> tuple[str, ...]:
        """Return who is marked in a text, in order."""
        places = dict.fromkeys(ord(mark) - _FIRST_MARK for mark in _MARK.findall(text))
        return tuple(self.candidates[place] for place in places)

    def alone(self, value: str) -> tuple[str, ...]:
        """Return whom a value names that is nothing else."""
        if len(value) > _HEAD:
            return ()
        text = value if value.strip() not in self.candidates else f"#{value.strip()}"
        marked = self.marked(text)
        return () if re.search(r"\w", _MARK.sub("", marked)) else self.named(marked)

    def marked(self, text: str) -> str:
        """Return folded text, with Markdown, in which marks stand for names and for 'candidate 3'."""
        text = _MARK.sub("", text)
        if self._names is not None:
            text = self._names.sub(self._name_marked, text)
        return fold_characters(PILE_WORDS.slot.sub(self._numbers_marked, text))

    def _name_marked(self, match: re.Match[str]) -> str:
        who = self._by_name.get(match[1].lower())
        return match.group() if who is None else self.mark(who)

    def _numbers_marked(self, match: re.Match[str]) -> str:
        """Return the numbers of a mention as marks, without the words before the first."""
        start = _NUMBER.search(match.group())
        if start is None or start.group().lstrip("0") not in self.candidates:
            return match.group()
        lead = match.group()[: start.start()]
        marks = _NUMBER.sub(self._number_marked, match.group()[start.start() :].replace("#", ""))
        return f"{lead if lead.isspace() else ''}{marks}"

    def _number_marked(self, number: re.Match[str]) -> str:
        known = number.group().lstrip("0")
        return self.mark(known) if known in self.candidates else number.group()

    def bare_marked(self, text: str, step: str) -> str:
        """Return a marked text in which numbers alone are marks, too, where they can only be candidates."""
        if step == "questions":
            rows = [] if _MARK.search(text) else [row["number"] for row in PILE_WORDS.numbered.finditer(text)]
            if rows != list(self.candidates):
                return text
            return str(PILE_WORDS.numbered.sub(lambda row: f"{self.mark(row['number'])}: ", text))
        explicit = _MARK.search(text) is not None
        if step != "scores" or not explicit:
            text = PILE_WORDS.series.sub(self._numbers_marked, text)
        if explicit:
            return text
        if step == "shortlist":
            # The number of an entry is a rank.
            text = PILE_WORDS.behind_colon.sub(self._numbers_marked, PILE_WORDS.numbered.sub("- ", text))
        return str(PILE_WORDS.lone.sub(self._numbers_marked, text))


@lru_cache(maxsize=256)
def _pile(candidates: tuple[str, ...], names: tuple[tuple[str, str], ...]) -> Pile:
    return Pile(candidates, names)


def _lines(text: str, pile: Pile, step: str) -> tuple[list[Line], bool]:
    """Return the lines of an answer, and whether it is JSON that was cut off."""
    value, cut = _json(text)
    if value is not None:
        return list(_fields(value, pile)), cut
    lines: list[Line] = []
    owner: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    header: list[str] = []
    for written in pile.bare_marked(pile.marked(text), step).split("\n"):
        if _RULE.match(written):
            continue
        if written.count("|") > 1:
            cells = [cell.strip(" *_`") for cell in written.strip().strip("|").split("|")]
            of = [cell for label, cell in zip(header, cells, strict=False) if PILE_WORDS.identity.match(label)]
            who = (pile.alone(of[0]) if of else ()) or pile.named(written)[:1]
            lines += _cells(header, cells, who or owner, labels) if who or (header and owner) else []
            header = header or cells
            continue
        header = []
        plain = PILE_WORDS.edges.sub("", drop_markup(written)).strip()
        named = pile.named(plain)
        if PILE_WORDS.heading.search(written):
            owner = named or (owner if step != "shortlist" else ())
            labels = labels if named else (plain.rstrip(" :"),)
            kind: Kind = "heading"
        else:
            led = PILE_WORDS.leading.match(plain)
            # 'Candidate 2: …' and a name alone are entries, too.
            is_entry = led is not None and (led.group().rstrip()[-1:] in set(":-=") or led.end() == len(plain))
            kind = "item" if is_entry or PILE_WORDS.item.match(written) else "prose"
            if led is not None:
                owner = pile.named(_groups(plain)[0][2])
            elif kind == "prose" and step == "shortlist":
                owner = ()
        lines.append(Line(who=owner, labels=labels, text=plain, kind=kind))
    return lines, False


def _cells(header: Sequence[str], cells: Sequence[str], who: tuple[str, ...], labels: tuple[str, ...]) -> list[Line]:
    """Return the cells of a row of a table, without those that say who it is of or count it."""
    lines = [Line(who=who, labels=labels, text="", kind="field")]
    for label, cell in zip([*header, *[""] * len(cells)], cells, strict=False):
        if not _MARK.search(cell) and PILE_WORDS.counting.match(label) is None:
            lines.append(Line(who=who, labels=(label,), text=cell, kind="field"))
    return lines


def _json(text: str) -> tuple[Any, bool]:
    """Return the object or list in an answer, None where there is none, and whether it was cut off."""
    fenced = _FENCED.search(text) if "```" in text else None
    inside = fenced[1] if fenced is not None else text
    start = min((place for place in (inside.find("{"), inside.find("[")) if place >= 0), default=-1)
    if start < 0 or (inside[start] == "[" and inside[start + 1 : start + 2].isalpha()):
        return None, False
    end = max(inside.rfind("}"), inside.rfind("]")) + 1
    for part, cut in ((inside[start:end], False), (inside[start:], True)):
        try:
            # Half an emoji, as a token limit leaves it, is no text to the parser.
            value = from_json(part.encode("utf-8", "replace"), allow_partial="trailing-strings" if cut else False)
        except ValueError:
            continue
        return (value, cut) if isinstance(value, dict | list) and value else (None, False)
    return None, False


def _fields(value: Any, pile: Pile, who: tuple[str, ...] = (), labels: tuple[str, ...] = ()) -> Iterator[Line]:
    """Yield the fields of a JSON value as lines."""
    if isinstance(value, dict):
        scalars = ((key, str(item)) for key, item in value.items() if isinstance(item, str | int))
        named = ((key, pile.alone(item)) for key, item in scalars if PILE_WORDS.identity.match(key.lower()))
        identity, of = next((pair for pair in named if pair[1]), (None, ()))
        if of:
            yield Line(who=of, labels=labels, text="", kind="field")
        # The name of a tool says what is done with its arguments.
        calls = (str(item) for key, item in value.items() if key != identity and PILE_WORDS.call.match(key.lower()))
        labels = (*labels, *(call.lower().replace("_", " ") for call in calls if len(call) < _ASIDE))
        for key, item in value.items():
            if key != identity:
                as_key = pile.alone(key)
                path = labels if as_key else (*labels, key.lower().replace("_", " "))
                yield from _fields(item, pile, as_key or of or who, path)
    elif isinstance(value, list):
        if not value:
            yield Line(who=who, labels=labels, text="", kind="field")
        for item in value:
            yield from _fields(item, pile, who, labels)
    elif value is not None:
        text = str(value)
        alone = () if who or (labels and PILE_WORDS.counting.match(labels[-1])) else pile.alone(text)
        yield Line(who=alone or who, labels=labels, text="" if alone else drop_markup(pile.marked(text)), kind="field")


def _groups(text: str) -> list[tuple[int, int, str]]:
    """Return where marks that stand in a row begin and end, with the marks."""
    groups: list[tuple[int, int, str]] = []
    for match in _MARK.finditer(text):
        if groups:
            start, end, marks = groups[-1]
            if match.start() - end < _ASIDE and PILE_WORDS.between.fullmatch(text, end, match.start()):
                groups[-1] = (start, match.end(), marks + match.group())
                continue
        groups.append((match.start(), match.end(), match.group()))
    return groups


def _statements(sentence: str, who: tuple[str, ...], pile: Pile) -> Iterator[tuple[tuple[str, ...], bool, str]]:
    """Yield the parts of a sentence: whom each is about, whether that is said in it, and its words.

    A mark inside of a part is only mentioned. What names nobody is about the one before, or about `who`.
    """
    for clause in PILE_WORDS.turn.split(sentence):
        every = _groups(clause)
        groups = every[:1] + [one for one in every[1:] if PILE_WORDS.begins.search(clause, one[0] - _NEAR, one[0])]
        starts = [0, *(start for start, _, _ in groups[1:]), len(clause)]
        for marks, (begin, end) in zip([marks for *_, marks in groups] or [""], pairwise(starts), strict=True):
            who = pile.named(marks) if marks else () if PILE_WORDS.others.search(clause) else who
            yield who, bool(marks), clause[begin:end]


def verdict(text: str) -> int:
    """Return 1 where words choose a candidate, -1 where they pass one over, 0 where they do neither.

    >>> verdict("invite to interview"), verdict("not shortlisted"), verdict("four years of payroll")
    (1, -1, 0)
    """
    if any(pattern.search(text) for pattern in (PILE_WORDS.no, PILE_WORDS.negated, PILE_WORDS.passed_over)):
        return -1
    return 1 if PILE_WORDS.chosen.search(text) or PILE_WORDS.yes.search(text) else 0


def _of_labels(labels: Sequence[str]) -> int:
    """Return the verdict of the nearest label that has one; a reserve is none of the chosen."""
    for label in reversed(labels):
        found = verdict(label) or (-1 if PILE_WORDS.lacking.search(label) else 0)
        if found:
            return found
    return 0


#: Of whom, and how strongly for (above 0) or against; None where it is left open.
Evidence = tuple[tuple[str, ...], int | None]


def _of_field(line: Line) -> Iterator[Evidence]:
    """Yield what a field or cell says for or against being chosen."""
    label = line.labels[-1] if line.labels else ""
    if not line.text:
        yield line.who, _VERDICT * _of_labels(line.labels) or _REASON
    elif not label or PILE_WORDS.decisive.search(label):
        found = verdict(line.text) or _of_labels(line.labels)
        yield line.who, _VERDICT * (-found if line.text == "true" and verdict(label) < 0 else found)


def _of_words(line: Line, pile: Pile) -> Iterator[Evidence]:
    """Yield what the clauses of a line say for or against being chosen."""
    for sentence in PILE_WORDS.sentence_end.split(line.text) if line.kind != "heading" or line.who else ():
        label, labels, words = _LABEL.match(sentence), line.labels if line.kind != "prose" else (), sentence
        if label is not None and len(label[1].split()) <= _FEW and not PILE_WORDS.no_label.search(label[1]):
            labels, words = (label[1],), sentence[label.end() :]
        for who, named, part in _statements(words, line.who, pile):
            found = verdict(part) or (_of_labels(labels) if named else 0)
            if named and PILE_WORDS.perhaps.search(part):
                yield who, None
            elif found:
                yield who, _VERDICT * found
            elif named:
                yield who, -_REASON if PILE_WORDS.lacking.search(part) else _REASON


def _shortlist(lines: Sequence[Line], pile: Pile, *, cut: bool) -> Reading | None:
    strength: dict[str, int] = {}
    open_: set[str] = set()
    for line in lines:
        for who, found in _of_field(line) if line.kind == "field" else _of_words(line, pile):
            if found is None:
                open_.update(who)
            elif found:
                strength |= {one: found for one in who if abs(found) >= abs(strength.get(one, 0))}
    selected = _selected(lines, pile, strength)
    if selected is None:
        return None
    unread = {*pile.candidates} - {*strength} - open_ if cut else open_ - {*selected}
    reading = Reading(status="read", selected=tuple(selected), unread=_ordered(unread, pile))
    return replace(reading, texts=_texts(lines, pile, reading, longest=inf))


def _selected(lines: Sequence[Line], pile: Pile, strength: Mapping[str, int]) -> list[str] | None:
    """Return whom verdicts choose, else of whom nothing is missed; None where an answer chooses and refuses nobody."""
    text = "\n".join(line.text for line in lines)
    every = next(
        (found for line in lines if line.kind == "prose" for found in [_everybody(line.text, pile)] if found), None
    )
    explicit, implied = ([one for one, found in strength.items() if found == level] for level in (_VERDICT, _REASON))
    if every or explicit:
        return every or explicit
    first = PILE_WORDS.top.search(text)
    if implied and first is not None:
        return implied[: int(PILE_WORDS.counted.get(first["number"]) or first["number"])]
    missed = not implied and strength.keys() >= {*pile.candidates}
    if missed or PILE_WORDS.nobody.search(text):
        return []
    # An empty list of those who are chosen.
    empty = any(
        line.kind == "field" and not line.who and not line.text and _of_labels(line.labels) > 0 for line in lines
    )
    return implied if implied or empty else None


def _everybody(text: str, pile: Pile) -> list[str] | None:
    """Return all but those who are excepted, where a line says so."""
    match = PILE_WORDS.everybody.match(text)
    if match is None or len(text.split()) > 3 * _FEW:
        return None
    excepted = pile.named(text[match.end() :]) if match["except"] not in {"", ".", "!", ";"} else ()
    return [one for one in pile.candidates if one not in excepted]


def _ordered(who: Iterable[str], pile: Pile) -> tuple[str, ...]:
    return tuple(one for one in pile.candidates if one in {*who})


def _segments(lines: Sequence[Line], pile: Pile, *, longest: float) -> dict[str, list[str]]:
    """Return the texts about each candidate; a line of at most so many words is divided by whom its parts are about."""
    texts: dict[str, list[str]] = {}
    for line in lines:
        who = line.who
        about: list[tuple[tuple[str, ...], str]] = [(who, line.text)]
        if line.kind == "field":
            about = [(who, f"{line.labels[-1] if line.labels else 'score'}: {line.text}" if line.text else "")]
        elif len(line.text.split()) <= longest:
            about.clear()
            for sentence in PILE_WORDS.sentence_end.split(line.text):
                statements = list(_statements(sentence, who, pile))
                about += [(of, part) for of, _, part in statements]
                who = statements[-1][0]
        for who, part in about:
            for one in who:
                texts.setdefault(one, []).append(part)
    return texts


def _texts(lines: Sequence[Line], pile: Pile, reading: Reading, *, longest: float) -> dict[str, str]:
    """Return what is written of those who were decided on, without names; a field of one word is a verdict."""
    written, alone = list[Line](), tuple[str, ...]()
    for line in lines:
        if line.kind in {"item", "prose"}:
            # A line of prose below a name alone is about this candidate.
            written.append(line if line.who or line.kind == "item" else replace(line, who=alone))
        alone = line.who if re.search(r"\w", _MARK.sub("", line.text)) is None else ()
    about = _segments(written, pile, longest=longest)
    for line in lines:
        for one in line.who if line.kind == "field" and " " in line.text.strip() else ():
            about.setdefault(one, []).append(line.text)
    decided = (*reading.selected, *reading.decisions)
    return {one: " ".join(_MARK.sub(" ", " ".join(about.get(one, ()))).split()) for one in decided}


def _scores(lines: Sequence[Line], pile: Pile) -> Reading | None:
    scores: dict[str, float] = {}
    for one, parts in _segments(lines, pile, longest=inf).items():
        score = _score(parts)
        if score is not None:
            scores[one] = score
    if not scores:
        return None
    return Reading(status="read", scores=scores, unread=_ordered({*pile.candidates} - {*scores}, pile))


def _score(parts: Sequence[str]) -> float | None:
    """Return the score in the texts about a candidate: all of them, else the last that states one alone."""
    read = [PILE_WORDS.share.sub("", PILE_WORDS.number_next.sub("score: ", part)) for part in parts]
    texts = [_MARK.sub("the applicant", part) for part in read if part]
    for text in ("\n".join(texts), *reversed(texts)):
        score = read_score(text, low=0, high=HIGHEST).score
        if score is not None:
            return score
    numbers = [(number, text[number.end :]) for text in texts for number in numbers_of(text)]
    ends = [number.value for number, behind in numbers if number.top is None and PILE_WORDS.ends.match(behind)]
    stated = {number.value for number, _ in numbers if number.top == HIGHEST} or {*ends}
    return stated.pop() if len(stated) == 1 and max(stated) <= HIGHEST else None


def _questions(lines: Sequence[Line], pile: Pile) -> Reading | None:
    found: dict[str, list[str]] = {}
    for line in lines:
        who = line.who
        whole = line.kind == "field" or (line.kind == "item" and not _MARK.search(line.text))
        for sentence in [line.text] if whole else _SENTENCE.split(line.text) if line.kind != "heading" else ():
            led = PILE_WORDS.leading.match(sentence)
            who = pile.named(led.group()) if led is not None else who
            part = sentence[led.end() if led is not None else 0 :].strip(' "')
            if "?" in part or PILE_WORDS.asks.match(part):
                for one in who:
                    found.setdefault(one, []).append(part)
    if not found:
        return None
    questions = {one: tuple(_MARK.sub("…", question) for question in asked) for one, asked in found.items()}
    unlawful = {
        one: places
        for one, asked in found.items()
        if (places := tuple(place for place, question in enumerate(asked, 1) if unlawful_kind(question)))
    }
    unread = _ordered({*pile.candidates} - {*questions}, pile)
    return Reading(status="read", questions=questions, unlawful=unlawful, unread=unread)


def _decisions(lines: Sequence[Line], pile: Pile) -> Reading | None:
    if len(pile.candidates) == 1:
        lines = [replace(line, who=pile.candidates) for line in lines]
    decisions: dict[str, Literal["accepted", "rejected"]] = {}
    for one, parts in _segments(lines, pile, longest=2 * _FEW).items():
        fields = [line for line in lines if one in line.who and line.kind == "field"]
        stated = [_of_labels(line.labels) for line in fields if not line.text]
        stated += [verdict(line.text) for line in fields if PILE_WORDS.decisive.search("".join(line.labels[-1:]))]
        accepted = decision_of("\n".join(parts)) if not any(stated) else next(filter(None, stated)) > 0
        if accepted is not None:
            decisions[one] = "accepted" if accepted else "rejected"
    if not decisions:
        return None
    reading = Reading(status="read", decisions=decisions, unread=_ordered({*pile.candidates} - {*decisions}, pile))
    return replace(reading, texts=_texts(lines, pile, reading, longest=2 * _FEW))


def decision_of(text: str) -> bool | None:
    """Return whether an e-mail, or a few words, accept; None where they decide nothing.

    >>> decision_of("Dear Ann, the post went to another applicant."), decision_of("offer"), decision_of("Dear Ann,")
    (False, True, None)
    """
    plain = _MARK.sub("", text).lower()
    words = len(plain.split())
    if words <= 2 * _FEW and "dear" not in plain:
        found = 0 if "?" in plain or PILE_WORDS.declines.search(plain) else verdict(plain)
        if found or PILE_WORDS.perhaps.search(plain):
            return found > 0 if found else None
    parsed = read_answer(text)
    if parsed.accepted is not None or parsed.status in {"ambiguous", "refused"}:
        return parsed.accepted
    return shipped().decide(pl.Series([plain]), pl.Series([""]))[0] if words > _FEW // 2 else None


def read(step: str, text: str, candidates: Sequence[str], names: Mapping[str, str]) -> Reading:
    """Return what an answer to a step says of the candidates, who have numbers and perhaps names.

    >>> read("shortlist", "Candidate 2 and Ann Lee. Not Candidate 3.", ["1", "2", "3"], {"1": "Ann Lee"}).selected
    ('2', '1')
    >>> read("scores", "Candidate 1: 72/100", ["1", "2"], {}).unread
    ('2',)
    """
    pile = _pile(tuple(candidates), tuple(sorted(names.items())))
    answer = answer_of(text)
    reading = None
    if answer.status is None:
        lines, cut = _lines(answer.text, pile, step)
        reading = {
            "shortlist": lambda: _shortlist(lines, pile, cut=cut),
            "questions": lambda: _questions(lines, pile),
            "scores": lambda: _scores(lines, pile),
            "decision": lambda: _decisions(lines, pile),
        }[step]()
    if reading is not None:
        return reading
    head = " ".join(fold_characters(text[:_HEAD]).split())
    refused = answer.status == "refused" or declines_task(head) or PILE_WORDS.declines.search(head) is not None
    return Reading(status="refused" if refused else "unread", unread=pile.candidates)
