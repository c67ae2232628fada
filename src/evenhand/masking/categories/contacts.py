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
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

import phonenumbers
from publicsuffixlist import PublicSuffixList

from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.layout import Layout
from evenhand.masking.names.parts import Name
from evenhand.masking.names.word_kinds import english_words
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

_LOCAL_PART = r"[^\s@<>()\[\]{},;:\"|\\/]{1,64}"
_BEFORE_SIGN, _NO_LOCAL = frozenset(" [({<"), frozenset('@<>()[]{},;:"|\\/')
_HOST = r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}(?![\w])"
#: A host that a line's end breaks: after a dot or a hyphen.
_BROKEN_HOST = r"(?:[\w-]+-\n[ \t]*[\w-]+(?:\.[\w-]+)*\.|[\w-]+\.\n[ \t]*|[\w-]+ \.)[a-z]{2,24}(?![\w])"
_ADDRESS = lazy_re(
    rf"{_LOCAL_PART}(?:[ ]@[ ]|@|@[ ]|@\n[ \t]*|[ ]?[\[({{<][ ]?@[ ]?[\])}}>][ ]?)(?:{_HOST}|{_BROKEN_HOST})"
)
#: A line may end next to a sign in brackets.
_EMAIL_GAP = r"(?:[ ]?\n[ \t]*|[ ]?)"
_AT_SIGN = rf"(?:{_EMAIL_GAP}[\[({{<][ ]?(?:at|@)[ ]?[\])}}>]{_EMAIL_GAP}|[ ]?\bat\b[ ]?)"
_DOT = rf"(?:{_EMAIL_GAP}[\[({{<][ ]?(?:dot|\.)[ ]?[\])}}>]{_EMAIL_GAP}|[ ]?(?:\bdot\b|\.)[ ]?)"
_WORDED = lazy_re(
    rf"[\w+-]{{1,40}}(?:{_DOT}[\w+-]{{1,40}}){{0,3}}?{_AT_SIGN}[\w-]{{2,40}}(?:{_DOT}[\w-]{{2,24}}){{1,3}}(?![\w])"
)
_SPELLED = lazy_re(r"[\[({<][ ]?dot[ ]?[\])}>]|[ ]dot[ ]|[\[({<][ ]?at[ ]?[\])}>]")
_BRACKETED_AT = lazy_re(r"[\[({<][ ]?at[ ]?[\])}>]")
_AT_HINTS, _DOT_HINTS = ("at]", "at)", "at}", "at>", "at >", "at ]", "at )"), (" dot ", "dot)", "dot]")
_CLOSING = ("]", ")", "}", ">", " ]", " )", " }", " >")


def emails(folded: FoldedText) -> list[RuleMatch]:
    """Return e-mail addresses.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Write to jane.doe@example.org, or jane at example dot org.")
    >>> [seen.text[match.start:match.end] for match in emails(seen)]
    ['jane.doe@example.org', 'jane at example dot org']
    """
    low, matches = folded.low, []
    place, earlier, done = low.find("@"), -1, 0
    while place >= 0:
        begin = low.rfind("\n", 0, place) + 1
        last = place
        window_start = max(begin, place - 66)
        local = _local(low, max(window_start, done) if earlier > window_start else window_start, place)
        candidates = _ADDRESS.finditer(low, local, min(len(low), place + 200))
        match = next((candidate for candidate in candidates if candidate.start() <= place < candidate.end()), None)
        if match is not None:
            earlier, done = place, match.end()
            start = match.start()
            while start < place and low[start] in "'*_-./~<":
                start += 1
            if start < place:
                matches.append(RuleMatch(start, match.end(), "EMAIL", "address", 0.99))
                last = match.end() - 1
        place = low.find("@", last + 1)
    dotted = "dot" in folded.where and any(hint in low for hint in (*_DOT_HINTS, *_AT_HINTS))
    if dotted or (
        any(low.startswith(_CLOSING, folded.words[place][2]) for place in folded.where.get("at", ()))
        and any(hint in low for hint in _AT_HINTS)
        and _BRACKETED_AT.search(low) is not None
    ):
        matches += [
            RuleMatch(start=match.start(), end=match.end(), category="EMAIL", rule="spelled out", confidence=0.95)
            for match in _WORDED.finditer(low)
            if _SPELLED.search(match.group()) is not None
        ]
    return matches


def _local(low: str, begin: int, place: int) -> int:
    """Return the start of the local part before an @, at `begin` or later; a blank and a bracket may be between."""
    start = place
    while start > begin and low[start - 1] in _BEFORE_SIGN:
        start -= 1
    while start > begin and low[start - 1] not in _NO_LOCAL and not low[start - 1].isspace():
        start -= 1
    return start


CONTACT_WORDS = WordTable("evenhand.masking.categories", "contacts.toml")

_AT_HANDLE = lazy_re(r"@[a-z_][\w.-]{1,38}(?<![.-])")
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
    """Return the spans of handles.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("jo@x.org, @jo_koba, Skype name live:jo.koba; uses @Override, pinged @team daily")
    >>> [seen.text[start:end] for start, end in handles(seen, layout_of(seen))]
    ['@jo_koba', 'live:jo.koba']
    """
    low, words = folded.low, folded.words
    spans = list(_with_at(low, layout)) if "@" in low else []
    if "live:" in low:
        spans += [match.span() for match in _LIVE.finditer(low)]
    if "ago" in folded.where:
        spans += [match.span(1) for match in CONTACT_WORDS.posted.finditer(low)]
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
                    spans.append(handle)
    if "u/" in low:
        spans += [match.span() for match in _REDDIT.finditer(low)]
    spans += _users(folded)
    return sorted(set(spans))


def _is_item(folded: FoldedText, match: re.Match[str]) -> bool:
    """Say whether a network begins an item and a possible user name follows."""
    start, end = match.span(match.lastindex or 0)
    before = _ITEM_BEFORE.search(folded.low, max(0, match.start() - 4), match.start())
    return before is not None and folded.text[start:end].islower()


def name_handles(folded: FoldedText, person: Iterable[Name]) -> list[RuleMatch]:
    """Return handles with a word of the person's name, of four letters or more, anywhere: `@the_okonkwo`.

    >>> from evenhand.masking.names.parts import name_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Build notes on @the_okonkwo; fixed @Override")
    >>> [seen.text[match.start : match.end] for match in name_handles(seen, [name_of("Ada Okonkwo")])]
    ['@the_okonkwo']
    """
    low, matches = folded.low, []
    place = low.find("@")
    parts = {form for name in person for form in name.forms if len(form) >= _SHORTEST_PART} if place >= 0 else ()
    while place >= 0:
        match = _AT_HANDLE.match(low, place) if not low[place - 1 : place].isalnum() else None
        if (
            match is not None
            and match.group() not in CONTACT_WORDS.annotations
            and not _is_mail(low, match.end())
            and any(part in match.group() for part in parts)
        ):
            matches.append(RuleMatch(*match.span(), "URL", "own handle", 0.95))
        place = low.find("@", place + 1)
    return matches


_SHORTEST_PART = 4


def _is_mail(low: str, end: int) -> bool:
    return low[end : end + 1] == "@"


def _users(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield the names after a label of user names."""
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
        match = _AT_HANDLE.match(low, place) if not low[place - 1 : place].isalnum() else None
        if (
            match is not None
            and match.group() not in CONTACT_WORDS.annotations
            and low[match.end() : match.end() + 1] not in {"@", "("}
        ):
            left = low[max(0, place - _NEAR) : place]
            alone = _BEFORE.search(left) is not None and _AFTER.match(low, match.end()) is not None
            if (alone and _is_contact(low, match, layout)) or CONTACT_WORDS.handle_before.search(left) is not None:
                yield match.span()
        place = low.find("@", place + 1)


_CONTACT = lazy_re(r"[\w.]@[\w-]+\.|\d{3}[ -]?\d{3}|https?:|www\.|\.com\b|linkedin")
_TOP = 14


def _is_contact(low: str, match: re.Match[str], layout: Layout) -> bool:
    """Say whether a single handle is a line, a label's value, or among contact details."""
    line = low.rfind("\n", 0, match.start()) + 1
    last = low.find("\n", match.end()) % (len(low) + 1)
    alone = not low[line : match.start()].strip(" \t`|•·-*>[(") and not low[match.end() : last].strip(" \t`|•·-*>])")
    if alone or low[line : match.start()].rstrip(" \"'`").endswith((":", "=", "\t")):
        return True
    if _CONTACT.search(low, line, last) is not None:
        return True
    return sum(line.start < match.start() for line in layout.lines[:_TOP]) < _TOP


REGIONS = tuple("US GB CA AU IN DE FR ES IT NL BR MX NG KE ZA PK PH CN VN PL".split())  # noqa: SIM905 - a list of words
#: All adjacent digits: their parts could be combined in too many ways.
_PART = r"(?:\((?:\+?\d{1,5}|0 \d{2,4})\)|\d{1,15}(?!\d))"
_DIGIT_GAP = r"(?:[ ]?[-./][ ]?|[ ]|)"
_NUMBER = lazy_re(
    rf"(?<![\w$€£#])(?<!\d[.,/-])(?=[+(\d][-+\d ./()\n]{{6}})(?:\+[ ]?|00)?"
    rf"{_PART}(?:{_DIGIT_GAP}{_PART}){{0,9}}(?![\w%])"
    r"(?:[ ,]{0,3}(?:ext\.?|extension|x|#|durchwahl|int\.|poste)[ .:]{0,3}\d{1,6}(?!\d))?"
)
_EXTENSION = lazy_re(r"[ ,]{0,3}(?:ext|x|#|durchwahl|int|poste)")
_LETTERED = lazy_re(
    r"\b(?:1[- ]8(?:00|88|77|66|55|44|33)[- ]|8(?:00|88|77|66|55|44|33)-)[a-z]{7}\b|"
    r"\b1-8\d\d-[a-z0-9]{3}-[a-z0-9]{4}\b",
    re.IGNORECASE,
)
_ADDRESS_OF_MACHINE = lazy_re(r"(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}")
_DECIMAL = lazy_re(r"[1-9]\d*\.\d+")
_BRACKETED_PREFIX = lazy_re(r"\((?:\d{2,5}|0 \d{2,4})\) ?\d")
_SHAPED = lazy_re(r"(?:1[ .-])?\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}|0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,4}")
_LOCAL_NUMBER = lazy_re(r"(?:555|\d{4})[ .-]\d{4}")
#: A number without its area code, after a person to contact: `Supervisor: Ann Roe (555-0143)`.
_WITHOUT_AREA = lazy_re(r"\d{3}[ .-]\d{4}")
_CODE = lazy_re(r"\d{5}-\d{4}")
#: National numbers of eight digits, as Norway, Singapore, Denmark and Lebanon write them; not 20190412.
_EIGHT = lazy_re(
    r"(?!(?:19|20)\d{6})[2-9]\d{7}|[2-9]\d{2} \d{2} \d{3}|\d{2}(?: \d{2}){3}|0\d[-/]\d{6}|0\d-\d{3} ?\d{3}"
)
#: A journal's volume, year and page: 31 (2020) 114.
_VOLUME = lazy_re(r"\d{1,4} ?\((?:19|20)\d\d\)[ :]?\d{1,5}(?:-\d{1,5})?")
_ALONE_BEFORE = lazy_re(r"(?:^|[\n|•·,;/(\t☎✆✉:{]|\s{2}|\b(?:or|and) |[a-z]\) )\s*$")
_ALONE_AFTER = lazy_re(r"\s*(?:$|[\n|•·,;/)\t✉}]|\s{2}|\.(?:\s|$))")
#: Next to these an unlabelled number of eight digits counts: an address, a person's role.
_BEFORE_UNLABELLED = lazy_re(
    r"(?:[\w-]\.[a-z]{2,12}[>)\]]?(?:\s*[|,;/•·]\s*|\s+(?:or|and)\s+)|[a-z]\),? |[;·] |^\s*|\n\s*|\| *|\{)$"
)

_CONTACT_WIDTH = 160
_HEADER = 300


def phones(folded: FoldedText, *, regions: Sequence[str] = REGIONS) -> list[RuleMatch]:
    """Return telephone numbers.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Tel. (312) 555-0188, at Acme 2010 - 2015, budget of 2500000")
    >>> [seen.text[match.start:match.end] for match in phones(seen)]
    ['(312) 555-0188']
    """
    low, matches = folded.low, []
    end_of_last = 0
    for match in _NUMBER.finditer(low):
        if match.end() - match.start() < _SHORTEST and low[match.end() : match.end() + 1] != "\n":
            continue
        for start, end in _numbers(low, *match.span(), end_of_last, tuple(regions)):
            labelled = _is_labelled(low, start, end_of_last)
            matches.append(
                RuleMatch(
                    start=start, end=end, category="PHONE", rule="labelled" if labelled else "number", confidence=0.97
                )
            )
            end_of_last = end
    matches += [
        RuleMatch(start=match.start(), end=match.end(), category="PHONE", rule="lettered", confidence=0.9)
        for match in (_LETTERED.finditer(low) if "-8" in low or "8" in low else ())
    ]
    return matches


_SHORTEST = 7


def _numbers(low: str, start: int, end: int, last: int, regions: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the numbers in a stretch of digits: all of it, with a part cut off by a line's end, or its parts."""
    apart = " / " in low[start:end] and low[start] not in "+0("
    if not apart and _counts(low, start, end, labelled=_is_labelled(low, start, last), regions=regions):
        return [(start, end)]
    for mark in (" / ", "/", " "):
        place = low.find(mark, start + 1, end)
        while place >= 0:
            if _counts(low, start, place, labelled=_is_labelled(low, start, last), regions=regions):
                return [(start, place), *_numbers(low, place + len(mark), end, place, regions)]
            if mark == " / ":
                return _numbers(low, place + len(mark), end, last, regions)
            place = low.find(mark, place + 1, end)
    return []


_LONGEST = 15


def _digits(text: str) -> int:
    return sum(character.isdigit() for character in text)


def _is_labelled(low: str, start: int, last: int) -> bool:
    """Say whether a label or a labelled number precedes a number: `Tel: 312 555 0133 / 0134`."""
    if last and low[last:start].strip(" ,/|;or\t") == "":
        return True
    return CONTACT_WORDS.label.search(low, max(0, start - 30), start) is not None


def _counts(low: str, start: int, end: int, *, labelled: bool, regions: tuple[str, ...]) -> bool:
    """Say whether a stretch of digits is a telephone number."""
    number = low[start:end].strip()
    extension = _EXTENSION.search(number)
    bare = number[: extension.start()] if extension is not None else number
    digits = _digits(bare)
    if digits < _SHORTEST or digits > (_LONGEST if not labelled else _LONGEST + 3) or _is_dates(bare):
        return False
    if labelled:
        return True
    return (
        (bare.startswith("+") or CONTACT_WORDS.not_a_phone.search(low, max(0, start - 30), start) is None)
        and _ADDRESS_OF_MACHINE.fullmatch(bare) is None
        and _DECIMAL.fullmatch(bare) is None
        and _CODE.fullmatch(bare) is None
        and _VOLUME.fullmatch(bare) is None
        and low[start - 1 : start] not in {"-", "/"}
        and CONTACT_WORDS.amount_after.match(low, end) is None
        and _is_unlabelled_phone(low, start, end, bare, regions)
    )


def _is_unlabelled_phone(low: str, start: int, end: int, bare: str, regions: tuple[str, ...]) -> bool:
    """Say whether a number without a label has the form of one, or is an item among contact details."""
    digits = _digits(bare)
    if bare.startswith("+"):
        return digits > _SHORTEST
    if _BRACKETED_PREFIX.search(bare) is not None or _SHAPED.fullmatch(bare) is not None:
        return True
    alone = (_ALONE_BEFORE.search(low, max(0, start - 4), start) is not None or start == 0) and _ALONE_AFTER.match(
        low, end
    ) is not None
    near = start < _HEADER or "@" in low[max(0, start - _CONTACT_WIDTH) : end + _CONTACT_WIDTH]
    somebodys = _WITHOUT_AREA.fullmatch(bare) and CONTACT_WORDS.of_somebody.search(
        low, max(0, start - _CONTACT_WIDTH), start
    )
    if alone and (somebodys or (near and (digits > _SHORTEST + 1 or _LOCAL_NUMBER.fullmatch(bare) is not None))):
        return True
    if (
        alone
        and _EIGHT.fullmatch(bare) is not None
        and _BEFORE_UNLABELLED.search(low, max(0, start - 20), start) is not None
    ):
        return near or CONTACT_WORDS.contact_verb.search(low, max(0, start - _CONTACT_WIDTH), start) is not None
    return digits > _SHORTEST + 1 and _is_number(bare, regions)


def _is_dates(bare: str) -> bool:
    """Say whether all parts of a number are years, months and days: 05/2015 - 2018.

    >>> _is_dates("05/2015 - 2018"), _is_dates("12.05.2014-13.06.2015"), _is_dates("05 20 15 18 22")
    (True, True, False)
    """
    parts = _PARTS.findall(bare)
    years = sum(len(part) == 4 and part[:2] in {"19", "20"} for part in parts)
    if _RANGE_OF_NUMBERS.fullmatch(bare) is not None or _SHORT_DATE.fullmatch(bare) is not None:
        return True
    return bool(years) and all(
        (len(part) == 4 and part[:2] in {"19", "20"}) or (len(part) <= 2 and (years > 1 or int(part) <= 31))
        for part in parts
    )


_SHORT_DATE = lazy_re(r"\d{1,2}([./-])\d{1,2}\1\d{2}")
_PARTS = lazy_re(r"\d+")
_RANGE_OF_NUMBERS = lazy_re(r"(?:19|20)\d\d-\d{3,4}")


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


#: Beginnings of addresses, and the strings to search for.
_SCHEMES = {
    "://": lazy_re(r"(?:https?|ftp)://[^\s<>\"]+"),
    "www.": lazy_re(r"\bwww\.[^\s<>\"]+"),
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
#: Strings that are no word: `dh_1984`, `dhart84`, no `h4`.
_USERNAME_SHAPE = lazy_re(r"[a-z][a-z.]*_\w+|[a-z]{2,}\d{2,}")
_HANDLE = lazy_re(r"(?:live:)?[@.]?\w[\w.@#/+-]{1,60}")
_LONGEST_URL_NETWORK, _LONGEST_HANDLE = 32, 84
_CONTINUED = lazy_re(r"\n[ \t]*([\w%~.-]+(?:/[\w%~.-]*)*)[ \t]*(?=\n|$|[|,;)]|\(linkedin|\(portfolio)")
_ORCID = lazy_re(r"\d(?<![\w-]\d)\d{3}-\d{4}-\d{4}-\d{3}[\dx](?![\w-])")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def urls(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    """Return web addresses, handles and pictures.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("janedoe.dev/cv, GitHub: jdoe; built in Node.js")
    >>> [seen.text[match.start:match.end] for match in urls(seen, layout_of(seen))]
    ['janedoe.dev/cv', 'jdoe']
    """
    low = folded.low
    matches: list[RuleMatch] = []
    matches += [
        _url_match(low, match.start(), _continued(folded, match.end()), "address", 0.99) for match in _addresses(low)
    ]
    if "![" in low or "<img" in low:
        matches += [_url_match(low, *match.span(), "picture", 0.99) for match in _PICTURE.finditer(low)]
    matches += _domains(folded)
    matches += [_url_match(low, *span, "handle", 0.85) for span in handles(folded, layout)]
    if "orcid" in low:
        matches += [_url_match(low, *match.span(), "number", 0.97) for match in _ORCID.finditer(low)]
    for field in layout.fields:
        label = field.label if field.label in CONTACT_WORDS.labelled else field.label.rpartition(" ")[2]
        if label in CONTACT_WORDS.labelled and (label != "in" or field.label == "in"):
            handle = _HANDLE.match(low, field.start, field.end)
            if handle is not None and _is_handle(folded, label, handle):
                matches.append(_url_match(low, *handle.span(), "handle", 0.9))
    return matches


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


def _url_match(low: str, start: int, end: int, rule: str, confidence: float) -> RuleMatch:
    """Return an address without the marks that end a sentence or a bracket around it."""
    while end > start + 1 and low[end - 1] in _TRAILING:
        if low[end - 1] == ")" and low.count("(", start, end) >= low.count(")", start, end):
            break
        end -= 1
    return RuleMatch(start=start, end=end, category="URL", rule=rule, confidence=confidence)


_IN_DOMAIN = lazy_re(r"(?:[^\W_]|[-_.])+")


def _domains(folded: FoldedText) -> list[RuleMatch]:
    low, matches, done = folded.low, [], 0
    for dot in _INNER_DOT.finditer(low):
        if dot.start() < done:
            continue
        # The text around a dot without a blank is read once, however many dots it has.
        around = _IN_DOMAIN.match(low, dot.start())
        begin, done = dot.start(), dot.end() if around is None else around.end()
        while begin and (low[begin - 1].isalnum() or low[begin - 1] in "-_."):
            begin -= 1
        match = _DOMAIN.match(low, begin)
        if match is not None:
            done = max(done, match.end())
            if _is_domain(folded, match):
                end = _continued(folded, match.end()) if match.group(3) else match.end()
                matches.append(_url_match(low, match.start(), end, "domain", 0.96))
    return matches


def _is_handle(folded: FoldedText, label: str, match: re.Match[str]) -> bool:
    """Say whether a value is a handle: one word, no sentence, no list of the network's features."""
    rest = folded.low[match.end() : match.end() + 2]
    handle = match.group()
    if "@" in handle[1:] and "." in handle:
        return False
    if "." in handle or "/" in handle or handle.startswith("@"):
        return True
    if label in CONTACT_WORDS.url_no_handle and _USERNAME_SHAPE.fullmatch(folded.text, *match.span()) is None:
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
    """Say whether a domain ends with a suffix of the public list, after a name."""
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
