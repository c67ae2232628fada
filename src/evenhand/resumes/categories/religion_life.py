"""RELIGION: life in a faith under names that are ordinary words elsewhere: a Friend by birth, a year on mission, ISoc.

Kept: mission statements, friends of a museum, parish-pump PCC bids, home groups of hospitals, EID tags.
"""

import re

from evenhand.resumes.categories.community import sentence_without
from evenhand.resumes.rules import Rule, pattern

__all__ = ["CHURCH_NAME", "LIFE_RULES", "OF_WORK"]

#: Whose bible is a handbook: `Bible of our design system`.
OF_WORK = pattern(
    r" (?:of|for|on) (?:(?:the|our|my|their|its|this|all) )?(?:[a-z-]+ ){0,2}?(?:brand\w*|project|show|style|"
    r"trade|industry|game|team|house|design|system|series|department|product|code|data|kitchen|sales|shop|"
    r"plant|office|style guide|component\w*|onboarding|typography|recipes|process\w*|standards)\b"
)

#: A church's name before it: `St Barnabas Church`, `Holy Trinity Church`.
CHURCH_NAME = pattern(
    r"\b(?:the )?(?:st\.?|saint|ss\.?) [a-z'-]+(?:,? (?:and|&) (?:(?:st\.?|saint) )?[a-z'-]+)? (?:parish |"
    r"catholic |rc )?$",
    r"\b(?:holy|all|sacred) (?:trinity|saints'?|souls'?|cross|spirit|family|name|rood|redeemer|apostles|"
    r"heart|nativity) (?:parish |catholic |rc )?$",
    r"\b(?:our lady|christ|emmanuel|immanuel|calvary|grace|bethel|zion|trinity|redeemer|ebenezer|elim|bethany)"
    r" (?:parish |baptist |methodist |community |evangelical )?$",
)
_FAITH_NEAR = (
    r"(?:church|parish|chapel|sunday|youth|priest|vicar|diocese|god|faith|jesus|christ|gospel|bible|ywam|pray\w*|"
    r"missionar\w+|baptist|catholic|mormon|lds)"
)
_NO_MISSION = pattern(
    r"\b(?:un|u\.n\.|msf|medecins|nato|osce|eu|peacekeep\w*|military|army|navy|red cross|unicef|unhcr|icrc|"
    r"clients?|space|nasa|esa|crew|satellite|trade|consult\w*|audit\w*|deployed|observer)\b"
)
_END = r"\s*(?:$|[.,;:)(|\n/\"<-])"

LIFE_RULES = {
    "friend": Rule(
        confidence=0.88,
        case="capital",
        after=pattern(r" by (?:birth|convincement|faith|upbringing)\b", rf"{_END}(?=[^\n]{{0,40}}\bquaker)"),
    ),
    "friends": Rule(
        confidence=0.88,
        case="capital",
        after=pattern(r" (?:meeting|meeting house|general meeting|house trustee|world committee|school clerk)\b"),
        tail=re.compile(r"[ ]meeting(?: house)?\b"),
    ),
    "pilgrim_place": Rule(
        confidence=0.88,
        after=pattern(
            r"(?: de santiago| \w+)? (?:pilgrimages?|yatra|pilgrims?|hospitalit\w+|march|walk|procession|trust)\b",
            r"[^.;\n]{0,40}\b(?:as a (?:pilgrim|helper|handmaid|brancardier)|on foot|for arba'?een|with the sick|"
            r"barefoot)\b",
        ),
    ),
    "pilgrim_place_to": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:pilgrimages?|yatra|pilgrims?|hajj|umrah|ziyarat|ziyara|vow) (?:to|of|for|in|at|on|from)(?: the)? $",
        ),
    ),
    "society": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:software|systems|ltd|inc|gmbh|plc)\b"),
        not_before=pattern(r"\b(?:wi-?fi|nvidia|arm) $"),
    ),
    "mission_year": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:years?|summers?|months?|gap year|terms?|seasons?|weeks) (?:abroad |overseas |away )?on (?:an? )?$",
            r"\b(?:short-term|overseas|world|church|medical|outreach|evangelistic|youth|parish|catholic|teen|"
            r"student) $",
        ),
        check=sentence_without(_NO_MISSION),
        not_after=pattern(
            r"[\s-]+(?:critical|statement|control|driven|oriented|district|specialist|planner|bay|report)\b"
        ),
    ),
    "mission_after": Rule(
        confidence=0.88,
        check=sentence_without(_NO_MISSION),
        after=pattern(
            r" (?:year|fields?|trips?|partners?|society|agency|conference|team to|weekend|group|priest|"
            r"hospital in|kid)\b"
        ),
        not_before=pattern(r"\b(?:space|mars|lunar|trade|fact-finding|apollo) $"),
        tail=re.compile(r"[ ]year\b"),
        before=pattern(
            rf"\b{_FAITH_NEAR}\b[^.;\n]{{0,60}}$", r"(?:^|[.;:|\n]\s*|\b(?:a|my|the|on|gap|did|served|spent) (?:a )?)$"
        ),
    ),
    "bible_small": Rule(
        confidence=0.9,
        case="small",
        after=pattern(r" (?:stud(?:y|ies)|readings?|groups?|class(?:es)?|college|camp)\b"),
        tail=pattern(r" (?:stud(?:y|ies)|readings?|groups?|class(?:es)?|college|camp)\b"),
    ),
    "relief_society": Rule(
        confidence=0.88,
        case="capital",
        after=pattern(rf" (?:president|counselor|secretary|teacher|sister|in (?:my|our))\b|{_END}"),
    ),
    "ward": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:relief society|bishopric|primary|elders quorum|young women|young men|lds|"
            r"sunday school)\b[^.;\n]{0,40}$"
        ),
    ),
    "brigade": Rule(confidence=0.9, before=pattern(r"\b(?:girls|boys)'? $"), lead=re.compile(r"\b(?:girls|boys)'? $")),
    "jain_listed": Rule(
        confidence=0.86,
        case="capital",
        before=pattern(
            r"\b(?:vegetarian|vegan|teetotal\w*|observant|lifelong|hindu|strict|indian|gujarati|marwari)(?: and|"
            r" or|,|/|;)? (?:an? )?$"
        ),
        after=pattern(_END),
    ),
    "eid": Rule(confidence=0.9, case="title", not_after=pattern(r"\s+(?:sale|sales|campaign|promotion|peak|offers?)")),
    "gospel": Rule(
        confidence=0.88,
        tail=pattern(r" (?:choirs?|singers?|singing|band|quartet|ensemble|chorus)\b"),
        after=pattern(
            r"\s+(?:choir|music|singers?|singing|group|mission|church|ministry|band|concert|fest|hall|artist|"
            r"radio|songs?|outreach|fellowship|quartet|ensemble|workshop|chorus|tent|mass|brunch|keyboard\w*|organ\w*|"
            r"album)"
        ),
    ),
    "eid_small": Rule(
        confidence=0.86,
        case="small",
        after=pattern(
            r" (?:lunch|dinner|party|meals?|festival|celebrations?|prayers?|fair|mela|leave|holiday|gathering|"
            r"parcels|hampers|gifts|cooking|breakfast|morning|day|al|ul|bazaar|feast|in the park)\b"
        ),
    ),
    "eid_upper": Rule(
        confidence=0.86,
        case="upper",
        after=pattern(
            r" (?:lunch|dinner|party|prayers?|mela|leave|holiday|gathering|hampers|feast|in the park|celebrations?)\b"
        ),
    ),
    "haram": Rule(confidence=0.9, not_before=pattern(r"\b(?:boko|al|harim|masjid al)[ -]$")),
    "no_religion": Rule(
        confidence=0.88, before=pattern(r"\b(?:hold|holds|have|has|follow|follows|of|profess\w*|with) $")
    ),
    "religious": Rule(
        confidence=0.88, not_before=pattern(r"\b(?:discriminat\w+|complaints?|cases?) (?:\w+ )?(?:on|about|of) $")
    ),
    "prayer": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:for|to|time|place|space|morning|noon|midday|evening|daily|five|in|at|lead|leads|led|offer|my|"
            r"through|of|night of|call to) $"
        ),
        not_after=pattern(r"\s+(?:flags?|books? (?:print|bound)|for relief)\b"),
        not_before=pattern(r"\ba wing and an? $"),
    ),
    "house_group": Rule(
        confidence=0.86,
        not_after=pattern(r"s? (?:of|plc|ltd|insurance|manager)\b"),
        before=pattern(
            r"\b(?:my|our|church|lead|leads|led|host|hosts|hosted|midweek|bible|a|weekly|run|runs|church's) $"
        ),
        check=sentence_without(pattern(r"\b(?:housing|hospitals|software|care|residents|hotels?)\b")),
    ),
    "confirmed": Rule(
        confidence=0.86,
        before=pattern(r"\b(?:was|being|been|am|is|and) $"),
        after=pattern(
            r" (?:at (?:the age|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|\d\d\b)|"
            r"in the (?:church|faith|cathedral)|by bishop|into the)"
        ),
    ),
    "refuge": Rule(
        confidence=0.86,
        before=pattern(r"\b(?:took|taken|take|taking) $"),
        after=pattern(r"[^.;\n]{0,40}\b(?:buddh\w*|precepts|sangha|lama|dharma|triple)"),
    ),
    "pcc": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(
            r"\b(?:the|my|our|church|serve on|sit on|parish|village|member,|treasurer,|secretary,)(?: the)? $"
        ),
        check=sentence_without(
            pattern(
                r"\b(?:police|commissioner|concrete|cement|crime|precinct|press complaints|petro\w*|power|"
                r"community college)\b"
            )
        ),
        after=pattern(
            rf"(?:'s)?(?: (?:of|member|secretary|treasurer|meetings?|for|at|and|rota|minutes|accounts)\b|{_END})"
        ),
    ),
    "jcc": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(r"\b(?:at|of|for|with) (?:the|my|our|a local) $"),
        check=sentence_without(pattern(r"\b(?:contracts?|tribunal|works council|union|consultative|police)\b")),
    ),
    "mass": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:sunday|saturday|daily|evening|morning|midnight|holy|latin|requiem|weekly|catholic|christmas|easter|"
            r"attend\w*|at|say\w*|student|campus|celebrat\w+|sung|high)\s$"
        ),
        case="capital",
        not_after=pattern(
            r"[\s-]+(?:general|production|market|spec|hiring|transit|media|communication|transfer|eye|ave|pike|"
            r"murder|tort|balance|flow|effect|storage|mail|marketing|dot|art|moca|biotech|brigham|maritime|audubon|"
            r"save|cultural)"
        ),
    ),
    "lent": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(
            r"\b(?:for|during|in|of|over|throughout|kept?|keep\w*|observ\w+|at|before|every|this|each|and|an?)\s$"
        ),
        not_after=pattern(
            r"\s+(?:\w+ )?(?:books?|money|support|by|to|it|international|technologies|inc|plc|health|software|systems)"
        ),
    ),
    "gospel_preached": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:preach\w*|spread\w*|shar\w+|teach\w*|brought) the\s$"),
        not_after=pattern(r"\s+of\b"),
    ),
}
