"""Whether a thing of a nation or a people (a food stall, a weekly) is told of as part of life in a community.

`Cook for the Thai food tent at the school fair` tells of a person; `launched a Thai food range in 40 stores`
does not. What is shared in a community is listed; a word of volunteering or neighbours has to stand
in the same sentence, and none of business.
"""

import re

from evenhand.resumes.plain import Plain

__all__ = ["in_community", "sentence_around"]

_SHARED_LISTED = (
    "food foods meal meals dinner dinners lunch lunches supper suppers breakfast breakfasts brunch cooking kitchen "
    "bakery bakeries cake cakes bread dish dishes snack snacks sweets stall stalls stand tent booth table night nights "
    "evening evenings day days afternoon week weekend weekly monthly newspaper newspapers paper papers magazine "
    "newsletter bulletin radio podcast show shows film films cinema movie movies history music dance dances dancing "
    "folk library book books bookshop story stories storytelling storytime poetry theatre theater drama art arts craft "
    "crafts embroidery walk walks tour tours pavilion float parade parades carnival festival festivals fair fairs "
    "fete feast feasts celebration celebrations new concert concerts song songs singing costume costumes drumming "
    "playgroup potluck gathering gatherings picnic heritage memorial press broadcast broadcasts programme list"
)
_SHARED = frozenset(_SHARED_LISTED.split())
_AMONG_NEIGHBOURS = re.compile(
    r"\b(?:volunt\w+|unpaid|neighbou?rs?|neighbou?rhood|communit(?:y|ies)|fairs?|fete|diaspora|newcomers?|"
    r"new arrivals|emigres?|exiles?|elders|elderly|pensioners|parish|charit\w+|church|mosque|temple|synagogue|gurdwara|"
    r"refugees?|asylum|migrants?|immigrants?|expats?|street (?:party|festival)|village|carnival|cultural|culture|"
    r"homeless|shelter|soup kitchen|food bank|women's (?:cent\w+|group)|youth (?:club|group|cent\w+)|lunch club|"
    r"our (?:street|block|town|school|club|society|cent\w+|families)|pta|fundrais\w+|festivals?|heritage|"
    r"(?:students'?|student) (?:union|society|association|club)|old people|care home|rising star|shortlist\w*|"
    r"role model|power list|in need|hospices?|hospitals?|orphan\w*|hungry|the poor|choir|"
    r"appeals?|donat\w+|lonely|single parents|service users|block party|second generation)\b"
)
_BUSINESS = re.compile(
    r"\b(?:suppliers?|contracts?|sales|sold|sell\w*|clients?|customers?|stores?|supermarkets?|chains?|"
    r"ranges?|launch\w*|revenue|hotels?|restaurants?|budgets?|exports?|imports?|products?|brands?|markets?|marketing|"
    r"retail\w*|profits?|compan(?:y|ies)|firms?|campaigns?|patents?|turnover|wholesale\w*|commercial|buyers?|catering "
    r"for|covers|logistics|factor(?:y|ies)|audit\w*|app|software|website)\b"
)
_FAR = 140
_MOST_WORDS = 4
_SENTENCE_END = re.compile(
    r"[.;!?|•·▪][\"')\]]{0,2},?(?:\s|$)|\n[ \t]*(?:[-*•–▪o>~+■➢✦✅●○◆►]|\d+[.)])[ \t]|\n[ \t]*\n"
)
#: A line with so many characters was broken for want of room.
_WRAPPED = 48


def in_community(plain: Plain, place: int, *, shared: bool = False) -> bool:
    """Say whether what stands after the nation at this place is shared, and the sentence tells of a community.

    With `shared` it is: what goes with Korean-American is told of people unless the sentence is about business.

    >>> from evenhand.resumes.plain import plain_text
    >>> sentences = "Cook for the Thai food tent at our school fair", "Launched Thai food at a trade fair for 40 stores"
    >>> [in_community(plain_text(text), text.split().index("Thai")) for text in sentences]
    [True, False]
    """
    if not shared and not _is_shared(plain, place):
        return False
    sentence = sentence_around(plain, *plain.words[place][1:])
    return (shared or _AMONG_NEIGHBOURS.search(sentence) is not None) and _BUSINESS.search(sentence) is None


def _is_shared(plain: Plain, place: int) -> bool:
    """Say whether one of the next nouns is of a thing that a community shares."""
    words, low = plain.words, plain.low
    for step in range(place + 1, min(place + 1 + _MOST_WORDS, len(words))):
        if low[words[step - 1][2] : words[step][1]] not in {" ", "-", "\n"}:
            return False
        if words[step][0] in _SHARED:
            return True
        if words[step][0] in {"and", "or", "of", "at", "for", "in", "with", "to", "from", "by", "on"}:
            return False
    return False


def sentence_around(plain: Plain, start: int, end: int) -> str:
    """Return the sentence or list item that a place belongs to, with what is broken over lines."""
    low = plain.low
    begin, finish = max(0, start - _FAR), min(len(low), end + _FAR)
    for match in _SENTENCE_END.finditer(low, begin, finish):
        if match.end() <= start:
            begin = match.end()
        elif match.start() >= end:
            finish = match.start()
            break
    line = low.rfind("\n", begin, start) + 1
    if line > begin and line - 1 - max(0, low.rfind("\n", 0, line - 1) + 1) < _WRAPPED:
        begin = line
    last = low.find("\n", end, finish)
    if last >= 0 and last - (low.rfind("\n", 0, start) + 1) < _WRAPPED:
        finish = last
    return low[begin:finish]
