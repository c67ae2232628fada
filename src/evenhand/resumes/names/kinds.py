"""What a capitalised word is: part of a name, an ordinary word, a job, or the name of something else."""

from functools import lru_cache

from evenhand.resumes.names.lists import given_names, is_no_name, name_words, no_names, ordinary_words, surnames
from evenhand.resumes.names.parts import PARTICLES

__all__ = ["is_ordinary", "is_person_noun", "kind_of"]

_ENDINGS_LISTED = (
    "ment ments ness ical ically ware ology ological tion tions sion sions tional sional ics able ible tive tives "
    "ized ised izing ising ization isation izations isations graphic graphics less ship ships scape scapes"
)
_ENDINGS = tuple(_ENDINGS_LISTED.split())
#: Endings of words made of ordinary ones, and what stood there before.
_SUFFIXES_LISTED = (
    "ies:y ied:y ier:y iest:y iers:y ily:y iness:y ying:y es: es:e s: ed: ed:e ing: ing:e ings: ings:e er: er:e ers: "
    "ers:e or: or:e ors: ors:e ly: ful: like: wise: men: woman: women: work: works: al: al:e als: ity: ity:e ive: "
    "ive:e ance: ance:e y: y:e est: est:e"
)
_SUFFIXES = tuple(tuple(pair.split(":")) for pair in _SUFFIXES_LISTED.split())
_PREFIXES = (
    *("re", "un", "pre", "over", "under", "sub", "micro", "multi", "inter", "co", "non", "anti", "bio", "eco", "geo"),
    *("mega", "hyper", "super", "semi", "tele", "trans", "ultra", "neuro", "nano", "cyber", "dis", "mis", "out"),
)
_LONGEST_ENDING = 5
_SHORTEST_STEM = 3
_SHORT_PART = 3
_SMALL_PARTS_LISTED = (
    "on in up off out add top co re pre non all end go per one two six ten by to be big key low new old mid far hot "
    "wet dry sub sea air oil gas tax web app pop log set cut pay day fit car bio eco pro art law job hr it ai"
)
_SMALL_PARTS = frozenset(_SMALL_PARTS_LISTED.split())
#: From here on in the suffixes, stems of four letters at least: `Gamal` is no form of `game`.
_LONG_STEMS = frozenset({"al", "als", "ity", "ive", "ance", "y", "est"})
#: They begin names of places as often as names of people, and are no word of either.
_NO_WORDS = frozenset({"san", "santa", "santo", "sao", "abu", "bin"})


@lru_cache(maxsize=65536)
def kind_of(word: str) -> str:
    """Return what a word in plain lower case is: particle, job, ordinary, other (place, tool, …), word or name.

    A `word` is a name that is an ordinary word as well.

    >>> [kind_of(each) for each in ("nurse", "timber", "lisbon", "grace", "szczepanska", "von")]
    ['job', 'ordinary', 'ordinary', 'word', 'name', 'particle']
    """
    listed = word in given_names() or word in surnames()
    known = name_words().get(word)
    if word in _NO_WORDS or (word in PARTICLES and not listed):
        return "particle"
    if is_no_name(word):
        if listed or known in {"month", "place"}:
            return "other"
        return "job" if no_names().get(word) == "job" else "ordinary"
    if known is not None or listed:
        return "name" if known is None else "word" if known == "word" else "other"
    if is_person_noun(word):
        return "job"
    return "ordinary" if _is_made_of_ordinary(word) else "name"


def _is_made_of_ordinary(word: str) -> bool:
    """Say whether a word is ordinary, or made of an ordinary one: `recalibrators`, `waterproofing`.

    >>> [_is_made_of_ordinary(each) for each in ("recalibrators", "handcrafted", "okonjo", "back-office")]
    [True, True, False, True]
    """
    words = ordinary_words()
    if word in words or (len(word) > _LONGEST_ENDING and word.endswith(_ENDINGS)):
        return True
    if "-" in word:
        parts = word.split("-")
        if len(parts) == 2 and (parts[0] == parts[1] or parts[0] in {"al", "el", "ul"}):
            return False  # Jun-jun, Al-Farsi
        kinds = [kind_of(part) for part in parts if part]
        plain = [
            kind in {"ordinary", "job"} and (len(part) > _SHORT_PART or part in _SMALL_PARTS)
            for kind, part in zip(kinds, filter(None, parts), strict=True)
        ]
        if "name" in kinds or not any(plain):
            return False
        return all(plain) or "ordinary" in kinds
    if _has_stem(word):
        return True
    return any(
        word.startswith(prefix) and len(word) - len(prefix) > _SHORTEST_STEM and _has_stem(word[len(prefix) :])
        for prefix in _PREFIXES
    )


def _has_stem(word: str) -> bool:
    words, others = ordinary_words(), no_names()
    if word in words:
        return True
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if len(stem) < _SHORTEST_STEM + (suffix in _LONG_STEMS):
                continue
            whole = stem + instead
            if whole in words or others.get(whole) in {"job", "other", "section"}:
                return True
            if not instead and stem[-1] == stem[-2] and (stem[:-1] in words or stem[:-1] in others):
                return True  # 'planned', 'trimming'
    return False


@lru_cache(maxsize=65536)
def is_ordinary(word: str) -> bool:
    """Say whether a word in plain lower case is no name where it stands capitalised in a sentence.

    >>> is_ordinary("logistics"), is_ordinary("szczepanska")
    (True, False)
    """
    return kind_of(word) in {"ordinary", "job"}


_PEOPLE_LISTED = (
    "manager supervisor mentor mentee advisor adviser boss tutor tutee referee colleague coworker co-worker teammate "
    "professor teacher coach director partner friend predecessor successor neighbour neighbor father mother husband "
    "wife uncle aunt cousin brother sister son daughter grandmother grandfather grandson granddaughter nephew niece "
    "spouse fiance fiancee mom mum dad roommate flatmate landlord landlady photographer composer author artist poet "
    "painter singer conductor choreographer filmmaker cinematographer screenwriter playwright novelist architect "
    "designer journalist researcher founder cofounder co-founder captain interviewer co-author co-presenter co-host "
    "host engineer nurse doctor physician lawyer attorney activist philanthropist actor actress chef cook baker "
    "butcher carpenter joiner violinist pianist cellist guitarist drummer bassist saxophonist soprano tenor baritone "
    "laureate scientist historian economist mathematician philosopher physicist chemist biologist senator mayor "
    "governor minister justice judge ambassador president chancellor bishop congressman congresswoman councillor "
    "councilman councilwoman councilmember commissioner maestro inspector detective sergeant lieutenant colonel major "
    "general corporal admiral commander chief head dean provost rector principal headteacher headmaster headmistress "
    "lecturer reader fellow instructor trainer lead leader owner proprietor chair chairman chairwoman chairperson "
    "secretary treasurer deputy assistant apprentice trainee intern student pupil graduate alumnus alumna classmate "
    "officer foreman forewoman steward stewardess counsellor counselor therapist psychologist psychiatrist dentist "
    "surgeon pharmacist midwife carer caregiver nanny guardian companion client patient customer tenant resident "
    "victim witness applicant candidate contact recruiter interpreter translator editor producer publicist curator "
    "librarian archivist consultant auditor accountant analyst planner clerk receptionist driver pilot sailor skipper "
    "soldier veteran runner swimmer boxer cyclist golfer gymnast dancer ballerina comedian magician sculptor "
    "illustrator sensei master maestra guru imam rabbi pastor priest vicar deacon canon speaker panellist panelist "
    "moderator presenter narrator voice star rapper musician bandleader songwriter lyricist librettist dramaturg "
    "puppeteer stylist model tailor seamstress gardener farmer beekeeper fisherman electrician plumber welder "
    "mechanic machinist blacksmith mason roofer surveyor investigator examiner assessor reviewer supervisee "
    "collaborator contributor inventor developer programmer strategist coordinator administrator registrar "
    "superintendent sheriff constable warden ranger lifeguard firefighter paramedic medic supporter donor volunteer "
    "organiser organizer campaigner delegate representative premier prince princess king queen duke lord lady dame "
    "knight baron baroness count countess sultan sheikh emir chairlady spokesman spokeswoman spokesperson salesman "
    "saleswoman businessman businesswoman entrepreneur ceo cfo coo cto cio cmo vp svp evp pi pm hr md gm mp starter "
    "hire recruit newcomer staff member employee people writer biographer headliner act heir stepfather stepmother "
    "stepson stepdaughter godfather godmother aide valet caddie squire bodyguard policeman policewoman fireman "
    "cameraman handyman craftsman ombudsman statesman clergyman layman serviceman servicewoman postman milkman "
    "freshman sportsman sportswoman horseman alderman deckhand farmhand person man woman boy girl child parent patron "
    "baby toddler teenager owner-occupier ombudswoman stepbrother stepsister kid "
    "executive junior appraiser invigilator verifier chaperone escort"
)
_PEOPLE = frozenset(_PEOPLE_LISTED.split())
_PERSON_ENDINGS = ("ologist", "ologists", "ist", "ists", "ician", "icians")
_NO_PERSON = frozenset(
    {"christ", "list", "lists", "checklist", "twist", "mist", "assist", "exist", "consist", "german", "human"}
)


#: What is rather a thing in the plural.
_NO_PEOPLE = frozenset(("generals", "principals", "hosts", "heads", "leads", "chairs", "voices", "models", "contacts"))


@lru_cache(maxsize=8192)
def is_person_noun(word: str) -> bool:
    """Say whether a noun is for a person, in the singular or the plural.

    >>> [is_person_noun(each) for each in ("mentor", "mentees", "flautist", "reports", "server")]
    [True, True, True, False, False]
    """
    word = word.rpartition("-")[2]
    if word in _PEOPLE or (word.endswith("s") and word[:-1] in _PEOPLE):
        return word not in _NO_PEOPLE
    return (
        word.endswith(_PERSON_ENDINGS)
        and not word.endswith(("vist", "uist"))
        and word not in _NO_PERSON
        and len(word) > _LONGEST_ENDING
    )
