"""Numbers that know which value of which finding they are, so that a page says it of each that it prints.

A traced number is printed as any other, with marks around it that become an element of the page:
`<span data-finding="NAME" data-value="low">1.2</span>`. A number that was computed from it is plain again; its negative
has the value `-low`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, Final, TypeVar

from markupsafe import Markup, escape

from evenhand.patterns import lazy_re
from evenhand.results.finding import Claim, Details, Finding

_BEGIN, _MIDDLE, _END = MARKS = "\ue000\ue001\ue002"
_MARKED = lazy_re(f"{_BEGIN}([^{MARKS}]*){_MIDDLE}([^{MARKS}]*){_END}")
_VALUES: Final = ("estimate", "low", "high", "n")
_CLAIMED: Final = ("p", "p_adjusted", "n_focal", "n_reference")
_DETAILED: Final = ("p_above_adjusted", "p_within_adjusted")


class _Traced:
    """Whence a number is: the name of the finding, and of its value."""

    source: tuple[str, str]


class _Real(float, _Traced):
    def __neg__(self) -> float:
        name, value = self.source
        return _traced(-float(self), name, value.removeprefix("-") if value.startswith("-") else f"-{value}")

    def __abs__(self) -> float:
        return -self if self < 0 else self

    def __sub__(self, other: float) -> float:
        return self if other == 0 else float(self) - other

    def __rsub__(self, other: float) -> float:
        return -self if other == 0 else other - float(self)


class _Count(int, _Traced):
    pass


Number = TypeVar("Number", int, float)


def _traced(number: Number, name: str, value: str) -> Number:
    kept = _Count(number) if isinstance(number, int) else _Real(number)
    kept.source = name, value
    return kept


def traced(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings whose estimate, limits, p and counts are traced."""
    return tuple(_traced_finding(finding) for finding in findings)


def _traced_finding(finding: Finding) -> Finding:
    values = _traced_values(finding, finding.name, _VALUES)
    claim = finding.claim
    if claim is not None:
        values["claim"] = replace(claim, **_traced_values(claim, finding.name, _CLAIMED))
    if detailed := _traced_values(finding.details, finding.name, _DETAILED):
        values["details"] = replace(finding.details, **detailed)
    return replace(finding, **values)


def _traced_values(record: Finding | Claim | Details, name: str, values: Sequence[str]) -> dict[str, Any]:
    numbers = {value: getattr(record, value, None) for value in values}
    return {value: _traced(number, name, value) for value, number in numbers.items() if number is not None}


def marked(number: object, text: str) -> str:
    """Return the text of a number, with marks around it if it is traced."""
    if not isinstance(number, _Traced):
        return text
    return f"{_BEGIN}{'|'.join(number.source)}{_MIDDLE}{text}{_END}"


def unmarked(text: str) -> str:
    """Return a text without the marks around numbers."""
    return _MARKED.sub(r"\2", text) if _BEGIN in text else text


def with_elements(text: str, shown: str) -> Markup:
    """Return a text as HTML, marked numbers in elements; `shown` is the unmarked text as it is to be printed.

    Both have the same length without the marks.
    """
    if _BEGIN not in text:
        return escape(shown)
    parts, place, taken = [], 0, 0
    for match in _MARKED.finditer(text):
        before = match.start() - taken
        name, _, value = match[1].rpartition("|")
        number = shown[place + before : place + before + len(match[2])]
        parts += [
            escape(shown[place : place + before]),
            Markup('<span data-finding="{}" data-value="{}">{}</span>').format(name, value, number),
        ]
        place, taken = place + before + len(match[2]), match.end()
    return Markup().join([*parts, escape(shown[place:])])


class _Elements(HTMLParser):
    """Collects the numbers of a page with the finding and the value that each is said to be."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: list[tuple[str, str, str]] = []
        self._open: tuple[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - of the parser
        values = dict(attrs)
        if values.get("data-finding") is not None:
            self._open = values["data-finding"] or "", values.get("data-value") or ""

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.numbers.append((*self._open, data))

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - of the parser
        self._open = None


def first_other_number(page: str, findings: Sequence[Finding]) -> str | None:
    """Return what a page prints of a finding that is not its value at the printed precision, None where all are.

    >>> first_other_number('<p>0 of <span data-finding="x" data-value="n">7</span></p>', [])
    'it prints n of x, and there is no such finding'
    """
    elements = _Elements()
    elements.feed(page)
    by_name = {finding.name: finding for finding in findings}
    for name, value, text in elements.numbers:
        finding = by_name.get(name)
        if finding is None:
            return f"it prints {value} of {name}, and there is no such finding"
        known = value.removeprefix("-")
        records = {_CLAIMED: finding.claim, _VALUES: finding, _DETAILED: finding.details}
        record = next((record for names, record in records.items() if known in names), None)
        number = getattr(record, known, None)
        if number is None or not _is_printed(text, -number if value.startswith("-") else number):
            return f"it prints {text.strip()} as {value} of {name}, which is {number}"
    return None


_NUMBER = lazy_re(r"(?P<sign>[+−-]?)(?P<whole>[\d,]*)\.?(?P<decimals>\d*)(?: × 10(?P<power>[⁻⁰¹²³⁴-⁹]+))?")
_POWERS: Final[Mapping[int, str]] = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")  # type: ignore[assignment]


def _is_printed(text: str, number: float) -> bool:
    """Return whether a number is printed so, as it is or in percent: rounded, or as a bound.

    >>> _is_printed("< .001", 0.0002), _is_printed("< 5.001", 0.0002)
    (True, False)
    >>> _is_printed("−12.3", -0.1234), _is_printed("12.3", -0.1234)
    (True, False)
    """
    text = text.replace("\N{NO-BREAK SPACE}", " ").strip()
    bound = text.startswith("<")
    match = _NUMBER.fullmatch(text.removeprefix("<").strip())
    if match is None or not (match["whole"] or match["decimals"]):
        return False
    power = 10.0 ** int((match["power"] or "0").translate(_POWERS))
    value = float(f"{match['whole'].replace(',', '') or '0'}.{match['decimals'] or '0'}") * power
    step = 10.0 ** -len(match["decimals"]) * power
    if bound:
        return 0 <= number < value <= 1.0000001 * step
    half = 0.5000001 * step
    value = -value if match["sign"] in {"−", "-"} else value
    return any(abs(value - number * factor) <= half for factor in (1, 100))
