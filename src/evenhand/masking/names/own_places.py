"""Places that name the document's person: labelled fields, table cells, markup and phrases.

Markup is TeX commands and mail headers; phrases are `my name is`, `CV of`, `known as`, `formerly`.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cache
from itertools import takewhile
from operator import itemgetter

from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.layout import Field, Layout
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import OWN_NAME_WORDS, Candidate, is_clean, unprefixed
from evenhand.masking.names.parts import Name, name_of
from evenhand.patterns import lazy_re

_MAIL_HEAD = lazy_re(
    r"^[> ]*(?:from|von|de|sender)[ ]?:[ ]*\"?([^<\"\n@]{3,60}?)\"?[ ]*(?=<|\n|\[mailto)", re.IGNORECASE | re.MULTILINE
)


def in_markup(folded: FoldedText) -> list[Candidate]:
    """Return names in TeX commands and in the sender's line of a mail."""
    names = []
    if "\\" in folded.text:
        names += [
            name_of(" ".join(filter(None, match.groups()))) for match in OWN_NAME_WORDS.tex_name.finditer(folded.text)
        ]
    low, words = folded.low, folded.where
    if ("from" in words and ("from:" in low or "from :" in low)) or ("von" in words and "von:" in low):
        senders = (match.group(1) for match in _MAIL_HEAD.finditer(folded.text))
        names += [
            name_of(sender)
            for sender in senders
            if word_kinds.looks_like_a_name(sender, loose=True) or word_kinds.inverted(sender)
        ]
    return [Candidate(name=name, score=6, sure=True) for name in names if name.tokens]


_NAME = lazy_re(word_kinds.NAME)
_INVERTED = lazy_re(rf"{word_kinds.NAME}, {word_kinds.NAME}")
_ENDED = lazy_re(r"[\"']?[ ]*(?:[.;,)\n|\"']|$)")


# Text between such a word and a name.
@cache
def _lead() -> dict[str, re.Pattern[str]]:
    return {
        "document": lazy_re(r"\w+ (?:of|for|from|by)[ ]+(?:(?:mr|mrs|ms|mx|dr)\.?[ ]+)?"),
        "name": lazy_re(r"name is[ ]+|(?<=your )name\?\s+|(?<=full )name\?\s+"),
        "you": OWN_NAME_WORDS.lead_you,
        "call": lazy_re(r"(?:calls? me|knows? me as|go by|goes by)[\s>]+"),
        "known": OWN_NAME_WORDS.lead_known,
        "please": OWN_NAME_WORDS.lead_please,
        "ask": lazy_re(r"ask(?: at the \w+)? for[ ]+"),
        "shorten": lazy_re(r"\w+ (?:it|that|this|my name) to[ ]+[\"']?"),
        "badge": OWN_NAME_WORDS.lead_badge,
        "maiden": lazy_re(r"\w+ name[:,]?[ ]+(?:(?:is|was)[ ]+)?"),
        "published": OWN_NAME_WORDS.lead_published,
        "formerly": lazy_re(r"(?<=\()\w+[ ]+|\w+ (?:known|published) as[ ]+"),
        "aka": lazy_re(r"aka[ ]+"),
        "i": lazy_re(r"i (?:am[ ]+|(?:am|was) (?:just |only |simply )?\"(?=\w))"),
        "undersigned": lazy_re(r"undersigned,?[ ]+"),
        "im": lazy_re(r"i'm[ ]+"),
        "hello": lazy_re(r"\w+,?[ ](?:this is[ ])?"),
        "interview": lazy_re(r"(?:interview|conversation|q&a|q & a) with[ ]+"),
        "copyright": lazy_re(r"(?:copyright|(?<=\()c\))[ ]*(?:19|20)\d\d(?:-\d+)?[ ]+(?:by[ ])?"),
    }


#: Text that must follow the name.
_FOLLOW = {
    "you": _ENDED,
    "please": _ENDED,
    "ask": _ENDED,
    "shorten": _ENDED,
    "badge": lazy_re(r"[.;,\n]|$"),
    "published": _ENDED,
    "i": lazy_re(r"[,.!\"]| and I\b| - "),
    "undersigned": lazy_re(r",? "),
    "im": lazy_re(r"[,.!]| and I\b| - |[ *]*(?:\n|$)"),
    "hello": lazy_re(r" here\b"),
    "interview": lazy_re(r"[ ]*(?:\n|$|[.,:(])"),
}


@cache
def _at_word() -> dict[str, tuple[re.Pattern[str], re.Pattern[str] | None]]:
    return {
        word: (_lead()[name], _FOLLOW.get(name))
        for name, words in OWN_NAME_WORDS.phrase_words.items()
        for word in words.split()
    }


@cache
def _at_words() -> frozenset[str]:
    return word_list(_at_word())


_COPYRIGHT_BY = lazy_re(r"\u00a9[ ]*(?:19|20)\d\d(?:-\d+)?[ ]+(?:by[ ])?")


def renamed(folded: FoldedText, person: Collection[Name]) -> list[Name]:
    """Return earlier names: after `Formerly` that begins a sentence, with the person's first name, or after its name.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("Jane Doe, formerly Roe. Formerly Jane Smith. Formerly a clerk.")
    >>> [name.text for name in renamed(seen, [name_of("Jane Doe")])]
    ['Roe', 'Jane Smith']
    """
    if folded.where.keys().isdisjoint(_EARLIER):
        return []
    tokens = {token for name in person for token in name.tokens}
    firsts = {name.tokens[0] for name in person if name.tokens}
    names = []
    for place in folded.places(_EARLIER):
        _, start, end = folded.words[place]
        _, _, before = folded.words[place - 1]
        if place and folded.words[place - 1][0] in tokens and folded.text[before:start] in _BEFORE_EARLIER:
            named, _ = _name_at(folded.text, end + 1, inverted_too=False)
            if named:
                names.append(name_of(named))
    named_so = (
        _name_at(folded.text, match.end(), inverted_too=False)[0]
        for match in OWN_NAME_WORDS.renamed.finditer(folded.text)
    )
    names += [name_of(text) for text in named_so if " " in text]
    return [name for name in names if name.tokens and (len(name.tokens) == 1 or name.tokens[0] in firsts)]


_EARLIER = word_list({"formerly", "previously", "earlier"})
_BEFORE_EARLIER = frozenset({", ", " (", " ", ",\n", "\n"})


_HEREBY = lazy_re(r"i,[ ](?=\w)")
_INTRODUCING = frozenset({"i", "i'm", "hi", "hello", "hey"})


def phrased(folded: FoldedText) -> list[Candidate]:
    """Return names in phrases that only a person's own name follows: CV of, my name is, formerly."""
    candidates = []
    for text, introduced in _name_phrases(folded):
        name = name_of(text)
        if not name.tokens or (
            introduced
            and len(name.tokens) < 2
            and not (name.tokens[0] in word_kinds.given_names() or is_clean(name.tokens[0]))
        ):
            continue
        candidates.append(Candidate(name=name, score=6, sure=True))
    return candidates + [Candidate(name=name_of(text), score=6, sure=True) for text in _spoken(folded)]


def _spoken(folded: FoldedText) -> Iterator[str]:
    """Yield names after `my name is` in lines without capitals, as in transcribed speech."""
    low = folded.low
    if folded.where.keys().isdisjoint(_SAYING) or not any(phrase in low for phrase in _SAYINGS):
        return
    for match in OWN_NAME_WORDS.introduction.finditer(low):
        first, last = low.rfind("\n", 0, match.start()) + 1, low.find("\n", match.end())
        if not folded.text[first : last if last >= 0 else len(low)].islower():
            continue
        named = list(takewhile(lambda word: word not in OWN_NAME_WORDS.goes_on, match.group(1).split()))
        if named and any(len(word) > 2 for word in named):
            yield " ".join(named[:_MOST_PHRASE_WORDS])


_SAYING = frozenset({"name", "name's", "call", "go"})
_SAYINGS = ("my name", "my full name", "you can call me", "i go by")
_MOST_PHRASE_WORDS = 5


def _name_phrases(folded: FoldedText) -> Iterator[tuple[str, bool]]:  # noqa: C901 - one branch per kind of phrase
    """Yield names in phrases, and whether it is a phrase such as `I'm`, which other words follow too."""
    text, low = folded.text, folded.low
    for place in folded.places(_at_words()):
        word, start, _ = folded.words[place]
        lead, follow = _at_word()[word]
        before = lead.match(low, start)
        if word == "i" and before is None:
            before, follow = _HEREBY.match(low, start), OWN_NAME_WORDS.hereby_then
        if before is None:
            continue
        if word == "known" and OWN_NAME_WORDS.of_a_thing.search(low, max(0, start - 20), start) is not None:
            continue  # 'a product known as Falcon'
        named, end = _name_at(text, before.end(), inverted_too=follow is None)
        if named and (follow is None or follow.match(text, end) is not None):
            yield named, word in _INTRODUCING
    if "\u00a9" in text:
        for match in _COPYRIGHT_BY.finditer(low):
            named, _ = _name_at(text, match.end(), inverted_too=False)
            if named:
                yield named, False
    for thing in OWN_NAME_WORDS.owned_things:
        place = low.find(f"'s {thing}") if thing in folded.where else -1
        if place >= 0:
            owned = OWN_NAME_WORDS.owned.match(text, low.rfind("\n", 0, place) + 1)
            if owned is not None and word_kinds.looks_like_a_name(owned.group(1), loose=True):
                yield owned.group(1), False


def _name_at(text: str, start: int, *, inverted_too: bool) -> tuple[str, int]:
    """Return the name that begins at a place and where it ends; empty where other words go with it."""
    particles = OWN_NAME_WORDS.particles.match(text, start)
    first = particles.end() if particles is not None else start
    match = _INVERTED.match(text, first) if inverted_too else None
    if match is None or not word_kinds.inverted(match.group()):
        match = _NAME.match(text, first)
    if match is None:
        return "", start
    named = _upto_no_name(match.group().removesuffix("'s"))
    return (text[start : first + len(named)], first + len(named)) if named else ("", start)


def _upto_no_name(text: str) -> str:
    """Return the beginning of a text that looks like a name; nothing where a firm's word ends it: `Lehman Brothers`."""
    words = text.split(" ")
    while words and not word_kinds.looks_like_a_name(" ".join(words), loose=True):
        if word_kinds.no_names().get(words[-1].lower()) == "organisation":
            return ""
        words.pop()
    return " ".join(words)


# Labels are found by their last words, without those that end others.
@cache
def _label_words() -> frozenset[str]:
    return word_list(
        {label.split()[-1] for label in OWN_NAME_WORDS.own_labels} - {"as", "of", "by", "passport", "full"}
    )


_OBJECT_END = lazy_re(r"[{}]|\n[ ]*-[ ]|\n\n")


def is_name_label(label: str) -> bool:
    """Say whether a label is a name's, or made of such: `First name(s) / Surname(s)`.

    >>> is_name_label("surname"), is_name_label("first name(s) / surname(s)"), is_name_label("company name")
    (True, True, False)
    """
    if label in OWN_NAME_WORDS.own_labels:
        return True
    if "name" not in label:
        return False
    label = OWN_NAME_WORDS.whose.sub("", label)
    bare = OWN_NAME_WORDS.bracketed.sub("", label.replace("(s)", "")).strip(" .-")
    parts = [part.strip() for part in re.split(r"[/&,]| and | or ", bare)]
    return all(
        part in OWN_NAME_WORDS.own_labels or part.removesuffix("s") in OWN_NAME_WORDS.own_labels for part in parts
    )


def labelled(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return the values of fields such as Name, Surname, Maiden name, also of table cells and lines under a label."""
    candidates = []
    fields = [
        (field.label, field.start, field.end)
        for field in layout.fields
        if is_name_label(field.label) and not _is_head(folded.low, field)
    ]
    parts: dict[str, str] = {}
    for typed, start, end in [*fields, *_cells(folded, layout), *_elements(folded)]:
        if _names_a_thing(folded, start, end):
            continue
        label, value = (
            OWN_NAME_WORDS.whose.sub("", typed).replace("(s)", ""),
            folded.text[start : min(end, start + _LONGEST_FIELD)],
        )
        stop = OWN_NAME_WORDS.value_end.search(value)
        value = unprefixed(value[: stop.start()] if stop is not None else value).strip(" .,;-*_")
        value = word_kinds.uncredentialled(value)
        if not word_kinds.inverted(value):
            value = value.split(",")[0]
        if "/" in label:
            value = value.replace(" / ", " ")  # First name(s) / Surname(s)
        weak = label in OWN_NAME_WORDS.weak
        lower = not weak and len(value.split()) < 4
        in_header = (
            word_kinds.looks_like_a_name(value, lower=lower, loose=not weak)
            or _is_labelled_name(value)
            or _is_part(typed, value)
        )
        if is_name_label(value.lower()):
            continue  # a label under another: `Legal name` and `Given name` below
        if (
            value
            and in_header
            and (not weak or len(value.split()) > 1 or (label in OWN_NAME_WORDS.of_people and is_clean(value.lower())))
        ):
            name = name_of(value)
            if name.tokens:
                candidates.append(Candidate(name=name, score=8, sure=True))
                if label in _parts():
                    parts.setdefault(_parts()[label], value)
    if len(parts) > 1:
        candidates.insert(0, Candidate(name=name_of(f"{parts['given']} {parts['family']}"), score=8, sure=True))
    return candidates


def _is_labelled_name(value: str) -> bool:
    """Say whether capitalised words after a label are a name, one of which is a job as well: `Owen Major`."""
    words = value.split()
    kinds = [
        None if word.lower() in word_kinds.name_words() else word_kinds.no_names().get(word.lower()) for word in words
    ]
    return (
        1 < len(words) < _LONGEST_VALUE
        and all(word[0].isupper() and word.replace("-", "").replace("'", "").isalpha() for word in words)
        and None in kinds
        and not {"organisation", "section", "degree"} & set(kinds)
    )


def _is_part(label: str, value: str) -> bool:
    """Say whether the value of `Last name`, `Legal name` or the like is one, whatever else the words are: `Rust`."""
    return (
        any(part in label for part in OWN_NAME_WORDS.of_persons_only)
        and len(value.split()) < _LONGEST_VALUE
        and all(word[0].isupper() and word.replace("-", "").replace("'", "").isalpha() for word in value.split())
        and value.lower() not in OWN_NAME_WORDS.no_answer
    )


#: The most words of a name, and the most characters of a field for one.
_LONGEST_VALUE, _LONGEST_FIELD = 5, 200


@cache
def _parts() -> dict[str, str]:
    return dict.fromkeys(OWN_NAME_WORDS.given, "given") | dict.fromkeys(OWN_NAME_WORDS.family, "family")


def _names_a_thing(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether a value in JSON or YAML is the name of a firm, project or skill, by the neighbouring keys."""
    low = folded.low
    line = low[low.rfind("\n", 0, start) + 1 : start]
    if low[end : end + 1] != '"' and line.lstrip(" ")[:2] != "- " and line[:2] != "  ":
        return False
    after = _OBJECT_END.search(low, end)
    around = low[end : min(end + 200, after.start() if after is not None else len(low))]
    before = low[max(0, start - 120) : start]
    before = before[max(before.rfind("{"), before.rfind("\n- "), before.rfind("\n\n")) + 1 :]
    return (
        OWN_NAME_WORDS.keys_of_things.search(around) is not None
        or OWN_NAME_WORDS.keys_of_things.search(before) is not None
    )


def _cells(folded: FoldedText, layout: Layout) -> Iterator[tuple[str, int, int]]:
    """Yield labels in a table's cell or in a separate line, with the places of their values."""
    low, lines = folded.low, layout.lines
    heads: set[int] = set()
    for place in folded.places(_label_words()):
        word_start = folded.words[place][1]
        begin = max(low.rfind("\n", 0, word_start), low.rfind("|", 0, word_start)) + 1
        stop = min(place for place in (low.find("\n", word_start), low.find("|", word_start), len(low)) if place >= 0)
        label = low[begin:stop].strip(" \t*_#:.")
        head = low.rfind("\n", 0, word_start) + 1
        if head not in heads:
            heads.add(head)
        if len(label) > _LONGEST_LABEL or not is_name_label(label):
            continue
        if low[stop : stop + 1] == "|":
            yield label, *_cell_after(folded.text, begin, stop)
        elif low[begin - 1 : begin] != "|":
            first = begin + len(low[begin:stop]) - len(low[begin:stop].lstrip())
            line = (
                bisect_left(lines, first, key=itemgetter(0))
                if label not in OWN_NAME_WORDS.weak_headings
                else len(lines)
            )
            if line + 1 < len(lines) and lines[line].start == first and low[stop - 1] != ":":
                yield label, lines[line + 1].start, lines[line + 1].end


def _elements(folded: FoldedText) -> Iterator[tuple[str, int, int]]:
    """Yield the contents of elements such as `<name>`, but not of those inside `<employer>` and the like."""
    if "name>" not in folded.low:
        return
    for match in _ELEMENT.finditer(folded.low):
        before = _TAG.findall(folded.low, max(0, match.start() - 80), match.start())
        if not before or before[-1] not in OWN_NAME_WORDS.things:
            yield match.group(1).replace("_", " "), *match.span(2)


_ELEMENT = lazy_re(r"<([a-z_:-]*name)(?:[ ][^<>]*)?>[ ]*([^<>\n]{2,60}?)[ ]*</")
_TAG = lazy_re(r"<([a-z_:-]+)[^<>]*>")


def _cell_after(text: str, begin: int, stop: int) -> tuple[int, int]:
    """Return the cell to the right of one, or the one under it where a table's head ends with a line of dashes."""
    first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", stop)
    end = text.find("|", stop + 1)
    end_of_line = last if last >= 0 else len(text)
    right = stop + 1, end if 0 <= end < end_of_line else end_of_line
    if not _is_ruled(text, last):
        return right
    column = text.count("|", first, begin)
    start = text.find("\n", last + 1) + 1
    if text[begin - 1 : begin] != "|" or column == 0:
        column = 0
    for _ in range(column):
        start = text.find("|", start) + 1
    ends = [place for place in (text.find("|", start), text.find("\n", start)) if place >= 0]
    return start, min(ends) if ends else len(text)


def _is_ruled(text: str, line_end: int) -> bool:
    """Say whether a table's head ends here: a line of dashes is under it."""
    under = text[line_end + 1 : text.find("\n", line_end + 1)] if line_end >= 0 else ""
    return "--" in under and not under.strip(" |:-+")


def _is_head(low: str, field: Field) -> bool:
    """Say whether a field's label is in the head of a table, whose values are found with the cells."""
    return "|" in low[field.label_start : field.start] and _is_ruled(low, low.find("\n", field.start))


_LONGEST_LABEL = 40
