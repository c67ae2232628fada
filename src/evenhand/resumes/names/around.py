"""What stands around names of other people: labels before them, roles and words of organisations after them."""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import is_person_noun

__all__ = ["ORGANISATION_AFTER", "dated", "is_role", "label_score"]

#: Words of labels after which a person's name stands, one word included: `Supervisor:`, `Father's name:`.
_SURE_LISTED = (
    "supervisor supervisors manager managers mentor mentors advisor advisors adviser advisers referee referees "
    "reference references father father's mother mother's spouse spouse's husband husband's wife wife's guardian "
    "guardian's kin contact coach instructor teacher tutor interviewer recruiter witness s/o d/o w/o c/o attn "
    "attention cc bcc superior boss dear"
)
_SURE = frozenset(_SURE_LISTED.split())
_JOBS_TOO_LISTED = (
    "manager managers supervisor supervisors instructor teacher coach tutor advisor adviser recruiter contact"
)
_JOBS_TOO = frozenset(_JOBS_TOO_LISTED.split())
_WHOSE_LISTED = (
    "line direct immediate current previous former last hiring reporting my your the name of and or title thesis "
    "academic research phd main site project client customer emergency key primary second shift night day school head "
    "senior person"
)
_WHOSE = frozenset(_WHOSE_LISTED.split())
_PEOPLE_LISTED = (
    "committee examiners examiner panel authors author investigator investigators chair credits cast crew team staff "
    "with by photo photos photography music words text lyrics story screenplay script book choreography direction "
    "lighting sound costumes costume illustrations illustration drawings design designs vocals guitar bass drums "
    "piano keys speakers presenters board trustees signature signed sincerely regards guide pi interview interviews "
    "members faculty hosts band ensemble quartet trio duo readers jury judges supervised mentored advised trained "
    "taught coached tutored supported contacts"
)
_PEOPLE = frozenset(_PEOPLE_LISTED.split())
_THINGS_LISTED = (
    "company employer organization organisation clients customers location place city school university college tools "
    "skills software language languages product products brand brands certification certifications award awards venue "
    "theatre theater publisher journal website address project projects technologies technology industry sector title "
    "role position degree course courses coursework subject subjects hobby hobbies interests partners sponsor "
    "sponsors developer contractor vendor vendors supplier suppliers country town client's accounts firm agency "
    "branch department office client-side stack platforms systems environment destinations publishers model models "
    "donor donors landmarks"
)
_THINGS = frozenset(_THINGS_LISTED.split())
_LABEL_BEGINS = lazy_re(r"[|;\n\t(•]|[.,][ ]")
_WORDS = lazy_re(r"[a-z/'-]+")
_BY = lazy_re(r"\bby[ ]*$")
_LONGEST_LABEL = 40


def label_score(before: str) -> int:  # noqa: PLR0911 - one line per kind of label
    """Return 3 for a label that one person's name follows, 2 for one of several, -1 for one of things, else 0.

    >>> [label_score(each) for each in ("supervisor", "approved by", "phd committee", "employer", "see also")]
    [3, 2, 2, -1, 0]
    """
    label = _LABEL_BEGINS.split(before[-_LONGEST_LABEL:])[-1]
    words = _WORDS.findall(label)
    if not words or len(words) > 5:
        return 0
    last = words[-1]
    if last in _THINGS:
        return -1
    if last in _JOBS_TOO and not set(words[:-1]) <= _WHOSE:
        return 2  # `Treasury Manager:`
    if (
        last in _SURE
        or (last == "name" and any(each.removesuffix("'s") in _SURE for each in words))
        or words[:2] == ["reports", "to"]
    ):
        return 3
    if last in _PEOPLE or is_person_noun(last) or ("by" in last and _BY.search(label) is not None):
        return 2
    if last == "to" and words[0] in {"reports", "reporting", "report", "reported", "to"}:
        return 3
    return 0 if _SURE.isdisjoint(words) else 2


ORGANISATION_AFTER = lazy_re(
    r"[ ]?(?:&|and)[ ](?:Sons?|Co|Company|Brothers|Partners|Associates|Daughters?|Johnson|Spencer|Young|Fitch|Gamble)\b"
    r"|,?[ ](?:S\.A|S\.L|N\.V|B\.V|A\.S|G\.K|K\.K|L\.P|S\.R\.L|S\.p\.A|S\.r\.l|e\.V|L\.L\.[CP])\b|"
    r"[ ](?:Inc|LLC|Ltd|LLP|Corp|Co|GmbH|PLC|plc|AG|SA|BV|Pty|Group|Bank|Brothers|"
    r"Bros|Sons|Associates|Partners|Foundation|Institute|University|College|School|"
    r"Hospital|Clinic|Church|Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Park|[Aa]wards?|[Pp]rize|[Ss]cholarships?|"
    r"Scholars?|Scouts?|Guides?|Club|Union|Fellow|Fellows|Fellowship|Center|Centre|Library|Museum|Stadium|Airport|County|"
    r"City|Airlines|Motors|Stores|Media|Labs|Laborator\w+|Consulting|Capital|Securities|Insurance|"
    r"Hotel|Memorial|Medical|Society|Academy|Trust|Fund|Theat(?:re|er)|Methods?|Models?|Theorem|"
    r"Tests?|Effect|Distribution|Algorithm|Hall|House|Building|Tower|Bridge|River|Lake|Island|"
    r"Beach|Bay|Valley|Mountain|Port|Team|District|Elementary|Middle|High|Law|Health|Engineering|"
    r"Construction|Logistics|Energy|Foods?|Farms?|Press|Books|News|Times|Herald|Post|Scale|Technique|Medal|Cup|Day|"
    r"Square|Gardens?|Festival|Lecture|Chair|Collection|Archive|Papers|Elementary|Primary|Parish|Cathedral|Chapel)\b"
)
_ROLE_START = lazy_re(r"[ ]*(?:,|\(|[–—-](?=[ ])|\||:|;)[ ]*(?=[A-Za-z])")
_ROLE_WORD = lazy_re(r"[A-Za-z][\w'/&.-]*")
_ABBREVIATED_LISTED = (
    "ceo cfo coo cto cio cmo cpo chro vp svp evp avp md gm pi hr pm phd msc ba bsc ma mba mphil dphil ed eds editor "
    "chair bass drums vocals guitar piano violin cello flute voice moderator organiser organizer sister brother "
    "mother father wife husband son daughter cousin aunt uncle spouse colleague"
)
_ABBREVIATED = frozenset(_ABBREVIATED_LISTED.split())
_FEW = 6


def is_role(text: str, end: int) -> bool:
    """Say whether a person's role follows a place, in a line that tells no years: `, head of legal`, ` (CFO)`.

    >>> is_role("Ann Roe, Head of Legal", 7), is_role("Ann Roe, Leeds", 7), is_role("Ann Roe, Planner, 2016", 7)
    (True, False, False)
    """
    match = _ROLE_START.match(text, end)
    if match is None:
        return False
    place = match.end()
    bracketed = "(" in match.group()
    for _ in range(_FEW):
        word = _ROLE_WORD.match(text, place)
        if word is None:
            return False
        low = word.group().lower().strip(".'")
        if low in _ABBREVIATED or is_person_noun(low):
            return bracketed or not dated(text, end)
        place = word.end()
        if text[place : place + 1] != " ":
            return False
        place += 1
    return False


def dated(text: str, end: int) -> bool:
    """Say whether years stand in the rest of a line: a job's head, not a sentence."""
    last = min(len(text), end + _LONGEST_REST)
    stop = text.find("\n", end, last)
    return _YEAR.search(text, end, stop if stop >= 0 else last) is not None


#: No line of a résumé goes on for longer; a whole document in one line does.
_LONGEST_REST = 1000
_YEAR = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d\b")
