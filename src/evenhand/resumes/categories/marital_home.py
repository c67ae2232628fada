"""MARITAL: children, a household and a marriage as bare facts, care for relatives as a reason, homes for families.

`Three kids, two dogs`, `Married 22 years`, `when the baby came`, `Spare time: family`, `household of five`. Kept:
children in classes, wards and groups, flats that are let, care as a trade, personnel work.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["HOME"]

_CARE_AS_TRADE = (
    r"[\s-]+(?:workers?|homes?|wing|assistants?|services?|facilit\w+|sector|law|attorney|medicine|"
    r"providers?|industry|agency|nurs\w+|staff|compan\w+|unit|ward|settings?|diploma|manager|experience|polic\w+|"
    r"requests|paperwork|admin\w*|cases|support|charity|counsel\w+|team|helpline|customers|skills|training|"
    r"certificat\w+|aide|jobs?|robots?|research|products?|entitle\w+|processing|claims|and disability|group|visits|"
    r"notices?|fares?|packages?)\b"
)
_BOUND = r"(?:^|[\n.;:•*|>▪●·➢■◆→○✓~+–-])\s*"
HOME = {
    "care_leave": Rule(
        confidence=0.86,
        before=pattern(_BOUND + "$", r"\b(?:took|taking|on|my|of|months'?|weeks'?|had)\s$"),
        after=pattern(
            r"\s*[,(:]?\s*(?:(?:19|20)\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* (?:19|20)\d\d)",
            r",?\s+(?:after|following|when|while|to|for|in (?:19|20)\d\d|in the family|of (?:my|our)|and childcare)\b",
            r"\s*(?:$|\n)",
        ),
        tail=pattern(r"\s+and child ?care\b"),
        not_before=pattern(
            r"\b(?:staff|employees|colleagues|clients|polic\w+|process\w*|approv\w+|covered|training)\b[^.\n]{0,40}$"
        ),
        not_after=pattern(_CARE_AS_TRADE, r"\s+for (?:staff|employees|teams?|workers|residents|clients)\b"),
    ),
}
