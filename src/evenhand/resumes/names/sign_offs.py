"""Names under a message and in its greeting: `talk soon, deki`, `Thanks, Pen`, `hello, frank speaking`."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator

from evenhand.resumes.names.called import is_calling_name
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import english_words, given_names, no_names
from evenhand.resumes.names.parts import PARTICLES
from evenhand.resumes.plain import Plain, word_list

__all__ = ["sign_offs"]

_TIME = (
    r"(?:soon|later|then|tomorrow|(?:next|this) week|in a bit|soon,? (?:hopefully|i hope)|monday|tuesday|wednesday|"
    r"thursday|friday|there|at the interview|in person|on site)"
)
_FAREWELL = (
    rf"(?:(?:i )?(?:hope to |looking forward to |let's |we |will |i'll |can't wait to )?"
    rf"(?:talk|speak|chat|see you|see ya|cu|meet|write|hear from you|be in touch|catch you|catch up|more|until|till|"
    rf"talking|speaking|meeting you|seeing you|hearing from you|hear back|call you|message)"
    rf"(?: (?:to you|with you|to you all|you|all|again|from you))?(?: (?:very )?{_TIME})?|"
    r"(?:good)?bye(?:[ -]bye)?(?: for now| now| then)?|ta-?ta(?: for now)?|so long|cheerio|ciao(?: ciao)?|tschuss|"
    r"adios|hasta (?:luego|pronto)|a bientot|arrivederci|ttyl|ttys|brb|bfn|take care(?: all| now)?|"
    r"have a (?:good|great|nice|lovely) (?:one|day|week|weekend|evening|night)(?: (?:all|everyone|everybody|team))?|"
    r"all (?:the best|good wishes)|(?:my |very |with |kind(?:est)? |best |warm(?:est)? |many |much |big |lots of |all "
    r"my |sincere )*(?:thanks|thank you|thx|tysm|ty|ta|cheers|best|regards|wishes|love|hugs|greetings|appreciation|"
    r"gratitude|blessings|respect|yours|sincerely|cordially|warmly|gratefully|respectfully|peace|later|laters)"
    r"(?: (?:again|a lot|so much|very much|in advance|all|everyone|and regards|and best|for now|from|"
    r"(?:truly|sincerely|faithfully|ever)|for (?:reading|your time|the chance|considering me|listening|having me|"
    r"looking|everything|your help|now)|and (?:take care|talk soon|see you|bye|speak soon)))*|"
    r"rgds|br|kr|bw|bws|atb|kind rgds|best rgds|mfg|lg|vg|stay (?:well|safe|in touch)|be well|keep well|(?:over|"
    r"back) to you|signing off|signed|your (?:friend|applicant|"
    r"future \w+|colleague)|over and out|until (?:then|next time)|till then|onwards|sent by|it's me|written by)"
)
#: A whole line that is a farewell and a name, or a farewell with the name in the next line.
_LINE = re.compile(
    rf"[ \t>\"'*_,\u2022(-]*(?P<farewell>{_FAREWELL})(?P<mark>[ ]?[,.!:;~-]*)(?:[ ]?(?:x{{1,3}}|:\)|\U0001f642|<3))?"
    r"(?:[ ]|[ \t]*\n[ \t>]*|[ ]*-{1,2}[ ]?|[ ]*/[ ]*)(?:-{1,2}[ ]?|~ ?)?"
    r"(?P<name>[^\W\d_][\w'.-]*(?:[ ](?!x{1,3}(?:\W|$))[^\W\d_][\w'.-]*){0,3})"
    r"(?:[ ]?\((?:[a-z]\.?){1,3}\))?(?:[ ](?:x{1,3}|:\)|<3))?[\"' \t.!,_*)]{0,5}(?:\n|$)"
)
_FIRST_WORDS_LISTED = (
    "talk speak chat see cu meet write hear be catch more until till talking speaking meeting seeing hearing bye "
    "goodbye good ta tata so cheerio ciao tschuss adios hasta a arrivederci ttyl ttys brb bfn take have all thanks "
    "thank thx tysm ty cheers best regards wishes love hugs greetings appreciation gratitude blessings respect yours "
    "sincerely cordially warmly gratefully respectfully peace later laters stay keep over back signing signed your "
    "it's sent written onwards looking hope let's can't will i'll we i many kind kindest warm warmest with big lots my "
    "very sincere message call much rgds br kr bw bws atb mfg lg vg"
)
_FIRST_WORDS = frozenset(_FIRST_WORDS_LISTED.split())
_LEAD_INS_LISTED = (
    "a all with i my we will hope looking let's can't i'll many much kind kindest warm warmest big lots very sincere "
    "over back so"
)
#: One of them is in every farewell; most words that begin one are in other lines as well.
_FAREWELL_WORDS = word_list(
    (_FIRST_WORDS - frozenset(_LEAD_INS_LISTED.split())) | {"be", "bientot", "long", "out", "you"}
)
#: Farewells that other words go on from without a mark: `Best Western`, `See John`, `Love Actually`, `More Coffee`.
_NEEDS_MARK = re.compile(
    r"(?:best|br|kr|bw|bws|atb|mfg|lg|vg|love|respect|peace|yours|see you|more|until|till|meet|talk|speak|chat|"
    r"write|call you|message|later|ty|ta|signed|sent by|written by|regards|wishes|appreciation|greetings|catch up|cu|"
    r"talking|speaking)$"
)
_NOBODY_LISTED = (
    "all everyone everybody team folks guys again you in so very much a the to for from and x xx mate mates friends "
    "sir madam sirs there then now soon later ahead advance advanced hiring recruiter manager panel committee both "
    "regards best wishes love thanks cheers sincerely yours faithfully truly"
)
_NOBODY = frozenset(_NOBODY_LISTED.split())
_GREETING = re.compile(
    r"(?:(?:hi|hello|hey|hiya|heya|howdy|hallo|morning|afternoon|evening)(?: (?:all|everyone|there|team|folks|both|"
    r"again|hiring team))?[ ]?[,!.:-]*[ ]?(?:\U0001f44b[ ]?)?)"
    r"(?P<name>[^\W\d_][\w'-]*(?:[ ][^\W\d_][\w'-]*){0,3})[ ](?:here|speaking|writing|calling|again|from)\b"
)
#: In a text without capitals only: `i'm kevin, `, `this is tane te rangi, `.
_I_AM = re.compile(
    r"(?:i'm|i am|this is|it's|me is)[ ](?P<name>[^\W\d_][\w'-]*(?:[ ][^\W\d_][\w'-]*){0,3})"
    r"(?:[,.!]| and i\b| -|\n|$| here\b| from\b| \()"
)
#: The last line, behind a dash or kisses; not in a list of such lines.
_LAST = re.compile(
    r"\n(?![ \t]*[-*\u2022~])[^\n]+\n\s*(?:(?:--?|~)[ ]?|x{1,3},?[ ])([^\W\d_][\w'-]*(?:[ ][^\W\d_][\w'-]*)?)[ .]?\s*$"
)
_GREETINGS_LISTED = "hi hello hey hiya heya howdy hallo morning afternoon evening"
_GREETINGS = frozenset(_GREETINGS_LISTED.split())
_INTRODUCTIONS = word_list(_GREETINGS | {"i'm", "i", "this", "it's"})
_AT_THE_START = 400
_LONGEST, _FARTHEST = 120, 8


def sign_offs(plain: Plain, own: Collection[str]) -> list[tuple[int, int]]:
    r"""Return where names stand behind a farewell that fills a line, and in a greeting that tells who writes.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("hello, frank speaking.\nBest Western, clerk\nthanks for the chance\ntalk soon, deki")
    >>> [seen.text[start:end] for start, end in sign_offs(seen, ())]
    ['frank', 'deki']
    """
    found, line = [], -1
    text, low, words = plain.text, plain.low, plain.words
    for place in plain.places(_FAREWELL_WORDS):
        farthest = max(0, words[place][1] - _LONGEST)
        first = text.rfind("\n", farthest, words[place][1]) + 1
        if first == line or farthest > first:
            continue
        line = first
        word, start, _ = words[bisect_left(plain.starts, first)]
        if word not in _FIRST_WORDS or start - first > _FARTHEST or not _is_short_line(text, start):
            continue
        match = _LINE.match(low, first)
        if match is None:
            continue
        marked = match.group("mark").strip() or low[match.end("mark") : match.end("mark") + 1] != " "
        if not marked and _NEEDS_MARK.search(match.group("farewell")) is not None:
            continue
        if _is_name(text[slice(*match.span("name"))].rstrip("."), own, at_end=len(text) - match.end() < _LONGEST):
            found.append((match.start("name"), match.start("name") + len(match.group("name").rstrip("."))))
    last = _LAST.search(text, max(0, len(text) - _LONGEST))
    if last is not None and _is_name(last.group(1), own, at_end=False):
        found.append(last.span(1))
    return sorted([*found, *_greetings(plain, own)])


def _greetings(plain: Plain, own: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield who writes, in the first words of a text."""
    text, low, words = plain.text, plain.low, plain.words
    for place in plain.places(_INTRODUCTIONS):
        word, start, _ = words[place]
        if start > _AT_THE_START:
            break
        match = (_GREETING if word in _GREETINGS else _I_AM).match(low, start)
        if match is None:
            continue
        name = text[slice(*match.span("name"))]
        small = name.islower()
        if (small or word in _GREETINGS) and _is_name(name, own, at_end=False, strictly=small):
            yield match.span("name")


def _is_short_line(text: str, start: int) -> bool:
    last = text.find("\n", start)
    return (last if last >= 0 else len(text)) - start < _LONGEST


def _is_name(written: str, own: Collection[str], *, at_end: bool, strictly: bool = True) -> bool:  # noqa: PLR0911 - one line per reason
    """Say whether words under a farewell are a name: each of them may be, and one is; more is taken at the end."""
    words = [word for word in written.lower().replace(".", " ").split() if word]
    if not words or any(word in _NOBODY for word in words):
        return False
    if all(word in own for word in words):
        return True
    capitals = all(word[0].isupper() for word in written.split() if word.lower() not in PARTICLES)
    if not capitals and not written.islower():
        return False
    kinds = [kind_of(word) for word in words if len(word) > 1 and word not in PARTICLES]
    if not kinds:
        return len(words) == 1 and len(words[0]) > 1 and words[0] in given_names()
    if "job" in kinds or any(no_names().get(word) in {"section", "organisation"} for word in words):
        return False
    if len(kinds) == 1:
        if capitals and (at_end or not strictly):
            return kinds[0] != "ordinary" or len(words[0]) < _SHORT_WORD
        return is_calling_name(words[0], own)
    if capitals:
        return "ordinary" not in kinds and any(kind in {"name", "word"} for kind in kinds)
    return all(kind != "ordinary" for kind in kinds) and any(
        kind == "name" and (word in given_names() or word not in english_words())
        for word, kind in zip((w for w in words if len(w) > 1 and w not in PARTICLES), kinds, strict=True)
    )


_SHORT_WORD = 5
