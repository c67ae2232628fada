"""The person's name in another spelling: `Juergen` of Jürgen, `Xiao Ming` of Xiaoming."""

from collections.abc import Iterable, Iterator
from itertools import product

from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import english_words
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["respelled"]

#: What an umlaut and its like are typed as; the folded view has the bare letter.
_TYPED = {"a": ("a", "ae", "aa"), "o": ("o", "oe"), "u": ("u", "ue")}
_TYPED_OUT = (("ue", "u"), ("oe", "o"), ("ae", "a"), ("aa", "a"))
_SHORTEST, _LONGEST, _SHORTEST_PART, _MOST_VOWELS = 4, 40, 2, 4


def respelled(folded: FoldedText, person: Iterable[Name]) -> list[Name]:
    """Return words of a text that are a token of the person's name with its umlauts typed out, or in two parts.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Signed: Juergen. Asked for Xiao Ming. A rose.")
    >>> [name.text for name in respelled(seen, [name_of("Jurgen Xiaoming"), name_of("Ros Key")])]
    ['Juergen', 'Xiao Ming']
    """
    own = dict.fromkeys(token for name in person for token in name.tokens if _SHORTEST <= len(token) <= _LONGEST)
    found = []
    for token in own:
        typed = [word for word in (*_typed_out(token), *_bare(token)) if word in folded.where and word not in own]
        found += [name_of(each.title()) for each in typed if kind_of(each) == "name" and each not in english_words()]
        found += [name_of(written) for written in _in_parts(folded, token)]
    return found


def _typed_out(token: str) -> Iterator[str]:
    """Yield a token with some of its vowels typed out as umlauts are."""
    if sum(letter in _TYPED for letter in token) > _MOST_VOWELS:
        return
    ways = product(*(_TYPED.get(letter, letter) for letter in token))
    next(ways)  # the token itself
    yield from map("".join, ways)


def _bare(token: str) -> Iterator[str]:
    """Yield a token with its typed umlauts as bare letters, as the folded view has them: jurgen of Juergen."""
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
