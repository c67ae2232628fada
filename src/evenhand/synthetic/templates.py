"""Templates: résumés with slots for the person's name, addresses, pronouns and titles.

Pronouns and titles have replacements for women and for men, in English only.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.data.lexicons.known_names import name_places
from evenhand.errors import InputError
from evenhand.masking.documents.formats import word_of
from evenhand.masking.documents.text import has_markup, seen, without_markup
from evenhand.masking.layout import folded_text
from evenhand.masking.mask import identified, mask_segments
from evenhand.masking.names.mentions import given_places, kind_of_token
from evenhand.masking.names.own import OWN_NAME_WORDS
from evenhand.masking.names.word_kinds import capitalised
from evenhand.masking.people import Person
from evenhand.masking.pronouns import Span, noun_follows
from evenhand.patterns import lazy_re
from evenhand.synthetic import own_name
from evenhand.synthetic.dates import Date, Edit, dates_of

if TYPE_CHECKING:
    from evenhand.masking.documents.word_in_place import WordInPlace

_WORD = lazy_re(r"[A-Za-z]+")
_FEMALE = {"she": "he", "herself": "himself", "hers": "his"}
_MALE = {"he": "she", "him": "her", "himself": "herself"}
#: As a list of pronouns declares them.
_DECLARED = {"her": "him", "his": "hers"}
_TITLES_OF_WOMEN = {"ms": "mr", "mrs": "mr", "miss": "mr", "madam": "sir", "frau": "herr"}
_TITLES_OF_MEN = {"mr": "ms", "mister": "ms", "sir": "madam", "herr": "frau"}
#: A form's field: `Gender: female`.
_FIELD_OF_WOMEN = {"female": "male", "f": "m", "woman": "man"}
_FIELD_OF_MEN = {other: word for word, other in _FIELD_OF_WOMEN.items()}
_LABELLED = lazy_re(r"\b(?:gender|sex)[ \t]*[:|=-][ \t]*$", re.IGNORECASE)
_WOMEN = frozenset({*_FEMALE, "her", *_TITLES_OF_WOMEN, *_FIELD_OF_WOMEN})
_MEN = frozenset({*_MALE, "his", *_TITLES_OF_MEN, *_FIELD_OF_MEN})
_GENDERS = {
    **dict.fromkeys(("female", "f", "woman", "women", "w"), "female"),
    **dict.fromkeys(("male", "m", "man", "men"), "male"),
}


_OTHERS = {**_FEMALE, **_MALE, **_TITLES_OF_WOMEN, **_TITLES_OF_MEN, **_FIELD_OF_WOMEN, **_FIELD_OF_MEN}
_LONGEST_LABEL = 16


def gender_of(protected: Mapping[str, str]) -> str | None:
    """Return a person's gender where a column `gender` or `sex` has one of two.

    >>> gender_of({"Sex": "F"}), gender_of({"gender": "nonbinary"}), gender_of({})
    ('female', None, None)
    """
    for name, value in protected.items():
        if name.lower() in {"gender", "sex"}:
            return _GENDERS.get(value.lower())
    return None


def gender_slot(text: str, span: Span, *, named: bool) -> own_name.GenderSlot | None:
    """Return the slot of a stretch masked as GENDER, None where it is no pronoun, title or field.

    `named`: the person's name follows, as it does a title.

    >>> text = "She led her team"
    >>> slot = gender_slot(text, Span(8, 11, "GENDER", "pronoun", 1.0), named=False)
    >>> slot.female, slot.male
    ('her', 'his')
    """
    written = text[span.start : span.end]
    words = [match.group().lower() for match in _WORD.finditer(written)]
    genders = {"female" if word in _WOMEN else "male" if word in _MEN else None for word in words}
    if len(genders) != 1 or None in genders:
        return None
    titled = any(word in _TITLES_OF_WOMEN or word in _TITLES_OF_MEN for word in words)
    if titled and not named:
        return None
    field = any(word in _FIELD_OF_WOMEN or word in _FIELD_OF_MEN for word in words)
    if field and _LABELLED.search(text, max(0, span.start - _LONGEST_LABEL), span.start) is None:
        return None
    declared = len(words) > 1

    def other(word: str, end: int) -> str:
        counterpart = _OTHERS.get(word)
        if counterpart is not None:
            return counterpart
        if declared:
            return "her" if word == "his" and "him" not in words else _DECLARED[word]
        noun = noun_follows(text, end)
        return ("his" if noun else "him") if word == "her" else ("her" if noun else "hers")

    swapped = _WORD.sub(
        lambda match: _cased(match.group(), other(match.group().lower(), span.start + match.end())), written
    )
    if genders == {"female"}:
        return own_name.GenderSlot(own=written, female=written, male=swapped)
    return own_name.GenderSlot(own=written, female=swapped, male=written)


def gender_of_slots(slots: Sequence[own_name.GenderSlot]) -> str | None:
    """Return the gender of a person by the pronouns that are declared, or else by most pronouns and titles.

    >>> she = own_name.GenderSlot(own="She", female="She", male="He")
    >>> he = own_name.GenderSlot(own="he", female="she", male="he")
    >>> gender_of_slots([she, she, he]), gender_of_slots([she, he])
    ('female', None)
    """
    for chosen in ([slot for slot in slots if len(_WORD.findall(slot.own)) > 1], slots):
        counts = Counter(slot.gender for slot in chosen).most_common()
        if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]):
            return counts[0][0]
    return None


def _cased(word: str, instead: str) -> str:
    if len(word) > 1 and word.isupper():
        return instead.upper()
    return instead.capitalize() if word[0].isupper() else instead


Parts = tuple[str | own_name.Slot, ...]

NO_NAME = "no name was found"
NAME_REMAINS = "a word of the name stands elsewhere, too"
NAME_IN_PART = "only a part of the name was found"
NAME_IN_FILE = "a hidden part of the file holds the name, too"
NOT_IN_PLACE = "its Word file can't be shown under another name"
_TRIAL = own_name.FullName("Ana", "de la Cruz")
_SLOTS = lazy_re(r"\{(name|email)\}")
_HOLE = "\n\x00\n"
_FULL: Parts = (own_name.NameSlot(own="{name}", part="full"),)
_EMAIL: Parts = (
    own_name.NameSlot(own="", part="first", case="lower", plain=True, bare=True, joint=""),
    own_name.Fixed(own="", instead="."),
    own_name.NameSlot(own="", part="last", case="lower", plain=True, bare=True, joint=""),
    own_name.Fixed(own="{email}", instead="@example.org"),
)


_NO_LINES: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True)
class Template:
    """A résumé with slots; parts are plain text and slots in the order of the text.

    `name` is the person's own, None where the text came with slots and no name is known; `gender` the one of a column
    or of pronouns. `file_parts` are those of the file's name, `elsewhere` those of other strings of a Word file that
    show the name; `source` is the document.
    """

    id: str
    parts: Parts = field(repr=False)
    name: own_name.FullName | None = field(default=None, repr=False)
    gender: str | None = None
    protected: Mapping[str, str] = field(default_factory=dict)
    file_parts: Parts = field(default=(), repr=False)
    elsewhere: Mapping[str, Parts] = field(default_factory=dict, repr=False)
    source: Path | None = field(default=None, repr=False)

    @property
    def original(self) -> str:
        """The résumé as it was."""
        return _original(self.parts)

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        """The dates of the résumé."""
        return dates_of(self.original)

    def edited(self, edits: Iterable[Edit]) -> "Template":
        """Return a template with stretches of `original` replaced; those that reach into a name or address stay."""
        ordered, original = sorted(edits), self.original
        parts: list[str | own_name.Slot] = []
        done = at = 0
        for part in self.parts:
            start, at = at, at + len(part if isinstance(part, str) else part.own)
            kept = isinstance(part, own_name.GenderSlot) and any(edit[0] < at and start < edit[1] for edit in ordered)
            if not isinstance(part, str) and not kept:
                parts += [_replaced(original, done, start, ordered), part]
                done = at
        return replace(self, parts=tuple(own_name.joined([*parts, _replaced(original, done, at, ordered)])))

    def lined(self, kind: str, line: str) -> "Template":
        """Return a template with a line in the place of its kind, before other lines that come there."""
        parts: list[str | own_name.Slot] = []
        for part in self.parts:
            if isinstance(part, own_name.LineSlot) and part.kind == kind:
                parts += [part.before + line, replace(part, before="\n")]
            else:
                parts.append(part)
        return replace(self, parts=tuple(own_name.joined(parts)))

    @cached_property
    def shows_gender(self) -> bool:
        """Whether there are pronouns or titles of the person."""
        return any(isinstance(part, own_name.GenderSlot) for part in self.parts)

    @cached_property
    def _layout(
        self,
    ) -> tuple[list[str], list[tuple[own_name.NameSlot, list[int]]], list[tuple[int, own_name.OtherSlot]]]:
        """Return the texts between slots, the places of each form of the name, and the other slots."""
        texts = [part if isinstance(part, str) else "" for part in self.parts]
        forms: dict[own_name.NameSlot, list[int]] = {}
        others: list[tuple[int, own_name.OtherSlot]] = []
        for place, part in enumerate(self.parts):
            if isinstance(part, own_name.NameSlot):
                forms.setdefault(part._replace(own=""), []).append(place)
            elif not isinstance(part, str):
                others.append((place, part))
        return texts, list(forms.items()), others

    def filled(
        self, name: own_name.FullName, *, gender: str | None = None, lines: Mapping[str, str] = _NO_LINES
    ) -> str:
        """Return the résumé under a name; under a given name alone the person's own last name stays.

        Pronouns and titles are those of a gender, `female` or `male`; None leaves them as they were. `lines` are those
        that are added, by the kind of their slot.
        """
        texts, forms, others = self._layout
        pieces = texts.copy()
        name = self.worn(name)
        for form, places in forms:
            text = own_name.written(form, name)
            for place in places:
                pieces[place] = text
        for place, slot in others:
            pieces[place] = slot.filled(name, gender, lines)
        return "".join(pieces)

    def worn(self, name: own_name.FullName) -> own_name.FullName:
        """Return a name as the person has it: a given name alone goes before the person's own last name."""
        return name if name.last or self.name is None else name._replace(last=self.name.last)

    def file_name(self, name: own_name.FullName) -> str | None:
        """Return the file's name under a name, None where there is no file."""
        if not self.file_parts:
            return None
        return _filled(self.file_parts, self.worn(name))

    def filled_elsewhere(self, name: own_name.FullName, *, gender: str | None = None) -> dict[str, str]:
        """Return the other strings of a Word file under a name."""
        name = self.worn(name)
        return {text: _filled(parts, name, gender) for text, parts in self.elsewhere.items()}


def _filled(parts: Parts, name: own_name.FullName, gender: str | None = None) -> str:
    return "".join(
        part
        if isinstance(part, str)
        else own_name.written(part, name)
        if isinstance(part, own_name.NameSlot)
        else part.filled(name, gender, _NO_LINES)
        for part in parts
    )


def _replaced(text: str, start: int, end: int, edits: Iterable[Edit]) -> str:
    """Return a stretch with the edits that lie in it; what is only added comes after something of it."""
    pieces, begin = [], start
    for first, last, instead in edits:
        if start <= first and last <= end and begin < last:
            pieces += [text[start:first], instead]
            start = last
    return "".join([*pieces, text[start:end]])


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A person without a template, and the reason."""

    id: str
    reason: str
    protected: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Templates:
    """The templates of people, and the people left out."""

    templates: tuple[Template, ...]
    left_out: tuple[LeftOut, ...] = ()

    def counts(self, by: Sequence[str] = ()) -> Counter[tuple[str | None, ...]]:
        """Return how many people were left out by reason and protected attributes; None is an unknown one."""
        return Counter((person.reason, *(person.protected.get(name) for name in by)) for person in self.left_out)


def templates_of(people: Iterable[Person]) -> Templates:
    """Return the templates of people's résumés, and those left out with the reason."""
    templates = [template_of(person) for person in people]
    return Templates(
        templates=tuple(template for template in templates if isinstance(template, Template)),
        left_out=tuple(template for template in templates if isinstance(template, LeftOut)),
    )


def template_of(person: Person) -> Template | LeftOut:
    r"""Return a person's template, or why there is none.

    >>> made = template_of(Person(id="1", text="JANE DOE\njane.doe@example.org\n\nMs. Doe led her team."))
    >>> print(made.filled(own_name.FullName("Lakisha", "Banks"), gender="female"))
    LAKISHA BANKS
    lakisha.banks@example.org
    <BLANKLINE>
    Ms. Banks led her team.
    >>> print(made.filled(own_name.FullName("Todd", "Baker"), gender="male")[-19:])
    Baker led his team.
    """
    document = None if person.source is None else word_of(person.source)
    body = None if document is None else document.body
    if _SLOTS.search(person.text) is not None:
        known_name = own_name.full_name(person.known_names[0]) if person.known_names else None
        return Template(
            id=person.id,
            parts=_with_lines(_with_slots(person.text), body),
            name=known_name,
            protected=person.protected,
            source=person.source,
        )
    text = person.text
    read_as = without_markup(text).text if has_markup(text) else text
    masked = identified(
        text,
        read_as=read_as,
        known_names=person.known_names,
        file_name=person.file_name,
        metadata=person.metadata,
    )
    mentions = [text[span.start : span.end] for span in masked.spans if span.category == "NAME"]
    known = masked.names.given
    person_name = own_name.own_name(masked.names.person, [capitalised(name) for name in known], mentions)
    if person_name is None:
        return LeftOut(id=person.id, reason=NO_NAME, protected=person.protected)
    others = frozenset(token for name in masked.names.others for token in name.tokens)
    parts = _parts(text, masked.spans, person_name, others)
    shown_gender = gender_of_slots([part for part in parts if isinstance(part, own_name.GenderSlot)])
    gender = gender_of(person.protected) or shown_gender
    parts = _of_one_gender(parts, gender)
    reason = _unusable(parts, person_name, known=known, marked_up=read_as != text)
    elsewhere: dict[str, Parts] = {}
    if document is not None and reason is None:
        for string in document.elsewhere:
            (found,) = mask_segments([string], masked.names)
            slots = _of_one_gender(_parts(string, found.spans, person_name, others), gender)
            if any(not isinstance(part, str) for part in slots):
                elsewhere[string] = tuple(slots)
        joined = [part for string in document.hidden for part in elsewhere.get(string, (string,))]  # as in hidden runs
        rest = [joined, *(elsewhere.get(string, (string,)) for string in document.elsewhere)]
        if any(_remains(slots, person_name, known=known, marked_up=False) for slots in rest):
            reason = NAME_IN_FILE
    if reason is not None:
        return LeftOut(id=person.id, reason=reason, protected=person.protected)
    file_parts = own_name.file_name_parts(person.file_name, person_name) if person.file_name is not None else ()
    template = Template(
        id=person.id,
        parts=_with_lines(parts, body),
        name=person_name.name,
        gender=gender,
        protected=person.protected,
        file_parts=tuple(file_parts),
        elsewhere=elsewhere,
        source=person.source,
    )
    if document is not None and not _can_be_written(template, document):
        return LeftOut(id=person.id, reason=NOT_IN_PLACE, protected=person.protected)
    return template


def _can_be_written(template: Template, document: "WordInPlace") -> bool:
    """Say whether a Word file shows what an arm does, with a name of several words and lines added."""
    text = template.filled(_TRIAL, gender="male", lines={"pronouns": "Pronouns: he/him", "affinity": "Member"})
    try:
        document.written(text, template.filled_elsewhere(_TRIAL, gender="male"))
    except InputError:
        return False
    return True


def _with_slots(text: str) -> list[str | own_name.Slot]:
    """Return the parts of a text that came with slots `{name}` and `{email}`."""
    parts: list[str | own_name.Slot] = []
    done = 0
    for match in _SLOTS.finditer(text):
        filled = _FULL if match.group(1) == "name" else _EMAIL
        parts += [text[done : match.start()], *filled]
        done = match.end()
    return own_name.joined([*parts, text[done:]])


def _parts(
    text: str, spans: Sequence[Span], own: own_name.OwnName, others: frozenset[str]
) -> list[str | own_name.Slot]:
    """Return a text as parts, its names, addresses, pronouns and titles as slots."""
    parts: list[str | own_name.Slot] = []
    done = 0
    for place, span in enumerate(spans):
        end = span.end
        if span.category == "NAME" and text.count("(", span.start, end) > text.count(")", span.start, end):
            end += text.startswith(")", end)  # of a bracket that opens in the name
        stretch = text[span.start : end]
        pieces: list[str | own_name.Slot]
        if span.category == "NAME":
            pieces = _name_parts(stretch, own)
        elif span.category in {"EMAIL", "URL"}:
            pieces = own_name.address_parts(stretch, own, email=span.category == "EMAIL", others=others)
        elif span.category == "GENDER":
            slot = gender_slot(text, span, named=_names_follow(text, spans, place, own))
            pieces = [slot or stretch]
        else:
            continue
        parts += [text[done : span.start], *pieces]
        done = end
    return _with_genitives(own_name.joined([*parts, text[done:]]))


#: Where a line's end breaks a name.
_BREAK = lazy_re(r"(?<=[^\W\d_])-\n[ \t]*(?=[^\W\d_A-Z])")


def _name_parts(text: str, own: own_name.OwnName) -> list[str | own_name.Slot]:
    """Return the parts of a name; the original text of each is as it was, with the line's end that breaks it."""
    if "-\n" not in text:
        return own_name.name_parts(text, own)
    view = seen(text, _BREAK)
    parts, end = [], 0
    for part in own_name.name_parts(view.text, own):
        start, end = end, end + len(part if isinstance(part, str) else part.own)
        original = text[view.starts[start] : view.ends[end - 1]]
        parts.append(part._replace(own=original) if isinstance(part, own_name.NameSlot) else part)
    return parts


def _names_follow(text: str, spans: Sequence[Span], place: int, own: own_name.OwnName) -> bool:
    """Say whether the person's name follows a title."""
    following = spans[place + 1] if place + 1 < len(spans) else None
    if following is None or following.category != "NAME" or text[spans[place].end : following.start].strip(". \n"):
        return False
    return isinstance(own_name.name_parts(text[following.start : following.end], own)[0], own_name.NameSlot)


def _with_genitives(slots: Iterable[str | own_name.Slot]) -> list[str | own_name.Slot]:
    """Return parts in which the lone apostrophe after a name in -s belongs to the slot: `James' team`."""
    parts: list[str | own_name.Slot] = []
    for part in slots:
        last = parts[-1] if parts else None
        if (
            isinstance(part, str)
            and isinstance(last, own_name.NameSlot)
            and last.own[-1:].lower() == "s"
            and not last.initial
        ):
            sign = part[:1]
            quoted = len(parts) > 1 and isinstance(parts[-2], str) and parts[-2].endswith(_QUOTES)
            if sign in _APOSTROPHES and not part[1:2].isalnum() and not quoted:
                parts[-1] = last._replace(own=last.own + sign, apostrophe=sign)
                part = part[1:]  # noqa: PLW2901 - the text after the apostrophe
        if part:
            parts.append(part)
    return parts


_APOSTROPHES = frozenset({"'", "\u2019"})
_QUOTES = ("'", "\u2018")


def _of_one_gender(parts: list[str | own_name.Slot], gender: str | None) -> list[str | own_name.Slot]:
    """Return parts in which pronouns and titles of another gender, which are of other people, are plain text."""
    return own_name.joined(
        part.own if isinstance(part, own_name.GenderSlot) and part.gender != gender else part for part in parts
    )


def _unusable(
    parts: Sequence[str | own_name.Slot], own: own_name.OwnName, *, known: Sequence[str], marked_up: bool
) -> str | None:
    """Return why parts make no template, None where they do."""
    if not any(isinstance(part, own_name.NameSlot) for part in parts):
        return NO_NAME
    if not known and (len(own.name.first) < _SHORTEST or not own.name.last):
        return NAME_IN_PART
    for before, after in pairwise(parts):
        half = None
        if isinstance(before, str) and isinstance(after, own_name.NameSlot):
            half = _LEFT_HALF.search(before) if before.endswith("-") else None
        elif isinstance(before, own_name.NameSlot) and isinstance(after, str):
            half = _RIGHT_HALF.match(after)
        if half is not None and half[1].lower() not in OWN_NAME_WORDS.generic:
            return NAME_IN_PART
    return NAME_REMAINS if _remains(parts, own, known=known, marked_up=marked_up) else None


_SHORTEST = 2
#: The other half of a double name: `Anne-` before Marie.
_LEFT_HALF, _RIGHT_HALF = lazy_re(r"(?<![^\W_])([A-Z][^\W\d_]+)-$"), lazy_re(r"-([A-Z][^\W\d_]+)")


def _remains(
    parts: Sequence[str | own_name.Slot], own: own_name.OwnName, *, known: Sequence[str], marked_up: bool
) -> bool:
    """Say whether a word of the name remains in the text between slots, by itself, joined, or within a word.

    Words that are ordinary ones as well may remain in small letters, and of a name that was given wherever masking
    leaves them: otherwise nobody called An Do could write `I do an audit`.
    """
    rest = "".join(part if isinstance(part, str) else _filler(part) for part in parts)
    for view in (rest, without_markup(rest).text) if marked_up else (rest,):
        folded = folded_text(view)
        if next(given_places(folded, known), None) is not None:
            return True
        for token in own.tokens:
            if kind_of_token(token) not in {None, "short"}:  # masking judged it by its place
                if any(folded.text[place].isupper() and not known for place in name_places(folded.low, token)):
                    return True
            elif token in folded.low and (
                len(token) >= _SHORTEST_INSIDE or next(name_places(folded.low, token), None) is not None
            ):
                return True
    return False


#: The shortest word of the name that is found within other words, too: `okaforgmailcom`.
_SHORTEST_INSIDE = 6


def _filler(slot: own_name.Slot) -> str:
    return (
        slot.instead
        if isinstance(slot, own_name.Fixed)
        else slot.own
        if isinstance(slot, own_name.GenderSlot)
        else _HOLE
    )


def _original(parts: Sequence[str | own_name.Slot]) -> str:
    return "".join(part if isinstance(part, str) else part.own for part in parts)


def _divided(
    parts: Sequence[str | own_name.Slot], place: int
) -> tuple[list[str | own_name.Slot], list[str | own_name.Slot]]:
    """Return the parts before a place of the text, and those behind it."""
    before: list[str | own_name.Slot] = []
    behind: list[str | own_name.Slot] = []
    for part in parts:
        if isinstance(part, str):
            before.append(part[: max(place, 0)])
            behind.append(part[max(place, 0) :])
        else:
            (before if place > 0 else behind).append(part)
        place -= len(_original([part]))
    return own_name.joined(before), own_name.joined(behind)


def _divides_name(around: Sequence[str | own_name.Slot]) -> bool:
    """Say whether a line's end stands between the first and the last name."""
    names = [part for part in around if isinstance(part, own_name.NameSlot) and not part.bare]
    return around[1:2] == ["\n"] and [name.part for name in names] == ["first", "last"]


def _with_lines(parts: Sequence[str | own_name.Slot], body: int | None) -> Parts:
    """Return parts with places for a line below the name and for one at the end of the body, of so many letters."""
    lines, headers = _divided(parts, len(_original(parts)) if body is None else body)
    end = lines.pop() if lines and isinstance(lines[-1], str) else ""
    assert isinstance(end, str)
    text = end.rstrip()
    lines += [text, own_name.LineSlot(kind="affinity", before="\n\n"), end[len(text) :], *headers, ""]
    first = next(place for place, part in enumerate(lines) if isinstance(part, own_name.NameSlot))
    for place in range(first + 1, len(lines)):
        part = lines[place]
        if isinstance(part, str) and "\n" in part and not _divides_name(lines[place - 1 : place + 2]):
            at = part.index("\n")
            lines[place : place + 1] = [part[:at], own_name.LineSlot(kind="pronouns", before="\n"), part[at:]]
            break
    else:
        lines.insert(-1, own_name.LineSlot(kind="pronouns", before="\n\n"))
    return tuple(own_name.joined(lines))
