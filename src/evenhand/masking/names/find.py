"""Find the names of a document: collect candidates, accept those that agree, else whom the text speaks of.

A biography, a recruiter's note or a letter of recommendation may name its person in prose only. Each mention
of capitalised words that are not ordinary ones scores: for what only people do or have (`spent nine years`,
`'s career`), for what is said to and of people (`meet`, `I recommend`), for a pronoun that follows; against
it after at, in or joined, and in lines with dates. Mentions of a part (`Okafor left`) count for the whole.
No list of names is used, so a name's origin makes no difference.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from evenhand.masking.layout import FoldedText, Layout, folded_text, layout_of
from evenhand.masking.names import own as names_own
from evenhand.masking.names import word_kinds
from evenhand.masking.names.mentions import given_places, names_given, with_capitals
from evenhand.masking.names.others import other_people, unwrapped
from evenhand.masking.names.own import OWN_NAME_WORDS, Candidate
from evenhand.masking.names.word_kinds import (
    AROUND_WORDS,
    PARTICLES,
    Name,
    Names,
    capitalised,
    english_words,
    is_frequent,
    is_ordinary,
    name_of,
    name_words,
    no_names,
)
from evenhand.patterns import lazy_re

_NAME = lazy_re(rf"(?<![\w'@/&#.-]){word_kinds.NAME}")
_TITLE = lazy_re(r"\b(?:mr|mrs|ms|mx|miss|dr|prof|professor)\.?[ ]$")
_THIRD = ("he", "she", "his", "her", "him")
_FIRST = ("i", "my", "me", "i'm", "i've")
_YEARS = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d[ ]?(?:-|to)[ ]?(?:(?:19|20)?\d\d\b|present|now|date|current)")
_FAR = 220
_LEAST, _LEAST_ALONE = 3, 4


@dataclass(frozen=True)
class Mentions:
    """The runs of capitalised words in a document, by their words: points, mentions that speak for one, openings."""

    names: dict[frozenset[str], Name] = field(default_factory=dict)
    points: Counter[frozenset[str]] = field(default_factory=Counter)
    times: Counter[frozenset[str]] = field(default_factory=Counter)
    opening: Counter[frozenset[str]] = field(default_factory=Counter)

    def of(self, name: Name) -> int:
        """Return the points of a name's mentions, whole and in part."""
        return sum(self.points[key] for key in self._within(frozenset((*name.tokens, *name.others))))

    def _within(self, whole: frozenset[str]) -> list[frozenset[str]]:
        """Return the mentions with all of their words in `whole`."""
        if len(whole) == 1:
            return [whole] if whole in self.points else []
        return [key for key in self.points if key <= whole]

    def fuller(self, names: Iterable[Name]) -> list[Name]:
        """Return mentions that hold all of a name and one or two words more."""
        wholes = [frozenset(name.tokens) for name in names]
        return [
            name
            for key, name in self.names.items()
            if self.points[key] >= 0 and any(whole < key and len(key) < len(whole) + 3 for whole in wholes)
        ]

    def agreeing(self, addresses: Iterable[str]) -> list[Name]:
        """Return whom the text speaks of, be it once, if with the first or last letter of an address."""
        ends = {
            letters[place] for address in addresses if (letters := address.strip("0123456789._-")) for place in (0, -1)
        }
        return [
            name
            for key, name in self.names.items()
            if self.points[key] > 1 and not any(map(_is_word, name.tokens)) and any(token[0] in ends for token in key)
        ]

    def candidates(self, folded: FoldedText, *, third: bool) -> list[Candidate]:
        """Return candidates for the document's subject, the best first; with `third` pronouns the first needs less."""
        candidates = []
        for key, name in self.names.items():
            parts = self._within(key)
            alone = len(key) == 1
            parts_score = sum(max(0, self.points[part]) for part in parts if part != key)
            recurs = parts_score > 1 and not any(
                map(_is_word, name.tokens)
            )  # 'as told by Ebele Okwudili', then 'Ebele lives'
            sure = recurs or sum(self.times[part] for part in parts) > 1
            opening = 0 if alone else self.opening[key]
            score = self.of(name) - (_LEAST_ALONE if alone else _LEAST) - _written_small(folded, key)
            if score + (third or recurs or opening > 1) >= 0 and (sure or opening or (third and not alone)):
                candidates.append(Candidate(name=name, score=score, sure=sure))
        candidates.sort(key=lambda candidate: (-candidate.score, -len(candidate.name.tokens)))
        return candidates[:1] + [candidate for candidate in candidates[1:] if candidate.score > 0 and candidate.sure]


def is_in_third_person(folded: FoldedText, *, least: int = 2) -> bool:
    """Say whether a document is about somebody: he, she, his, her so often, and more often than I and my."""
    words = folded.where
    third = sum(len(words.get(word, ())) for word in _THIRD)
    return third >= least and third > sum(len(words.get(word, ())) for word in _FIRST)


def mentions_of(folded: FoldedText) -> Mentions:
    r"""Return the points of a document's capitalised words.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = mentions_of(folded_text("Meet Ebele Okwudili. Ebele spent two years at Kestrel.\nKestrel, 2001 - 2005"))
    >>> seen.of(name_of("Ebele Okwudili")), seen.of(name_of("Kestrel")) < 0
    (4, True)
    """
    low, text = folded.low, unwrapped(folded.text)
    mentions = Mentions()
    words: list[tuple[str, int, int]] = []
    for match in _NAME.finditer(text):
        start, end = match.span()
        if not _is_plain(low[start:end]):
            start, end = _trimmed(text, start, end)
        named = text[start:end]
        if _is_plain(low[start:end]) or not _may_be_a_name(named):
            words.append((low[start:end], start, end))
            continue
        name, points = name_of(named), _points(text, low, start, end)
        key = frozenset(name.tokens)
        if start == 0 and points > 0 and (name.tokens[0] in word_kinds.given_names() or not any(map(_is_word, key))):
            points += 2  # 'Grace Bell secured': a text begins with whom it is about
        mentions.names.setdefault(key, name)
        mentions.points[key] += points
        mentions.times[key] += points > 0
        if start < _OPENING_LENGTH and (start == 0 or text[start - 2 : start] in _BEGINNINGS):
            mentions.opening[key] += max(0, points)
    parts = frozenset().union(*mentions.names)
    for word, start, end in words:
        if word in parts:  # 'Pearl began' counts for Pearl Major
            mentions.points[frozenset({word})] += max(0, _points(text, low, start, end))
    return mentions


_OPENING_LENGTH = 400
_BEGINNINGS = frozenset({". ", ", ", ": ", "\n\n", '."', "! "})


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a mention without the words before a name: `When Grace`, `Director Grace Page`; and without 's."""
    words, kinds = text[start:end].split(" "), word_kinds.no_names()
    jobs = [place for place, word in enumerate(words[:-1], 1) if kinds.get(word.lower()) == "job"]
    cut = jobs[-1] if jobs else 0
    while cut < len(words) - 1 and _is_before(words[cut]):
        cut += 1
    possessive = words[-1].endswith("'s")
    if words[cut:-1] == ["My"] and (possessive or text.startswith("'s", end)):
        cut += 1
    return start + sum(len(word) + 1 for word in words[:cut]), end - 2 if possessive else end


def _is_before(word: str) -> bool:
    low = word.lower().rstrip(".,")
    if low in word_kinds.name_words() or low in _WEEKDAYS or low in PARTICLES:
        return False
    return len(low) > 1 and (word_kinds.is_ordinary(low) or low in OWN_NAME_WORDS.no_names)


_WEEKDAYS = frozenset(f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))


@lru_cache(maxsize=4096)
def _may_be_a_name(text: str) -> bool:
    """Say whether no word is an ordinary one, and not all are tools, towns or firms."""
    tokens, others = name_of(text).tokens, word_kinds.no_names()
    if not tokens:
        return False
    first, several = tokens[0], len(tokens) > 1
    small = first in OWN_NAME_WORDS.pronouns or first in PARTICLES or others.get(first) == "other"
    if not several and (small or (text.isupper() and len(text) < 5)):
        return False
    ordinary = [token for token in tokens if word_kinds.is_ordinary(token) or token in OWN_NAME_WORDS.no_names]
    if ordinary:
        # One word of several may be ordinary where another is none: `Friday Okon`, `Nhat Ton That`.
        clean = several and any(token in word_kinds.given_names() or not _is_word(token) for token in tokens)
        if not clean or any(
            token not in word_kinds.name_words() and others.get(token, "other") != "other" for token in ordinary
        ):
            return False
    kinds = {word_kinds.name_words().get(token) for token in tokens}
    listed = len(kinds) > 1 and first in word_kinds.given_names()
    return listed or not kinds <= {"place", "tool", "organisation", "month"}


def _is_plain(text: str) -> bool:
    return text.isalpha() and word_kinds.is_ordinary(text)


def _is_word(token: str) -> bool:
    return word_kinds.is_ordinary(token) or token in word_kinds.english_words() or token in word_kinds.name_words()


def _points(text: str, low: str, start: int, end: int) -> int:
    """Return the points for a person in the context of a mention."""
    line = _head(low, start, end)
    dated = ("19" in line or "20" in line) and _YEARS.search(line) is not None and text[end : end + 1] != ":"
    if dated or AROUND_WORDS.organisation_after.match(text, end) is not None:
        return -3
    near, left = max(0, start - 12), max(0, start - _LONGEST_CUE)
    cued = _CUED.search(low, near, start) is not None
    points = 0
    if not cued:
        pass  # at the beginning of a line, in brackets
    elif _TITLE.search(low, near, start) is not None:
        points = 3
    elif (
        low[left:start].rstrip(": \n").endswith(OWN_NAME_WORDS.said_ends)
        and OWN_NAME_WORDS.said_of_people.search(low, left, start) is not None
    ):
        points = 2
    elif OWN_NAME_WORDS.thing_before.search(low, near, start) is not None:
        points = -2
    acts = 0
    if _GOES_ON.match(text, end) is not None:
        verbs = (AROUND_WORDS.verb, AROUND_WORDS.does, OWN_NAME_WORDS.has)
        human = OWN_NAME_WORDS.human.match(text, end) is not None
        acts = 2 if human else int(any(verb.match(text, end) is not None for verb in verbs))
    if acts or (cued and OWN_NAME_WORDS.maybe_people.search(low, near, start) is not None):
        points += acts + (OWN_NAME_WORDS.pronoun.search(low, end, end + _FAR) is not None)
    return points


#: Beginnings of activities.
_GOES_ON = lazy_re(r"[ \t,'?!](?!(?<= )[A-Z])")
_CUED = lazy_re(r"[ :]\n?$")
_LONGEST_HEAD, _LONGEST_CUE = 110, 28


def _head(low: str, start: int, end: int) -> str:
    """Return the line of a mention if it is as short as a job's head, else ""."""
    begin, stop = max(0, end - _LONGEST_HEAD), start + _LONGEST_HEAD
    first, last = low.rfind("\n", begin, start) + 1, low.find("\n", end, stop)
    if (not first and begin) or (last < 0 and stop < len(low)):
        return ""
    line = low[first : last if last >= 0 else len(low)]
    return line if len(line) < _LONGEST_HEAD else ""


def _written_small(folded: FoldedText, tokens: frozenset[str]) -> int:
    """Return how much more has to speak for words that the document writes with a small letter too."""
    small = 0
    for token in tokens:
        if word_kinds.is_frequent(token):
            continue
        places = folded.where.get(token, ())
        small += any(folded.text[folded.words[place][1]].islower() for place in places)
    return 2 * small if small == len(tokens) else small


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
    if any(map(is_frequent, name.tokens)):
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
        listed = [part for part in parts if is_frequent(part)] if not person else []
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
