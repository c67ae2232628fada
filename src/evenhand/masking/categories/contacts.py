"""EMAIL, URL and PHONE: contact details, and handles in social networks.

- EMAIL: addresses, also spelled out (`jane at example dot com`) or broken over lines.
- URL: web addresses with or without a scheme, pictures, and handles: `@jdoe` as an item among contact details,
  after a network's name or after words such as `posts as`.
- PHONE: numbers of the given regions, and of any region after a plus sign or a label.

Kept: frameworks and formats that look like domains (Node.js, ASP.NET, main.rs), employers known by their
domain (Booking.com), the names of networks, annotations of code (@Override), package scopes, @mentions in
sentences; years, dates, amounts, grant numbers and postal codes.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import phonenumbers
from publicsuffixlist import PublicSuffixList

from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.layout import Layout
from evenhand.masking.names.parts import Name
from evenhand.masking.names.word_kinds import english_words
from evenhand.masking.rules import RuleMatch
from evenhand.word_tables import WordTable

CONTACT_WORDS = WordTable("evenhand.masking.categories", "contacts.toml")
REGIONS = tuple("US GB CA AU IN DE FR ES IT NL BR MX NG KE ZA PK PH CN VN PL".split())  # noqa: SIM905 - a list of words
#: Characters around a match that tell what it is.
_NEAR, _CONTACT_WIDTH, _LABEL = 60, 160, 30
#: The first lines, and the first characters, in which contact details stand.
_TOP, _HEADER = 14, 300
_LONGEST_LOCAL, _LONGEST_HOST = 66, 200
_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
_SHORTEST_PART = 4
_LONGEST_NETWORK = 12
_TRAILING = ".,;:!?)]}>'\"*_|"


def _spans(low: str, pattern: re.Pattern[str], *hints: str) -> list[tuple[int, int]]:
    """Return the spans of a pattern, or of its last group, in a text that has one of the hints if there are any."""
    if hints and not any(hint in low for hint in hints):
        return []
    return [match.span(match.lastindex or 0) for match in pattern.finditer(low)]


def emails(folded: FoldedText) -> list[RuleMatch]:
    """Return e-mail addresses.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Write to jane.doe@example.org, or jane at example dot org.")
    >>> [seen.text[match.start:match.end] for match in emails(seen)]
    ['jane.doe@example.org', 'jane at example dot org']
    """
    low, place, done = folded.low, folded.low.find("@"), 0
    matches: list[RuleMatch] = []
    while place >= 0:
        match = CONTACT_WORDS.email.search(low, max(done, place - _LONGEST_LOCAL), place + _LONGEST_HOST)
        if match is not None:
            matches.append(RuleMatch(match.start(), match.end(), "EMAIL", "address", 0.99))
        done = place + 1 if match is None else match.end()
        place = low.find("@", done)
    spelled = CONTACT_WORDS.spelled.search(low) is not None
    for start, end in _spans(low, CONTACT_WORDS.spelled_email) if spelled else ():
        if CONTACT_WORDS.spelled.search(low, start, end) is not None:
            matches.append(RuleMatch(start, end, "EMAIL", "spelled out", 0.95))
    return matches


@cache
def _words(entry: str) -> frozenset[str]:
    return word_list(getattr(CONTACT_WORDS, f"handles_{entry}"))


def handles(folded: FoldedText, layout: Layout) -> list[tuple[int, int]]:
    """Return the spans of handles.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("jo@x.org, @jo_koba, Skype name live:jo.koba; uses @Override, pinged @team daily")
    >>> [seen.text[start:end] for start, end in handles(seen, layout_of(seen))]
    ['@jo_koba', 'live:jo.koba']
    """
    low, words = folded.low, folded.words
    spans = [match.span() for match in _at_handles(low) if _is_own(low, match, layout)]
    spans += _spans(low, CONTACT_WORDS.skype, "live:") + _spans(low, CONTACT_WORDS.reddit, "u/")
    spans += _spans(low, CONTACT_WORDS.posted, " ago")
    matches: list[re.Match[str] | None] = []
    for place in folded.places(_words("network")):
        _, start, end = words[place]
        item = CONTACT_WORDS.item.match(low, start)
        if item is not None and folded.text[slice(*item.span(item.lastindex or 0))].islower():
            matches.append(item)
        matches += [CONTACT_WORDS.named.match(low, start), CONTACT_WORDS.path.match(low, start)]
        if place and words[place - 1][0] in {"on", "at", "the"}:
            matches += CONTACT_WORDS.on_network.finditer(low, max(0, start - _NEAR), end + _LONGEST_NETWORK)
    spans += [match.span(match.lastindex or 0) for match in matches if match is not None]
    for place in folded.places(_words("user")):
        label = CONTACT_WORDS.users.match(low, words[place][1])
        user = CONTACT_WORDS.user.match(low, label.end()) if label is not None else None
        while user is not None:
            if user[1] not in english_words():
                spans.append(user.span(1))
            user = CONTACT_WORDS.user.match(low, user.end()) if user.end() > user.end(1) else None
    return sorted({span for span in spans if low[slice(*span)] not in CONTACT_WORDS.no_handle})


def _at_handles(low: str) -> list[re.Match[str]]:
    matches = CONTACT_WORDS.at_handle.finditer(low) if "@" in low else ()
    return [match for match in matches if match.group() not in CONTACT_WORDS.annotations]


def name_handles(folded: FoldedText, person: Iterable[Name]) -> list[RuleMatch]:
    """Return handles with a word of the person's name, of four letters or more, anywhere: `@the_okonkwo`.

    >>> from evenhand.masking.names.parts import name_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Build notes on @the_okonkwo; fixed @Override")
    >>> [seen.text[match.start : match.end] for match in name_handles(seen, [name_of("Ada Okonkwo")])]
    ['@the_okonkwo']
    """
    parts = {form for name in person for form in name.forms if len(form) >= _SHORTEST_PART}
    return [
        RuleMatch(*match.span(), "URL", "own handle", 0.95)
        for match in _at_handles(folded.low)
        if any(part in match.group() for part in parts)
    ]


def _is_own(low: str, match: re.Match[str], layout: Layout) -> bool:
    """Say whether a handle follows such words as `posts as`, or is an item of contact details."""
    start, end = match.span()
    left = low[max(0, start - _NEAR) : start]
    if CONTACT_WORDS.handle_before.search(left) is not None:
        return True
    if CONTACT_WORDS.item_before.search(left) is None or CONTACT_WORDS.item_after.match(low, end) is None:
        return False
    line = low[low.rfind("\n", 0, start) + 1 : start] + "@" + low[end:].partition("\n")[0]
    return start < layout.lines[:_TOP][-1].end or CONTACT_WORDS.contact_line.search(line) is not None


def phones(folded: FoldedText, *, regions: Sequence[str] = REGIONS) -> list[RuleMatch]:
    """Return telephone numbers.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Tel. (312) 555-0188, at Acme 2010 - 2015, budget of 2500000")
    >>> [seen.text[match.start:match.end] for match in phones(seen)]
    ['(312) 555-0188']
    """
    low, matches, last = folded.low, [], 0
    for begin, finish in _stretches(low):
        for start, end in _numbers(low, begin, finish, last, tuple(regions)):
            rule = "labelled" if _has_label(low, start, last) else "number"
            matches.append(RuleMatch(start, end, "PHONE", rule, 0.97))
            last = end
    return matches + [
        RuleMatch(*span, "PHONE", "lettered", 0.9) for span in _spans(low, CONTACT_WORDS.lettered, *_FREE)
    ]


#: What is in every lettered number.
_FREE = ("800", "888", "877", "866", "855", "844", "833", "1-8")


def _stretches(low: str) -> list[tuple[int, int]]:
    """Return the stretches of digits that may be numbers; the pattern is tried where one may begin only."""
    spans: list[tuple[int, int]] = []
    for begun in CONTACT_WORDS.number_begins.finditer(low):
        match = CONTACT_WORDS.number.match(low, begun.start()) if not spans or begun.start() >= spans[-1][1] else None
        if match is not None:
            spans.append(match.span())
    return spans


def _has_label(low: str, start: int, last: int) -> bool:
    """Say whether a label or a labelled number precedes a number: `Tel: 312 555 0133 / 0134`."""
    follows = bool(last) and not low[last:start].strip(" ,/|;or\t")
    return follows or CONTACT_WORDS.label.search(low, max(0, start - _LABEL), start) is not None


def _numbers(low: str, start: int, end: int, last: int, regions: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the numbers in a stretch of digits: all of it, with a part cut off by a line's end, or its parts."""
    labelled = _has_label(low, start, last)
    apart = low.find(" / ", start + 1, end) if low[start] not in "+0(" else -1
    if apart < 0 and _counts(low, start, end, labelled, regions):
        return [(start, end)]
    for mark in (" / ", "/", " "):
        place = low.find(mark, start + 1, end)
        while place >= 0:
            if _counts(low, start, place, labelled, regions):
                return [(start, place), *_numbers(low, place + len(mark), end, place, regions)]
            if mark == " / ":
                return _numbers(low, place + len(mark), end, last, regions)
            place = low.find(mark, place + 1, end)
    return []


def _counts(low: str, start: int, end: int, labelled: bool, regions: tuple[str, ...]) -> bool:  # noqa: FBT001
    """Say whether a stretch of digits is a telephone number."""
    number = low[start:end].strip()
    extension = CONTACT_WORDS.extension.search(number)
    bare = number[: extension.start()] if extension is not None else number
    digits = sum(map(str.isdigit, bare))
    if not _FEWEST_DIGITS <= digits <= _MOST_DIGITS + 3 * labelled or CONTACT_WORDS.dates.fullmatch(bare) is not None:
        return False
    if labelled or bare.startswith("+"):
        return labelled or (digits > _FEWEST_DIGITS and CONTACT_WORDS.amount_after.match(low, end) is None)
    if (
        CONTACT_WORDS.not_a_phone.search(low, max(0, start - _LABEL), start) is not None
        or CONTACT_WORDS.no_phone.fullmatch(bare) is not None
        or low[start - 1 : start] in {"-", "/"}
        or CONTACT_WORDS.amount_after.match(low, end) is not None
    ):
        return False
    return (
        CONTACT_WORDS.phone_form.fullmatch(bare) is not None
        or (digits > _FEWEST_DIGITS + 1 and _is_number(bare, regions))
        or (
            CONTACT_WORDS.alone_before.search(low, max(0, start - 4), start) is not None
            and CONTACT_WORDS.alone_after.match(low, end) is not None
            and _is_item_of_contact(low, start, end, bare)
        )
    )


def _is_item_of_contact(low: str, start: int, end: int, bare: str) -> bool:
    """Say whether a number that is an item stands near other contact details, or is somebody's."""
    first = max(0, start - _CONTACT_WIDTH)
    near = start < _HEADER or "@" in low[first : end + _CONTACT_WIDTH]
    if (
        CONTACT_WORDS.without_area.fullmatch(bare) is not None
        and CONTACT_WORDS.of_somebody.search(low, first, start) is not None
    ):
        return True
    if near and (sum(map(str.isdigit, bare)) > _FEWEST_DIGITS + 1 or CONTACT_WORDS.local.fullmatch(bare) is not None):
        return True
    if (
        CONTACT_WORDS.eight.fullmatch(bare) is None
        or CONTACT_WORDS.unlabelled_before.search(low, max(0, start - 20), start) is None
    ):
        return False
    return near or CONTACT_WORDS.contact_verb.search(low, first, start) is not None


@lru_cache(maxsize=4096)
def _is_number(number: str, regions: tuple[str, ...]) -> bool:
    """Say whether a number is valid in one of the regions."""
    for region in regions:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    return False


def urls(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    """Return web addresses, handles and pictures.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("janedoe.dev/cv, GitHub: jdoe; built in Node.js")
    >>> [seen.text[match.start:match.end] for match in urls(seen, layout_of(seen))]
    ['janedoe.dev/cv', 'jdoe']
    """
    low, matches = folded.low, []
    marked = (
        (CONTACT_WORDS.web_address, "://"),
        (CONTACT_WORDS.www, "www."),
        (CONTACT_WORDS.picture_data, "data:image/"),
        (CONTACT_WORDS.picture, "![", "<img"),
        (CONTACT_WORDS.orcid, "orcid"),
    )
    for pattern, *hints in marked:
        matches += [_url_match(folded, *span, "address", 0.97) for span in _spans(low, pattern, *hints)]
    for match in CONTACT_WORDS.domain.finditer(low):
        if _is_domain(folded, match):
            matches.append(_url_match(folded, match.start(), match.end(), "domain", 0.96))
    matches += [_url_match(folded, *span, "handle", 0.85) for span in handles(folded, layout)]
    for field in layout.fields:
        label = field.label if field.label in CONTACT_WORDS.labelled else field.label.rpartition(" ")[2]
        if label in CONTACT_WORDS.labelled and (label != "in" or field.label == "in"):
            handle = CONTACT_WORDS.handle.match(low, field.start, field.end)
            if handle is not None and _is_handle(folded, label, handle):
                matches.append(_url_match(folded, handle.start(), handle.end(), "handle", 0.9))
    return matches


def _url_match(folded: FoldedText, start: int, end: int, rule: str, confidence: float) -> RuleMatch:
    """Return an address without the marks that end a sentence or a bracket around it.

    One whose line ends with a hyphen or a slash goes on in the next line; a capitalised word alone there is a heading.
    """
    low = folded.low
    if low[end - 1] in "-/" and low[end : end + 1] == "\n":
        more = CONTACT_WORDS.continued.match(low, end)
        if more is not None and not (more[1].isalpha() and folded.text[more.start(1)].isupper()):
            end = more.end(1)
    while end > start + 1 and low[end - 1] in _TRAILING:
        if low[end - 1] == ")" and low.count("(", start, end) >= low.count(")", start, end):
            break
        end -= 1
    return RuleMatch(start, end, "URL", rule, confidence)


def _is_handle(folded: FoldedText, label: str, match: re.Match[str]) -> bool:
    """Say whether a value is a handle: one word, no sentence, no list of the network's features."""
    rest = folded.low[match.end() : match.end() + 2]
    handle = match.group()
    if "@" in handle[1:] and "." in handle:
        return False
    if "." in handle or "/" in handle or handle.startswith("@"):
        return True
    written = folded.text[slice(*match.span())]
    if label in CONTACT_WORDS.url_no_handle and CONTACT_WORDS.username.fullmatch(written) is None:
        return False
    return (not rest.strip(" ") or rest[0] in "\n|;,)•\t.") and not written.istitle()


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


@lru_cache(maxsize=4096)
def _is_registrable(domain: str) -> bool:
    """Say whether a domain ends with a suffix of the public list, after a name."""
    return _suffixes().is_private(domain)


def _is_domain(folded: FoldedText, match: re.Match[str]) -> bool:
    domain, ending, path = match.groups()
    written = folded.text[slice(*match.span(1))]
    if (domain in CONTACT_WORDS.known and len(path) < 2) or not (
        _is_registrable(domain) or (ending in CONTACT_WORDS.internal and len(path) > 1)
    ):
        return False
    if not written[-len(ending) :].islower() and not written.isupper():
        return False  # 'the team.In 2019': a blank is missing
    if len(path) > 1 or CONTACT_WORDS.invites.search(folded.low, max(0, match.start() - 24), match.start()) is not None:
        return bool(path) or ending not in CONTACT_WORDS.code_files
    initials = (written.isupper() and len(written) < 7) or (domain.index(".") < 2 and domain.count(".") == 1)
    return not initials and ending not in CONTACT_WORDS.files  # U.S.A, Ph.D
