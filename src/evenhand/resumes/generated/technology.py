"""Technology as advertisements and résumés name it."""

from functools import cache

from evenhand.lexicons.onet import Occupation
from evenhand.patterns import lazy_re
from evenhand.resumes.generated.wording import path_of, wording

__all__ = ["asked_for", "named"]

_CAPITALS = lazy_re(r"^[A-Z]{3,}$")
#: Single words that are a product's name; others say what the software is for.
_PRODUCTS = frozenset(("Blackboard", "MEDITECH", "Procore", "SAP", "Salesforce", "Workday"))


@cache
def asked_for(occupation: Occupation) -> tuple[str, ...]:
    """Return the technology that the advertisement of an occupation asks for, as it is named there."""
    by_hand = wording().families[path_of(occupation).family].by_hand
    office = [each for each in occupation.technology if each.startswith("Microsoft ")]
    special = [each for each in occupation.technology if each not in office]
    chosen = special[:1] if by_hand else [*office[:2], *special[:3]]
    return tuple(named(each) for each in occupation.technology if each in chosen)


@cache
def named(technology: str) -> str:
    """Return a technology of O*NET as people write it.

    >>> named("Structured query language SQL"), named("Microsoft Office software"), named("Accounting software")
    ('structured query language (SQL)', 'Microsoft Office', 'accounting software')
    """
    words = technology.split(" ")
    for place, word in enumerate(words[1:], start=1):
        if _CAPITALS.match(word) and (words[place - 1].islower() or _initials(words[:place]).endswith(word.lower())):
            words[place] = f"({word})"
    if words[-1] == "software" and _is_product(words[:-1]):
        return " ".join(words[:-1])
    if len(words) > 1 and words[0][1:].islower() and all(word.islower() or word[0] == "(" for word in words[1:]):
        words[0] = words[0].lower()
    return " ".join(words)


def _is_product(words: list[str]) -> bool:
    """Return whether words are a product's name, and not what software is for."""
    return words[0] in _PRODUCTS if len(words) == 1 else not any(word[0].islower() for word in words)


def _initials(words: list[str]) -> str:
    return "".join(word[0] for word in words).lower()
