"""Words of e-mails as TF-IDF features: stems, negated stems, pairs of them, and kinds of words.

Each distinct word is looked at once; all else is arithmetic on whole arrays.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.lexicons.folding import fold_characters
from evenhand.lexicons.known_names import without_name
from evenhand.word_tables import WordTable

__all__ = ["AN2024_WORDS", "Terms", "redacted", "terms_of"]

#: What e-mails are read by.
AN2024_WORDS = WordTable("evenhand.probes.an2024", "reader.toml")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Marks end a clause; a placeholder stands for whatever it holds.
_PIECES = r"\[[^\]\n]{1,60}\]|[a-z]+(?:'[a-z]+)?|[.!?;:\n]+|,"
#: So many words after a negator are negated, in the same clause.
_SCOPE = 6
_SHORTEST = 4
_PLACEHOLDER, _NAME, _UNDECIDED = "(slot)", "(name)", "(either)"


def redacted(texts: pl.Series, names: pl.Series) -> pl.Series:
    r"""Return e-mails in plain lower case without the applicant's name, and without a quoted older message.

    The name is replaced wherever it stands as a word, so that nothing can be learnt from it.

    >>> redacted(pl.Series(["Dear Juan,\nYou're in!"]), pl.Series(["Juan"]))[0]
    "dear [name],\nyou're in!"
    """
    written = []
    for text, name in zip(texts, names, strict=True):
        plain = fold_characters(text or "")
        if name:
            plain = without_name(plain, fold_characters(name))
        if ">" in plain or "wrote" in plain or "--" in plain:
            plain = AN2024_WORDS.quoted.sub("", plain, count=1)
        written.append(plain)
    return pl.Series("text", written, dtype=pl.String)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Terms counted per e-mail, parallel arrays: e-mail, number of the term, how often; and the terms' names."""

    document: Ints
    term: Ints
    count: Floats
    names: tuple[str, ...]
    documents: int


@dataclass(frozen=True, kw_only=True)
class _Words:
    """The words of all e-mails in order: e-mail, number of the stem, negated or not, number of the clause."""

    document: Ints
    stem: Ints
    negated: NDArray[np.bool_]
    clause: Ints


def terms_of(texts: pl.Series) -> Terms:
    """Return the counted terms of redacted e-mails.

    >>> terms = terms_of(pl.Series(["we did not offer it"]))
    >>> sorted(terms.names[place] for place in terms.term)[:4]
    ['#not decide', 'did', 'did not', 'not']
    """
    found = texts.str.extract_all(_PIECES)
    lengths = found.list.len().fill_null(0).to_numpy().astype(np.int64)
    document = np.repeat(np.arange(len(texts)), lengths)
    words = found.explode().drop_nulls()
    labels = words.unique()
    code = words.cast(pl.Enum(labels)).to_physical().cast(pl.Int64).to_numpy()
    kinds = [_kind(label) for label in labels]
    stems = {stem: number for number, stem in enumerate(dict.fromkeys(stem for stem, _, _ in kinds))}
    stem = np.array([stems[each[0]] for each in kinds], dtype=np.int64)[code] if code.size else code
    ends = np.array([each[1] for each in kinds], dtype=bool)[code] if code.size else code.astype(bool)
    negates = np.array([each[2] for each in kinds], dtype=bool)[code] if code.size else code.astype(bool)
    negated = _negated(document, ends, negates)
    word = ~ends & (stem != stems.get(",", -1))
    return _counted(
        _Words(document=document[word], stem=stem[word], negated=negated[word], clause=np.cumsum(ends)[word]),
        stems=tuple(stems),
        documents=len(texts),
    )


def _kind(label: str) -> tuple[str, bool, bool]:
    """Return the stem of a word, whether it ends a clause, and whether it negates."""
    if label[0] == "[":
        inside = label[1:-1]
        either = AN2024_WORDS.either.search(inside) is not None
        return (_NAME if inside == "name" else _UNDECIDED if either else _PLACEHOLDER), False, False
    if not label[0].isalpha():
        return (",", False, False) if label == "," else (".", True, False)
    if label in AN2024_WORDS.negators or label.endswith("n't"):
        return "not", False, True
    for suffix in AN2024_WORDS.suffixes:
        if label.endswith(suffix) and len(label) - len(suffix) >= _SHORTEST:
            return label[: -len(suffix)], False, False
    return label, False, False


def _negated(document: Ints, ends: NDArray[np.bool_], negates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which words stand within the scope of a negator of their clause."""
    place = np.arange(document.size)
    if not place.size:
        return ends
    starts = np.r_[True, document[1:] != document[:-1]]
    last_not = np.maximum.accumulate(np.where(negates, place, -1))
    last_end = np.maximum.accumulate(np.where(ends | starts, place, -1))
    inside = (last_not >= last_end) & (last_not >= 0) & (place - last_not <= _SCOPE)
    return np.asarray(inside & ~negates)


def _counted(words: _Words, *, stems: Sequence[str], documents: int) -> Terms:
    """Return the counts of single words, of pairs within a clause, and of kinds of words."""
    document, stem, clause = words.document, words.stem, words.clause
    names: list[str] = []
    owners, terms = [], []

    def add(owner: Ints, codes: Ints, label: Callable[[int], str]) -> None:
        present, inverse = np.unique(codes, return_inverse=True)
        terms.append(inverse + len(names))
        owners.append(owner)
        names.extend(label(int(value)) for value in present)

    single = stem * 2 + words.negated

    def name(value: int) -> str:
        return ("not_" if value % 2 else "") + stems[value // 2]

    add(document, single, name)
    width = 2 * len(stems) + 1
    joined = (document[1:] == document[:-1]) & (clause[1:] == clause[:-1])
    pairs = single[:-1][joined] * width + single[1:][joined]
    add(document[1:][joined], pairs, lambda value: f"{name(value // width)} {name(value % width)}")
    kinds = _word_kinds()
    numbers = {kind: place for place, kind in enumerate(dict.fromkeys(kinds.values()))}
    of_stem = np.array([numbers.get(kinds.get(each, ""), -1) for each in stems], dtype=np.int64)
    kind = of_stem[stem] if stem.size else stem
    known = kind >= 0
    labels = list(numbers)
    add(
        document[known],
        (kind * 2 + words.negated)[known],
        lambda value: f"#{'not ' if value % 2 else ''}{labels[value // 2]}",
    )
    owner, term = np.concatenate(owners), np.concatenate(terms)
    keys, counts = np.unique(owner * max(len(names), 1) + term, return_counts=True)
    own, which = np.divmod(keys, max(len(names), 1))
    return Terms(document=own, term=which, count=counts.astype(np.float64), names=tuple(names), documents=documents)


@cache
def _word_kinds() -> dict[str, str]:
    """Return the kind of each stem that has one: words that decisions are told with."""
    text = (resources.files("evenhand.probes.an2024") / "word_kinds.toml").read_text(encoding="utf-8")
    return {_kind(word)[0]: kind for kind, words in tomllib.loads(text).items() for word in words.split()}
