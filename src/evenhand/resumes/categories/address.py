"""ADDRESS: street addresses with what follows them, post office boxes, values after `Address:`, by option.

Kept: a city or country alone (a job's place, a wish to relocate), a street in a company's name.
"""

import re

from evenhand.resumes.layout import Layout, Line
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["addresses"]

_STREET = (
    r"(?:street|st|avenue|ave|av|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|terrace|"
    r"ter|terr|way|parkway|pkwy|"
    r"circle|cir|square|sq|highway|hwy|trail|trl|crescent|cres|close|gardens|gdns|grove|mews|"
    r"row|walk|hill|park|alley|loop|plaza|"
    r"expressway|turnpike|nagar|marg|colony|layout|sector|phase|enclave|vihar|jalan|lorong|chowk|"
    r"salai|estate|crossing|quay|wharf|broadway|path|run|point|ridge|view|vista|heights|cove|"
    r"bend|pike|mall|esplanade|parade|drive|rise|green|bypass)"
)
_UNIT = (
    r"(?:apt|apartment|unit|suite|ste|flat|floor|fl|room|rm|bldg|building|block|blk|tower|no|"
    r"house|#|plot|door|h\.?\s?no)"
)
_ZIP = (
    r"(?:\d{5}(?:-\d{4})?|\d{6}|\d{3} \d{3}|\d{4}(?: [a-z]{2})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|"
    r"[a-z]\d[a-z] ?\d[a-z]\d|\d{5}-\d{3}|\d{3}-\d{4}|\d{2}-\d{3})"
)
_STATES = (
    r"(?:a[lkzr]|c[aot]|d[ec]|fl|ga|hi|i[dlna]|k[sy]|la|m[edainsot]|n[evhjmycd]|o[hkr]|pa|ri|"
    r"s[cd]|t[nx]|ut|v[ta]|w[aviy]|"
    r"ab|bc|mb|nb|nl|ns|on|pe|qc|sk|nsw|vic|qld|wa|sa|tas|act)"
)
_TAIL = (
    rf"(?:,?[ \t]*(?:\n[ \t]*)?(?:{_UNIT}\.? ?#?[\w-]{{1,6}}|#\s?\w{{1,6}})\b)*"
    rf"(?:,[ \t]*(?:\n[ \t]*)?[^\W\d_][^\W\d_ .'-]*(?: [^\W\d_][\w.'-]*){{0,3}}?(?=[,\n|;•]|[ "
    rf"]+{_ZIP}\b|[ ]+{_STATES}\b|\.?\s*$)){{0,4}}"
    rf"(?:(?:,| -)?[ \t]*(?:\n[ \t]*)?(?:[^\W\d_][^\W\d_'-]*(?: [^\W\d_][\w.'-]*){{0,2}},?[ ]+)?{_STATES}"
    rf"\b\.?(?:,?[ ]+{_ZIP}\b)?)?"
    rf"(?:(?:,| -| –)?[ \t]*(?:\n[ \t]*)?(?:[a-z][a-z'-]+ ){{0,2}}{_ZIP}\b)?(?:,?[ \t]*(?:\n[ "
    r"\t]*)?(?:[a-z][a-z'-]+(?: [a-z'-]+){0,3}(?:, ?[a-z .'-]{2,20})?)(?=[ \t]*(?:\n|$|[|;•])))?"
    r"(?:,[ \t]*(?:usa|u\.s\.a\.?|us|uk|united states|united kingdom|india|canada|australia|"
    r"nigeria|kenya|germany|france|spain|mexico|brazil|ireland|singapore|pakistan|bangladesh|"
    r"philippines|vietnam|poland))?"
)
_NUMBERED = re.compile(
    rf"(?<![\w.$€£#/-])\d{{1,5}}[a-z]?(?:[-/]\d{{1,4}}[a-z]?)?,?[ ]+(?:(?:[nsew]|ne|nw|se|sw|"
    r"north|south|east|west)\.?[ ]+)?"
    rf"(?:(?:\d{{1,3}}(?:st|nd|rd|th)|[^\W\d_][\w'.-]*)[ ]+){{0,4}}?{_STREET}\b\.?(?:[ ]+(?:[nsew]|"
    r"ne|nw|se|sw|north|south|east|west)\b\.?)?"
    rf"{_TAIL}"
)
_WORD_FIRST = re.compile(
    r"(?<!\w)(?:(?:[a-z][\w'-]+[ ]?){1,3}(?:strasse|str\.|straat|gasse|weg|platz|allee|laan|"
    r"gatan|vagen|gata|veien|vej|gade|utca|kade|plein|gracht|damm|ufer)"
    r"|(?:rue|avenue|boulevard|av\.|bd|place|chemin|impasse|quai|allee|calle|c/|avenida|avda\.?|"
    r"paseo|plaza|carrera|cra\.?|via|viale|corso|piazza|largo|rua|travessa|praca|ul\.|ulica|"
    r"ulitsa|al\.|jl\.|jalan|duong)"
    r"[ ]+(?:de[ ]|des[ ]|du[ ]|la[ ]|las[ ]|los[ ]|le[ ]|del[ ]|della[ ]|dei[ ]|do[ ]|da[ ]|"
    r"dos[ ]|l'){0,2}[a-z][\w'.-]+(?:[ ][a-z][\w'.-]+){0,3}?)"
    rf",?[ ]+(?:n[o°º]\.?\s?|#)?\d{{1,4}}[a-z]?(?:[-/]\d{{1,4}}[a-z]?)?\b(?:,?[ ]+\d{{1,2}}(?!\d)[ºo°]?[ ]?[a-z]?)?"
    rf"{_TAIL}"
)
_FRENCH = re.compile(
    rf"(?<!\w)\d{{1,4}}(?:\s?(?:bis|ter))?,?[ ]+(?:rue|avenue|boulevard|place|chemin|impasse|"
    rf"quai|allee|cours|route|square)[ ]+(?:[\w'-]+[ ]?){{1,6}}?(?=[,\n]|[ ]\d{{5}}|$){_TAIL}"
)
_BOX = re.compile(rf"\bp\.? ?o\.? ?box \d{{1,6}}{_TAIL}")
_FLAT = re.compile(
    rf"(?<!\w)(?:{_UNIT})(?:\.[ ]?|[ ]#?)(?:no\.? ?)?(?=[\w/-]*\d)[\w/-]{{1,6}},[ ]+[^\n|;•]{{4,110}}?\b{_ZIP}\b"
    r"(?:,[ ][a-z][a-z .'-]{2,30})?"
)
_POSTAL = re.compile(
    rf"(?<![\w.-])[a-z][a-z.'-]+(?: [a-z][a-z.'-]+){{0,2}},[ ]+{_STATES}\.?,?[ ]+\d{{5}}(?:-\d{{4}})?(?![\w-])"
    r"|(?<![\w.-])(?:[a-z][a-z'-]+(?: [a-z][a-z'-]+)?,?[ ]+)?(?:[a-z]{1,2}\d[a-z\d]?[ ]\d[a-z]{2}|"
    r"[a-z]\d[a-z][ ]\d[a-z]\d)(?![\w-])"
    r"|(?<![\w.-])[a-z][a-z'-]+(?: [a-z][a-z'-]+)?[ ]?[,-][ ]?\d{6}(?![\w-])"
)
_LABELS_LISTED = (
    "address|home address|mailing address|residential address|postal address|current address|permanent address|"
    "residence|home|addr|present address|contact address|street address|street|anschrift|adresse|direccion|"
    "domicilio|endereco|indirizzo|adres|correspondence address|lives at|local address"
)
_LABELS = frozenset(_LABELS_LISTED.split("|"))
_HINT = re.compile(r"\d")
_LONGEST = 220


def addresses(plain: Plain, layout: Layout) -> list[Found]:
    """Return addresses, with the lines that go on with them.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Home: 1420 W Fullerton Ave Apt 3B, Chicago, IL 60614")
    >>> [seen.text[found.start : found.end] for found in addresses(seen, layout_of(seen))][:1]
    ['1420 W Fullerton Ave Apt 3B, Chicago, IL 60614']
    """
    low = plain.low
    found: list[Found] = []
    for line in layout.lines:
        if line.end - line.start <= _LONGEST and _HINT.search(low, line.start, line.end) is not None:
            found += _in_line(plain, line)
    for field in layout.fields:
        if field.label in _LABELS and _worth(field.label, low[field.start : field.end]):
            found.append(_found(low, field.start, _with_next_lines(layout, low, field.end), "labelled", 0.95))
    return found


def _in_line(plain: Plain, line: Line) -> list[Found]:
    low, found = plain.low, []
    text = low[line.start : line.end]
    words = set(_APART.split(text))
    for expression, rule, confidence, hints in _KINDS:
        if isinstance(hints, frozenset):
            if hints.isdisjoint(words) and (rule != "street first" or not any(each in text for each in _SUFFIXES)):
                continue
        elif hints.search(text) is None:
            continue
        for match in expression.finditer(low, line.start, line.end):
            if rule == "street" and not _is_street(plain, match):
                continue
            end = match.end()
            if end >= line.end - 1:
                longer = expression.match(low, match.start())
                end = min(longer.end(), line.end + 80) if longer is not None else end
            start = match.start()
            if rule.startswith("street"):
                start, end = _widened(plain, line, start, end)
            found.append(_found(low, start, end, rule, confidence))
    return found


_RIGHT_PARTS = re.compile(
    r"(?:,[ ]?|[ ]-[ ]|[ ])(?:(?:\d{1,3}(?:st|nd|rd|th) floor|[A-Z][\w'.-]*|\d[\w-]*|#?\d[\d-]*|"
    r"(?:de|del|la|da|do|of|chi))(?:,[ ]?|[ ]-[ ]|[ ]|(?=[|;\n]|$)|\b)){1,14}"
)
_LEFT_PARTS = re.compile(
    r"(?:^|(?<=[|•\t:(]))[ ]*((?:#[\d-]+|(?:[A-Z][\w'./-]*|\d[\w-]*)(?:[ ][\w'./#-]+){0,2}),[ ]?){1,3}$"
)


def _widened(plain: Plain, line: Line, start: int, end: int) -> tuple[int, int]:
    """Return a street with the capitalised parts and numbers before and after it on its line."""
    text = plain.text
    right = _RIGHT_PARTS.match(text, end, line.end)
    if right is not None and _JOB_LIKE.search(plain.low, end, right.end()) is None:
        end = right.end()
    left = _LEFT_PARTS.search(text[line.start : start])
    if left is not None and any(letter.isdigit() for letter in left.group()):
        start = line.start + left.start(1) if left.start(1) >= 0 else start
        start = line.start + left.end() - len(left.group().lstrip())
    return start, end


_JOB_LIKE = re.compile(r"\b(?:engineer|manager|nurse|phone|email|tel|developer|analyst|linkedin|teacher)\b")


def _found(low: str, start: int, end: int, rule: str, confidence: float) -> Found:
    while end > start + 1 and low[end - 1] in " \t\n\r,;.-":
        end -= 1
    return Found(start=start, end=end, category="ADDRESS", rule=rule, confidence=confidence)


_APART = re.compile(r"[\s,.;:/|()-]+")
_STREETS = frozenset(_STREET.removeprefix("(?:").removesuffix(")").split("|"))
_SUFFIXES = (
    "str.",
    "strasse",
    "straat",
    "gasse",
    "weg",
    "platz",
    "allee",
    "laan",
    "gat",
    "vagen",
    "vei",
    "vej",
    "gade",
    "utca",
    "kade",
    "plein",
    "gracht",
    "damm",
    "ufer",
)
_FIRST_WORDS_LISTED = (
    "rue avenue boulevard av bd place chemin impasse quai allee calle c avenida avda paseo "
    "plaza carrera cra via viale corso piazza largo rua "
    "travessa praca ul ulica ulitsa al jl jalan duong cours route square"
)
_FIRST_WORDS = frozenset(_FIRST_WORDS_LISTED.split())
_UNITS = frozenset(
    [
        "apt",
        "apartment",
        "unit",
        "suite",
        "ste",
        "flat",
        "floor",
        "fl",
        "room",
        "rm",
        "bldg",
        "building",
        "block",
        "blk",
        "tower",
        "no",
        "house",
        "plot",
        "door",
        "h",
    ]
)
_KINDS: tuple[tuple[re.Pattern[str], str, float, frozenset[str] | re.Pattern[str]], ...] = (
    (_NUMBERED, "street", 0.93, _STREETS),
    (_WORD_FIRST, "street first", 0.9, _FIRST_WORDS),
    (_FRENCH, "street first", 0.9, _FIRST_WORDS),
    (_BOX, "box", 0.95, frozenset({"box"})),
    (_FLAT, "flat", 0.9, _UNITS),
    (_POSTAL, "postal code", 0.9, re.compile(r"[a-z]{2}\.?,? \d{5}|\d[a-z]{2}\b|\d[a-z]\d\b|\d{6}")),
)


_PLAIN_STREET = re.compile(
    r"\b(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|parkway|pkwy|highway|hwy)\b"
)


def _is_street(plain: Plain, match: re.Match[str]) -> bool:
    """Say whether the words are written as names: `3 reports by way` is no street."""
    words = re.findall(r"[^\W\d_][\w']*", plain.text[match.start() : match.end()])
    named = [word for word in words[:3] if word[0].isupper()]
    if len(named) < min(2, len(words)):
        return False
    written = plain.text[match.start() : match.end()]
    return (
        not written.isupper()
        or written[-1].isdigit()
        or "," in written
        or _PLAIN_STREET.search(written.lower()) is not None
    )


def _worth(label: str, value: str) -> bool:
    if "@" in value or "http" in value:
        return False
    return len(value) >= 6 and (
        label not in {"home", "residence", "street"} or any(letter.isdigit() for letter in value)
    )


_NEXT = re.compile(
    rf"^(?:[a-z .'-]+,[ ]*)?(?:{_STATES}[ ]+)?{_ZIP}\b|^[a-z .'-]+,[ ]*(?:[a-z .'-]+)?[ ]*{_ZIP}?$|"
    rf"^\d{{4,6}}[ ][a-z -]+$"
)


def _with_next_lines(layout: Layout, low: str, end: int) -> int:
    for line in layout.lines:
        if line.start > end:
            text = low[line.start : line.end]
            if (
                line.start - end <= 12
                and not line.heading
                and len(text) < 60
                and ":" not in text
                and "@" not in text
                and _NEXT.match(text) is not None
                and any(c.isdigit() for c in text)
            ):
                end = line.end
                continue
            break
    return end
