"""EMAIL, URL, PHONE and ADDRESS: contact details, and handles in social networks.

- EMAIL: addresses, also spelled out (`jane at example dot com`) or broken over lines.
- URL: web addresses with or without a scheme, pictures, and handles: `@jdoe` as an item among contact details,
  after a network's name or after words such as `posts as`.
- PHONE: numbers of twenty regions, and of any region after a plus sign or a label.
- ADDRESS: street addresses, post office boxes and values after `Address:`.

Kept: frameworks and formats that look like domains (Node.js, ASP.NET, main.rs), employers known by their
domain (Booking.com), the names of networks, annotations of code (@Override), package scopes, @mentions in
sentences; years, dates, amounts, grant numbers and postal codes; a city or country alone (a job's place, a wish to
relocate), a street in a company's name.

A line of an address is cut at bars, tabs and wide gaps; a piece is parsed as runs of capitalised words, numbers and
the words that join them. Each sign of an address adds to a run's weight: a street with its number, a postal code
with its town, a box (two each), a flat, a building, a district with a number (one each). Two are enough; in
the contact details at the top one is, if the piece is nothing but the run.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

import phonenumbers
from publicsuffixlist import PublicSuffixList

from evenhand.masking.categories.education import kind_of
from evenhand.masking.layout import FoldedText, Layout, Line, word_list
from evenhand.masking.names.word_kinds import Name, english_words
from evenhand.masking.pronouns import Span
from evenhand.patterns import WordTable, csv_rows, lazy_re

CONTACT_WORDS = WordTable("evenhand.masking.categories", "contacts.toml")
_REGIONS = tuple("US GB CA AU IN DE FR ES IT NL BR MX NG KE ZA PK PH CN VN PL".split())  # noqa: SIM905 - a list of words
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


def emails(folded: FoldedText) -> list[Span]:
    """Return e-mail addresses.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Write to jane.doe@example.org, or jane at example dot org.")
    >>> [seen.text[match.start:match.end] for match in emails(seen)]
    ['jane.doe@example.org', 'jane at example dot org']
    """
    low, place, done = folded.low, folded.low.find("@"), 0
    matches: list[Span] = []
    while place >= 0:
        match = CONTACT_WORDS.email.search(low, max(done, place - _LONGEST_LOCAL), place + _LONGEST_HOST)
        if match is not None:
            matches.append(Span(match.start(), match.end(), "EMAIL", "address", 0.99))
        done = place + 1 if match is None else match.end()
        place = low.find("@", done)
    spelled = CONTACT_WORDS.spelled.search(low) is not None
    for start, end in _spans(low, CONTACT_WORDS.spelled_email) if spelled else ():
        if CONTACT_WORDS.spelled.search(low, start, end) is not None:
            matches.append(Span(start, end, "EMAIL", "spelled out", 0.95))
    return matches


@cache
def _words(entry: str) -> frozenset[str]:
    return word_list(getattr(CONTACT_WORDS, f"handles_{entry}"))


def handles(folded: FoldedText, layout: Layout) -> list[tuple[int, int]]:
    """Return the spans of handles.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
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


def name_handles(folded: FoldedText, person: Iterable[Name]) -> list[Span]:
    """Return handles with a word of the person's name, of four letters or more, anywhere: `@the_okonkwo`.

    >>> from evenhand.masking.names.word_kinds import name_of
    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Build notes on @the_okonkwo; fixed @Override")
    >>> [seen.text[match.start : match.end] for match in name_handles(seen, [name_of("Ada Okonkwo")])]
    ['@the_okonkwo']
    """
    parts = {form for name in person for form in name.forms if len(form) >= _SHORTEST_PART}
    return [
        Span(*match.span(), "URL", "own handle", 0.95)
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


def phones(folded: FoldedText) -> list[Span]:
    """Return telephone numbers.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Tel. (312) 555-0188, at Acme 2010 - 2015, budget of 2500000")
    >>> [seen.text[match.start:match.end] for match in phones(seen)]
    ['(312) 555-0188']
    """
    low, matches, last = folded.low, [], 0
    for begin, finish in _stretches(low):
        for start, end in _numbers(low, begin, finish, last):
            rule = "labelled" if _has_label(low, start, last) else "number"
            matches.append(Span(start, end, "PHONE", rule, 0.97))
            last = end
    return matches + [Span(*span, "PHONE", "lettered", 0.9) for span in _spans(low, CONTACT_WORDS.lettered, *_FREE)]


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


def _numbers(low: str, start: int, end: int, last: int) -> list[tuple[int, int]]:
    """Return the numbers in a stretch of digits: all of it, with a part cut off by a line's end, or its parts."""
    labelled = _has_label(low, start, last)
    apart = low.find(" / ", start + 1, end) if low[start] not in "+0(" else -1
    if apart < 0 and _counts(low, start, end, labelled):
        return [(start, end)]
    for mark in (" / ", "/", " "):
        place = low.find(mark, start + 1, end)
        while place >= 0:
            if _counts(low, start, place, labelled):
                return [(start, place), *_numbers(low, place + len(mark), end, place)]
            if mark == " / ":
                return _numbers(low, place + len(mark), end, last)
            place = low.find(mark, place + 1, end)
    return []


def _counts(low: str, start: int, end: int, labelled: bool) -> bool:  # noqa: FBT001
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
        or (digits > _FEWEST_DIGITS + 1 and _is_number(bare))
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
def _is_number(number: str) -> bool:
    """Say whether a number is valid in a region."""
    for region in _REGIONS:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    return False


def urls(folded: FoldedText, layout: Layout) -> list[Span]:
    """Return web addresses, handles and pictures.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
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


def _url_match(folded: FoldedText, start: int, end: int, rule: str, confidence: float) -> Span:
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
    return Span(start, end, "URL", rule, confidence)


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


ADDRESS_WORDS = WordTable("evenhand.masking.categories", "address.toml")

_TOKEN = lazy_re(r"#|[^\W_](?:[\w'&]|[./-](?=\w))*[./]?|[^\w\s]")
_NONE: frozenset[str] = frozenset()
_CARE_OF = frozenset({"c/o", "s/o", "d/o", "w/o"})
_WITH_STROKE = _CARE_OF | {"c/"}
_MARKS = frozenset({",", "#", "-", "(", ")", ":", "\u3012"})
_NUMBER_WORDS = frozenset({"no", "nr", ":", "#", "n", "h", "postal"})
_LINK_BETWEEN = frozenset({"of", "on", "upon", "and", "the", "in", "auf", "y", "u", "na", "i"})
#: Units that are letters or words otherwise: they need a capital.
_SMALL_UNITS = frozenset({"d", "h", "m", "to", "so", "ap", "ph"})
_PLACES = frozenset({"unit", "building", "street", "area", "weak"})
#: Words between a house's number and its street, or after a street before its number; words of a part; lines below.
_NAME, _LONGEST_PART, _LINES_BELOW = 7, 7, 4
_NEAR_HOUSE = 4
_FIRST_LINES = 14
_LEAST_WEIGHT = 2
#: Characters that may be left of a piece, or of a line, that is an address.
_REST = 3


@cache
def _kinds() -> dict[str, frozenset[str]]:
    result: dict[str, frozenset[str]] = {}
    for word, kind in csv_rows("evenhand.masking.categories", "address.csv"):
        result[word] = result.get(word, _NONE) | {kind}
    return result


#: Kinds of words that signs are made of, and kinds of those that may be small letters there.
_SPEAKING, _MAY_BE_SMALL = frozenset({"street", "before", "unit", "area", "building"}), frozenset({"lower", "before"})


@cache
def _speaking() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words without which a line has no sign, those in capitals only last."""
    boxes = frozenset(word for words in ADDRESS_WORDS.boxes for word in words.split("."))
    small = {word for word, kinds in _kinds().items() if kinds & _SPEAKING and kinds & _MAY_BE_SMALL} - _SMALL_UNITS
    capital = {word for word, kinds in _kinds().items() if kinds & (_SPEAKING | {"weak"})}
    return word_list(boxes | small), word_list(capital)


class Token(NamedTuple):
    """A word in lower case, its form (number, capital, lower, mark; "" can't be in an address), its kinds."""

    start: int
    end: int
    word: str
    form: str
    kinds: frozenset[str]

    @property
    def dated(self) -> bool:
        """Whether it is a month, a year, or a date."""
        is_date = self.form == "number" and ADDRESS_WORDS.date.fullmatch(self.word) is not None
        return is_date or self.word in ADDRESS_WORDS.months


_NOTHING = Token(0, 0, "", "", _NONE)


def tokens_of(folded: FoldedText, start: int, end: int) -> list[Token]:
    """Return the tokens of a stretch of a text.

    >>> from evenhand.masking.layout import folded_text
    >>> [(token.word, token.form) for token in tokens_of(folded_text("12 Elm Rd., is"), 0, 14)]
    [('12', 'number'), ('elm', 'capital'), ('rd', 'capital'), (',', 'mark'), ('is', '')]
    """
    return [_token(folded, match) for match in _TOKEN.finditer(folded.text, start, end)]


def _token(folded: FoldedText, match: re.Match[str]) -> Token:
    start, end = match.span()
    low = folded.low[start:end]
    word = low.rstrip("./") if low not in _WITH_STROKE else low
    kinds = _kinds().get(word.replace(".", ""), _NONE)
    if word in ADDRESS_WORDS.contacts and ADDRESS_WORDS.contact_value.match(folded.low, end) is not None:
        return Token(start, end, word, "", _NONE)
    if any(map(str.isdigit, low)):
        form = "number"
    elif not low[0].isalnum():
        form = "mark" if low in _MARKS else ""
    elif not folded.text[start].islower():
        form = "capital"
    else:
        form = "lower" if kinds & {"link", "lower", "before"} or word in _WITH_STROKE else ""
    return Token(start, end, word.replace(".", "") if kinds else word, form, kinds)


class Sign(NamedTuple):
    """The first and the last of the tokens that speak for an address, and how much."""

    first: int
    last: int
    weight: int
    rule: str


def _at(run: list[Token], place: int) -> Token:
    return run[place] if 0 <= place < len(run) else _NOTHING


def _past(run: list[Token], place: int, words: frozenset[str], step: int = 1) -> int:
    """Return the first place from here on with none of these words."""
    while _at(run, place).word in words:
        place += step
    return place


def _named(run: list[Token], place: int, step: int, most: int) -> int:
    """Return the last place from here on with the words of a name."""
    return place + step * len(
        list(takewhile(lambda at: _at(run, place + step * at).form in {"capital", "lower"}, range(1, most)))
    )


def _is_house(token: Token) -> bool:
    """Say whether a token can be a house number."""
    return token.form == "number" and ADDRESS_WORDS.house.fullmatch(token.word) is not None


def signs_of(folded: FoldedText, run: list[Token], follows: str) -> list[Sign]:
    """Return the signs of an address in a run of tokens; `follows` is the word that breaks it off, "" for a mark."""
    kinds_of_sign = (_street, _street_first, _box, _unit, _district)
    found = (next(filter(None, (sign(run, place) for sign in kinds_of_sign)), None) for place in range(len(run)))
    signs = [sign for sign in found if sign is not None]
    house = next((place for place, token in enumerate(run) if token.form != "capital"), 0)
    if not signs and len(run) > 2 and not run[house].dated and ADDRESS_WORDS.flat.search(run[house].word) is not None:
        signs.append(Sign(0, house, 1, "number"))  # Toktogul 125-12, Bishkek
    code = _postal(folded, run)
    if code is not None:
        twice = any(sign.last == code.first and sign.weight == code.weight == 1 for sign in signs)  # An ISO 9002 firm
        signs += [] if twice else [code]
    elif follows.isalpha() and follows not in ADDRESS_WORDS.may_follow and all(token.word != "," for token in run):
        return []  # `the 14 Fleet Street branch`
    return signs


def _street(run: list[Token], place: int) -> Sign | None:
    """Return a street after its number (`12 Elm Road`), or before it (`Karl Johans gate 14`)."""
    token, after = run[place], _at(run, place + 1)
    strong = "street" in token.kinds
    if not strong and not ("weak" in token.kinds and token.form == "capital"):
        return None
    first = place - 1
    while place - first < _NAME and (
        _at(run, first).form in {"capital", "lower"} or _at(run, first).word == "-" or _is_ordinal(_at(run, first))
    ):
        first -= 1
    named = first < place - 1
    first -= _at(run, first).word == ","
    if named and _is_house(_at(run, first)):
        closed = after.form in {"mark", "number"} or bool(after.kinds)
        apart = after.form == "capital" and not after.kinds  # 5 Point Street Safety Audit
        return Sign(first, place, 2 if (strong and not apart) or closed else 1, "street")
    if (
        strong
        and first > 0
        and _at(run, first + 1).word == ","
        and _named(run, first + 1, -1, 4) == 1
        and _is_house(run[0])
    ):
        return Sign(0, place, 1, "street")  # 4 Woodview, Main Street
    number, begin = _past(run, place + 1, _NUMBER_WORDS), _named(run, place, -1, 5)
    if begin < place and _is_house(_at(run, number)):
        return Sign(begin, number, 2 if strong else 1, "street")
    return None


def _is_ordinal(token: Token) -> bool:
    return token.form == "number" and token.word.endswith(("st", "nd", "rd", "th"))


def _street_first(run: list[Token], place: int) -> Sign | None:
    """Return a street with its kind first, its number after or before: `Calle Mayor 3`, `27 bis, rue Royale`."""
    word = run[place].word
    if "before" not in run[place].kinds:
        return None
    number = next((at for at in range(place + 1, min(place + _NAME + 1, len(run))) if run[at].form == "number"), 0)
    named = word in ADDRESS_WORDS.numbered_streets or any(token.form == "capital" for token in run[place + 1 : number])
    if number and named:
        sure = word not in ADDRESS_WORDS.unsure_before or len(word) > 5
        return None if run[number].dated else Sign(place, number, 2 if sure else 1, "street first")
    before, last = _past(run, place - 1, frozenset({",", "bis", "ter"}), -1), _named(run, place, 1, 6)
    if last > place and _at(run, before).form == "number":
        return Sign(before, last, 2, "street first")
    return None


def _box(run: list[Token], place: int) -> Sign | None:
    """Return a post office box, or `c/o`."""
    word, first = run[place].word, place
    if word in _CARE_OF:
        return Sign(place, place, 1, "care of")
    if word not in ADDRESS_WORDS.boxes:
        return None
    number = _past(run, place + 1, _NUMBER_WORDS)
    number += _at(run, number).form == "capital" and len(run[number].word) <= 3  # P.O. Box KN 2231
    while place - first < 3 and (
        _at(run, first - 1).word in ADDRESS_WORDS.box_before or _at(run, first - 1).form in {"number", "mark"}
    ):
        first -= 1  # RR 2, Box 187
    known = word not in {"box", "bag"} or any(token.word in ADDRESS_WORDS.box_before for token in run[first:place])
    is_number = ADDRESS_WORDS.box_number.fullmatch(_at(run, number).word) is not None  # not BP 120/80
    return Sign(first, number, 2, "box") if known and is_number else None


def _unit(run: list[Token], place: int) -> Sign | None:
    """Return a flat, a floor, a house's number: `Flat 3`, `#08-112`."""
    token = run[place]
    if ADDRESS_WORDS.unit_form.fullmatch(token.word) is not None:
        return Sign(place, place, 1, "unit")
    is_unit = "unit" in token.kinds and (token.form == "capital" or token.word not in _SMALL_UNITS)
    number = _past(run, place + 1, _NUMBER_WORDS) if is_unit or token.word == "#" else -1
    return Sign(place, number, 1, "unit") if _at(run, number).form == "number" else None


def _district(run: list[Token], place: int) -> Sign | None:
    """Return a district after a house (`B9, Unity Estate`), or a building."""
    kinds = run[place].kinds & {"area", "building"}
    if not kinds or not place:
        return None
    if run[0].form == "number" and run[1].word == "," and place <= _NEAR_HOUSE:
        return Sign(0, place, 1, "district")
    return Sign(place, place, 1, "building") if "building" in kinds and len(run) > 3 else None


def _postal(folded: FoldedText, run: list[Token]) -> Sign | None:
    if not any(token.form == "number" and len(token.word) > 2 for token in run):
        return None
    town = any(token.form == "capital" and len(token.word) > 3 for token in run)
    for pattern, weight in ((ADDRESS_WORDS.code, 2), (ADDRESS_WORDS.code_near_town, 1)):
        for match in pattern.finditer(folded.low, run[0].start, run[-1].end):
            written = folded.text[slice(*match.span())]
            inside = [at for at, token in enumerate(run) if token.end > match.start() and token.start < match.end()]
            capital = written[0].isupper() or not any(map(str.islower, written))
            if capital and inside and (weight > 1 or town):
                return Sign(inside[0], inside[-1], weight, "postal code")
    return None


@dataclass(slots=True)
class Run:
    """A run of words and numbers that can be an address, and the signs of one in it."""

    tokens: list[Token]
    signs: list[Sign]

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.tokens[-1].end

    def counted(self, *, zone: bool) -> list[Sign]:
        """Return its signs; a building without a number counts among contact details only."""
        return [sign for sign in self.signs if zone or sign.rule != "building"]

    @property
    def strong(self) -> bool:
        """Whether a sign is enough by itself."""
        return any(sign.weight > 1 for sign in self.signs)

    @property
    def code(self) -> bool:
        """Whether it has a postal code."""
        return any(sign.rule == "postal code" for sign in self.signs)

    @property
    def numbered(self) -> bool:
        """Whether it has a number."""
        return any(token.form == "number" for token in self.tokens)

    @property
    def dated(self) -> bool:
        """Whether it has a month or a year."""
        return any(token.dated for token in self.tokens)

    @property
    def job(self) -> bool:
        """Whether it has a job's title or a company's form."""
        return any(map(self._is_job, range(len(self.tokens))))

    def _is_job(self, place: int) -> bool:
        token, after = self.tokens[place], _at(self.tokens, place + 1)
        is_place = token.kinds or (after.form == "capital" and after.kinds & {"area", "building", "street"})
        return not is_place and kind_of(token.word) in {"work", "firm"}  # but Works Layout

    @property
    def may_be_alone(self) -> bool:
        """Whether one sign is enough among contact details: it has a code, or parts and no long number."""
        long = any(len(token.word) > 6 and token.word.isdigit() for token in self.tokens)
        parts = self.numbered and any(token.word == "," for token in self.tokens)
        return bool(self.signs) and (self.code or parts) and not (self.job or long or self.dated)

    def extent(self, *, zone: bool, whole: bool) -> tuple[int, int]:
        """Return where the address begins and ends: the parts between commas that belong to its signs."""
        tokens = self.tokens
        signs = self.counted(zone=zone)
        first, last = min(sign.first for sign in signs), max(sign.last for sign in signs)
        commas = [place for place, token in enumerate(tokens) if token.word == ","]
        begins = [0, *(comma + 1 for comma in commas)]
        part = max(number for number, begin in enumerate(begins) if begin <= first)
        begin = self._begin(begins[part], first, zone=zone)
        town = any(sign.first == first and sign.rule == "postal code" for sign in self.signs)
        town = town and (tokens[first].form == "capital" or (zone and whole and part == 1))
        while part and begin == begins[part] and self._belongs(begins[part - 1], begin - 1, zone=zone, town=town):
            part, begin, town = part - 1, begins[part - 1], False
        if zone and whole and begin == begins[part] and part < 4:
            begin = 0  # Ty Newydd, Heol y Bont, Llanrwst LL26 0AB
        finish = next((place for place in range(last + 1, len(tokens)) if self._ends_address(place)), len(tokens))
        if finish < len(tokens):
            finish = max((comma for comma in commas if last < comma < finish), default=finish)
        return tokens[begin].start, tokens[finish - 1].end

    def _ends_address(self, place: int) -> bool:
        return self.tokens[place].dated or self._is_job(place)

    def _begin(self, begin: int, first: int, *, zone: bool) -> int:
        """Return where an address begins in the part of its first sign: a town's words before a code belong to it."""
        sign = next(sign for sign in self.signs if sign.first == first)
        before = self.tokens[begin:first]
        if sign.rule == "postal code":
            return max(begin, _named(self.tokens, first, -1, 5))
        if all(token.form == "number" or token.kinds & {"unit", "building"} for token in before):
            return begin
        if sign.rule in {"district", "building"}:
            numbers = [place for place in range(begin, first) if self.tokens[place].form == "number"]
            return numbers[0] if numbers else begin if zone or len(before) < 3 else first
        return first

    def _belongs(self, begin: int, end: int, *, zone: bool, town: bool) -> bool:
        """Say whether a part belongs to the address after it: it has a number, or is the town of a code."""
        part = self.tokens[begin:end]
        if len(part) > _LONGEST_PART or any(map(self._ends_address, range(begin, end))):
            return False
        if town and len(part) <= 3 and all(token.form == "capital" for token in part):
            return True
        return any(token.form == "number" or (zone and token.kinds & _PLACES) for token in part)


def runs_of(folded: FoldedText, start: int, end: int) -> list[Run]:
    """Return the runs of a piece of a line, with their signs.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("I live at 12 Elm Road, Leeds and work in Park Lane.")
    >>> [run.extent(zone=False, whole=False) for run in runs_of(seen, 0, len(seen.text)) if run.signs]
    [(10, 28)]
    """
    tokens = [*tokens_of(folded, start, end), _NOTHING]
    runs: list[Run] = []
    run: list[Token] = []
    for token, after in zip(tokens, [*tokens[1:], _NOTHING], strict=True):
        # An English link not between two capitalised words breaks the run.
        link = token.form == "lower" and token.word in _LINK_BETWEEN
        breaks = link and not (run and run[-1].form == "capital" and after.form in {"capital", "lower"})
        if token.form and not breaks:
            run.append(token)
        if not token.form or breaks or _ends_sentence(folded, token):
            _add(runs, folded, run, token.word if not token.form or breaks else "")
            run = []
    return runs


def _add(runs: list[Run], folded: FoldedText, run: list[Token], follows: str) -> None:
    """Add a run without the marks and links at its ends; `follows` is the word that broke it."""
    follows = "" if run and run[-1].word == "," else follows
    while run and run[-1].form in {"mark", "lower"} and "lower" not in run[-1].kinds:
        run.pop()
    while run and run[0].form in {"mark", "lower"} and not _leads(run[0]):
        run.pop(0)
    if run:
        runs.append(Run(tokens=run, signs=signs_of(folded, run, follows)))


def _leads(token: Token) -> bool:
    """Say whether an address begins with a mark or a word written small: `#12`, `c/o`, `calle Mayor 3`."""
    return token.word in _CARE_OF | {"#"} or ("before" in token.kinds and token.word not in ADDRESS_WORDS.common)


def _ends_sentence(folded: FoldedText, token: Token) -> bool:
    """Say whether a word with a full stop ends a sentence: it is no abbreviation."""
    stops = token.form == "capital" and folded.text[token.end - 1] == "."
    return stops and len(token.word) > 4 and not token.kinds and not token.word.endswith("str")


def addresses(folded: FoldedText, layout: Layout) -> list[Span]:
    """Return addresses, with the lines that go on with them.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Home: 1420 W Fullerton Ave Apt 3B, Chicago, IL 60614")
    >>> [seen.text[match.start : match.end] for match in addresses(seen, layout_of(seen))][:1]
    ['1420 W Fullerton Ave Apt 3B, Chicago, IL 60614']
    """
    small, capital = map(folded.places, _speaking())
    begun = [start for _, start, _ in map(folded.words.__getitem__, small)]
    begun += [start for _, start, _ in map(folded.words.__getitem__, capital) if not folded.text[start].islower()]
    reader = _Reader(folded, layout.lines, sorted(begun))
    matches = [match for number in range(len(layout.lines)) for match in reader.in_line(number)]
    for field in layout.fields:
        if _is_labelled(field.label, folded.low[field.start : field.end]):
            number = next((at for at, line in enumerate(layout.lines) if line.end >= field.start), 0)
            matches += [
                _address_match(folded.low, field.start, field.end, "labelled"),
                *reader.next_lines(number, field.end),
            ]
    return matches


@dataclass(slots=True)
class _Reader:
    folded: FoldedText
    lines: list[Line]
    speaking: list[int]

    def may_hold(self, start: int, end: int) -> bool:
        """Say whether a stretch has a number, and a word or a form of number that signs are made of."""
        text = self.folded.text
        word = bisect_left(self.speaking, start) < bisect_left(self.speaking, end)
        return (word or ADDRESS_WORDS.sign_form.search(text, start, end) is not None) and (
            ADDRESS_WORDS.hint.search(text, start, end) is not None
        )

    def in_line(self, number: int) -> list[Span]:
        low, line = self.folded.low, self.lines[number]
        matches: list[Span] = []
        if not self.may_hold(line.start, line.end):
            return matches
        for start, end in self._pieces(line):
            if not self.may_hold(start, end):
                continue
            if ADDRESS_WORDS.places_reference.search(low, max(0, start - 24), start) is not None:
                continue
            for run in (run for run in runs_of(self.folded, start, end) if run.signs):
                lives = ADDRESS_WORDS.lives.search(low, max(start, run.start - 24), run.start) is not None
                zone = lives or self._in_contact(number)
                whole = run.start - start <= _REST and end - run.end <= _REST
                weight = sum(sign.weight for sign in run.counted(zone=zone))
                is_address = weight >= _LEAST_WEIGHT and (run.strong or run.code or zone or weight > _LEAST_WEIGHT)
                if not is_address and not (zone and (whole or lives) and run.may_be_alone):
                    continue
                first, last = run.extent(zone=zone, whole=whole or lives)
                if ADDRESS_WORDS.years_first.match(low, first) is not None:
                    continue
                matches.append(_address_match(low, first, last))
                if run.code and first - line.start <= _REST:
                    matches += self._line_above(number)
                if line.end - last <= _REST:
                    matches += self.next_lines(number, last)
        return matches

    def _pieces(self, line: Line) -> list[tuple[int, int]]:
        pieces, start = [], line.start
        for separator in ADDRESS_WORDS.separator.finditer(self.folded.low, line.start, line.end):
            pieces.append((start, separator.start()))
            start = separator.end()
        return [piece for piece in (*pieces, (start, line.end)) if piece[1] - piece[0] > _REST]

    def _in_contact(self, number: int) -> bool:
        """Say whether a line is among contact details: at the top, or under such a heading."""
        line = self.lines[number]
        return line.section in {"personal", "contact"} or (not line.section and number < _FIRST_LINES)

    def _is_contact(self, number: int) -> bool:
        """Say whether a line is one of contact details alone: a telephone number, an e-mail address."""
        if not 0 <= number < len(self.lines):
            return False
        line = self.lines[number]
        return ADDRESS_WORDS.contact.match(self.folded.low, line.start, line.end) is not None

    def _whole_run(self, piece: tuple[int, int]) -> Run | None:
        """Return the run that is all of a piece, and no job's title or date."""
        runs = runs_of(self.folded, *piece)
        whole = len(runs) == 1 and runs[0].end - runs[0].start >= piece[1] - piece[0] - _REST
        return runs[0] if whole and not runs[0].dated and not runs[0].job else None

    def _line_above(self, number: int) -> list[Span]:
        """Return the line above a postal code with its town if it is a street: `Unter den Linden 77`."""
        pieces = self._pieces(self.lines[number - 1]) if number else []
        run = self._whole_run(pieces[-1]) if pieces else None
        if (
            run is None
            or not run.numbered
            or ADDRESS_WORDS.registration.search(self.folded.low, *pieces[-1]) is not None
        ):
            return []
        return [_address_match(self.folded.low, *pieces[-1])]

    def next_lines(self, number: int, end: int) -> list[Span]:
        """Return the lines that go on with an address: a town with its code, a district, a country."""
        low, lines = self.folded.low, self.lines
        broken = ADDRESS_WORDS.broken_code.search(low, max(0, end - 4), end + 12)
        if broken is not None:
            return [_address_match(low, *broken.span(1))]
        matches: list[Span] = []
        comma, sure = "," in low[end - 1 : end + 1], 0
        for line in lines[number + 1 : number + _LINES_BELOW]:
            start, last = next(iter(self._pieces(line)), (0, 0))
            run = self._whole_run((start, last))
            if run is None or line.heading or low.count("\n", end, line.start) > 1:
                break
            matches.append(_address_match(low, start, last))
            country = "country" in run.tokens[-1].kinds and len(run.tokens) <= 5
            if run.code or country or comma or (run.signs and run.numbered):
                sure = len(matches)
            elif run.numbered or low.count(" ", start, last) > 3:
                return matches[:sure]
            comma, end = low[last - 1 : last] == ",", line.end
            if line.end - last > _REST:
                break
        if not sure and len(matches) == 1 and self._is_contact(number + 2):
            return matches  # a town under a street, above a telephone number
        return matches[:sure]


def _address_match(low: str, start: int, end: int, rule: str = "address") -> Span:
    code = ADDRESS_WORDS.code_ends.search(low, start, end)
    end = end if code is None else code.end()
    stretch = low[start:end]
    end -= len(stretch) - len(stretch.rstrip(" \t\n\r,;.-(/"))
    start += len(stretch) - len(stretch.lstrip(" \t,;.-)/"))
    return Span(start, end, "ADDRESS", rule, 0.9)


def _is_labelled(label: str, value: str) -> bool:
    if label not in ADDRESS_WORDS.labels and ADDRESS_WORDS.label_ends.search(label) is None:
        return False
    if len(value) < 6 or "@" in value or "http" in value:
        return False
    return label not in ADDRESS_WORDS.only_with_number or any(map(str.isdigit, value))
