"""A person's place in a sentence: what stands before and after a name, scored."""

import re

__all__ = ["FULL_LINE", "after_score", "before_score"]

_SURE_LISTED = (
    "with by under alongside beside assisted supported trained represented hired advised succeeded replaced "
    "mentored coached supervised onboarded interviewed helped thanked accompanied met taught shadowed counselled "
    "nursed defended introduced assisting supporting training representing advising succeeding replacing mentoring "
    "coaching supervising shadowing contact ask dear mentor mentee manager supervisor advisor adviser boss uncle "
    "aunt cousin brother sister colleague tutor professor teacher coach director partner friend predecessor "
    "successor neighbour neighbor featuring starring versus vs invited promoted recommended nominated befriended "
    "tutored tutoring chaperoned served photographer composer author artist poet painter singer conductor "
    "choreographer filmmaker architect designer journalist researcher founder co-founder cofounder captain dr prof "
    "referee interviewer co-author co-authors co-presenter co-host engineer nurse doctor physician lawyer attorney "
    "activist philanthropist actor actress chef violinist pianist laureate scientist historian economist "
    "mathematician philosopher physicist senator mayor governor minister justice ambassador president chancellor "
    "bishop congressman congresswoman councillor commissioner maestro inspector detective sergeant lieutenant"
)
_SURE = frozenset(_SURE_LISTED.split())
#: Before these words a person's place needs one of the words on the right shortly before.
_IF_LISTED = {
    "for": (
        "assistant intern interned internship care cared caring substituted deputised deputized deputising covered "
        "covering campaigned campaign campaigning understudy nanny driver secretary stood standing canvassed "
        "interpreted interpreter wrote ghostwrote scheduled diary diaries calendar calendars travel clerk clerked "
        "chauffeur aide nurse companion carer caregiver nominated successor replacement accompanist"
    ),
    "from": (
        "recommendation recommendations letter letters reference references took taking learned learnt guidance "
        "support lessons feedback praise coaching inherited instruction quote testimonial endorsement endorsements "
        "mentoring mentorship training input help commendation thanks advice"
    ),
    "of": (
        "supervision guidance mentorship mentoring leadership direction lab laboratory group tutelage team teams "
        "successor student assistant office widow widower wife husband son daughter sister brother estate patronage "
        "instruction care works poems biography recommendation invitation request auspices place absence death "
        "behalf name colleague friend deputy oversight eye watch retirement departure favour favor company pupil "
        "disciple protege theory ideas writings portrait"
    ),
    "to": (
        "reported reporting reports report reportable assistant aide deputy secretary thanks adviser advisor "
        "successor married apprenticed according assigned attached handed over presented awarded answerable "
        "accountable second-in-command introduced next access lost wrote apprentice understudy grateful support "
        "heir line directly passed carer counsel clerk demonstrated pitched spoke talked listened dedicated related "
        "companion referred"
    ),
    "and": "both between",
    "was": (
        "manager supervisor mentor advisor adviser boss tutor referee head contact teacher coach partner author "
        "co-author name successor predecessor director lead leader client colleague professor"
    ),
    "is": (
        "manager supervisor mentor advisor adviser boss tutor referee contact teacher coach partner name director lead"
    ),
    "were": "managers supervisors mentors advisors advisers tutors referees co-authors authors partners",
    "between": "conversation dispute interview",
}
_IF = {word: frozenset(listed.split()) for word, listed in _IF_LISTED.items()}
_NOT_LISTED = (
    "at in near via using through across on outside inside around the a an of for from joined visited within into "
    "onto per above below behind this that its our your"
)
_NOT = frozenset(_NOT_LISTED.split())
#: What comes before a list: `mentors: X`, `committee: X`.
_LABELLED = re.compile(
    r"(?:committee|examiners?|panel|authors?|mentors?|supervis\w+|advis\w+|referees?|tutors?|managers?|director|lead|pi|"
    r"investigators?|by|with|chair|credits?|collaborators?|partners?|team|contact|instructor|teacher|coach|editors?|"
    r"photos?|music|words|choreography|interviews?|cast|presenters?|speakers?|conductor)[ ]?[:\u2013-]$"
)
_AFTER_SURE = re.compile(
    r"'s?[ ](?:\w+[ ])?(?:team|research|group|lab|laboratory|office|leadership|guidance|supervision|direction|"
    r"mentorship|"
    r"recommendation|request|departure|absence|retirement|thesis|tutelage|assistant|deputy|invitation|advice|care|"
    r"estate|work|class|workshop|studio|seminar|campaign|book|novel|play|film|desk|role|place|diary|band|course|"
    r"seat|kitchen)\b"
    r"|[ ](?:led|wrote|taught|said|says|asked|praised|trained|hired|mentored|supervised|approved|reviewed|told|called|"
    r"introduced|recommended|nominated|coached|helped|showed|retired|resigned|died|left|agreed|thanked|invited|"
    r"encouraged|took over|promoted me|chose|noticed|wanted|needed|spoke|stepped|fell ill|returned|kindly|can confirm|"
    r"(?:has|had|was|is)[ ](?:always|since|now|also|kindly|my|our|his|her|their|the first|promoted|hired|elected|"
    r"appointed|on (?:leave|holiday)|away|ill))\b"
    r"|,?[ ](?:who|whom|whose)\b|,[ ](?:now|then|my|our|his|her|their|both|aged|an? [a-z]+ (?:"
    r"neighbour|neighbor|man|woman|"
    r"colleague|friend|client))\b"
    r"|,?[ ](?:MP|MEP|QC|KC|OBE|MBE|CBE|PhD|MD|RN|CPA|Esq|Jr|Sr|FRS)\b"
    r"|[ ]?[,:(|–-]?[ ](?:[Tt]el\.?|[Pp]hone|[Mm]obile|[Ee]-?mail)\b|[ ]?[,:(<|–-]{1,2}[ ]?<?(?:\+\d|[\w.+-]+@)"
    r"|[ ]et al\b|[ ](?:on (?:his|her|their)|and (?:his|her|their|I|me|others|two|three|several|colleagues))\b"
)
_AFTER = re.compile(
    r"'s?[ ][a-z]|[ ](?:is|was|has|had|led|ran|gave|made|took|can|will|would|could|joined|leads|runs|manages|works|"
    r"(?!based\b|limited\b|united\b|related\b|certified\b|owned\b|branded\b|located\b|approved\b|listed\b|led\b)[a-z]{3,}ed)\b"
    r"|[ ](?:spent|taught|built|wrote|grew|began|became|won|oversees|heads|directs|chairs|serves|teaches|writes|holds|"
    r"brings|lives|enjoys|speaks|reports|coaches|mentors|advises|owns|specialises|specializes|studies|researches)\b"
    r"|[ ](?:as|before) (?:the )?[a-z]+"
)
_FEW = 4
#: A line of so many characters is broken because it is full, not because something ends there.
FULL_LINE = 50


def before_score(low: str, start: int) -> int:
    """Return 2 for words that a person follows, -2 for those that a place, tool or firm follows, else 0.

    >>> before_score("thanks to ann", 10), before_score("moved to york", 9), before_score("worked at acme", 10)
    (2, 0, -2)
    """
    left = low[max(0, start - 60) : start]
    stripped = left.rstrip(" \n>")
    if "\n" in left[len(stripped) :]:
        line = low.rfind("\n", 0, start)
        if line - low.rfind("\n", 0, line) < FULL_LINE:
            return 0
    if stripped[-1:] in {":", "-", "\u2013"}:
        return 2 if _LABELLED.search(stripped) is not None else 0
    if stripped == left or not (stripped[-1:].isalnum() or stripped[-1:] == ","):
        return 0
    words = stripped.rsplit("\n\n", 1)[-1].replace("\n", " ").rsplit(". ", 1)[-1].split(" ")
    word = words[-1]
    if word.endswith(","):
        return 2 if word[:-1] in _RELATIVES else 0
    cues = _IF.get(word)
    if word in _SURE or (cues is not None and any(each.strip(",(") in cues for each in words[-_FEW - 1 : -1])):
        return 2
    return -2 if word in _NOT else 0


_RELATIVES_LISTED = (
    "manager supervisor mentor advisor adviser boss tutor referee colleague father mother husband wife uncle aunt "
    "partner coach professor teacher director founder"
)
_RELATIVES = frozenset(_RELATIVES_LISTED.split())


def after_score(text: str, end: int) -> int:
    """Return 2 for what only a person does or has, 1 for what firms do too, else 0.

    >>> after_score("Ann Roe retired", 7), after_score("Ann Roe acquired", 7), after_score("Ann Roe", 7)
    (2, 1, 0)
    """
    if _AFTER_SURE.match(text, end) is not None:
        return 2
    return 1 if _AFTER.match(text, end) is not None else 0
