"""SCHOOL: names of universities, colleges and schools, by option, whole.

Kept: degrees and subjects, `school` and `university` without a name, job titles such as
college administrator, business units called academy.
"""

import re
from functools import cache

from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found, phrases_of

__all__ = ["schools"]

_CAP = r"(?:[A-Z][\w'&.-]*|[A-Z]\.)"
_LINK = (
    r"(?:of|de|des|du|di|da|do|della|del|la|las|los|le|les|the|for|and|&|at|in|fur|der|van|voor|zu|d'[A-Z]\w+|y|e|et)"
)
_KIND = (
    r"(?:University College|University|College|Universit[aey]\w*|Universidad\w*|Universidade|"
    r"Universite|Universiteit|Universitat|Uniwersytet|Univerzita|"
    r"Polytechnic(?: Institute| University)?|Politecnico|Politechnika|Polytechnique|Hochschule|"
    r"Fachhochschule|Instituto|Institute|"
    r"School|High School|Secondary School|Grammar School|Primary School|Middle School|Academy|"
    r"Seminary|Conservatory|Conservatoire|Gymnasium|Lyceum|Lycee|"
    r"Kolleg|Vidyalaya|Vidyapeeth|Daigaku|Madrasa|Yeshiva|UNIVERSITY|COLLEGE|INSTITUTE|SCHOOL|ACADEMY|POLYTECHNIC)"
)
_HEAD = re.compile(
    r"University|College|Institut|School|Academy|Universi|Polyte|Politec|Hochschule|Conservato|"
    r"Gymnasium|Lyc|Ecole|Escuela|Colegio|Escola|Uniwersytet|Vidya|Seminary|UNIVERSITY|COLLEGE|"
    r"INSTITUTE|SCHOOL|ACADEMY|POLYTECHNIC|Facultad|Faculte|Liceo|Kolleg"
)
_LEADING_LISTED = (
    "graduated attended education bachelor bachelors master masters the at from studied degree diploma bsc msc "
    "ba ma bs ms mba phd graduate student alumni alumna professor lecturer dean adjunct assistant associate "
    "senior junior teacher principal visiting head research director taught instructor volunteer at, university, "
    "hons honours honors computer science engineering in and or for of with since summer intern fellow scholar "
    "minor major gpa certificate certification"
)
_LEADING = frozenset(_LEADING_LISTED.split())
#: After these words the school's kind is no name: `school district`, `university relations`.
_NO_SCHOOL = re.compile(
    r"[ ]+(?:district|board|relations|recruit\w*|hiring|students?|administrat\w+|admissions?|"
    r"counsel\w+|library|press|hospital|medical cent\w+|bus|degree)\b",
    re.IGNORECASE,
)
_PLAIN_START = re.compile(
    r"^(?:Business|High|Law|Medical|Graduate|Summer|Night|Old|Public|Private|Middle|Primary|"
    r"Elementary|Secondary|Sunday|Driving|Community|Boarding|Grammar|Online|Language|State|Local|"
    r"Junior|Technical|Training|Sales|Data|Leadership|Coding|Management|My|Our|Their|His|Her|"
    r"Every|Each|Any|New|This)$"
)
_BRANCH = re.compile(
    r"(?:,[ ](?:Amherst|Ann Arbor|Austin|Berkeley|Boulder|Chapel Hill|Davis|Irvine|Los Angeles|"
    r"Madison|Merced|Riverside|San Diego|Santa Barbara|Santa Cruz|Twin Cities|Urbana-Champaign|"
    r"College Park|Baltimore County|St\.? Louis|Chicago)|[ ]?[-–][ ]?(?:Amherst|Ann Arbor|Austin|"
    r"Berkeley|Boulder|Madison|Twin Cities|Urbana-Champaign|Newark|Camden))\b"
)


@cache
def _short() -> dict[str, re.Pattern[str]]:
    """Return the patterns of well-known short names: with their case, as whole words, and in lower-case text."""
    phrases = phrases_of("school")
    escape = sorted((re.escape(each) for each in phrases["known"]), key=len, reverse=True)
    return {
        "known": re.compile(rf"(?<![\w.-])(?:{'|'.join(escape)})(?:[ ](?:{_CITIES}))?(?![\w.-]\w)(?!\w)"),
    }


_CITIES = (
    r"Bombay|Delhi|Madras|Kanpur|Kharagpur|Roorkee|Guwahati|Hyderabad|Indore|Varanasi|Ahmedabad|"
    r"Bangalore|Calcutta|Lucknow|Kozhikode|Trichy|Warangal|Surathkal|Calicut|Pilani|Goa|Mumbai|"
    r"Bangalore|Allahabad|Rourkela"
)


def schools(plain: Plain) -> list[Found]:
    """Return whole names of schools.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("BA, University of Texas at Austin; the school district; MIT")
    >>> [seen.text[found.start:found.end] for found in schools(seen)]
    ['University of Texas at Austin', 'MIT']
    """
    text, found = plain.text, []
    done = 0
    for head in _HEAD.finditer(text):
        if head.start() < done:
            continue
        start, end = _around(text, head)
        if end <= start:
            continue
        found.append(Found(start=start, end=end, category="SCHOOL", rule="named", confidence=0.93))
        done = end
    found += [
        Found(start=match.start(), end=match.end(), category="SCHOOL", rule="known", confidence=0.93)
        for match in _short()["known"].finditer(text)
    ]
    return found


_WORD_BEFORE = re.compile(rf"({_CAP}|(?:of|the|and|&|de|la|del|di|for|du|des|in))[ ]$")
_OF = re.compile(
    r"[ ](?:of|de|des|di|da|do|du|della|del|for|fur|voor|zu|at|the)\b(?:[ ](?:la|las|los|the|"
    rf"l'|les|der|die))?[ ]{_CAP}(?:[ ](?:(?:of|and|&|de|the|y|e|et|at|du|di|in)[ ](?:the[ ])?)?{_CAP}){{0"
    rf",5}}"
)


_LINK_FIRST = re.compile(r"(?:of|and|&|de|la|del|di|for|du|des|in|the|The|A|An|At|In|From)[ ]")
#: Kinds that come before the place: Technische Universitat Dresden.
_FOREIGN = re.compile(
    r"Universit(?:a|at|ae|ate|e|eit|es)\b|Universid|Uniwers|Univerz|Hochschule|Ecole|Escuela|Colegio|Escola|Lyc[eé]e|"
    r"Liceo|Polit[eé]|Institut\b|Instituto|Facult|Gymnasium\b"
)
_CAPITALS = re.compile(rf"(?:[ ]{_CAP}){{1,3}}")
_SEVERAL = re.compile(
    r"(?:schools|colleges|universities|academies|institutes|institutions?|institutional)\b", re.IGNORECASE
)


def _around(text: str, head: re.Match[str]) -> tuple[int, int]:  # noqa: C901, PLR0912 - words before, words after, what they may not be
    """Return where the name around a word such as University begins and ends; empty where there is no name."""
    start = head.start()
    if start and (text[start - 1].isalnum() or text[start - 1] in "-_/@."):
        return 0, 0
    end = head.end()
    while end < len(text) and (text[end].isalnum() or text[end] == "-"):
        end += 1
    if _NO_SCHOOL.match(text, end) is not None or _SEVERAL.match(text, start) is not None:
        return 0, 0
    first = start
    while True:
        match = _WORD_BEFORE.search(text, max(0, first - 28), first)
        if match is None or (match.group(1) in {"in", "for", "at"}):
            break
        word = match.group(1)
        if word.lower().strip(".") in _LEADING - {"of", "and", "the", "science", "engineering"}:
            break
        first = match.start(1)
    # A link can't begin a name.
    while True:
        match = _LINK_FIRST.match(text, first, start)
        if match is None:
            break
        first += match.end()
    before = text[first:start].split()
    after = _OF.match(text, end)
    if after is None and _FOREIGN.match(text, start) is not None:
        after = _CAPITALS.match(text, end)
    if after is not None:
        end = after.end()
    elif (
        not before
        or (len(before) == 1 and _PLAIN_START.match(before[0]) is not None)
        or (len(before) == 2 and before[0] in {"Local", "Public", "My", "The", "Our"})
    ):
        return 0, 0
    kind = text[start : head.end()].lower()
    if kind in {"institut", "academy"} and after is None and not before:
        return 0, 0
    following = re.match(
        r"[ ](?:High|Secondary|Grammar|Middle|Primary)?[ ]?(?:School|College|University|Academy|Institute)\b",
        text[end:],
    )
    if following is not None:
        end += following.end()
        again = _OF.match(text, end)
        end = again.end() if again is not None else end
    branch = _BRANCH.match(text, end)
    if branch is not None:
        end = branch.end()
    while text[end - 1] in ".,;:&'":
        end -= 1
    return first, end
