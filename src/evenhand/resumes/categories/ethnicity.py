"""ETHNICITY: race, ethnic and national origin as told of a person, and words of it in organisations.

A nation's or people's name counts unless the noun it stands with is a thing (see peoples.py). Kept:
companies, markets and products (Indian Oil, Asian options), languages (a skill; --strict masks
them), countries where a job was, Black Belt, white paper, Apache and Cherokee as products.
"""

import re

from evenhand.resumes.categories.ethnicity_status import STATUS_RULES
from evenhand.resumes.categories.origins import BORN, LABELLED, PLACE, RAISED
from evenhand.resumes.categories.peoples import told
from evenhand.resumes.endings import ending
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

#: So many characters before a country say whether somebody is from there.
_NEAR = 64
#: A nation with what its people came as: `came as Somali refugees`.
_WITH_PEOPLE = re.compile(
    r"[-/](?:american|canadian|australian|british|german|french|italian|caribbean|african)s?\b|[ ](?:refugee|immigrant|"
    r"emigre|exile|migrant|asylum[ -]seeker)s\b(?=[ ]*(?:[.,;:)\n]|$)|[ ](?:and|who|in (?:19|20)\d\d|from|at|to)\b)"
)
_HOME = r"(?:family|parents?|grandparents?|mother|father|mum|mom|dad|ancestors|people|relatives|roots)"
# What comes before a country that somebody is from; a second one may follow (`roots in Lebanon and Cyprus`).
_FROM = (
    r"\b(?:(?:born|raised|grew up(?! to)|brought up|bred)(?:[\w ]{0,16})? in|"
    r"(?:hail\w*|(?:im|e)migrat\w+|originat\w+|originally|fled|escap\w+|arrived|native|newcomers?|refugees?|"
    r"(?:im|e)?migrants?|exiles?|expats?|asylum seekers?|adopted|displaced|returnees?|descend\w+) from|"
    r"(?:im|e)?migrant \w+ from|refugee \w+ from|newly arrived(?: \w+)? from|newcomer \w+ from|"
    r"(?:came|come|coming|moved (?:here|over|with my \w+)|moved to (?:the )?\w+(?: \w+)?)"
    r"(?: (?:here|over|to (?:the )?[\w.]+(?: \w+)?|as an? \w+))? from|"
    rf"{_HOME}(?: (?:is|are|was|were|comes?|came|hails?|moved|\w+ed))?(?: originally)? (?:from|in)|"
    r"(?:represent(?:ed|ing)|capped(?: \w+){0,2} for|"
    r"(?:played|competed|swam|rowed|ran|fenced|boxed|debated) for|champion of|"
    r"national team of|(?:parents|family|we|i|he|she|mother|father|having) left|miss)|"
    r"(?:we|i|family|parents) moved from|"
    r"(?:native|citizens?|nationals?|daughters?|sons?|descendants?|diaspora|citizenship|nationality|passport) of|"
    r"(?:nationality|citizenship|citizen status|dual citizen|citizen|passports?(?: held)?|country of birth|"
    r"place of birth|origin)\W{1,4}|fled|refugee status in|asylum in|(?:military|national) service(?: \w+)? in|"
    r"conscript in)\s?(?:the |northern |southern |eastern |western |rural )?"
)
_COUNTRY_BEFORE = pattern(rf"{_FROM}(?:[\w'-]+(?: [\w'-]+)?(?:,| and| or| &|/|\s?\()\s?(?:the )?)?$")
#: A word of each of these: the pattern is costly, and most countries stand after none.
_FROM_WORDS = re.compile(
    r"\b(?:born|raised|grew|brought|bred|hail|(?:im|e)?migra|origin|fled|escap|arrived|native|newcomer|refugee|exile|"
    r"expat|asylum|adopted|displaced|returnee|descend|c[ao]me|coming|moved|represent|capped|played|competed|swam|rowed|"
    r"ran|fenced|boxed|debated|champion|national|left|miss|citizen|daughter|son|diaspora|passport|country|place|"
    rf"military|conscript|{_HOME})"
)
_is_after_from = ending(_COUNTRY_BEFORE)
_COUNTRY_AFTER = pattern(
    r"\.?(?:\s?(?:/|and|&)\s?[\w.]+)?[\s-]+(?:dual )?(?:citizen(?:s|ship)?(?! (?:services|scien|charter|panel|engage))|"
    r"nationals?(?! (?:bank|park|university|opera|grid))|nationality|passports?|born|native|roots|heritage|descent|"
    r"ancestry|permanent resident|returnee|diaspora|(?:independence|republic|national) day)\b(?! of the)",
    r" (?:[a-z]+s' )?(?:students?'?|youth|women'?s?|ladies'?|famil(?:y|ies'?)|community|cultural|welfare|alumni|"
    r"expats?'?) (?:welfare |cultural )?(?:association|society|union|network|forum|wing|club|group|league|circle)\b",
    r" [a-z]{4,}s'? (?:association|society|union|network|forum|club|guild|fellowship)(?: \(?uk\b|,? in [a-z]{3,}|"
    r" of (?:great britain|(?:north )?america|canada|australia|europe)\b|,? abroad\b)",
)
_OF_COLOUR = (
    r"(?:people|persons?|wom[ae]n|m[ae]n|girls?|boys?|students?|child(?:ren)?|kids|youth|youths|folks?|"
    r"talent|staff|faculty|communit(?:y|ies)|famil(?:y|ies)|alumn\w+|voices|parents|mothers|fathers|trans|queer|"
    r"[a-z]{2,}(?:ers?|ors?|ists?|ians?|ants?|eers?|eys?|nals?|ees?|ates?|bles|hmen|ows))"
)

_TRADE_BEFORE = pattern(
    r"\b(?:stocks?|peaks?|sales|shifts?|rota|launch\w*|campaigns?|suppliers?|customers?|orders?|demand|inventory|"
    r"production|logistics|shipments?|closure|shutdown|retail|promotions?|clients?|cover\w*)\b[^.;\n|]{0,50}$"
)
_TRADE_AFTER = pattern(
    r"[^.;\n|]{0,40}\b(?:peaks?|sales|stocks?|campaigns?|promotions?|demand|closures?|shutdowns?|shipments?|holidays?|"
    r"season|rush|orders?|rosters?|clients?|discounts?|packaging|collections? for|merchandis\w*|supplier\w*|audits?)\b"
)
_FEAST_BEFORE = pattern(
    r"\b(?:volunt\w+|organi[sz]\w+|host\w*|celebrat\w+|danc\w+|perform\w*|committee|chair\w*|helped|plan\w*|"
    r"my|our|famil\w+|lead|led|ran|runs?|coordinat\w*|start\w*|found\w*|cook\w*|sing\w*|play\w*|drumm\w*|"
    r"march\w*|speaker|emcee|mc|convenor|steward|costumes?|float|masquerad\w+|observ\w+|keep|mark\w*|fast\w*)"
    r"\b[^.;\n|]{0,50}$",
    r"\b(?:leave|off|away|travel\w*|unavailable|available|time|home|free) (?:\w+ ){0,2}(?:for|during|on|at|"
    r"over) (?:the )?$",
    r"\b(?:need|take|takes|want|have) $",
)


def _is_origin(plain: Plain, first: int, last: int) -> bool:  # noqa: ARG001 - a check of a rule
    """Say whether somebody is said to be from the country at these places."""
    start = plain.words[first][1]
    before = plain.low[max(0, start - _NEAR) : start]
    return _FROM_WORDS.search(before) is not None and _is_after_from(before) is not None


RULES = {
    **STATUS_RULES,
    "term": Rule(
        confidence=0.97,
        not_before=pattern(
            r"\b(?:languages?|speaks?|speaking|learning|fluent in|conversational)\b[^\n.;]{0,40}\bte reo $"
        ),
        not_after=pattern(
            r"[\s-]+(?:airways|television|markets?|marketing|consumers?|shoppers?|segments?|foods?|cuisine|grocer\w*|"
            r"advertis\w+|shepherd|gull\w*|mountains?|jobs?|tasks?|workers|threads?|scripts?)\b"
        ),
    ),
    "of_colour": Rule(
        confidence=0.95,
        lead=re.compile(rf"\b{_OF_COLOUR}\s$"),
        before=pattern(rf"\b{_OF_COLOUR} $"),
        not_after=pattern(r" (?:theory|palettes?|correction|grading|science|matching|printing)"),
    ),
    "nation": Rule(
        confidence=0.88,
        check=told("nation"),
        tail=_WITH_PEOPLE,
        not_before=pattern(r"\b(?:republic of|united|pan|bank of|sino|anglo)[\s-]$"),
        not_after=pattern(
            r"\s+(?:with disabilities|widows|(?:passport|visa) (?:renewals|applications|office|requests))\b"
        ),
    ),
    "tongue": Rule(
        confidence=0.88,
        check=told("tongue"),
        tail=_WITH_PEOPLE,
        not_before=pattern(r"\b(?:sino|anglo|franco)-$", r"\broyal $"),
        not_after=pattern(r"\s+(?:passport|visa) (?:renewals|applications|office|requests)\b"),
    ),
    "broad": Rule(
        confidence=0.85,
        check=told("broad"),
        not_after=pattern(
            r"\s+(?:passport|visa) (?:renewals|applications|office|requests)",
            r"\s+(?:gas|telecom|airways|steel|land|sugar|waterways)[ \t]*(?:[/|,;(\n\u2013\u2014-]|$)",
        ),
        not_before=pattern(r"\b(?:north|pan|inter|all|trans|non)[\s-]$"),
    ),
    "tribe": Rule(
        confidence=0.88,
        case="capital",
        check=told("tribe"),
        not_after=pattern(r"\s+(?:software|foundation|spark|kafka|airflow|hadoop|http|helicopter|jeep|web|language)"),
    ),
    "demonym": Rule(
        confidence=0.86,
        case="title",
        before=pattern(
            r"\b(?:i am|i'm|am|as|being|proud|fellow|true|exiled|expat|only|first|resident|born|honorary) (?:an? )?$",
            r"(?:^|[.;:|(\n\u2022\u25aa\u2013*>~+-]\s*)(?:an? )?(?:proud |fellow |exiled |london |expat )?$",
        ),
        after=pattern(
            r"\s+(?:by (?:birth|passport|blood|descent|origin|nationality|marriage|heritage|ancestry|citizenship)|"
            r"in (?:exile|london|berlin|paris|dublin|england|scotland|germany|the uk|ireland)|abroad|at heart|born and|"
            r"through and through|who (?:grew|came|moved|settled|lives|learn))\b"
        ),
    ),
    "citizenship_sought": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:apply(?:ing)?|applied|eligible|waiting|application|interview|qualif(?:y|ied)) for "
            r"(?:[a-z]+ )?(?:(?:uk|us|eu|full) )?$",
            r"\b(?:awaiting|acquired|granted|obtained|gained|received|took|hold|holds|holding|have|has) "
            r"(?:my |full |local |eu |uk |us )?$",
        ),
        not_after=pattern(r" (?:education|classes|lessons|course|teacher|curriculum|award|test prep)"),
    ),
    "people_is": Rule(
        confidence=0.88,
        value=re.compile(r"\s+(?:the )?(?!(?:The|Not|My|A|An|One|It)\b)([A-Z][\w'-]+(?:[ -][A-Z][\w'-]+)?)"),
    ),
    "people_of": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:belong\w* to|member of|born (?:in|into|of)|descend\w* (?:of|from)|elder (?:of|in)|chief of|"
            r"from|enrolled in|of|affiliate\w* (?:of|to|with))(?: the)? (?!(?:my|his|her|our|their|a|the|this|that|one|"
            r"each|every|same|own)\b)[a-z'-]+ $"
        ),
        lead=re.compile(r"\b[a-z'-]+ $"),
        not_near=pattern(
            r"\b(?:squads?|agile|product|engineers?|chapters?|guilds?|sprints?|scrum|developers?|platform|"
            r"spotify|gaming|game)\b"
        ),
    ),
    "colour": Rule(
        confidence=0.9,
        check=told("colour"),
        not_after=pattern(
            r"[\s-]+(?:widow|box|hat|label|paper|collar|board|belt|friday|list|sea|forest|swan|knight|glove|space|"
            r"and white|& white|& veatch|and veatch|& decker|and decker|tie|mountain|hawk)"
        ),
    ),
    "native": Rule(
        confidence=0.9,
        check=told("native"),
        not_after=pattern(
            r"\s+(?:plants?|species|flora|fauna|vegetation|cattle|crops?|seeds?|trees?|breeds?)\b",
            r"\s+(?:origins?|groups?|backgrounds?)\b",
        ),
    ),
    "feast": Rule(
        confidence=0.85,
        before=_FEAST_BEFORE,
        not_before=_TRADE_BEFORE,
        not_after=_TRADE_AFTER,
    ),
    "country": Rule(confidence=0.85, check=_is_origin, lead=re.compile(r"\bthe $")),
    "country_after": Rule(confidence=0.85, case="capital", after=_COUNTRY_AFTER),
    "country_short_after": Rule(confidence=0.85, case="upper", after=_COUNTRY_AFTER),
    "country_short": Rule(confidence=0.85, case="upper", check=_is_origin),
    "origin": Rule(confidence=0.85, value=PLACE),
    "raised": Rule(
        confidence=0.85,
        before=pattern(
            r"(?:^|[.;:,\n\t|(•·▪*&-]\s*|\b(?:i|he|she|they|we|was|were|is|am|who|and|been|author|parents|family|"
            r"originally|mostly|partly|who's|i'm) )$"
        ),
        not_before=pattern(r"(?:[$€£]|\b(?:funds?|money|capital|million|concerns?|issues?|tickets?)\b)[^.;\n]{0,30}$"),
        value=RAISED,
    ),
    "born": Rule(confidence=0.88, value=BORN),
    "birthplace": Rule(confidence=0.9, value=LABELLED),
    "newcomer": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:i am|i'm|as|being|proud|fellow|young|generation|"
            r"(?:child|children|sons?|daughter|grandchild|grandson|"
            r"granddaughter|raised|born|descendant)\s(?:of|to|by)|my|from|former|"
            r"(?:we|they|parents|family|mother|father) (?:\w+ )?(?:were|was|are|(?:came|arrived|"
            r"fled)(?: \w+)? as))\s(?:an?\s)?$"
        ),
        not_after=pattern(
            r"\s+(?:rights|law|legal|camps?|crisis|polic\w+|health|services?|aid|affairs|resettlement|agenc\w+|"
            r"council|cases?|support|integration|education|workers?|children|populations?|communit\w+)\b"
        ),
    ),
    "newcomer_home": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:parents|family|household|background|roots|upbringing|heritage|mother|father|grandparents)\b"
        ),
    ),
    "generation": Rule(
        confidence=0.85,
        after=pattern(
            r"[\s-]+(?:[\w-]+[\s-]+)?(?:american|canadian|australian|british|briton|german|french|immigrants?|"
            r"[\w]+-american|migrant|refugee)s?\b"
        ),
        not_after=pattern(r"[\s-]+(?:[\w-]+[\s-]+){0,2}(?:college|university|graduate|student|scholar)"),
    ),
    "minority": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:scholarships?|scholars?|fellows?|fellowships?|engineers?|engineering program|serving|founders?|"
            r"business(?:es)?|women|men|students?|applicants?|candidates?|communit|youth|background|in (?:tech|stem|"
            r"science|engineering|medicine|law|business|shipping|finance|media)|bar association|law|medical|"
            r"corporate counsel|staff|owned|leadership|recruitment|affairs|mba|internship|health professions)",
            r"(?=\s+in\s+(?:tech|stem|agriculture))",
        ),
    ),
    "language": Rule(
        confidence=0.75,
        case="capital",
        strict=True,
        before=pattern(
            r"\b(?:fluent|fluency|proficien\w+|conversational|bilingual|trilingual|multilingual|native|"
            r"languages?|speaks?|spoken|speaking|speaker of|written|mother tongue|intermediate|basic|advanced|working "
            r"knowledge|translat\w+|interpret\w+)\b[^\n.]{0,60}$"
        ),
    ),
    "language_level": Rule(
        confidence=0.75,
        case="capital",
        strict=True,
        after=pattern(
            r"\s*[(:–-]*\s*(?:native|fluent|mother tongue|bilingual|c[12]\b|b[12]\b|a[12]\b|proficien|conversational|"
            r"intermediate|basic|beginner|advanced|professional|limited|full|working|elementary|speaker|speaking)"
        ),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
