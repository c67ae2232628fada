"""One résumé's score: what was found, what was left standing, what was masked for nothing.

Letters and digits count, not punctuation: whether a comma or a bracket goes with a name
does not matter. A span is found when all its letters and digits are masked, by whatever
category; `typed` when by its own. A predicted span is right when half of its characters
are annotated; one that lies in ignored text alone does not count.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from masking.marked import ALWAYS, OPTIONAL
from masking.names import folded
from masking.person import words_of

CODES = {name: code for code, name in enumerate((*ALWAYS, *OPTIONAL), start=1)}
OWN, OTHERS = "NAME (own)", "NAME (others)"


@dataclass(slots=True)
class Score:
    """Counts by category; `NAME (own)` has a word of the person's name, `NAME (others)` has none."""

    spans: Counter = field(default_factory=Counter)
    found: Counter = field(default_factory=Counter)
    typed: Counter = field(default_factory=Counter)
    letters: Counter = field(default_factory=Counter)
    left: Counter = field(default_factory=Counter)
    predicted: Counter = field(default_factory=Counter)
    right: Counter = field(default_factory=Counter)
    right_typed: Counter = field(default_factory=Counter)
    #: Words that are masked whole and hold nothing that is annotated.
    needless_words: int = 0
    words: int = 0
    #: A word of the name of two letters or more still stands; of the nickname or former name as well.
    leak: bool = False
    leak_any_form: bool = False
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    needless: list[tuple[str, str]] = field(default_factory=list)


def score(row: dict, predicted: Sequence[tuple[int, int, str]], wanted: frozenset[str]) -> Score:
    """Return the score of one résumé's predicted spans, for the categories wanted."""
    text = row["text"]
    letters = np.fromiter(map(str.isalnum, text), dtype=bool, count=len(text))
    solid = ~np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    claims = np.zeros(len(text), dtype=np.int8)
    for start, end, category in predicted:
        claims[start:end] = CODES[category]
    truth = np.zeros(len(text), dtype=np.int8)
    ignored = np.zeros(len(text), dtype=bool)
    for start, end in row["ignored"]:
        ignored[start:end] = True
    result = Score(words=len(text.split()))
    own, forms = words_of(row["known_names"][0]), frozenset().union(*map(words_of, row["all_names"]))
    for start, end, category in row["spans"]:
        if category not in wanted:
            continue
        truth[start:end] = CODES[category]
        here, claimed = letters[start:end], claims[start:end]
        standing = here & (claimed == 0)
        kinds = [category]
        if category == "NAME":
            kinds.append(OWN if _has(text[start:end], forms) else OTHERS)
        for kind in kinds:
            result.spans[kind] += 1
            result.letters[kind] += int(here.sum())
            result.left[kind] += int(standing.sum())
            result.found[kind] += not standing.any()
            result.typed[kind] += bool((claimed[here] == CODES[category]).all())
        if standing.any():
            result.missed.append((kinds[-1], text[max(0, start - 40) : start], text[start:end]))
            if category in {"NAME", "EMAIL", "URL"}:
                result.leak |= _survives(text[start:end], standing, own)
                result.leak_any_form |= _survives(text[start:end], standing, forms)
    _judge(result, text, predicted, _Truth(truth, ignored, solid))
    needless = (claims > 0) & (truth == 0) & ~ignored
    result.needless_words = sum(needless[slice(*word.span())].all() for word in re.finditer(r"\w+", text))
    return result


class _Truth(NamedTuple):
    """For each character: its category's code, whether it may be masked or not, whether it is more than a blank."""

    codes: np.ndarray
    ignored: np.ndarray
    solid: np.ndarray


def _judge(result: Score, text: str, predicted: Sequence[tuple[int, int, str]], truth: _Truth) -> None:
    for start, end, category in predicted:
        here = truth.solid[start:end]
        size = here.sum()
        if not (here & ~truth.ignored[start:end]).any():
            continue
        told, spared = truth.codes[start:end], truth.ignored[start:end]
        result.predicted[category] += 1
        right = 2 * (here & ((told > 0) | spared)).sum() >= size
        result.right[category] += bool(right)
        result.right_typed[category] += bool(2 * (here & ((told == CODES[category]) | spared)).sum() >= size)
        if not right:
            around = text[max(0, start - 25) : start], text[start:end], text[end : end + 25]
            result.needless.append((category, "{}⟦{}⟧{}".format(*around)))


def _has(text: str, words: frozenset[str]) -> bool:
    """Return whether a name's text has one of the words, letters spaced out included."""
    return bool(words_of(text) & words) or bool(words_of(re.sub(r"(?<=\w) (?=\w\b)", "", text)) & words)


def _survives(text: str, standing: np.ndarray, words: frozenset[str]) -> bool:
    """Return whether a word stands in what is left of an annotated span, also within an address."""
    kept = folded(
        "".join(char if left or not char.isalnum() else " " for char, left in zip(text, standing, strict=True))
    )
    runs = re.split(r"[^\w]+|_", kept)
    squeezed = re.sub(r"(?<=\b\w) (?=\w\b)", "", kept)
    return any(word in runs or (len(word) > 2 and (word in kept or word in squeezed)) for word in words)
