"""The person's name where a message begins and ends: `hey, Ann here`, `hello, bo speaking`, `thx! Ann`.

Messages have no header. Who writes says so first and signs last, in small letters often, and a mail address or a
handle in it has the rest of the name: `ann here` and roe.ann@ make Ann Roe.
"""

import re
from collections.abc import Collection, Iterator
from itertools import chain

from evenhand.resumes.names.candidates import Candidate
from evenhand.resumes.names.evidence import GENERIC, Evidence
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import SURNAMES_TOO, english_words, given_names, surnames
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.plain import Plain

__all__ = ["completed", "opened"]

_GREETING = (
    r"(?:(?:hey|hi|hiya|hello|hullo|howdy|yo|morning|evening|afternoon|good (?:morning|afternoon|evening|day)"
    r"|greetings|ciao|hola|hallo|hei|hej|salut|bonjour|moin|servus|kia ora|talofa|namaste|dear)"
    r"(?: (?:there|all|everyone|everybody|team|folks|you|again|both|hiring team|recruiter))?[ ,.!:–—-]{1,3}\n{0,2})?"
)
_WORD = r"[^\W\d_][\w'.-]*"
_NAMED = rf"((?:{_WORD}[ ]){{0,5}}?{_WORD})"
_THEN = r"(?=[,.!;:(\n–—]|[ ](?:[-–—(]|and\b|writing|looking|here|speaking|from|your|again|applying|asking|reaching)|$)"
_WHO = re.compile(
    rf"\W{{0,4}}{_GREETING}(?:[^.!?\n]{{0,60}}[.!?][ ](?=i'm|i am|my name|this is))?(?:(?:i'm|i am|im|it's"
    rf"|it is|its|this is|my name is|my name's|name's|the name's|call me|me:)[ ]{_NAMED}{_THEN}"
    rf"|{_NAMED}[ ](?:here|speaking|calling|typing|checking in|on the line|writing in|reporting in)(?=[\W\d]|$))"
)
_CLOSING = re.compile(
    r"(?:.{0,60}[.!?][ ])?(?:(?:many |kind |best |warm |all the |much |with )*"
    r"(?:thx|thanks|thank you|cheers|ta|best|regards|yours|talk (?:soon|later)|speak soon|see you(?: soon)?"
    r"|bye(?: for now| then)?|later|take care|ciao|love|so long|over and out|until then|till then|wishes|signing off|"
    r"signed|greetings|warmly)[ ]?[,.!–—-]{0,3}[ ]|"
    rf"[-–—]{{1,2}}[ ]?){_NAMED}(?:[ ]\((?:[A-Za-z]\.?){{1,4}}\))?[ .!)]*"
)
_NOBODY_LISTED = (
    "all everyone everybody team folks mate mates guys again advance you there then now soon me us i we he she they it "
    "nothing nobody someone new newbie happy glad mum dad truly sincerely always so much up down on off out in not "
    "just very still also for the a an of your my our strictly roughly generally frankly honestly lads ladies "
    "sir madam reader recruiter best regards back home right left good fine well ready sorry available attached"
)
_NOBODY = frozenset(_NOBODY_LISTED.split())
_FAR, _LAST_LINES, _LONGEST_CLOSING = 160, 2, 110


def opened(plain: Plain, evidence: Evidence) -> list[Candidate]:
    r"""Return who begins a message with their name, or ends it with one that agrees with the beginning or an address.

    >>> from evenhand.resumes.names.evidence import evidence_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("hey! tane te rangi here\ni ran the bar of a lodge.\ncheers, tane")
    >>> [found.name.text for found in opened(seen, evidence_of(seen, file_name=None, metadata=()))]
    ['Tane Te Rangi', 'Tane']
    """
    found: list[Candidate] = []
    match = _WHO.match(plain.low, 0, _FAR)
    if match is not None:
        which = 1 if match.group(1) else 2
        introduced = which == 2 or plain.low.startswith((" again", " here"), match.end(1))
        named = _written(plain, *match.span(which), sure=introduced)
        if named:
            found.append(Candidate(name=name_of(named), score=6, sure=True))
    opener = {token for each in found for token in each.name.tokens}
    for named in _closings(plain):
        name = name_of(named)
        if name.tokens and (opener or evidence.agreement(name) > 0):
            found.append(Candidate(name=name, score=6, sure=True))
    return found


def _closings(plain: Plain) -> Iterator[str]:
    low = plain.low.rstrip()
    stop = len(low)
    for _ in range(_LAST_LINES):
        begin = low.rfind("\n", 0, stop) + 1
        if stop - begin <= _LONGEST_CLOSING:
            match = _CLOSING.fullmatch(low, begin, stop)
            if match is not None and (named := _written(plain, *match.span(1), sure=True)):
                yield named
        stop = max(0, begin - 1)


def _written(plain: Plain, start: int, end: int, *, sure: bool) -> str:
    """Return a name with capitals, nothing where its words are no name's; `sure`: the place says that it is one."""
    words = plain.low[start:end].rstrip(".").split()
    if not words or len(words) > _MOST_WORDS or not _NOBODY.isdisjoint(words):
        return ""
    bare = [word.strip(".'") for word in words]
    kinds = [kind_of(word) for word in bare]
    if not all(kind in _NAMES or len(word) == 1 for kind, word in zip(kinds, bare, strict=True)):
        capitals = all(word[0].isupper() for word in plain.text[start:end].split())
        if not (capitals and len(words) > 1 and bare[0] in given_names()):
            return ""
    first = bare[0]
    written_small = plain.text[start:end].islower()
    if not (first in given_names() or (kinds[0] == "name" and not (written_small and first in english_words()))):
        return ""
    if not sure and len(words) == 1 and kinds[0] != "name" and written_small:
        return ""  # 'i'm frank.'
    return " ".join(
        word if word in PARTICLES and place and word != "te" else _titled(word) for place, word in enumerate(words)
    )


def _titled(word: str) -> str:
    return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))


_NAMES = frozenset({"name", "word", "other", "particle"})
_MOST_WORDS = 5

_HANDLE = re.compile(r"(?<![\w.])@([a-z][\w.]{3,30})")
#: A host of one's own: `me@roe.dev`.
_HOST_OF = re.compile(r"(?<![\w.])(?:me|hi|hello|mail|jobs|contact|post|info|email|work|cv)@([a-z-]{2,30})\.[a-z]{2}")
_PARTS = re.compile(r"[a-z]+")
_SHORTEST, _SHORTEST_WORD = 2, 4


def completed(plain: Plain, evidence: Evidence, person: Collection[Name]) -> list[Name]:
    """Return the names of which an address or a handle has the rest, where only one word of each is known.

    >>> from evenhand.resumes.names.evidence import evidence_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("howard here, of the Dunmore rule: hdunmore63@mail.org")
    >>> [found.text for found in completed(seen, evidence_of(seen, file_name=None, metadata=()), [name_of("Howard")])]
    ['Howard Dunmore']
    """
    known = [name for name in person if name.tokens]
    if any(len(name.tokens) > 1 for name in known):
        return []
    addresses = [*evidence.locals, *evidence.handles]
    hosts: list[str] = []
    if "@" in plain.low:
        addresses += _HANDLE.findall(plain.low)
        hosts = _HOST_OF.findall(plain.low)
        addresses += hosts
    found: dict[str, Name] = {}
    for name in known:
        given = name.tokens[0].replace("-", "").replace("'", "")
        for rest, whole in chain.from_iterable(_rests(address, given) for address in addresses):
            if rest not in found and rest != given and _may_be(plain, rest, whole=whole):
                found[rest] = name_of(f"{name.text} {rest.title()}")
        hosts = [host for host in hosts if host in surnames() and (kind_of(host) == "name" or host in plain.where)]
        found = found or {host: name_of(f"{name.text} {host.title()}") for host in hosts}
    return list(found.values()) if len(found) <= _MOST_FOUND else []


_MOST_FOUND = 3


def _rests(address: str, given: str) -> Iterator[tuple[str, bool]]:
    """Yield what an address has beside a given name, or behind its initial; and whether all of the name is there."""
    parts = _PARTS.findall(address)
    if given in parts:
        yield from ((part, True) for part in parts if part != given)
    letters = "".join(parts)
    if len(given) > _SHORTEST:
        if letters.startswith(given):
            yield letters[len(given) :], True
        if letters.endswith(given):
            yield letters[: -len(given)], True
    if letters.startswith("the"):
        yield letters[len("the") :], False
    if letters[:1] == given[:1]:
        yield letters[1:], False
    if letters[-1:] == given[:1]:
        yield letters[:-1], False


def _may_be(plain: Plain, rest: str, *, whole: bool) -> bool:
    """Say whether the rest of an address is a surname: a frequent one, or a word of the text and no ordinary one."""
    if len(rest) < _SHORTEST or rest in GENERIC:
        return False
    kind = kind_of(rest)
    if rest in surnames() or rest in SURNAMES_TOO:
        return whole or kind == "name" or (len(rest) >= _SHORTEST_WORD and rest in plain.where)
    if len(rest) < _SHORTEST_WORD or rest not in plain.where:
        return False
    return kind in _NAMES if whole else kind == "name" and rest not in english_words()
