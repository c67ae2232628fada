"""Earlier names: `Formerly Szabo.`, `diplomas under Rasmussen`, `Older certificates carry the name Ann Roe`."""

import re
from collections.abc import Collection, Iterator

from evenhand.resumes.names.around import ORGANISATION_AFTER
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import english_words, given_names, name_words, no_names, ordinary_words, surnames
from evenhand.resumes.plain import Plain, word_list

__all__ = ["earlier_places"]

_PAPER_LISTED = (
    "certificate certificates certs diploma diplomas papers paper publication publications articles article degree "
    "degrees transcript transcripts registration registrations licence licences license licenses qualification "
    "qualifications credential credentials records record passport documents document testimonials references "
    "patents works work theses thesis drawings payslips contracts diplom zeugnisse diplomes reports letters letter "
    "reviews columns registers register"
)
_PAPERS = frozenset(_PAPER_LISTED.split())
_PAPER = "|".join(sorted(_PAPERS, key=len, reverse=True))
#: Behind a paper, to the name it has: `diplomas under`, `certificates before 2020 read`, `papers carry the name`.
_ON_PAPER = re.compile(
    rf"(?:[ \n](?:and|or|&)[ \n](?:[a-z]+[ ]){{0,2}}(?:{_PAPER}))?"
    r"(?:[ \n](?:[a-z'-]+|(?:19|20)\d\d|[A-Z][\w'-]+|[(,-]|\d\d?)[),]?){0,7}?[ \n]"
    r"(?:(?:filed |issued |listed |published |registered |still |appear |awarded |held |printed |found |kept |"
    r"made out )?(?:under|in the name(?: of)?|to the name(?: of)?|with the name)|"
    r"(?:still |all |both |may |will )?(?:read|reads|say|says|carry|carries|bear|bears|give|gives|show|shows|have|"
    r"has|use|uses|name|names|list|lists|state|states|call|calls|(?:are|is|were)(?= (?:in|under|as|by) ))"
    r"(?: me)?(?: (?:as|under|in|by))?(?: (?:the|my|her|his|a))?"
    r"(?: (?:old|former|maiden|birth|previous|earlier|other|unmarried|first married|married|family|last))*"
    r"(?: (?:name|surname))?(?: of)?):?[ \n][\"']?"
)
#: What leads to a name only: `read` alone does where the line has nothing else.
_OLD = re.compile(
    r"\b(?:before|until|up to|prior to|older|old|earlier|earliest|early|previous|former|pre-?(?:19|20)\d\d|"
    r"(?:19|20)\d\d|my first|from before|maiden|birth|some|all|school|university|dated|name|surname|under|still)\b",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"(?:formerly|previously|earlier name|earlier|once|born|maiden name|birth name|former name|former surname|"
    r"previous name|previous surname|surname at birth|name at birth|name before marriage|surname before marriage|"
    r"before marriage|before my marriage|before the wedding|until (?:my marriage|i married|marriage)|"
    r"unmarried name|ne|nee|geb\.?|geborene|z domu|nata|nacida|original surname|old surname|family name at birth|"
    r"married name|ex-name)(?: (?:known as|called|named|surnamed|under the name(?: of)?|was|is|were|in (?:19|20)\d\d))?"
    r"(?:[ ]?\((?:until|to|before|till) (?:19|20)\d\d\))?(?: (?:until|to|before|till) (?:19|20)\d\d)?[ ]?:?[ ][\"']?"
)
_I_WAS = re.compile(
    r"(?:i|she|he) (?:was|used to be|have been|had been|went by|married as|studied as|qualified as|graduated as|"
    r"published as|trained as|registered as)[ ][\"']?"
)
_I_WAS_THEN = re.compile(
    r"[\"']?,?[ ](?:until|till|before|at school|at university|at birth|back then|in those days|when i|prior to|"
    r"up to (?:19|20))\b"
)
_STARTS_LISTED = (
    "formerly previously earlier once born maiden birth former previous surname name before until unmarried ne nee geb "
    "geborene nata nacida original old family married z"
)
_STARTS = frozenset(_STARTS_LISTED.split())
#: Before a surname only.
_BORN = frozenset({"nee", "maiden", "geb", "geborene"})
_WAS = frozenset({"i", "she", "he"})
#: `Registered as Barros until 2015`, `changed my name from Barros`, `in my old name, Barros`.
_REGISTERED = re.compile(
    r"(?:registered|listed|enrolled|published|employed|married|qualified|graduated|licen[sc]ed|filed|certified|"
    r"credited)[ ](?:as|under)[ ][\"']?"
)
_CHANGED = re.compile(
    r"(?:chang(?:e|ed|es|ing)|switch(?:ed|ing)?|legally changed)(?: of)? (?:my |her |his |their |the |legal |"
    r"family |last |sur)*(?:name)?(?: legally| officially)?(?: on marriage| by deed poll| in (?:19|"
    r"20)\d\d)? from[ ][\"']?"
)
_OLD_NAME = re.compile(r"(?:sur)?name[,:]?[ ](?:(?:is|was|of)[ ])?[\"']?")
_OLD_BEFORE = re.compile(
    r"\b(?:my|her|his|in|under|with)[ ](?:my |her |his )?(?:old|former|previous|birth|earlier|unmarried|maiden|"
    r"premarital|pre-marriage|pre-wedding|original|first married|ex-husband's|divorced|family|deadname|"
    r"past)[ ](?:last |family |sur)?$"
)
_REGISTERED_LISTED = (
    "registered listed enrolled published employed married qualified graduated licensed licenced filed certified "
    "credited"
)
_LEADS: dict[str, tuple[re.Pattern[str], re.Pattern[str] | None]] = {
    **dict.fromkeys(_REGISTERED_LISTED.split(), (_REGISTERED, _I_WAS_THEN)),
    **dict.fromkeys(("change", "changed", "changing", "switched"), (_CHANGED, None)),
    **dict.fromkeys(_WAS, (_I_WAS, _I_WAS_THEN)),
    **dict.fromkeys(("name", "surname"), (_OLD_NAME, None)),
}
_NAMED_SO = frozenset({"name", "surname"})
_AT_WORDS = word_list(_PAPERS | _STARTS | _LEADS.keys())
_BEGINS = re.compile(r"(?:^|[\n.;:(,|>{\"\u2022*/-])[ \t*>\u2022\"'-]*$")
_WRITTEN = re.compile(
    r"[A-Z][\w']*(?:-[A-Z]?\w+)*(?:[ ](?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|ter|ten|"
    r"[A-Z]\.)[ ]){0,2}[A-Z][\w']*(?:-[A-Z]?\w+)*){0,3}"
)
_ENDED = re.compile(
    r"[\"')]*(?:[.,;)\n|<}\]]|$|[ ]{2}|[ ](?:-|\(|until|till|before|at|in|on|and|as|since|because|from|up)\b|[ ][-(])"
)
_ENDED_OR_TO = re.compile(r"[\"']*(?:[.,;)\n]|$|[ ](?:to|in|on|after|when)\b)")
_STOPS = re.compile(r"[\"')}\]]*(?:\.?[\"'}\]]*[ ]*,?(?:\n|$)|[.;)]|,[ ]|[ ]{2}|[ ][-(])")
_EMPLOYED = re.compile(r"\b(?:at|for|with|by|joined|join|left|from|via)[ ]$")
_HOST = re.compile(r"[ ](?:ltd|inc|gmbh|llc|plc|group|co\b|bank|hotel|school)|\.[a-z]{2}", re.IGNORECASE)
_MOST = 3


def earlier_places(plain: Plain, own: Collection[str]) -> list[tuple[int, int]]:
    r"""Return where earlier names stand: behind `formerly`, `née` and the like, and on papers of earlier years.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Formerly Szabo.\nDiplomas under Rasmussen.\nFormerly Deloitte.\nReports under IFRS.")
    >>> [seen.text[start:end] for start, end in earlier_places(seen, ())]
    ['Szabo', 'Rasmussen']
    """
    found: list[tuple[int, int]] = []
    text, low, words = plain.text, plain.low, plain.words
    for place in plain.places(_AT_WORDS):
        word, start, end = words[place]
        if word in _PAPERS:
            found += _on_paper(plain, start, end, own)
        if word in _LEADS:
            found += _renamed(plain, word, start, own)
        if word in _STARTS:
            lead = _FORMERLY.match(low, start)
            if lead is None or _BEGINS.search(low, max(0, start - 12), start) is None:
                continue
            match = _WRITTEN.match(text, lead.end())
            small = _SMALL.match(text, lead.end()) if word in _BORN else None
            if small is not None and _is_small_surname(text, small, own, any_name=True):
                found.append(small.span())
            if match is not None and _STOPS.match(text, match.end()) and _may_be_earlier(plain, match, own):
                found.append(match.span())
    found += _with_own_first(plain, own)
    return found


def _renamed(plain: Plain, word: str, start: int, own: Collection[str]) -> Iterator[tuple[int, int]]:
    text, low = plain.text, plain.low
    pattern, then = _LEADS[word]
    lead = pattern.match(low, start)
    if lead is None or (word in _NAMED_SO and _OLD_BEFORE.search(low, max(0, start - 40), start) is None):
        return
    match = _WRITTEN.match(text, lead.end())
    ends = then or (_STOPS if word in _NAMED_SO else _ENDED_OR_TO)
    if match is not None and ends.match(low, match.end()) and _may_be_earlier(plain, match, own):
        yield match.span()


def _on_paper(plain: Plain, start: int, end: int, own: Collection[str]) -> Iterator[tuple[int, int]]:
    text, low = plain.text, plain.low
    lead = _ON_PAPER.match(low, end)
    if lead is None:
        return
    before = max(low.rfind("\n", 0, start), low.rfind(".", 0, start)) + 1
    match = _WRITTEN.match(text, lead.end())
    small = _SMALL.match(text, lead.end()) if match is None else None
    if small is not None and _is_small_surname(text, small, own):
        yield small.span()
    if match is None or _ENDED.match(text, match.end()) is None:
        return
    named = match.group().lower().split()
    if named[0] not in own and _OLD.search(low, max(before, start - 60), lead.end()) is None:
        return
    if _may_be_earlier(plain, match, own):
        yield match.span()


def _is_small_surname(text: str, small: re.Match[str], own: Collection[str], *, any_name: bool = False) -> bool:
    """Say whether small words, of a line in such, are a frequent surname, with the person's name or none."""
    first, last = text.rfind("\n", 0, small.start()) + 1, text.find("\n", small.end())
    named = small.group().split()
    listed = (any_name or named[-1] in surnames()) and kind_of(named[-1]) == "name"
    return text[first : last if last >= 0 else len(text)].islower() and listed and (len(named) == 1 or named[0] in own)


_SMALL = re.compile(r"[a-z][a-z'-]+(?:[ ][a-z][a-z'-]+)?(?=[.,;)\"\n]|$)")


def _may_be_earlier(plain: Plain, match: re.Match[str], own: Collection[str]) -> bool:
    """Say whether words are a name, and none of an employer's, a publisher's or a rule's: it stands nowhere else so."""
    text, low = plain.text, plain.low
    named = [word for word in match.group().lower().replace(".", "").split() if len(word) > 1]
    if (
        not named
        or ORGANISATION_AFTER.match(text, match.end()) is not None
        or _HOST.match(text, match.end()) is not None
    ):
        return False
    if all(word in own for word in named):
        return True
    others = [word for word in named if word not in own]
    if not all(_may_be_surname(word) for word in others):
        return False
    if len(others) == 1 and len(match.group()) < _LONGEST_CAPITALS and match.group().isupper() and len(named) == 1:
        return False
    if len(named) < len(others) + 1:  # no word of the person's own
        for word in others[-1:]:
            for place in plain.where.get(word, ())[:_MOST]:
                start, end = plain.words[place][1:]
                if start == match.start():
                    continue
                if _EMPLOYED.search(low, max(0, start - 12), start) or _HOST.match(text, end):
                    return False
    return True


_LONGEST_CAPITALS = 5


def _may_be_surname(word: str) -> bool:
    if word in surnames() or word in given_names():
        return no_names().get(word) is None
    parts = word.split("-")
    return all(
        kind_of(part) in {"name", "word", "particle"}
        and part not in english_words()
        and part not in ordinary_words()
        and name_words().get(part) in {None, "word"}
        for part in parts
    )


_IN_NAME_OF = re.compile(
    r"\b(?:in the name of|issued to|made out to|under the name(?: of)?|carry the name|name:|name)[ \n]+$"
)
_BREAK = re.compile(r"(?:[ ]{2,}[^\n]*)?\n")
_NEXT = re.compile(r"[ \t>*\u2022-]*([A-Z][\w'-]+)(?=[.,;)]|[ ]{2}|[ ]*\n|$)")
_BEHIND = re.compile(r"[ ]([A-Z][\w'-]+)(?=[\"')]*(?:[.,;:)\n]|$|[ ]{2}|[ ](?:[a-z]|-)))")


def _with_own_first(plain: Plain, own: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield a name of the person's with another surname behind it, in the next line of a column perhaps."""
    text, low, words = plain.text, plain.low, plain.words
    for place in plain.places(frozenset(own)):
        word, start, end = words[place]
        if not text[start].isupper() or text[end : end + 1] not in {" ", "\n"}:
            continue
        if _BREAK.match(text, end) is not None and _IN_NAME_OF.search(low, max(0, start - 24), start) is not None:
            match = _in_column(text, start, end)
            if match is not None and match.group(1).lower() not in own and _may_be_surname(match.group(1).lower()):
                yield start, end
                yield match.span(1)
        elif word in given_names() and kind_of(word) == "name":
            behind = _BEHIND.match(text, end)
            if behind is None:
                continue
            family = behind.group(1).lower().removesuffix("'s")
            capitals = text[start:end].isupper() == behind.group(1).isupper()
            if (
                capitals
                and family not in own
                and _may_be_surname(family)
                and ORGANISATION_AFTER.match(text, behind.end()) is None
            ):
                yield start, behind.start(1) + len(family)


def _in_column(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first word of the next line of the column in which a word stands."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    gap = text.rfind("  ", first, start)
    column = gap + 2 - first if gap >= first and text[first:gap].strip() else 0
    after = text.find("\n", last + 1)
    begin = last + 1 + column
    if column and (after if after >= 0 else len(text)) <= begin:
        return None
    return _NEXT.match(text, begin)
