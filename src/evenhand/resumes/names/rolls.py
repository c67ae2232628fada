"""Single names and bare surnames where people are listed or followed: `Crew list: Park, van der Meer and me`.

Each place says for itself that people stand there, so that one word does; where a firm or a thing might, the word has
to be a frequent name. All are looked for from words of the index.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain

from evenhand.resumes.names.around import ORGANISATION_AFTER
from evenhand.resumes.names.kinds import is_person_noun, kind_of
from evenhand.resumes.names.lists import SURNAMES_TOO, given_names, is_no_person, surnames
from evenhand.resumes.plain import Plain, word_list

__all__ = ["AGAIN", "NAME_SHAPE", "may_be", "rolls"]

_PARTICLE = r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|bint|ibn|ter|ten|zu)[ ]){0,2}"
_ONE = r"(?:(?:al|el|ul|[ADO])[-'])?[A-Z][\w']*(?:-[A-Za-z]\w*)?"
NAME_SHAPE = rf"{_PARTICLE}{_ONE}(?:[ ](?:[A-Z]\.[ ])?{_ONE})?"
_ENDED = r"(?![\w@/-])(?!'\w{2})"
_JOIN = r"(?:,[ ](?:and[ ]|&[ ]|then[ ])?|[ ](?:and|&|\+|/|then)[ ]|;[ ])"
_ITEM = re.compile(rf"({NAME_SHAPE}){_ENDED}")
_NEXT = re.compile(rf"{_JOIN}(?:(me|myself|I)\b|({NAME_SHAPE}){_ENDED})")
_MOST = 14

#: `Shadowed Ana in month one, Rose in month two`.
AGAIN = re.compile(
    r"[ ](in|on|at|for|from|until|during|by|to|every)[ ][a-z0-9 ]{2,20},[ ](?:(?:then|and|later)[ ])?"
    r"([A-Z][a-z']+(?:-[A-Za-z][a-z]+)?)[ ]\1\b"
)
#: The last word of a label that names of people follow.
_LISTS_LISTED = (
    "crew team squad rota shift roster staff panel present attendees attending line-up lineup cast board quartet trio "
    "duo list two three four five six seven eight pair colleagues bench brigade tandem members people pod unit group "
    "juniors trainees interns apprentices helpers starters partners peers mentees buddies"
)
_LISTS = word_list(_LISTS_LISTED.split())
_SELF = word_list({"me", "myself", "i"})
_BEFORE_SELF = re.compile(rf"(?<![\w'@/.-])(({NAME_SHAPE})(?:,[ ]{NAME_SHAPE}){{0,6}}),?[ ](?:and[ ]|&[ ])?$")

_SUCCEEDING = word_list({"succeeded", "succeeding", "relieved", "understudied", "deputised", "shadowed", "followed"})
_SUCCEEDED = re.compile(
    rf"[ ](?:for[ ])?({NAME_SHAPE})(?=[ ](?:as|when|after|on (?:his|her|their|maternity|paternity|sick|leave)|who"
    rf"|in the (?:role|post|chair|job))\b)"
)
_TAKING_LISTED = (
    "covered covering cover inherited took absorbed carried finished completed ran managed handled kept picked minded "
    "did worked served closed"
)
_TAKING = word_list(_TAKING_LISTED.split())
_TAKEN = re.compile(
    rf"[ ](?:up[ ]|on[ ]|over[ ])?({NAME_SHAPE})'s?[ ](?:[a-z]+[ ]){{1,3}}?"
    r"(?:as well as|alongside|on top of|besides|in addition to|along with|next to|while (?:he|she|they)"
    r"|when (?:he|she|they)|after (?:he|she|they)|during (?:his|her|their)|until (?:he|she|they)|for (?:two|three|four|"
    r"six|a|some|several) (?:days?|weeks?|months?))\b"
)
_WORKS = re.compile(
    r"\b(?:volume|book|chapter|handbook|essay|novel|anthology|monograph|edition|textbook|festschrift|manual"
    r"|paper|study|reader|memoir|thesis|dissertation|lecture|talk|motion) by$"
)
_BY = re.compile(rf"[ ]({NAME_SHAPE})(?:[ ](?:and|&)[ ]({NAME_SHAPE}))?(?=[.,;)\n]|$|[ ]\(|[ ][|–—-][ ])")
_OWN_FIRM = re.compile(
    rf"(?:,|:| with| -| \u2013| \u2014| under the name| as)[ ]({_ONE})[ ](?:&|and|\+)[ ]((?:(?:Te|De|Van|Le|El"
    rf"|Al|Dela|Du|Mc|Mac)[ ])?{_PARTICLE}{_ONE})"
)
_OWN = re.compile(r"\b(?:own|family|joint|our|my) [\w-]*$")
_FIRMS_LISTED = (
    "workshop practice studio firm company business partnership shop garage bakery farm forge atelier consultancy "
    "agency salon surgery clinic kitchen"
)
_FIRMS = word_list(_FIRMS_LISTED.split())
_TITLES_LISTED = (
    "inspector constable sergeant judge pastor nurse matron chef professor auntie uncle foreman foreperson florist "
    "operator plumber electrician joiner welder fitter porter sculptor painter potter driver surgeon midwife "
    "auditor examiner councillor senator minister imam rabbi deacon bishop headteacher headmaster lady lord dame"
)
_TITLES = word_list(_TITLES_LISTED.split())
_NOBLE = frozenset({"lady", "lord", "dame"})
_RELATIONS_LISTED = (
    "buddy understudy stand-in sidekick backup wingman predecessor successor deputy apprentice protege mentor mentee "
    "disciple godparent shadow teammate deskmate flatmate bunkmate partner"
)
_RELATIONS = frozenset(_RELATIONS_LISTED.split())
#: One word in no list may follow these.
_ONLY_ONE = frozenset({"buddy", "understudy", "sidekick", "protege", "apprentice", "mentee", "deskmate", "bunkmate"})
_OF_ONE = re.compile(rf"[ ](?:of|to|for)[ ]({NAME_SHAPE})(?=[.,;)\n]|$|[ ]\()")
_AFTER_TITLE = re.compile(rf"[ ]({_ONE}){_ENDED}(?![ ][A-Z])")


def rolls(plain: Plain) -> list[tuple[int, int]]:
    """Return where names of people stand in lists of them, and behind words that only people follow.

    >>> from evenhand.resumes.plain import plain_text
    >>> text = "Bid team: Park, van der Meer and me. Succeeded Dlamini as safety delegate."
    >>> [text[start:end] for start, end in sorted({*rolls(plain_text(text))})]
    ['Park', 'van der Meer', 'Dlamini']
    """
    return [*_surnames(plain), *_listed(plain), *_before_me(plain), *_followed(plain), *_works(plain), *_titled(plain)]


_DOES = re.compile(
    r"[ ](?:took|made|kept|hired|taught|gave|let|asked|told|trained|promoted|showed|put|brought|moved|chose"
    r"|pushed|trusted|backed|sent|called|wanted|invited|helped|mentored|praised|named|poached|recruited) (?:me|us)\b"
    r"|[ ](?:signed|approved|retired|resigned|countersigned|agreed|fell ill|stepped down|took over|moved on"
    r"|went on leave)\b|'s[ ](?:post|leaving|arrival|departure|retirement|shoes|absence|resignation|promotion|successor"
    r"|predecessor|deputy|shifts?|understudy|right hand|stead|maternity leave|sick leave|illness|death|advice|guidance|"
    r"mentorship|supervision)\b"
)
_HELPING_LISTED = (
    "assisted accompanied briefed escorted thanked relieved phoned told asked helped backed outbid beat under "
    "chauffeured shadowed drove replaced mentored coached trained interviewed supervised defeated opposite assisting"
)
_HELPING = frozenset(_HELPING_LISTED.split())
_HELPED = re.compile(
    rf"[ ]({_ONE}){_ENDED}(?=[ ](?:with|on|in|during|at|for|as|and|after|by|from|through|when|while|who|to"
    rf"|until|every|each)\b|[.,;)\n]|$)"
)
_NO_HELPED = re.compile(
    r"[ ](?:in|at)[ ][A-Z]|[ ]and[ ][A-Z]\w+[ ](?:clients|accounts|teams|staff)|,[ ][A-Z]|[ ](?:for|from|on|to)[ ][A-Z]"
)


def _surnames(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield frequent surnames by themselves: of whom only people's doings are told, or to whom things are done."""
    text, words = plain.text, plain.words
    places = ((place, words[place][0]) for place in plain.places(_clear_surnames()))
    for place, low in chain(places, _owners(plain)):
        _, start, end = words[place]
        if not text[start].isupper() or text[start - 1 : start] in _INSIDE:
            continue
        if place and text[words[place - 1][2] : start] == " " and text[words[place - 1][1]].isupper():
            before = words[place - 1][0]
            if not (
                before in _HELPING and _HELPED.match(text, words[place - 1][2]) and not _NO_HELPED.match(text, end)
            ):
                continue
            if ORGANISATION_AFTER.match(text, end) is None:
                yield start, end
            continue
        if _DOES.match(text, start + len(low)) is not None:
            yield start, start + len(low)


_INSIDE = frozenset("-&'/@._#")


@cache
def _clear_surnames() -> frozenset[str]:
    """Return frequent surnames that are nothing else."""
    return word_list(word for word in surnames() if kind_of(word) == "name")


def _owners(plain: Plain) -> Iterator[tuple[int, str]]:
    """Yield which words are a frequent surname and `'s`, and the surname."""
    for place in plain.elided:
        word, _, _ = plain.words[place]
        owner = word.removesuffix("'s")
        if owner != word and owner in _clear_surnames():
            yield place, owner


def _kinds(written: str) -> list[str]:
    return [
        kind_of(word.lower().removesuffix("'s")) for word in written.split() if word[0].isupper() and word[1:2] != "."
    ]


def _is_listed(written: str) -> bool:
    """Say whether a word of a name is a frequent one."""
    words = [part for word in written.lower().split() for part in (word.removesuffix("'s"), *word.split("-"))]
    return any(word in given_names() or word in surnames() for word in words)


def may_be(written: str, *, loose: bool = False) -> bool:
    """Say whether a name may be meant: no ordinary word; a place or a job only where it is a surname too."""
    kinds = _kinds(written)
    if not kinds or (written.isupper() and " " not in written) or is_no_person(written.lower()):
        return False
    for kind, word in zip(kinds, (each for each in written.split() if each[0].isupper()), strict=False):
        low = word.lower().removesuffix("'s")
        if kind in {"name", "word", "particle"} or low in SURNAMES_TOO:
            continue
        if kind == "other" and (loose or " " in written) and (low in surnames() or low in given_names()):
            continue
        return False
    return True


def _listed(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield the items of lists behind a label: `Crew list:`, `Team of four:`."""
    text = plain.text
    for place in plain.places(_LISTS):
        end = plain.words[place][2]
        if text[end : end + 2] != ": ":
            continue
        first = _ITEM.match(text, end + 2)
        if first is None:
            continue
        spans, stop, self_too = [first.span(1)], first.end(), False
        while len(spans) < _MOST and (more := _NEXT.match(text, stop)) is not None:
            stop = more.end()
            if more.group(1):
                self_too = True
                break
            if more.group().startswith(";") and not may_be(more.group(2), loose=True):
                break  # what else was done
            spans.append(more.span(2))
        items = [text[start:last] for start, last in spans]
        if len(items) + self_too < 2 or not all(may_be(item, loose=True) for item in items):
            continue
        names = sum("name" in _kinds(item) and _is_listed(item) for item in items)
        known = sum(map(_is_listed, items))
        if self_too or (names and 2 * known >= len(items)):
            yield from spans


def _before_me(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield who stands before `and me`: `with Ngaio, Bo and me`."""
    text = plain.text
    for place in plain.places(_SELF):
        start = plain.words[place][1]
        if (
            text[start - 5 : start] not in {" and ", ", and"}
            and text[start - 2 : start] != ", "
            and text[start - 3 : start] != " & "
        ):
            continue
        match = _BEFORE_SELF.search(text, max(0, start - 80), start)
        if match is None or (text[start - 2 : start] == ", " and (match.group(1).count(",") < 1 or text[start] == "I")):
            continue
        spans, stop = [match.span(2)], match.end(2)
        while (more := _NEXT.match(text, stop, match.end(1))) is not None and more.group(2):
            spans.append(more.span(2))
            stop = more.end()
        items = [text[begin:last] for begin, last in spans]
        if len(items) > 1 and all(may_be(item) for item in items) and any(map(_is_listed, items)):
            yield from spans


def _followed(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield who was succeeded, and whose work was taken over: `Covered Okafor's desk as well as my own`."""
    text = plain.text
    for words, pattern in ((_SUCCEEDING, _SUCCEEDED), (_TAKING, _TAKEN), (_RELATIONS, _OF_ONE)):
        for place in plain.places(words):
            match = pattern.match(text, plain.words[place][2])
            if match is None or not may_be(match.group(1), loose=words is _SUCCEEDING):
                continue
            if words is not _SUCCEEDING and not (_is_listed(match.group(1)) and "name" in _kinds(match.group(1))):
                unlisted = (
                    plain.words[place][0] in _ONLY_ONE
                    and (_kinds(match.group(1)) == ["name"] or _is_listed(match.group(1)))
                    if words is _RELATIONS
                    else "own" in text[match.end() : match.end() + 12]
                )
                if not unlisted:
                    continue
            if ORGANISATION_AFTER.match(text, match.end(1)) is None:
                yield match.span(1)


def _works(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield whose a book is, and who a firm of one's own is called after."""
    text, low = plain.text, plain.low
    for place in plain.places(_BY_WORD):
        end = plain.words[place][2]
        if _WORKS.search(low, max(0, end - 20), end) is None:
            continue
        match = _BY.match(text, end)
        if match is not None and may_be(match.group(1)) and (_is_listed(match.group(1)) or match.group(2)):
            if match.group(2) is None:
                yield match.span(1)
            elif may_be(match.group(2)) and (
                _is_listed(match.group(1)) or _is_listed(match.group(2)) or low.endswith(_BOOKS, 0, end - 3)
            ):
                yield from (match.span(1), match.span(2))
    for place in plain.places(_FIRMS):
        _, start, end = plain.words[place]
        match = _OWN_FIRM.match(text, end)
        if match is None or _OWN.search(low, max(0, start - 20), start) is None:
            continue
        one, other = match.group(1), match.group(2)
        if is_no_person(f"{one} {other}".lower()):
            continue
        if may_be(one) and may_be(other) and (_is_listed(one) or _is_listed(other)):
            yield from (match.span(1), match.span(2))


_BY_WORD = word_list({"by"})
_BOOKS = (" volume", " book", " novel", " anthology", " memoir", " handbook", " textbook", " festschrift")


def _titled(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield one name behind a trade in small letters, or a lady's: `inspector Kang`, `hosted Lady Porter`."""
    text = plain.text
    for place in plain.places(_TITLES):
        title, start, end = plain.words[place]
        noble = title in _NOBLE
        if text[start].isupper() is not noble:
            continue
        match = _AFTER_TITLE.match(text, end)
        if match is None:
            continue
        low = match.group(1).lower().removesuffix("'s")
        listed = low in surnames() or (low in given_names() and not noble)
        if not listed or low in SURNAMES_TOO or kind_of(low) not in {"name", "word"} or is_no_person(f"{title} {low}"):
            continue
        if is_person_noun(low) and not noble and title != "inspector":
            continue
        if ORGANISATION_AFTER.match(text, match.end(1)) is None:
            last = match.end(1)
            yield match.start(1), last - 2 if text.endswith("'s", 0, last) else last
