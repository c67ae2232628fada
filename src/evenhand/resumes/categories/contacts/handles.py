"""Handles: @jdoe as an item of its own among contact details, after a network's name, after words that tell one.

Kept: annotations of code (@Override), a name mentioned in a sentence of work.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import english_words
from evenhand.resumes.names.parts import Name
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Layout
from evenhand.word_tables import WordTable

__all__ = ["CONTACT_WORDS", "handles", "own_handles"]

CONTACT_WORDS = WordTable("evenhand.resumes.categories.contacts", "contacts.toml")

_AT = lazy_re(r"@[a-z_][\w.-]{1,38}(?<![.-])")
_BEFORE = lazy_re(r"(?:^|[\n|•·,;:([`/>\"\t]|[ ]{2}|[-●○■□▪])[ ]?$")
_AFTER = lazy_re(r"[ ]*(?:$|[\n|•·,;)\]`/<\"\t]|[ ]{2}|[.](?:\s|$)|-[ ])")


@cache
def _network_words() -> frozenset[str]:
    return word_list(CONTACT_WORDS.handles_network)


_ON_WORDS = frozenset({"on", "at", "the"})
_LONGEST_NETWORK = 12
_LIVE = lazy_re(r"(?<![\w.])live:(?=[\w.]*[._\d])[.\w-]{3,48}\w|(?<![\w.])live:\.cid\.\w+")
_ITEM_BEFORE = lazy_re(r"(?:^|[\n|\u2022\u00b7,;(*-]|[ ]{2})[ ]{0,2}$")
#: `u/jdoe` of Reddit.
_REDDIT = lazy_re(r"(?<![\w./])/?u/(?=[\w-]*[a-z])[\w-]{3,20}(?![\w/])")


@cache
def _user_words() -> frozenset[str]:
    return word_list(CONTACT_WORDS.handles_user)


_NEAR = 60


def handles(folded: FoldedText, layout: Layout) -> list[tuple[int, int]]:
    """Return where handles stand.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("jo@x.org, @jo_koba, Skype name live:jo.koba; uses @Override, pinged @team daily")
    >>> [seen.text[start:end] for start, end in handles(seen, layout_of(seen))]
    ['@jo_koba', 'live:jo.koba']
    """
    low, words = folded.low, folded.words
    found = list(_with_at(low, layout)) if "@" in low else []
    if "live:" in low:
        found += [match.span() for match in _LIVE.finditer(low)]
    if "ago" in folded.where:
        found += [match.span(1) for match in CONTACT_WORDS.posted.finditer(low)]
    for place in folded.places(_network_words()):
        _, start, end = words[place]
        matches = [CONTACT_WORDS.named.match(low, start), CONTACT_WORDS.path.match(low, start)]
        item = CONTACT_WORDS.item.match(low, start)
        if item is not None and _is_item(folded, item):
            matches.append(item)
        if place and words[place - 1][0] in _ON_WORDS:
            matches += CONTACT_WORDS.on_network.finditer(low, max(0, start - _NEAR), end + _LONGEST_NETWORK)
        for match in matches:
            if match is not None:
                handle = match.span(match.lastindex or 0)
                if low[slice(*handle)] not in CONTACT_WORDS.no_handle and not _is_mail(low, match.end()):
                    found.append(handle)
    if "u/" in low:
        found += [match.span() for match in _REDDIT.finditer(low)]
    found += _users(folded)
    return sorted(set(found))


def _is_item(folded: FoldedText, match: re.Match[str]) -> bool:
    """Say whether a network begins an item and what follows is written as users' names are."""
    start, end = match.span(match.lastindex or 0)
    before = _ITEM_BEFORE.search(folded.low, max(0, match.start() - 4), match.start())
    return before is not None and folded.text[start:end].islower()


def own_handles(folded: FoldedText, person: Iterable[Name]) -> list[Found]:
    """Return handles with a word of the person's name, of four letters or more, wherever they stand: `@the_okonkwo`.

    >>> from evenhand.resumes.names.parts import name_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Build notes on @the_okonkwo; fixed @Override")
    >>> [seen.text[found.start : found.end] for found in own_handles(seen, [name_of("Ada Okonkwo")])]
    ['@the_okonkwo']
    """
    low, found = folded.low, []
    place = low.find("@")
    parts = {form for name in person for form in name.forms if len(form) >= _SHORTEST_PART} if place >= 0 else ()
    while place >= 0:
        match = _AT.match(low, place) if not low[place - 1 : place].isalnum() else None
        if (
            match is not None
            and match.group() not in CONTACT_WORDS.annotations
            and not _is_mail(low, match.end())
            and any(part in match.group() for part in parts)
        ):
            found.append(Found(*match.span(), "URL", "own handle", 0.95))
        place = low.find("@", place + 1)
    return found


_SHORTEST_PART = 4


def _is_mail(low: str, end: int) -> bool:
    return low[end : end + 1] == "@"


def _users(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield the names behind a label of user names."""
    low = folded.low
    for place in folded.places(_user_words()):
        label = CONTACT_WORDS.users.match(low, folded.words[place][1])
        user = CONTACT_WORDS.user.match(low, label.end()) if label is not None else None
        while user is not None:
            word = user.group(1)
            if word not in CONTACT_WORDS.no_handle and word not in english_words() and not _is_mail(low, user.end(1)):
                yield user.span(1)
            user = CONTACT_WORDS.user.match(low, user.end()) if user.end() > user.end(1) else None


def _with_at(low: str, layout: Layout) -> Iterator[tuple[int, int]]:
    place = low.find("@")
    while place >= 0:
        match = _AT.match(low, place) if not low[place - 1 : place].isalnum() else None
        if (
            match is not None
            and match.group() not in CONTACT_WORDS.annotations
            and low[match.end() : match.end() + 1] not in {"@", "("}
        ):
            left = low[max(0, place - _NEAR) : place]
            alone = _BEFORE.search(left) is not None and _AFTER.match(low, match.end()) is not None
            if (alone and _is_contact(low, match, layout)) or CONTACT_WORDS.told_before.search(left) is not None:
                yield match.span()
        place = low.find("@", place + 1)


_CONTACT = lazy_re(r"[\w.]@[\w-]+\.|\d{3}[ -]?\d{3}|https?:|www\.|\.com\b|linkedin")
_TOP = 14


def _is_contact(low: str, match: re.Match[str], layout: Layout) -> bool:
    """Say whether a handle that stands alone is a line, a label's value, or among contact details."""
    line = low.rfind("\n", 0, match.start()) + 1
    last = low.find("\n", match.end()) % (len(low) + 1)
    alone = not low[line : match.start()].strip(" \t`|•·-*>[(") and not low[match.end() : last].strip(" \t`|•·-*>])")
    if alone or low[line : match.start()].rstrip(" \"'`").endswith((":", "=", "\t")):
        return True
    if _CONTACT.search(low, line, last) is not None:
        return True
    return sum(each.start < match.start() for each in layout.lines[:_TOP]) < _TOP
