"""Candidates for the person's own name: header, blocks, sign-off, footers, file name, other spellings.

`Evidence` holds what supports a name besides its place: e-mail local parts, profile handles, file name and
metadata. `respelled` finds `Juergen` for Jürgen, `native_script_names` names in scripts other than Latin.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText, folded_word, word_list
from evenhand.masking.layout import Layout, Line
from evenhand.masking.names import word_kinds
from evenhand.masking.names.parts import PARTICLES, Name, capitalised, name_of
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

#: How umlauts and similar letters are typed; the normalised text has the bare letter.
_TYPED = {"a": ("a", "ae", "aa"), "o": ("o", "oe"), "u": ("u", "ue")}
_TYPED_OUT = (("ue", "u"), ("oe", "o"), ("ae", "a"), ("aa", "a"))
_SHORTEST, _LONGEST, _SHORTEST_PART, _MOST_VOWELS = 4, 40, 2, 4


def respelled(folded: FoldedText, person: Iterable[Name]) -> list[Name]:
    """Return words of a text that are a token of the person's name with its umlauts typed out, or in two parts.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Signed: Juergen. Asked for Xiao Ming. A rose.")
    >>> [name.text for name in respelled(seen, [name_of("Jurgen Xiaoming"), name_of("Ros Key")])]
    ['Juergen', 'Xiao Ming']
    """
    tokens = dict.fromkeys(token for name in person for token in name.tokens if _SHORTEST <= len(token) <= _LONGEST)
    names = []
    for token in tokens:
        typed = [word for word in (*_typed_out(token), *_bare(token)) if word in folded.where and word not in tokens]
        names += [
            name_of(word.title())
            for word in typed
            if word_kinds.kind_of(word) == "name" and word not in word_kinds.english_words()
        ]
        names += [name_of(written) for written in _in_parts(folded, token)]
    return names


def _typed_out(token: str) -> Iterator[str]:
    """Yield a token with some of its vowels typed out as umlauts are."""
    if sum(letter in _TYPED for letter in token) > _MOST_VOWELS:
        return
    ways = product(*(_TYPED.get(letter, letter) for letter in token))
    next(ways)  # the token itself
    yield from map("".join, ways)


def _bare(token: str) -> Iterator[str]:
    """Yield a token with its typed umlauts as bare letters, as in normalised text: jurgen of Juergen."""
    bare = token
    for typed, letter in _TYPED_OUT:
        if typed in token:
            bare = bare.replace(typed, letter)
            yield token.replace(typed, letter)
            yield bare


def _in_parts(folded: FoldedText, token: str) -> Iterator[str]:
    """Yield the two words with a capital each, side by side, that are one token together."""
    text, words = folded.text, folded.words
    for cut in range(_SHORTEST_PART, len(token) - _SHORTEST_PART + 1):
        if token[cut:] not in folded.where:
            continue
        for place in folded.where.get(token[:cut], ()):
            _, start, end = words[place]
            following = words[place + 1] if place + 1 < len(words) else ("", 0, 0)
            if (
                following[0] == token[cut:]
                and following[1] == end + 1
                and text[end] in " -"
                and text[start].isupper()
                and text[following[1]].isupper()
            ):
                yield text[start : following[2]]
                break


OWN_NAME_WORDS = WordTable("evenhand.masking.names", "own.toml")

_LOCAL = lazy_re(
    r"([\w.+'-]{2,64}+)(?: ?(?:@|\[at\]|\(at\)) ?| at (?=[\w-]*[a-z][\w-]*(?:\.[a-z]{2}| dot [a-z]{2})))",
    re.IGNORECASE,
)
_HOST = lazy_re(r"[\w-]+(?:\.[a-z]{2}| dot [a-z]{2})")
_CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
_HYPHEN = lazy_re(r"(?<![a-z])([A-Z][a-z]+)-([a-z]+)(?![a-z-])")
_SHORTEST_EVIDENCE = 3


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Local parts, handles and names given with the file; `agreement` scores a name against them."""

    locals: tuple[str, ...]
    handles: tuple[str, ...]
    file_name: Name | None
    metadata: tuple[Name, ...]

    def agreement(self, name: Name) -> int:
        """Return how much speaks for a name: 3 for a file name, 3 for metadata."""
        score = 3 if self.file_name is not None and _shares(name, self.file_name) else 0
        return score + (3 if any(_shares(name, other) for other in self.metadata) else 0)


def evidence_of(folded: FoldedText, *, file_name: str | None, metadata: tuple[str, ...]) -> Evidence:
    """Return the evidence of a document's addresses, file name and metadata for the person's name."""
    low = folded.low
    local_parts = []
    for mark in _at_marks(folded):
        match = _LOCAL.search(low, max(0, mark - _FAR), mark + _FAR)
        if match is not None:
            local_parts.append(match.group(1))
    handles = [
        match.group(1) or match.group(2)
        for piece in _address_pieces(low)
        if len(piece) > _SHORTEST_EVIDENCE + 3
        and "@" not in piece
        and ("in/" in piece or OWN_NAME_WORDS.domain.search(piece) is not None)
        for match in OWN_NAME_WORDS.profile.finditer(piece)
    ]
    return Evidence(
        locals=tuple(dict.fromkeys(local_parts)),
        handles=tuple(dict.fromkeys(handle for handle in handles if handle not in OWN_NAME_WORDS.generic)),
        file_name=None if file_name is None else name_in_file_name(file_name),
        metadata=tuple(name for name in map(name_of, metadata) if name.tokens),
    )


def _at_marks(folded: FoldedText) -> Iterator[int]:
    """Yield where an address may have its mark: `@`, `[at]`, ` at ` before a host."""
    low = folded.low
    place = low.find("@")
    while place >= 0:
        yield place
        place = low.find("@", place + 1)
    for word in folded.where.get("at", ()):
        _, start, end = folded.words[word]
        mark = low[start - 1 : end + 1]
        if mark in _BRACKETED_AT or (mark == " at " and _HOST.match(low, end + 1) is not None):
            yield start - 1


_BRACKETED_AT = frozenset({"[at]", "(at)"})
_FAR = 40


def _address_pieces(low: str) -> Iterator[str]:
    """Yield words that may be an address: with a dot between letters, or in/."""
    for mark in _INSIDE_ADDRESSES if "in/" in low else _INSIDE_ADDRESSES[:1]:
        done = 0
        for match in mark.finditer(low):
            begin = match.start()
            if begin < done:
                continue
            before = low[max(0, begin - _LONGEST_PIECE) : begin]
            if before and not before[-1].isspace():
                begin -= len(before.rsplit(maxsplit=1)[-1])
            piece = low[begin : begin + _LONGEST_PIECE].split(maxsplit=1)[0]
            done = begin + len(piece)
            yield piece


_INSIDE_ADDRESSES = (lazy_re(r"\.(?=[^\W_])"), lazy_re(r"in/(?=[^\W_])"))
_LONGEST_PIECE = 300


def is_made_of(part: str, tokens: Sequence[str]) -> bool:
    """Say whether an address consists of a name's tokens, apart from initials and words such as design.

    >>> is_made_of("whitfieldk", ["whitfield"]), is_made_of("whitfieldk", ["field"])
    (True, False)
    """
    rest, matched = part, 0
    for token in sorted(tokens, key=len, reverse=True):
        if (
            len(token) >= _SHORTEST_EVIDENCE
            and token in rest
            and not (len(token) == _SHORTEST_EVIDENCE and token in rest[1:-1])
        ):
            rest, matched = rest.replace(token, " ", 1), matched + len(token)
    pieces = rest.split()
    return matched > 0 and (
        sum(map(len, pieces)) <= 2
        or all(len(piece) <= 1 or piece in OWN_NAME_WORDS.generic for piece in pieces)
        or sum(token in part for token in tokens if len(token) >= _SHORTEST_EVIDENCE) > 1
    )


def _shares(name: Name, other: Name) -> bool:
    mine = {*name.tokens, *name.others}
    return any(token in mine for token in other.tokens) or any(token in name.joined for token in other.tokens)


def name_in_file_name(file_name: str) -> Name | None:
    """Return the name in a file name, None where there is none.

    >>> name_in_file_name("Latoya_Washington_CV_final.docx").tokens
    ('latoya', 'washington')
    """
    stem = re.split(r"[/\\]", file_name)[-1]
    stem = re.sub(r"(?:\.\w{1,5})+$", "", stem)
    words = [
        word
        for word in re.split(r"[\W\d_]+", _CAMEL.sub(" ", _HYPHEN.sub("\\1\u02d0\\2", stem.replace("'", "\u02bc"))))
        if word and folded_word(word) not in OWN_NAME_WORDS.file_words
    ]
    # An apostrophe, and the hyphen of Shuk-han, were kept as letters.
    words = [word.replace("\u02bc", "'").replace("\u02d0", "-") for word in words]
    name = name_of(" ".join(words[:5]))
    return name if any(len(token) > 1 for token in name.tokens) else None


def file_names_in(folded: FoldedText) -> list[Name]:
    """Return names in file names that a text mentions, CVs and letters only."""
    low = folded.low
    names: list[Name] = []
    if _ending().search(low) is None:
        return names
    for ending in OWN_NAME_WORDS.endings:
        place = low.find(ending)
        while place >= 0:
            match = _STEM.search(folded.text[max(0, place - _LONGEST_STEM) : place])
            if match is not None:
                words = {folded_word(word) for word in re.split(r"[\W\d_]+", _CAMEL.sub(" ", match.group()))}
                name = name_in_file_name(match.group() + ending) if words & OWN_NAME_WORDS.letters else None
                if name is not None and (
                    len(name.tokens) > 1
                    or set(name.tokens) & word_kinds.given_names()
                    or len(folded.where.get(name.tokens[0], ())) > 1
                ):
                    names.append(name)
            place = low.find(ending, place + 1)
    return names


@cache
def _ending() -> re.Pattern[str]:
    return lazy_re(r"\.(?:" + "|".join(ending[1:] for ending in OWN_NAME_WORDS.endings) + ")")


_STEM = lazy_re(r"[^\W\d_][\w'.-]*$")
_LONGEST_STEM = 80

#: Any few words before a comma at a line's end, greetings aside.
_PERHAPS_CLOSING = lazy_re(r"(?!dear|hi|hello|to|good|hey)[a-z]+(?: [a-z]+){0,3},")


@cache
def _closing_words() -> frozenset[str]:
    return word_list(OWN_NAME_WORDS.closing_words)


_PAGE_WORDS = lazy_re(
    r"(?:\bpage\b|\bp\.)?[ ]*\d+(?:[ ]*(?:/|of)[ ]*\d+)?|\bcontinued\b|\bconfidential\b|\bresume\b|"
    r"\bcv\b|\bcurriculum vitae\b|\bpage\b",
    re.IGNORECASE,
)
_PAGE_HINTS = ("page", "continued", "confidential", "p. ")
_PAGE_NUMBER = lazy_re(r"\bp(?:age|\.)[ ]*\d|\d[ ]*(?:/|of)[ ]*\d|continued|confidential")
_FIRST_LINES = 12


class Candidate(NamedTuple):
    """A name somewhere, and how strongly the place speaks for it; `sure`: the place says that it is a name."""

    name: Name
    score: int
    sure: bool = False


def near_the_top(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return candidates in the block before the first section; the first line scores most."""
    candidates: list[Candidate] = []
    seen = 0
    for number, line in enumerate(layout.lines):
        if line.heading:
            if seen:
                break
            continue
        if seen >= _FIRST_LINES or line.section in {"education", "languages"}:
            break
        text = folded.text[line.start : line.end]
        text = _TAG.sub("  ", text).strip() if "<" in text else text
        pieces = _line_pieces(folded, layout, number, text)
        if not seen and pieces and len(text) > LONGEST_LOST:
            pieces = [_beginning(pieces[0]), *(piece for piece in pieces[1:] if len(piece) < _LONGEST_CANDIDATE)]
        for place, piece in enumerate(pieces):
            candidate = _in_header(piece, line=seen, piece=place)
            if candidate is None:
                continue
            bonus = not place and (
                _is_before_a_job(pieces) or (seen < _TOP and _below(folded, layout.lines, number) > 0)
            )
            candidates.append(candidate._replace(score=candidate.score + bonus))
        if _is_title_line(text):
            continue
        seen += 1
    return candidates


def _line_pieces(folded: FoldedText, layout: Layout, number: int, text: str) -> list[str]:
    """Return the pieces of a line; a name that is spaced out or stacked is one piece."""
    line = layout.lines[number]
    joined = [word for word, start, _ in layout.spaced if line.start <= start < line.end] if layout.spaced else []
    if joined and len(text) <= LONGEST_LOST:
        return [" ".join(word.title() for word in joined)]
    pieces = [text[start:end] for start, end in word_kinds.segments(text)]
    if 1 < len(pieces) < 5 and _WIDE.fullmatch(text) is not None:
        pieces.insert(0, " ".join(text.split()))  # blanks doubled by a text recogniser
    if len(pieces) == 1 and " " not in text:
        pieces = [_stacked(folded, layout.lines, number)[1]]
    return pieces


def _beginning(text: str) -> str:
    """Return the words with which a text that has lost its lines begins, up to a town, a job or any other word."""
    words: list[str] = []
    for word in text.split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]:
        if words and (word_kinds.is_town(word) or _is_place(word) or is_job(word.lower()) or not word[0].isupper()):
            break
        if words and word_kinds.is_ordinary(word.lower()):
            break
        words.append(word)
    return " ".join(words)


def _is_before_a_job(pieces: list[str]) -> bool:
    """Say whether a job follows the first piece of a line."""
    return len(pieces) > 1 and any(map(is_job, pieces[1].lower().split()[:3]))


def _is_title_line(text: str) -> bool:
    """Say whether a line only says what the document is."""
    words = text.lower().strip(" :.-_*#").split()
    return set(map(word_kinds.no_names().get, words)) <= {"section"}


#: The penalty of a header of ordinary words only: `Skill Matrix`.
_PLAIN_WORDS = 4


def _in_header(text: str, *, line: int, piece: int) -> Candidate | None:
    head = text.partition(",")[0]
    if (len(head) > _LONGEST_CANDIDATE and "  " not in head) or _NO_NAME.search(head) is not None:
        return None
    text = word_kinds.uncredentialled(unprefixed(text.strip(' *#_=-.:\t[]~+"\u201c\u201d')))
    last_first = word_kinds.inverted(text)
    if not last_first:
        text, comma, after = text.partition(",")
        if comma and _is_place(after):
            return None
    lower, mixed = text.islower(), not line and not piece and _is_mixed(text)
    plausible = last_first or word_kinds.looks_like_a_name(text, lower=lower or mixed)
    # A word of résumés may be a surname (Grace Major): then an address or the like has to agree.
    if not plausible and not (len(text.split()) > 1 and _has_another_word(text)):
        return None
    name = name_of(capitalised(text) if mixed else text)
    if not name.tokens or (len(name.tokens) == 1 and (word_kinds.is_town(text) or _is_short(text))):
        return None
    cleans = sum(map(is_clean, name.tokens))
    short = [] if plausible else [token for token in name.tokens if not is_clean(token) and _may_be_short(token)]
    score = 0 if plausible else -1 if 0 < len(short) < len(name.tokens) == len(short) + cleans else -3
    score += (3 if line == 0 else 2 if line == 1 else 1) - (1 if piece else 0)
    score += listed_score(name)
    if len(name.tokens) == 1 and not name.particles and _WITH_INITIALS.match(text) is None:
        score -= 2
    clean = cleans == len(name.tokens)
    score += clean
    if lower:
        score -= 1 if len(name.tokens) > 1 and cleans else 2
        score += not clean and cleans > 0
    kinds = [word_kinds.name_words().get(token) for token in name.tokens]
    if all(kind in {"place", "tool", "organisation", "month"} for kind in kinds):
        score -= 2
    score -= _PLAIN_WORDS * all(map(word_kinds.is_ordinary, name.tokens))
    if text.isupper() and line < 3 and len(name.tokens) > 1:
        score += 1
    return Candidate(name=name, score=score)


def _is_mixed(text: str) -> bool:
    """Say whether two to four words, none of them an ordinary one, have capitals in part: `Ewa nowicka`.

    >>> _is_mixed("Ewa nowicka"), _is_mixed("Managed projects"), _is_mixed("Ana de Sousa")
    (True, False, False)
    """
    words = [word for word in text.split() if word not in PARTICLES]
    small = sum(map(str.islower, words))
    return (
        1 < len(words) < 5 and 0 < small < len(words) and all(_is_listed_or_clean(folded_word(word)) for word in words)
    )


def _is_listed_or_clean(word: str) -> bool:
    listed = word in word_kinds.given_names() or word in word_kinds.surnames()
    return is_clean(word) or (listed and not word_kinds.is_ordinary(word))


def _may_be_short(token: str) -> bool:
    return word_kinds.no_names().get(token, "other") == "other"


def unprefixed(text: str) -> str:
    """Return a line without a document's title, a label or a person's title before a name.

    >>> unprefixed("Resume of Dr. Jane Doe")
    'Jane Doe'
    """
    match = OWN_NAME_WORDS.prefix.match(text)
    return text if match is None else text[match.end() :]


_MOST_WORDS = 6
#: A line that is longer has lost its breaks.
LONGEST_LOST = 200
#: The longest name with a document's title before it, and characters that neither has.
_LONGEST_CANDIDATE, _NO_NAME = 90, lazy_re(r"[\d@%=<>{}$?!]")


def _is_short(text: str) -> bool:
    """Say whether a single word is an abbreviation by its length."""
    return text.isupper() and len(text) < _SHORTEST_IN_CAPITALS


_SHORTEST_IN_CAPITALS = 5


def is_clean(token: str) -> bool:
    """Say whether a word is no other word by the lists."""
    return not (
        word_kinds.is_ordinary(token) or token in word_kinds.english_words() or token in word_kinds.name_words()
    )


_TAG = lazy_re(r"</?[A-Za-z][^<>]{0,60}>")
_WIDE = lazy_re(r"[^\W\d_][\w.'-]*(?: {2,3}[^\W\d_][\w.'-]*){1,3}")
_TOP = 3
_WITH_INITIALS = lazy_re(r"[A-Z]\.[ ]?")


def _is_place(text: str) -> bool:
    words = text.split()
    return bool(words) and all(
        word_kinds.no_names().get(word.lower().strip(".")) == "place" or (len(word) == 2 and word.isupper())
        for word in words[:2]
    )


def _has_another_word(text: str) -> bool:
    words = text.lower().split()
    return (len(words) < 4 and word_kinds.looks_like_a_name(text, loose=True)) or (
        len(words) == 2
        and any(word_kinds.looks_like_a_name(word) for word in text.split())
        and text.replace(" ", "").isalpha()
    )


def listed_score(name: Name) -> int:
    """Return 2 for a frequent given name and 1 for a frequent surname: a list only ever adds."""
    words = word_kinds.name_words()
    given = any(token in word_kinds.given_names() and token not in words for token in name.tokens)
    family = any(token in word_kinds.surnames() and token not in words for token in name.tokens)
    return (2 if given else 0) + (1 if family else 0)


def in_blocks(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return candidates above contact details or a job title: columns and footers may be anywhere in a text."""
    candidates: list[Candidate] = []
    lines = layout.lines
    above, below_heading = -1, True
    for place, (start, end, number, section, heading) in enumerate(lines[:-1]):
        apart = below_heading or number - above > 1
        above, below_heading = number, heading
        if not apart or heading or end - start > _LONGEST_LINE or section == "references":
            continue
        last, text = _stacked(folded, lines, place)
        if _YEAR.search(folded.low, start, lines[min(last + 3, len(lines) - 1)].end) is not None:
            continue
        around = _below(folded, lines, last)
        candidate = _in_header(text, line=1, piece=0) if around else None
        if candidate is not None:
            candidates.append(Candidate(name=candidate.name, score=candidate.score + around))
    return candidates


def _stacked(folded: FoldedText, lines: list[Line], place: int) -> tuple[int, str]:
    """Return a line, with those under it where each holds one word of a name; and the last of them."""
    text = folded.text[lines[place].start : lines[place].end]
    last = place
    if " " in text:
        return last, text
    while (
        last + 1 < len(lines)
        and last - place < _STACKED
        and lines[last + 1].number - lines[last].number == 1
        and not lines[last + 1].heading
        and " " not in (word := folded.text[lines[last + 1].start : lines[last + 1].end])
        and (word_kinds.looks_like_a_name(word) or _INITIAL.fullmatch(word) is not None or word in PARTICLES)
        and text[-1] not in ",;:"
        and not (" " in text and word.lower() in OWN_NAME_WORDS.jobs_too)
    ):
        last += 1
        text = f"{text} {word}"
    return last, text


def _below(folded: FoldedText, lines: list[Line], place: int) -> int:
    """Return 1 for a job title under a line and 1 for contact details in the next ones."""
    score = 0
    for step, line in enumerate(lines[place + 1 : place + 5]):
        low = folded.low[line.start : line.end]
        if step == 0 and len(low) < _LONGEST_LINE and any(map(is_job, low.split(maxsplit=4)[:4])):
            score += 1
        if step and line.heading and step < 3 and lines[place + 1].number > lines[place].number:
            return max(score, 1)
        if "@" in low or "linkedin" in low or _NUMBER.search(low) is not None or ("box" in low and _BOX.search(low)):
            return score + 1
    return score


def is_job(word: str) -> bool:
    """Say whether a word is a job; surnames such as Cook among them.

    >>> is_job("cook"), is_job("okafor")
    (True, False)
    """
    word = word.strip(",.|()")
    return word_kinds.no_names().get(word) == "job" or word in OWN_NAME_WORDS.jobs_too


_YEAR = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d\b")
_LONGEST_LINE, _LONGEST_CLOSING, _LONGEST_FOOTER = 60, 60, 100
_STACKED = 4
_INITIAL = lazy_re(r"[A-Z]\.?")
#: A telephone's or a postal code's.
_NUMBER = lazy_re(r"\d(?:\d{1,3}[) ./-]{1,2}\d{2,4}[ ./-]\d{2}|\d{4})")
_BOX = lazy_re(r"\bp\.?o\.? box\b")


def signed(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return names under a letter's closing, and in page footers."""
    candidates = []
    lines = layout.lines
    closings = {folded.low.count("\n", 0, folded.words[word][1]) for word in folded.places(_closing_words())}
    paged = _with_hints(folded.low)
    marked = closings | paged
    for place, (start, end, number, _, _) in enumerate(lines):
        if folded.low[end - 1] not in ",*_>" and (number not in marked or end - start > _LONGEST_FOOTER):
            continue
        may_close = number in closings
        low = folded.low[start:end].strip(" *_>")
        ends = low[-1:] == ","
        closes = (
            may_close
            and len(low) <= _LONGEST_CLOSING
            and (ends or low.count(" ") < 4 or low[-1:] in ".!")
            and OWN_NAME_WORDS.closing.match(low) is not None
        )
        if closes or (ends and place > 2 and _PERHAPS_CLOSING.fullmatch(low) is not None):
            for following in lines[place + 1 : place + 3]:
                text = word_kinds.uncredentialled(folded.text[following.start : following.end].strip(" *_-/>~\u2013"))
                pieces = word_kinds.segments(text)
                text = text[pieces[0][0] : pieces[0][1]].split(",")[0] if pieces else ""
                if text and word_kinds.looks_like_a_name(text, loose=len(text.split()) > 1):
                    name = name_of(text)
                    sure = closes or all(is_clean(token) for token in name.tokens)
                    candidates.append(Candidate(name=name, score=4, sure=sure))
                    break
        elif number in paged and place > 2 and len(low) < 90 and _PAGE_NUMBER.search(low):
            bare = _PAGE_WORDS.sub("|", folded.text[start:end])
            for first, last in word_kinds.segments(bare):
                text = bare[first:last].strip(" ,.-–:()")
                if len(text.split()) > 1 and (word_kinds.inverted(text) or word_kinds.looks_like_a_name(text)):
                    name = name_of(text)
                    repeated = any(candidate.name.tokens == name.tokens for candidate in candidates)
                    sure = repeated or all(is_clean(token) for token in name.tokens)
                    candidates.append(Candidate(name=name, score=3, sure=sure))
    return [candidate for candidate in candidates if candidate.name.tokens]


def _with_hints(low: str) -> set[int]:
    """Return the numbers of lines that may hold a page's number."""
    numbers = set()
    for hint in _PAGE_HINTS:
        place = low.find(hint)
        while place >= 0:
            numbers.add(low.count("\n", 0, place))
            place = low.find(hint, place + len(hint))
    return numbers


_SCRIPT = r"[\u0370-\u1dff\u3040-\ud7ff]"
_SCRIPT_LETTERS = rf"((?:{_SCRIPT}+[ ]?){{1,4}})"
_SCRIPT_NAME = lazy_re(
    rf"(?<![A-Za-z.'-])([A-Za-z.'-]+)\)?[ ]?[(|/]?[ ]?{_SCRIPT_LETTERS}(?=$|[)|/\n])|"
    rf"(?:^|\n)[ ]*{_SCRIPT_LETTERS}(?=\n|$|[|(])"
)
#: A run of another script that begins a line or a sentence, or follows a mark or a label.
_APART = lazy_re(
    r"(?:^|[\n.:;,?|/({<>=~*_\u00b7\"\u201c\u300c\t\]-]|\b(?i:reads|as|in|is|name|script|signature|signed|written|spelled|spelt|rendered|original|characters))"
    rf"[ *\u2022\u25aa\u27a2>-]*({_SCRIPT}+(?:[ \u30fb]{_SCRIPT}+){{0,3}})(?!\w)"
)
_SCRIPTS = lazy_re(_SCRIPT)
_TOP_LINES = 8
#: The share of letters of another script above which a text is in that script; its names are found like Latin ones.
_SHARE = 0.1
_HAN = lazy_re(r"[\u3400-\u9fff]{2,4}")
_HAN_PARTED = lazy_re(r"[\u3400-\u9fff]{1,3}[ \u30fb][\u3040-\u30ff\u3400-\u9fff]{1,4}")
_HANGUL = lazy_re(r"[\uac00-\ud7a3]{1,2}[ ]?[\uac00-\ud7a3]{1,2}")
_WORDS = lazy_re(
    r"(?:[^\W\d_]|[\u0300-\u036f\u064b-\u065f\u0900-\u0dff]){2,}(?:[ ](?:[^\W\d_]|[\u0900-\u0dff]){2,}){1,3}"
)


def native_script_names(folded: FoldedText, layout: Layout, person: Iterable[Name]) -> list[Candidate]:
    r"""Return names in other scripts: near the top, next to the person's name, or set apart in a name's shape.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Ran the archive of a mill. " * 9 + "\nPassport: 김민지\nFluent in 한국어.")
    >>> [candidate.name.text for candidate in native_script_names(seen, layout_of(seen), [])]
    ['김민지']
    """
    if not any(map(_SCRIPTS.match, folded.foreign)):
        return []
    tokens = {token for name in person for token in name.tokens}
    names = [name_of(text) for text in (*_script_names(folded, layout, tokens), *_set_apart(folded))]
    return [Candidate(name=name, score=4, sure=True) for name in names if name.tokens]


def _script_names(folded: FoldedText, layout: Layout, tokens: set[str]) -> Iterator[str]:
    top = layout.lines[min(_TOP_LINES, len(layout.lines)) - 1].end if layout.lines else 0
    for match in chain.from_iterable(_SCRIPT_NAME.finditer(folded.text, *line) for line in _lines(folded.text)):
        latin = (match.group(1) or "").lower()
        if latin in tokens or (match.start() <= top and not (tokens and latin)):
            yield match.group(2) or match.group(3)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of lines with letters of other scripts, with the breaks around them."""
    end = 0
    for letter in _SCRIPTS.finditer(text):
        place = letter.start()
        if place >= end:
            end = (text.find("\n", place) + 1) or len(text)
            yield max(0, text.rfind("\n", 0, place)), end


def _set_apart(folded: FoldedText) -> Iterator[str]:
    """Yield runs that have the shape of a name, in a text that is Latin otherwise."""
    text = folded.text
    if len(_SCRIPTS.findall(text)) > _SHARE * len(text):
        return
    for match in chain.from_iterable(_APART.finditer(text, *line) for line in _lines(text)):
        run = match.group(1)
        line = folded.low[folded.low.rfind("\n", 0, match.start(1)) + 1 : match.start(1)].rpartition(". ")[2]
        if (
            run not in OWN_NAME_WORDS.script_no_names
            and _is_shaped(run)
            and OWN_NAME_WORDS.of_things.search(line) is None
        ):
            yield run


def _is_shaped(run: str) -> bool:
    if _HAN_PARTED.fullmatch(run) is not None:
        return True
    if _HAN.fullmatch(run) is not None:
        return run[0] in OWN_NAME_WORDS.han_surnames or run[:2] in OWN_NAME_WORDS.han_double
    if _HANGUL.fullmatch(run) is not None:
        return run[0] in OWN_NAME_WORDS.hangul_surnames
    words = run.split(" ")
    cased = any(word[0].upper() != word[0].lower() for word in words)
    return _WORDS.fullmatch(run) is not None and all(word[0].isupper() or not cased for word in words)
