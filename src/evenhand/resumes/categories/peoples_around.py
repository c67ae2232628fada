"""Words around the name of a nation that make it somebody's, whatever noun follows: `I am`, `our first`, `family`."""

import re

from evenhand.resumes.endings import ending
from evenhand.resumes.plain import Plain

__all__ = ["is_told", "is_told_around"]

#: Says whether the words before a nation say that it is somebody's: `I am`, `mother was`, `of proud`.
is_told = ending(
    re.compile(
        r"(?:\b(?:i am|i'm|he is|she is|they are|we are|being|am|born|identif(?:y|ies|ied|ying) as|ethnic|ethnically|"
        r"racially|culturally|nationality|citizenship|citizen status|originally|proud|proudly|half|part|quarter|dual|"
        r"descended from|descendant of|stock|nationality (?:at|by) birth|tribe|clan|caste|people|become|"
        r"becoming|became|turned|"
        r"(?:a|the) first|only|sole|lone|between (?:two )?(?:cultures|worlds)|"
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
_is_of_kin = ending(
    re.compile(
        r"\b(?:grand)?(?:son|sons|daughter|daughters|child|children|born) (?:of|to)(?: an?| the| two)? $"
        r"|\b(?:great-)?(?:grand)?(?:parents?|mothers?|fathers?|mum|mom|dad|ancestors|forebears|family|side|relatives|"
        r"people|roots) "
        r"(?:is|are|was|were) (?:an? |all |both |partly |half )?$"
        r"|\b(?:mother|father|mum|mom|dad|parents?)'s side $"
        r"|\b(?:mother|father|mum|mom|dad|wife|husband|grandmother|grandfather)(?: an?| a proud)? $"
        r"|\b(?:we|i|they|she|wife|parents|family)[\w ]{0,24} (?:are|were) both $"
        r"|\b(?:i am|i'm|proud|proudly|am) (?:to be )?(?:an? )?$"
    )
)
#: Honoured by the country, or heard on its people's station.
_HONOURED_BEFORE = re.compile(
    r"\b(?:received|was (?:given|presented with)|awarded|won|honou?red (?:by|with)|decorated by|"
    r"recognised by|recognized by|medal of|"
    r"award (?:from|of|by)|thanked by|prize of) (?:by )?(?:an? |the )?$"
)
_HONOURED_AFTER = re.compile(
    r" (?:high commission|embassy|consulate|ambassador|consul|president|government|state|national|"
    r"community|foreign ministry)\b"
    r"[^.;\n]{0,44}\b(?:medal|award|honou?r|prize|decoration|certificate|order of|thanks|shield)"
)
#: `As a Taiwanese I know earthquakes`, `Being Greek, I`.
_SELF_BEFORE = re.compile(r"\b(?:as an?|being(?: an?)?) $")
_SELF_AFTER = re.compile(r",? (?:i|we|he|she|who|myself|in|from|by|abroad|and proud)\b")
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
    r"read) (?:[\w-]+ ){0,3}?(?:on|at|for)"
    r"(?: the)? $"
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
        _is_of_kin(before) is not None
        or _is_labelled(before) is not None
        or (_SELF_AFTER.match(low, end) is not None and _SELF_BEFORE.search(before) is not None)
    ):
        return True
    if low[end : end + 1] not in {" ", "-"} or not low[end + 1 : end + 2].isalpha():
        return False  # no noun follows
    pairs = _AROUND_CAPITALS if capital else _AROUND
    return any(after.match(low, end) is not None and left.search(before) is not None for after, left in pairs)


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
    (_FIRST_AFTER, _FIRST_BEFORE),
    (_GRANT_AFTER, _GRANT_BEFORE),
    (_MOSTLY, _MOSTLY_BEFORE),
)
