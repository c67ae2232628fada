"""ORIENTATION: sexual orientation, and words of it in an organisation's name.

Kept: straight lines and answers, bi-weekly, business intelligence, pride in one's work, asexual
reproduction, drag and drop, Gay as a name.
"""

from evenhand.resumes.categories.candidate import is_candidates
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

#: `I came out as gay`; plans work out as they are.
_OUT_AS = pattern(r"\b(?:out as (?:an? )?)?(?:(?:openly|proudly|proud|out|visibly) )*$")

_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"
_ALSO = pattern(rf"(?:(?:,? (?:and|&|or) |, |/){_COMMUNITY}\b)+", _KINDLY)

#: Others of the community that are told with one: `a gay and lesbian choir`.

_OWN_PRIDE = (
    r"\b(?:tak\w+|took|great|civic|national|school|team|brand|town|local|personal|own|professional|workmanship) $"
)

#: Others of the community that are told with one: `a gay and lesbian choir`.
_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"

#: Others of the community that are told with one: `a gay and lesbian choir`.
_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"

#: Others of the community that are told with one: `a gay and lesbian choir`.
_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"

#: Others of the community that are told with one: `a gay and lesbian choir`.
_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"

#: Others of the community that are told with one: `a gay and lesbian choir`.
_KINDLY = r"-(?:owned|led|run|friendly|affirming)\b"

RULES = {
    "term": Rule(
        confidence=0.96,
        lead=_OUT_AS,
        tail=_ALSO,
    ),
    "gay": Rule(
        confidence=0.94,
        lead=_OUT_AS,
        not_after=pattern(r"[\s-]+(?:lussac|street|st\b|road|ave|lane|head(?! of)|talese|hendricks)"),
        tail=pattern(
            rf"(?:(?:,? (?:and|&|or) |, |/){_COMMUNITY}\b)+(?: mardi gras\b)?",
            r" for good\b",
            _KINDLY,
            r"-(?:inclusive|welcoming)\b",
            r" (?:rights|liberation|games)\b",
            r" and (?:inclusive|proud|out|happy|open)\b",
        ),
    ),
    "identify": Rule(
        confidence=0.9,
        before=pattern(_SELF, r"(?<![a-z])orientation\"?\s*[:=|-]?\s*\"?\s*$"),
    ),
    "out": Rule(
        confidence=0.88,
        before=pattern(_SELF, r"\b(?:gay|lesbian|bisexual|bi|queer|trans|pansexual) and (?:proudly )?$"),
    ),
    "pride": Rule(
        confidence=0.9,
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
    ),
    "stonewall": Rule(
        confidence=0.88,
        case="capital",
        not_after=pattern(
            r"\s+(?:jackson\w*|kitchen|county|farms?|estates?|defen[cs]e|resources|brigade|texas|tx|winery|"
            r"street|road|energy|construction|capital|systems|masonry|restoration|built|repairs?|walls?)\b"
        ),
    ),
    "equal": Rule(confidence=0.88, case="capital"),
    "came_out": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:at (?:work|school|home|\d\d)|publicly|to (?:my|his|her|everyone)|in (?:19|20)\d\d|late\w*|"
            r"as (?:an? )?(?:openly |proud )?(?:trans\w*|gay|bi\w*|queer|lesbian|non-?binary|ace|asexual))\b"
        ),
        before=pattern(r"\b(?:i|he|she|they|i've|have|after|since|before|never)\s$", r"(?:^|[\n.;•*|>-])\s*$"),
    ),
    "topic": Rule(
        confidence=0.86,
        before=pattern(r"[a-z,&/]\s$"),
    ),
    "own_topic": Rule(
        confidence=0.87,
        not_after=pattern(r"[\s\"]*[:=|(-]"),
    ),
    "out_small": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:member of|mentor (?:at|for|with)|volunteer (?:at|for|with)|chapter of|chaired|chair of|network,?|"
            r"treasurer of|joined) $"
        ),
    ),
    "named": Rule(confidence=0.87, case="capital"),
    "pride_at": Rule(
        confidence=0.85,
        case="title",
        before=pattern(r"\b(?:at|for|with|of) $"),
        not_after=pattern(r" (?:in|and prejudice)\b"),
    ),
    "told": Rule(confidence=0.85, check=is_candidates),
    "initialism": Rule(
        confidence=0.97,
        tail=pattern(
            r"\+?(?:qia?\+?)?soc\b",
            r"(?:[\s/]?(?:ia2s|qia|ia|qa|q|i|a|2s))?\+(?: great\b| danmark\b| ireland\b)?",
            r"\(?[&/]?tq?\)?(?!\w)",
            r"\*(?!\*)",
            r"\+?" + _KINDLY,
            r"\(q\)",
        ),
        lead=pattern(r"\b(?:openly |proudly )$"),
    ),
    "queer": Rule(
        confidence=0.96,
        not_after=pattern(r" (?:smell|noise|sound|feel|look|turn)\w*"),
        tail=pattern(_ALSO.pattern, r" (?:[a-z]+ )?culture festival\b"),
    ),
    "third_gender": Rule(confidence=0.9, not_after=pattern(r"[ -](?:neutral|specific|toilets?|pay|balance)\b")),
    "asexual": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s+(?:reproduct\w+|propagation|cycles?|stages?|spores?|phases?|plants?|budding|fung\w+|species)"
        ),
    ),
    "plain": Rule(confidence=0.9),
    "proxy": Rule(confidence=0.7, strict=True),
}
