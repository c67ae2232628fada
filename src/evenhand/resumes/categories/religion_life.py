"""RELIGION: life in a faith under names that are ordinary words elsewhere: a Friend by birth, a year on mission, ISoc.

Kept: mission statements, friends of a museum, parish-pump PCC bids, home groups of hospitals, EID tags.
"""

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

LIFE_RULES = {
    "society": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:software|systems|ltd|inc|gmbh|plc)\b"),
        not_before=pattern(r"\b(?:wi-?fi|nvidia|arm) $"),
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
    "confirmed": Rule(
        confidence=0.86,
        before=pattern(r"\b(?:was|being|been|am|is|and) $"),
        after=pattern(
            r" (?:at (?:the age|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|\d\d\b)|"
            r"in the (?:church|faith|cathedral)|by bishop|into the)"
        ),
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
}
