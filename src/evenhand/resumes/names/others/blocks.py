"""Names of other people in lines of their own: labelled fields, references, lists under a heading, contacts."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import label_score
from evenhand.resumes.names.kinds import is_ordinary, is_person_noun, kind_of
from evenhand.resumes.names.lists import given_names, is_no_person
from evenhand.resumes.names.others.runs import OTHER_NAME_WORDS
from evenhand.resumes.names.others.speakers import speakers
from evenhand.resumes.names.parts import PARTICLES, name_of
from evenhand.resumes.names.shapes import inverted, looks_like_a_name, segments
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Field, Layout, Line

__all__ = ["in_blocks"]

_NUMBER = lazy_re(r"\d[\d ().-]{6,}\d")
_CONTACT_WORDS = ("tel", "phone", "mobile", "cell", "mail")


@cache
def _parts_of_people_words() -> frozenset[str]:
    return word_list(word.replace("co-", "") for word in OTHER_NAME_WORDS.people_words)


_MARKS = " \t#*_=-:•|.~>▪◦●→–➢·"
_BULLET = lazy_re(r"[ \t]*(?:[-•*–▪◦●→➢·]|\d{1,2}[.)])[ \t]")
_SPLIT = lazy_re(r"(,[ ]|;[ ]|[ ](?:and|&|y|und|et)[ ]|[ ]/[ ])")
_VALUE_STOP = lazy_re(r"[(\[<]|(?<=[a-z]{2})\.[ ]|,[ ](?=[\d+(])|[ ](?=[\d+])|[ ][–-][ ]")
_TWO_WORDS = lazy_re(r"[A-Z][a-z'-]+(?: [A-Z][a-z'-]+)?, [A-Z][a-z'-]+")
_SHORT, _LONGEST_OF_CONTACT = 40, 70
_FEW_LINES = 5
#: Ends a name before what is said of it.
_ASIDE = lazy_re(r"[ ]*[(;]")


def in_blocks(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> tuple[set[int], set[int]]:
    """Add names of lines and fields; return where lines begin that a person begins, and lines read to the end."""
    _add_fields(folded, layout, add)
    lines, spared = _references(folded, layout, add)
    _add_listed(folded, layout, lines)
    _add_addressee(folded, layout, lines)
    _add_speakers(folded, add)
    _add_family_first(folded, add)
    return lines, spared


def _add_fields(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> None:
    """Add values of fields that people's names are in: also single names, words, and names in capitals."""
    text = folded.text
    for field in layout.fields:
        score = label_score(field.label)
        if score < 2:
            continue
        for start, end in segments(text[field.start : field.end])[:1]:
            value = text[field.start + start : field.start + end]
            comma = False
            for place, part in enumerate(_SPLIT.split(value)[: 2 * _FEW_LINES]):
                if place % 2:
                    comma = part.startswith(",")
                    continue
                named = _name_part(part)
                if not named:
                    break
                single = " " not in named
                if (
                    score == 3
                    and not comma
                    and not (single and named.isupper())
                    and _may_be(named)
                    and (not single or _is_alone(part, named))
                ) or (
                    (not single and _holds_names(named) and (not comma or _is_frequent(named)))
                    or (single and _is_single(folded, field, part, named))
                ):
                    add(named)
            whole = _ASIDE.split(value, maxsplit=1)[0]
            if score == 3 and _is_inverted(whole):
                add(whole)


def _is_single(folded: FoldedText, field: Field, part: str, named: str) -> bool:
    """Say whether one word after a label and a colon is a name: `Team: Zola, Bo`."""
    if kind_of(named.lower()) != "name" or named.isupper() or "reference" in field.label:
        return False
    return folded.text[: field.start].rstrip(" *")[-1:] == ":" and _is_alone(part, named)


def _name_part(part: str) -> str:
    """Return the beginning of a text that is a name, without titles, marks and numbers after it."""
    bare = OTHER_NAME_WORDS.titled.sub("", part.strip(" \"'*_"))
    bare = _VALUE_STOP.split(bare)[0]
    words = bare.strip(" ,.-").split()
    while words and (not looks_like_a_name(" ".join(words), loose=True) or words[-1].strip(".") in PARTICLES):
        words.pop()
    return " ".join(words)


def _is_alone(part: str, named: str) -> bool:
    rest = part.strip(" \"'*_").removeprefix(named)
    return not rest[:1].isalpha() and not re.match(r"[ ][a-z]", rest)


def _may_be(named: str) -> bool:
    """Say whether a label's value may be a name: some word of it is no ordinary word, place or tool."""
    tokens = name_of(named).tokens
    kinds = [kind_of(token) for token in tokens]
    if len(tokens) == 1:
        return kinds[0] in {"name", "word"} or (kinds[0] == "other" and tokens[0] in given_names())
    return any(kind in {"name", "word"} for kind in kinds) and "job" not in kinds and kinds.count("ordinary") < 2


def _holds_names(named: str) -> bool:
    """Say whether two words or more are a name in a list of people."""
    tokens = name_of(named).tokens
    kinds = [kind_of(token) for token in tokens]
    if is_no_person(named.lower()) or "job" in kinds or "ordinary" in kinds:
        return False
    return "name" in kinds or (bool(tokens) and tokens[0] in given_names())


def _references(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> tuple[set[int], set[int]]:
    """Add who gives references: the first words of an entry, in one line or over several."""
    text, low = folded.text, folded.low
    lines: set[int] = set()
    spared: set[int] = set()
    expected, number = False, -1
    for line in layout.lines:
        if line.section != "references":
            continue
        if line.heading:
            expected = True
            number = line.number
            continue
        spared.add(text.rfind("\n", 0, line.start) + 1)
        written = text[line.start : line.end]
        fresh = expected or line.number - number > 1 or _BULLET.match(written) is not None
        number = line.number
        found = _referee(written.lstrip(_MARKS + "0123456789)"), add, fresh=fresh)
        expected = _is_contact(low[line.start : line.end]) or (
            found and ("," in written or len(written.split()) > _FEW_LINES)
        )
        if found:
            lines.add(text.rfind("\n", 0, line.start) + 1)
    return lines, spared


def _referee(written: str, add: Callable[[str], None], *, fresh: bool) -> bool:
    """Add the referee whose name begins a line; several where columns stand beside each other."""
    found = False
    columns = segments(written)[:_FEW_LINES]
    beside = len(columns) > 1 and all(_is_plain_name(written[start:end]) for start, end in columns)
    for start, end in columns:
        piece = written[start:end]
        label, colon, value = piece.rpartition(":")
        if colon and label_score(label.lower()) < 0:
            continue
        titled = OTHER_NAME_WORDS.titled.match(value.strip()) is not None
        bare = OTHER_NAME_WORDS.titled.sub("", value.strip())
        whole = ", ".join(_ASIDE.split(bare, maxsplit=1)[0].split(", ")[:2])
        is_inverted = _is_inverted(whole)
        if is_inverted or (fresh and not found and len(written) < _SHORT and _is_two_names(bare)):
            add(whole if is_inverted else bare)
            found = True
            continue
        named = bare.split(",")[0].split("(")[0].strip(" \"'")
        words = named.split()
        if not words or not looks_like_a_name(named, loose=True):
            if found or not fresh:
                break
            continue
        sure = titled or beside or (fresh and not found) or _is_frequent(named)
        if (len(words) > 1 or titled) and sure and _may_be(named) and (titled or not is_no_person(named.lower())):
            add(named)
            found = True
        elif found or not fresh:
            break
    return found


def _is_plain_name(text: str) -> bool:
    words = text.split()
    return 1 < len(words) < _FEW_LINES and all(kind_of(word.lower().strip(".")) in {"name", "word"} for word in words)


def _is_inverted(text: str) -> bool:
    """Say whether a text reads Last, First with a frequent given name."""
    tokens = name_of(text.partition(",")[2]).tokens
    return len(text.split()) < 5 and any(each in given_names() for each in tokens) and inverted(text)


def _is_two_names(text: str) -> bool:
    """Say whether a short line is two words and a comma, neither of them ordinary: a surname first."""
    return _TWO_WORDS.fullmatch(text) is not None and all(kind_of(each) == "name" for each in name_of(text).tokens)


def _is_frequent(named: str) -> bool:
    tokens = name_of(named).tokens
    return len(tokens) > 1 and tokens[0] in given_names() and not any(is_ordinary(token) for token in tokens)


def _add_listed(folded: FoldedText, layout: Layout, lines: set[int]) -> None:
    """Note lines below a heading for people, and those above a telephone number or an address."""
    low = folded.low
    under = False
    told = {low.count("\n", 0, folded.words[each][1]) for each in folded.places(_parts_of_people_words())}
    for place, (start, end, number, _, heading) in enumerate(layout.lines):
        of_people = False
        if number in told or low[start].isdigit():
            bare = low[start:end].strip(_MARKS)
            of_people = (heading or len(bare) < _SHORT) and _is_people_heading(bare)
        if heading or of_people:
            under = of_people
            continue
        if under and place and number - layout.lines[place - 1].number > 1:
            bare = low[start:end].strip(_MARKS)
            under = not (len(bare) < 25 and _is_title(bare))
        if under:
            lines.add(low.rfind("\n", 0, start) + 1)


def _is_people_heading(bare: str) -> bool:
    text = bare.lstrip("0123456789.) ")
    return (
        not OTHER_NAME_WORDS.people_words.isdisjoint(text.split(" "))
        and OTHER_NAME_WORDS.people_heading.match(text) is not None
    )


def _is_contact(low: str) -> bool:
    """Say whether a line in small letters has an address, a telephone number or a word for one."""
    if "@" in low or _NUMBER.search(low) is not None:
        return True
    return any(map(low.__contains__, _CONTACT_WORDS)) and OTHER_NAME_WORDS.contact_word.search(low) is not None


def _add_addressee(folded: FoldedText, layout: Layout, lines: set[int]) -> None:
    """Note the line above a letter's `Dear`, after a blank one, where the addressee stands with a role or firm."""
    if "dear" not in folded.where:
        return
    for place, line in enumerate(layout.lines):
        if folded.low.startswith("dear ", line.start):
            for above in range(max(0, place - _MOST_ABOVE), place - 1):
                first, second = layout.lines[above : above + 2]
                words = folded.low[second.start : second.end].split()
                if second.number - first.number == 1 and (
                    any(is_person_noun(word.strip(",.")) for word in words[:3])
                    or (_begins_block(layout.lines, above) and _is_plain_name(folded.text[first.start : first.end]))
                ):
                    lines.add(folded.low.rfind("\n", 0, first.start) + 1)


def _add_speakers(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add who speaks in a chat or an interview: names after times in brackets or at lines' starts, twice or more."""
    for name in {folded.text[start:end]: None for start, end in speakers(folded)}:
        if " " in name or looks_like_a_name(name, loose=True):
            add(name)
    if folded.low.count("?\n") < _TWICE:
        return
    said = Counter(match.group(1) for match in _ASKING.finditer(folded.text))
    for name, times in said.items():
        if times > 1 and all(kind_of(word) in {"name", "word"} for word in name.lower().split()):
            add(name)


_TWICE = 2
_ASKING = lazy_re(r"(?:^|\n)[> *]*((?:[A-Z][\w'.-]*[ ]?){1,3}):[ ][^\n]*\?(?=\n)")
_MOST_ABOVE = 9


def _add_family_first(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add who begins a line or a value with the family's name, with a role, an address or a number behind it."""
    text, low = folded.text, folded.low
    for given in _GIVEN.finditer(text):
        place, first = given.start(), given.group(1).lower()
        if first not in given_names() or kind_of(first) != "name" or not text[place - 1 : place].islower():
            continue
        family = _FAMILY.search(text, max(0, place - _LONGEST_FAMILY), place)
        if family is not None and not any(map(is_ordinary, _PARTS.split(family.group(1).lower()))):
            behind = given.end(1) + len(given.group(2))
            end = low.find("\n", behind)
            said = low[behind : end if end >= 0 else len(low)][:_LONGEST_CONTACT]
            if _is_contact(said) or any(is_person_noun(word.strip(",;()")) for word in said.split()[:_FEW_LINES]):
                add(f"{family.group(1)}, {given.group(1)}")


_LONGEST_CONTACT, _LONGEST_FAMILY = 120, 40
_FAMILY = lazy_re(
    r"(?:(?<=[\n\t>\"])|(?<=[:;*\u2022-] ))((?:(?:de|van|von|al|el|da|der|den)[ -])?[A-Z][\w']+(?:[ -][A-Z][\w']+)?)$"
)
_PARTS = lazy_re(r"[ -]")
_GIVEN = lazy_re(r", (?=([A-Z][\w']+)((?:-\w+)?)(?=[ ]?[,;(|/\n<-]|\.[ ]|$))")


def _begins_block(lines: list[Line], place: int) -> bool:
    return place > 0 and lines[place].number - lines[place - 1].number > 1


def _is_title(bare: str) -> bool:
    words = bare.split()
    return bool(words) and all(is_ordinary(word.strip(",&")) or word in {"and", "&", "of"} for word in words)
