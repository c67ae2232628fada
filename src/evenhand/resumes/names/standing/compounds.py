"""Where a word of a known name is plainly none: in the name of a place, a school or a firm, or the month of something.

What stands here holds for words of names that the caller told, of which a leak is worse than a word too many; so each
was counted in 6,813 places of people's names before it came in (docs/design/masking.md): none is in a compound, and six
that are seldom a person's seem unlikely besides.
"""

import re
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS
from evenhand.resumes.names.standing.sure_names import MENTION_WORDS

__all__ = ["OPENS", "SMALL_WORD", "SONS", "is_in_a_compound", "is_seldom_a_person"]

#: What stands before the first word of a sentence, and a word in small letters behind one.
OPENS = lazy_re(r"(?:^|[.!?:;\u2022])[ \t*>|-]*$")
SMALL_WORD = lazy_re(r"[ ][a-z]")

SONS = lazy_re(r"[ ](?:&|and)[ ](?:Sons?|Daughters?)\b")
_A_OR_AN = lazy_re(r"\ban? $", re.IGNORECASE)
_LISTED = lazy_re(r",[ ][A-Z]")
_OF = lazy_re(r"[ ]of\b")


@cache
def _before() -> dict[str, re.Pattern[str]]:
    return {
        "month": MENTION_WORDS.before_month,
        "place": MENTION_WORDS.before_place,
        "tool": lazy_re(r"\b(?:in|using|wrote|from) $", re.IGNORECASE),
        "organisation": lazy_re(r"\b(?:at|joined|left|banks?|acquired by) $", re.IGNORECASE),
    }


def is_in_a_compound(left: str, right: str) -> bool:
    """Say whether a word is part of a place's, a school's or a firm's name.

    >>> is_in_a_compound("Studied at ", " College, New York"), is_in_a_compound("", " Lane, nurse")
    (True, False)
    """
    return MENTION_WORDS.place_after.match(right) is not None or MENTION_WORDS.place_before.search(left) is not None


def is_seldom_a_person(left: str, right: str, kind: str) -> bool:
    """Say whether what stands beside a word is seldom a person's: `in May`, `Price lists`, `Dean of Students`.

    >>> [is_seldom_a_person(left, " and Egypt", "place") for left in ("flights to ", "thanks to ")]
    [True, False]
    """
    if _A_OR_AN.search(left) is not None or _OF.match(right) is not None:
        return True
    opens = OPENS.search(left) is not None
    if opens and kind in {"word", "month"} and SMALL_WORD.match(right) is not None:
        return not any(
            goes_on.match(right) is not None
            for goes_on in (AROUND_WORDS.verb, AROUND_WORDS.does, MENTION_WORDS.goes_on)
        )
    if kind == "tool" and _LISTED.match(right) is not None:
        return True
    before = _before().get(kind)
    return (
        before is not None
        and not opens
        and before.search(left) is not None
        and MENTION_WORDS.of_people.search(left) is None
    )
