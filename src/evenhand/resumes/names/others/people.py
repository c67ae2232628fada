"""Names of other people in a document: referees, managers, relatives, authors, anyone with a title."""

import re
from collections.abc import Callable, Iterator

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import ORGANISATION_AFTER
from evenhand.resumes.names.kinds import is_ordinary, kind_of
from evenhand.resumes.names.lists import STATES, SURNAMES_TOO, given_names, is_no_person, no_names, surnames
from evenhand.resumes.names.others.blocks import in_blocks
from evenhand.resumes.names.others.prose import in_prose
from evenhand.resumes.names.others.singles import singles
from evenhand.resumes.names.own.candidates import is_clean
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.names.shapes import NAME
from evenhand.resumes.names.slots import before_score
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Layout

__all__ = ["other_people"]

_MOST = 150
_TITLES_LISTED = (
    "mr mrs ms mx miss dr drs prof profs professor professors messrs sir dame madam rev revd reverend herr frau mme "
    "mlle monsieur madame senor senora senorita signor signora shri smt sri sheikh imam rabbi pastor capt captain col "
    "colonel sgt sergeant cpl pvt maj lt judge justice hon honourable honorable sen rep gov cllr councillor insp det "
    "fr ustad pandit swami maulana sensei coach lady chef officer nurse detective engr er adv major lieutenant "
    "corporal commander inspector constable bishop deacon senator governor mayor alhaji alhaja hajia headmaster "
    "headmistress"
)
_TITLES = word_list(_TITLES_LISTED.split())
#: Titles that are jobs as well: two words follow, or one that is no word.
_JOBS_LISTED = (
    "captain colonel sergeant judge justice coach chef officer nurse detective rep gov hon adv er fr det lady imam "
    "rabbi pastor col sen maj lt major lieutenant corporal commander inspector constable bishop deacon senator "
    "governor mayor headmaster headmistress"
)
_JOBS = frozenset(_JOBS_LISTED.split())
_ABBREVIATED_LISTED = (
    "mr mrs ms mx dr drs prof profs messrs rev revd hon capt col sgt cpl pvt maj lt sen rep gov cllr insp det fr er "
    "adv engr smt"
)
_ABBREVIATED = frozenset(_ABBREVIATED_LISTED.split())
#: One word after these is a name only where it is a frequent one.
_LOOSE_LISTED = (
    "coach chef officer nurse detective rep gov hon adv er fr det lady sen maj lt engr major lieutenant corporal "
    "commander inspector constable bishop deacon mayor governor"
)
_LOOSE = frozenset(_LOOSE_LISTED.split())
_NAME = lazy_re(NAME)
_LEADING_PARTICLES = lazy_re(
    r"(?:(?:van|von|de|der|den|dem|del|della|di|da|dos|du|la|le|el|al|bin|bint|ibn|ter|ten|zu|zum|zur|af)[ ]){1,3}"
    r"(?=[A-Z])"
)
_GAP = lazy_re(r"\.?(?:[ ]{1,2}|[ ]?\n[ \t>]*)(?:Dr\.?[ ]|Prof\.?[ ]|Mrs?\.?[ ]){0,2}")
_AND = lazy_re(
    r",?[ \n](?:and|&|AND|y|und)[ \n](?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|Professor|Judge|Sir|Miss)\.?[ ]){0,2}|,[ ](?=[A-Z])"
)
_BROKEN = lazy_re(r"\n[ \t>]*(?=[A-Z][a-z])")
_HALF_DOZEN = 6


def other_people(folded: FoldedText, layout: Layout) -> list[Name]:
    """Return the names of other people that titles, labels, references, lists of authors or their places reveal."""
    found: dict[str, Name] = {}

    def add(text: str) -> None:
        text = _wide(text).strip(" ,.-–")
        if text and len(found) < _MOST and text not in found:
            name = name_of(text)
            if name.tokens:
                found[text] = name

    _add_titled(folded, add)
    lines, spared = in_blocks(folded, layout, add)
    _add_initialled(folded, add)
    for named in in_prose(folded, lines, spared):
        add(named)
    for named in singles(folded):
        add(named)
    for named in [text for text in found if " " in text]:
        add(_joined_to(folded.text, named))
    return [name for text, name in found.items() if not _is_of_a_thing(folded.text, text, name)]


def _wide(text: str) -> str:
    """Return a name without what stands behind two blanks: a text that has lost its lines has those between them."""
    first, apart, _ = text.partition("  ")
    return first if apart and " " in first.strip() else text


def _is_of_a_thing(text: str, named: str, name: Name) -> bool:
    """Say whether a name is a firm's, a school's or a place's: a word of theirs follows somewhere, or all are words."""
    if len(name.tokens) > 1:
        last = name.tokens[-1]
        if not any(is_clean(token) or token in given_names() for token in name.tokens):
            return True
        if last not in surnames() and no_names().get(last) == "place":
            return True
    if _BODY_AFTER.search(named) is not None:
        return True
    place = text.find(named)
    while place >= 0:
        end = place + len(named)
        if ORGANISATION_AFTER.match(text, end) is not None or _BODY_AFTER.match(text, end) is not None:
            return True
        if _THING_BEFORE.search(text, max(0, place - _NEAR), place) is not None:
            return True
        place = text.find(named, place + 1)
    return False


_NEAR = 40
#: The rest of a firm's or a school's name: `Vivekananda Technical University`.
_BODY_AFTER = lazy_re(
    r"(?:[ ][A-Z][\w&]+){0,2}[ ](?:University|College|School|Institute|Polytechnic|Limited|Ltd|Foundr(?:y|ies)|"
    r"UNIVERSITY|COLLEGE|SCHOOL|INSTITUTE|POLYTECHNIC|LIMITED|LTD|FOUNDR(?:Y|IES))\b"
)
#: What no person stands behind: the first half of a firm's name, a label of a firm or a project.
_THING_BEFORE = lazy_re(
    r"(?:& |\b(?:client|customer|project|company|employer|organi[sz]ation|college|university|school|product|vendor)s?"
    r"(?: name)?[ ]*[:\u2013-][ ]*)$",
    re.IGNORECASE,
)


def _joined_to(text: str, named: str) -> str:
    """Return a single name that `and` joins to a whole one: `panel with Yunfei Tay and Sook`."""
    place = text.find(named)
    match = _AND_ONE.match(text, place + len(named)) if place >= 0 else None
    if match is None or kind_of(match.group(1).lower()) not in {"name", "word"}:
        return ""
    return match.group(1)


_AND_ONE = lazy_re(r"[ ](?:and|&)[ ]([A-Z][a-z]+(?:-[a-z]+)?)(?=[.;,)\n]|$)")


def _add_titled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add the names after titles, and those joined to them: `Drs. Okafor and Lee`, `Mr. and Mrs. Iqbal`."""
    words, text = folded.words, folded.text
    for place in folded.places(_TITLES):
        title, start, end = words[place]
        if not text[start].isupper() or text[end : end + 1] not in {".", " ", "\n"}:
            continue
        if title == "ms" and text[start:end] == "MS" and text[end] != ".":
            continue  # a degree, a product's maker
        if text[end] == "." and title not in _ABBREVIATED:
            continue  # the end of a sentence
        if (
            text[start:end].isupper()
            and text[end] != "."
            and title in {"mx", "ms", "er", "fr", "det", "adv", "rep", "sen"}
        ):
            continue
        several = title in {"drs", "messrs", "profs", "professors"}
        for turn in range(_HALF_DOZEN):
            named, last = _after_title(
                folded, end, job=title in _JOBS, loose=title in _LOOSE, person=title in _OF_ANYBODY
            )
            if not named or is_no_person(f"{title} {named.lower()}"):
                break
            add(named)
            joined = _AND.match(text, last)
            if joined is None or not (several or (turn == 0 and "." in joined.group())):
                break
            end = joined.end() - 1


#: Titles after which a trade is a surname; the offices that they stand before, and Microsoft's products.
_OF_ANYBODY = frozenset({"mr", "mrs", "ms", "miss", "mx"})
_NO_PERSON_LISTED = (
    "chair chairman chairwoman president speaker mayor justice secretary minister ambassador vice director "
    "access excel word office project sql teams azure windows dynamics"
)
_NO_PERSON = frozenset(_NO_PERSON_LISTED.split())


def _after_title(folded: FoldedText, end: int, *, job: bool, loose: bool, person: bool) -> tuple[str, int]:  # noqa: C901 - one line per kind of word
    """Return the name that follows a title, and where it ends; empty where none does."""
    text = folded.text
    gap = _GAP.match(text, end)
    if gap is None:
        return "", end
    if "\n" in gap.group() and _LABELLED.search(folded.low, max(0, end - _LONG_LINE), end) is not None:
        return "", end  # a field `Prefix: Ms`, another field below it
    start = gap.end()
    particles = _LEADING_PARTICLES.match(text, start)
    first = particles.end() if particles is not None else start
    match = _NAME.match(text, first)
    if match is None:
        return "", end
    words = match.group().split()
    low = [word.lower().strip(".'").removesuffix("'s") for word in words]
    taken = 0
    while taken < len(words) and (
        (taken == 0 and not job and (kind_of(low[0]) != "job" or low[0] in SURNAMES_TOO or person))
        or len(low[taken]) == 1
        or kind_of(low[taken]) in {"name", "word", "particle"}
        or (kind_of(low[taken]) == "other" and not job)
        or (taken and low[taken - 1] in PARTICLES)
        or (taken == 1 == len(words) - 1 and (person or low[0] in given_names()) and _ENDED.match(text, match.end()))
    ):
        taken += 1
    while taken and low[taken - 1] in PARTICLES and taken > 1:
        taken -= 1
    known = taken > 1 or particles is not None or _is_surname(low[0], job=job, loose=loose)
    if not taken or (person and low[0] in _NO_PERSON) or not (known or (person and len(low[0]) > 1)):
        return "", end
    named = " ".join(words[:taken])
    last = (
        first + len(match.group())
        if taken == len(words)
        else first + match.group().index(words[taken - 1]) + len(words[taken - 1])
    )
    if taken == len(words) and not named.endswith("'s"):
        more = _BROKEN.match(text, last)
        if more is not None and last - text.rfind("\n", 0, last) > _LONG_LINE:
            following = _NAME.match(text, more.end())
            word = following.group().split()[0] if following is not None else ""
            if word and kind_of(word.lower()) in {"name", "word"} and _PAGE.match(text, more.end()) is None:
                named, last = f"{named} {word}", more.end() + len(word)
    if ORGANISATION_AFTER.match(text, last) is not None and job:
        return "", end
    return text[start:first] + named.removesuffix("'s"), last


#: A title at a line's end that is the value of a field.
_LABELLED = lazy_re(
    r"(?:[:\t|=-][ ]*|[ ]{2,}|\b(?:prefix|title|salutation|address|gender|sex|anrede|civilite|honorific)[ ]+)\w+\.?$"
)
_PAGE = lazy_re(r"Page[ ]\d")
_LONG_LINE = 50
_ENDED = lazy_re(r"[.,;:)|]|[ ]?(?:\n|$|[–—(|-])")


def _is_surname(word: str, *, job: bool, loose: bool) -> bool:
    """Say whether a single word after a title may be a surname."""
    if loose:
        return kind_of(word) == "name" and (word in surnames() or word in given_names())
    if job:
        return kind_of(word) == "name" and len(word) > 2
    if word in SURNAMES_TOO:
        return True
    return len(word) > 1 and no_names().get(word, "other") == "other" and not word.isdigit()


def _add_initialled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add surnames with dotted initials before or after them; organisations are hardly written so."""
    text = folded.text
    for match in _initialled(text):
        surname = match.group("before") or match.group("after")
        low = surname.lower().removesuffix("'s")
        initials = "".join(_DOTTED.findall(match.group()))
        if initials in _NO_INITIALS or kind_of(low) == "particle" or low in _DEGREES:
            continue
        if (is_ordinary(low) or low in _NO_SURNAMES) and (
            match.group("after") or len(low) < 2 or low.endswith("ed") or before_score(folded, match.start()) < 2
        ):
            continue
        if match.group("after") and (kind_of(low) == "other" or initials in STATES):
            continue  # Portland, O.R.; Sioux Falls, S.D.
        if _IN_A_LANGUAGE.search(text, max(0, match.start() - 4), match.start()) is not None and match.group("before"):
            continue  # 'records in R. Won a grant'
        if _STREET.search(match.group().lower()) is not None or _STREET_AFTER.match(text, match.end()) is not None:
            continue
        if "J" in initials and low in _JOURNALS:
            continue
        if is_no_person(f"{initials.lower()} {low}") or ORGANISATION_AFTER.match(text, match.end()) is not None:
            continue
        add(match.group().removesuffix("'s"))


_IN_A_LANGUAGE = lazy_re(r"\bin $")
_STREET = lazy_re(r"[ ](?:ave|st|rd|blvd|dr|ln|ct|pl|hwy|pkwy|street|avenue|road|drive|lane|court|place|terrace|way)$")
_STREET_AFTER = lazy_re(r"[ ](?:Ave|St|Rd|Blvd|Dr|Ln|Ct|Pl|Hwy|Pkwy|Street|Avenue|Road|Drive|Lane|Court|Terrace|Way)\b")
#: After the J of a journal: `J. Hosp. Infect.`
_JOURNALS_LISTED = (
    "hosp infect med clin orthop appl phys chem am sci eng nurs surg biol biochem psychol econ educ hist lang soc "
    "geogr geophys neurosci immunol virol pharm nutr agric food comput softw stat math acoust mater mech "
    "struct urban int"
)
_JOURNALS = frozenset(_JOURNALS_LISTED.split())


def _initialled(text: str) -> Iterator[re.Match[str]]:
    """Yield surnames with initials; looked for from the dots, which are few."""
    done = 0
    for dot in _INITIAL.finditer(text):
        begin = dot.start() - 1
        if begin < done:
            continue
        match = None
        if text.startswith(", ", begin - 2):
            surname = _LAST_WORD.search(text, max(0, begin - _LONGEST_SURNAME), begin - 2)
            if surname is not None and surname.start() >= done:  # not Roe's in 'R. Roe, E. Lee'
                match = _INITIALLED.match(text, surname.start())
        match = match or _INITIALLED.match(text, begin)
        if match is not None:
            done = match.end()
            yield match


_INITIAL = lazy_re(r"\.(?<=[A-Z]\.)(?<![\w.'&/-]..)")
_LAST_WORD = lazy_re(r"[A-Z][\w'-]+$")
_LONGEST_SURNAME = 32
_DOTTED = lazy_re(r"([A-Z])\.")
_DEGREES_LISTED = "sc com comm ed tech eng arch pharm phil mus des voc lib litt stat plan mgmt ing edu phd d a s"
_DEGREES = frozenset(_DEGREES_LISTED.split())
_NO_SURNAMES_LISTED = "my i we he she it our the this in at a an on if as his her they their you your these those"
_NO_SURNAMES = frozenset(_NO_SURNAMES_LISTED.split())
_NO_INITIALS_LISTED = "BA MA BS MS BE ME JD MD RN PE AD PO BC HR QA IT AI US UK EU UN PF"
_NO_INITIALS = frozenset(_NO_INITIALS_LISTED.split())
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|del|della|dos|du|la|le|al|bin|bint|ibn|ter|zu)[ ]){0,3}"
_INITIALLED = lazy_re(
    rf"(?<![\w.'&/-])(?:(?:[A-Z]\.[ -]{{0,2}}){{1,3}}{_PARTICLE}(?P<before>(?:al-|el-)?[A-Z][\w'-]+)"
    r"(?:[ ](?!(?:I|The|He|She|They|We|It|A|In|An)\b)[A-Z][a-z'-]+)?(?![\w@])"
    rf"|(?P<after>[A-Z][\w'-]+),[ ](?:[A-Z]\.[ -]?){{1,3}}(?![\w.]))"
)
