"""Where a name that was given surely is the person, though it is a month, a town, a tool or a word as well.

Only for names that a user gave: what is left of them is a leak, so a place that speaks of a person
counts where for a name that was guessed it would not.
"""

import re

from evenhand.resumes.names.kinds import is_ordinary, kind_of
from evenhand.resumes.names.lists import given_names

__all__ = ["is_surely_person"]

_BY_NAME = re.compile(
    r"[ ]by name\b|'s name\b|,? as \w+(?: \w+)? (?:call(?:ed|s)?|named?|dubbed|nicknamed) (?:it|them)\b"
)
_CALLED_THE = re.compile(
    r"\b(?:called|named|nicknamed|dubbed|christened|known(?: [a-z]+){0,4} as)[ ](?:the|an?|my|our|his|her|their)[ ]$"
)
_NAME = r"([A-Z][a-z]+(?:-[A-Z]?[a-z]+)?)[ ](?:[A-Z]\.[ ])?([A-Z][\w'-]+)"
_AND_NEXT = re.compile(rf"[ ](?:and|&)[ ]{_NAME}")
_AND_BEFORE = re.compile(rf"{_NAME},?[ ](?:and|&)[ ]$")
_VERBS_LISTED = (
    "thanked thank thanks mentored tutored coached supervised onboarded shadowed interviewed praised promoted hired "
    "recommended nominated introduced congratulated invited recruited headhunted persuaded convinced encouraged "
    "inspired mention mentions mentioned phoned emailed texted asked told befriended succeeded replaced joined"
)
_VERBS = frozenset(_VERBS_LISTED.split())
_MET = re.compile(
    r"\b(?:we|i|they|you|who|clients|customers|managers) (?:first |have |had )?(?:met|interviewed|know|knew|hired) $"
)
_AGAIN = re.compile(
    r"[ ](?:twice|again|in person|online|last|once|three times|as (?:an?|the|our|my)|when|through|in|on|and)\b|[.,;]"
)
_LAST_WORD = re.compile(r"([\w'-]+)[ ]$")
#: What follows a person whom something was done for; a noun would be what the name describes.
_ENDED = re.compile(
    r"[.,;:!?)]|$"
    r"|[ ](?:and|in|on|for|to|from|at|during|with|as|by|when|while|after|before|because|who|last)\b"
)
#: Before a clause of its own: `At Kestrel Freight, May ran`.
_INTRODUCED = re.compile(
    r"(?:^|[.!?;:]|[*\u2022>-])[ ]*(?:At|In|During|After|Before|Since|With|From|For|As|When|While|On|Under|Within|Over)"
    r"\b[^.,;]{2,50},[ ]$"
)
_ACTS = re.compile(
    r"[ ](?:[a-z]+ly )?"
    r"(?:led|ran|did|had|wrote|built|took|made|gave|set|won|grew|kept|taught|cut|[a-z]{2,}ed|is|was|has)\b"
)
_THINGS = (
    "month|months|season|quarter|clients?|customer|bank|employer|lender|supplier|vendor|partner|account|market|country|"
    "city|town|language|framework|tool|library|database|week|deadline|acquired|merged|bought|busy|busier|busiest|hot|"
    "cold|wet|warm|slow|quiet|peak|over|used|installed|deployed|chosen|added|introduced|opened|closed|rainy|dry|"
    "difficult|record|time|right|wrong|high|low|fixed|included|due|free"
)
#: What is said of a month, a season, a firm, a town or a tool and of no person.
_IMPERSONAL = re.compile(
    r"[ ](?:is|was|were|has been|had been|will be|would be)(?: (?:also|always|often|by far|still|then|now))?"
    rf"(?: an?| the| our| my| their| one)?(?: [\w-]+){{0,2}} (?:{_THINGS})\b"
)
_BE = re.compile(
    r"[ ](?:is|was|has|had|will|would|can|could|might|must|should|does|did)(?: not| never| always| also)?\b"
)
_OF_A_TOOL = re.compile(
    r"'s (?:\w+ )?(?:types?|syntax|compiler|packages?|ecosystem|library|libraries|performance|speed|documentation|docs|"
    r"community|standard|runtime|interpreter|api|garbage|memory|concurrency|release|version|gems?|plots?|arrays?|"
    r"tax|laws?|economy|capital|government|market|ports?|weather|climate|border|population|south|north|east|west|"
    r"deadline|figures|sales|results|numbers|close|report|release)\b"
)


def is_surely_person(left: str, right: str, kind: str, *, opens: bool) -> bool:
    """Say whether a capitalised word between `left` and `right` stands for the person whose name it was given as.

    `kind` is what else the word is; `opens`: it begins a sentence.

    >>> is_surely_person("Customers asked for ", " by name.", "month", opens=False)
    True
    >>> is_surely_person("Orders rose in ", " and June.", "month", opens=False)
    False
    """
    low = left.lower()
    last = _LAST_WORD.search(low)
    if _BY_NAME.match(right) is not None or _CALLED_THE.search(low) is not None or _is_beside_a_person(left, right):
        return True
    if _MET.search(low) is not None and _AGAIN.match(right) is not None:
        return True
    if last is not None and last.group(1) in _VERBS and _ENDED.match(right) is not None:
        return True
    if right.startswith("'s ") and right[3:4].islower() and kind in {"tool", "organisation"}:
        return last is not None and _OF_A_TOOL.match(right) is None
    if _IMPERSONAL.match(right) is not None:
        return False
    acts = _INTRODUCED.search(left) is not None and _ACTS.match(right) is not None
    return acts or (opens and kind in {"month", "organisation"} and _BE.match(right) is not None)


def _is_beside_a_person(left: str, right: str) -> bool:
    """Say whether `and` joins a word to another person's whole name: `thanked May and Ann Roe`, `Ann Roe and May`."""
    following, before = _AND_NEXT.match(right), _AND_BEFORE.search(left)
    if following is not None and _is_a_person(*following.groups()):
        return True
    return before is not None and _is_a_person(*before.groups()) and _ENDED.match(right) is not None


def _is_a_person(first: str, last: str) -> bool:
    """Say whether two words are a person's name."""
    given, family = first.lower(), last.lower().removesuffix("'s")
    if is_ordinary(family) or kind_of(given) in {"ordinary", "job", "particle"}:
        return False
    return given in given_names() or (kind_of(given) in {"word", "name"} and kind_of(family) == "name")
