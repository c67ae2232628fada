"""Labels of skills, and where they stand in a text: whole words, exactly, after folding."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from evenhand.errors import InputError
from evenhand.lexicons.onet import occupations
from evenhand.matching.reading.forms import Form, Forms
from evenhand.matching.reading.words import BREAK, Lines, lines_of

__all__ = ["Labels", "known_labels", "label_forms"]

#: How alike a label of the user's and one of O*NET must be to count as one, of 100 (the ratio of rapidfuzz), and the
#: fewest letters of those that are compared at all.
ALIKE: Final = 92
FEWEST_LETTERS: Final = 5


def label_forms(label: str) -> frozenset[Form]:
    """Return the wordings that a label itself gives: as it is, without 'software', its acronym alone.

    >>> sorted(label_forms("Amazon Web Services AWS software"))
    [('amazon', 'web', 'services'), ('amazon', 'web', 'services', 'aws'), ('aws',)]
    >>> label_forms("C++")
    frozenset({('c++',)})
    """
    words = [word for word in label.replace("(", " ").replace(")", " ").split() if word]
    if len(words) > 1 and words[-1].lower() == "software":
        words = words[:-1]
    forms = {_form(words)}
    last = words[-1] if words else ""
    initials = "".join(word[0] for word in words[:-1]).lower()
    if len(words) > 2 and len(last) > 1 and last.isupper() and initials.endswith(last.lower()):
        forms |= {_form(words[:-1]), _form([last])}
    return frozenset(form for form in forms if form)


def _form(words: Sequence[str]) -> Form:
    return tuple(word for _, line in lines_of(" ".join(words)) for word in line if word != BREAK)


@cache
def known_labels() -> Mapping[str, frozenset[Form]]:
    """Return the technology of O*NET that is restated here, with its wordings."""
    return {label: label_forms(label) for each in occupations() for label in each.technology}


@cache
def _by_form() -> Mapping[str, str]:
    return {" ".join(form): label for label, forms in known_labels().items() for form in forms}


@cache
def _same_as_known(label: str) -> str | None:
    """Return the label of O*NET that a user's label is the same as, or nearly so."""
    typed = " ".join(_form(label.split()))
    exact = _by_form().get(typed)
    if exact is not None or len(typed) < FEWEST_LETTERS:
        return exact
    try:
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise InputError("Mapping lists of skills needs rapidfuzz: pip install 'evenhand[match]'.") from error
    found = process.extractOne(typed, list(_by_form()), scorer=fuzz.ratio, score_cutoff=ALIKE)
    return None if found is None else _by_form()[found[0]]


class Labels:
    """Labels and terms by number, and what finds them in a text."""

    def __init__(self, labels: Iterable[str], terms: Iterable[Form] = ()) -> None:
        """Give labels numbers, and terms further ones; labels that are the same, folded or in O*NET, share one."""
        self.names: list[str] = []
        self._numbers: dict[str | Form, int] = {}
        self._forms: Forms[int] = Forms()
        places: dict[object, int] = {}
        for label in labels:
            if label in self._numbers:
                continue
            known = _same_as_known(label)
            own = label_forms(label)
            key: object = known if known is not None else own
            if key not in places:
                places[key] = len(self.names)
                self.names.append(label)
                for form in own | (known_labels()[known] if known is not None else frozenset()):
                    self._forms.add(form, places[key])
            self._numbers[label] = places[key]
        for term in terms:
            if term not in self._numbers:
                self._numbers[term] = len(self.names)
                self._forms.add(term, len(self.names))
                self.names.append(" ".join(term))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, label: str | Form) -> int:
        """Return the number of a label or a term that was given."""
        return self._numbers[label]

    def found_in(self, lines: Lines) -> set[int]:
        """Return the numbers of what stands in a text; one letter has to stand alone in a list.

        >>> labels = Labels(["Python", "C", "C++"])
        >>> sorted(labels.found_in(lines_of("Skills: python, C++; Type C cables, C")))
        [0, 1, 2]
        >>> labels.found_in(lines_of("Vitamin C, pythons"))
        set()
        """
        return self._forms.found_in(lines)
