"""Two versions of a résumé side by side, with the words marked in which they differ."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from evenhand.patterns import lazy_re
from evenhand.report.page.parts import Beside, Piece
from evenhand.report.scores.perturb.told import labelled
from evenhand.report.words.numbers import Scale, count_text
from evenhand.tables.audit.perturb import MovedPair

__all__ = ["texts_beside"]

#: Letters of a text that stand on the page.
LONGEST: Final = 6_000
_WORDS: Final = lazy_re(r"\w+|\s+|[^\w\s]")


def texts_beside(pair: MovedPair, scale: Scale) -> Beside | None:
    """Return the texts of a pair side by side, None where they are not shown."""
    if pair.text is None or pair.reference_text is None:
        return None
    first, second = (_WORDS.findall(_cut(text)) for text in (pair.text, pair.reference_text))
    same = SequenceMatcher(a=first, b=second, autojunk=False).get_matching_blocks()
    return Beside(
        labels=(
            f"{pair.name} ({labelled(pair.group)}): {scale.number(abs(pair.score))}",
            f"{pair.reference_name} ({labelled(pair.reference)}): {scale.number(abs(pair.reference_score))}",
        ),
        texts=(
            tuple(_pieces(first, [(block.a, block.size) for block in same])),
            tuple(_pieces(second, [(block.b, block.size) for block in same])),
        ),
    )


def _cut(text: str) -> str:
    left = len(text) - LONGEST
    return text if left <= 0 else f"{text[:LONGEST]} … ({count_text(left)} more letters)"


def _pieces(words: Sequence[str], same: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """Yield the words in pieces: those of the blocks that both texts share, and marked those between."""
    at = 0
    for start, size in same:
        if start > at:
            yield Piece(text="".join(words[at:start]), marked=True)
        if size:
            yield Piece(text="".join(words[start : start + size]))
        at = start + size
