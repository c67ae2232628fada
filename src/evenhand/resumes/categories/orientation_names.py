"""ORIENTATION: what clubs, funds, films and papers of the community call themselves, country by country.

Kept: human rights campaigns, a press for change, bears, lambda functions, integrity, a gala dinner, MTF as a
modulation transfer function, companies called Transtech. An ordinary word counts where the community is named
beside it, or as the name of a network that is said to be one of it.
"""

from bisect import bisect_right
from collections.abc import Iterator

from evenhand.resumes.categories.community import sentence_around
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found, Rule, pattern

__all__ = ["NAMES", "compounds"]

_SMALL_WORDS = frozenset("of for at to the and a in on with no".split())  # noqa: SIM905 - a list of words
_COMMUNITY = (
    r"(?:[a-z0-9]{0,4}(?:lgb|glb|lgtb|hbtq|lhbt|lsbt)\w*|gay|gays|lesbians?|queers?|bisexuals?|homosexual\w*|"
    r"schwul\w*|lesb\w+|same-sex|coming[- ]out|transgender|two-spirit)"
)
_BESIDE = pattern(
    rf"\b(?:{_COMMUNITY}|rainbow (?:crew|flags?|network|alliance|staff)|inclusive (?:rugby|football|side|"
    r"team|club|sport\w*|squad)|trans (?:men|women|people|man|woman|youth|community|network|football)|drag (?:queens?|"
    r"kings?))\b"
)


def _is_named(plain: Plain, first: int, last: int) -> bool:
    """Say whether each word of a phrase but the small ones begins with a capital, as a name's do.

    >>> from evenhand.resumes.plain import plain_text
    >>> texts = "Press for Change", "Press for change"
    >>> [_is_named(plain_text(text), 0, 2) for text in texts]
    [True, False]
    """
    text = plain.text
    return all(
        not text[start].islower() or (place > first and word in _SMALL_WORDS)
        for place, (word, start, _) in enumerate(plain.words[first : last + 1], first)
    )


def _is_beside(plain: Plain, first: int, last: int) -> bool:
    """Say whether a word with a capital stands in a sentence that names the community.

    >>> from evenhand.resumes.plain import plain_text
    >>> texts = "Bears rugby club, gay and inclusive", "Bears fan; volunteer at the library"
    >>> [_is_beside(plain_text(text), 0, 0) for text in texts]
    [True, False]
    """
    start, end = plain.words[first][1], plain.words[last][2]
    if not _is_named(plain, first, last):
        return False
    sentence = sentence_around(plain, start, end)
    return _BESIDE.search(sentence) is not None


_IS_NETWORK = (
    r"[\s,(:|-]*(?:(?:the|our|its|an?|staff|employee|workplace|resource|network|group|erg|brg|society|association|"
    rf"company|firm's|bank's|internal|global|uk|volunteer|student|university|office) ){{0,4}}\(?{_COMMUNITY}\b"
)
_NETWORK_IS = (
    rf"\b{_COMMUNITY}\+? (?:(?:staff|employee|resource|student|workplace|business) ){{0,2}}(?:network|"
    r"groups?|ergs?|brg|society|choir|chorus|charity|club|association|team|alliance|forum|magazine|"
    r"committee),?[ :(-]+(?:called |named |the )?\"?$"
)
_HELPED = (
    r"\b(?:volunt\w+|trustee|fundrais\w*|helpline|ambassador|supporter|donat\w+|raised (?:[\w$£€.,]+ ){1,3}|worked|"
    r"mentor|listener|moderator|parent)(?: [\w-]+){0,2} (?:for|at|with|of|to|by) (?:the )?$"
)

_COMMUNITY_NAMED = pattern(
    rf"\b(?:{_COMMUNITY}|pride|rainbow|sogi\w*|trans|transgender|non-?binary|stonewall|safe (?:zone|space)|erg)\b"
)
_GENDER_ACT = pattern(r"\b(?:gender|trans\w*|recognition|birth certificate)\b")


def _is_of_gender_act(plain: Plain, first: int, last: int) -> bool:
    start, end = plain.words[first][1], plain.words[last][2]
    return _GENDER_ACT.search(plain.low, max(0, start - 60), end + 70) is not None


NAMES = {
    "named": Rule(confidence=0.87, check=_is_named),
    "team": Rule(
        confidence=0.86,
        case="capital",
        check=_is_beside,
        not_before=pattern(r"\b(?:chicago|detroit|san jose|miami|great|gummy|mr|mrs|ms|dr|the academic) $", r"-$"),
        not_after=pattern(r"\s+(?:dinner|apples?|testing|pride|goods|jacket|fat)\b", r"-\w"),
    ),
    "group_name": Rule(
        confidence=0.86, case="capital", after=pattern(_IS_NETWORK), check=_is_named, not_before=pattern(r"\w[-&'] ?$")
    ),
    "named_group": Rule(confidence=0.86, case="capital", before=pattern(_NETWORK_IS), check=_is_named),
    "mermaids": Rule(
        confidence=0.87,
        case="capital",
        after=pattern(
            r" (?:uk|charity|fund-?rais\w*|helpline|volunteers?|trustee|and stonewall|and gendered|youth|forum|"
            r"gender|residential|parents?)\b",
            r",? (?:the )?(?:charity|support) (?:for|of) (?:trans|gender)",
        ),
    ),
    "mermaids_helped": Rule(confidence=0.86, case="capital", before=pattern(_HELPED)),
    "act_up": Rule(
        confidence=0.87,
        case="upper",
        not_after=pattern(r" (?:button|screen)\b"),
        before=pattern(r"\b(?:with|of|in|for|at|and|from|by|member,?|the|joined) $", r"(?:^|[\n.;:*•>|(\"-]\s*)$"),
    ),
    "lambda": Rule(
        confidence=0.87,
        case="capital",
        after=pattern(
            r" (?:alliance|legal|literary|awards?|rising|youth|students? (?:union|society|group|union|alliance)|"
            r"society|network|group\b|club|center|centre|istanbul|warsz\w+|independent democrat\w*|car club|"
            r"association|10\b|book report|fellow\w*|writers|union|chapter at)"
        ),
        not_before=pattern(r"\b(?:chi|phi|aws|alpha|gamma|sigma|beta|kappa|delta|omega|theta|tau|amazon) $"),
        not_after=pattern(r" (?:chi|phi|kappa|theta|sigma|alpha|tau|function|layer|edge|expression)\b"),
    ),
    "mtf": Rule(
        confidence=0.87,
        case="upper",
        after=pattern(
            r" (?:support|group|community|woman|man|trans\w*|person|elders|alliance|network|meet-?up|social|peers?|"
            r"and proud)\b",
            r"[;,] (?:transition\w+|out\b|open)",
            r"\)? (?:and|&) (?:out|open|proud)\b",
        ),
    ),
    "trans_tech": Rule(confidence=0.86, check=lambda plain, first, last: _is_camel(plain, first) and first == last),
    "out_named": Rule(
        confidence=0.86,
        case="capital",
        capital_next=True,
        before=pattern(r"(?:^|[\n.;:*•>|(\"+▪→–-]\s*)$", r"\b(?:of|at|for|with|the|by|to|chair,|lead,|member,) $"),
        after=pattern(
            r" (?:[a-z]+ ){0,2}[a-z]+ (?:union|network|group|alliance|society|association|collective|club|forum|"
            r"committee|chorus|choir|coalition|league|caucus|chapter)\b"
        ),
        not_before=pattern(r"\b(?:log|opt|roll|sign|cash|sell|print|phase|fit|time|lock|way|hand|buy)[ -]$"),
        not_after=pattern(r" (?:of|and|the|patient|door|source|put|reach|let)"),
    ),
    "proud_network": Rule(
        confidence=0.86,
        case="upper",
        after=pattern(r" (?:employee|staff|colleague|business resource|network|erg|brg)\b"),
        not_after=pattern(r" (?:network (?:engineer|admin\w*|rail)|staff (?:of|at))"),
    ),
    "questioning": Rule(
        confidence=0.86,
        after=pattern(
            r",? (?:youth|teens|young (?:people|adults)|lgbt\w*|and (?:open|queer|gay|lgbt\w*)|their sexuality)\b"
        ),
    ),
    "and_proud": Rule(
        confidence=0.86,
        after=pattern(r" (?:and|&) (?:proud|out|open about it|visible)\b"),
        not_before=pattern(r"[-'] ?$"),
    ),
    "third_gender": Rule(confidence=0.9, not_after=pattern(r"[ -](?:neutral|specific|toilets?|pay|balance)\b")),
    "homo": Rule(
        confidence=0.87, after=pattern(r"[- ](?:emancipat\w+|huwelijk|rechten|beweging|ehe|en lesbisch\w*)\b")
    ),
    "frontrunners": Rule(
        confidence=0.86,
        case="capital",
        after=pattern(
            r",? (?:club|10k|5k|running|runs?|members?|committee|captain|coach|treasurer|secretary|saturday|pride)\b"
        ),
    ),
    "campaigned": Rule(
        confidence=0.86,
        before=pattern(r"\b(?:campaign\w*|protest\w*|march\w*|petition\w*|fought|activis\w+) (?:\w+ )?(?:against )?$"),
        not_after=pattern(r" (?:of the (?:companies|planning|housing|income))\b"),
    ),
    "campaigned_after": Rule(confidence=0.86, after=pattern(r" (?:campaign\w*|protest\w*|march\w*|petition|repeal)\b")),
    "ally": Rule(
        confidence=0.86,
        before=pattern(
            r"(?:^|[\n.;:*\u2022>|(\"+~\u25aa\u25a0\u2192\u2013-])\s*$",
            r"\b(?:proud|active|visible|an|vocal|straight|as) $",
        ),
        after=pattern(
            r" (?:and|&|of|to|for|in|with|at|co-?lead|lead|network|group|member|chair|champion|since|volunteer)\b",
            r"\s*[,;.(]",
        ),
        check=lambda plain, first, last: (
            _COMMUNITY_NAMED.search(sentence_around(plain, plain.words[first][1], plain.words[last][2])) is not None
        ),
    ),
    "trans_of": Rule(
        confidence=0.87,
        after=pattern(
            r"-(?:inclusive|friendly|led|affirming|owned|positive|inclusion|competent|aware|run|specific)\b",
            r" (?:(?:job|employment|labou?r|work) )?quota\b",
            r" (?:inclusion|healthcare|awareness|rights|equality)\b",
        ),
        not_after=pattern(r"-specific (?:fat|isomer)"),
    ),
    "hrc": Rule(
        confidence=0.86,
        case="upper",
        after=pattern(
            r" (?:gala|dinner|foundation|federal club|steering|ambassadors?|volunteer\w*|fundrais\w*|campaign|"
            r"business advis\w+|diversity|donor|canvass\w*|phone ?bank\w*|youth|corporate equality|equality)\b"
        ),
        not_after=pattern(r" (?:campaign (?:on|for) (?:housing|prison))\b"),
    ),
    "coc": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(
            r"\b(?:member of|lid van|membership of|vrijwilliger bij|volunteer(?:ed|ing)? (?:at|with|for)|"
            r"trainer (?:at|for)|educator (?:at|for)|board (?:member )?of|treasurer of|host (?:at|for)) (?:the )?$"
        ),
        after=pattern(
            r"\s*(?:[.,;)\n]|$)", r" (?:nederland|netherlands|amsterdam|education|information|branch|in [a-z])"
        ),
    ),
    "rainbow_abroad": Rule(
        confidence=0.86,
        after=pattern(
            r"[ -](?:march|parade|week|festival|floats?|network|netzwerk|gruppe|group|works council|betriebsrat|"
            r"choir|chor|forum|committee|komitee|volunteer\w*|steward\w*|first[ -]aid|team|run|stage|day|flag|fahne|"
            r"association|families|familien|familie|picnic|pride|alliance|circle|club|crew|helper\w*|marshal\w*|"
            r"lgbt\w*|staff)\b"
        ),
        not_before=pattern(r"\b(?:kita|kindergarten|schule|school|hotel|gasthof|apotheke|verlag|con|mucho|gran) $"),
    ),
    "surgery": Rule(
        confidence=0.88,
        not_before=pattern(
            r"\b(?:patients?|clinical|nurs\w+|assist\w+|scrub\w*|consultant|desk|counter)\b[^.\n]{0,30}$"
        ),
        after=pattern(r" (?:recovery|in (?:19|20)|leave|at\b|and\b|,)|\s*(?:[.,;)\n]|$)"),
        before=pattern(r"\b(?:my|after|for|had|his|her|their|following|since|from) $", r"(?:^|[\n.;:*•|(\"-]\s*)$"),
    ),
    "grc": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(r"\b(?:holds?|holder of|have|has|with|my|obtained|received|got|granted) (?:an? |my )?$"),
        check=_is_of_gender_act,
    ),
}
_STARTS = ("queer", "lgbt", "lesbigay", "hbtq", "lhbt", "lsbt", "glbt")
_MIDDLE = ("queer", "lgbt")
#: One of these stands in each such word; a text without any of the hints has none.
_MARKS = ("queer", "lgbt", "pride", "gay", "hbtq", "lhbt", "lsbt", "glbt")
_HINTS = ("queer", "lgbt", "pride", "gay")
_SHORTEST = 6
_NO_PRIDE = frozenset({"pride", "overpride"})


def _is_camel(plain: Plain, place: int) -> bool:
    """Say whether a word is written with a capital within, as names put together are."""
    _, start, end = plain.words[place]
    written = plain.text[start:end]
    return written[:1].isupper() and not written.isupper() and any(letter.isupper() for letter in written[2:])


def compounds(plain: Plain) -> list[Found]:
    """Return words put together with one of the community: QueerTech, KyivPride, parliOUT.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("QueerTech and KyivPride; took pride in it")
    >>> [seen.text[found.start : found.end] for found in compounds(seen)]
    ['QueerTech', 'KyivPride']
    """
    low = plain.low
    if not any(map(low.__contains__, _HINTS)):
        return []
    found = []
    marks = [mark for mark in _MARKS if mark in low]
    for place in sorted({place for mark in marks for place in _words_with(plain, mark)}):
        word, start, end = plain.words[place]
        length = len(word)
        if length < _SHORTEST:
            continue
        told = word.startswith(_STARTS) or any(part in word for part in _MIDDLE)
        camel = not told and ((word.endswith("pride") and word not in _NO_PRIDE) or word.startswith("gay"))
        if not (told or camel):
            continue
        written = plain.text[start:end]
        inner = start + length - 5 if word.endswith("pride") else start + 3
        if told or (plain.text[inner].isupper() and not written.isupper()):
            found.append(Found(start, end, "ORIENTATION", "told_phrase", 0.88))
    return found


def _words_with(plain: Plain, mark: str) -> Iterator[int]:
    """Yield the places of words that have some letters in them."""
    found = plain.low.find(mark)
    while found >= 0:
        yield bisect_right(plain.starts, found) - 1
        found = plain.low.find(mark, found + 1)
