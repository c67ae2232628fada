"""URL: web addresses with or without scheme, profile handles after a network's name, pictures.

Kept: frameworks and formats that look like domains (Node.js, ASP.NET, main.rs), employers
known by their domain (Booking.com), the names of the networks themselves.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.contacts.handles import CONTACT_WORDS, handles
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["urls"]

#: What addresses begin with, and what they are looked for by.
_SCHEMES = {
    "://": lazy_re(r"(?:https?|ftp)://\S+"),
    "www.": lazy_re(r"\bwww\.\S+"),
    "data:image/": lazy_re(r"data:image/\S+"),
}
_LONGEST_SCHEME, _LONGEST_ADDRESS = 5, 2000
_DOMAIN = lazy_re(
    r"(?<![\w@./-])((?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,5}([^\W\d_]{2,24}))(?::\d{2,5})?((?:[/?#][^\s<>"
    r"\"|\])]*)?)(?![\w@])"
)
#: Only dots between letters can belong to a domain.
_INNER_DOT = lazy_re(r"\.(?=[^\W\d_])(?<=[^\W_]\.)")
_PICTURE = lazy_re(r"!\[[^\]\n]{0,120}\]\([^)\n]{1,400}\)|<img\b[^>]{0,2000}>", re.IGNORECASE)
_TRAILING = ".,;:!?)]}>'\"*_|"
#: What is nobody's word: `dh_1984`, `dhart84`, no `h4`.
_MADE_UP = lazy_re(r"[a-z][a-z.]*_\w+|[a-z]{2,}\d{2,}")
_HANDLE = lazy_re(r"(?:live:)?[@.]?\w[\w.@#/+-]{1,60}")
_LONGEST_NETWORK, _LONGEST_HANDLE = 32, 84
_CONTINUED = lazy_re(r"\n[ \t]*([\w%~.-]+(?:/[\w%~.-]*)*)[ \t]*(?=\n|$|[|,;)]|\(linkedin|\(portfolio)")
_ORCID = lazy_re(r"\d(?<![\w-]\d)\d{3}-\d{4}-\d{4}-\d{3}[\dx](?![\w-])")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def urls(folded: FoldedText, layout: Layout) -> list[Found]:
    """Return web addresses, handles and pictures.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("janedoe.dev/cv, GitHub: jdoe; built in Node.js")
    >>> [seen.text[found.start:found.end] for found in urls(seen, layout_of(seen))]
    ['janedoe.dev/cv', 'jdoe']
    """
    low = folded.low
    found: list[Found] = []
    found += [_found(low, match.start(), _continued(folded, match.end()), "address", 0.99) for match in _addresses(low)]
    if "![" in low or "<img" in low:
        found += [_found(low, *match.span(), "picture", 0.99) for match in _PICTURE.finditer(low)]
    found += _domains(folded)
    found += [_found(low, *span, "handle", 0.85) for span in handles(folded, layout)]
    if "orcid" in low:
        found += [_found(low, *match.span(), "number", 0.97) for match in _ORCID.finditer(low)]
    for field in layout.fields:
        label = field.label if field.label in CONTACT_WORDS.labelled else field.label.rpartition(" ")[2]
        if label in CONTACT_WORDS.labelled and (label != "in" or field.label == "in"):
            handle = _HANDLE.match(low, field.start, field.end)
            if handle is not None and _is_handle(folded, label, handle):
                found.append(_found(low, *handle.span(), "handle", 0.9))
    return found


def _addresses(low: str) -> Iterator[re.Match[str]]:
    """Yield addresses that begin with a scheme or with www."""
    for mark, pattern in _SCHEMES.items():
        place, done = low.find(mark), 0
        while place >= 0:
            begin = max(done, place - _LONGEST_SCHEME) if mark == "://" else place
            match = pattern.search(low, begin, place + _LONGEST_ADDRESS)
            if match is not None and match.start() <= place:
                done = match.end()
                yield match
            place = low.find(mark, max(done, place + 1))


def _found(low: str, start: int, end: int, rule: str, confidence: float) -> Found:
    """Return an address without the marks that end a sentence or a bracket around it."""
    while end > start + 1 and low[end - 1] in _TRAILING:
        if low[end - 1] == ")" and low.count("(", start, end) >= low.count(")", start, end):
            break
        end -= 1
    return Found(start=start, end=end, category="URL", rule=rule, confidence=confidence)


_IN_DOMAIN = lazy_re(r"(?:[^\W_]|[-_.])+")


def _domains(folded: FoldedText) -> list[Found]:
    low, found, done = folded.low, [], 0
    for dot in _INNER_DOT.finditer(low):
        if dot.start() < done:
            continue
        # What stands around a dot without a blank is read once, however many dots it has.
        around = _IN_DOMAIN.match(low, dot.start())
        begin, done = dot.start(), dot.end() if around is None else around.end()
        while begin and (low[begin - 1].isalnum() or low[begin - 1] in "-_."):
            begin -= 1
        match = _DOMAIN.match(low, begin)
        if match is not None:
            done = max(done, match.end())
            if _is_domain(folded, match):
                end = _continued(folded, match.end()) if match.group(3) else match.end()
                found.append(_found(low, match.start(), end, "domain", 0.96))
    return found


def _is_handle(folded: FoldedText, label: str, match: re.Match[str]) -> bool:
    """Say whether a value is a handle: one word, no sentence, no list of the network's features."""
    rest = folded.low[match.end() : match.end() + 2]
    handle = match.group()
    if "@" in handle[1:] and "." in handle:
        return False
    if "." in handle or "/" in handle or handle.startswith("@"):
        return True
    if label in CONTACT_WORDS.url_no_handle and _MADE_UP.fullmatch(folded.text, *match.span()) is None:
        return False
    ends = not rest.strip(" ") or rest[0] in "\n|;,)•\t." or rest == "  "
    return ends and not folded.text[match.start() : match.end()].istitle()


def _continued(folded: FoldedText, end: int) -> int:
    """Return the end of an address that goes on in the next line: its line ends with a hyphen or a slash.

    A capitalised word alone there is a heading.
    """
    low = folded.low
    if low[end - 1 : end] not in {"-", "/"} or low[end : end + 1] != "\n":
        return end
    match = _CONTINUED.match(low, end)
    if match is None or (match.group(1).isalpha() and folded.text[match.start(1)].isupper()):
        return end
    return match.end(1)


@lru_cache(maxsize=4096)
def _is_registrable(domain: str) -> bool:
    """Say whether a name stands before a suffix of the public list."""
    return _suffixes().is_private(domain)


def _is_domain(folded: FoldedText, match: re.Match[str]) -> bool:  # noqa: PLR0911 - one line per kind of look-alike
    domain, ending, path = match.group(1), match.group(2), match.group(3)
    if domain in CONTACT_WORDS.known and len(path) < 2:
        return False
    written = folded.text[match.start(1) : match.end(1)]
    suffix = written[-len(ending) :]
    if suffix != suffix.lower() and not written.isupper():
        return False  # 'the team.In 2019': a blank is missing
    if not _is_registrable(domain) and not (ending in CONTACT_WORDS.internal and len(path) > 1):
        return False
    before = folded.low[max(0, match.start() - 24) : match.start()]
    if len(path) > 1 or CONTACT_WORDS.invites.search(before) is not None:
        return not (ending in CONTACT_WORDS.files and not path and ending in {"py", "md", "sh", "rs", "tf"})
    if written.isupper() and len(written) < 7:
        return False  # U.S.A, Ph.D
    labels = domain.split(".")
    if len(labels[0]) < 2 and len(labels) == 2:
        return False
    return ending not in CONTACT_WORDS.files
