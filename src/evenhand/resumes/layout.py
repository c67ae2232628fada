"""How a résumé is laid out: its lines, the sections they belong to, and labelled fields."""

import re
from dataclasses import dataclass

from evenhand.resumes.plain import Plain

__all__ = ["Field", "Layout", "Line", "layout_of"]

_HEADINGS = {
    "education": (
        "education|academic background|education and training|academic qualifications|qualifications|"
        "educational background|academic history|studies|education & training|education and qualifications|"
        "academic credentials|education and certifications|education & certifications|academics|"
        "schooling|training and education|"
        "formacion academica|formacion|estudios|estudios realizados|educacion|formacao academica|formacao|educacao|"
        "istruzione|istruzione e formazione|formation|etudes|diplomes|formations|ausbildung|bildung|"
        "studium|bildungsweg|"
        "schulbildung|opleiding|opleidingen|wyksztalcenie|scholastic record|"
        "educational qualifications|professional education|academic profile|academic record"
    ),
    "references": (
        "references|referees|professional references|reference|referee|personal references|character references|"
        "references available|referencias|referencias personales|referencias laborales|referencias profesionales|"
        "referencias familiares|referenzen|referenties|recommendations|professional referees"
    ),
    "languages": "languages|idiomas|langues|sprachen|sprachkenntnisse|lingue|talen|language skills|"
    "languages spoken|language proficiency|language",
    "personal": (
        "datos personales|informacion personal|dados pessoais|persönliche daten|personliche daten|etat civil|"
        "dati personali|persoonlijke gegevens|personal details|personal information|personal data|"
        "personal particulars|personal profile|bio-data|biodata"
    ),
    "other": (
        "experiencia|experiencia laboral|experiencia profesional|perfil|perfil profesional|habilidades|competencias|"
        "otros|informacion adicional|cursos|logros|objetivo|aficiones|intereses|certificaciones|publicaciones|"
        "berufserfahrung|kenntnisse|experience professionnelle|experiences professionnelles|competences|loisirs|"
        "centres d'interet|experiencia profissional|esperienza|esperienza lavorativa|werkervaring|"
        "experience|work experience|professional experience|employment|employment history|work history|career history|"
        "skills|technical skills|key skills|core skills|core competencies|summary|profile|professional summary|"
        "executive summary|career summary|objective|career objective|about|about me|projects|publications|"
        "certifications|"
        "certificates|licenses|awards|honors|honours|honors and awards|awards and honors|volunteering|"
        "volunteer experience|"
        "volunteer work|volunteer|interests|hobbies|hobbies and interests|interests and hobbies|activities|"
        "extracurricular activities|leadership|affiliations|memberships|professional memberships|"
        "professional affiliations|"
        "community|community involvement|community service|additional information|additional|other|training|courses|"
        "achievements|key achievements|selected projects|research|research experience|teaching experience|teaching|"
        "tools|technologies|strengths|highlights|career highlights|internships|patents|presentations|conferences|"
        "military service|availability|portfolio|statement|personal statement|expertise|areas of "
        "expertise|competencies|"
        "qualifications summary|summary of qualifications|relevant experience|selected experience|"
        "contact|contact details|"
        "contact information|declaration|work|service|accomplishments|selected achievements|key "
        "projects|clinical experience"
    ),
}
_SECTION = {heading: section for section, headings in _HEADINGS.items() for heading in headings.split("|")}
_SPACED = re.compile(r"(?<!\S)[^\W\d_](?: (?:[^\W\d_]|['-] ?[^\W\d_])){1,}(?!\S)")
_BROKEN = re.compile(r"([^\W\d_]{1,30})-\n[ \t]*([^\W\d_]+)")
_LABEL = re.compile(r"(?:^|[|;,•·*\t({\"]|  |\. )[ \t•*–>\"-]*([a-z][a-z .'/&()_-]{0,34}?)[ \t\"*]*$")
_LAST_WORD = re.compile(r"(?<![\w.-])([a-z]{3,20})[ \t]*$")
_TABBED = re.compile(r"[ \t]*[-•*]?[ \t]*([a-z][a-z .'/&()-]{1,34}?)(?:\t+| {2,}|[ \t]+[-=][ \t]+)(?=\S)")
_VALUE_END = re.compile(r"[|;•·\t]|  |\n|$")
#: What stands before a heading in TeX, JSON and HTML, and numbers before one.
_HEAD_MARKS = re.compile(
    r"^(?:\\(?:sub)*(?:section|chapter|heading|cvsection|header|part)\*?\{|<h\d[^>]*>|"
    r"(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)][ \t]+)"
    r"|\}[^}]*$|</h\d>.*$|\"[ \t]*:[ \t]*[\[{]$"
)
_MARKED = frozenset('\\<"')
_URL_AFTER = ("//",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line that is not blank: where its text begins and ends, its number, its section ("" before the first)."""

    start: int
    end: int
    number: int
    section: str
    heading: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """A label in lower case and where its value stands, to the next mark or the end of the line."""

    label: str
    label_start: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Lines, labelled fields, and words (joined, start, end) that are letter-spaced or broken over two lines."""

    lines: list[Line]
    fields: list[Field]
    spaced: list[tuple[str, int, int]]
    broken: list[tuple[str, int, int]]


def layout_of(plain: Plain) -> Layout:
    r"""Return the layout of a text.

    >>> from evenhand.resumes.plain import plain_text
    >>> found = layout_of(plain_text("Jane Doe\nName: Jane\n\nEDUCATION\nBSc, 2001"))
    >>> [line.section for line in found.lines], found.fields[0].label
    (['', '', 'education', 'education'], 'name')
    """
    low = plain.low
    spaced = (
        [(match.group().replace(" ", ""), *match.span()) for match in _SPACED.finditer(low)]
        if _SPACED.search(low) is not None
        else []
    )
    broken = (
        [(match.group(1) + match.group(2), *match.span()) for match in _BROKEN.finditer(low)] if "-\n" in low else []
    )
    lines: list[Line] = []
    fields: list[Field] = []
    section, start = "", 0
    for number, raw in enumerate(low.split("\n")):
        end = start + len(raw)
        stripped = raw.strip(" \t\r#*_=-:•|.~")
        if stripped and (stripped[0] in _MARKED or stripped[0].isdigit() or stripped[1:2] in {".", ")"}):
            stripped = _HEAD_MARKS.sub("", stripped).strip(" \t\"'{}[]<>:.*_") or stripped
        if stripped:
            first = start + len(raw) - len(raw.lstrip())
            name = _SECTION.get(stripped)
            if name is None and len(stripped) < 60 and " " in stripped:
                name = _SECTION.get(_joined(stripped))
            if name is None and section == "education" and _is_heading(raw, stripped, lines, number):
                section = "other"  # maybe a name: it is not called a heading
            if name is not None:
                section = name
            lines.append(
                Line(
                    start=first, end=start + len(raw.rstrip()), number=number, section=section, heading=name is not None
                )
            )
            if name is None or ":" in raw:
                _add_fields(low, start, end, fields)
        start = end + 1
    return Layout(lines=lines, fields=fields, spaced=spaced, broken=broken)


def _is_heading(raw: str, stripped: str, lines: list[Line], number: int) -> bool:
    """Say whether a short line after a blank one begins a section that has no common name."""
    return (
        bool(lines)
        and number - lines[-1].number > 1
        and len(stripped) < _LONGEST_HEADING
        and raw.rstrip()[-1].isalpha()
        and _NO_HEADING.search(raw) is None
        and not lines[-1].heading
    )


_LONGEST_HEADING = 32
_NO_HEADING = re.compile(
    r"[\d,@|/]|\b(?:universit\w*|college|school|institut\w*|academy|polytechnic|bachelor\w*|master\w*|degree|diploma|"
    r"b\.?sc?|m\.?sc?|ba|ma|mba|phd|b\.?tech|llb|abitur|certificate|hochschule|lyc[eé]e|gymnasium)\b"
)


def _joined(text: str) -> str:
    """Return a letter-spaced heading with its letters joined."""
    if len(text) < 5 or not all(len(piece) == 1 for piece in text.split(" ") if piece):
        return " ".join(text.split())
    return "  ".join(text.split("  ")).replace("  ", "\0").replace(" ", "").replace("\0", " ")


def _add_fields(low: str, start: int, end: int, fields: list[Field]) -> None:
    place = low.find(":", start, end)
    if place < 0:
        match = _TABBED.match(low, start, end)
        if match is not None:
            fields.append(_field(low, match.group(1), match.start(1), match.end()))
        return
    while place >= 0:
        if not low.startswith(_URL_AFTER, place + 1):
            begin = max(start, place - 38)
            match = _LABEL.search(low[begin:place]) or _LAST_WORD.search(low[begin:place])
            if match is not None:
                fields.append(_field(low, match.group(1), begin + match.start(1), place + 1))
        place = low.find(":", place + 1, end)


def _field(low: str, label: str, label_start: int, after: int) -> Field:
    """Return a field; a value that stands on the next line counts when nothing follows the label."""
    length = len(low)
    while after < length and low[after] in " \t*":
        after += 1
    if after < length and low[after] == "\n":
        while after < length and low[after] in " \t\n":
            after += 1
    if low[after : after + 1] == '"':
        after += 1
        quote = low.find('"', after)
        end = quote if quote >= 0 else length
    else:
        match = _VALUE_END.search(low, after)
        end = match.start() if match is not None else length
    return Field(label=" ".join(label.replace("_", " ").split()), label_start=label_start, start=after, end=end)
