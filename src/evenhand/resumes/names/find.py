"""The names of a document: candidates from everywhere, those that agree accepted."""

from collections.abc import Iterable, Sequence

from evenhand.resumes.layout import Layout, layout_of
from evenhand.resumes.names.candidates import (
    Candidate,
    in_blocks,
    in_own_script,
    labelled,
    near_the_top,
    phrased,
    signed,
)
from evenhand.resumes.names.evidence import Evidence, evidence_of, file_names_in
from evenhand.resumes.names.lists import given_names, name_words, surnames
from evenhand.resumes.names.markup import in_markup, in_sentences
from evenhand.resumes.names.others import other_people
from evenhand.resumes.names.parts import Name, Names, name_of
from evenhand.resumes.plain import Plain, plain_text

__all__ = ["find_names", "names_in"]

#: A header line is accepted from here: a name's shape on the first line, or a later line that something speaks for.
ACCEPTED = 3


def find_names(
    text: str, *, known_names: Sequence[str] = (), file_name: str | None = None, metadata: Sequence[str] = ()
) -> Names:
    r"""Return the names of a document's person and of others in it.

    >>> found = find_names("Ngozi Okafor\nn.okafor@example.org\n\nReferences: June Abara, manager")
    >>> [name.text for name in found.person], [name.text for name in found.others]
    (['Ngozi Okafor'], ['June Abara'])
    """
    plain = plain_text(text)
    return names_in(plain, layout_of(plain), known_names=known_names, file_name=file_name, metadata=metadata)


def names_in(
    plain: Plain,
    layout: Layout,
    *,
    known_names: Sequence[str] = (),
    file_name: str | None = None,
    metadata: Sequence[str] = (),
) -> Names:
    """Return the names of a document that was laid out already; as `find_names` otherwise."""
    evidence = evidence_of(plain, file_name=file_name, metadata=tuple(metadata))
    known = [name for name in map(name_of, known_names) if name.tokens]
    placed = [*labelled(plain, layout), *phrased(plain), *in_own_script(plain), *in_markup(plain)]
    header = [*near_the_top(plain, layout), *in_blocks(plain, layout), *in_sentences(plain)]
    closing = signed(plain, layout)
    person = list(known)
    person += [candidate.name for candidate in placed if candidate.sure]
    if evidence.file_name is not None and _worth(evidence.file_name, plain):
        person.append(evidence.file_name)
    person += [name for name in evidence.metadata if _worth(name, plain)]
    person += _from_header(header, closing, evidence, person)
    person += [candidate.name for candidate in closing if candidate.sure or _shares_any(candidate.name, person)]
    person += [candidate.name for candidate in header if _completes(candidate.name, person)]
    person += file_names_in(plain)
    if not person:
        person += _from_addresses(plain, evidence)
    person = _distinct(person)
    own = {token for name in person for token in name.tokens}
    others = [name for name in other_people(plain, layout) if not set(name.tokens) <= own]
    return Names(person=tuple(person), others=tuple(_distinct(others)))


def _from_header(
    header: list[Candidate], closing: list[Candidate], evidence: Evidence, person: list[Name]
) -> list[Name]:
    """Return the header's best name, and others there that an address agrees with."""
    scored = []
    for candidate in header:
        score = candidate.score + evidence.agreement(candidate.name)
        if _shares_any(candidate.name, [each.name for each in closing]):
            score += 2
        scored.append((score, candidate.name))
    if not scored:
        return []
    best = max(score for score, _ in scored)
    least = ACCEPTED if not person else ACCEPTED + 3
    return [name for score, name in scored if score >= least and score >= best - 1]


def _shares_any(name: Name, others: Iterable[Name]) -> bool:
    """Say whether a name shares a token that is no common word with one of others."""
    words = name_words()
    mine = {token for token in name.tokens if len(token) > 1}
    for other in others:
        shared = mine & set(other.tokens)
        if any(token not in words for token in shared) or len(shared) > 1:
            return True
    return False


def _completes(name: Name, person: list[Name]) -> bool:
    """Say whether a header's name is a fuller form of an accepted one."""
    return len(name.tokens) > 1 and any(
        set(known.tokens) < set(name.tokens) and len(name.tokens) <= len(known.tokens) + 3 for known in person
    )


def _worth(name: Name, plain: Plain) -> bool:
    """Say whether a file's or its metadata's name is one: listed, or standing in the text with a capital."""
    if any(token in given_names() or token in surnames() for token in name.tokens):
        return True
    return all(_is_capitalised(token, plain) for token in name.tokens)


def _is_capitalised(word: str, plain: Plain) -> bool:
    """Say whether a word stands in a text, with a capital where it stands last."""
    places = plain.where.get(word)
    return places is not None and plain.text[plain.words[places[-1]][1]].isupper()


def _from_addresses(plain: Plain, evidence: Evidence) -> list[Name]:
    """Return a name from an e-mail's local part, where nothing else told one."""
    found = []
    for local in (*evidence.locals, *evidence.handles):
        parts = [part for part in "".join(c if c.isalpha() else " " for c in local).split() if len(part) > 1]
        listed = [part for part in parts if part in given_names() or part in surnames()]
        in_text = [part for part in parts if _is_capitalised(part, plain)]
        chosen = dict.fromkeys([*listed, *(in_text if listed else ())])
        if chosen:
            found.append(name_of(" ".join(part.title() for part in parts if part in chosen)))
    return found


def _distinct(names: Iterable[Name]) -> list[Name]:
    """Return names once each, those that add nothing left out."""
    kept: list[Name] = []
    for name in names:
        if name.tokens and not any(
            set(name.tokens) <= set(other.tokens) and name.particles <= other.particles for other in kept
        ):
            kept.append(name)
    return kept
