"""MARITAL: marital and family status, and the candidate's own children.

A word for children counts where somebody has them, or next to a word of marital status.

Kept: children as work (taught, minded, treated), others' children, child nodes; single sign-on and single
rooms, partners of a firm, family law and divorce as a practice, husbandry, `married` and `divorced` as verbs
(married design with data), engagement of customers.
"""

from functools import cache

from evenhand.masking.categories.candidate import CANDIDATE_WORDS, is_candidates
from evenhand.masking.rules import Rule, pattern
from evenhand.word_tables import WordTable

NUMBER = r"(?:no|one|two|three|four|five|six|seven|eight|nine|ten|both|several|zero|\d\d?)"
_AGE = r"(?:\d\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_KIND = (
    r"(?:own|only|first|second|third|fourth|first-born|eldest|oldest|youngest|middle|elder|older|younger|other|new|"
    r"newborn|unborn|young|small|little|tiny|infant|baby|toddler|teen|teen-?aged?|school[ -]?(?:age|aged|going)|"
    r"pre-?school|primary(?:[ -](?:age|aged|school))?|secondary(?:[ -](?:age|aged|school))?|"
    r"(?:nursery|university|college)[ -]age|grown(?:[ -]up)?|adult|dependent|dependant|minor|biological|natural|step|"
    r"foster|adopted|adoptive|twin|healthy|lovely|beautiful|wonderful|amazing|energetic|lively|growing|bilingual|"
    rf"disabled|autistic|deaf|blind|gifted|very|{_AGE}[ -](?:year|month|week)s?[ -]old)"
)
#: A number or a kind of child before the word: `two `, `school-age `.
STEP = rf"(?:{NUMBER}|{_KIND})(?:[\s-]+|, )"
_COUNTED = rf"(?:{STEP})*"
CHILD = (
    r"(?:(?:step|grand|great-grand|god|school)?child(?:ren)?|(?:step|grand)?kids?|kiddos?|sons?|daughters?|boys?|"
    r"girls?|(?:brothers|sisters|siblings)(?= (?:from|in (?:19|20)\d\d))|kindergart[ae]?ners?|(?:first|"
    r"second|third|fourth|fifth|sixth)[ -]graders?|tweens?|under-(?:twos|threes|fours|fives|tens)|"
    r"(?:middle|high|elementary)[ -]schoolers?|twins|triplets|quadruplets|bab(?:y|ies)|newborns?|infants?|"
    r"toddlers?|teenagers?|teens|pre-?schoolers?|offspring|"
    r"little ones?|depend[ae]nts?)\b"
)


def counted(child: str) -> str:
    """Return a pattern of a word with the numbers and ages before it: `two school-age` children."""
    return rf"{_COUNTED}{child}"


_STATUS_WORDS = (
    r"(?:(?:re|un)?married|single|divorced|separated|widow(?:ed|er)?|partnered|husband|wife|spouse|partner|"
    r"relationship|mother|father|mum|mom|dad|mama|parent|verheiratet|ledig|geschieden)"
)
_HAS = r"(?:(?:i|we|he|she|they) (?:also |now |both )?(?:have|has)|(?:i|we|they)'ve(?: got)?|raising|raised|expecting)"
_LINKS = r"(?:\s*(?:[,;:/|&+(]|\b(?:and|with|of|to|have|has)\b))+\s*"
_DETAIL = r"(?:^|\n|[\u2022*|>;.:-])[ \t]*"

CHILDREN = {
    "own_child": Rule(
        confidence=0.9,
        before=pattern(
            rf"\b(?:my|our|his|her) (?:own )?(?:{STEP})*$",
            rf"\b{_HAS} (?:an? |my |our |no )?(?:{STEP})*$",
            rf"\b{_STATUS_WORDS}{_LINKS}(?:an? |our |my |no )?(?:{STEP})*$",
            rf"{_DETAIL}{NUMBER} (?:{STEP})*$",
        ),
        not_after=pattern(
            r"'s? (?!school|nurser|birth|illness)\w",
            r"\s+(?:in (?:my|the|each)|per|under (?:my|our)|rescued|from|who|at risk|nodes?|process|compan)\b",
        ),
        lead=pattern(rf"(?<![\w-])(?:{STEP})+$"),
    ),
}

MARITAL_WORDS = WordTable("evenhand.masking.categories", "marital.toml", compiled=pattern)

_POSSESSIVE = pattern(r"'s\b")


#: Where a fact of its own begins and ends: `34, married, two kids`.
_START = r"(?:^|\n\s*(?:o\s+)?|\\item\s+|\\\\\s*|[^\w\s'&/-]\s*|\s[-/]\s+|\t|\s{2,})$"


@cache
def _status() -> dict[str, Rule]:
    return {
        "spouse": Rule(confidence=0.95, tail=_POSSESSIVE, not_after=pattern(r"\s+(?:beater|swap)\b")),
        "term": Rule(confidence=0.95),
        "custody": Rule(confidence=0.9, after=pattern(r" of (?:my|our|his|her)\b")),
        "parent": Rule(confidence=0.95, not_after=MARITAL_WORDS.status_parent_not_after),
        "labelled": Rule(confidence=0.93, before=MARITAL_WORDS.label),
        "married": Rule(confidence=0.92, before=MARITAL_WORDS.self, lead=MARITAL_WORDS.how),
        "apart": Rule(
            confidence=0.9,
            not_after=MARITAL_WORDS.status_apart_not_after,
            before=MARITAL_WORDS.status_apart_before,
            lead=MARITAL_WORDS.how,
        ),
        "fact": Rule(confidence=0.9, after=MARITAL_WORDS.status_fact_after, before=pattern(_START)),
        "engaged": Rule(
            confidence=0.9,
            after=MARITAL_WORDS.status_engaged_after,
            lead=MARITAL_WORDS.how,
            not_before=MARITAL_WORDS.status_engaged_not_before,
        ),
        "single": Rule(confidence=0.88, after=MARITAL_WORDS.end, not_after=MARITAL_WORDS.status_single_not_after),
        "single_self": Rule(confidence=0.9, before=MARITAL_WORDS.status_single_self_before),
        "divorced": Rule(confidence=0.9, not_after=MARITAL_WORDS.status_divorced_not_after, lead=MARITAL_WORDS.how),
        "divorce": Rule(confidence=0.9, before=MARITAL_WORDS.status_divorce_before),
        "widow": Rule(confidence=0.9, not_after=MARITAL_WORDS.status_widow_not_after),
        "pregnancy": Rule(
            confidence=0.87,
            not_after=MARITAL_WORDS.status_pregnancy_not_after,
            lead=MARITAL_WORDS.status_pregnancy_lead,
        ),
        "marriage": Rule(confidence=0.88, after=MARITAL_WORDS.status_marriage_after),
        "at_sign": Rule(confidence=0.9, after=pattern(r"@s?(?![\w.])"), tail=pattern(r"@s?")),
        "couple": Rule(confidence=0.9, after=pattern(r"\s+of the (?:year|month)\b")),
        "parent_of": Rule(
            confidence=0.9,
            after=pattern(r"[\s-]+(?:an? |my )?(?:" + STEP + r")*" + CHILD, rf"[\s-]+{NUMBER}\b(?! \w+s\b)"),
            tail=pattern(r"[\s-]+(?:an? |my )?(?:" + STEP + r")*" + CHILD, rf"[\s-]+{NUMBER}\b"),
        ),
        "partner_own": Rule(
            confidence=0.86,
            tail=_POSSESSIVE,
            before=MARITAL_WORDS.status_partner_own_before,
            not_after=MARITAL_WORDS.status_partner_own_not_after,
        ),
        "relationship": Rule(confidence=0.86, before=pattern(r"\bin an? $"), after=MARITAL_WORDS.end),
        "leave_own": Rule(
            confidence=0.9, not_before=CANDIDATE_WORDS.office_leave, not_after=CANDIDATE_WORDS.leave_as_work
        ),
        "told": Rule(confidence=0.85, check=is_candidates),
        "spouse_case": Rule(confidence=0.9, tail=_POSSESSIVE),
        "plain": Rule(confidence=0.9),
        "proxy": Rule(confidence=0.7, strict=True),
    }


@cache
def rules() -> dict[str, Rule]:
    """Return when a phrase counts, by its rule."""
    return _status() | CHILDREN
