"""Firms that bear their owner's name: `King & Sons`, `Law Design Studio`, `Joy Bakes LLC (owner)`."""

import re

from evenhand.resumes.names.kinds import is_person_noun

__all__ = ["CHAINS", "FAMILY_FIRM", "OWN_FIRM", "OWN_FIRM_IN_SMALL", "SONS", "is_own_firm"]

#: A firm that bears its owner's name: `King & Sons`, `Ivory Brothers`, `Law & Associates`.
FAMILY_FIRM = re.compile(
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
SONS = re.compile(r"[ ](?:&|and)[ ](?:Sons?|Daughters?)\b")
#: The same for who is known to bear the name: `Law Design Studio`.
OWN_FIRM = re.compile(rf"{FAMILY_FIRM.pattern}|(?:[ ](?:&[ ])?[A-Z][a-z]+){{0,2}}[ ](?:{_KINDS_OF_FIRMS.title()})\b")
OWN_FIRM_IN_SMALL = re.compile(
    rf"{FAMILY_FIRM.pattern}|(?:[ ](?:and )?[a-z]+)?[ ](?:{_KINDS_OF_FIRMS})\b", re.IGNORECASE
)
#: A business of one's own is told as such beside its name.
_OWN = re.compile(
    r"\b(?:my own|own (?:\w+ )?(?:firm|business|shop|company|label|kitchen|brand|studio|salon|bakery|clinic)|owner|"
    r"owner-operator|owned|proprietor|prop\.|propri[eé]taire|titular|inhaber|taller propio|self[- ]employed|"
    r"sole trader|founder|co-founder|founded|run by|family firm|family business|side business|freelance|"
    r"est\. ?(?:19|20)\d\d)\b|\((?:my own|self)\b|\b(?:llc|ltd|inc)\b",
    re.IGNORECASE,
)
#: In the middle of a line a business has to be had or begun: `freelance guide to Ruby Falls` tells of none.
_HAD = re.compile(r"\bown(?:ed|er)?\b")
_HEADS = re.compile(
    r"\b(?:director|owner|founder|proprietor|side project|consultancy|business|company|firm|venture|start-?up|founded|"
    r"co-founded|shop)(?: of|[,:])? -? ?$",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:ran|run|founded|started|set up|opened|owned|own|built|launched|sold|closed) $", re.IGNORECASE
)
_TRADES = re.compile(
    r"\b(?:t/a|invoices (?:go|went|run|are sent) (?:through|via|by|out as)|"
    r"(?:invoic\w+|trad(?:ing|es?|ed)|billed|bills) (?:as|under)):? $",
    re.IGNORECASE,
)
_FIRM_ENDS = re.compile(
    r"(?:[ ][A-Z][\w'-]*){0,2}[ ](?:Services|Solutions|Group|Partners|Training|Media|Films|Productions|Tutoring|"
    r"Coaching|Cleaning|Transport|Haulage|Removals|Landscaping|Gardens|Designs?|Trading|Enterprises|Ventures|Works|Labs|"
    r"Analytics|Digital|Creative|Events|Tech|Software|Systems|Data|Research|Advisory|Kitchen|Crafts|Ceramics|Books|"
    r"Repairs)\b"
)
_TITLE_CASE = re.compile(r"(?:'s|')?(?:[ ]&)?(?:[ ][A-Z][\w'-]*){1,4}")
#: Chains and firms that bear a given name or a surname with an 's.
_CHAINS_LISTED = (
    "wendy denny sam carl macy kohl lloyd levi dick mcdonald domino papa chili arby hardee culver zaxby aaron claire "
    "victoria moody sotheby christie sainsbury dillard lowe michael peet raising freddy nathan ruth tim harry angie "
    "trader love jimmy john jersey jason joe bob jack friday max boston duncan kirkland casey wegman nando"
)
CHAINS = frozenset(_CHAINS_LISTED.split())
#: Who is a partner of a firm of some trade may have it named after them.
_SHARED = re.compile(r"\b(?:partner|co-owner|principal|joint owner)\b", re.IGNORECASE)
_MARKS = " \t*#>-\u2022\u00b7\u00bb\u25aa\u25cf\u2013"
_STOPS = (":", "-", "|", ",", "(", ".", ";")
_POSSESSIVE = re.compile(r"(?:'s|(?<=s)')[ ](?:[A-Z]|[a-z])")


def is_own_firm(left: str, right: str, kind: str, word: str) -> bool:
    """Say whether a firm of the person's begins with the word: `Ruby's Alterations`, `Joy Bakes LLC (owner)`.

    `left` and `right` are what stands beside it in its line; `kind` is what else the word is.

    >>> is_own_firm("Freelance baker of my own ", " Cakes", "tool", "ruby")
    True
    >>> is_own_firm("Freelance guide to the old town and ", " Falls.", "tool", "ruby")
    False
    """
    opens = not left.strip(_MARKS) or left.rstrip().endswith(_STOPS)
    beside = _OWN.search(left) is not None or _OWN.search(right) is not None
    if right[:1] == "'" and _TRADES.search(left) is not None:
        return True
    if right[:1] == "'" and _POSSESSIVE.match(right) is not None:
        return beside or (
            word not in CHAINS and not is_person_noun(word) and right[3:4].isupper() and kind not in {"month", "place"}
        )
    ends = _FIRM_ENDS.match(right) is not None or OWN_FIRM.match(right) is not None
    if _HEADS.search(left) is not None and ends:
        return True
    had = opens or _HAD.search(left) is not None or _BEGUN.search(left) is not None
    beside = beside or (ends and _SHARED.search(right) is not None)
    return ((beside and had) or _TRADES.search(left) is not None) and _TITLE_CASE.match(right) is not None
