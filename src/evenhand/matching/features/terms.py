"""Terms of positions: the words and phrases of a position's text that tell it from others."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from evenhand.intake.positions import Position
from evenhand.matching.reading.forms import Form, Forms, items_of
from evenhand.matching.reading.words import Lines, lines_of

__all__ = ["Terms", "terms_of"]

#: How many words a phrase has, and how many people name it in a list at least.
PHRASE: Final = range(2, 5)
FEWEST_PEOPLE: Final = 3
#: The share of positions that have a term at most; what more of them have tells none from others.
MOST_POSITIONS: Final = 0.5
_FEWEST_LETTERS: Final = 2


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Phrases whose words count together, and terms that are passed over: most positions or no résumé had them."""

    phrases: frozenset[Form] = frozenset()
    passed_over: frozenset[Form] = frozenset()
    _forms: Forms[Form] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make phrases findable."""
        object.__setattr__(self, "_forms", Forms((phrase, phrase) for phrase in sorted(self.phrases)))

    def every(self, position: Position) -> frozenset[Form]:
        """Return the words and phrases of a position's text and list that its title does not have."""
        title = {(word,) for _, words in lines_of(position.title) for word in words}
        return frozenset(self._parts(lines_of("\n".join((position.text, ", ".join(position.skills)))))) - title

    def _parts(self, lines: Lines) -> Iterator[Form]:
        for _, words in lines:
            for form, _ in self._forms.longest_in(words):
                if len(form[0]) >= _FEWEST_LETTERS and not form[0][0].isdigit():
                    yield form

    def of(self, position: Position) -> frozenset[Form]:
        """Return the terms of a position.

        >>> sorted(Terms().of(Position(id="1", title="Nurse", text="A nurse for wound care")))
        [('care',), ('for',), ('wound',)]
        """
        return self.every(position) - self.passed_over


def terms_of(positions: Sequence[Position], people: Sequence[Lines]) -> Terms:
    """Return what counts as a term, by the positions and the people of training.

    A phrase is what some people name as one item of a list and a position has in its text, so that nothing that
    people alone say is kept.
    """
    named = Counter(item for lines in people for item in items_of(lines) if len(item) in PHRASE)
    known = Terms(phrases=frozenset(item for item, count in named.items() if count >= FEWEST_PEOPLE))
    every = [known.every(position) for position in positions]
    within = Counter(chain.from_iterable(every))
    told = set(chain.from_iterable(Forms((term, term) for term in within).found_in(lines) for lines in people))
    passed = {term for term, n in within.items() if n > max(1, MOST_POSITIONS * len(positions)) or term not in told}
    return Terms(phrases=known.phrases & within.keys(), passed_over=frozenset(passed))
