"""Where a sure name is the person outside of sentences: after labels, between marks, in lists, in firms of its own.

Cards, rotas, credits and footers name people without a verb. What stands beside the name tells: a label
of things (`Materials: Stone`), of places or dates speaks against it, other people's names for it.
"""

import re

from evenhand.resumes.names.kinds import is_person_noun, kind_of
from evenhand.resumes.names.lists import given_names, surnames

__all__ = ["is_person_in_fragment"]

_LABEL = re.compile(
    r"(?:^|[.;|/,(\"'\u2022\u00b7*]|[ ]-[ ]|:[ ])[ ]*([^.;|/,(\"'\u2022\u00b7*:]{2,40}?)[ ]?(?::|[ ]-|=|\.{3})[ ]$"
)
#: The value ends behind the word.
_VALUE_ENDS = re.compile(
    r"[ ]*(?:$|[.;|/)\]<\u2022\u00b7!?\"]|[,.][ ](?:\d|[a-z]+[ ][a-z])|[ ]\+?\d|[ ][-=@][ ]|[ ]\((?!19|20)"
    r"|[ ](?:on|at|to|with|plus)[ ][a-z]|[ ][a-z]+(?:s|ed)[ ](?:the|an?|in|on|at|up|[a-z]+)\b)"
)
_THINGS_LISTED = (
    "skill skills tool tools language languages material materials award awards value values colour color colours "
    "colors code codes interest interests hobby hobbies subject subjects module modules elective electives specialty "
    "specialties speciality specialities topic topics area areas stack software hardware system systems platform "
    "platforms framework frameworks library libraries database databases method methods technique techniques course "
    "courses plants plant crops crop fish stones gems metals woods wood species animals breeds horses dogs inputs "
    "ingredients dishes recipes recipe menu cuisine products product brands brand clients client customers employer "
    "employers bank banks company companies vendor vendors supplier suppliers industry industries sector sectors "
    "account accounts market markets location locations city cities town country countries county state region "
    "regions office offices site sites base based territory travel port ports venue venues campus route routes stop "
    "stops road street address from to date dates month months season start starts started available availability "
    "deadline due issue edition term terms period quarter day year since until expires expiry issued born birthday "
    "religion faith ethnicity race nationality citizenship gender sex status level grade medal medals prize prizes "
    "key keys scale scales notes paper papers page pages style styles fonts font title play film films book books "
    "read reading song songs show shows game games sport sports event events project projects programme program "
    "programs programmes theme themes licence license licences certificate certificates certification certifications "
    "degree degrees major minor field fields environment environments model models machine machines vehicle vehicles "
    "car cars make fleet formats format types type kinds kind strengths strength weaknesses weakness virtues "
    "qualities quality principles competencies competences education experience objective summary profile training "
    "trade trades occupation role position job profession rank post"
)
_THINGS = frozenset(_THINGS_LISTED.split())
_CREDITS_LISTED = (
    "photo photos photography styling hair makeup choreography text texts words lyrics music score sound lights light "
    "lighting camera edit editing script voice vocals guitar bass drums keys piano violin cello trumpet sax flute "
    "viola trombone percussion gitaar bas dj emcee mc host from by to cc with signed prepared written designed built "
    "made drawn painted hosted taught led named name nickname badge tag nameplate nametag captain clerk crew team "
    "rota shift roster nights days mornings duty nurse lane tutor coach referee umpire umpires lead owner author "
    "reviewer contact reference applicant candidate fotos ilustraciones texto voix montage image images credit "
    "credits illustration illustrations cover art direction animation costume costumes props set stage design star"
)
_CREDITS = frozenset(_CREDITS_LISTED.split())
_NEIGHBOUR_AFTER = re.compile(
    r"[ ]?(?:[,/;&|\u00b7]|[ ]and|-)[ ]?(?:[A-Z]\.[ ]?)?([A-Z][a-z][A-Za-z'-]*)"
    r"(?=[ ]?(?:[,/;&|.)\u00b7(]|$|and\b|[ ]-))"
)
_NEIGHBOUR_BEFORE = re.compile(r"(?:^|[^\w])([A-Z][a-z'-]+)(?:[ ][A-Z]\.)?[ ]?(?:[,/;&|\u00b7]|[ ]and|[ ]-)[ ]?$")
_AFTER_COPYRIGHT = re.compile(r"(?:\u00a9|\(c\)) ?(?:(?:19|20)\d\d ?)?$", re.IGNORECASE)
_YEARS = re.compile(
    r",[ ]\d+[ ](?:yrs?|years?)\b|:[ ]\d+[ ](?:goals|points|wins|pts|runs)\b|[ ]\d+[ ](?:pts|goals|runs|wkts)\b"
)
_STANDS_AFTER = re.compile(r"[ ]*(?:$|[.;:|/)\],!?\"<\u2022\u00b7\u2605]|[ ][-@][ ]|[ ][a-z]|[ ]\()")
_PERSONS = re.compile(r"([A-Za-z-]+)[ ]$")


def is_person_in_fragment(left: str, right: str, kind: str, *, word: str) -> bool:
    """Say whether a capitalised word of a sure name stands for the person by the marks and labels beside it.

    `left` and `right` are what stands beside it in its line; `kind` is what else the word is.

    >>> is_person_in_fragment("Lead counsel: ", "", "word", word="pope")
    True
    >>> is_person_in_fragment("Materials: ", ", Tile, Terrazzo", "word", word="stone")
    False
    """
    if _is_value(left, right, kind):
        return True
    if kind in {"word", "short", "organisation", "place"} and _is_in_list_of_people(left, right):
        return True
    if _AFTER_COPYRIGHT.search(left) is not None:
        return True
    return _has_role_before(left, right, kind, word) or _YEARS.match(right) is not None


def _is_value(left: str, right: str, kind: str) -> bool:
    """Say whether a word is all that stands behind a label, and the label is none of things, places or dates."""
    label = _LABEL.search(left)
    if label is None or _VALUE_ENDS.match(right) is None:
        return False
    words = label.group(1).lower().replace("/", " ").split()
    if not words:
        return False
    if kind in {"tool", "month"} or words[-1].strip("'") in _THINGS or words[0] in _THINGS:
        return _is_of_people(words)
    return True


def _is_of_people(words: list[str]) -> bool:
    return any(word in _CREDITS or is_person_noun(word) for word in (words[-1], words[0]))


def _is_in_list_of_people(left: str, right: str) -> bool:
    """Say whether a neighbour in a list is a person's name alone."""
    for beside in (_NEIGHBOUR_AFTER.match(right), _NEIGHBOUR_BEFORE.search(left)):
        if beside is None:
            continue
        word = beside.group(1).lower()
        if kind_of(word) == "name" and (word in given_names() or word in surnames()):
            return _VALUE_ENDS.match(right) is not None or right[:1] in ",/;&|" or right.startswith((" and ", " -"))
    return False


def _has_role_before(left: str, right: str, kind: str, word: str) -> bool:
    """Say whether a noun for a person stands before the word: `Foreman White opened`, `crew chief Cruz`."""
    before = _PERSONS.search(left)
    if before is None or kind == "month" or is_person_noun(word) or _STANDS_AFTER.match(right) is None:
        return False
    noun = before.group(1).lower()
    return not noun.endswith("s") and is_person_noun(noun)
