"""ORIENTATION: sexual orientation, and words of it in an organisation's name.

Kept: straight lines and answers, bi-weekly, pride in one's work, asexual reproduction, Gay as a
name.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

RULES = {
    "term": Rule(confidence=0.96),
    "initialism": Rule(confidence=0.97, tail=pattern(r"(?:[\s/]?(?:ia2s|qia|ia|qa|q|i|a|2s))?\+")),
    "gay": Rule(
        confidence=0.94,
        not_before=pattern(r"\b(?:enola|marvin|john|roxane|peter|rudy)\s$"),
        not_after=pattern(r"[\s-]+(?:lussac|street|st\b|road|ave|talese|hendricks)"),
    ),
    "asexual": Rule(
        confidence=0.9, not_after=pattern(r"\s+(?:reproduction|propagation|cycle|stage|spores?|phase|plant)")
    ),
    "straight": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:ally|allies|man|woman|male|female|spouse|alliance|couple|people|and\s+(?:gay|lesbian|queer))\b",
            r"[\s/-]+(?:gay|lesbian)",
        ),
    ),
    "identify": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:i am|i'm|identif(?:y|ies|ying) as|as an openly|openly|orientation\s*[:=-]?)\s*$"),
        not_after=pattern(r"\s*(?:forward|talking|-|to\b|out\b|up\b)"),
    ),
    "same_sex": Rule(confidence=0.93, not_after=pattern(r"\s+(?:school|classes|siblings|twins)")),
    "pride": Rule(
        confidence=0.9,
        case="capital",
        tail=pattern(r"@work"),
        after=pattern(
            r"\s*(?:@work|picnic|foundation|society|events?|float|staff|colleagues|ball|awards?|celebrations?|network|parade|alliance|erg|month|march|employee|committee|festival|group|chapter|center|centre|"
            r"council|flag|week|club|resource|chorus|co-lead|lead\b|chair|employees|at work|steering|day|"
            r"\(lgbt|in london|toronto|london|nyc|amsterdam)"
        ),
        not_after=pattern(r"\s+(?:and prejudice|& prejudice|lands|group (?:llc|inc)|in (?:my|our|the|quality|work))"),
    ),
    "pride_after": Rule(
        confidence=0.9,
        case="capital",
        before=pattern(
            r"\b(?:lgbt\w*\+?|brighton|manchester|madrid|berlin|dublin|sydney|edinburgh|cardiff|leeds|bristol|boston|seattle|"
            r"denver|atlanta|company|gay|employee|trans|black|campus|uk|nyc|sf|san francisco|euro|world|"
            r"capital|chicago|london|heritage of)\s$"
        ),
        not_after=pattern(r"\s+(?:in|of)\b"),
    ),
    "pride_at": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(r"[a-z,]\s$"),
        not_after=pattern(
            r"\s+(?:of|in (?!the (?:city|park|capital|workplace|village)|london|stem|tech|law|surrey)|"
            r"and prejudice|lands|mobility|rock)\b"
        ),
    ),
    "out": Rule(confidence=0.85, before=pattern(r"\b(?:came|coming|come)\s$")),
    "gsa": Rule(
        confidence=0.8,
        case="upper",
        after=pattern(r"\s+(?:president|chair|founder|co-|member|club|officer|adviser|advisor|leader)"),
    ),
    "out_in": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(r"\b(?:member of|chair of|founder of|with|at|for|of|volunteer,?|mentor,?|lead,?|co-chair,?)\s$"),
        after=pattern(
            r"\s+(?:science|tech|law|business|finance|engineering|stem|medicine|work|the city|national|media|uni)"
        ),
    ),
    "coming_out": Rule(confidence=0.85, after=pattern(r"\s+(?:stor|day|workshop|as (?:gay|trans|bi|queer|lesbian))")),
    "ace_group": Rule(
        confidence=0.85,
        not_before=pattern(r"\w-$"),
        after=pattern(
            r"(?:/aro|\s+(?:and|&)\s+aro(?:ace)?)\b", r"\s+(?:spectrum|community|week|visibility|identit|people)\b"
        ),
    ),
    "bi_group": Rule(
        confidence=0.85,
        case="capital",
        after=pattern(
            r"\+?\s*(?:visibility|community|network|pride|staff|and (?:trans|pan|queer|lesbian|gay))\b", r"/pan\b"
        ),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
