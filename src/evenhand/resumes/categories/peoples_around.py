"""Words around the name of a nation that make it somebody's, whatever noun follows: `I am`, `our first`, `family`."""

import re

from evenhand.resumes.endings import ending

__all__ = ["BOTH_AFTER", "is_told"]

#: Says whether the words before a nation say that it is somebody's: `I am`, `mother was`, `of proud`.
is_told = ending(
    re.compile(
        r"(?:\b(?:i am|i'm|he is|she is|they are|we are|being|am|born|identif(?:y|ies|ied|ying) as|ethnic|ethnically|"
        r"racially|culturally|nationality|citizenship|citizen status|originally|proud|proudly|half|part|quarter|dual|"
        r"descended from|descendant of|stock|nationality (?:at|by) birth|tribe|clan|caste|people|become|"
        r"becoming|became|turned|(?:a|the) first|only|sole|lone|between (?:two )?(?:cultures|worlds)|"
        r"(?:first|second|third)[- ]generation|naturali[sz]ed|as an?|by birth|enrolled|"
        r"national|citizen|passport holder|(?:mother|father|parents|mum|mom|dad|family|wife|husband|who|whose \w+)"
        r"(?: (?:is|are|was|were)|:)|(?:grand)?(?:parents|mother|father) (?:was|were)|(?:son|daughter|child|one) of|"
        r"grew up|growing up|raised|to be|non[- ]white|ancestry|ethnicity|race|heritage|background)"
        r"(?:\s+(?:an?|is|was|also|both|as|of|proud|to|the|mixed|the only))*[\s|:;,(–-]{1,6}"
        r"(?:[\w-]+(?: [\w-]+)?(?: and| &| or|/|,) ?)?)$"
    )
)
#: `British-Ghanaian chef`: two nations joined are somebody's whatever follows but ties between them.
BOTH_AFTER = re.compile(
    r" (?:chef|cook|baker|product manager|project manager|manager|editor|author|poet|hedge layer|data \w+|software "
    r"\w+|marketer|consultant|analyst|nurse|doctor|barista|carpenter|mechanic|designer|photographer|producer|"
    r"presenter)\b"
)
