"""MARITAL: marital and family status of the person.

Kept: single sign-on and single-page, partners of a firm, family law and divorce as a practice,
husbandry, `married` as a verb (married design with data), engagement of customers.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_SELF = (
    r"\b(?:i am|i'm|am|is|happily|recently|newly|currently|getting|got|still|and|got|remain|legally|now|he's|she's)\s"
)

RULES = {
    "spouse": Rule(
        confidence=0.95,
        not_before=pattern(r"\b(?:military|army|navy)\s$", r"\bthe good\s$"),
        not_after=pattern(r"\s+(?:beater|swap)\b"),
    ),
    "spouse_case": Rule(confidence=0.9, not_after=pattern(r"\s+(?:visa|cases?|claims?|benefits?|privilege)\b")),
    "term": Rule(confidence=0.95),
    "married": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s+(?:up\b|the\b|our\b|its\b|data\b|design\b|technology\b|\w+ (?:and|with|to) |quarters|"
            r"couples? (?:counsel|filing|therap))"
        ),
    ),
    "married_with": Rule(
        confidence=0.93,
        after=pattern(
            r"\s+(?:with|for|to (?:a|an|my)\b|and|since|father|mother|man|woman|in (?:19|20)\d\d|to [A-Z])"
            r"(?!\s+(?:data|design|technology|the|analytics))"
        ),
        before=pattern(r"(?:^|[.,;:|(•\n-]\s*)$", _SELF + "$"),
    ),
    "state": Rule(
        confidence=0.9,
        before=pattern(_SELF + r"$", r"\b(?:marital|civil|family|relationship)(?: status)?\s*(?:is|[:=-])?\s*$"),
        not_after=pattern(
            r"\s+(?:in|with|on|page|point|sign|source|most|handedly|largest|from|by|biggest|owner|tenant|out)\b", r"-"
        ),
    ),
    "single_parent": Rule(confidence=0.93, after=pattern(r"[\s-]+(?:parent|mother|father|mom|mum|dad|parenthood)\b")),
    "single_details": Rule(
        confidence=0.85,
        after=pattern(
            r"\s*[,;|/]\s*(?:male|female|(?:one|two|three|four|\d) (?:child|children|kids)|no children|"
            r"no dependents|indian|born|aged|\d\d years|british|"
            r"american|christian|muslim|hindu)\b"
        ),
    ),
    "single_after_details": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:male|female|years old|citizen|national|indian|nigerian|filipino|chinese)\s*[,;|/]\s*$"),
    ),
    "alone": Rule(
        confidence=0.88,
        before=pattern(r"(?:^|\n|[|•;:(]\s*|\*\s|-\s)$", r"\b(?:male|female|citizen|national|\d)\s*[,;|/]\s*$"),
        after=pattern(
            r"\s*(?:$|\n|[|;•)])",
            r"\s*[,–-]\s*(?:with\s)?(?:\w+\s){0,2}(?:children|child|kids|dependents?|dependants?|male|female|\d)",
            r"\s+with (?:\w+ )?(?:children|kids|child|daughters?|sons?)",
        ),
    ),
    "divorced": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s+(?:law|and family|cases?|practice|lawyer|attorney|from (?:the|reality|its)|mediat|settlement|"
            r"proceedings|litigation|filings|petitions|couples|clients|parents)"
        ),
    ),
    "divorce": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:my|after a|after my|following a|following my|through a|own|due to a|recent)\s$"),
    ),
    "partner": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:my|life|civil|domestic|live-in|long-term|same-sex|cohabiting|romantic|unmarried)\s$"),
        not_after=pattern(r"\s+(?:firm|agency|school|organi[sz]ation|company|team|bank|network|network)\b"),
    ),
    "widow": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:and orphan|control|lines?|spider|makers?)"),
        not_before=pattern(r"\bblack\s$"),
    ),
    "children": Rule(confidence=0.85),
    "proxy": Rule(confidence=0.7, strict=True),
}
