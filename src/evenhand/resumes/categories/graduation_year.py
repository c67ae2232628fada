"""GRADYEAR: years of graduation and study, by option: they tell an age.

Kept: years of jobs, of courses and certificates outside of education, amounts that look like years.
"""

import re

from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["graduation_years"]

_YEAR = re.compile(
    r"(?<![\d$€£,.#:-])(?:(?:19[4-9]|20[0-4])\d)(?!\d|%|,\d|\.\d| ?(?:units|students|people|hours|"
    r"users|employees))|(?<=')\d\d(?!\d)|(?<=/)(?:19|20)\d\d(?!\d)|(?<=[-–] )(?:19|20)\d\d|"
    r"(?<=\d--)(?:19|20)\d\d(?!\d)|(?<=\d-)(?:19"
    r"|20)\d\d(?!\d)"
)
_DEGREE = re.compile(
    r"\b(?:b\.?\s?s\.?c?|b\.?a|m\.?\s?s\.?c?|m\.?a|mba|m\.b\.a|ph\.?\s?d|b\.?\s?tech|m\.?\s?tech|"
    r"b\.?e|m\.?e|b\.?com|m\.?com|b\.?ed|m\.?ed|llb|ll\.b|llm|j\.?d|m\.?d|mbbs|"
    r"bba|bfa|mfa|mph|msw|bsw|bsn|msn|dnp|dds|pharmd|a\.?a\.?s?|hnd|btec|ged|gcse|gcses|i?gce|igcse|a-levels?|o-levels?|abitur|baccalaureate|"
    r"baccalaureat|matura|maturita|bachillerato|laurea|maitrise|magister|magistrale|mestrado|graduacao|ingenieria|"
    r"diplom-\w+|dipl\.?-ing\.?|staatsexamen|nvq|hnc|ssc|hsc|matric|(?:10|12)th (?:standard|grade|class|std)|"
    r"cbse|icse|b\.?eng|m\.?eng|m\.?res|m\.?phil|d\.?phil|ed\.?d|b\.?arch|m\.?arch|b\.?pharm|m\.?pharm|bca|mca|"
    r"universidad|universite|universidade|universitat|universita|uniwersytet|politecnico|hochschule|gymnasium|lycee|"
    r"associate'?s?(?: degree| of)|bachelor'?s?|master'?s?|doctora\w+|diploma|degree|licenciatura|"
    r"licence|diplom|magister|honou?rs|"
    r"university|college|institute of technology|polytechnic|high school|secondary school|school "
    r"of|academy|graduat\w+|alumn\w+|matriculat\w+|valedictorian|commencement|thesis|dissertation|"
    r"major(?:ed)? in|minor in|gpa|cum laude)\b"
)
_GRADUATED = re.compile(
    r"\b(?:promotion(?= (?:19|20)\d\d)|(?:batch|cohort|intake|year group)(?: of)?(?= '?(?:19|20)?\d\d)|"
    r"studied\b(?=[^.\n]{0,40} at )|(?:started|finished|"
    r"left) (?:university|college|school)|"
    r"(?:went to|at) (?:university|college|school)|school-leaving|alumn(?:us|a)\b|"
    r"(?:expected|anticipated) (?:graduation|completion|to graduate)|graduat(?:ed|ion|ing|e|es)|"
    r"class of|degree (?:awarded|conferred|completed)|conferred|"
    r"matriculated|alumn(?:us|a|i|ae) of|"
    r"completed (?:my|his|her|a|an) (?:degree|bachelor'?s?|master'?s?|ph\.?d|mba|diploma|b\.?sc|"
    r"m\.?sc)|finished (?:university|college|school)|earned (?:my|his|her|a|an) [^.\n]{0,50}(?:degree|"
    r"bachelor|master|ph\.?d|diploma|mba|b\.?[as]|m\.?[as])|passing year|year of (?:graduation|"
    r"passing|completion)|passed out|convocation|valedictorian)\b"
)
_NEAR = 70


def graduation_years(plain: Plain, layout: Layout) -> list[Found]:  # noqa: C901 - one branch per place of a year
    r"""Return years in lines about degrees, and beside words for graduating.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Education\nBSc Physics, Leeds, 2004-2008\nExperience\nAcme, 2009")
    >>> [seen.text[found.start:found.end] for found in graduation_years(seen, layout_of(seen))]
    ['2004', '2008']
    """
    low = plain.low
    found: list[Found] = []

    def add(start: int, end: int, rule: str, confidence: float) -> None:
        found.extend(
            Found(start=match.start(), end=match.end(), category="GRADYEAR", rule=rule, confidence=confidence)
            for match in _YEAR.finditer(low, start, end)
        )

    lines = layout.lines
    after_job = False
    for place, line in enumerate(lines):
        if (line.section == "education" or _INLINE.match(low, line.start) is not None) and not line.heading:
            text = low[line.start : line.end]
            job = _JOB.search(text) is not None or _OTHER.search(text) is not None
            dates = _is_dates(text)
            if dates and place and lines[place - 1].number == line.number - 1:
                job = after_job
            after_job = job and _DEGREE.search(text) is None
            if not after_job:
                add(line.start, line.end, "education", 0.93)
        elif _YEAR.search(low, line.start, line.end) is not None:
            for start, end in _sentences(low, line.start, line.end):
                degrees = (match.group() for match in _DEGREE.finditer(low, start, end))
                strong = any(degree not in _WEAK_DEGREES for degree in degrees)
                if (strong or _CAPITAL_DEGREE.search(plain.text, start, end) is not None) and (
                    _is_study(plain.text[start:end]) or _EARNED.search(low, start, end) is not None
                ):
                    add(start, end, "degree", 0.85)
            if (
                place
                and low[line.start : line.end].strip("0123456789 –-()/.to") == ""
                and _is_study(plain.text[lines[place - 1].start : lines[place - 1].end])
            ):
                add(line.start, line.end, "degree", 0.8)
    for match in _GRADUATED.finditer(low):
        stop = _stop(low, match.end())
        for year in _YEAR.finditer(low, match.end(), stop):
            add(year.start(), year.end(), "graduated", 0.93)
            joined = _RANGE.match(low, year.end())
            if joined is not None:
                add(joined.start(1) - 1, joined.end(1), "graduated", 0.93)
            break
    unique = {(each.start, each.end): each for each in found}
    return list(unique.values())


#: What stands under Education and isn't about studying.
_OTHER = re.compile(
    r"\b(?:certif\w+|coursera|udemy|workshop|bootcamp|conference|published|journal|award|employ\w+|manager|engineer at|"
    r"interned|internship|leave|founded|volunteer\w*|member|council|network|parade|year in|since)\b"
)
_DATE_WORDS = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|\b(?:present|now|to|expected|since)\b|[\d\W]+"
)
_WEAK_DEGREES = frozenset({"me", "be", "ma", "ba", "master", "academy", "graduate"})
_EARNED = re.compile(r"\b(?:studied|read|earned|received|completed|obtained|finished|graduated|gained|took|holds?)\b")
#: A line that is its own section: `Education: BSc, 2004`, a table's cell.
_INLINE = re.compile(
    r"[ \t|*_>\"-]*(?:education|studies|degrees?|qualifications?|academic \w+|school(?:ing)?|university|"
    r"formacion academica|"
    r"formacion|estudios|studium|ausbildung|etudes)[ \t*_\"]*[:|\t][ \t*|]*(?=\S)"
)
_FEW_WORDS = 3
_RANGE = re.compile(r"\s*(?:-|\u2013|to|until|till|through|and|/)\s*((?:19|20)\d\d)\b")
#: Degrees that are words or states otherwise, in capitals and not after a town: `BA from Yale`, not `Boston, MA`.
_CAPITAL_DEGREE = re.compile(r"(?<!, )\b(?:BA|MA|BE|ME|BS|MS|AA)\b(?=[ ,(])(?! \d)")
#: Under Education, a job: its section began under a heading that is not known.
_JOB = re.compile(
    r"\b(?:ltd|inc|llc|gmbh|plc|corp|managers?|engineer|analyst|assistant|officer|planner|clerk|supervisor|consultant|"
    r"developer|technician|director|coordinator|specialist|associate(?! degree| of| in)|accountant|"
    r"nurse|designer|administrator|"
    r"executive|trainee|apprentice|full[- ]time|part[- ]time|hours per week|responsib\w+)\b"
)
_TWO_LETTERS = frozenset(f"{degree}{mark}" for degree in ("ba", "ma", "bs", "ms") for mark in " ,")


def _sentences(low: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a line between full stops, commas after years, and semicolons."""
    found = []
    for match in _PART_END.finditer(low, start, end):
        found.append((start, match.start()))
        start = match.end()
    return [*found, (start, end)]


_PART_END = re.compile(r"(?<=[a-z)]{3})\.[ ]|;[ ]")


def _is_dates(line: str) -> bool:
    """Say whether a line is little more than dates: '2004 - 2008', 'Sept 2004, Leeds'."""
    return len(_DATE_WORDS.sub(" ", line).split()) <= _FEW_WORDS


_STUDY = re.compile(
    r"\b(?:ssc|hsc|matric|(?:10|12)th (?:standard|grade|class|std)|cbse|icse|i?gce|igcse|o-levels?|"
    r"hnd|hnc|matura|laurea|"
    r"maitrise|magister|licence|mestrado|bachillerato|diplom-\w+|staatsexamen|m\.?phil|b\.?arch|m\.?arch|b\.?ed|m\.?ed|"
    r"b\.?s\.?n|j\.?d|bca|mca|b\.?sc|b\.?s\.?|b\.?a\.?|m\.?\s?sc|m\.?s\.?|m\.?a\.?|mba|ph\.?\s?d|b\.?\s?tech|"
    r"m\.?\s?tech|b\.?com|b\.?eng|m\.?eng|llb|llm|mbbs|bba|bfa|mfa|mph|msw|bsn|msn|"
    r"bachelor'?s?|master'?s?|doctorate|diploma|degree|abitur(?= \d)|abitur|licenciatura|associate'?s? (?:degree|"
    r"of)|a-levels?|gcses?)\b.*"
    r"(?:,| in | of |\(|-|–|\||at |from )|\b(?:high school|secondary school) (?:diploma|certificate)|"
    r"\b(?:university|college|polytechnic)\b\s*(?:of [a-z ]+)?[,(|–-]"
)
_WORK = re.compile(
    r"\b(?:professor|lecturer|instructor|taught|teaching|tutor|worked|led|managed|researcher|librarian|administrator|"
    r"manager|engineer,|analyst,|coordinator|developer,|hired|recruit\w*|sponsor\w*|partner\w*|"
    r"speaker|keynote|budget|grant)\b"
)


def _is_study(line: str) -> bool:
    low = line.lower()
    match = _STUDY.search(low)
    # 'Ba Dinh' is a place, 'Ms Ma' a person: degrees of two letters are capitals.
    return (
        match is not None
        and _WORK.search(low) is None
        and not (
            line[match.start() : match.start() + 3].rstrip(" ,.").istitle()
            and low[match.start() : match.start() + 3] in _TWO_LETTERS
        )
    )


def _stop(low: str, start: int) -> int:
    end = min(len(low), start + _NEAR)
    for mark in ("\n\n", ". ", ";"):
        place = low.find(mark, start, end)
        if place >= 0:
            end = place
    return end
