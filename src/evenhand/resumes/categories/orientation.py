"""ORIENTATION: sexual orientation, and words of it in an organisation's name.

Kept: straight lines and answers, bi-weekly, business intelligence, pride in one's work, asexual
reproduction, drag and drop, Gay as a name.
"""

from evenhand.resumes.categories.orientation_groups import GROUPS
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_COMMUNITY = r"(?:lesbians?|gays?|queers?|trans|pan(?:sexual)?|bi(?:sexual)?|ace|aro|asexual|non-?binary|lgbt\w*)"
_SELF = (
    r"\b(?:i am|i'm|am|he is|she is|identif(?:y|ies|ying) as|openly|proudly|come out as|came out as|"
    r"coming out as|being)\s$"
)
_EVENTS = (
    r"(?:@work|picnic|foundation|society|societies|events?|floats?|staff|colleagues|ball|awards?|celebrations?|"
    r"networks?|parades?|alliance|ergs?|brg|months?|march(?:es)?|employees?|committee|festivals?|groups?|chapters?|"
    r"cent(?:er|re)s?|council|flags?|weeks?|weekend|clubs?|resource|chorus|choir|co-lead|co-chair|lead\b|chair|at work|"
    r"steering|day|run|ride|rally|stage|volunteers?|stewards?|marshals?|sponsor\w*|board|games|radio|house|inside|"
    r"scholar\w*|\(lgbt|-?\s?lgbt\w*|in london|toronto|london|nyc|amsterdam|20\d\d)"
)
_OWN_PRIDE = (
    r"\b(?:tak\w+|took|great|civic|national|school|team|brand|town|local|personal|own|professional|workmanship) $"
)

#: Others of the community that are told with one: `a gay and lesbian choir`.
_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"
_ALSO = pattern(rf"(?:(?:,? (?:and|&|or) |, |/){_COMMUNITY}\b)+", _KINDLY)
#: `I came out as gay`; plans work out as they are.
_OUT_AS = pattern(r"\b(?:out as (?:an? )?)?(?:(?:openly|proudly|proud|out|visibly) )*$")

_WORDS = {
    "term": Rule(confidence=0.96, tail=_ALSO, lead=_OUT_AS),
    "queer": Rule(
        confidence=0.96,
        tail=pattern(_ALSO.pattern, r" (?:[a-z]+ )?culture festival\b"),
        lead=_OUT_AS,
        not_after=pattern(
            r" (?:little|old|feeling|looking|looks?|fish|birds?|duck|customer|sort|kind|things?|noises?|smells?|bugs?|"
            r"turn|street|pitch|errors?|behaviou?r|results?|readings?(?! (?:group|circle|club|list))|defects?|faults?|"
            r"weather|taste|sound)\b"
        ),
    ),
    "initialism": Rule(
        confidence=0.97,
        lead=pattern(r"\b(?:openly |proudly )$"),
        tail=pattern(
            r"\+?(?:qia?\+?)?soc\b",
            r"(?:[\s/]?(?:ia2s|qia|ia|qa|q|i|a|2s))?\+(?: great\b| danmark\b| ireland\b)?",
            r"\(?[&/]?tq?\)?(?!\w)",
            r"\*(?!\*)",
            r"\+?" + _KINDLY,
            r"\(q\)",
        ),
    ),
    "gay": Rule(
        confidence=0.94,
        tail=pattern(
            rf"(?:(?:,? (?:and|&|or) |, |/){_COMMUNITY}\b)+(?: mardi gras\b)?",
            r" for good\b",
            _KINDLY,
            r"-(?:inclusive|welcoming)\b",
            r" (?:rights|liberation|games)\b",
            r" and (?:inclusive|proud|out|happy|open)\b",
        ),
        lead=_OUT_AS,
        not_before=pattern(r"\b(?:enola|marvin|john|roxane|peter|rudy|tyson|noel|mr|mrs|ms|dr|prof)\.? $"),
        not_after=pattern(r"[\s-]+(?:lussac|street|st\b|road|ave|lane|head(?! of)|talese|hendricks)"),
    ),
    "asexual": Rule(
        confidence=0.9,
        lead=_OUT_AS,
        not_after=pattern(
            r"\s+(?:reproduct\w+|propagation|cycles?|stages?|spores?|phases?|plants?|budding|fung\w+|species)"
        ),
    ),
    "straight": Rule(
        confidence=0.88,
        after=pattern(
            r"[\s-]+(?:ally|allies|alliance|man|woman|men|women|male|female|spouse|couples?|people|colleagues|"
            rf"parents?|(?:and|&)\s+{_COMMUNITY})\b",
            r"[\s/-]+(?:gay|lesbian)\b",
        ),
    ),
    "identify": Rule(
        confidence=0.9,
        before=pattern(_SELF, r"(?<![a-z])orientation\"?\s*[:=|-]?\s*\"?\s*$"),
        not_after=pattern(
            r"\s*(?:forward|talking|-|to\b|out\b|up\b|from\b|after\b|developer|analyst|reports?|dashboards?)"
        ),
    ),
    "out": Rule(
        confidence=0.88,
        before=pattern(_SELF, r"\b(?:gay|lesbian|bisexual|bi|queer|trans|pansexual) and (?:proudly )?$"),
        after=pattern(
            r"\s*(?:[.;\n]|$)", r"\s+(?:to (?:my|his|her|the|colleagues|everyone)|and proud|since (?:19|20)\d\d)\b"
        ),
    ),
    "out_at_work": Rule(
        confidence=0.93,
        not_after=pattern(rf"\s+as (?:an? )?(?:openly )?{_COMMUNITY}\b", r"\s+(?:sites?|stations?|cells?|benches)\b"),
        not_before=pattern(
            r"\b(?:roll\w*|carr\w+|hand\w*|sold|sell\w*|sent|send\w*|set|try|tried|test\w*|fit\w*|laid|lay\w*|"
            r"work\w*|turn\w*|point\w*|help\w*|stand\w*|start\w*|burn\w*|clean\w*|time\w*|pull\w*|max\w*|look\w*|"
            r"eat\w*|step\w*) $"
        ),
    ),
    "same_sex": Rule(
        confidence=0.93,
        tail=pattern(
            r"\s+(?:marriages?|partner(?:ship)?s?|couples?|relationships?|households?|parents?|wedding|spouses?|"
            r"unions?|famil(?:y|ies)|civil partner(?:ship)?|attraction|attracted|love|rights)\b"
        ),
        not_after=pattern(r"\s+(?:schools?|class(?:es)?|siblings|twins|wards?|education)\b"),
    ),
    "pride": Rule(
        confidence=0.9,
        case="capital",
        tail=pattern(r"@work"),
        after=pattern(
            rf"\s*(?:,\s*)?{_EVENTS}",
            r" in (?:the city|business|stem|tech|law|sports?|finance|construction|energy|media|medicine|education|"
            r"health|logistics|aviation|engineering|retail|hospitality|housing|policing|nursing|teaching|science|"
            r"farming|rail|transport|music|football|rugby|insurance|banking|government|property|surveying|housing|"
            r"gaming|fashion|food|water|defence|publishing|advertising|marketing|pharma|research|academia|the "
            r"workplace) (?:awards?|honou?rs|summit|conference|breakfast|lunch|forum|mentor\w*|networks?|committee|"
            r"groups?|ambassadors?|champions?|prize|alliance|chair|list|20\d)",
        ),
        not_before=pattern(_OWN_PRIDE),
        not_after=pattern(
            r"\s+(?:and prejudice|& prejudice|lands|group (?:llc|inc)|in (?:my|our|the (?!city)|quality|work))"
        ),
    ),
    "pride_at": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(r"[a-z,&]\s$"),
        not_before=pattern(_OWN_PRIDE),
        not_after=pattern(
            r"\s+(?:of|in (?!the (?:city|park|capital|workplace|village)|london|stem|tech|law|surrey|sport|"
            r"business|finance)|and prejudice|lands|mobility|rock|international|drilling|polymers)\b"
        ),
    ),
    "pride_event": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(r"\b(?:at|during|marched (?:in|with)|festival|for) $"),
        not_after=pattern(
            r"\s+(?:of|in (?:my|our|your|quality|work\w*|craft\w*))\b", r"\s+(?:mobility|lands|rock|international)\b"
        ),
    ),
    "rainbow": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:alliance|alumn\w+|networks?|laces|famil(?:y|ies)|youth|lanyards?|champions?|staff|committee|society|"
            r"groups?|employees?|scholarships?|coalition|railroad|allies|ally|erg|community|pride|flags?|cent(?:er|re)|"
            r"chamber|badge|week|roundtable|list|helpline|choir|chorus|run|rights|history|health|project|union|council|"
            r"collective|crossing|support|heritage|steps|dads|mums|parents|lounge|equality|award|map|house|hub|circle|"
            r"voices|crew|contingent|floats?|marchers|ribbons?|pins?|stole|cup|games|business|professionals|chapter|"
            r"mentor\w*|swimmers|runners|riders|hikers|film festival|festival|fund|fans|supporters|brunch|"
            r"book club|reading|parade|march|pages|clergy|cops|medics|engineers|scouts|prom|graduation|"
            r"lanyard|doctors|crosswalk|weekend|tick|toffees|rams|devils|blues|reel|sash|"
            r"seniors|elders|caucus|workers|teachers|nurses|lawyers|league|tea|lunch|cohort|inclusion|forum|tick|"
            r"colleagues|veterans)\b"
        ),
        not_after=pattern(r"\s+(?:youth soccer|run (?:trail|elementary))"),
    ),
    "stonewall": Rule(
        confidence=0.88,
        case="capital",
        not_after=pattern(
            r"\s+(?:jackson\w*|kitchen|county|farms?|estates?|defen[cs]e|resources|brigade|texas|tx|winery|"
            r"street|road|energy|construction|capital|systems|masonry|restoration|built|repairs?|walls?)\b"
        ),
    ),
    "gsa": Rule(
        confidence=0.8,
        case="upper",
        after=pattern(
            r"\s*\((?:the )?(?:gay|gender)\b",
            r"(?:\s+club)?,?\s+(?:president|vice|chair|founder|co-|member|club|officer|advis[eo]r|leader|"
            r"faculty|at [a-z' .]{2,30}(?:school|high|academy|college))",
        ),
        not_after=pattern(r"\s+(?:member states|contract\w* officer)"),
    ),
    "group": Rule(
        confidence=0.85,
        case="capital",
        after=pattern(
            r"\s*[,(-]?\s*(?:the |our |its )?(?:erg|brg|network|employee|resource group|lgbt\w*|queer|pride|"
            r"alliance)\b"
        ),
    ),
    "equal": Rule(confidence=0.88, case="capital"),
    "coming_out": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:stor(?:y|ies)|day|workshops?|at work|publicly|events?|evening|night|circle|group|panel|"
            r"talks?|guide|support|letter|monologues?|series|tea|letters|zine|project|podcast|at (?:\d\d|school|home|"
            r"university|college)\b|in (?:19|20)\d\d|as (?:an? )?(?:openly )?\w+|to (?:my|his|her|colleagues|everyone)|"
            r"in public)\b"
        ),
        not_before=pattern(r"\b(?:products?|releases?|versions?|albums?|books?|results?) $"),
    ),
    "came_out": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:i|he|she|they|i've|have|after|since|before|never)\s$", r"(?:^|[\n.;•*|>-])\s*$"),
        after=pattern(
            r"\s+(?:at (?:work|school|home|\d\d)|publicly|to (?:my|his|her|everyone)|in (?:19|20)\d\d|late\w*|"
            r"as (?:an? )?(?:openly |proud )?(?:trans\w*|gay|bi\w*|queer|lesbian|non-?binary|ace|asexual))\b"
        ),
    ),
    "ace_group": Rule(
        confidence=0.85,
        not_before=pattern(r"\w-$"),
        after=pattern(
            rf"(?:/aro|,?\s+(?:and|&|or)\s+(?:aro(?:ace)?|{_COMMUNITY}))\b",
            r"\s+(?:spectrum|community|week|visibility|identit\w+|people|meet-?up|flag|pride|network)\b",
        ),
    ),
    "bi": Rule(
        confidence=0.85,
        lead=_OUT_AS,
        tail=pattern(r"\+?(?: (?:visibility|erasure|inclusion|awareness|phobia))?\b"),
        case="prose",
        before=pattern(r"(?:^|[\s(,/|;.:>\"])$"),
        not_before=pattern(r"\b(?:power|sap|oracle|cognos|looker|ms|dwh|etl) $"),
        not_after=pattern(
            r"-",
            r"\s+(?:annual\w*|weekly|monthly|yearly|daily|directional\w*|lingual\w*|lateral\w*|planes?|metal\w*|"
            r"folds?|xenon|functional|modal|polar|products?|focals?|partisan|turbo|variate|nary|ennial|hourly|"
            r"developers?|analysts?|tools?|reports?|dashboards?|team|solutions?|analytics|engineers?|architect\w*|"
            r"platforms?|consultant\w*|manager|lead\b|reporting|stack|data|publisher|apps?|cultural|national|racial|"
            r"products|cycles?|coastal|pass|level|modul\w+|sheng)",
            r"\s?/\s?(?:analytics|etl|dw\w*|reporting|bw|ml|ai)\b",
            r"\s?&\s?(?:analytics|reporting|data)\b",
        ),
    ),
    "pan": Rule(
        confidence=0.85,
        before=pattern(rf"\b{_COMMUNITY}(?:,| and| or| &|/)\s?$", _SELF),
        not_after=pattern(r"-", r"\s+(?:european|american|african|asian|card|number|india)\b"),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
RULES = _WORDS | GROUPS
