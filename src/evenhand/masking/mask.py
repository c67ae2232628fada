"""Mask a résumé's text: replace names, contact details and protected characteristics."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from operator import itemgetter

from evenhand.errors import InputError
from evenhand.masking.categories.contacts import addresses, emails, name_handles, phones, urls
from evenhand.masking.categories.education import graduation_years, schools
from evenhand.masking.categories.personal import TABLES, births, in_fields, is_about_others, is_work, lexicon
from evenhand.masking.layout import FoldedText, Layout, columns_of, folded_text, layout_of
from evenhand.masking.names.find import find_names, names_in
from evenhand.masking.names.mentions import given_mentions, has_words, name_mentions
from evenhand.masking.names.word_kinds import Names
from evenhand.masking.pronouns import (
    CATEGORIES,
    OPTIONAL,
    MaskOptions,
    MaskSettings,
    Span,
    neutral,
    resolve_overlaps,
    token_of,
)
from evenhand.options import from_python
from evenhand.patterns import lazy_re


@dataclass(frozen=True, kw_only=True, repr=False)
class Masked:
    """The masked text, its spans in the input, and the names that were accepted."""

    text: str
    spans: tuple[Span, ...]
    names: tuple[str, ...]

    def __repr__(self) -> str:
        """Return how many spans of each category were masked; no text, and no name."""
        counts = Counter(span.category for span in self.spans)
        return f"<Masked: {', '.join(f'{category} {count}' for category, count in counts.items()) or 'nothing'}>"

    def _repr_html_(self) -> str:
        """Return the masked text, as a notebook shows it."""
        return f'<pre style="white-space: pre-wrap">{escape(self.text)}</pre>'


_DEFAULTS = MaskOptions()
#: For people who give labels, and for texts that are kept: nobody needs contacts or a date of birth for a label.
FOR_LABELS = MaskOptions(optional=("phone", "address", "dob"))
_TOKEN = lazy_re(rf"\[(?:{'|'.join((*CATEGORIES, *OPTIONAL.values()))})\]")


def mask_text(
    text: str,
    *,
    known_names: Sequence[str] = (),
    file_name: str | None = None,
    metadata: Sequence[str] = (),
    options: MaskOptions = _DEFAULTS,
) -> Masked:
    """Return a text in which tokens replace what identifies the person.

    Spans and names refer to the input; offsets count code points. Names are found
    with `known_names` and without; the file's name and metadata such as its author help.

    >>> masked = mask_text("Jane Doe, she/her. Ran the team.", known_names=["Jane Doe"])
    >>> masked.text, [(span.start, span.end, span.category) for span in masked.spans]
    ('[NAME], [GENDER]. Ran the team.', [(0, 8, 'NAME'), (10, 17, 'GENDER')])
    """
    folded = folded_text(text)
    layout = layout_of(folded)
    names = names_in(folded, layout, known_names=known_names, file_name=file_name, metadata=metadata)
    return _masked(text, folded, layout, names, options)


@from_python()
def mask(text: str, options: MaskSettings, *, file_name: str | None = None, metadata: Sequence[str] = ()) -> Masked:
    """Return a résumé's masked text, with its spans and names.

    >>> mask("Jane Doe, she/her. Tel. 312-555-0188", optional=["phone"]).text
    '[NAME], [GENDER]. Tel. [PHONE]'
    """
    check_names(options.known_names)
    return mask_text(text, known_names=options.known_names, file_name=file_name, metadata=metadata, options=options)


def check_names(known_names: Sequence[str]) -> None:
    """Refuse a known name that has nothing to search for.

    Raises
    ------
    InputError
        A name is empty, or has no word of two letters.

    """
    for name in known_names:
        if not has_words(name):
            raise InputError(f"The known name {name!r} is not a name: expected a word of two letters at least.")


def unmasked_counts(text: str, options: MaskOptions = _DEFAULTS) -> Counter[str]:
    """Return how many spans of a text the options that are off would mask, by option.

    >>> strict = MaskOptions(strict=True)
    >>> unmasked_counts("Jane Doe, tel. 312-555-0188", MaskOptions()), unmasked_counts("tel. 312-555-0188", strict)
    (Counter({'phone': 1}), Counter({'phone': 1}))
    """
    unmasked = set(OPTIONAL).difference(options.optional)
    if not unmasked:
        return Counter()
    folded = folded_text(text)
    matches: list[Span] = []
    for part, layout in columns_of(folded, layout_of(folded)):
        matches += _optional_in(part, layout, unmasked)
    places = (folded.in_input(match.start, match.end) for match in matches)
    spans = (match._replace(start=start, end=end) for match, (start, end) in zip(matches, places, strict=True))
    counts = Counter(span.category for span in resolve_overlaps(text, spans))
    return Counter({name: counts[category] for name, category in OPTIONAL.items() if counts[category]})


@dataclass(frozen=True, kw_only=True, repr=False)
class Identified:
    """The names in a document, and the spans that would be masked."""

    names: Names
    spans: tuple[Span, ...]


def identified(
    text: str,
    *,
    read_as: str,
    known_names: Sequence[str] = (),
    file_name: str | None = None,
    metadata: Sequence[str] = (),
) -> Identified:
    """Return what would be masked in a text; names are found in `read_as`, the text without its markup."""
    folded = folded_text(text)
    layout = layout_of(folded)
    if read_as == text:
        names = names_in(folded, layout, known_names=known_names, file_name=file_name, metadata=metadata)
    else:
        names = find_names(read_as, known_names=known_names, file_name=file_name, metadata=metadata)
    return Identified(names=names, spans=_spans(text, folded, layout, names, _DEFAULTS))


def mask_segments(segments: Sequence[str], names: Names, options: MaskOptions = _DEFAULTS) -> list[Masked]:
    """Return the masked parts of one document; they share its names."""
    spans = []
    for segment in segments:
        folded = folded_text(segment)
        spans.append(_masked(segment, folded, layout_of(folded), names, options))
    return spans


def residual_categories(text: str, *, names: Names, options: MaskOptions = _DEFAULTS) -> tuple[str, ...]:
    """Return the categories that remain in a text that was masked and read again.

    >>> residual_categories("[NAME] led the team; write to jane@example.org", names=Names())
    ('EMAIL',)
    """
    folded = folded_text(text)
    spans = _spans(text, folded, layout_of(folded), names, options)
    return tuple(dict.fromkeys(span.category for span in spans))


def _masked(text: str, folded: FoldedText, layout: Layout, names: Names, options: MaskOptions) -> Masked:
    spans = _spans(text, folded, layout, names, options)
    pieces, done = [], 0
    for start, end, replacement, _ in replacements(text, spans, options):
        pieces += [text[done:start], replacement]
        done = end
    pieces.append(text[done:])
    return Masked(text="".join(pieces), spans=spans, names=names.texts)


def replacements(text: str, spans: Sequence[Span], options: MaskOptions) -> Iterator[tuple[int, int, str, str]]:
    """Yield the replacements of a text: start, end, new text, category."""
    rewritten = neutral(text, spans) if options.pronouns == "neutral" else {}
    done = 0
    for span in spans:
        instead = rewritten.get(span.start)
        if instead is not None:
            done = instead.end
            yield instead.start, instead.end, instead.text, span.category
        elif span.start >= done:  # a pronoun's replacement covers a second one too
            yield span.start, span.end, token_of(span.category), span.category


def _spans(text: str, folded: FoldedText, layout: Layout, names: Names, options: MaskOptions) -> tuple[Span, ...]:
    matches: list[Span] = name_mentions(folded, layout, names, strict=options.strict)
    matches += given_mentions(folded, names.given)
    matches += emails(folded)
    matches += urls(folded, layout)
    matches += name_handles(folded, names.person)
    for part, its_layout in columns_of(folded, layout):
        matches += _in_part(part, its_layout, options)
    tokens = [token.span() for token in _TOKEN.finditer(text)]  # of an earlier masking, which are not masked again
    spans = []
    for match in matches:
        start, end = folded.in_input(match.start, match.end)
        if text.startswith("(s)he", start - 1):
            start -= 1
        if not any(start < last and first < end for first, last in tokens):
            spans.append(match._replace(start=start, end=end))
    return resolve_overlaps(text, spans)


def _in_part(folded: FoldedText, layout: Layout, options: MaskOptions) -> list[Span]:
    """Return the matches in a text, or in a column of a page."""
    matches = [
        match
        for match in lexicon(strict=options.strict).matches(folded)
        if not _describes_others(folded, layout, match)
    ]
    matches += in_fields(folded, layout)
    matches = [match for match in matches if not _is_over_a_value(folded.text, match)]
    return matches + _optional_in(folded, layout, options.optional)


def _optional_in(folded: FoldedText, layout: Layout, optional: Collection[str]) -> list[Span]:
    """Return the matches of the optional categories."""
    matches: list[Span] = []
    if "phone" in optional:
        matches += phones(folded)
    if "address" in optional:
        matches += addresses(folded, layout)
    if "dob" in optional:
        matches += births(folded, layout)
    if "graduation_year" in optional or "school" in optional:
        named = schools(folded, layout)
        matches += graduation_years(folded, layout, named) if "graduation_year" in optional else []
        matches += named if "school" in optional else []
    return matches


def _describes_others(folded: FoldedText, layout: Layout, match: Span) -> bool:
    """Say whether a match is about people whom somebody teaches, treats, serves or employs."""
    stays = TABLES[match.category.lower()].category["stays"]
    if stays == "own" or (match.category == "GENDER" and match.rule not in _NOUNS):
        return False
    start, end = match.start, match.end
    of_somebody = (match.category == "RELIGION" and " " in folded.text[start:end]) or match.rule == "sibling_capital"
    if of_somebody and _SCHOOL_AFTER.match(folded.text, end) is not None:
        return True  # a school is named for somebody: `Guru Nanak University`
    if stays != "anybody" and is_about_others(folded, start, end, whose=stays):
        return True
    several = folded.low.startswith(("girls", "boys"), start)
    if match.rule == "girl" and several and is_about_others(folded, start, end, whose="taught"):
        return True
    if match.category in {"DISABILITY", "RELIGION"} and match.rule not in _THINGS:
        return False  # a condition or a faith is hardly what a line of work is about, unless others have it
    number = bisect_right(layout.lines, start, key=itemgetter(0)) - 1
    return number >= 0 and layout.lines[number].section == "work" and is_work(folded, start, end)


_SCHOOL_AFTER = lazy_re(
    r"(?:[ ][A-Z][\w'.]*){0,3}[ ](?:(?:High |Primary |Secondary )?School|College|University|Institute|Academy)\b"
)
#: Rules for aids, places of worship, feasts and food, which others make, sell and mend.
_THINGS_LISTED = (
    "wheelchair aid screen_reader_own adjustments disabled disability leave church temple cathedral mosque parish "
    "food feast bible eid"
)
_THINGS = frozenset(_THINGS_LISTED.split())
#: Rules of nouns for women and men; pronouns and titles always mean one person.
_NOUNS = frozenset(
    {"sex", "noun", "man", "women_men", "family", "sibling", "sibling_capital", "child", "girl", "leave"}
)


def _is_over_a_value(text: str, match: Span) -> bool:
    r"""Say whether a phrase goes on from a form's value into the next label: `Status: single\nMother tongue: Thai`."""
    last = text.find("\n", match.start, match.end)
    if last < 0:
        return False
    goes_on = any(map(str.isalnum, text[match.end : text.find("\n", match.end) % (len(text) + 1)]))
    return goes_on and text[last + 1 : match.end + 1].lstrip(" \t*\u2022-")[:1].isupper()
