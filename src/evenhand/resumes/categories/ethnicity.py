"""ETHNICITY: race, ethnic and national origin as told of a person, and words of it in organisations.

Kept: nationalities in companies, markets and products (Indian Oil, Asian options), languages
(a skill; --strict masks them), Black Belt, white paper, Apache and Cherokee as products.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_PERSON = (
    r"(?:males?|females?|m[ae]n|wom[ae]n|girls?|boys?|persons?|people|youth|candidates?|applicants?|students?|teens?|"
    r"engineers?|professionals?|employees?|colleagues|entrepreneurs?|founders?|alumni|americans?|british|africans?|"
    r"caribbean|lawyers?|nurses?|doctors?|physicians?|journalists?|accountants?|scientists?|coders?|developers?|"
    r"designers?|artists?|writers?|creatives?|executives?|leaders?|leadership|mothers?|fathers?|families|"
    r"communit(?:y|ies)|voices|lives|history|studies|law|mba|phd|staff|staffers|workers?|faculty|scholars?|"
    r"caucus|chamber|church(?:es)?|excellence|business(?:es)?|owned|led|founded|heritage|identity|culture|"
    r"theat(?:re|er)|literature|graduate|undergraduate|pre-law|greek|sorority|fraternity|"
    r"network|alliance|union|association|society|enterprise|achievers|data|educators?|teachers?|managers?|"
    r"actuaries|architects|psychologists|pilots|chemists|physicists|mathematicians|philanthropy|achievement|"
    r"in (?:tech|ai|stem|technology|engineering|business|finance|marketing|computing|design|data|law|product))"
)

RULES = {
    "term": Rule(confidence=0.97),
    "term_capital": Rule(
        confidence=0.9,
        case="capital",
        not_after=pattern(
            r"\s+(?:airlines?|airways|oil|bank|news|spring|times|paints|helicopters?|gunships?|jeep|railways?)\b"
        ),
    ),
    "hyphen_american": Rule(confidence=0.97),
    "black": Rule(
        confidence=0.93,
        after=pattern(rf"[\s-]+(?:and\s+(?:\w+\s+)?|&\s+(?:\w+\s+)?|/\s*\w+\s+)?(?:[\w-]+\s+)?{_PERSON}\b", r"girlsco"),
        not_after=pattern(
            r"[\s-]+(?:belts?|friday|box(?:es)?|sea|duck|hats?|veatch|rock|hawks?|and decker|& decker|diamond|"
            r"forest|hills|mountain|swan|card|market|holes?|carbon|scholes|tie|ops|line|liquor|cab|"
            r"and white|& white|list|lists|mirror|panther(?! party)|lion|horse|water|country)\b"
        ),
    ),
    "white": Rule(
        confidence=0.9,
        after=pattern(
            r"[\s-]+(?:males?|females?|m[ae]n\b|wom[ae]n|british|irish|americans?|european|south african|"
            r"(?:candidate|applicant|person|people|working class|student|students|cultural|employee|"
            r"professionals|scholars|chamber)\b|\(?non-hispanic|or caucasian|/\s*caucasian|other\b)"
        ),
    ),
    "identify": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:identif(?:y|ies|ying|ied) as|i am|i'm|as an?|proud|racially|ethnically)\s+(?:an?\s+|proud\s+)*$"
        ),
        not_after=pattern(
            r"\s+(?:belt|hat|friday)\b",
            r"\s+(?:citizen|national|resident|market|language|translator|interpreter|teacher|speaker|linguist|"
            r"cuisine|food|chef|cook|tax|law|equit|stock)",
        ),
    ),
    "asian": Rule(
        confidence=0.9,
        case="capital",
        not_after=pattern(
            r"(?:[\s-]+pacific)?[\s-]+(?:(?:and|&)\s+\w+\s+)?(?:markets?|equit(?:y|ies)|cuisines?|food|foods|stocks?|"
            r"currenc(?:y|ies)|time|regions?|operations|business(?:es)? (?:unit|development|division)|languages?|"
            r"stud(?:y|ies)|art|arts|history|countries|clients|suppliers?|paints?|development|games|cup|trade|"
            r"econom(?:y|ies|ic)|crisis|options?|subsidiar(?:y|ies)|offices?|sales|supply|vendors?|"
            r"factories|manufacturers?|bonds?|credit|fx|debt|hubs?|customers?|expansion|launch|"
            r"infrastructure|productivity|football|championships?|elephants?|carp|hornets?|news|affairs|"
            r"dishes|fusion|kitchen|restaurants?|grocery|products?|portfolio|private|funds?|accounts?|desk|tigers?|"
            r"plants?|branch(?:es)?|headquarters|hq|rollout|teams?|sites?|port|ports|routes?)\b"
        ),
        not_before=pattern(r"\b(?:south|east|southeast|central)[\s-]$"),
    ),
    "indigenous": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:plants?|species|flora|fauna|vegetation|cattle|crops?|seeds?|trees?|breeds?)\b"),
    ),
    "arab": Rule(
        confidence=0.9,
        case="capital",
        not_before=pattern(r"\bunited\s$"),
        not_after=pattern(
            r"\s+(?:news|spring|emirates|bank|league|world|markets?|region|countries|clients?|states|republic|heavy|"
            r"contractors|potash|monetary|fund|light|horses?)\b"
        ),
    ),
    "people": Rule(
        confidence=0.9,
        case="capital",
        before=pattern(
            r"\b(?:i am|i'm|identif(?:y|ies|ied) as|proud|enrolled|ethnic|ethnically|self-identified|"
            r"tribal affiliation:?)\s+"
            r"(?:an?\s+)?$"
        ),
    ),
    "people_after": Rule(
        confidence=0.9,
        case="capital",
        after=pattern(
            r"\s+(?:nation|tribe|tribal|heritage|descent|origin|ancestry|people|community|reservation|"
            r"elder|citizen|member|graduate|iwi|samaj|society|"
            r"woman|man|family|parents|roots|background|diaspora|ethnic|clan|council|students?|cultural|"
            r"association|union)\b"
        ),
        not_after=pattern(r"\s+(?:software|foundation|spark|kafka|airflow|hadoop|http|helicopter|jeep|web|language)"),
    ),
    "country": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(
            r"\b(?:(?:im)?migrants? from|hail(?:s|ing)? from|emigrated from|immigrated from|native of|"
            r"refugee from|fled(?: from)?|born and raised "
            r"in|born in|citizen of|"
            r"originally from|roots in|family (?:is )?from|parents (?:came |are )?from|moved here from|"
            r"came to \w+ from)\s$"
        ),
    ),
    "origin": Rule(
        confidence=0.93,
        case="capital",
        after=pattern(
            r"(?:[\s-]+\w+)?[\s-]+(?:descent|origin|ancestry|heritage(?! (?:site|foods|museum|trail|centre|center))|"
            r"roots|ethnicity|extraction|parentage|born\b|diaspora|immigrant|immigrants|refugee|background|"
            r"nationals?\b|parents|family|famil|citizen|citizenship|passport|household|grandparents|"
            r"mother|father|by birth|expatriate|émigré|emigre)"
        ),
        not_after=pattern(r"\s+(?:of|and) "),
    ),
    "nation_member": Rule(
        confidence=0.85,
        case="capital",
        after=pattern(
            r"[\s-]+(?:[\w'-]+\s+){0,2}(?:students?'?|community|cultural|professionals?|alumni|employees?|diaspora|"
            r"association|society|union|club|chamber|scholars?|heritage|network|church|welfare|youth|"
            r"parents?'?|engineers|"
            r"lawyers|physicians|doctors|nurses|teachers|journalists|women'?s?|men'?s?|league|federation|alliance|"
            r"cent(?:er|re)|council|dance|folk|festival|choir|theat(?:re|er)|orchestra|foundation|scouts|school|film|"
            r"institute|embassy|consulate|scholarship|bar association)\b",
        ),
        not_after=pattern(r"[\s-]+(?:heart|psychological|medical|bar|red|computer|standards|council)\b"),
    ),
    "told": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(
            r"\b(?:i am|i'm|originally|ethnically|(?:daughter|son|child|children|grandchild|grandson|granddaughter) of|"
            r"(?:daughter|son|child|raised|born) (?:of|to|by)|raised by|my family is|my parents are|"
            r"naturali[sz]ed|dual|"
            r"proud(?:ly)?|half|part|culturally|first|only|youngest|self-identified)\s+(?:an?\s+|to\s+)?$"
        ),
        not_after=pattern(
            r"[\s-]+(?:market|bank|branch|office|desk|team|speak|language|translat|teach|interpret|tutor|cuisine|food|chef|"
            r"airline|client|customer|subsidiar|plant|version|edition|company|store|release|law|tax|supplier|factory|"
            r"restaurant|compan|championship|league|cup|grand prix|division|operation|site|hub|factor|product|airways|"
            r"literature|history|politics|theat|film|speaker|lesson|class|course|and english|mba|embassy|bureau)"
        ),
    ),
    "nation_person": Rule(
        confidence=0.85,
        case="capital",
        after=pattern(
            r"\s+(?:wom[ae]n|m[ae]n|girls?|boys?|lads?|immigrants?|migrants?|refugees?|asylum|citizens?|nationals?|"
            r"graduates?|activists?|entrepreneurs?|elders?|people\b|persons?|american|canadian|australian|british|briton|"
            r"descendants?|ex-?pats?|exiles?|youth|children|teenagers?|mums?|mothers|fathers|muslims?|christians?|jews?|"
            r"catholics?|hindus?|mentees|designers|coders|founders|samaj|sangam|mandal|sabha|forum|"
            r"caucus|greek|cultural "
            r"(?:society|evening|night|association|club)|independence day|heritage|national\b|working[- ]class|"
            r"in (?:tech|stem|science|business|finance|law|medicine))"
        ),
    ),
    "origin_joined": Rule(
        confidence=0.9,
        case="capital",
        after=pattern(
            r"(?:,\s+[\w-]+)?,?\s*(?:and|or|/|&|-)\s*[\w-]+\s+(?:descent|origins?|ancestry|heritage|roots|parents|"
            r"ethnicity|extraction|parentage|citizen\w*|nationals?|passports?|background|immigrants|refugees|"
            r"(?:students?'?|community|cultural) (?:society|association|union|club|centre|center|network))"
        ),
    ),
    "generation": Rule(
        confidence=0.85,
        after=pattern(
            r"[\s-]+(?:[\w-]+[\s-]+)?(?:american|canadian|australian|british|briton|german|french|immigrants?|"
            r"[\w]+-american|migrant|refugee)s?\b"
        ),
    ),
    "black_joined": Rule(
        confidence=0.9, case="capital", after=pattern(r",?\s+(?:asian|and asian|and brown|latin|indigenous)")
    ),
    "white_joined": Rule(confidence=0.85, case="capital", after=pattern(r"\s+and\s+(?:black|asian)\b")),
    "black_first": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(r"\b(?:first|only|fellow|young|local|other|historically|predominantly|proud)\s$"),
        not_after=pattern(r"[\s-]+(?:belt|friday|box|diamond|hat|forest|country|sea|card|swan)"),
    ),
    "minority": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:scholarships?|scholars?|fellows?|fellowships?|engineers?|engineering program|serving|founders?|"
            r"business(?:es)?|women|men|students?|applicants?|candidates?|communit|youth|background|in (?:tech|stem|"
            r"science|engineering|medicine|law|business)|bar association|law|medical|corporate counsel|staff|"
            r"leadership|recruitment|affairs|mba|internship|health professions)",
            r"(?=\s+in\s+(?:tech|stem|agriculture))",
        ),
    ),
    "language": Rule(
        confidence=0.75,
        case="capital",
        strict=True,
        before=pattern(
            r"\b(?:fluent|fluency|proficien\w+|conversational|bilingual|trilingual|multilingual|native|"
            r"languages?|speaks?|"
            r"spoken|speaking|speaker of|written|mother tongue|intermediate|basic|advanced|working knowledge|"
            r"translat\w+|interpret\w+)\b[^\n.]{0,60}$"
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
    "proxy_capital": Rule(confidence=0.7, strict=True, case="capital"),
}
