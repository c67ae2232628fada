"""What speaks for a name besides its place: e-mail local parts, profile addresses, file names, metadata."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import given_names
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.text.folded_text import FoldedText, folded_word
from evenhand.word_tables import WordTable

__all__ = ["OWN_NAME_WORDS", "Evidence", "evidence_of", "file_names_in", "is_made_of", "name_in_file_name"]

OWN_NAME_WORDS = WordTable("evenhand.resumes.names.own", "own.toml")

_LOCAL = lazy_re(
    r"([\w.+'-]{2,64}+)(?: ?(?:@|\[at\]|\(at\)) ?| at (?=[\w-]*[a-z][\w-]*(?:\.[a-z]{2}| dot [a-z]{2})))",
    re.IGNORECASE,
)
_HOST = lazy_re(r"[\w-]+(?:\.[a-z]{2}| dot [a-z]{2})")
_CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
_HYPHEN = lazy_re(r"(?<![a-z])([A-Z][a-z]+)-([a-z]+)(?![a-z-])")
_SHORTEST = 3


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
    """Return what a document's addresses, file name and metadata say of its person's name."""
    low = folded.low
    found = []
    for mark in _at_marks(folded):
        match = _LOCAL.search(low, max(0, mark - _FAR), mark + _FAR)
        if match is not None:
            found.append(match.group(1))
    handles = [
        match.group(1) or match.group(2)
        for piece in _pieces(low)
        if len(piece) > _SHORTEST + 3
        and "@" not in piece
        and ("in/" in piece or OWN_NAME_WORDS.domain.search(piece) is not None)
        for match in OWN_NAME_WORDS.profile.finditer(piece)
    ]
    return Evidence(
        locals=tuple(dict.fromkeys(found)),
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


def _pieces(low: str) -> Iterator[str]:
    """Yield what stands between blanks and may be an address: with a dot between letters, or in/."""
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
    """Say whether an address consists of a name's tokens, but for initials and words such as design.

    >>> is_made_of("whitfieldk", ["whitfield"]), is_made_of("whitfieldk", ["field"])
    (True, False)
    """
    rest, taken = part, 0
    for token in sorted(tokens, key=len, reverse=True):
        if len(token) >= _SHORTEST and token in rest and not (len(token) == _SHORTEST and token in rest[1:-1]):
            rest, taken = rest.replace(token, " ", 1), taken + len(token)
    left = rest.split()
    return taken > 0 and (
        sum(map(len, left)) <= 2
        or all(len(each) <= 1 or each in OWN_NAME_WORDS.generic for each in left)
        or sum(token in part for token in tokens if len(token) >= _SHORTEST) > 1
    )


def _shares(name: Name, other: Name) -> bool:
    mine = {*name.tokens, *name.others}
    return any(token in mine for token in other.tokens) or any(token in name.joined for token in other.tokens)


def name_in_file_name(file_name: str) -> Name | None:
    """Return the name in a file's name, None where nothing is left of it.

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
    found: list[Name] = []
    if _ending().search(low) is None:
        return found
    for ending in OWN_NAME_WORDS.endings:
        place = low.find(ending)
        while place >= 0:
            match = _STEM.search(folded.text[max(0, place - _LONGEST_STEM) : place])
            if match is not None:
                words = {folded_word(word) for word in re.split(r"[\W\d_]+", _CAMEL.sub(" ", match.group()))}
                name = name_in_file_name(match.group() + ending) if words & OWN_NAME_WORDS.letters else None
                if name is not None and (
                    len(name.tokens) > 1
                    or set(name.tokens) & given_names()
                    or len(folded.where.get(name.tokens[0], ())) > 1
                ):
                    found.append(name)
            place = low.find(ending, place + 1)
    return found


@cache
def _ending() -> re.Pattern[str]:
    return lazy_re(r"\.(?:" + "|".join(ending[1:] for ending in OWN_NAME_WORDS.endings) + ")")


_STEM = lazy_re(r"[^\W\d_][\w'.-]*$")
_LONGEST_STEM = 80
