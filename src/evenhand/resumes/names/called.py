"""Where a text tells what its person is called: `friends know her as Lulu`, `Everyone says Al`, `Weng to friends`."""

import re
from collections.abc import Collection, Iterator

from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import english_words, given_names, no_names
from evenhand.resumes.names.nicknames import is_nickname
from evenhand.resumes.names.parts import PARTICLES
from evenhand.resumes.plain import Plain, word_list

__all__ = ["called_places", "is_calling_name"]

_PEOPLE = (
    r"(?:everyone|everybody|every one|people|folks|anyone|colleagues|friends|family|mates|workmates|co-?workers|"
    r"team-?mates|classmates|flatmates|housemates|roommates|clients|customers|patients|residents|pupils|students|"
    r"children|kids|neighbou?rs|regulars|guests|drivers|nurses|fans|followers|locals|most|many|others|all|staff|"
    r"crew|(?:the |my |her |his |our |their )?(?:whole |entire |old |rest of the |night |day |late |early )?"
    r"(?:team|crew|lads|office|ward|floor|shop floor|kitchen|kids|children|family|shift|boys|girls|gang|squad|staff|"
    r"class|desk|yard|depot|site|department|village|neighbou?rhood|friends|colleagues|mates|patients|pupils|students|"
    r"regulars|clients|customers|team-?mates|co-?workers|workmates|grandchildren|nieces|cousins))"
)
_ADVERB = (
    r"(?:(?:just|simply|only|plain|always|all|mostly|affectionately|fondly|still|now|usually|often|generally|better|"
    r"also|commonly|widely|normally|mainly|informally|jokingly|sometimes|really|best|even|lovingly|universally)[ ])"
)
_NAMED = r"(?:the name(?: of)?[ ])?"
_ONE = r"(?:me|her|him|them)"
#: What ends a nickname: a mark, or a word that begins something else.
_ENDED = re.compile(
    r"[\"')\]]*(?:[.,;:!?)\n|<}\]]|$|[ ]+(?:[-(|/]|(?:at|on|in|by|for|to|because|since|and|or|but|as|when|from|around|"
    r"among|outside|off|throughout|across|here|these|now|too|instead|after|before|behind|if|even|not|rather|with|"
    r"though|although|while|so|out|over|during|everywhere|anyway|online|there|who|which|than|these)\b))"
)
_STOPS_OR_ACROSS = re.compile(r"[\"']*(?:[.,;!)\n]|$|[ ]-[ ]|[ ](?:across|down the|from across|over the|all day)\b)")
_STOPS = re.compile(r"[\"']*(?:[.,;!)\n]|$|[ ]-[ ])")
_NOT_THE_OTHER = re.compile(r"[\"']*(?:,? (?:not|instead|rather|never)\b)")
_AT_WORK = re.compile(
    r"[\"']*[ ](?:at (?:work|home|the (?:office|shop|depot|desk|school|bar))|on (?:site|the (?:phone|ward|floor|"
    r"radio|team))|"
    rf"in the (?:office|kitchen|team|shop|yard|workshop|classroom)|online|to (?:my |her |his )?{_PEOPLE})\b"
)
_TO_PEOPLE = rf"(?:to|by|among|amongst|with|at|in|on|around|throughout|across|for)[ ](?:[a-z'-]+[ ]){{0,3}}{_PEOPLE}"


class _Lead:
    """What leads from a word to a name: before the word, from it on, and behind the name."""

    def __init__(self, words: str, lead: str, *, left: str = "", ended: re.Pattern[str] = _ENDED) -> None:
        self.words = frozenset(words.split())
        self.lead = re.compile(lead)
        self.left = re.compile(left) if left else None
        self.ended = ended


_BEGINS = r"(?:^|[\n.,;:!?(|>\"\u2022\u00b7*-][ ]*|\b(?:and|but|is|am|are|was|been|being|i'm|i|he|she|they|also)[ ])"
_LEADS = (
    _Lead(
        "know knows knew known remember remembers remembered address addresses",
        rf"\w+[ ]{_ONE}[ ]{_ADVERB}{{0,2}}(?:as|by)[ ]{_ADVERB}?{_NAMED}",
    ),
    _Lead(
        "call calls called calling nickname nicknames nicknamed dub dubs dubbed christened rechristened name named",
        rf"\w+[ ]{_ONE}[ \n]{_ADVERB}{{0,2}}",
    ),
    _Lead("column", r"column[,:]?[ ]\"?ask[ ]", ended=_STOPS),
    _Lead(
        "known called nicknamed dubbed referred addressed",
        rf"(?:known|called|nicknamed|dubbed|referred|addressed)[ ]{_ADVERB}?"
        rf"(?:(?:{_TO_PEOPLE},?[ ])?(?:to[ ])?{_ADVERB}?(?:as|by)[ ])?{_ADVERB}?{_NAMED}",
        left=(
            r"(?:\bwho(?:'s| is| was| gets| has been| prefers to be| likes to be)|\b(?:i|you)(?:'m| am| was| get|"
            r" prefer to be| like to be| have been|'ve been)|"
            r"\b(?:he|she)(?:'s| is| was| gets| has been| prefers to be| likes to be)|"
            rf"\b(?:prefers?|likes?|happy) (?:to be|being)|\bgets?|\bme)[ ]{_ADVERB}{{0,2}}$"
        ),
    ),
    _Lead(
        "known",
        rf"known[ ](?:{_TO_PEOPLE}|by {_PEOPLE}|here|there|online|locally|at work|on site)"
        rf"(?:[ ][a-z'-]+){{0,3}},?[ ]{_ADVERB}?(?:as|by)[ ]{_ADVERB}?{_NAMED}",
        left=rf"{_BEGINS}{_ADVERB}?$",
    ),
    _Lead(
        "known",
        rf"known[ ]{_ADVERB}?as[ ]{_ADVERB}?",
        left=rf"(?:[(,>|\u2022*-][ ]*|^|\n[ ]*){_ADVERB}{{0,2}}$",
        ended=_STOPS,
    ),
    _Lead(
        "say says shout shouts yell yells",
        rf"\w+[ ]{_ADVERB}?",
        left=rf"(?:(?<![\w-]){_PEOPLE}|\b(?:please|just|they))[ ]{_ADVERB}?$",
        ended=_STOPS_OR_ACROSS,
    ),
    _Lead(
        "friends family colleagues mates workmates patients clients everyone everybody pupils students kids teammates "
        "customers regulars most all coworkers",
        r"[\w-]+,?[ ](?:here[ ]|there[ ]|at work[ ]|who know me[ ])?"
        r"(?:(?:i'm|i am|she's|she is|he's|he is|it's|it is|just|simply|always|only|still|plain)[ ]){1,2}",
        left=r"\b(?:to|for|among|amongst|with)[ ](?:my |her |his |the |old |close |most |good ){0,2}$",
        ended=_STOPS,
    ),
    _Lead("use uses", r"\w+[ ]", left=rf"(?<![\w-]){_PEOPLE}[ ]{_ADVERB}?$", ended=_NOT_THE_OTHER),
    _Lead(
        "introduce introduces introduced introducing greet greets greeted present presents refer refers",
        rf"\w+[ ](?:to[ ])?(?:me|her|him|them|myself|herself|himself|themselves)[ ]{_ADVERB}?as[ ]",
    ),
    _Lead(
        "says say reads read",
        r"\w+[ ]",
        left=(
            r"\b(?:badge|locker|name ?tag|tag|apron|hard ?hat|helmet|overalls|jersey|mug|desk plate|name ?plate|"
            r"lanyard|uniform|hi-?vis|vest|call sign|radio|display)[ ](?:just |simply |only |still )?$"
        ),
        ended=_STOPS,
    ),
    _Lead(
        "name",
        r"name[ ]on[ ](?:my |her |his |the |every )?(?:work |old |staff )?(?:badge|locker|name ?tag|tag|apron|"
        r"helmet|rota|roster|door|desk|uniform|shirt|lanyard|phone list|staff list)(?:[ ](?:is|was|reads|says))?:?[ ]",
    ),
    _Lead(
        "name",
        r"name(?:[ ](?:is|was|became|on \w+|at work|here|in the team))?[,:]?[ ]+(?:-[ ])?",
        left=(
            r"\b(?:english|western|anglici[sz]ed|chat|slack|teams|display|stage|pen|call|work|shop|radio|everyday|"
            r"adopted|chosen|screen|pet|camp|working|professional|business|christian|baptismal|american|french|german|"
            r"international|shortened|playing|ring|artist|dj)[ ](?:display |first |user )?$"
        ),
    ),
    _Lead(
        "it's is am i'm she's he's",
        rf"(?:it's|is|am|i'm|she's|he's)[ ]{_ADVERB}?",
        left=r"(?:\b(?:it|i|she|he|and|but|so)[ ]|[,;(][ ]?|^)$|[.\n(] ?$",
        ended=_AT_WORK,
    ),
    _Lead(
        "answer answers answering respond responds reacts listens",
        rf"\w+[ ](?:also |only |happily |best |just )?to[ ]{_NAMED}",
        left=rf"{_BEGINS}(?:also |happily |only |will |still |mostly ){{0,2}}$",
        ended=_STOPS,
    ),
    _Lead("go goes going went", rf"\w+[ ]{_ADVERB}?(?:by|as)[ ]{_ADVERB}?{_NAMED}"),
    _Lead(
        "ask",
        rf"ask(?:[ ](?:anyone|anybody|everyone|someone|people|around))?(?: (?:at|in|on|"
        rf"from) (?:the )?[a-z]+(?: [a-z]+)?)?[ ]for[ ]{_ADVERB}?",
    ),
    _Lead(
        "nickname",
        r"nickname(?: (?:at work|there|here|since school|since childhood|on site|on the \w+|in the \w+|from \w+|"
        r"among \w+|with \w+|at home|is|was|became|remains|stuck|has always been|ever since))*:?[ ]",
        left=r"\b(?:my|her|his)[ ](?:old |work |school |family |childhood |only )?$",
    ),
    _Lead(
        "sign signs signed signing",
        r"\w+[ ](?:(?:off|my|her|his|their|all|every|most|e-?mails?|notes?|letters?|messages?|posts?|drawings?|"
        r"reports?|everything|work|pictures|paintings)[ ]){1,4}(?:(?:as|with)[ ])?",
        left=r"\b(?:i|who|she|he|and|usually|always|mostly|also)[ ]$",
        ended=_STOPS,
    ),
)
_AT_WORD: dict[str, tuple[_Lead, ...]] = {}
for _each in _LEADS:
    for _word in _each.words:
        _AT_WORD[_word] = (*_AT_WORD.get(_word, ()), _each)
_SHORT = frozenset({"short", "fine"})
_AT_WORDS = word_list({*_AT_WORD, *_SHORT, "work"})
_FURTHEST = 70
_WRITTEN = re.compile(r"[\"'*_(]*([^\W\d_][\w'-]*(?:\.[A-Z]\.?)?(?:[ ][A-Z][\w'-]+)?)")
_SMALL = re.compile(r"[\"'*_(]*([^\W\d_][\w'-]*)")
#: Before `for short` and `to friends`: a name behind a mark or a word that leads to one.
_BEFORE_SHORT = re.compile(
    r"(?:(?:^|[\n.;:])[ ]?\"?|[(,\"'-][ ]?|\b(?:or|me|her|him|just|simply|called|as|"
    r"it's)[ ]\"?)([A-Z][a-z'-]+)\"?[ ]for[ ]$"
)
_BEFORE_FINE = re.compile(
    r"(?:^|[\n.(,;\"|>\u2022-][ ]*|\b(?:[Jj]ust|or|and|but)[ ])\"?([A-Z][a-z'-]+)\"?[ ](?:is|will be|works|does)[ ]"
    r"(?:also |just |perfectly |totally |quite )?$"
)
_BEFORE_PEOPLE = re.compile(
    r"(?:^|[\n.(,;\"|>\u2022*-][ ]*|\b(?:just|simply|or|plain|and)[ ])\"?([A-Z][a-z'-]+)\"?[ ](?:to|for|among|with)[ ]"
    r"(?:my |her |his |the |old |close |most |all ){0,2}$"
)
_BEFORE_WORK = re.compile(r"[;,(|][ ]\"?([A-Z][a-z'-]+)\"?[ ]at[ ]$")
_GROUPS_LISTED = "friends family colleagues everyone mates workmates patients clients pupils kids"
_GROUPS = frozenset(_GROUPS_LISTED.split())
_BEFORE_GROUPS = frozenset({"to", "for", "among", "with", "my", "her", "his", "the", "old", "close", "most", "all"})
_ALL_NEXT = re.compile(r"\w+(?:[.,;)\n\"|]|$|[ ](?:and (?:family|friends|colleagues|clients)|at|in|on|who|alike)\b)")
_NO_NICKS_LISTED = (
    "yes no thanks thank hello hi hey please sorry well bravo cheers ok okay good great wow goodbye bye hurrah hooray "
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december today tomorrow the a an my our your this that it he she they we i you his her their "
    "what who how why when where so and or but if in on at to for of not never always often mr mrs ms dr yesterday "
    "english christmas easter god amen help more less most done enough someone anyone everyone all both any each "
    "back over up out again once twice first last one two three as is was were be been with"
)
_NO_NICKS = frozenset(_NO_NICKS_LISTED.split())
_LONGEST_CAPITALS = 4


def called_places(plain: Plain, own: Collection[str]) -> list[tuple[int, int]]:
    """Return where names stand that the person is called by, as the words before or behind them tell.

    `own` are the tokens of the person's name, whose short forms count in small letters too.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Friends know her as Lulu. Everyone says Al. They know it as the Shed. Call me back.")
    >>> [seen.text[start:end] for start, end in called_places(seen, ())]
    ['Lulu', 'Al']
    """
    found = []
    text, low, words = plain.text, plain.low, plain.words
    for place in plain.places(_AT_WORDS):
        word, start, _ = words[place]
        if word in _SHORT:
            before = (_BEFORE_SHORT if word == "short" else _BEFORE_FINE).search(text, max(0, start - 40), start)
            if before is not None and is_calling_name(before.group(1), own):
                found.append(before.span(1))
            continue
        if word == "work":
            before = _BEFORE_WORK.search(text, max(0, start - 30), start)
            if before is not None and is_calling_name(before.group(1), own):
                found.append(before.span(1))
            continue
        if word in _GROUPS and words[place - 1][0] in _BEFORE_GROUPS and _ALL_NEXT.match(low, start) is not None:
            before = _BEFORE_PEOPLE.search(text, max(0, start - 50), start)
            if before is not None and is_calling_name(before.group(1), own):
                found.append(before.span(1))
                continue
        found += _behind(plain, word, start, own)
    found += _beside_name(plain, own)
    return found


def _behind(plain: Plain, word: str, start: int, own: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the first name that a word leads to."""
    text, low = plain.text, plain.low
    for each in _AT_WORD[word]:
        lead = each.lead.match(low, start)
        if lead is None:
            continue
        named = _name_at(text, lead.end(), each.ended, own)
        if named is None:
            continue
        if each.left is None or each.left.search(low, max(0, start - _FURTHEST), start) is not None:
            yield named
            return


def _name_at(text: str, start: int, ended: re.Pattern[str], own: Collection[str]) -> tuple[int, int] | None:
    """Return where a name stands that begins at a place and ends where the name has to."""
    match = _WRITTEN.match(text, start)
    if match is not None and ended.match(text, match.end()) is None:
        match = _SMALL.match(text, start)
    if match is None or ended.match(text, match.end()) is None:
        return None
    written = match.group(1)
    quoted = text[start : match.start(1)].endswith(('"', "'"))
    if written[0].isupper():
        first = written.lower().split()[0]
        if first in _NO_NICKS or (not quoted and _is_no_nick(written)):
            return None
        return match.span(1)
    first_of_line, last = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    line = text[first_of_line : last if last >= 0 else len(text)]
    return match.span(1) if line.islower() and is_calling_name(written, own) else None


def _is_no_nick(written: str) -> bool:
    """Say whether capitalised words are a job, an abbreviation of letters or a thing, not what a person is called."""
    words = written.lower().split()
    if len(written) > _LONGEST_CAPITALS and written.isupper() and len(words) == 1 and kind_of(words[0]) != "name":
        return True
    kinds = [kind_of(word) for word in words]
    listed = [no_names().get(word) for word in words]
    if len(words) > 1:
        return any(kind in {"ordinary", "job"} for kind in kinds)
    return any(kind in {"job", "section", "tool", "organisation", "place"} for kind in listed) or (
        kinds[0] == "ordinary" and len(written) > _LONGEST_WORD
    )


_LONGEST_WORD = 6


def is_calling_name(written: str, own: Collection[str]) -> bool:
    """Say whether a word is a name by itself: listed, in no list of words, or short for one of the person's.

    >>> [is_calling_name(word, ("penny",)) for word in ("coco", "joy", "pen", "reliable", "back")]
    [True, True, True, False, False]
    """
    word = written.lower()
    if word in _NO_NICKS or word in PARTICLES:
        return False
    if word in own or any(is_nickname(word, token) for token in own):
        return True
    return word in given_names() or (kind_of(word) == "name" and word not in english_words())


_BESIDE = re.compile(
    r"[ ]?(?:[ ]\"(?P<q>[A-Z][\w' .-]{0,20})\"|[ ]\((?:\"|')?(?P<b>[A-Z][\w'-]{0,14}(?:[ ][A-Z][\w'-]{0,14})?)(?:\"|"
    r"')?\)|,?[ ]\(?(?:aka|a\.k\.a\.|alias|a/k/a|also known as|known as|called|nicknamed)[ ]\"?(?P<a>[A-Z][\w'-]+))"
)


def _beside_name(plain: Plain, own: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield what stands in quotes or brackets behind the whole name: `Kwame Asante "Zee"`, `Ana Diaz (Mimi)`."""
    text, words = plain.text, plain.words
    if not ('"' in text or "(" in text or "alias" in plain.where or "aka" in plain.where or "called" in plain.where):
        return
    for place in plain.places(frozenset(own)):
        end = words[place][2]
        if text[end : end + 2] not in _OPENS:
            continue
        match = _BESIDE.match(text, end)
        if match is None:
            small = _BESIDE_SMALL.match(text, end)
            if small is not None and is_calling_name(small.group(1), own) and kind_of(small.group(1)) == "name":
                yield small.span(1)
            continue
        kind = match.lastgroup or "a"
        whole = bool(place) and words[place - 1][0] in own
        written = match.group(kind)
        if kind == "a" or (whole and (kind == "q" or not (written.isupper() and len(written) <= _LONGEST_CAPITALS))):
            quoted = kind == "q" and " " not in written
            low = written.lower()
            if low.split()[0] not in _NO_NICKS and (quoted or (not _is_no_nick(written) and _is_whose(low))):
                yield match.span(kind)


_BESIDE_SMALL = re.compile(r"[ ][(\"]([a-z][a-z'-]+)[)\"]")
_OPENS = frozenset({' "', " (", ", ", " a", " k", " c", " n"})


def _is_whose(low: str) -> bool:
    """Say whether what stands in brackets behind a name may be a name, no place, pronoun or status."""
    return all(kind_of(word) in {"name", "word"} for word in low.split()) and low not in _ASIDES


_ASIDES_LISTED = "she he they miss mr mrs ms mx him her them hons self male female deceased retired late"
_ASIDES = frozenset(_ASIDES_LISTED.split())
