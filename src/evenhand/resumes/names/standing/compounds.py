"""Where a word of a known name is plainly none: in the name of a place, a school or a firm, or the month of something.

What stands here holds for words of names that the caller told, of which a leak is worse than a word too many; so each
was counted in 6,813 places of people's names before it came in (docs/design/masking.md): none is in a compound, and six
that are seldom a person's seem unlikely besides.
"""

import re

from evenhand.patterns import lazy_re
from evenhand.resumes.names.usage import DOES, VERB

__all__ = ["FAMILY_FIRM", "OPENS", "OWN_FIRM", "SMALL_WORD", "SONS", "is_in_a_compound", "is_seldom_a_person"]

#: What stands before the first word of a sentence, and a word in small letters behind one.
OPENS = lazy_re(r"(?:^|[.!?:;\u2022])[ \t*>|-]*$")
SMALL_WORD = lazy_re(r"[ ][a-z]")

#: A firm that bears its owner's name: `King & Sons`, `Ivory Brothers`, `Law & Associates`.
FAMILY_FIRM = lazy_re(
    r"[ ](?:(?:&|and|und|et|y|e)[ ](?:Sons?|Daughters?|S\xf6hne|Co|Partners|Associates|Brothers|Family)|"
    r"Associates|Bros|(?:(?:Trading|Services|Enterprises|Stores?|Ventures|Holdings|Industries|Construction|Consulting|"
    r"Design)[ ])*(?:Ltd|Limited|Pty|Inc|LLC|LLP|GmbH|Pvt|PLC|Plc|SARL|Sdn))\b"
)
_KINDS_OF_FIRMS_LISTED = (
    "studio studios agency architects builders consulting consultants consultancy motors bakery catering plumbing "
    "electrical logistics foods textiles interiors solicitors attorneys accountants surveyors engineering practice "
    "clinic farm farms salon photography contractors roofing joinery"
)
_KINDS_OF_FIRMS = "|".join(_KINDS_OF_FIRMS_LISTED.split())
SONS = lazy_re(r"[ ](?:&|and)[ ](?:Sons?|Daughters?)\b")
#: The same for who is known to bear the name: `Law Design Studio`.
OWN_FIRM = lazy_re(rf"{FAMILY_FIRM.pattern}|(?:[ ](?:&[ ])?[A-Z][a-z]+){{0,2}}[ ](?:{_KINDS_OF_FIRMS.title()})\b")
_OF_PLACES = (
    "University|College|Hospital|Infirmary|Polytechnic|Academy|Elementary|Middle School|High School|Primary|Secondary|"
    "County|City|Town|River|Valley|Beach|Islands?|Bay|Desert|Mountains?|Ocean|Sea|Peninsula|Peak|Canyon|Falls|"
    "Airport|Port|Harbou?r|Tunnel|Bridge|Station|Stadium|Square|Avenue|Boulevard|Cathedral|Abbey|Museum|League"
)
#: `Hunter College`, `Cook County`; not `Amber Lane` or `Jordan Hill`, who may be people.
_PLACE_AFTER = lazy_re(rf"[ ](?:{_OF_PLACES})\b(?!'s)")
_PLACE_BEFORE = lazy_re(
    r"\b(?:Santa|San|Los|Las|La|El|South|North|West|East|New|Fort|Port|Mount|Lake|Key|Amman,|"
    r"Air|Burger|Taco|JPMorgan|JP Morgan|Ernst &|Wells|Snow|Town|City|Royal|National|Carnegie|"
    r"Black|Good|Red|Six Sigma|Associate|Assistant|Vice|Deputy)[ ]$"
)
#: What goes on behind a person at a sentence's start and not behind the first half of `Price lists`.
_GOES_ON = lazy_re(
    r"[ ](?:and|at|in|on|is|for|with|from|by|to|as|who|has|was|works?|speaking|here|first|also|[a-z]+(?:ed|ly))\b"
    r"|[ ][a-z]+s (?:into|when|whenever|while|because|until|me|us|you|him|her|them|himself|herself|everyone)\b"
)
_A_OR_AN = lazy_re(r"\ban? $", re.IGNORECASE)
_LISTED = lazy_re(r",[ ][A-Z]")
_OF = lazy_re(r"[ ]of\b")
_BEFORE = {
    "month": lazy_re(
        r"\b(?:in|since|until|till|during|every|each|end of|first of|last|next|late|early|mid|from|of|the following|on|"
        r"this) $",
        re.IGNORECASE,
    ),
    "place": lazy_re(r"\b(?:in|to|from|across|through|via|near|outside|between|around|at|into) $", re.IGNORECASE),
    "tool": lazy_re(r"\b(?:in|using|wrote|from) $", re.IGNORECASE),
    "organisation": lazy_re(r"\b(?:at|joined|left|banks?|acquired by) $", re.IGNORECASE),
}
#: Whom one trusts in, hears from and thinks of.
_OF_PEOPLE = lazy_re(
    r"\b(?:confidence|faith|trust(?:s|ed)?|believe[sd]?|belief|interest|see|saw|found|find|like|value|admire|love|lucky|"
    r"invest\w*|pride|changed?|met|lost|gained?|potential|leader|colleague|friend) in $"
    r"|\b(?:hear|heard|learn\w*|letter|note|email|message|reference|quote|words?|thanks|advice|help|call|text|regards|"
    r"away|feedback|came|come|comes) (?:\w+ )?from $"
    r"|\b(?:speak|spoke|heard|ask|told|most|best|think|thought|fond|proud|all|both|each|portrait|picture|photo|one|"
    r"opinion|care|sort|sure|ahead) (?:\w+ )?of $|\b(?:thanks|answers?|answered|listen\w*|report\w*|talk\w*|spoke|"
    r"speak|write|wrote|turn\w*|go|went|gave|give|given|"
    r"left|hand\w*|issued|return\w*|owe[sd]?|goes|according|next|credit|grateful|due|belongs?) (?:\w+ )?to $",
    re.IGNORECASE,
)


def is_in_a_compound(left: str, right: str) -> bool:
    """Say whether a word is part of a place's, a school's or a firm's name.

    >>> is_in_a_compound("Studied at ", " College, New York"), is_in_a_compound("", " Lane, nurse")
    (True, False)
    """
    return _PLACE_AFTER.match(right) is not None or _PLACE_BEFORE.search(left) is not None


def is_seldom_a_person(left: str, right: str, kind: str) -> bool:
    """Say whether what stands beside a word is seldom a person's: `in May`, `Price lists`, `Dean of Students`.

    >>> [is_seldom_a_person(left, " and Egypt", "place") for left in ("flights to ", "thanks to ")]
    [True, False]
    """
    if _A_OR_AN.search(left) is not None or _OF.match(right) is not None:
        return True
    opens = OPENS.search(left) is not None
    if opens and kind in {"word", "month"} and SMALL_WORD.match(right) is not None:
        return not any(goes_on.match(right) is not None for goes_on in (VERB, DOES, _GOES_ON))
    if kind == "tool" and _LISTED.match(right) is not None:
        return True
    before = _BEFORE.get(kind)
    return before is not None and not opens and before.search(left) is not None and _OF_PEOPLE.search(left) is None
