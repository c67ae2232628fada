"""MARITAL: weddings, marriage as an event, and names that changed with it.

Kept: weddings planned, photographed and catered for others, marriage law, marriages registered.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["CASEWORK", "HOW", "WEDDINGS"]

#: Others' affairs as work.
CASEWORK = (
    r"\b(?:prepar\w+|filed|filing|process\w*|handl\w+|draft\w*|review\w*|adjudicat\w+|calculat\w+|administer\w*|"
    r"negotiat\w+|mediat\w+|advis\w+|represent\w*|counsel\w*|clients?|cases?(?! of emergency)|audit\w*)\b[^.|\n]{0,40}$"
)
#: What belongs to a state: `happily` married, `recently` separated.
HOW = pattern(
    r"\b(?:(?:very |now )?(?:happily|newly|recently|freshly|legally|formerly|previously|currently|amicably|long|"
    r"twice|once|just|lately|officially|no longer|still|again|already|not yet|unhappily|proudly|religiously|"
    r"blissfully|fully|mutually|permanently|informally|judicially|temporarily|finally|civilly|got|gets|"
    r"getting|get) (?:and )?)+$"
)

WEDDINGS = {
    "wedded": Rule(
        lead=HOW,
        confidence=0.9,
        after=pattern(
            r"\s+(?:to [^.\n]{3,40} )?(?:since|in (?:19|20)\d\d|for \w+ years)\b",
            r"\s+to\s+(?!(?:the|our|its|data|design|this|that|an?|any|one)\b|(?:my|his|her) (?:job|work|craft|desk)\b)",
        ),
    ),
    "marriage": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:preparation|enrichment|encounter|course|took me|brought me|to an?\b|in (?:19|20)\d\d|"
            r"and (?:a |two |three )?(?:move|relocation|motherhood|fatherhood))",
        ),
        not_before=pattern(CASEWORK, r"\b(?:arranged|forced|same-sex|equal|child|early|on|of)\s$"),
    ),
    "marry": Rule(
        confidence=0.87,
        before=pattern(r"\b(?:we|and i|i|i'm to|she|he)\s(?:will |shall |plan to |are to |am to |hope to )?$"),
        after=pattern(r"\s+(?:in|next|this|on|at|my|again|later)\b(?!-| (?:the|an?|with) )"),
    ),
    "at_sign": Rule(confidence=0.9, after=pattern(r"@s?(?![\w.])"), tail=pattern(r"@s?")),
    "couple": Rule(confidence=0.9, after=pattern(r"\s+of the (?:year|month)\b")),
}
