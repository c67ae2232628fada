"""What stands around names of other people: labels before them, roles and words of organisations after them."""

import re

__all__ = ["KINDS_OF_PEOPLE", "LABELS", "ORGANISATION_AFTER", "ROLE_AFTER"]

_LABELS_LISTED = (
    "reference|references|referee|referees|supervisor|manager|line manager|reports to|reporting to|report to|"
    "contact person|contact|emergency contact|father's name|father name|mother's name|mother name|spouse name|"
    "spouse's name|name of spouse|husband's name|wife's name|guardian|next of kin|advisor|adviser|thesis advisor|"
    "thesis supervisor|research advisor|mentor|mentors|academic advisor|academic reference|"
    "professional reference|reference 1|reference 2|reference 3|referee 1|referee 2|interviewer|recruiter|"
    "dissertation advisor|phd advisor|principal investigator|pi|s/o|d/o|w/o|son of|daughter of|wife of|co-author|"
    "co-authors|authors|collaborators|father|mother|spouse|husband|wife"
)
LABELS = frozenset(_LABELS_LISTED.split("|"))
ORGANISATION_AFTER = re.compile(
    r"[ ]?(?:&|and)[ ][A-Z]|[ ](?:Inc|LLC|Ltd|LLP|Corp|Co|GmbH|PLC|plc|AG|SA|BV|Group|Bank|Brothers|"
    r"Bros|Sons|Associates|Partners|Foundation|Institute|University|College|School|"
    r"Hospital|Clinic|Church|Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Park|Award|Prize|Scholarship|"
    r"Scholar|Scouts?|Guides?|Club|Union|Fellow|Fellowship|Center|Centre|Library|Museum|Stadium|Airport|County|City|"
    r"Airlines|Motors|Stores|Media|Labs?|Laborator\w+|Consulting|Capital|Securities|Insurance|"
    r"Hotel|Memorial|Medical|Society|Academy|Trust|Fund|Theat(?:re|er)|Method|Model|Theorem|"
    r"Test|Effect|Distribution|Algorithm|Hall|House|Building|Tower|Bridge|River|Lake|Island|"
    r"Beach|Bay|Valley|Mountain|Port|Team|District|Elementary|Middle|High|Law|Health|Engineering|"
    r"Construction|Logistics|Energy|Foods?|Farms?|Press|Books|News|Times|Herald|Post)\b"
)
ROLE_AFTER = re.compile(
    r"[ ]*[,(–-][ ]*(?:\w+[ ]){0,3}?(?:manager|director|professor|head|lead|supervisor|engineer|"
    r"ceo|cto|cfo|coo|vp|president|principal|dean|teacher|consultant|partner|owner|founder|chief|"
    r"coordinator|officer|doctor|nurse|colleague|mentor|advisor|lecturer|editor|pastor|captain|"
    r"chair\w*)\b",
    re.IGNORECASE,
)
KINDS_OF_PEOPLE = re.compile(
    r"\b(?:supervisor|referee|reference|mentor|advisor|adviser|witness|witnessed by|father|mother|spouse|guardian|"
    r"emergency contact|contact person|contact name|cc|attn|attention|approved by|prepared by|verified by|reviewed by|"
    r"certified by|superior|interviewer|recruiter|principal investigator|relationship to)\b"
)
