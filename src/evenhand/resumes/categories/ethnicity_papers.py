"""Whose papers a visa or a permit is, by the words beside: somebody's own, or others' that an office works on."""

import re
from collections.abc import Callable

from evenhand.resumes.categories.community import sentence_around, sentence_without
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import pattern

__all__ = ["KIND_OF_PERMIT", "LETTER_OF_PERMIT", "VISA_KIND", "of_self", "of_self_without", "owned"]

_KIN = r"(?:husband|wife|spouse|partner|father|mother|parent|family|dependant|dependent)(?:'s|s|s')?"
#: What says which visa it is: `Skilled Worker visa`, `subclass 485 visa`, `fiancé visa`.
_KIND_OF_VISA = (
    r"(?:health (?:and|&) care(?: worker)?|(?:skilled|seasonal|domestic|charity|creative|religious|temporary) worker|"
    r"skilled (?:independent|nominated|regional|work regional)|partner|skilled|graduate|students?|study|"
    r"post-?\s?study(?: work)?|psw|spous(?:e|al)|fiancee?|marriage|unmarried partner|"
    rf"{_KIN}|visitor'?s?|visit|tourist|business|working|work|employment|residence|residency|resident|residential|"
    r"tier \d(?: \(?(?:general|student|ict|migrant|youth mobility)\)?)?|youth mobility(?: scheme)?|"
    r"(?:uk )?ancestry|ancestral|start-?\s?up|innovator(?: founder)?|(?:global|exceptional) talent|talent|"
    r"high potential(?: individual)?|hpi|scale-?up|"
    r"intra-company(?: transfer(?:ee)?)?|ict|minister of religion|sportsperson|global business mobility|"
    r"temporary (?:graduate|skill shortage|work|resident)|temporary|permanent|(?:subclass )?\d{3}|"
    r"tss(?: \d{3})?|bridging|engineer|highly skilled(?: professional)?|specialist in humanities|instructor|researcher|"
    r"professor|trainee|family|regional|long-term resident|designated activities|humanities|special immigrant|"
    r"entry|e-?work|blue card|scientific|scientist|seaman's|crew|hospitality|care worker|overseas|uk|us|uae|"
    r"schengen|ksa|indian|japanese|korean|german|french|dutch|chinese|canadian|australian|irish|saudi|qatar|saudi "
    r"arabia|working(?: |-)holiday(?:[- ]?maker)?|whv|protection|humanitarian|refugee|schengen|national d|type d|"
    r"d-?type|long(?: |-)stay|short(?: |-)stay|(?:single|multiple)(?: |-)entry|essential skills|accredited employer(?: "
    r"work)?|aewv|job(?: |-)?seekers?|job(?: |-)search|digital nomad|(?:employer|company|self)(?: |-)sponsored|"
    r"sponsored|golden|green|freelance|investor|retirement|free|exchange|au pair|diversity|(?:b-?1/)?b-?[12]|"
    r"[flmpqr]-?[1-3][ab]?|h-?[1-4]b?1?|[jko]-?[1-3]|e-?\d|d-?\d|eb-?\d|tn|td|u|t|z|c-?1/d|c-?1|domestic|bno|bn\(o\)|"
    r"hong kong|ukraine|skills in demand|specialist)"
)
VISA_KIND = rf"\b{_KIND_OF_VISA}(?:(?: |-|/){_KIND_OF_VISA}){{0,3}}(?: |-)$"
KIND_OF_PERMIT = (
    r"(?:(?:critical skills|general|single|artistic|tied|open|closed|cross-border|frontier worker|frontier|"
    r"temporary|permanent|biometric|post-?graduat(?:ion|e)|bridging open|bridging|section 22|zimbabwe(?:an)? exemption|"
    r"lesotho exemption|asylum(?: |-)seeker'?s?|re-?entry|exit|freelance|employment|residence|residency|resident|"
    r"labou?r|work and residence|settlement|long(?: |-)term)(?: |-))+"
)
LETTER_OF_PERMIT = r"\b(?:swiss|switzerland|a|ausweis|with|my|eu) [bcgl] $"
#: Work with other people's papers.
_OFFICE = re.compile(
    r"\b(?:process(?:ed|es|ing)?|prepar(?:ed|es|ing)|advis(?:ed|es|ing|ers?|ors?)|handl(?:ed|es|ing)|"
    r"manag(?:ed|es|ing|ers?)|arrang(?:ed|es|ing)|organi[sz]ed|coordinat(?:ed|es|ing|or)|filed|filing|submitt(?:ed|"
    r"ing)|draft(?:ed|ing)|review(?:ed|ing)|assess(?:ed|ing)|adjudicat\w+|check(?:ed|s|ing)|verif(?:ied|ying)|audit\w*|"
    r"track(?:ed|s|ing)|monitor(?:ed|ing)|book(?:ed|ing)|interview(?:ed|ing)|explain(?:ed|ing)|taught|tutor(?:ed|ing)|"
    r"issued (?:\d|\w+ )?(?:work |residence )?permits|clients?|customers?|employees|hires|starters|newcomers|crews?|"
    r"crewing|candidates|workers|nurses|engineers|students|applicants|tenants|residents|directors|assignees|"
    r"expatriates|labou?rers|caseworker|caseload|cases|petitions?|paperwork|applications|solicitors?|lawyers?|"
    r"paralegal|attorneys?|law|firm|practice|compliance|desk|office|officer|embass\w+|consulate|travel|tours?|guests|"
    r"passengers|brochures?|software|systems?|database|helpdesk|"
    r"counter|registrar|registry|charity|drop-in|hostel|accommodation|housing|lead|specialist|team|payroll|recruit\w*|"
    r"onboard\w*|relocation|immigration (?!status)|refinery|confined|hot work|shutdown)\b"
)
_FEW_WORDS = r"(?: [\w'()&/-]+){0,5}"
_OWN_BEFORE = pattern(
    rf"\b(?:my|own|his|her){_FEW_WORDS} $",
    r"\b(?:am|'m|is|was|been|currently|presently|now|still|here|came|arrived|entered|working|worked|living|"
    r"lived|stay\w*|remain\w*|moved|switched|transferred|admitted|employed|joined)(?: (?!for\b|of\b)[a-z]+){0,4} "
    rf"(?:on|under|with|through|via|as|by){_FEW_WORDS} $",
    r"\b(?:i|he|she|ms|mr|and|i've|currently|not) (?:also |now |already |would |will |do |does |not )*"
    r"(?:hold|holds|held|have|has|had|obtained|gained|got|received|need|needs|require|requires|possess\w*)"
    rf"{_FEW_WORDS} $",
    r"\b(?:(?:immigration|visa|residency|work|settlement) status|right to work)\W{0,3}$",
    rf"\b(?:national|citizen|passport|holder|[a-z]{{2,}}(?:ian|ean|ish|ese|ani|an)) (?:on|under|with) (?:an?|"
    rf"the){_FEW_WORDS} $",
    rf"\b(?:holder of|holding|granted|awaiting|was issued){_FEW_WORDS} $",
    r"(?:^|[,;:(.\n] ?|\bnow |\band )on (?:an?|my) $",
    r"\b(?:i am|i'm|he is|she is|am|who is) (?:now |also |already |still |currently )?(?:an? )?$",
)
_OWN_AFTER = pattern(
    r"(?: visa| permit| petition| application)?,? \(?(?:holder\b|valid\b|until\b|till\b|to (?:\w+ )?20\d\d|expires|"
    r"expiring|ends\b|runs\b|transferable|renewable|in hand\b|held\b|allows?\b|ties\b|tied\b|does not\b|with full\b|"
    r"since (?:19|20)\d\d|granted\b|filed (?:in|by my|20)\b|in progress\b|in process\b|pending\b|approved\b)"
)
_FOR_OTHERS = pattern(
    r"s? (?:holders|for (?:\d|our|all|clients?|staff|crew|overseas|new|site|a client|the \w+s\b|"
    r"[a-z]+(?:ers|ors|ees|nts|ists)\b))"
)
_NEAR = 90


def of_self(plain: Plain, first: int, last: int) -> bool:
    """Say whether papers are somebody's own: no word of office work, or a word of having them."""
    start, end = plain.words[first][1], plain.words[last][2]
    return _OFFICE.search(sentence_around(plain, start, end)) is None or _is_owned(plain, start, end)


def owned(plain: Plain, first: int, last: int) -> bool:
    """Say whether a word of having stands beside, whatever else the sentence is about."""
    return _is_owned(plain, plain.words[first][1], plain.words[last][2])


def _is_owned(plain: Plain, start: int, end: int) -> bool:
    after = plain.low[end : end + _NEAR]
    if _FOR_OTHERS.match(after) is not None:
        return False
    return (
        _OWN_AFTER.match(after) is not None or _OWN_BEFORE.search(plain.low[max(0, start - _NEAR) : start]) is not None
    )


def of_self_without(words: re.Pattern[str]) -> Callable[[Plain, int, int], bool]:
    """Return the check of papers that are somebody's own in a sentence without these words."""
    without = sentence_without(words)
    return lambda plain, first, last: without(plain, first, last) and of_self(plain, first, last)
