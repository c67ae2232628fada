"""MARITAL: what tells beside a word of one's family: `late` husband, `raised our` twins, wife `and two kids`.

These are leads and tails only: none of them lets a word count.
"""

from dataclasses import replace

from evenhand.resumes.categories.marital_children import CHILD, STEP, counted
from evenhand.resumes.rules import Rule, pattern

__all__ = ["WHOSE_CHILD", "widened"]

_HOW = (
    r"(?:late|dear|deceased|beloved|ailing|sick|ill|(?:terminally|seriously|chronically|critically) ill|injured|"
    r"disabled|elderly|pregnant|new|then|now|future|first|second|former|estranged|depend[ae]nt|trailing|accompanying|"
    r"military|army|navy|marine|air force|raf|police|police officer|working|lovely|wonderful|amazing|supportive|"
    r"loving|male|female|same[ -]sex|common[ -]law|long-term|current|live-in|lawful|legal|wedded|unmarried|"
    r"expatriate|foreign|serving|diplomat|husband and|wife and)"
)
_WHOSE = pattern(rf"(?<![\w'-])(?:{_HOW} )+$")
#: Children whom one raises, cares for or has.
_RAISED = (
    r"(?:(?:rais(?:e|ed|ing)|br(?:ing|inging|ought) up|home-?school(?:ed|ing)?|welcom(?:ed|ing)|adopt(?:ed|ing)?|"
    r"expect(?:ed|ing)|having|parenting|co-?parent(?:ed|ing)|gave birth to|giving birth to|birth of|"
    r"(?:full-time )?(?:car(?:e|ed|ing) for|look(?:ed|ing)? after))\s)"
)
_WHOM = r"(?:my|our|their|his|her)\s(?:own\s)?"
WHOSE_CHILD = pattern(
    rf"(?<![\w'-])(?:{_RAISED}(?:an?\s|the\s|another\s|{_WHOM})?|"
    rf"(?<=have\s)an?\s|(?<=has\s)an?\s|(?<=had\s)an?\s)?(?:{STEP}|late\s|dear\s)*$"
)
_WHO = r"(?:my |our |the |their |his |her )?"
_AND_CHILDREN = pattern(r"'s\b", rf"\s+(?:and|&|\+|with)\s+{_WHO}{counted(CHILD)}(?!')")
_TO = r" to\b(?= (?:an?|my|his|her|another|someone|somebody|dr|mr|mrs|ms) (?!job|work|craft|desk|career|idea))"
_WITH = (
    _TO,
    rf"\s+(?:with |w/\s?)(?:no |my |our )?{counted(CHILD)}(?!')",
    rf"\s+and {_WHO}(?:{STEP})+{CHILD}(?!')",
    r"\s+by choice\b",
)
_WITH_CHILDREN = pattern(*_WITH)
_LEADS = {
    **dict.fromkeys(("spouse", "spouse_case", "in_law", "partner_own", "partner", "ex", "widow"), _WHOSE),
    **dict.fromkeys(("own_child", "number_of", "eldest"), WHOSE_CHILD),
}
_TAILS = {
    **dict.fromkeys(("spouse", "spouse_case", "partner_own", "partner"), _AND_CHILDREN),
    **dict.fromkeys(
        ("labelled", "married", "goes_on", "fact", "single_self", "single_goes_on", "divorced", "divorced_self"),
        _WITH_CHILDREN,
    ),
    "widow": pattern(r"'s?(?= )", *_WITH),
    **dict.fromkeys(("verb_too", "childless", "single", "single_person"), _WITH_CHILDREN),
}


def widened(rules: dict[str, Rule]) -> dict[str, Rule]:
    """Return rules that mask what stands beside their words too, where they name no lead or tail of their own."""
    return {
        name: replace(rule, lead=_LEADS.get(name, rule.lead), tail=_TAILS.get(name, rule.tail))
        for name, rule in rules.items()
    }
