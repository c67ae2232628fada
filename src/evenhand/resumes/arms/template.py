"""Templates: a résumé with slots where its person's name, addresses, pronouns and titles stood."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from evenhand.lexicons.known_names import name_places
from evenhand.patterns import lazy_re
from evenhand.resumes.arms.gender import gender_of, gender_slot, told_gender
from evenhand.resumes.arms.own_name import OwnName, own_name
from evenhand.resumes.arms.resolving import address_parts, file_name_parts, joined, name_parts
from evenhand.resumes.arms.slots import Fixed, FullName, GenderSlot, LineSlot, NameSlot, OtherSlot, Slot, written
from evenhand.resumes.documents.views import has_markup, without_markup
from evenhand.resumes.mask import identified
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS
from evenhand.resumes.people.person import Person
from evenhand.resumes.spans import Span
from evenhand.resumes.text.folded_text import lowered

__all__ = ["NAME_IN_PART", "NAME_REMAINS", "NO_NAME", "LeftOut", "Template", "Templates", "template_of", "templates_of"]

Parts = tuple[str | Slot, ...]

NO_NAME = "no name was found"
NAME_REMAINS = "a word of the name stands elsewhere, too"
NAME_IN_PART = "only a part of the name was found"
_SLOTS = lazy_re(r"\{(name|email)\}")
_HOLE = "\n\x00\n"
_FULL: Parts = (NameSlot(own="", part="full"),)
_EMAIL: Parts = (
    NameSlot(own="", part="first", case="lower", plain=True, bare=True, joint=""),
    ".",
    NameSlot(own="", part="last", case="lower", plain=True, bare=True, joint=""),
    "@example.org",
)


_NO_LINES: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True)
class Template:
    """A résumé with slots; parts are plain text and slots in the order of the text.

    `name` is the person's own, None where the text came with slots; `gender` the one that a column or pronouns tell.
    `file_parts` are those of the file's name.
    """

    id: str
    parts: Parts = field(repr=False)
    name: FullName | None = field(default=None, repr=False)
    gender: str | None = None
    protected: Mapping[str, str] = field(default_factory=dict)
    file_parts: Parts = field(default=(), repr=False)

    @property
    def original(self) -> str:
        """The résumé as it was; slots that the text came with are empty."""
        return "".join(part if isinstance(part, str) else part.own for part in self.parts)

    @cached_property
    def shows_gender(self) -> bool:
        """Whether pronouns or titles of the person stand in it."""
        return any(isinstance(part, GenderSlot) for part in self.parts)

    @cached_property
    def _layout(
        self,
    ) -> tuple[list[str], list[tuple[NameSlot, list[int]]], list[tuple[int, OtherSlot]]]:
        """Return the texts between slots, where each form of the name stands, and the other slots."""
        texts = [part if isinstance(part, str) else "" for part in self.parts]
        forms: dict[NameSlot, list[int]] = {}
        others: list[tuple[int, OtherSlot]] = []
        for place, part in enumerate(self.parts):
            if isinstance(part, NameSlot):
                forms.setdefault(part._replace(own=""), []).append(place)
            elif not isinstance(part, str):
                others.append((place, part))
        return texts, list(forms.items()), others

    def filled(self, name: FullName, *, gender: str | None = None, lines: Mapping[str, str] = _NO_LINES) -> str:
        """Return the résumé under a name.

        Pronouns and titles are those of a gender, `female` or `male`; None leaves them as they were. `lines` are those
        that are added, by the kind of their slot.
        """
        texts, forms, others = self._layout
        pieces = texts.copy()
        for form, places in forms:
            shown = written(form, name)
            for place in places:
                pieces[place] = shown
        for place, slot in others:
            pieces[place] = slot.filled(name, gender, lines)
        return "".join(pieces)

    def file_name(self, name: FullName) -> str | None:
        """Return the file's name under a name, None where there is no file."""
        if not self.file_parts:
            return None
        return "".join(
            part
            if isinstance(part, str)
            else written(part, name)
            if isinstance(part, NameSlot)
            else part.filled(name, None, _NO_LINES)
            for part in self.file_parts
        )


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A person of whose résumé no template was made, and why."""

    id: str
    reason: str
    protected: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Templates:
    """The templates of people, and who was left out."""

    templates: tuple[Template, ...]
    left_out: tuple[LeftOut, ...] = ()

    def counts(self, by: Sequence[str] = ()) -> Counter[tuple[str | None, ...]]:
        """Return how many people were left out by reason and protected attributes; None is an unknown one."""
        return Counter((each.reason, *(each.protected.get(name) for name in by)) for each in self.left_out)


def templates_of(people: Iterable[Person]) -> Templates:
    """Return the templates of people's résumés; who has none is told with the reason."""
    made = [template_of(person) for person in people]
    return Templates(
        templates=tuple(each for each in made if isinstance(each, Template)),
        left_out=tuple(each for each in made if isinstance(each, LeftOut)),
    )


def template_of(person: Person) -> Template | LeftOut:
    r"""Return a person's template, or why there is none.

    >>> made = template_of(Person(id="1", text="JANE DOE\njane.doe@example.org\n\nMs. Doe led her team."))
    >>> print(made.filled(FullName("Lakisha", "Banks"), gender="female"))
    LAKISHA BANKS
    lakisha.banks@example.org
    <BLANKLINE>
    Ms. Banks led her team.
    >>> print(made.filled(FullName("Todd", "Baker"), gender="male")[-19:])
    Baker led his team.
    """
    if _SLOTS.search(person.text) is not None:
        return Template(id=person.id, parts=_with_lines(_with_slots(person.text)), protected=person.protected)
    text = person.text
    read_as = without_markup(text).text if has_markup(text) else text
    found = identified(
        text,
        read_as=read_as,
        known_names=person.known_names,
        file_name=person.file_name,
        metadata=person.metadata,
    )
    standing = [text[span.start : span.end] for span in found.spans if span.category == "NAME"]
    own = own_name(found.names.person, person.known_names, standing)
    if own is None:
        return LeftOut(id=person.id, reason=NO_NAME, protected=person.protected)
    others = frozenset(token for name in found.names.others for token in name.tokens)
    parts = _parts(text, found.spans, own, others)
    told = told_gender([part for part in parts if isinstance(part, GenderSlot)])
    gender = gender_of(person.protected) or told
    parts = _of_one_gender(parts, gender)
    reason = _unusable(parts, own, known=bool(person.known_names), marked_up=read_as != text)
    if reason is not None:
        return LeftOut(id=person.id, reason=reason, protected=person.protected)
    file_parts = file_name_parts(person.file_name, own) if person.file_name is not None else ()
    return Template(
        id=person.id,
        parts=_with_lines(parts),
        name=own.name,
        gender=gender,
        protected=person.protected,
        file_parts=tuple(file_parts),
    )


def _with_slots(text: str) -> list[str | Slot]:
    """Return the parts of a text that came with slots `{name}` and `{email}`."""
    parts: list[str | Slot] = []
    done = 0
    for match in _SLOTS.finditer(text):
        filled = _FULL if match.group(1) == "name" else _EMAIL
        parts += [text[done : match.start()], *filled]
        done = match.end()
    return joined([*parts, text[done:]])


def _parts(text: str, spans: Sequence[Span], own: OwnName, others: frozenset[str]) -> list[str | Slot]:
    """Return a text as parts, its names, addresses, pronouns and titles as slots."""
    parts: list[str | Slot] = []
    done = 0
    for place, span in enumerate(spans):
        end = span.end
        if span.category == "NAME" and text.count("(", span.start, end) > text.count(")", span.start, end):
            end += text.startswith(")", end)  # of a bracket that opens in the name
        stretch = text[span.start : end]
        found: list[str | Slot]
        if span.category == "NAME":
            found = name_parts(stretch, own)
        elif span.category in {"EMAIL", "URL"}:
            found = address_parts(stretch, own, email=span.category == "EMAIL", others=others)
        elif span.category == "GENDER":
            slot = gender_slot(text, span, named=_names_follow(text, spans, place, own))
            found = [slot or stretch]
        else:
            continue
        parts += [text[done : span.start], *found]
        done = end
    return _with_genitives(joined([*parts, text[done:]]))


def _names_follow(text: str, spans: Sequence[Span], place: int, own: OwnName) -> bool:
    """Say whether the person's name follows a title."""
    following = spans[place + 1] if place + 1 < len(spans) else None
    if following is None or following.category != "NAME" or text[spans[place].end : following.start].strip(". \n"):
        return False
    return isinstance(name_parts(text[following.start : following.end], own)[0], NameSlot)


def _with_genitives(given: Iterable[str | Slot]) -> list[str | Slot]:
    """Return parts in which the lone apostrophe behind a name in -s belongs to the slot: `James' team`."""
    parts: list[str | Slot] = []
    for part in given:
        last = parts[-1] if parts else None
        if isinstance(part, str) and isinstance(last, NameSlot) and last.own[-1:].lower() == "s" and not last.initial:
            sign = part[:1]
            quoted = len(parts) > 1 and isinstance(parts[-2], str) and parts[-2].endswith(_QUOTES)
            if sign in _APOSTROPHES and not part[1:2].isalnum() and not quoted:
                parts[-1] = last._replace(own=last.own + sign, apostrophe=sign)
                part = part[1:]  # noqa: PLW2901 - what is left of it
        if part:
            parts.append(part)
    return parts


_APOSTROPHES = frozenset({"'", "\u2019"})
_QUOTES = ("'", "\u2018")


def _of_one_gender(parts: list[str | Slot], own: str | None) -> list[str | Slot]:
    """Return parts in which pronouns and titles of another gender, which are somebody else's, are plain text."""
    return joined(part.own if isinstance(part, GenderSlot) and part.gender != own else part for part in parts)


def _unusable(parts: Sequence[str | Slot], own: OwnName, *, known: bool, marked_up: bool) -> str | None:
    """Return why parts make no template, None where they do."""
    if not any(isinstance(part, NameSlot) for part in parts):
        return NO_NAME
    if not known and (len(own.name.first) < _SHORTEST or not own.name.last):
        return NAME_IN_PART
    for before, after in pairwise(parts):
        half = None
        if isinstance(before, str) and isinstance(after, NameSlot):
            half = _LEFT_HALF.search(before) if before.endswith("-") else None
        elif isinstance(before, NameSlot) and isinstance(after, str):
            half = _RIGHT_HALF.match(after)
        if half is not None and half[1].lower() not in OWN_NAME_WORDS.generic:
            return NAME_IN_PART
    return NAME_REMAINS if _remains(parts, own, marked_up=marked_up) else None


_SHORTEST = 2
#: The other half of a double name: `Anne-` before Marie.
_LEFT_HALF, _RIGHT_HALF = lazy_re(r"(?<![^\W_])([A-Z][^\W\d_]+)-$"), lazy_re(r"-([A-Z][^\W\d_]+)")


def _remains(parts: Sequence[str | Slot], own: OwnName, *, marked_up: bool) -> bool:
    """Say whether a word of the name still stands in the text between slots, by itself, joined, or within a word."""
    rest = "".join(part if isinstance(part, str) else _filler(part) for part in parts)
    views = (rest, without_markup(rest).text) if marked_up else (rest,)
    lows = [lowered(view) for view in views]
    return any(
        token in low and (len(token) >= _SHORTEST_INSIDE or next(name_places(low, token), None) is not None)
        for low in lows
        for token in own.tokens
    )


#: From so many letters a word of the name is found within others, too: `okaforgmailcom`.
_SHORTEST_INSIDE = 6


def _filler(slot: Slot) -> str:
    return slot.instead if isinstance(slot, Fixed) else slot.own if isinstance(slot, GenderSlot) else _HOLE


def _with_lines(parts: Sequence[str | Slot]) -> Parts:
    """Return parts with places for a line below the name and for one at the end."""
    first = next(place for place, part in enumerate(parts) if isinstance(part, NameSlot))
    found = list(parts)
    end = found.pop() if isinstance(found[-1], str) else ""
    assert isinstance(end, str)
    body = end.rstrip()
    found += [body, LineSlot(kind="affinity", before="\n\n"), end[len(body) :]]
    for place in range(first + 1, len(found)):
        part = found[place]
        if isinstance(part, str) and "\n" in part:
            at = part.index("\n")
            found[place : place + 1] = [part[:at], LineSlot(kind="pronouns", before="\n"), part[at:]]
            break
    else:
        found.insert(-1, LineSlot(kind="pronouns", before="\n\n"))
    return tuple(joined(found))
