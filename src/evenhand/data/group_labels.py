"""The groups that labels name: what means unknown, which labels are one group, and which codes must be explained.

The words are data, in group_labels.toml.
"""

import csv
import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from evenhand.data.labels import (
    BLANK,
    Labels,
    as_typed,
    fold,
    labels_of,
    latin_labels,
    maps_by_column,
    meanings,
    text_of,
)
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, quoted

_PARTS = lazy_re(r"\s+[-–—/|]+\s+|[;|()\[\]]|[,:]\s+")
#: The mark of a footnote behind a label.
_FOOTNOTE = lazy_re(
    r"(?:\s*[\[(](?:notes? |fn ?)?\d{1,2}[\])]|\s*[*†‡§]+|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)+\s*$"
)
_EDGES = " \t.,:;!?'\"*_-–—<>#()/"
_CODE = lazy_re(r"[^\W\d_]|\d{1,2}")
_NAME = lazy_re(r"[^\W\d_]{5}")
#: Abbreviations of more than one letter; from how many on a word of them may be a name that ends in a vowel.
_SHORT = lazy_re(r"[^\W\d_]{2,5}")
_LONG_CODE = 4
_VOWELS = frozenset("aeiouy")
_TWO_LETTERS = lazy_re("[a-z]{2}")
_MIXED = lazy_re("[a-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][a-z]")
_AGES = lazy_re(r"[<>≤≥]=? ?\d\d|\d\d ?[-–—] ?\d\d|\d\d ?\+")
_WORD = lazy_re(r".*[^\W\d_]{3}")
#: The marker of passports for people who are neither women nor men; it abbreviates no word.
_NEITHER = "x"
#: A label that programs write where nothing is known, and people for a group: those without a disability, say.
_NONE = "none"


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads(files("evenhand.data").joinpath("group_labels.toml").read_text("utf-8"))


@dataclass(frozen=True, kw_only=True)
class _Unknown:
    """Patterns of a part of a label, in any language: one that means unknown, one that may, and one of topics only."""

    sure: re.Pattern[str]
    perhaps: re.Pattern[str]
    topic: re.Pattern[str]
    joiner: re.Pattern[str]


@cache
def _unknown() -> _Unknown:
    languages = _words()["unknown"].values()
    sure, perhaps = zip(*map(_unknown_of, languages), strict=True)
    topics = "|".join(f"{_one_of(words['topic'])}|{'|'.join(words['adverb'])}" for words in languages)
    topics += r"|\d{1,3}"  # a code before or behind a label
    joiners = sorted({joiner for words in languages for joiner in words["joiner"]})
    return _Unknown(
        sure=re.compile("|".join(sure)),
        perhaps=re.compile("|".join(perhaps)),
        topic=re.compile(rf"(?:{topics})(?: (?:{topics}))*"),
        joiner=re.compile(rf"\s+(?:[&+]|{_one_of(joiners)})\s+"),
    )


def _one_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def _unknown_of(words: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Return the patterns of one language: of a part that means unknown, and of one that may."""
    patterns = {"adverb", "refusing", "later", "not"}
    of = {key: "|".join(entries) if key in patterns else _one_of(entries) for key, entries in words.items()}
    filler = rf"(?:{of['topic']}|{of['adverb']})"
    about = rf"(?:{filler}|(?:{of['answer']})\w*)"
    rest = rf"\w*(?:[ /](?:(?:{of['said']}|{of['present']})|(?:{of['after']})\b).*)?"
    not_said = rf"(?:{of['not']})(?: {filler}){{0,3}} (?:{of['said']})"
    without = rf"(?:{of['no']})(?: (?:{of['everyone']}|{of['adverb']}|(?:{of['answer']})\w*))*"
    lacking = rf"(?:{of['lacking']})\w{{0,4}}"
    held_back = rf"(?:{of['withheld']})\w{{0,3}}"
    sure = (
        rf"(?:\d{{1,3}} )?(?:{about} )*(?:(?:{of['alone']}|{lacking})(?: {about})*"
        rf"|{held_back}(?: {about})*(?: (?:(?:{of['said']})|(?:{of['after']})\b).*)?"
        rf"|(?:{of['refusing']}).*"
        rf"|(?:{of['answer']})\w* (?:{of['perhaps']})\w{{0,2}}"
        rf"|{not_said}{rest}"
        rf"|(?:{of['not']})(?: {filler}){{0,3}} (?:{of['present']})\w*(?: (?:{about}|{of['after']}))*"
        rf"|{without} (?:{of['answer']}){rest}"
        rf"|{without} (?:{of['said']})\w*"
        rf"|(?:{of['later']}|to be (?:{of['said']})\w*)(?: {filler})*)"
    )
    perhaps = [
        rf"(?:{lacking}|{held_back})\b.*",
        rf".+ (?:{lacking}|{held_back})",
        rf".+ {not_said}\w*",
        rf"(?:{of['not']}) (?:{of['present']})\w*\b.*",
        rf"(?:{about} )*(?:{of['perhaps']})\w{{0,2}}",
        *([rf"(?:{of['nothing']})(?: {filler})* (?:{of['said']}){rest}"] if "nothing" in of else []),
    ]
    return sure, "|".join(perhaps)


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


def _parts(label: str) -> list[str]:
    """Return the parts of a label, plain; those that only name the attribute, or number the label, are none."""
    parts: list[str] = []
    for part in map(_spoken, _PARTS.split(label.replace("_", " "))):
        for piece in [part] if _is_sure(part) else map(_spoken, _unknown().joiner.split(part)):
            parts += [piece] if _is_sure(piece) else map(_spoken, piece.split("/"))
    parts = [part for part in parts if part]
    return [part for part in parts if _unknown().topic.fullmatch(part) is None] or parts or [""]


def _is_sure(part: str) -> bool:
    """Say whether a part of a label means unknown."""
    return _unknown().sure.fullmatch(part) is not None


def _spoken(part: str) -> str:
    return " ".join(plain_label(part).replace("-", " ").split())


def unknown_parts(label: str) -> tuple[int, int]:
    """Return how many parts of a label mean unknown, and how many there are.

    >>> unknown_parts("Not Stated / Unknown"), unknown_parts("Other/Unknown"), unknown_parts("Not Hispanic")
    ((2, 2), (1, 2), (0, 1))
    """
    parts = _parts(label)
    return sum(map(_is_sure, parts)), len(parts)


def is_unknown(label: str) -> bool:
    """Say whether a label means that the group is not known.

    >>> is_unknown("keine Angabe"), is_unknown("prefer_not_to_say"), is_unknown("No known disability")
    (True, True, False)
    """
    unknown, parts = unknown_parts(label)
    return unknown == parts


@lru_cache(maxsize=10_000)
def may_be_unknown(label: str) -> bool:
    """Say whether a label may mean that the group is not known, or name a group.

    >>> may_be_unknown("Other/Unknown"), may_be_unknown("None"), may_be_unknown("Other")
    (True, True, False)
    """
    unknown, parts = unknown_parts(label)
    doubtful = unknown or plain_label(label) == _NONE or any(map(_unknown().perhaps.fullmatch, _parts(label)))
    return unknown < parts and bool(doubtful)


def unsure_labels(labels: Iterable[str]) -> set[str]:
    """Return the labels of a column that may mean unknown: they are groups, and no reference unless it is named.

    >>> unsure_labels({"None", "Other"}), unsure_labels({"blanco", "man"}), unsure_labels({"blanco", "negro"})
    ({'None'}, {'blanco'}, set())
    """
    labels = set(labels)
    return {label for label in labels if may_be_unknown(label)} - _colours(labels) | _places(labels)


def _colours(labels: set[str]) -> set[str]:
    """Return the labels that name a colour in a language in which another label does, too."""
    plain = {label: plain_label(label) for label in labels}
    spoken = [[label for label, word in plain.items() if word in words] for words in _words()["colours"].values()]
    return {label for together in spoken if len({plain[label] for label in together}) > 1 for label in together}


def _places(labels: set[str]) -> set[str]:
    """Return the labels of two letters that mean unknown in one language only, where others name groups, as states do.

    >>> _places({"NC", "TX", "White"}), _places({"NC", "White"}), _places({"NA", "TX"})
    ({'NC'}, set(), set())
    """
    short = {label for label in labels if _TWO_LETTERS.fullmatch(plain_label(label))}
    unknown = {label for label in short if is_unknown(label)}
    spoken = {label for label in unknown if plain_label(label) not in _words()["unknown"]["english"]["alone"]}
    return spoken if short - unknown else set()


@dataclass(frozen=True, kw_only=True)
class LabelRules:
    """What the user said of labels: further ones that mean unknown, and by column what others stand for, as typed."""

    unknown: frozenset[str] = frozenset()
    maps: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def unknown_label(self, label: str) -> bool:
        """Say whether a label means unknown, by the user's word or by the rule."""
        return fold(label) in self.unknown or is_unknown(label)

    def mapped(self, column: str, labels: Collection[str]) -> dict[str, str]:
        """Return what labels of a column stand for; those that occur are `labels`.

        Raises
        ------
        InputError
            The option can't be read, or names a label that does not occur.

        """
        known = set(map(fold, labels))
        names = meanings(column, self.maps.get(column, ()), known)
        mapped = {fold(label): " ".join(target.split()) for label, target in names.items()}
        if absent := next((label for label in mapped if label not in known), None):
            raise InputError(
                f"{option_text('map', as_typed(f'{column}:{absent}=…'))}: no label {quoted(absent)} in the column "
                f"{quoted(column)}. Labels: {listed(sorted(filter(None, known)), most=8, quotes=True)}."
            )
        return mapped


def label_rules(
    unknown: Sequence[str] = (), mapped: Sequence[str] = (), *, columns: Sequence[str] | None = None
) -> LabelRules:
    """Return the user's rules; a label that is mapped to nothing is unknown. `columns` are those with groups.

    Raises
    ------
    InputError
        `mapped` names none of the columns.

    """
    return LabelRules(unknown=frozenset(map(fold, unknown)), maps=maps_by_column(mapped, columns))


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
    mapped = rules.mapped(column, sizes)
    alike = {label: latin for label, latin in latin_labels(sizes).items() if label not in mapped}
    for label, latin in alike.items():
        sizes[latin] = sizes.get(latin, 0) + sizes[label]
    said = alike | {label: fold(target) for label, target in mapped.items()}
    groups = {said.get(label, label) for label in sizes}
    unknown = {label for label in groups if rules.unknown_label(label)}
    unknown -= (_colours(groups) | _places(groups)) - rules.unknown
    spelled = {fold(target): target for target in mapped.values()}
    spelled |= {fold(text): " ".join(text.split()) for _, text, _ in counted if text is not None}
    spelled |= {latin: spelled[label] for label, latin in alike.items() if latin not in spelled}
    _refuse_mixed_scripts(column, groups - unknown, sizes, spelled)
    marked = _with_footnotes(groups - unknown, spelled)
    own = {label for label, target in mapped.items() if label == fold(target)}
    settled = {fold(target) for target in mapped.values()} - sizes.keys()
    same = marked | _same_groups(column, groups - unknown - marked.keys() - own, sizes, spelled, settled)
    same = {label: same.get(group, group) for label, group in same.items()}
    called = {plain: _FOOTNOTE.sub("", spelled.get(plain, spelled[label])) for label, plain in marked.items()}
    called |= _called(same, sizes, spelled)
    labels = labels_of(
        ((value, n) for value, _, n in counted),
        frozenset(unknown),
        same={label: same.get(said.get(label, label), said.get(label, label)) for label in sizes},
        names=called | {fold(target): target for target in mapped.values()},
    )
    doubtful = unsure_labels(label for label in labels.of.values() if label is not None)
    unsure: dict[str, int] = {}
    for value, _, n in counted:
        group = labels.of[value]
        if group in doubtful:
            unsure[group] = unsure.get(group, 0) + n
    return replace(labels, unsure=unsure)


def slice_labels(_column: str, values: Iterable[tuple[Any, int]], rules: LabelRules) -> Labels:
    """Return the label of each value of a column that is looked at one by one; only spellings are merged."""
    counted = [(value, text_of(value), n) for value, n in values]
    unknown = frozenset(fold(text) for _, text, _ in counted if text is not None and rules.unknown_label(text))
    return labels_of(((value, n) for value, _, n in counted), unknown)


def _refuse_mixed_scripts(column: str, labels: set[str], sizes: Mapping[str, int], spelled: Mapping[str, str]) -> None:
    """Raise InputError for a word of Latin and of other letters that don't look Latin."""
    if mixed := sorted(label for label in labels if label in sizes and _MIXED.search(label)):
        label = spelled[mixed[0]]
        raise InputError(
            f"The column {quoted(column)} has {quoted(label)} ({sizes[mixed[0]]:,}), a word with letters of two "
            f"alphabets; map it: {option_text('map', as_typed(f'{column}:{label}={BLANK}'))}."
        )


def _same_groups(
    column: str, labels: set[str], sizes: Mapping[str, int], spelled: Mapping[str, str], settled: set[str]
) -> dict[str, str]:
    """Return the first word of the gender that each label is one of; refuse codes that may mean a word.

    `settled` are labels that the user gave, whatever they look like.
    """
    plain = {label: plain_label(label) for label in labels}
    languages = {
        (language, gender): set(words)
        for language, genders in _words()["words"].items()
        for gender, words in genders.items()
    }
    gender_of = {
        label: gender for label, word in plain.items() for (_, gender), words in languages.items() if word in words
    }
    letters = {label for label, word in plain.items() if _CODE.fullmatch(word) and word != _NEITHER}
    words = sorted(
        label for label, word in plain.items() if label not in letters and _WORD.match(word) and not _is_rest(label)
    )
    others = labels - letters - gender_of.keys()
    short = {label for label in others if _is_code(label, plain[label], words, spelled)}
    codes, words = letters | short, [label for label in words if label not in short]
    if gender_of:
        read = _code_meanings({plain[label] for label in gender_of}, {plain[label] for label in codes}, languages)
        gender_of |= {label: read[plain[label]] for label in codes if plain[label] in read}
    if words and (unread := sorted(codes - set(gender_of) - settled, key=lambda label: -sizes.get(label, 0))):
        raise InputError(_unexplained(column, unread, words, sizes, spelled))
    by_gender: dict[str, list[str]] = {}
    for label, gender in gender_of.items():
        by_gender.setdefault(gender, []).append(label)
    return {label: min(together) for together in by_gender.values() for label in together}


def _is_rest(label: str) -> bool:
    """Say whether a label names those of no other group, as 'Other' does, whatever codes the others have."""
    return label in _words()["short"]["others"]


def _is_code(label: str, plain: str, words: Sequence[str], spelled: Mapping[str, str]) -> bool:
    """Say whether a short label abbreviates another of a column, or is written in capitals where others are words."""
    letters = re.sub(r"[/.&\s-]", "", plain)
    known = _words()["short"]
    if not _SHORT.fullmatch(letters) or " " in plain or plain in {*known["answers"], *known["groups"]}:
        return False
    full = [word for word in words if _NAME.search(word) and word != label]
    if any(_abbreviates(letters, plain_label(word)) or _same_category(label, word) for word in full):
        return True
    return spelled[label].isupper() and any(not spelled[word].isupper() for word in full)


def _abbreviates(code: str, label: str) -> bool:
    """Say whether letters are the beginning of a label's first word, some of its consonants, or a label's initials.

    >>> _abbreviates("wh", "white"), _abbreviates("blk", "black"), _abbreviates("aa", "african american")
    (True, True, True)
    >>> _abbreviates("roma", "romanian"), _abbreviates("two", "two or more")
    (False, False)
    """
    parts = re.findall(r"[^\W\d_]+", label)
    if not parts or parts[0][0] != code[0] or code == parts[0]:
        return False
    begins = parts[0].startswith(code) and (len(code) < _LONG_CODE or code[-1] not in _VOWELS)
    consonants = not _VOWELS.intersection(code[1:]) and re.match(".*".join(code), parts[0]) is not None
    initials = ("".join(word[0] for word in words) for words in (parts, [word for word in parts if len(word) > 2]))
    return begins or consonants or (len(code) > 1 and code in initials)


def _same_category(label: str, word: str) -> bool:
    """Say whether two labels are of one category of the EEO-1."""
    category = eeo1_codes().get(label)
    return category is not None and category == eeo1_codes().get(word)


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
    choices = [
        [word for word in words if _abbreviates(plain_label(code), plain_label(word)) or _same_category(code, word)]
        for code in codes
    ]
    pairs = ",".join(
        f"{spelled.get(code, code)}={spelled.get(found[0], found[0]) if len(found) == 1 else BLANK}"
        for code, found in zip(codes, choices, strict=True)
    )
    code = spelled.get(codes[0], codes[0])
    known = listed([spelled.get(word, word) for word in words], most=4, quotes=True)
    have = "the code" if len(codes) == 1 else "codes"
    return (
        f"The column {quoted(column)} has {have} {named} beside words ({known}); say what "
        f"each means, such as {option_text('map', as_typed(f'{column}:{pairs}'))}; {code}={code} keeps {code} as a "
        "group of its own."
    )
