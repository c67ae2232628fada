"""ETHNICITY: race, ethnic and national origin as told of a person, and words of it in organisations.

A nation's or people's name counts unless the noun it stands with is a thing (see peoples.py). Kept:
companies, markets and products (Indian Oil, Asian options), languages (a skill; --strict masks
them), countries where a job was, Black Belt, white paper, Apache and Cherokee as products.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.candidate import is_candidates
from evenhand.resumes.categories.personal.origins import BORN, LABELLED, PLACE
from evenhand.resumes.categories.personal.peoples import told
from evenhand.resumes.rules import Rule, pattern
from evenhand.resumes.text.endings import ending
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["RULES"]

#: So many characters before a country say whether somebody is from there.
_NEAR = 64
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
_FROM_WORDS = lazy_re(
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


def _is_origin(folded: FoldedText, first: int, last: int) -> bool:  # noqa: ARG001 - a check of a rule
    """Say whether somebody is said to be from the country at these places."""
    start = folded.words[first][1]
    before = folded.low[max(0, start - _NEAR) : start]
    return _FROM_WORDS.search(before) is not None and _is_after_from(before) is not None


#: A nation with what its people came as: `came as Somali refugees`.
_WITH_PEOPLE = lazy_re(
    r"[-/](?:american|canadian|australian|british|german|french|italian|caribbean|african)s?\b|[ ](?:refugee|immigrant|"
    r"emigre|exile|migrant|asylum[ -]seeker)s\b(?=[ ]*(?:[.,;:)\n]|$)|[ ](?:and|who|in (?:19|20)\d\d|from|at|to)\b)"
)

#: Whose citizen: `U.S. citizen`, `naturalised British citizen`.
_NATION_BEFORE = (
    r"\b(?:(?:full|new|dual|naturali[sz]ed) )?(?:[a-z]{3,}(?:an|ish|ese|ani|li|qi)|us|u\.s\.|uk|eu|eea|french|dutch|"
    r"swiss|thai|new zealand|greek|czech|filipino|turkish) $"
)

#: Which visa: `Skilled Worker visa`.
_VISA = (
    r"\b(?:(?:general |sponsored )?(?:work|employment)|skilled(?: worker)?|graduate(?: route)?|student|dependa[ne]t|"
    r"dependent|spous(?:e|al)|partner|family|fiancee?|visit(?:or)?|tourist|residence|sponsored|working holiday|"
    r"youth mobility|tier \d(?: general)?|health and care(?: worker)?|permanent|temporary|(?:subclass )?\d{3}|"
    r"[a-z]-?\d[a-z]?|tn|opt) $"
)

RULES = {
    "visa_of": Rule(
        before=pattern(_VISA),
        lead=pattern(_VISA),
        not_before=pattern(
            r"\b(?:process\w*|prepar\w+|fil(?:ed|ing)|handl\w+|draft\w+|advis\w+|manag\w+|review\w*)(?: [\w-]+){0,5} $"
        ),
        not_after=pattern(
            r"\s(?:applica\w+|process\w*|support|services?|teams?|officers?|section|cent(?:er|re)s?|advi\w+|compliance|"
            r"queries|cases?|requests?|petitions?|sponsorship|polic\w+|assist\w+|debit|cards?|and mastercard)\b"
        ),
    ),
    "sponsorship": Rule(
        before=pattern(r"\b(?:requir\w+|needs?|needing|without|no|seeking)(?: [\w-]+){0,3} $"),
        lead=pattern(r"\b(?:visa|work|employment|employer|tier \d|h-?1b) $"),
        not_before=pattern(r"\b(?:corporate|event|club|shirt|executive|project|brand|commercial|sports?) $"),
        not_after=pattern(r"\s(?:licen[cs]e|deals?|packages?|revenue|income|from (?:firms|compan|business|brands))"),
    ),
    "status": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s+(?:of (?:claims|cases|accounts?|debts?|orders|trades|invoices|files)|lanes?|check-?in|"
            r"gates?|queues?)\b",
            r"[ ]rates?\b",
            r"\s+(?:coatings?|works?\b|film|sheet\w*|boards?|measures|of (?:works|floors|surfaces|finishes|openings|"
            r"steel))",
            r"\s+(?:parking|permits? parking|zones?|scheme for parking|reviews?|across|snippets?|repositor\w+|"
            r"between teams|with other)\b",
        ),
    ),
    "term": Rule(
        confidence=0.97,
        not_after=pattern(r"[\s-]+(?:markets?|marketing|consumers?|segments?|foods?|cuisine|jobs?|airways)\b"),
    ),
    "of_colour": Rule(
        confidence=0.95,
        before=pattern(rf"\b{_OF_COLOUR} $"),
    ),
    "nation": Rule(
        confidence=0.88,
        check=told("nation"),
        tail=_WITH_PEOPLE,
    ),
    "tongue": Rule(
        confidence=0.88,
        check=told("tongue"),
        tail=_WITH_PEOPLE,
        not_before=pattern(r"\b(?:sino|anglo|franco)-$", r"\broyal $"),
    ),
    "broad": Rule(
        confidence=0.85,
        check=told("broad"),
    ),
    "tribe": Rule(
        confidence=0.88,
        check=told("tribe"),
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
    ),
    "country": Rule(confidence=0.85, check=_is_origin),
    "country_after": Rule(confidence=0.85, after=_COUNTRY_AFTER),
    "country_short_after": Rule(confidence=0.85, after=_COUNTRY_AFTER),
    "country_short": Rule(confidence=0.85, check=_is_origin),
    "origin": Rule(confidence=0.85, value=PLACE),
    "born": Rule(confidence=0.88, value=BORN),
    "birthplace": Rule(confidence=0.9, value=LABELLED),
    "newcomer_home": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:parents|family|household|background|roots|upbringing|heritage|mother|father|grandparents)\b"
        ),
    ),
    "citizen": Rule(
        confidence=0.86,
        before=pattern(_NATION_BEFORE),
        lead=pattern(_NATION_BEFORE),
    ),
    "raised": Rule(confidence=0.85, value=PLACE),
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
    "told": Rule(confidence=0.85, check=is_candidates, lead=pattern(_VISA)),
    "proxy": Rule(confidence=0.7, strict=True),
}
