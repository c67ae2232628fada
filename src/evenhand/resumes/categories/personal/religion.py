"""RELIGION: faiths, their people, places, books, feasts and offices, also in an organisation's name.

Kept: Temple University, The Hindu, Islamic finance, Church encoding, cloud-agnostic, Ministry
of Health, Christian and Faith as names, good faith, Java evangelists, mass mailings.
"""

from evenhand.resumes.categories.candidate import is_candidates
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_PLACES = (
    r"(?:street|st\b|road|rd\b|lane|ln\b|ave|avenue|hill|gate|square|walk|farm|house hotel|green|wood|end|row|close)"
)
_BUILDING = (
    r"(?:roofs?|floors?|spires?|steeples?|towers?|buildings?(?! (?:trips?|missions?|teams?|camps?|weeks?))|masonry|"
    r"architecture|conversions?|bells?(?! ring)|ruins|complex)"
)
#: What a body of believers has or does.
_BODY = (
    r"(?:temple|communit\w+|faith|religio\w+|societ\w+|students?'?|festival|association|cent(?:er|re)|diet|vegetarian|"
    r"youth|volunteer|famil\w+|fellowship|relief|sangh|samaj|aid|charit\w+|convention|council|union|group|network|"
    r"federation|school|trust|committee|camp|choir|monk|nun|priest|philosophy|household|background|heritage|parents|"
    r"women'?s?|men'?s?|girls|boys|scholar\w*|professionals?|chaplain\w*|club|league|study|prayer|meditation|"
    r"hospital|medical|nurses|doctors|students|summer|sunday|bookshop|library|ladies|holiday|"
    r"buddhis\w+|retreats?|master|practice|practitioner|monastery|population|traditions?|vihar)\b"
)
#: A body of members that is told behind them: `Lawyers' and Professionals' Guild`.
_GUILD = (
    r"(?:[a-z]+'?s?'? (?:and |& |in )?){0,4}(?:guilds?|associations?|societ(?:y|ies)|networks?|unions?|councils?|"
    r"forums?|federations?|fellowships?|circles?|leagues?|alliances?|chambers?|funds?|charit(?:y|ies))\b"
)
#: Faiths as what a school teaches.
_TAUGHT = (
    r"\b(?:units?|lessons?|modules?|curriculum|syllabus|key stage \w+|year \d+|classes|topics?) "
    r"(?:on|about|covering|in) (?:[a-z]+(?:,| and|, and) ){0,4}$"
)

#: Whose bible is a handbook: `Bible of our design system`.
OF_WORK = pattern(
    r" (?:of|for|on) (?:(?:the|our|my|their|its|this|all) )?(?:[a-z-]+ ){0,2}?(?:brand\w*|project|show|style|"
    r"trade|industry|game|team|house|design|system|series|department|product|code|data|kitchen|sales|shop|"
    r"plant|office|style guide|component\w*|onboarding|typography|recipes|process\w*|standards)\b"
)

#: A newspaper in a list of them.
_PAPERS = r"\b(?:times|guardian|telegraph|herald|post|tribune|observer|independent|gazette)(?:,| and|, and) (?:the )?$"

#: A building that is sold, let or rebuilt is property.
_PROPERTY = (
    r"\b(?:sales?|leases?|leas(?:ed|ing)|sold|selling|survey\w*|valu\w+|valuation|convert\w*|conversion|refurbish\w*|"
    r"demol\w+|renovat\w+|auction\w*|redevelop\w*|planning (?:permission|applications?|consent)|survey|purchase|"
    r"acquisition|disposal)\s(?:(?:of|for|at|on)\s)?(?:(?:an?|the|two|three|old|former|disused|empty|derelict|listed|"
    r"victorian|gothic|medieval|small|redundant|large|village)\s){0,4}$"
)

_DISUSED = r"\b(?:disused|derelict|redundant|deconsecrated)\s$"

_TITLED = r"\b(?:mr|mrs|ms|dr|prof|miss|professor)\.?\s$"

RULES = {
    "eid": Rule(
        confidence=0.9,
        case="title",
        not_after=pattern(r"\s+(?:sale|sales|campaign|promotion|peak|offers?)"),
    ),
    "gospel": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:choir|music|singers?|singing|group|mission|church|ministry|band|concert|fest|hall|artist|"
            r"radio|songs?|outreach|fellowship|quartet|ensemble|workshop|chorus|tent|mass|brunch|keyboard\w*|organ\w*|"
            r"album)"
        ),
        tail=pattern(r" (?:choirs?|singers?|singing|band|quartet|ensemble|chorus)\b"),
    ),
    "mass": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:sunday|saturday|daily|evening|morning|midnight|holy|latin|requiem|weekly|catholic|christmas|easter|"
            r"attend\w*|at|say\w*|student|campus|celebrat\w+|sung|high)\s$"
        ),
    ),
    "term": Rule(
        confidence=0.96,
        not_after=pattern(
            r"\s+(?:finance|banking|banks?|bonds?|architecture|mint|development bank|calligraphy|sukuk|maths|"
            r"automotive|brandy|mathematics|monitor|street|road|lane|plants?)\b"
        ),
        not_before=pattern(_TAUGHT, _PAPERS),
    ),
    "christian": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s+(?:dior|louboutin|lacroix|bale|mingle|siriano|brothers (?:automotive|auto|brandy)|horner|wulff|"
            r"name|science monitor|county|aid (?:as|account|contract|campaigns?|for a client|\(client))\b",
            r"'s\b|\s+[a-z]\.\s",
        ),
        case="capital",
    ),
    "hindu": Rule(
        confidence=0.94,
        not_before=pattern(r"\bthe $", _TAUGHT),
    ),
    "hindu_the": Rule(
        confidence=0.9,
        after=pattern(
            rf"\s+{_BODY}",
            rf"\s+{_GUILD}",
            r"\s+(?:education\w*|american|heritage|foundation|cultural|forum|mission|dharma|mandir|spiritual|scripture|"
            r"human rights|service|sabha|mahasabha|swayamsevak|sewa|seva|way of life|epics?|gods?|calendar|wedding)\b",
        ),
    ),
    "church": Rule(
        confidence=0.88,
        not_after=pattern(
            r"\s+(?:&|and) (?:dwight|co)\b",
            rf"[\s-]+(?:encoding|numerals?|rosser|turing|thesis|{_PLACES}|{_BUILDING}|stretton|"
            rf"fenton|view|path|crookham|brampton)",
            r"'s (?:shoes|chicken|fish)",
        ),
        not_before=pattern(r"\b(?:alonzo|charlotte|frank|mr|mrs|ms|miss|dr)\.?\s$", _PROPERTY, _DISUSED),
        tail=pattern(r" of (?:st\.?|saint) [a-z'-]+", r" of (?:the )?(?:holy|sacred) [a-z]+"),
    ),
    "temple": Rule(
        confidence=0.85,
        not_after=pattern(rf"\s+(?:{_BUILDING}|bar\b|run|fortune|ball|of (?:zeus|apollo|doom))"),
        case="small",
    ),
    "cathedral": Rule(
        confidence=0.85,
        not_after=pattern(
            rf"[\s-]+(?:city|quarter|{_PLACES}|down|ceiling|law|insurance|allerton|en le frith|"
            rf"peak|hats?|school|primary|software|avenue|capital|energy|group)",
            r"'s\b",
        ),
    ),
    "seminary": Rule(confidence=0.85, not_before=pattern(r"'s $")),
    "missionary": Rule(confidence=0.93, not_after=pattern(r"\s+(?:zeal|position|work in sales)")),
    "bible": Rule(
        confidence=0.93,
        not_after=OF_WORK,
        case="capital",
        tail=pattern(r" (?:stud(?:y|ies)|reading)\b", r" (?:group|class|college|camp|society|college)\b"),
        not_before=pattern(
            r"\b(?:scrum|onboarding|sales|playbook|style|brand|developer|tester'?s?|kitchen|industry|trade|"
            r"series|show|unofficial)\s$"
        ),
    ),
    "faith_small": Rule(
        confidence=0.85,
        case="small",
        not_before=pattern(
            r"\b(?:good|bad)-$",
            r"\b(?:good|bad|best|blind|little|every|full|utmost|have|had|has|put|lost|keep|kept|keeping|earn\w*|"
            r"won the|the|placed|restor\w+|regain\w*|more|new|(?:client|customer|investor|user|buyer|team|"
            r"lender)s?'?s?'?)\s$",
            r"\b(?:leap|show|article|act|profession|vote|lack|breach)[ -]of[\s-]$",
        ),
    ),
    "faith_own": Rule(
        confidence=0.85,
        before=pattern(r"(?:^|[.;:!?\n,]\s*|\b(?:and|because|as|where|though|but|of|by|in|to|from|through) )my\s$"),
        not_after=pattern(r"\s+(?:in (?!god|christ|jesus|action|allah|the lord)|that |restored)"),
    ),
    "told": Rule(confidence=0.85, check=is_candidates),
    "clergy": Rule(
        confidence=0.85,
        not_after=pattern(r"\s+(?:brown|inc|lake|river|creek|hole|rapids|cove|garcia)\b", rf"\s+{_PLACES}"),
    ),
    "quaker": Rule(confidence=0.93, not_after=pattern(r"\s+(?:oats|state|chemical|houghton|foods)\b")),
    "baptism": Rule(confidence=0.93, not_after=pattern(r"\s+(?:of|by) fire")),
    "food": Rule(
        confidence=0.9,
        not_after=pattern(
            r"[\s-]+(?:and (?:kosher|halal) )?(?:certif\w+|audits?|standards?|complian\w+|salt|pickles?|schemes?|"
            r"meat (?:plant|processing)|slaughter)\b"
        ),
    ),
    "catholic": Rule(confidence=0.94, not_before=pattern(_TAUGHT, _PAPERS)),
    "mosque": Rule(confidence=0.94, not_before=pattern(_TITLED, _PROPERTY, _DISUSED)),
    "parish": Rule(
        confidence=0.9,
        tail=pattern(r"\s+(?:council|choir|priest|fete|festival|youth group)\b"),
        not_after=pattern(
            r"\s+(?:council (?:clerk|minutes|meetings?|grants?|precept|elections?)|"
            r"councill?ors?|clerk|registers?|ledgers?|records|archives?|boundar|school board|"
            r"sheriff|government|president)"
        ),
    ),
    "plain": Rule(confidence=0.9),
    "proxy": Rule(confidence=0.7, strict=True),
}
