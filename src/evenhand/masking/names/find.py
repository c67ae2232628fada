"""Find the names of a document: collect candidates and accept those that agree."""

from collections.abc import Iterable, Sequence

from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.layout import Layout, layout_of
from evenhand.masking.names import own as names_own
from evenhand.masking.names.given import given_places, names_given
from evenhand.masking.names.mentions import with_capitals
from evenhand.masking.names.others import other_people
from evenhand.masking.names.parts import AROUND_WORDS, Name, Names, capitalised, name_of
from evenhand.masking.names.spoken import is_in_third_person, mentions_of
from evenhand.masking.names.word_kinds import english_words, given_names, is_ordinary, name_words, no_names, surnames
from evenhand.patterns import lazy_re

#: A header line is accepted from here: a name's shape on the first line, or a later line that something speaks for.
ACCEPTED = 3
#: At this score a header's name is accepted without the rest of the text.
CLEAR = 5


def find_names(
    text: str, *, known_names: Sequence[str] = (), file_name: str | None = None, metadata: Sequence[str] = ()
) -> Names:
    r"""Return the names of a document's person and of others in it.

    >>> names = find_names("Ngozi Okafor\nn.okafor@example.org\n\nReferences: June Abara, manager")
    >>> [name.text for name in names.person], [name.text for name in names.others]
    (['Ngozi Okafor'], ['June Abara'])
    """
    folded = folded_text(text)
    return names_in(folded, layout_of(folded), known_names=known_names, file_name=file_name, metadata=metadata)


def names_in(
    folded: FoldedText,
    layout: Layout,
    *,
    known_names: Sequence[str] = (),
    file_name: str | None = None,
    metadata: Sequence[str] = (),
) -> Names:
    """Return the names of a document that was laid out already; as `find_names` otherwise."""
    evidence = names_own.evidence_of(folded, file_name=file_name, metadata=tuple(metadata))
    given = tuple(name for text in known_names for name in names_given(text))
    known = [name for name in (name_of(capitalised(text)) for text in given) if name.tokens]
    placed = [*names_own.labelled(folded, layout), *names_own.phrased(folded), *names_own.in_markup(folded)]
    fragment = _is_fragment(folded, layout)
    header = [] if fragment else names_own.near_the_top(folded, layout)
    tops = len(header)
    header += names_own.in_blocks(folded, layout)
    closing = names_own.signed(folded, layout)
    # A name that is misspelled, or another person's, says nothing of the name in this text.
    stands = any(True for _ in given_places(folded, given)) or any(
        _is_capitalised(token, folded) for name in known for token in name.tokens
    )
    person = [*(known if stands else ()), *(place.name for place in placed if place.sure)]
    if evidence.file_name is not None and _worth(evidence.file_name, folded):
        person.append(evidence.file_name)
    person += [name for name in evidence.metadata if _worth(name, folded)]
    if stands:
        person += [name for name in (place.name for place in header) if _shares_any(name, known) and _adds(name, known)]
    else:
        person += _chosen(folded, header, closing, person, tops=tops)
    person += [place.name for place in names_own.native_script_names(folded, layout, person)]
    person += [place.name for place in closing if place.sure or _shares_any(place.name, person)]
    person = _distinct(person)
    person += [place.name for place in header if _is_fuller(place.name, person) and _adds(place.name, person)]
    person += names_own.renamed(folded, person)
    person += names_own.file_names_in(folded)
    if not stands:
        addressed = _from_addresses(folded, evidence, person)
        if not person and (evidence.locals or evidence.handles):
            mentions = mentions_of(folded)
            addressed += mentions.fuller(addressed) + mentions.agreeing((*evidence.locals, *evidence.handles))
        person += addressed
    person = _distinct([*known, *person])
    tokens = {token for name in person for token in name.tokens}
    single = bool(known) or not fragment or _SENTENCE.search(folded.text) is not None
    others = [name for name in other_people(with_capitals(folded), layout) if single or len(name.tokens) > 1]
    person += names_own.respelled(folded, person)
    return Names(
        person=tuple(person),
        others=tuple(_distinct(name for name in others if not set(name.tokens) <= tokens)),
        known=frozenset(form for name in known for form in name.forms.values()),
        given=given,
    )


def _is_fragment(folded: FoldedText, layout: Layout) -> bool:
    """Say whether a text is one short line without a way to reach somebody: a bullet, a cell, a field, and no head."""
    return len(layout.lines) < 2 and len(folded.text) < names_own.LONGEST_LOST and _REACHED.search(folded.low) is None


_SENTENCE = lazy_re(r"[.!?:;]")
_REACHED = lazy_re(r"@|\d{3}[ .-]?\d{4}|\bwww\.|://|\b(?:she|he|they)/")


def _chosen(
    folded: FoldedText,
    header: list[names_own.Candidate],
    closing: list[names_own.Candidate],
    person: list[Name],
    *,
    tops: int,
) -> list[Name]:
    """Return the header's best name and those that share a word with it, or else the text's subject."""
    signatures = [candidate.name for candidate in closing]
    scored = [(each.score + 2 * _shares_any(each.name, signatures), each.name) for each in header]
    clear = _is_clear(scored, tops)
    third = is_in_third_person(folded, least=_OFTEN if clear else 2)
    person = [name for name in person if len(name.tokens) > 1]  # not a nickname or a former name alone
    least = ACCEPTED + 3 * bool(person)
    if person or (clear and not third):
        return _best(scored, least)
    mentions = mentions_of(folded)
    totals = [(min(4, max(-4, mentions.of(name))), score, name) for score, name in scored]
    chosen = _best([(score + min(0, points), name) for points, score, name in totals], least)
    if not chosen:
        chosen = _best([(score + points, name) for points, score, name in totals], least)
    spoken = mentions.candidates(folded, third=third)
    if not chosen and spoken:
        chosen = [spoken[0].name]
    chosen += [candidate.name for candidate in spoken if candidate.score > _MUCH and candidate.sure]
    return chosen + mentions.fuller(chosen)


def _best(scored: list[tuple[int, Name]], least: int) -> list[Name]:
    """Return the names that score highest, and others that score almost as high and share a word with them."""
    best = max((score for score, _ in scored), default=0)
    chosen = [name for score, name in scored if score == best >= least]
    return chosen + [name for score, name in scored if score == best - 1 >= least and _shares_any(name, chosen)]


_MUCH = 3
#: With this many he, she, his, her, a letter with a clear name on top may be about another person.
_OFTEN = 4


def _is_clear(scored: list[tuple[int, Name]], tops: int) -> bool:
    """Say whether the best of the names on top (the first ones) is well above those that are another's."""
    if not tops:
        return False
    best = max(scored[:tops], key=lambda candidate: candidate[0])
    rivals = [score for score, name in scored if not set(name.tokens) & set(best[1].tokens)]
    return best[0] >= CLEAR and best[0] > max(rivals, default=0) + 1


def _shares_any(name: Name, others: Iterable[Name]) -> bool:
    """Say whether a name shares a token that is no common word with one of others."""
    words = name_words()
    mine = {token for token in name.tokens if len(token) > 1}
    for other in others:
        shared = mine & set(other.tokens)
        if any(token not in words for token in shared) or len(shared) > 1:
            return True
    return False


def _is_fuller(name: Name, person: list[Name]) -> bool:
    """Say whether a name is a fuller form of an accepted one."""
    tokens = set(name.tokens)
    return any(set(other.tokens) < tokens and len(name.tokens) <= len(other.tokens) + 3 for other in person)


def _adds(name: Name, person: list[Name]) -> bool:
    """Say whether the new tokens of a name may be names: not `Will Young, Singer`."""
    known = {token for other in person for token in other.tokens}
    added = [token for token in name.tokens if token not in known]
    return not any(
        names_own.is_job(token) or (is_ordinary(token) and no_names().get(token) != "other") for token in added
    )


def _worth(name: Name, folded: FoldedText) -> bool:
    """Say whether a file's or its metadata's name is one: listed, or standing in the text with a capital."""
    if any(token in given_names() or token in surnames() for token in name.tokens):
        return True
    return all(_is_capitalised(token, folded) for token in name.tokens)


def _is_capitalised(word: str, folded: FoldedText) -> bool:
    """Say whether a word has a capital in a text, outside of addresses and firms' names."""
    for place in (*folded.where.get(word, ()), *folded.where.get(f"{word}'s", ())):
        _, start, end = folded.words[place]
        if not folded.text[start].isupper() or _IN_ADDRESS.match(folded.text, end) is not None:
            continue
        if (
            folded.text[max(0, start - 1) : start] in _BEFORE_HOST
            or AROUND_WORDS.organisation_after.match(folded.text, end) is not None
        ):
            continue
        following = folded.words[place + 1] if place + 1 < len(folded.words) else ("", 0, 0)
        goes_on = folded.text[end : following[1]] == " " and folded.text[following[1] : following[1] + 1].isupper()
        if not (goes_on and is_ordinary(following[0])):
            return True
    return False


_IN_ADDRESS = lazy_re(r"\.[a-z]{2}|[@_/]|-\w")
_BEFORE_HOST = frozenset("@/._")


def _from_addresses(folded: FoldedText, evidence: names_own.Evidence, person: list[Name]) -> list[Name]:
    """Return words of the text that an address is made of: any where there is no other name, or a name's others.

    Also frequent names in an e-mail's local part, where there is no other name.
    """
    names = []
    known = {token for name in person for token in name.tokens if len(token) >= _SHORTEST_IN_ADDRESS}
    for local in (*evidence.locals, *evidence.handles):
        parts = [part for part in _LETTERS.findall(local) if len(part) > 1]
        parts = [part for part in parts if not any(token in part for token in known)]
        listed = [part for part in parts if part in given_names() or part in surnames()] if not person else []
        written = [word for word in _words_of_address(folded, parts) if _is_capitalised(word, folded)]
        chosen = dict.fromkeys([*listed, *written])
        if chosen:
            names.append(name_of(" ".join(part.title() for part in chosen)))
    return names


def _words_of_address(folded: FoldedText, parts: list[str]) -> list[str]:
    """Return the words of a text that a local part begins or ends with, if its rest is a word or an initial."""
    if not parts:
        return []
    places = folded.where
    within = {
        part[start:end]
        for part in parts
        for start in range(len(part))
        for end in range(start + _SHORTEST_IN_ADDRESS, len(part) + 1)
    }
    listed = {word for word in within if word in places}.union(folded.words[place][0] for place in folded.elided)
    words = [
        (word, letters)
        for word in sorted(listed, key=places.__getitem__)
        if (letters := word.removesuffix("'s").replace("'", "")) in within
        and not (is_ordinary(letters) or letters in english_words())
    ]
    result = []
    for part in parts:
        for word, letters in words:
            rest = part.removeprefix(letters) if part.startswith(letters) else part.removesuffix(letters)
            explained = len(rest) < len(part) and (len(rest) <= 1 or rest in folded.where)
            if explained or (len(letters) > _LONG_IN_ADDRESS and letters in part):
                result.append(word.removesuffix("'s"))
    return result


_SHORTEST_IN_ADDRESS, _LONG_IN_ADDRESS = 3, 4
_LETTERS = lazy_re(r"[^\W\d_]+")


def _distinct(names: Iterable[Name]) -> list[Name]:
    """Return names once each, those that add nothing left out."""
    distinct: list[Name] = []
    parts: list[tuple[frozenset[str], frozenset[str]]] = []
    for name in names:
        tokens, particles = frozenset(name.tokens), name.particles
        if tokens and not any(tokens <= others and particles <= other_particles for others, other_particles in parts):
            distinct.append(name)
            parts.append((tokens, particles))
    return distinct
