"""Words around the name of a nation that make it somebody's, whatever noun follows: `I am`, `our first`, `family`."""

import re

from evenhand.resumes.endings import ending
from evenhand.resumes.plain import Plain

__all__ = ["BOTH_AFTER", "is_told", "is_told_around"]

#: Says whether the words before a nation say that it is somebody's: `I am`, `mother was`, `of proud`.
is_told = ending(
    re.compile(
        r"(?:\b(?:i am|i'm|he is|she is|they are|we are|being|am|born|identif(?:y|ies|ied|ying) as|ethnic|ethnically|"
        r"racially|culturally|nationality|citizenship|citizen status|originally|proud|proudly|half|part|quarter|dual|"
        r"descended from|descendant of|stock|nationality (?:at|by) birth|tribe|clan|caste|people|become|"
        r"becoming|became|turned|(?:a|the) first|only|sole|lone|between (?:two )?(?:cultures|worlds)|"
        r"(?:first|second|third)[- ]generation|naturali[sz]ed|as an?|by birth|enrolled|"
        r"national|citizen|passport holder|(?:mother|father|parents|mum|mom|dad|family|wife|husband|who|whose \w+)"
        r"(?: (?:is|are|was|were)|:)|(?:grand)?(?:parents|mother|father) (?:was|were)|(?:son|daughter|child|one) of|"
        r"grew up|growing up|raised|to be|non[- ]white|ancestry|ethnicity|race|heritage|background)"
        r"(?:\s+(?:an?|is|was|also|both|as|of|proud|to|the|mixed|the only))*[\s|:;,(–-]{1,6}"
        r"(?:[\w-]+(?: [\w-]+)?(?: and| &| or|/|,) ?)?)$"
    )
)
_is_labelled = ending(
    re.compile(
        r"\b(?:nationality|citizenship|citizen status|ethnic origin|ethnicity|race|ethnic group|passport|tribe|"
        r"parents|heritage)(?: held| holder|ies|\(s\)| \([\w ,]{3,30}\)| \w+(?=:))?\s?[|:\t–-]?"
        r"\s{0,3}(?:\w+(?:,| and|/| &) ?)?$"
    )
)
#: What stands in each of these labels.
_LABELS = ("nationality", "citizen", "ethnic", "race", "passport", "tribe", "parents", "heritage")
_is_of_kin = ending(
    re.compile(
        r"\b(?:grand)?(?:son|sons|daughter|daughters|child|children|born) (?:of|to)(?: an?| the| two)? $"
        r"|\b(?:great-)?(?:grand)?(?:parents?|mothers?|fathers?|mum|mom|dad|ancestors|forebears|family|side|relatives|"
        r"people|roots) (?:is|are|was|were) (?:an? |all |both |partly |half )?$"
        r"|\b(?:mother|father|mum|mom|dad|parents?)'s side $"
        r"|\b(?:mother|father|mum|mom|dad|wife|husband|grandmother|grandfather)(?: an?| a proud)? $"
        r"|\bmarried to an? $|\b(?:my|our) (?:grand)?(?:mother|father|parents|mum|mom|dad|wife|husband|aunt|"
        r"uncle)(?:'s|s')? (?:old )?$|\b(?:grand)?(?:mother|father|parents|mum|mom|dad) in $"
        r"|\b(?:we|i|they|she|wife|parents|family)[\w ]{0,24} (?:are|were) both $"
        r"|\b(?:i am|i'm|proud|proudly|am) (?:to be )?(?:an? )?$"
    )
)
#: Honoured by the country, or heard on its people's station.
_HONOURED_BEFORE = re.compile(
    r"\b(?:received|was (?:given|presented with)|awarded|won|honou?red (?:by|with)|decorated by|"
    r"recognised by|recognized by|medal of|award (?:from|of|by)|thanked by|prize of) (?:by )?(?:an? |the )?$"
)
_HONOURED_AFTER = re.compile(
    r" (?:high commission|embassy|consulate|ambassador|consul|president|government|state|national|"
    r"community|foreign ministry)\b[^.;\n]{0,44}\b(?:medal|award|honou?r|prize|decoration|certificate|order of|thanks|"
    r"shield)"
)
#: `As a Taiwanese I know earthquakes`, `Being Greek, I`.
_SELF_BEFORE = re.compile(r"\b(?:as an?|being(?: an?)?) $")
_SELF_AFTER = re.compile(
    r",? (?:i|we|he|she|who|myself|in|from|by|abroad|and proud|living|working|born|raised|brought up|based|married|"
    r"among|studying|teaching|nursing|abroad)\b"
)
#: `Kurdish, from Diyarbakir`, `Ukrainian, in Germany`, `Welsh and proud of it`, at a sentence's beginning.
_APART = re.compile(
    r"(?:^|\n[ \t]*|[.;:|\u2022\u00b7*>(\"\u25aa\u27a2\u2192\u25cb\u25cf\u25ba~+\u2013-][ \t]+|\n[ \t]*o[ \t]+|"
    r"[>(\"]|\bitem\s{1,3}|\t)$"
)
_APART_AFTER = re.compile(
    r",? (?:(?:from|in|of) (?:the )?[A-Z]|(?:born|raised|brought up|bred|living|settled|resettled|in exile|nee?|nato|"
    r"nata|nacid[oa]|based|resident|naturali[sz]ed|adopted|married into|transplanted|displaced|exiled)\b|and "
    r"(?:proud(?= of|[.,;]|$)|an? (?:proud|devoted|keen))|"
    r"(?:and )?proud of it|with (?:[a-z]+ )?(?:[A-Z]\w+ )?(?:roots|heritage|ancestry|blood|parents|grandparents)\b|"
    r"on an? [a-z -]{0,30}(?:visa|permit)\b|here on\b|on (?:my|his|her) \w+'s side)"
    r"|, [A-Z][a-z]+(?:ese|ian|ish|an),? and an?\b|; (?:naturali[sz]ed|moved here|came)\b"
)
_NO_ORIGIN = re.compile(
    r"[^\n]{0,60}\b(?:for (?:\w+ )?(?:years?|months?)|[abc][12]\b|fluent|native|conversational|intermediate|"
    r"beginner|advanced|proficien\w+|basic|spoken|translation|lessons?|cuisine|daily use|from scratch|restaurants?|"
    r"stores?|offices?|markets?|payroll)",
    re.IGNORECASE,
)
_ON_A_SIDE = re.compile(
    r",? (?:on (?:one|my|his|her|the|both|either|dad's|mum's|mom's) (?:other|(?:\w+(?:'s)? )?(?:sides?|father's|"
    r"mother's))|by (?:background|heart|temper(?:ament)?|upbringing|roots|stock|family tradition|way of)|"
    r"(?:[a-z]+ ){0,3}by family (?:tradition|trade|history))\b"
)
_PRINTED = re.compile(r"\b(?:print\w*|labels?|cards?|pages?|screens?|leaflets?|flyers?|signs?|text)\b")
_NEAR_PRINT = 60
#: `raised by Salvadoran farm workers`, `a long line of Cornish miners`, `In Somali culture we`.
_LINE_BEFORE = re.compile(
    r"\b(?:(?:raised|brought up|adopted|fostered|reared|cared for) by (?:an? |two |my |hard-working |loving )?|"
    r"(?:son|daughter|child|grandchild|grandson|granddaughter|descendant|one|kid|baby|product) of (?:an? |two |the )?|"
    r"(?:long|unbroken) line of |generations? of |(?:descended|come) from (?:a line of |generations of )?|"
    r"born (?:to|of|into) (?:an? )?)$"
)
_LINE_AFTER = re.compile(
    r"[ -](?:[a-z-]+ ){0,3}(?:[a-z]{2,}(?:ers|ors|ists|ians|men|women|smiths|folks?|wives|monks|priests|refugees|"
    r"exiles|emigres|immigrants|migrants|peasants|nuns|nomads|tenants|merchants)|parents|people|mother|father|family|"
    r"mum|mom|dad|grandmother|grandparents)\b(?! (?:wares?|goods)\b)"
)
#: `British-Ghanaian chef`: two nations joined are somebody's whatever follows but ties between them.
BOTH_AFTER = re.compile(
    r" (?:chef|cook|baker|product manager|project manager|manager|editor|author|poet|hedge layer|data \w+|software "
    r"\w+|marketer|consultant|analyst|nurse|doctor|barista|carpenter|mechanic|designer|photographer|producer|"
    r"presenter)\b"
)
#: `from a Punjabi farming family`, `our first Asian team lead`, `scholarship of the Hellenic Foundation`.
_FAMILY_BEFORE = re.compile(r"\b(?:from|into|in|of|to|by|my) (?:an? )?(?:[a-z-]+ ){0,2}$")
_FAMILY_AFTER = re.compile(
    r"[ -](?:[a-z'-]+ ){0,2}(?:famil(?:y|ies)|household|upbringing|neighbou?rhood family|clan)\b"
    r"(?! (?:restaurants?|business|businesses|owned|law|firm|style|meals?|rooms?|bakery|doctors?|office|"
    r"hotels?|company|companies|brand|cars?))"
)
_FIRST_BEFORE = re.compile(
    r"\b(?:our|their|the|its|my|\w+'s|his|her) (?:very |second |only |and )*(?:first|only|sole|lone|second) "
    r"(?:and only |ever )?$"
)
_FIRST_AFTER = re.compile(
    r" (?:[a-z-]+ ){0,3}(?:lead|leader|head|chief|chair|manager|supervisor|foreman|director|partner|president|"
    r"captain|officer|charge nurse|nurse|doctor|engineer|teacher|principal|superintendent|mechanic|driver|pilot|"
    r"chef|cook|editor|hire|apprentice|technician|instructor|trainer|steward|inspector|sergeant|colleague|member)\b"
    r"(?! (?:office|market|network|portal|conference|site|store|programme|program|bank))"
)
_GRANT_BEFORE = re.compile(
    r"\b(?:scholarships?|scholar|bursary|bursaries|stipend|fellow|fellowship|prize|award|alumn\w+) (?:of|from|"
    r"by) (?:the )?$"
)
_GRANT_AFTER = re.compile(
    r" (?!(?:[\w'-]+ ){0,3}(?:academy|research|sciences?|medical|ministry|government|bank|council))(?:[\w'-]+ ){0,3}"
    r"(?:foundation|fund|trust|institute|society|league|federation|association|house|heritage|scholarship)\b"
)
_STOCK = re.compile(r" (?:stock|extraction|parentage|blood)\b")
_ON_AIR_BEFORE = re.compile(
    r"\b(?:host\w*|present\w*|volunt\w*|dj|show|hour|slot|programme|program|broadcast\w*|spoke|"
    r"read) (?:[\w-]+ ){0,3}?(?:on|at|for)(?: the)? $"
)
_ON_AIR_AFTER = re.compile(r" (?:community )?(?:radio|fm)\b")
_MOSTLY_BEFORE = re.compile(r"\b(?:historically|predominantly|traditionally|majority|mostly|largely|all)[ -]$")
_MOSTLY = re.compile(
    r" (?:college|universit|school|institution|church|neighbou?rhood|town|city|village|area|district|borough|"
    r"estate|ward|campus|class|team|crew|cast|audience|populat|county|suburb|island)"
)
#: A paper or a station of people, not of a country.
_LOCAL = re.compile(r"\b(?:local|community|diaspora|neighbou?rhood) $")
_LOCAL_AFTER = re.compile(r"[ ](?:news)?papers?\b|[ ]radio\b|[ ]magazines?\b")


def is_told_around(plain: Plain, before: str, end: int, *, capital: bool) -> bool:
    """Say whether the words beside a nation tell of a person or of people, whatever noun follows."""
    low = plain.low
    if capital and (
        (
            _ON_A_SIDE.match(low, end) is not None
            and _PRINTED.search(low, max(0, end - _NEAR_PRINT), end + _NEAR_PRINT) is None
        )
        or _stands_apart(plain, before, end)
    ):
        return True
    if capital and (
        _is_of_kin(before) is not None
        or (any(label in before for label in _LABELS) and _is_labelled(before) is not None)
        or (_SELF_AFTER.match(low, end) is not None and _SELF_BEFORE.search(before) is not None)
    ):
        return True
    if low[end : end + 1] not in {" ", "-"} or not low[end + 1 : end + 2].isalpha():
        return False  # no noun follows
    if _AFTER.match(low, end) is None:
        return False
    pairs = _AROUND_CAPITALS if capital else _AROUND
    return any(after.match(low, end) is not None and left.search(before) is not None for after, left in pairs)


def _stands_apart(plain: Plain, before: str, end: int) -> bool:
    """Say whether a nation begins a sentence and what follows tells that it is the person's."""
    after = _APART_AFTER.match(plain.text, end)
    return after is not None and _APART.search(before) is not None and _NO_ORIGIN.match(plain.text, end) is None


#: What follows a nation, and what stands before it; the second ones only with a capital.
_AROUND = (
    (_LOCAL_AFTER, _LOCAL),
    (_HONOURED_AFTER, _HONOURED_BEFORE),
    (_ON_AIR_AFTER, _ON_AIR_BEFORE),
    (_STOCK, re.compile(r"of $")),
)
_AROUND_CAPITALS = (
    *_AROUND,
    (_FAMILY_AFTER, _FAMILY_BEFORE),
    (_LINE_AFTER, _LINE_BEFORE),
    (
        re.compile(r" (?:side|half|roots|blood|grandmother|grandfather|aunt|uncle|in-laws|ancestors|name)\b"),
        re.compile(r"\b(?:my|our) $"),
    ),
    (re.compile(r" school\b[^.;\n]{0,12}\b(?:saturdays?|sundays?|weekends?)\b"), re.compile(r"")),
    (
        re.compile(r" (?:at|in the) home\b|,? with my (?:grand)?(?:mother|father|parents|mum|mom|dad|family)\b"),
        re.compile(r"\b(?:speak|speaks|spoke|speaking|spoken) $"),
    ),
    (_FIRST_AFTER, _FIRST_BEFORE),
    (_GRANT_AFTER, _GRANT_BEFORE),
    (_MOSTLY, _MOSTLY_BEFORE),
)
#: Any of what follows, tried first: mostly none does.
_AFTER = re.compile("|".join(after.pattern for after, _ in _AROUND_CAPITALS))
