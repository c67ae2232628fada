"""Names of other people in a document: referees, managers, relatives, authors, anyone with a title.

This module finds them in lines of their own: labelled fields, references, lists under a heading, contacts.
Running text is in `prose`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.layout import Field, Layout, Line
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import is_clean
from evenhand.masking.names.parts import AROUND_WORDS, KIND_WORDS, PARTICLES, Name, name_of
from evenhand.masking.names.prose import in_prose, singles, speakers
from evenhand.masking.names.runs import OTHER_NAME_WORDS
from evenhand.masking.names.slots import before_score, label_score
from evenhand.patterns import lazy_re

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
_FEW = 5
#: Ends a name before its description.
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
        for start, end in word_kinds.segments(text[field.start : field.end])[:1]:
            value = text[field.start + start : field.start + end]
            comma = False
            for place, part in enumerate(_SPLIT.split(value)[: 2 * _FEW]):
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
    if word_kinds.kind_of(named.lower()) != "name" or named.isupper() or "reference" in field.label:
        return False
    return folded.text[: field.start].rstrip(" *")[-1:] == ":" and _is_alone(part, named)


def _name_part(part: str) -> str:
    """Return the beginning of a text that is a name, without titles, marks and numbers after it."""
    bare = OTHER_NAME_WORDS.titled.sub("", part.strip(" \"'*_"))
    bare = _VALUE_STOP.split(bare)[0]
    words = bare.strip(" ,.-").split()
    while words and (
        not word_kinds.looks_like_a_name(" ".join(words), loose=True) or words[-1].strip(".") in PARTICLES
    ):
        words.pop()
    return " ".join(words)


def _is_alone(part: str, named: str) -> bool:
    rest = part.strip(" \"'*_").removeprefix(named)
    return not rest[:1].isalpha() and not re.match(r"[ ][a-z]", rest)


def _may_be(named: str) -> bool:
    """Say whether a label's value may be a name: some word of it is no ordinary word, place or tool."""
    tokens = name_of(named).tokens
    kinds = [word_kinds.kind_of(token) for token in tokens]
    if len(tokens) == 1:
        return kinds[0] in {"name", "word"} or (kinds[0] == "other" and tokens[0] in word_kinds.given_names())
    return any(kind in {"name", "word"} for kind in kinds) and "job" not in kinds and kinds.count("ordinary") < 2


def _holds_names(named: str) -> bool:
    """Say whether two words or more are a name in a list of people."""
    tokens = name_of(named).tokens
    kinds = [word_kinds.kind_of(token) for token in tokens]
    if word_kinds.is_no_person(named.lower()) or "job" in kinds or "ordinary" in kinds:
        return False
    return "name" in kinds or (bool(tokens) and tokens[0] in word_kinds.given_names())


def _references(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> tuple[set[int], set[int]]:
    """Add referees: the first words of an entry, in one line or over several."""
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
        added = _referee(written.lstrip(_MARKS + "0123456789)"), add, fresh=fresh)
        expected = _is_contact(low[line.start : line.end]) or (
            added and ("," in written or len(written.split()) > _FEW)
        )
        if added:
            lines.add(text.rfind("\n", 0, line.start) + 1)
    return lines, spared


def _referee(written: str, add: Callable[[str], None], *, fresh: bool) -> bool:
    """Add the referee whose name begins a line; several where columns are side by side."""
    added = False
    columns = word_kinds.segments(written)[:_FEW]
    side_by_side = len(columns) > 1 and all(_is_plain_name(written[start:end]) for start, end in columns)
    for start, end in columns:
        piece = written[start:end]
        label, colon, value = piece.rpartition(":")
        if colon and label_score(label.lower()) < 0:
            continue
        titled = OTHER_NAME_WORDS.titled.match(value.strip()) is not None
        bare = OTHER_NAME_WORDS.titled.sub("", value.strip())
        whole = ", ".join(_ASIDE.split(bare, maxsplit=1)[0].split(", ")[:2])
        is_inverted = _is_inverted(whole)
        if is_inverted or (fresh and not added and len(written) < _SHORT and _is_two_names(bare)):
            add(whole if is_inverted else bare)
            added = True
            continue
        named = bare.split(",")[0].split("(")[0].strip(" \"'")
        words = named.split()
        if not words or not word_kinds.looks_like_a_name(named, loose=True):
            if added or not fresh:
                break
            continue
        sure = titled or side_by_side or (fresh and not added) or _is_frequent(named)
        if (
            (len(words) > 1 or titled)
            and sure
            and _may_be(named)
            and (titled or not word_kinds.is_no_person(named.lower()))
        ):
            add(named)
            added = True
        elif added or not fresh:
            break
    return added


def _is_plain_name(text: str) -> bool:
    words = text.split()
    return 1 < len(words) < _FEW and all(
        word_kinds.kind_of(word.lower().strip(".")) in {"name", "word"} for word in words
    )


def _is_inverted(text: str) -> bool:
    """Say whether a text reads Last, First with a frequent given name."""
    tokens = name_of(text.partition(",")[2]).tokens
    return (
        len(text.split()) < 5
        and any(token in word_kinds.given_names() for token in tokens)
        and word_kinds.inverted(text)
    )


def _is_two_names(text: str) -> bool:
    """Say whether a short line is two words and a comma, neither of them ordinary: a surname first."""
    return _TWO_WORDS.fullmatch(text) is not None and all(
        word_kinds.kind_of(token) == "name" for token in name_of(text).tokens
    )


def _is_frequent(named: str) -> bool:
    tokens = name_of(named).tokens
    return (
        len(tokens) > 1
        and tokens[0] in word_kinds.given_names()
        and not any(word_kinds.is_ordinary(token) for token in tokens)
    )


def _add_listed(folded: FoldedText, layout: Layout, lines: set[int]) -> None:
    """Note lines below a heading for people, and those above a telephone number or an address."""
    low = folded.low
    under = False
    marked = {low.count("\n", 0, folded.words[word][1]) for word in folded.places(_parts_of_people_words())}
    for place, (start, end, number, _, heading) in enumerate(layout.lines):
        of_people = False
        if number in marked or low[start].isdigit():
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
    """Add the addressee in the line above a letter's `Dear`, after a blank one, with a role or firm."""
    if "dear" not in folded.where:
        return
    for place, line in enumerate(layout.lines):
        if folded.low.startswith("dear ", line.start):
            for above in range(max(0, place - _MOST_ABOVE), place - 1):
                first, second = layout.lines[above : above + 2]
                words = folded.low[second.start : second.end].split()
                if second.number - first.number == 1 and (
                    any(word_kinds.is_person_noun(word.strip(",.")) for word in words[:3])
                    or (_begins_block(layout.lines, above) and _is_plain_name(folded.text[first.start : first.end]))
                ):
                    lines.add(folded.low.rfind("\n", 0, first.start) + 1)


def _add_speakers(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add speakers of a chat or an interview: names after times in brackets or at lines' starts, twice or more."""
    for name in {folded.text[start:end]: None for start, end in speakers(folded)}:
        if " " in name or word_kinds.looks_like_a_name(name, loose=True):
            add(name)
    if folded.low.count("?\n") < _TWICE:
        return
    turns = Counter(match.group(1) for match in _ASKING.finditer(folded.text))
    for name, times in turns.items():
        if times > 1 and all(word_kinds.kind_of(word) in {"name", "word"} for word in name.lower().split()):
            add(name)


_TWICE = 2
_ASKING = lazy_re(r"(?:^|\n)[> *]*((?:[A-Z][\w'.-]*[ ]?){1,3}):[ ][^\n]*\?(?=\n)")
_MOST_ABOVE = 9


def _add_family_first(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add names that begin a line or a value with the surname, before a role, an address or a number."""
    text, low = folded.text, folded.low
    for given in _GIVEN.finditer(text):
        place, first = given.start(), given.group(1).lower()
        if (
            first not in word_kinds.given_names()
            or word_kinds.kind_of(first) != "name"
            or not text[place - 1 : place].islower()
        ):
            continue
        family = _FAMILY.search(text, max(0, place - _LONGEST_FAMILY), place)
        if family is not None and not any(map(word_kinds.is_ordinary, _PARTS.split(family.group(1).lower()))):
            behind = given.end(1) + len(given.group(2))
            end = low.find("\n", behind)
            line_rest = low[behind : end if end >= 0 else len(low)][:_LONGEST_CONTACT]
            if _is_contact(line_rest) or any(
                word_kinds.is_person_noun(word.strip(",;()")) for word in line_rest.split()[:_FEW]
            ):
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
    return bool(words) and all(word_kinds.is_ordinary(word.strip(",&")) or word in {"and", "&", "of"} for word in words)


_MOST = 150


@cache
def _titles() -> frozenset[str]:
    return word_list(OTHER_NAME_WORDS.titles)


_NAME = lazy_re(word_kinds.NAME)
_GAP = lazy_re(r"\.?(?:[ ]{1,2}|[ ]?\n[ \t>]*)(?:Dr\.?[ ]|Prof\.?[ ]|Mrs?\.?[ ]){0,2}")
_BROKEN = lazy_re(r"\n[ \t>]*(?=[A-Z][a-z])")
_HALF_DOZEN = 6


def other_people(folded: FoldedText, layout: Layout) -> list[Name]:
    """Return the names of other people that titles, labels, references, lists of authors or their places reveal."""
    people: dict[str, Name] = {}

    def add(text: str) -> None:
        text = _wide(text).strip(" ,.-–")
        if text and len(people) < _MOST and text not in people:
            name = name_of(text)
            if name.tokens:
                people[text] = name

    _add_titled(folded, add)
    lines, spared = in_blocks(folded, layout, add)
    _add_initialled(folded, add)
    for named in in_prose(folded, lines, spared):
        add(named)
    for named in singles(folded):
        add(named)
    for named in [text for text in people if " " in text]:
        add(_joined_to(folded.text, named))
    return [name for text, name in people.items() if not _is_of_a_thing(folded.text, text, name)]


def _wide(text: str) -> str:
    """Return a name without the text after two blanks, which part the lines of a text without line breaks."""
    first, apart, _ = text.partition("  ")
    return first if apart and " " in first.strip() else text


def _is_of_a_thing(text: str, named: str, name: Name) -> bool:
    """Say whether a name is a firm's, a school's or a place's: a word of theirs follows somewhere, or all are words."""
    if len(name.tokens) > 1:
        last = name.tokens[-1]
        if not any(is_clean(token) or token in word_kinds.given_names() for token in name.tokens):
            return True
        if last not in word_kinds.surnames() and word_kinds.no_names().get(last) == "place":
            return True
    if OTHER_NAME_WORDS.body_after.search(named) is not None:
        return True
    place = text.find(named)
    while place >= 0:
        end = place + len(named)
        if (
            AROUND_WORDS.organisation_after.match(text, end) is not None
            or OTHER_NAME_WORDS.body_after.match(text, end) is not None
        ):
            return True
        if OTHER_NAME_WORDS.thing_before.search(text, max(0, place - _NEAR), place) is not None:
            return True
        place = text.find(named, place + 1)
    return False


_NEAR = 40


def _joined_to(text: str, named: str) -> str:
    """Return a single name that `and` joins to a whole one: `panel with Yunfei Tay and Sook`."""
    place = text.find(named)
    match = _AND_ONE.match(text, place + len(named)) if place >= 0 else None
    if match is None or word_kinds.kind_of(match.group(1).lower()) not in {"name", "word"}:
        return ""
    return match.group(1)


_AND_ONE = lazy_re(r"[ ](?:and|&)[ ]([A-Z][a-z]+(?:-[a-z]+)?)(?=[.;,)\n]|$)")


def _add_titled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add the names after titles, and those joined to them: `Drs. Okafor and Lee`, `Mr. and Mrs. Iqbal`."""
    words, text = folded.words, folded.text
    for place in folded.places(_titles()):
        title, start, end = words[place]
        if not text[start].isupper() or text[end : end + 1] not in {".", " ", "\n"}:
            continue
        if title == "ms" and text[start:end] == "MS" and text[end] != ".":
            continue  # a degree, a product's maker
        if text[end] == "." and title not in OTHER_NAME_WORDS.abbreviated:
            continue  # the end of a sentence
        if (
            text[start:end].isupper()
            and text[end] != "."
            and title in {"mx", "ms", "er", "fr", "det", "adv", "rep", "sen"}
        ):
            continue
        several = title in {"drs", "messrs", "profs", "professors"}
        for turn in range(_HALF_DOZEN):
            named, last = _after_title(
                folded,
                end,
                job=title in OTHER_NAME_WORDS.jobs,
                loose=title in OTHER_NAME_WORDS.loose,
                person=title in _OF_ANYBODY,
            )
            if not named or word_kinds.is_no_person(f"{title} {named.lower()}"):
                break
            add(named)
            joined = OTHER_NAME_WORDS.and_another.match(text, last)
            if joined is None or not (several or (turn == 0 and "." in joined.group())):
                break
            end = joined.end() - 1


#: Titles after which a trade is a surname; the offices that they stand before, and Microsoft's products.
_OF_ANYBODY = frozenset({"mr", "mrs", "ms", "miss", "mx"})


def _after_title(folded: FoldedText, end: int, *, job: bool, loose: bool, person: bool) -> tuple[str, int]:  # noqa: C901 - one line per kind of word
    """Return the name that follows a title, and where it ends; empty where none does."""
    text = folded.text
    gap = _GAP.match(text, end)
    if gap is None:
        return "", end
    if "\n" in gap.group() and OTHER_NAME_WORDS.labelled.search(folded.low, max(0, end - _LONG_LINE), end) is not None:
        return "", end  # a field `Prefix: Ms`, another field below it
    start = gap.end()
    particles = OTHER_NAME_WORDS.leading_particles.match(text, start)
    first = particles.end() if particles is not None else start
    match = _NAME.match(text, first)
    if match is None:
        return "", end
    words = match.group().split()
    low = [word.lower().strip(".'").removesuffix("'s") for word in words]
    count = 0
    while count < len(words) and (
        (
            count == 0
            and not job
            and (word_kinds.kind_of(low[0]) != "job" or low[0] in KIND_WORDS.surnames_too or person)
        )
        or len(low[count]) == 1
        or word_kinds.kind_of(low[count]) in {"name", "word", "particle"}
        or (word_kinds.kind_of(low[count]) == "other" and not job)
        or (count and low[count - 1] in PARTICLES)
        or (
            count == 1 == len(words) - 1
            and (person or low[0] in word_kinds.given_names())
            and _ENDED.match(text, match.end())
        )
    ):
        count += 1
    while count and low[count - 1] in PARTICLES and count > 1:
        count -= 1
    known = count > 1 or particles is not None or _is_surname(low[0], job=job, loose=loose)
    if not count or (person and low[0] in OTHER_NAME_WORDS.no_person) or not (known or (person and len(low[0]) > 1)):
        return "", end
    named = " ".join(words[:count])
    last = (
        first + len(match.group())
        if count == len(words)
        else first + match.group().index(words[count - 1]) + len(words[count - 1])
    )
    if count == len(words) and not named.endswith("'s"):
        more = _BROKEN.match(text, last)
        if more is not None and last - text.rfind("\n", 0, last) > _LONG_LINE:
            following = _NAME.match(text, more.end())
            word = following.group().split()[0] if following is not None else ""
            if word and word_kinds.kind_of(word.lower()) in {"name", "word"} and _PAGE.match(text, more.end()) is None:
                named, last = f"{named} {word}", more.end() + len(word)
    if AROUND_WORDS.organisation_after.match(text, last) is not None and job:
        return "", end
    return text[start:first] + named.removesuffix("'s"), last


_PAGE = lazy_re(r"Page[ ]\d")
_LONG_LINE = 50
_ENDED = lazy_re(r"[.,;:)|]|[ ]?(?:\n|$|[–—(|-])")


def _is_surname(word: str, *, job: bool, loose: bool) -> bool:
    """Say whether a single word after a title may be a surname."""
    if loose:
        return word_kinds.kind_of(word) == "name" and (
            word in word_kinds.surnames() or word in word_kinds.given_names()
        )
    if job:
        return word_kinds.kind_of(word) == "name" and len(word) > 2
    if word in KIND_WORDS.surnames_too:
        return True
    return len(word) > 1 and word_kinds.no_names().get(word, "other") == "other" and not word.isdigit()


def _add_initialled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add surnames with dotted initials before or after them; organisations are hardly written so."""
    text = folded.text
    for match in _initialled(text):
        surname = match.group("before") or match.group("after")
        low = surname.lower().removesuffix("'s")
        initials = "".join(_DOTTED.findall(match.group()))
        if (
            initials in OTHER_NAME_WORDS.no_initials
            or word_kinds.kind_of(low) == "particle"
            or low in OTHER_NAME_WORDS.degrees
        ):
            continue
        if (word_kinds.is_ordinary(low) or low in OTHER_NAME_WORDS.no_surnames) and (
            match.group("after") or len(low) < 2 or low.endswith("ed") or before_score(folded, match.start()) < 2
        ):
            continue
        if match.group("after") and (word_kinds.kind_of(low) == "other" or initials in KIND_WORDS.states):
            continue  # Portland, O.R.; Sioux Falls, S.D.
        if _IN_A_LANGUAGE.search(text, max(0, match.start() - 4), match.start()) is not None and match.group("before"):
            continue  # 'records in R. Won a grant'
        if (
            OTHER_NAME_WORDS.street.search(match.group().lower()) is not None
            or OTHER_NAME_WORDS.street_after.match(text, match.end()) is not None
        ):
            continue
        if "J" in initials and low in OTHER_NAME_WORDS.journals:
            continue
        if (
            word_kinds.is_no_person(f"{initials.lower()} {low}")
            or AROUND_WORDS.organisation_after.match(text, match.end()) is not None
        ):
            continue
        add(match.group().removesuffix("'s"))


_IN_A_LANGUAGE = lazy_re(r"\bin $")


def _initialled(text: str) -> Iterator[re.Match[str]]:
    """Yield surnames with initials; the search starts from the dots, which are few."""
    done = 0
    for dot in _INITIAL.finditer(text):
        begin = dot.start() - 1
        if begin < done:
            continue
        match = None
        if text.startswith(", ", begin - 2):
            surname = _LAST_WORD.search(text, max(0, begin - _LONGEST_SURNAME), begin - 2)
            if surname is not None and surname.start() >= done:  # not Roe's in 'R. Roe, E. Lee'
                match = _INITIALLED.match(text, surname.start())
        match = match or _INITIALLED.match(text, begin)
        if match is not None:
            done = match.end()
            yield match


_INITIAL = lazy_re(r"\.(?<=[A-Z]\.)(?<![\w.'&/-]..)")
_LAST_WORD = lazy_re(r"[A-Z][\w'-]+$")
_LONGEST_SURNAME = 32
_DOTTED = lazy_re(r"([A-Z])\.")
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|del|della|dos|du|la|le|al|bin|bint|ibn|ter|zu)[ ]){0,3}"
_INITIALLED = lazy_re(
    rf"(?<![\w.'&/-])(?:(?:[A-Z]\.[ -]{{0,2}}){{1,3}}{_PARTICLE}(?P<before>(?:al-|el-)?[A-Z][\w'-]+)"
    r"(?:[ ](?!(?:I|The|He|She|They|We|It|A|In|An)\b)[A-Z][a-z'-]+)?(?![\w@])"
    rf"|(?P<after>[A-Z][\w'-]+),[ ](?:[A-Z]\.[ -]?){{1,3}}(?![\w.]))"
)
