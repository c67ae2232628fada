"""ETHNICITY: citizens of a country, members of a nation, indigenes, white as a race, told in a few words.

Kept: citizen science, nationals' bank, refugee camps, white goods, the United Nations.
"""

import re
from functools import cache

from evenhand.resumes.categories.told_phrases import Telling
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found, pattern, phrases_of

__all__ = ["TELLINGS", "citizens"]

_OFFICE = pattern(
    r"\b(?:clients?|cases|petitions?|filed|filing|prepar\w+|process(?:ed|es|ing)|applicants|customers?|employees|"
    r"engineers|workers|paralegal|caseload|attorney|law|recruit\w*|candidates|office|embass\w+|consulate|sponsored \w+ (?:staff|hires))\b"
)
_CAPITAL = r"[A-Z][\w'\u2019-]+"
_START = r"(?:^|\n[ \t]*|[.;:|\u2022\u00b7*>\u25a0\u25aa\u27a2\u2713-][ \t]+)"


def _telling(words: str, *patterns: str, **more: object) -> Telling:
    return Telling(words=words, pattern=pattern(*patterns), category="ETHNICITY", **more)  # type: ignore[arg-type]


def _written(words: str, *patterns: str, **more: object) -> Telling:
    return _telling(words, *patterns, capitals=True, **more)


TELLINGS = (
    _written(
        "nation nations tribe band rancheria pueblo",
        rf"\b(?:[Mm]embers?|[Cc]itizens?|[Dd]escendants?|[Ee]lders?|[Ee]nrolled|[Dd]aughter|[Ss]on|[Ff]rom|[Bb]elong\w*)"
        rf"(?: (?:of|in|with|to))? (?:the )?((?!United|All|Three)(?:{_CAPITAL} (?:\({_CAPITAL}\) )?){{1,3}}"
        rf"(?:First )?(?:Nations?|Tribe|Band|Rancheria|Pueblo)(?: of (?:the )?{_CAPITAL}(?: {_CAPITAL})?)?)\b"
        r"(?! (?:Media|Broadcast|Newspaper|Building|Capital|Wide|Theat|Orchestra|Leader))",
        r"\b(?:[Mm]ember|[Cc]itizen|[Dd]escendant|[Ee]lder|[Ff]rom)(?: of)? (?:the )?"
        rf"((?:Six|Five|Nine) Nations(?: of (?:the )?{_CAPITAL}(?: {_CAPITAL})?)?)\b(?! (?:rugby|cup|match|Rugby|Cup))",
        rf"(?<=\()({_CAPITAL} First Nations?)(?=\))",
    ),
    _written(
        "nation tribe",
        r"\b((?:Navajo|Cherokee|Choctaw|Chickasaw|Osage|Muscogee|Seminole|Oneida|Seneca|Onondaga|Mohawk|Cree|Ojibwe|"
        r"Blackfeet|Crow|Hopi|Lakota|Oglala Sioux|Standing Rock Sioux|Yakama|Tohono O'odham|M[e\u00e9]tis|Squamish|"
        r"Musqueam|Haida|Nisga'a|Dene) (?:Nation|Tribe)(?: of [A-Z]\w+)?)\b"
        r"(?! (?:Police|Department|Gaming|Casino|Housing|Hospital|Health))",
    ),
    _telling("status", r"\b(status indian)\b", r"\b(?:have|has|hold|holds|my) (indian status)\b"),
    _written(
        "indigene",
        rf"\b({_CAPITAL}(?:[ -](?:Ibom|River|Rivers|State))? [Ii]ndigene)\b",
        rf"\b([Ii]ndigene (?:of|from) (?:the )?{_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}}(?: [Ss]tate| LGA)?)\b",
    ),
    _telling("indigene", r"\b(?:am|is|as|proud) (?:an? )?([\w'-]+ (?:state )?indigene)\b"),
    _telling(
        "indigenous aboriginal",
        r"\b(indigenous|aboriginal) (?=traineeships?|cadetships?|internships?|scholarships?|bursary|apprenticeships?|"
        r"graduate (?:program|intake)|employee (?:network|group|resource)|staff (?:network|association)|students? |"
        r"network|mentor\w*|pathways?|recruitment|leadership|businesses|australians?|cadet|trainee)",
    ),
    _telling(
        "racialized racialised racialised-",
        r"\b(raciali[sz]ed)(?: (?=person|woman|man|people|women|communit|group|minorit|individual|canadian|candidate|"
        r"youth|applicant|immigrant|student|professional|background|and|academic|scholar)|(?=[ ]?[.,;)]|$))",
    ),
    _telling(
        "white black asian",
        r"\b((?:white|black|asian)(?:,| or [a-z ]{3,20})?[ -]+\(?(?:non-?|not )hispanic(?: or latin[oaex]+)?\)?)",
        rf"(?:{_START})(white)(?=(?:, ?|/| and |; ?)(?:male|female|man|woman|british|irish|european|english|scottish|welsh|"
        r"middle[- ]class|working[- ]class|rural|straight|first|american|australian|southern|\d\d\b))",
        r"\b(?:i am|i'm|identify as|race is|ethnicity is|identifies as) (white)\b(?! (?:hat|box|belt|collar|space))",
    ),
    _telling("hispanic", r"\b((?:not|non)[ -]?hispanic(?: (?:or|/) ?latin[oaex]+)?(?: (?:white|black))?)\b"),
    _telling(
        "generation",
        r"\b(windrush generation)\b(?! (?:project|events?|scandal|compensation|exhibition|archive|day))",
        r"\b((?:first|second|third|1st|2nd|3rd|1\.5)[- ]generation[ -](?:[a-z]+(?:ish|ese|[a-z]an|ani|ean|i))"
        r"(?: (?:immigrant|refugee|migrant|american|canadian|australian|briton))?)\b(?![ -](?:[a-z]+[ -]){0,2}(?:computer|ipad|iphone|college|university|graduate|student|scholar|products?|lines?|models?|versions?|platforms?|chips?|machines?|range)\b)",
    ),
    _written(
        "from",
        rf"\b(?:I'm|I am|[Ss]he is|[Hh]e is|[Ww]e are) (?:originally |proudly )?from ((?:the )?(?!(?:The|A|Head)\b){_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}})"
        r"(?= originally|[ ]*(?:[.,;\n]|$)| and (?:moved|came|grew|now|speak))",
    ),
    _telling(
        "born",
        r"\b((?:british|american|canadian|australian|uk|us|overseas|foreign|london|irish|african|caribbean)[ -]born) (?=[a-z])",
        not_in=_OFFICE,
    ),
    _telling(
        "visa",
        r"\b(visa (?:subclass )?\(?[145689]\d\d\)?)(?! (?:cards|transactions|merchants|customers|users|clients))(?![\d,.])",
        not_in=_OFFICE,
    ),
    _written(
        "cree ojibwe mohawk blackfoot dene haida salish lakota dakota mohegan",
        r"(?:\b[Aa]m |\b[Ii]'m |\b[Pp]roud |\()(Cree|Ojibwe|Mohawk|Blackfoot|Dene|Haida|Salish|Lakota|Dakota|Mohegan)(?![\w-])",
        r"\b(Cree|Ojibwe|Mohawk|Blackfoot|Dene|Haida|Salish|Lakota|Mohegan)(?= (?:from|on my|by birth|and proud|status)|, (?:enrolled|member|raised|citizen))",
    ),
    _telling("ukraine", r"\b(homes for ukraine)\b(?= scheme| visa|[ ]?[.,;)]|$| sponsor)", not_in=_OFFICE),
    _telling(
        "e l o h f j tn ead",
        r"(?<![\w-])(e-3|l-[12][ab]?|o-1[ab]?|h-4|h-?1b|f-[12]|j-[12]|tn)(?![\w-])",
        only_in=pattern(
            r"\b(?:passport|visas?|ead|green card|spouse|dependent|sponsorship|citizen|transfer|uscis|i-?\d{3})\b"
        ),
        not_in=_OFFICE,
    ),
    _telling(
        "tps asylee parolee",
        r"\b(tps)(?: holder| status|,? (?:valid|until))\b",
        r"\b(?:i am|i'm|am|as|an?) (asylee|parolee)\b",
        rf"{_START}(asylee)\b",
        not_in=_OFFICE,
    ),
    _telling(
        "seeker",
        rf"(?:{_START}|\b(?:i am|i'm|am|as|was|former) (?:an? )?)((?:former )?asylum[ -]seeker)\b"
        r"(?! (?:support|team|accommodation|services?|cases?|housing|project))",
    ),
    _telling(
        "refugee immigrant migrant",
        rf"{_START}((?:former |once an? |an? |proud |first-generation )?(?:refugee|immigrant|migrant))"
        r"(?=,? (?:from|and (?:first|proud|the|single|a\b)|who|since|in (?:19|20)|at (?:age|the age)|turned|background|by)|"
        r"[ ]?[,.;)])(?! (?:rights|law|support))",
        r"\b(?:came|arrived|landed|moved|fled)(?: (?:here|over|in|to|from) ?(?:the |this )?[\w.]*(?: [\w.]+)?)?,? as (?:an? )?"
        r"((?:[a-z]{3,}(?:an|ese|i|ish|al) )?(?:refugee|immigrant|migrant|asylum seeker))\b",
        not_in=pattern(r"\b(?:legal aid|caseworkers?|clients|camps?|agency|resettlement agency)\b"),
    ),
    _telling(
        "hispanic aboriginal indigenous sponsorship citizen latino visa",
        r"\b(?:are|do|will|would) you (?:[^?\n]{0,90}\b)?(?:hispanic|aboriginal|indigenous|sponsorship|citizen|latino|visa)\b[^?\n]{0,80}\?[ \t]*[:|-]?[ \t]*\n?[ \t]*"
        r"(yes|no(?:ne)?|prefer not to (?:say|answer)|n/a)\b",
        confidence=0.92,
    ),
    _telling(
        "equity",
        r"\b(equity[- ](?:deserving|seeking) (?:group|communit(?:y|ies)|candidate))\b",
    ),
    _telling(
        "multicultural bame bipoc poc aapi latinx",
        r"\b(bipoc|bame|aapi|latinx)\b(?= (?:staff|employee|network|students?|founders?|mentor|erg|person|woman|women|"
        r"professionals?|alumni|group|leader|artist|youth))",
    ),
    _telling(
        "dialect",
        r"\bdialect(?: group)?[ \t]*[:|=-][ \t]*([a-z]+(?: [a-z]+)?)(?=[ \t]*(?:[\n,;|/]|$))",
    ),
)


@cache
def _nations() -> frozenset[str]:
    phrases = phrases_of("ethnicity")
    listed = (
        name for rule in ("nation", "tongue", "broad", "country", "country_short", "tribe") for name in phrases[rule]
    )
    return frozenset(name for name in listed if name not in {"e u", "polish"}) | {
        "eu",
        "hong kong",
        "overseas",
        "polish",
    }


_HEADS = frozenset(
    (
        "citizen citizens citizenship passport pr permanent refugee immigrant adoptee expat expatriate "
        "evacuee migrant exile indigene"
    ).split()
)
_MANY = frozenset({"refugee", "immigrant", "adoptee", "expat", "expatriate", "evacuee", "migrant", "exile"})
_SHORT = frozenset("s us uk k eu a usa uae".split())  # noqa: SIM905 - the ends of U.S., U.K.
_TAIL = re.compile(
    r"(?<=permanent)[ ]resident(?:s|ce|cy)?(?: card| visa| status)?\b|(?<=pr)[ ](?:holder|status|card)\b"
    r"|(?<=citizen)[ ]by (?:birth|descent|naturali[sz]ation|marriage)\b|(?<=citizenship)[ ]by (?:birth|descent)\b"
)
_NOT_AFTER = re.compile(
    r"[ -](?:scien\w+|journalis\w+|engagement|advice|services?|develop\w+|assembl\w+|charter|panel|jury|portal|application\w*|"
    r"renewals?|office|control|checks?|desk|rights|law|legal|camps?|crisis|polic\w+|health|aid|affairs|resettlement|"
    r"agenc\w+|council|cases?|support|integration|education|workers?|children|populations?|communit\w+|bank|park|"
    r"universit\w+|opera|grid|league|team|champion\w*|insurance|standards?|anthem|service|museum|gallery|library|"
    r"budget|strategy|curriculum|magnets?|make-?up|hair|staff|contract|secretary|secondary|post|data|packages?)\b"
)
_LONGEST = 3


def citizens(plain: Plain) -> list[Found]:
    """Return citizens, nationals, residents, refugees and the like with the nation before them.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Singapore citizen; U.S. passport; Syrian refugee; Canadian citizen science")
    >>> [seen.text[found.start : found.end] for found in citizens(seen)]
    ['Singapore citizen', 'U.S. passport', 'Syrian refugee']
    """
    found: list[Found] = []
    words, low, nations = plain.words, plain.low, _nations()
    for place in plain.places(_HEADS):
        word, start, end = words[place]
        if not place or (word == "pr" and not plain.text[start:end].isupper()) or _NOT_AFTER.match(low, end):
            continue
        tail = _TAIL.match(low, end)
        if word == "permanent" and tail is None:
            continue
        if word in _MANY and low[end : end + 2] in {"s ", "s."}:
            continue
        first = -1
        for length in range(min(_LONGEST, place), 0, -1):
            begin = place - length
            if low[words[place - 1][2] : start] not in {" ", "\n", ". ", "-", ".\n", "/"}:
                break
            if " ".join(each[0] for each in words[begin:place]) in nations:
                first = begin
                break
        if first < 0 or not (plain.text[words[first][1]].isupper() or word != "pr"):
            continue
        begin = words[first][1]
        if word == "passport" and words[place - 1][0] not in _SHORT:
            continue  # the nation alone tells, and is masked elsewhere
        finish = tail.end() if tail is not None else end
        found.append(Found(start=begin, end=finish, category="ETHNICITY", rule="citizens", confidence=0.88))
    return found
