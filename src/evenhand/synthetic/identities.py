"""Identities that résumés show by other means than names: a table of texts, and edits of dates and pronouns.

An identity has levels, each compared with a neutral text of the same kind, and a second neutral text for the placebo.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

from evenhand.masking.pronouns import Span, neutral
from evenhand.patterns import lazy_re
from evenhand.synthetic import dates
from evenhand.synthetic.own_name import GenderSlot, Slot
from evenhand.synthetic.templates import Template

EXPLICIT = "explicit"


class Shown(NamedTuple):
    """What a text shows: an identity and its level; `other`: the second text of that level, for the placebo."""

    identity: str
    level: str
    other: bool = False

    @property
    def label(self) -> str:
        """What is shown, in words."""
        return f"{self.identity} {known_identities()[self.identity].placebo if self.other else self.level}"


@dataclass(frozen=True, kw_only=True)
class Identity:
    """An entry of identities.toml, where the fields are explained."""

    name: str
    edit: Literal["line", "dates", "experience", "gap", "pronouns"]
    reference: str
    levels: Mapping[str, str]
    placebo: str
    shows: str
    limits: str
    neutral: tuple[str, ...] = ("", "")
    frames: tuple[str, ...] = ()
    years: int = 0
    said: Mapping[str, str] | None = None

    @property
    def all_levels(self) -> tuple[str, ...]:
        """The levels, the reference first."""
        return (self.reference, *self.levels)

    def lacks(self, template: Template) -> str | None:
        """Return why a résumé can't show the identity, None where it can."""
        if self.edit in {"dates", "experience"} and not dates.movable(template.dates, whole=self.edit == "dates"):
            return f"it has no date to move, as {self.name} needs"
        if self.edit == "gap" and dates.with_break(template.dates, self.years) is None:
            return f"it has no last job with years, or time off before it already, as {self.name} can't have"
        return None

    def applied(self, template: Template, shown: Shown, number: int, *, until: int) -> Template:
        """Return a résumé that shows a level in its `number`-th text; `until` is the year of open ends."""
        if self.edit == "pronouns":
            return _with_pronouns(template, shown.level, self._word(shown))
        if self.edit == "line":
            place = "pronouns" if self.name == EXPLICIT else "affinity"
            return template.lined(place, self._line(shown, number))
        years = 0 if shown.level == self.reference else -self.years
        if shown.other:
            years = 1 if number % 2 else -1
        if self.edit == "dates":
            return template.edited(dates.moved(template.original, template.dates, years, until=until))
        if self.edit == "experience":
            return template.edited(dates.lengthened(template.dates, years)) if years else template
        broken = dates.with_break(template.dates, self.years)
        if broken is None or not self._word(shown):
            return template
        edits, (start, end) = broken
        line = self._line(shown, number).format(start=start, end=end)
        return template.edited(edits).lined("affinity", line)

    def _word(self, shown: Shown) -> str:
        if self.name == EXPLICIT:
            return shown.level
        return self.neutral[shown.other] if shown.level == self.reference else self.levels[shown.level]

    def _line(self, shown: Shown, number: int) -> str:
        other = shown.other and self.name == EXPLICIT
        return self.frames[(number + other) % len(self.frames)].replace("{}", self._word(shown))


@cache
def known_identities() -> Mapping[str, Identity]:
    """Return the identities by name."""
    text = (resources.files("evenhand.synthetic") / "identities.toml").read_text(encoding="utf-8")
    return {
        name: Identity(
            name=name,
            neutral=tuple(entry.pop("neutral", ("", ""))),
            frames=tuple(entry.pop("frames", ())),
            **entry,
        )
        for name, entry in tomllib.loads(text).items()
    }


_NOUNS = {"female": "woman", "male": "man"}
_RACES = {"asian": "Asian", "black": "Black", "hispanic": "Hispanic", "white": "White"}


def description(group: Mapping[str, str]) -> str | None:
    """Return a person of a group in words, None where a value has none.

    >>> description({"gender": "female", "race": "black", "age": "older"}), description({"race": "asian"})
    ('a 54-year-old Black woman', 'an Asian person')
    """
    noun, words = "person", []
    for attribute, value in sorted(group.items(), key=lambda item: item[0] != "age"):
        known: Mapping[str, str] = {"gender": _NOUNS, "race": _RACES}.get(attribute, {})
        if attribute in known_identities():
            known = known_identities()[attribute].said or {}
        if value not in known:
            return None
        if attribute == "gender":
            noun = known[value]
        elif known[value]:
            words.append(known[value])
    text = " ".join([*words, noun])
    return f"{'an' if text[0] in 'AEIOaeio' else 'a'} {text}"


_WORDS = lazy_re(r"[A-Za-z]+")
_GENDERS = {"she": "female", "he": "male"}


def _with_pronouns(template: Template, level: str, stated: str) -> Template:
    """Return a résumé with pronouns and titles of a level, which a line states unless the text states them."""
    gender = _GENDERS.get(level)
    parts: list[str | Slot] = []
    declared = False
    for part in template.parts:
        states = isinstance(part, GenderSlot) and len(_WORDS.findall(part.own)) > 1
        declared |= states
        if not isinstance(part, GenderSlot) or (gender is None and not states):
            parts.append(part)
        else:
            parts.append(stated if states else part.female if gender == "female" else part.male)
    changed = replace(template, parts=tuple(parts))
    if gender is None:
        changed = changed.edited(_neutral_edits(changed))
    return changed if declared else changed.lined("pronouns", f"Pronouns: {stated}")


def _neutral_edits(template: Template) -> Iterator[dates.Edit]:
    """Yield the edits that write they, with its verbs, and Mx for titles."""
    spans, at = [], 0
    for part in template.parts:
        end = at + len(part if isinstance(part, str) else part.own)
        if isinstance(part, GenderSlot):
            spans.append(Span(at, end, "GENDER", "pronoun", 1.0))
        at = end
    text = template.original
    rewritten = neutral(text, spans)
    for span in spans:
        own = text[span.start : span.end]
        if span.start in rewritten:
            instead = rewritten[span.start]
            yield instead.start, instead.end, instead.text
        elif own.lower().rstrip(".") not in {"he", "she", "him", "her", "his", "hers"}:
            word = "Mx" if own[:1].isupper() else "nonbinary"
            yield span.start, span.end, _WORDS.sub(word, own)
