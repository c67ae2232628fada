"""The groups that labels name: what means unknown, which labels are one group, and which codes must be explained.

The words are data, in group_labels.toml.
"""

import csv
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from evenhand.data.labels import Labels, fold, labels_of, text_of
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, quoted, shortened

_PARTS = lazy_re(r"\s+[-–—/|]+\s+|[;|()\[\]]|,\s+")
#: The mark of a footnote behind a label.
_FOOTNOTE = lazy_re(
    r"(?:\s*[\[(](?:notes? |fn ?)?\d{1,2}[\])]|\s*[*†‡§]+|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)+\s*$"
)
_EDGES = " \t.,:;!?'\"*_-–—<>#()/"
_CODE = lazy_re(r"[^\W\d_]|\d{1,2}")
_NAME = lazy_re(r"[^\W\d_]{5}")
_AGES = lazy_re(r"[<>≤≥]=? ?\d\d|\d\d ?[-–—] ?\d\d|\d\d ?\+")
_WORD = lazy_re(r".*[^\W\d_]{3}")
#: The marker of passports for people who are neither women nor men; it abbreviates no word.
_NEITHER = "x"
#: A label that programs write where nothing is known, and people for a group: those without a disability, say.
_NONE = "none"


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads(files("evenhand.data").joinpath("group_labels.toml").read_text("utf-8"))


@cache
def _unknown() -> re.Pattern[str]:
    """Return the pattern of a part that means unknown, in any language."""
    languages = []
    for words in _words()["unknown"].values():
        one_of = {key: "|".join(map(re.escape, entries)) for key, entries in words.items() if key != "refusing"}
        after = rf"[\w-]*(?: (?:(?:{one_of['said']})|(?:{one_of['after']})\b).*)?"
        languages.append(
            rf"(?:(?:{one_of['topic']}) )*(?:"
            rf"(?:{one_of['alone']})(?: (?:{one_of['topic']}))*"
            rf"|(?:{'|'.join(words['refusing'])}).*"
            rf"|(?:{one_of['not']})(?: [\w-]+){{0,2}}? (?:{one_of['said']}){after}"
            rf"|(?:{one_of['no']}) (?:\w+ )?(?:{one_of['answer']}){after})"
        )
    return re.compile("|".join(languages))


@cache
def eeo1_codes() -> dict[str, str]:
    """Return the category of each known code and name of a race, normalised."""
    text = files("evenhand.data").joinpath("eeo1_codes.csv").read_text(encoding="utf-8")
    return {fold(row["code"]): row["category"] for row in csv.DictReader(text.splitlines())}


def attribute_of(label: str) -> str | None:
    """Return the attribute of which a label surely names a group: gender, race or age.

    >>> [attribute_of(label) for label in ("Frauen", "Black", "40-49", "65+", "B", "Other", "Black women")]
    ['gender', 'race', 'age', 'age', None, None, None]
    """
    plain = plain_label(label)
    if any(plain in words for genders in _words()["words"].values() for words in genders.values()):
        return "gender"
    if _NAME.search(plain) and fold(label) in eeo1_codes():
        return "race"
    return "age" if _AGES.fullmatch(label.strip()) else None


def plain_label(label: str) -> str:
    """Return a label without accents, apostrophes and outer marks.

    >>> plain_label("Männlich."), plain_label("Don't know")
    ('mannlich', 'dont know')
    """
    letters = unicodedata.normalize("NFD", fold(label))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter) and letter not in "'\u2019")
    return " ".join(bare.split()).strip(_EDGES)


def unknown_parts(label: str) -> tuple[int, int]:
    """Return how many parts of a label mean unknown, and how many there are.

    >>> unknown_parts("Not Stated / Unknown"), unknown_parts("Other/Unknown"), unknown_parts("Not Hispanic")
    ((2, 2), (1, 2), (0, 1))
    """
    parts = [part for part in map(plain_label, _PARTS.split(label)) if part] or [""]
    known = [part for part in parts if _unknown().fullmatch(part) is None]
    halves = [half for part in known for half in map(plain_label, part.split("/")) if half]
    unknown_halves = [half for half in halves if _unknown().fullmatch(half) is not None]
    return len(parts) - len(known) + len(unknown_halves), len(parts) - len(known) + len(halves)


def is_unknown(label: str) -> bool:
    """Say whether a label means that the group is not known.

    >>> is_unknown("keine Angabe"), is_unknown("No known disability")
    (True, False)
    """
    unknown, parts = unknown_parts(label)
    return unknown == parts


def may_be_unknown(label: str) -> bool:
    """Say whether a label may mean that the group is not known, or name a group.

    >>> may_be_unknown("Other/Unknown"), may_be_unknown("None"), may_be_unknown("Other")
    (True, True, False)
    """
    return is_partly_unknown(label) or plain_label(label) == _NONE


def is_partly_unknown(label: str) -> bool:
    """Say whether a part of a label means unknown and another does not.

    >>> is_partly_unknown("Other/Unknown"), is_partly_unknown("None")
    (True, False)
    """
    unknown, parts = unknown_parts(label)
    return 0 < unknown < parts


@dataclass(frozen=True, kw_only=True)
class LabelRules:
    """What the user said of labels: further ones that mean unknown, and by column what others stand for."""

    unknown: frozenset[str] = frozenset()
    mapped: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def unknown_label(self, label: str) -> bool:
        """Say whether a label means unknown, by the user's word or by the rule."""
        return fold(label) in self.unknown or is_unknown(label)


EXPECTED_MAP = "expected COLUMN:FROM=TO,…, such as race:A=asian,B=black"


def read_maps(typed: str | Sequence[str]) -> dict[str, dict[str, str]]:
    """Return what labels stand for, by column, as `--map` says it; a part without a column is of the column before it.

    Raises
    ------
    InputError
        A part is not FROM=TO, or a label has two meanings.

    >>> read_maps("sexo:M=Mujer,H=Hombre,race:W=White")
    {'sexo': {'M': 'Mujer', 'H': 'Hombre'}, 'race': {'W': 'White'}}
    """
    maps: dict[str, dict[str, str]] = {}
    for text in [typed] if isinstance(typed, str) else typed:
        names: dict[str, str] | None = None
        for part in text.split(","):
            column, colon, pair = part.partition(":")
            before, equals, now = (piece.strip() for piece in (pair if colon else part).rpartition("="))
            if colon:
                names = maps.setdefault(column.strip(), {})
            if names is None or not equals or (colon and not column.strip()):
                raise InputError(f"{option_text('map')} is {quoted(text)}; {EXPECTED_MAP}.")
            if names.setdefault(before, now) != now:
                raise InputError(
                    f"{option_text('map')} is {quoted(text)}; it calls {quoted(before)} both {names[before]} and {now}."
                )
    return maps


def label_rules(unknown: Sequence[str] = (), mapped: Sequence[str] = ()) -> LabelRules:
    """Return the user's rules; a label that is mapped to nothing is unknown."""
    maps = {
        column: {fold(label): " ".join(target.split()) for label, target in names.items()}
        for column, names in read_maps(mapped).items()
    }
    return LabelRules(unknown=frozenset(map(fold, unknown)), mapped=maps)


def group_labels(column: str, values: Iterable[tuple[Any, int]], rules: LabelRules) -> Labels:
    """Return the group of each value of a column, each with how often it occurs.

    Raises
    ------
    InputError
        A code stands beside words and may mean one of them, or `--map` names a label that does not occur.
    """
    counted = [(value, text_of(value), n) for value, n in values]
    sizes: dict[str, int] = {}
    for _, text, n in counted:
        if text is not None:
            sizes[fold(text)] = sizes.get(fold(text), 0) + n
    mapped = rules.mapped.get(column, {})
    if absent := next((label for label in mapped if label not in sizes), None):
        raise InputError(
            f"{option_text('map', f'{column}:{absent}=…')}: no label {quoted(absent)} in the column "
            f"{quoted(column)}. Labels: {listed(sorted(filter(None, sizes)), most=8, quotes=True)}."
        )
    said = {label: fold(target) for label, target in mapped.items()}
    groups = {said.get(label, label) for label in sizes}
    unknown = {label for label in groups if rules.unknown_label(label)}
    spelled = {fold(text): " ".join(text.split()) for _, text, _ in counted if text is not None}
    marked = _with_footnotes(groups - unknown, spelled)
    own = {label for label, target in said.items() if label == target}
    same = marked | _same_groups(column, groups - unknown - marked.keys() - own, sizes, spelled)
    same = {label: same.get(group, group) for label, group in same.items()}
    called = {plain: _FOOTNOTE.sub("", spelled.get(plain, spelled[label])) for label, plain in marked.items()}
    called |= _called(same, sizes, spelled)
    labels = labels_of(
        ((value, n) for value, _, n in counted),
        frozenset(unknown),
        same={label: same.get(said.get(label, label), said.get(label, label)) for label in sizes},
        names=called | {fold(target): target for target in mapped.values()},
    )
    unsure: dict[str, int] = {}
    for value, _, n in counted:
        label = labels.of[value]
        if label is not None and may_be_unknown(label) and fold(label) not in said.values():
            unsure[label] = unsure.get(label, 0) + n
    return replace(labels, unsure=unsure)


def slice_labels(_column: str, values: Iterable[tuple[Any, int]], rules: LabelRules) -> Labels:
    """Return the label of each value of a column that is looked at one by one; only spellings are merged."""
    counted = [(value, text_of(value), n) for value, n in values]
    unknown = frozenset(fold(text) for _, text, _ in counted if text is not None and rules.unknown_label(text))
    return labels_of(((value, n) for value, _, n in counted), unknown)


def _same_groups(column: str, labels: set[str], sizes: Mapping[str, int], spelled: Mapping[str, str]) -> dict[str, str]:
    """Return the first word of the gender that each label is one of; refuse codes that may mean a word."""
    plain = {label: plain_label(label) for label in labels}
    languages = {
        (language, gender): set(words)
        for language, genders in _words()["words"].items()
        for gender, words in genders.items()
    }
    gender_of = {
        label: gender for label, word in plain.items() for (_, gender), words in languages.items() if word in words
    }
    codes = {label for label, word in plain.items() if _CODE.fullmatch(word) and word != _NEITHER}
    words = sorted(label for label, word in plain.items() if label not in codes and _WORD.match(word))
    if gender_of:
        read = _code_meanings({plain[label] for label in gender_of}, {plain[label] for label in codes}, languages)
        gender_of |= {label: read[plain[label]] for label in codes if plain[label] in read}
    if words and (unread := sorted(codes - set(gender_of), key=lambda label: -sizes.get(label, 0))):
        raise InputError(_unexplained(column, unread, words, sizes, spelled))
    by_gender: dict[str, list[str]] = {}
    for label, gender in gender_of.items():
        by_gender.setdefault(gender, []).append(label)
    return {label: min(together) for together in by_gender.values() for label in together}


def _with_footnotes(labels: set[str], spelled: Mapping[str, str]) -> dict[str, str]:
    """Return the label without the mark of a footnote, of each label that stands with and without one in a column."""
    bare = {label: fold(_FOOTNOTE.sub("", spelled.get(label, label))) for label in labels}
    marked = {label: plain for label, plain in bare.items() if plain and plain != label}
    several = [plain for plain in marked.values() if plain in labels or list(marked.values()).count(plain) > 1]
    return {label: plain for label, plain in marked.items() if plain in several}


def _called(same: Mapping[str, str], sizes: Mapping[str, int], spelled: Mapping[str, str]) -> dict[str, str]:
    """Return the most frequent word of each group that most rows call by a code of one letter."""
    by_group: dict[str, list[str]] = {}
    for label in sorted(same, key=lambda label: -sizes.get(label, 0)):
        by_group.setdefault(same[label], []).append(label)
    words = {group: [label for label in labels if len(label) > 1] for group, labels in by_group.items()}
    return {
        group: spelled.get(words[group][0], words[group][0])
        for group, labels in by_group.items()
        if len(labels[0]) == 1 and words[group]
    }


def _code_meanings(words: set[str], codes: set[str], languages: Mapping[tuple[str, str], set[str]]) -> dict[str, str]:
    """Return the gender of each code that has one meaning in the languages that most of the words are of."""
    known = {
        language: len(words & set().union(*(of for (name, _), of in languages.items() if name == language)))
        for language in _words()["codes"]
    }
    systems = [
        system
        for language, ways in _words()["codes"].items()
        if known[language] == max(known.values())
        for system in ways
    ]
    fitting = [system for system in systems if codes & set().union(*systems) <= set(system)] or systems
    meanings = {code: {system[code] for system in fitting if code in system} for code in codes}
    return {code: next(iter(found)) for code, found in meanings.items() if len(found) == 1}


def _unexplained(
    column: str, codes: Sequence[str], words: Sequence[str], sizes: Mapping[str, int], spelled: Mapping[str, str]
) -> str:
    """Return what to say of codes beside words, with the option that settles it."""
    named = listed([f"{quoted(spelled.get(code, code))} ({sizes.get(code, 0):,})" for code in codes], most=5)
    choices = [[word for word in words if plain_label(word).startswith(plain_label(code))] for code in codes]
    choices = [found if len(found) == 1 else [] for found in choices]
    pairs = ",".join(
        f"{spelled.get(code, code)}={shortened(spelled.get(found[0], found[0])) if found else '…'}"
        for code, found in zip(codes, choices, strict=True)
    )
    code = spelled.get(codes[0], codes[0])
    known = listed([spelled.get(word, word) for word in words], most=4, quotes=True)
    have = "the code" if len(codes) == 1 else "codes"
    return (
        f"The column {quoted(column)} has {have} {named} beside words ({known}); say what "
        f"each means, such as {option_text('map', f'{shortened(column)}:{pairs}')}; {code}={code} keeps {code} as a "
        "group of its own."
    )
