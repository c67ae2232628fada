"""GENDER: pronouns, titles and words for women, men and people of other genders.

Kept: connectors, plugs and laboratory animals that are male or female, `manned`, `man-hours`,
sister companies, clothing and health departments, abbreviations such as HER and HIS, the
position `chairman` in a company's name, maternity wards.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_PARTS = (
    r"(?:connectors?|plugs?|sockets?|threads?|threaded|fittings?|adapt[eo]rs?|pins?|headers?|jacks?|couplings?|"
    r"flanges?|ends?|hoses?|terminals?|npt|bnc|sma|usb|hdmi|contacts?|crimps?|receptacles?|"
    r"rats?|mice|mouse|rabbits?|flowers?|plants?|cattle|calves|fish|mosquito(?:es)?|insects?|larvae|screws?|dies?)\b"
)

RULES = {
    "pronoun": Rule(
        confidence=0.98,
        case="prose",
        not_after=pattern(r"\d", r"\s*(?:\+|-?2\b)", r"\s+(?:majesty|royal highness)\b"),
        not_before=pattern(r"\b(?:ehr|emr|lis)/$"),
    ),
    "declared": Rule(confidence=0.99),
    "title": Rule(
        confidence=0.98,
        tail=pattern(r"\."),
        case="title",
        not_after=pattern(r"\s+(?:records?|project|excel|office|sql|teams)\b"),
    ),
    "title_caps": Rule(confidence=0.9, tail=pattern(r"\."), after=pattern(r"\.\s*[^\W\d_]")),
    "title_capitals": Rule(
        confidence=0.85,
        after=pattern(r"\s+(?!(?:imaging|scan|scans|fluid|sequence)\b)[a-z]{2,}"),
        capital_next=True,
        case="upper",
    ),
    "title_before_name": Rule(
        confidence=0.95,
        case="capital",
        capital_next=True,
        tail=pattern(r"\."),
        not_after=pattern(r"\s+(?:lanka|an?|the|any|out|it|or)\b"),
    ),
    "sex": Rule(
        confidence=0.95,
        not_after=pattern(
            rf"(?:[\s,/-]+(?:and|or|to)?[\s/-]*(?:fe)?male)?[\s-]+(?:[a-z0-9-]+\s+)?{_PARTS}",
            r"[\s-]+to[\s-]+(?:fe)?male\b",
        ),
        not_before=pattern(r"\b(?:fe)?male[\s-]+to[\s-]+$"),
    ),
    "noun": Rule(confidence=0.95),
    "man": Rule(
        confidence=0.9,
        not_before=pattern(
            r"[-/]$", r"\b(?:isle of|one|two|pac|middle|the old|no|walkie|per|yes|iron|spider|x|super|bat)\s?$"
        ),
        not_after=pattern(
            r"-(?:in-the|hours?|days?|months?|years?|made|machine|portable|page)",
            r"\s+(?:hours?|days?|months?|years?|pages?|power|group|utd|united|city|machine)\b",
        ),
    ),
    "women_men": Rule(
        confidence=0.95,
        not_after=pattern(
            r"\s*(?:and|&|/)?\s*(?:men'?s|women'?s|children'?s|kids'?|boys'?|girls'?)?\s*"
            r"(?:wear|clothing|apparel|fashion|footwear|shoes|health|ready-to-wear|outerwear|accessories|denim|line)\b"
        ),
        not_before=pattern(r"-$"),
    ),
    "family": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s*-?(?:tongue|board|boards|company|companies|ship|ships|lode|nature|of pearl|node|brand|brands|site|"
            r"sites|city|cities|agency|agencies|property|properties|organi[sz]ation|firm|store|stores|concern|"
            r"publication|station|stations|paper|project|team|plant|hotel|printers?|industries|machines?|cards?|"
            r"sketch|figure|theresa|teresa|'s name|'s day)\b"
        ),
        not_before=pattern(r"&\s*$", r"\b(?:lehman|warner|big|marx|ringling|solomon|salomon|blues|founding|and)\s$"),
    ),
    "family_own": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:my|his|her|their|our|a|one|two|three|four|elder|younger|eldest|youngest|newborn|infant|and|or|"
            r"baby|teenage|old|with|of)\s$"
        ),
        not_after=pattern(r"\s+(?:of a gun|cards?|board)", r"-in-law's firm"),
        not_before=pattern(r"\b(?:and|&)\s$"),
    ),
    "office": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:systems|inc|ltd|llc|corp|corporation|group|mills|industries|gmbh|plc)\b"),
    ),
    "leave": Rule(
        confidence=0.95,
        after=pattern(
            r"(?:\s*(?:/|and|or)\s*(?:maternity|paternity|parental|childcare|adoption))?"
            r"\s+(?:leave|break|absence|pay|gap|career|sabbatical)\b"
        ),
    ),
    "pregnancy": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:my|during|her|while|was|am|became|being|after|due to|through|difficult|and)\s(?:a\s)?$"),
        not_before=pattern(r"\b(?:women|patients|mothers|clients) (?:who are|during|while|after)\s$"),
    ),
    "scouts": Rule(confidence=0.9, after=pattern(r"\s+(?:scouts?|guides?|guiding|brigade)\b")),
    "girl": Rule(
        confidence=0.9, not_before=pattern(r"\b(?:gilmore|spice|golden|cow|beach|backstreet|pet shop|homecoming)\s$")
    ),
    "trans": Rule(
        confidence=0.9,
        after=pattern(
            r"\s+(?:man|woman|men|women|person|people|rights|youth|community|inclusion|masc|femme|health|advocacy|"
            r"network|employee|and|\+)"
        ),
        not_before=pattern(r"-$"),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
