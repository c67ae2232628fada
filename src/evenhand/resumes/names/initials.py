"""Initials of a document's person where they stand for the name: `signed the drawings as JD`, `my initials: J. D.`."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, permutations
from string import ascii_lowercase

from evenhand.resumes.names.parts import Name
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["initials_of"]

#: Words near which two letters may be somebody's initials.
_CUES_LISTED = (
    "initial initials initialled initialed initialling signed sign signs signing signature monogram monogrammed stamp "
    "stamped prepared checked drawn approved reviewed typed tested inspected written recorded witnessed compiled "
    "chart rota board log sheet sheets card cards drawing drawings roster locker badge mine countersigned etched "
    "logged entered verified edited filmed photographed code mark list lists listed show shows shown records property "
    "notebook logbook diary engraved marked carved etched "
    "scratched known call calls called goes credited byline by-line abbreviated reads says professionally reference "
    "shortened ask friends want"
)
_CUES = frozenset(_CUES_LISTED.split())
_BEFORE = re.compile(
    r"(?:\b(?:initial(?:s|led|ed|ling)?|sign(?:s|ed|ing)?|signature|monogram(?:med)?|by-?line|"
    r"(?:rubber|ink|date|my|a) stamp)\b[^.!?\n]{0,36}?"
    r"(?:[:,(\"'=-] ?|\b(?:as|with|by|of|is|are|it|work|letters|reads|under|my|his|her|their) )"
    r"|\b(?:initials|initialled|initialed|professionally,) "
    r"|\b(?:reads|says) [\"'(]|\breference(?: code| number| no\.?)?(?: (?:of|for) (?:this|my) application)?:? "
    r"|\b(?:in|on) the (?:log ?book|log|register|chart|rota|minutes|board|card) as "
    r"|\b(?:prepared|checked|drawn|approved|reviewed|typed|tested|inspected|written|recorded|witnessed|compiled|entered|"
    r"verified|edited|filmed|photographed|signed(?: off)?|countersigned) by:? "
    r"|\b(?:trainer|staff|operator|user|clerk|cashier|author|reviewer|crew|driver|agent|tutor) "
    r"(?:code|initials|mark)[: ]{1,2}|\b(?:list|lists|listed|show|shows|shown|have|has|record|records) (?:me )?as "
    r"|\b(?:property of|known (?:simply |only |just )?as|call(?:s|ed)? me|goes by|credited as|abbreviated (?:to|as)|"
    r"shortened (?:it|me|my name|the name) to|say you want|ask(?: for)?) "
    r"|\b(?:engraved|marked|stamped|carved|etched|scratched|monogrammed)(?: with| as| in)? "
    r"|\b(?:notebook|logbook|diary)(?: (?:no\.?|number|nr\.?)? ?\d{1,4})? ?\()[\"'(*]{0,2}$"
)
_AFTER = re.compile(r"[\"')*]{0,2}(?:[.,;:|)\]\n}]|$|[ ](?!(?:Word|Office|Excel|Teams|degree|programme|program)\b))")
#: What says the same behind them: `JD on the chart`, `(screens signed JD are mine)`.
_CUED_AFTER = re.compile(
    r"[\"')*]{0,2} (?:on (?:the|every|each|my|all|our|any) (?:chart|rota|board|log|sheets?|job card|cards?|drawings?|"
    r"roster|label|badge|door|locker|tags?)\b"
    r"|(?:is me|are mine|is mine)\b)|, as (?:friends|colleagues|everyone|people|they) (?:say|call|know)\b"
)
_MARKED = re.compile(r"\b(?:signed|initialled|countersigned|drawn|checked|stamped|engraved|etched)(?: off)?(?: as)? $")
_CLOSED = re.compile(r"[\"')]{0,2}(?:[.,;:)|\n]|$)")
_DOTTED = re.compile(r"(?<![\w.&/-])(?:[A-Za-z]\.[ -]?){2,4}(?<=\.)(?![\w])")
#: Alone on a line, or as the last of one behind a dash.
_ALONE_BEFORE = re.compile(r"(?:^|\n|[\"'.!?] [-\u2013\u2014]{1,2} ?)[ \t>*_\u2022\u00b7/-]*$")
_ALONE_AFTER = re.compile(r"[ \t*_]*(?:\n|$)")
_KEY = re.compile(r"(?<![\w.])([A-Z])[ ]?(?:=|:|-)[ ]([A-Z][\w'-]+)")
_MIDDLE = re.compile(
    r"[Mm]iddle (?:[Nn]ames?|[Ii]nitials?)[ \t]*(?:\([^()\n]{1,20}\)[ \t]*)?[:|\t=][ \t|]*"
    r"([A-Z](?:\.|[\w'-]*)(?:[ ][A-Z][\w'-]*){0,2})(?=[ ]*(?:\n|$|[|,;\"\t(]))"
)
#: What two dotted letters are besides.
_NO_INITIALS_LISTED = (
    "jd md ms ma ba bs be me mb bm pe us uk eu un am pm dc la sa ny nj nc nd nh nm sc sd ri va wv cv it hr pr qa ps rn "
    "bc ad tv po id vp gp pa mp qc kc ie eg cf sl ag co dd da do ed"
)
#: Who approves and reviews in an office, besides the person.
_DEPARTMENTS = frozenset("hr hrm hod qa qc it pm po vp gm md ceo cfo cto coo pr ops us uk eu un am".split())  # noqa: SIM905 - a list of words
_NO_INITIALS = frozenset(_NO_INITIALS_LISTED.split())
_FAR = 60
_MOST = 4


def initials_of(plain: Plain, person: Iterable[Name]) -> list[Found]:
    """Return where initials stand for a document's person, and a middle name that a form asks for.

    >>> from evenhand.resumes.names.parts import name_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("I signed the drawings as JD. The JD for the post was long.")
    >>> [(each.start, each.end) for each in initials_of(seen, [name_of("Jane Doe")])]
    [(25, 27)]
    """
    names = [name for name in person if len(name.tokens) > 1]
    if not names:
        return []
    return [
        Found(start=start, end=end, category="NAME", rule="initials", confidence=0.9)
        for start, end in (*_places(plain, names), *_doubled(plain, names), *_keys(plain, names), *_middle(plain))
    ]


def _places(plain: Plain, names: list[Name]) -> Iterator[tuple[int, int]]:
    text, low = plain.text, plain.low
    cued = not plain.where.keys().isdisjoint(_CUES)
    letters_of = tuple(map(_letters, names))
    singly = plain.places(frozenset(chain.from_iterable(letters_of)))
    dotted = [place for place in singly if text.startswith(".", plain.words[place][2])]
    if not cued and not dotted:
        return
    wanted = _wanted(letters_of)
    if cued:
        for place in plain.places(wanted):
            _, start, end = plain.words[place]
            if (
                end - start > 1
                and low[start:end] not in _DEPARTMENTS
                and (text[start:end].isupper() or _is_small(text, start, end))
                and _is_cued(low, start, end)
            ):
                yield start, end
    done = 0
    for place in dotted:
        start = plain.words[place][1]
        match = _DOTTED.match(text, start) if start >= done else None
        if match is None:
            continue
        done = match.end()
        letters = "".join(filter(str.isalpha, match.group())).lower()
        if letters not in wanted:
            continue
        start, end = match.span()
        small = not match.group().isupper()
        if small and not _is_small(text, start, end):
            continue
        if (cued and _is_cued(low, start, end)) or (
            not small
            and (
                (letters not in _NO_INITIALS and text[end : end + 2].strip()[:1].isupper() is False)
                or (_ALONE_BEFORE.search(text, max(0, start - 12), start) and _ALONE_AFTER.match(text, end))
            )
        ):
            yield start, end


@lru_cache(maxsize=4096)
def _wanted(letters_of: tuple[str, ...]) -> frozenset[str]:
    """Return what initials may stand for names: their letters in any order, and with a middle name nobody gave."""
    wanted: set[str] = set()
    for letters in letters_of:
        for size in range(1, len(letters) + 1):
            wanted.update(map("".join, permutations(letters, size)))
        first, last = letters[0], letters[-1]
        wanted.update([f"{first}{middle}{last}" for middle in ascii_lowercase])
    return frozenset(wanted)


def _letters(name: Name) -> str:
    """Return the first letters of a name's tokens and of their halves, four at most."""
    found = [part[0] for token in name.tokens for part in token.split("-") if part]
    return "".join(found[:_MOST])


def _is_cued(low: str, start: int, end: int) -> bool:
    if _CUED_AFTER.match(low, end) is not None:
        return True
    if _CLOSED.match(low, end) is not None and _MARKED.search(low, max(0, start - _FAR), start) is not None:
        return True
    return _BEFORE.search(low, max(0, start - _FAR), start) is not None and _AFTER.match(low, end) is not None


def _is_small(text: str, start: int, end: int) -> bool:
    """Say whether a line has no capitals at all."""
    last = text.find("\n", end)
    return text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)].islower()


def _doubled(plain: Plain, names: list[Name]) -> Iterator[tuple[int, int]]:
    """Yield where the initials of a double given name stand with its hyphen: `J-L`, of Jean-Luc and of Jean Luc."""
    doubles = {
        (given[0], given[given.index("-") + 1]) if "-" in given else (given[0], name.tokens[1][0])
        for name in names
        if "-" in (given := name.tokens[0]) or len(name.tokens) > _DOUBLE
    }
    for first, second in doubles:
        written = f"{first}-{second}".upper()
        start = plain.text.find(written)
        while start >= 0:
            end = start + len(written)
            if not (plain.text[max(0, start - 1) : start] or " ").isalnum() and _IS_DOUBLED.match(plain.text, end):
                yield start, end
            start = plain.text.find(written, end)


#: Behind initials, and no `A-B testing`, `X-Y axis`, `B-2`.
_IS_DOUBLED = re.compile(
    r"(?![\w&/+-])"
    r"(?![ ](?:tests?|testing|axis|plane|plots?|curves?|diagrams?|coordinates?|visas?|class|cells?|bonds?)\b)"
)
_DOUBLE = 2


def _keys(plain: Plain, names: list[Name]) -> Iterator[tuple[int, int]]:
    """Yield the letter that a key explains: `G = Grace`."""
    if " = " not in plain.text:
        return
    own = {token for name in names for token in name.tokens}
    for match in _KEY.finditer(plain.text):
        if "=" in match.group() and match.group(2).lower() in own and match.group(2)[0] == match.group(1):
            yield match.span(1)


def _middle(plain: Plain) -> Iterator[tuple[int, int]]:
    if "middle" in plain.where:
        for match in _MIDDLE.finditer(plain.text):
            if match.group(1).lower() not in {"none", "n/a", "na", "no", "not"}:
                yield match.span(1)
