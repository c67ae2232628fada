"""Firms that bear their owner's name: `King & Sons`, `Law Design Studio`, `Joy Bakes LLC (owner)`."""

import re

__all__ = ["FAMILY_FIRM", "OWN_FIRM", "SONS"]

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
