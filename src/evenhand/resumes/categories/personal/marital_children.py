"""MARITAL: words for children, how many there are and how old; which of them are the candidate's own.

Kept: children as work (taught, minded, treated), others' children, child nodes. A word of children counts where
somebody has them, or where they stand beside a word of marital status.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["CHILD", "CHILDREN", "NUMBER", "STEP", "counted"]

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


_STATUS = (
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
            rf"\b{_STATUS}{_LINKS}(?:an? |our |my |no )?(?:{STEP})*$",
            rf"{_DETAIL}{NUMBER} (?:{STEP})*$",
        ),
        not_after=pattern(
            r"'s? (?!school|nurser|birth|illness)\w",
            r"\s+(?:in (?:my|the|each)|per|under (?:my|our)|rescued|from|who|at risk|nodes?|process|compan)\b",
        ),
        lead=pattern(rf"(?<![\w-])(?:{STEP})+$"),
    ),
}
