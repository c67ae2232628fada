"""Labelled details: `Gender: F`, `Marital status: none`, `Nationality: Kenyan`.

Whatever stands after such a label is masked, `none` and `prefer not to say` too: masking
only what applies would tell that it applies.
"""

import re

from evenhand.resumes.categories.columns import cells_below
from evenhand.resumes.layout import Field, Layout
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["LABELS", "in_fields"]

_LABELS = {
    "GENDER": (
        "gender|sex|sexo|genero|geschlecht|sexe|pronouns|preferred pronouns|my pronouns|personal "
        "pronouns|gender pronouns|gender "
        "identity|pronoun|sex/gender|gender/sex|"
        "gender and pronouns|title"
    ),
    "ETHNICITY": (
        "race|ethnicity|ethnic origin|ethnic group|ethnic background|race/ethnicity|race or ethnicity|"
        "race and ethnicity|"
        "nationality|nationalities|nacionalidad|staatsangehorigkeit|nationalite|nationalitat|national "
        "origin|caste|tribe|ethnicity/race|citizenship|place of birth|birthplace|"
        "country of origin|country of birth|community|heritage|birth place|state of origin|citizen of|"
        "citizen status|citizenship status|passport|passport nationality|visa status|immigration status|"
        "residency status|residence status|caste category|caste/category|sub caste|sub-caste|category|"
        "social category|reservation category|native place|native country|tribal affiliation|tribe/clan|"
        "tribal enrollment|ethnic|ethnic identity|equity status|equity group|employment equity|"
        "employment equity status|ee status|population group|race group|"
        "racial identity|race & ethnicity|race and ethnic background|ethnicity and race|first nationality|"
        "second nationality|other nationality|current nationality|nationality at birth|nationality by birth|"
        "nationality/citizenship|citizenship/nationality|dual nationality|dual citizenship|nationality (dual)"
    ),
    "RELIGION": (
        "religion|konfession|faith|religious affiliation|religious background|denomination|creed|religion/belief|"
        "religious beliefs|religious views|religious denomination|religion and caste|religion/caste|religion & caste|"
        "caste & religion|religion / caste|caste/religion|religious preference|belief|beliefs|religious identity|"
        "religious community|church affiliation"
    ),
    "MARITAL": (
        "marital status|civil status|family status|relationship status|married|children|dependents|dependants|"
        "number of children|no. of children|of children|family|spouse|marital|marital state|marriage status|"
        "family situation|estado civil|familienstand|situation familiale|etat civil"
    ),
    "ORIENTATION": "sexual orientation|orientation|sexuality|sexual identity|sexual preference",
    "DISABILITY": (
        "disability|disabilities|disability status|disabled|medical conditions|health condition|health conditions|"
        "registered disabled|accommodations|accommodation needs|access needs|accessibility needs|"
        "health status|disability/health|adjustment needed|adjustments needed|adjustments required|"
        "reasonable adjustments|workplace adjustments|accommodation needed|accommodations needed|"
        "accommodations required|access requirements|special needs|physical disability|physical disabilities|"
        "type of disability|disability type|nature of disability|disability category|any disability|disability details|"
        "person with disability|person with disabilities|persons with disabilities|pwd|pwd status|pwbd|pwbd status|"
        "pwd category|physically challenged|physically handicapped|differently abled|differently-abled|"
        "disability declaration|disability (if any)|adjustments|adjustments requested|interview adjustments|"
        "requested adjustments|support needs|support requirements|accommodation requested|accommodations requested|"
        "behinderung|schwerbehinderung|grad der behinderung|gdb|handicape|rqth|discapacidad|impairment"
    ),
}
LABELS = {label: category for category, labels in _LABELS.items() for label in labels.split("|")}
#: Labels whose value counts only if it is one of these: `Title: Engineer` tells nothing, `Family: law` neither.
_ONLY = {
    "title": re.compile(r"(?:mr|mrs|ms|miss|mx|sir|madam)\b\.?"),
    "community": re.compile(r"(?:sc|st|obc|general|bc|mbc|oc|forward)\b\s*$"),
    "family": re.compile(
        r"(?:(?:un)?married|single|divorced|widow\w*|separated|engaged|partner|cohabiting|wife|husband|spouse|"
        r"\d|two|three|one)\b"
    ),
    "children": re.compile(r"(?:none|no|yes|\d|one|two|three|four|five)\b"),
    "married": re.compile(r"(?:yes|no|since)\b"),
    "orientation": re.compile(
        r"(?:an? )?(?:straight|gay|lesbian|bi\b|bisexual|hetero\w*|homo\w*|queer|asexual|pan\w*|prefer|undisclosed|"
        r"not |none|n/a|other|ace\b|lgbt|same-sex|demi\w*|aro\w*|private|declined?)"
    ),
    "accommodations": re.compile(r"(?!.*\b(?:hotel|book|travel)).*"),
    "heritage": re.compile(r"\w+(?: \w+)?\s*$"),
    "disability": re.compile(
        r"(?!in (?:mentee|global|member|board|summit|conference|affiliate|north|uk|australia)\b).*"
    ),
    "adjustments": re.compile(
        r".*\b(?:interpreter|large print|extra time|step-free|quiet|screen|captions?|bsl|asl|none|ramp|wheelchair|"
        r"hearing|braille|software|flexible|breaks|parking|lighting|font|note-?taker)\b"
    ),
    "disabled": re.compile(r"(?:yes|no|none|n/a)\b"),
    "faith": re.compile(r"(?!ringgold).*"),
    "belief": re.compile(r"\w+(?: \w+)?\s*$"),
    "beliefs": re.compile(r"\w+(?: \w+)?\s*$"),
}
_END = re.compile(r"[,;|(\n]|\.(?:\s|$)|\s(?:and|with|since|for)\s|\s{2,}")
#: `Disability | none`: a label and its value in a row.
_ROW = re.compile(r"^[ \t*-]*([a-z][a-z /&().-]{1,40}?)[ \t]*[|;][ \t]*([^|;\n\t]+)", re.MULTILINE)
#: A label alone in the left of two columns; a bullet begins the right one.
_IN_COLUMN = re.compile(r"^[ ]*([a-z][a-z /&().-]{1,40}?)[ ]?:?[ ]{3,}(?=[-•▪➢→●►■◆✓○*–]|$)", re.MULTILINE)
_PRONOUNS = re.compile(r"[a-z]+(?:\s*[/,]\s*[a-z]+)*")
_LONGEST = 60
_SPACES = " \t\r.,;"


def in_fields(plain: Plain, layout: Layout) -> list[Found]:
    r"""Return the values of labelled details.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Sex: F\nRace: Black")
    >>> [(seen.text[found.start:found.end], found.category) for found in in_fields(seen, layout_of(seen))]
    [('F', 'GENDER'), ('Black', 'ETHNICITY')]
    """
    found = []
    for field in (*layout.fields, *_in_rows(plain.low), *_in_columns(plain.low)):
        label = field.label if field.label in LABELS else field.label.rpartition(". ")[2]
        category = LABELS.get(label)
        if category is None:
            continue
        start = field.start
        value = plain.low[start : field.end]
        only = _ONLY.get(label)
        if not value or (only is not None and only.match(value) is None):
            continue
        if "pronoun" in label:
            match = _PRONOUNS.match(value)
            length = match.end() if match is not None else 0
        else:
            end = _END.search(value)
            length = min(end.start() if end is not None else len(value), _LONGEST)
        length = len(value[:length].rstrip(_SPACES))
        if length:
            found.append(Found(start=start, end=start + length, category=category, rule="labelled", confidence=0.95))
    return found


def _in_rows(low: str) -> list[Field]:
    """Return labels and values that a bar or a semicolon divides; a row of labels has none."""
    if "|" not in low and " ;" not in low:
        return []
    return [
        Field(row.group(1), row.start(1), *row.span(2))
        for row in _ROW.finditer(low)
        if row.group(1) in LABELS and LABELS.get(row.group(2).strip()) in {None, LABELS[row.group(1)]}
    ]


def _in_columns(low: str) -> list[Field]:
    r"""Return labels alone in the left of two columns and the values under them.

    >>> page = "religion      - cut costs.\nnone      - paid wages.\n"
    >>> [page[field.start : field.end] for field in _in_columns(page)]
    ['none']
    """
    if "      " not in low:
        return []
    found = []
    for label in _IN_COLUMN.finditer(low):
        value = next(cells_below(low, *label.span(1)), None) if label.group(1) in LABELS else None
        if value is not None and low[value[0] : value[1]] not in LABELS:
            found.append(Field(label.group(1), label.start(1), *value))
    return found
