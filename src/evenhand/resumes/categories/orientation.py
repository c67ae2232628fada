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
        after=pattern(
            r"\s*(?:network|parade|alliance|erg|month|march|employee|committee|festival|group|chapter|center|centre|"
            r"council|flag|week|club|resource|chorus|co-lead|lead\b|chair|employees|at work|steering|day|"
            r"\(lgbt|in london|toronto|london|nyc|amsterdam)"
        ),
        not_after=pattern(r"\s+(?:and prejudice|& prejudice|lands|group (?:llc|inc)|in (?:my|our|the|quality|work))"),
    ),
    "pride_after": Rule(
        confidence=0.9,
        case="capital",
        before=pattern(
            r"\b(?:lgbt\w*\+?|company|gay|employee|trans|black|campus|uk|nyc|sf|san francisco|euro|world|"
            r"capital|chicago|london|heritage of)\s$"
        ),
        not_after=pattern(r"\s+(?:in|of)\b"),
    ),
    "pride_at": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(r"[a-z,]\s$"),
        not_after=pattern(r"\s+(?:of|in|and prejudice|lands|mobility|rock)\b"),
    ),
    "out": Rule(confidence=0.85, before=pattern(r"\b(?:came|coming|come)\s$")),
    "proxy": Rule(confidence=0.7, strict=True),
}
