"""Numbers as text, and numbers that know which value of which finding they are. The only module that rounds.

A traced number is printed as any other, with marks around it that become an element of the page, so that a page says it
of each that it prints: `<span data-finding="NAME" data-value="low">1.2</span>`. A number that was computed from it is
plain again; its negative has the value `-low`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from math import isclose, isfinite
from typing import Any, Final, TypeVar, overload

from markupsafe import Markup, escape

from evenhand.patterns import lazy_re
from evenhand.results.finding import Claim, Details, Finding
from evenhand.results.measures import AVAILABILITY, DETECTABLE_DIFFERENCE, LEVEL_SD, POSITIONS_DIFFERING

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
            Markup(f'<span data-finding="{escape(name)}" data-value="{escape(value)}">{escape(number)}</span>'),  # noqa: S704 - texts are escaped
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


SPACE = "\N{NO-BREAK SPACE}"
#: Spaces between such parts.
_TOGETHER = lazy_re(
    r"(?<=\d) (?=%|points?\b|percentage\b|tokens\b)|(?<=\d %) (?=CI\b)"
    r"|(?<=\b[pnZF]) (?=[=<≤] ?\.?\d)|(?<=\b[pnZF] [=<≤]) (?=\.?\d)"
)


def unbroken(text: str) -> str:
    r"""Return a text with no-break spaces between a number and its unit, p and its value.

    >>> unbroken("male names: 4.0 points (95 % CI 1.0 to 7.0; p < 0.001)").split(" ")
    ['male', 'names:', '4.0\xa0points', '(95\xa0%\xa0CI', '1.0', 'to', '7.0;', 'p\xa0<\xa00.001)']
    """
    return _TOGETHER.sub(SPACE, text)


MINUS = "\N{MINUS SIGN}"
ABSENT = "\N{EN DASH}"
SIGNIFICANCE = 0.05
#: A smaller p is printed as a bound.
SMALLEST_P: Final = 0.001
_MOST_DECIMALS = 6
#: Numbers from here on are printed without decimals, and as powers of ten.
_WITHOUT_DECIMALS, _LONGEST = 1e4, 1e9
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: What the arithmetic of floating point leaves: of 0, and between numbers that are equal.
DUST = 1e-12


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How the values of one unit are printed: times `factor`, rounded, with `suffix`."""

    factor: float = 1.0
    suffix: str = ""
    long_suffix: str = ""
    decimals: int = 3
    signed: bool = False

    @overload
    def shown(self, value: float) -> float: ...

    @overload
    def shown(self, value: float | None) -> float | None: ...

    def shown(self, value: float | None) -> float | None:
        """Return the value in printed units, unrounded, as charts plot it."""
        return None if value is None else value * self.factor

    def drawn(self, found: object) -> dict[str, Any]:
        """Return what an interval is drawn from: the estimate and the limits of a finding."""
        return {name: self.shown(getattr(found, name)) for name in ("estimate", "low", "high")}

    def number(self, value: float | None, *, apart: Iterable[float] = (), signed: bool | None = None) -> str:
        """Return the number without its unit; it never rounds onto or across `apart`.

        >>> Scale(factor=100, decimals=1).number(0.0504, apart=[0.05])
        '5.04'
        >>> Scale().number(31415.9), Scale().number(3.14159e21)
        ('31,416', '3.1 × 10²¹')
        """
        if value is None or not isfinite(value):
            return ABSENT
        source = value
        if abs(value) < DUST:
            value = 0.0
        size = abs(value) * self.factor
        text = _power_of_ten(size) if size >= _LONGEST else f"{size:,.{self._places(value, apart)}f}"
        rounds_to_zero = not text.strip("0.,")
        sign = (
            "" if rounds_to_zero else MINUS if value < 0 else "+" if (self.signed if signed is None else signed) else ""
        )
        return marked(source, sign + text)

    def text(self, value: float | None, *, apart: Iterable[float] = ()) -> str:
        """Return the number with its unit."""
        number = self.number(value, apart=apart)
        return number if number == ABSENT else number + self.suffix

    def interval(self, low: float | None, high: float | None, *, apart: Iterable[float] = ()) -> str:
        """Return 'low to high' without the unit, 'low or above' where there is no upper end."""
        if low is None:
            return ABSENT
        apart = tuple(apart)
        ends = [self.number(end, apart=apart) for end in (low, high)]
        return f"{ends[0]} or above" if ends[1] == ABSENT else " to ".join(ends)

    def _places(self, value: float, apart: Iterable[float]) -> int:
        # Equal but for what floating point adds: the last bit differs between machines.
        limits = [limit for limit in (0.0, *apart) if not isclose(limit, value, rel_tol=DUST)]
        fewest = 0 if abs(value) * self.factor >= _WITHOUT_DECIMALS else self.decimals
        for places in range(fewest, _MOST_DECIMALS):
            rounded = round(value * self.factor, places)
            if all(_side(rounded, round(limit * self.factor, 9)) == _side(value, limit) for limit in limits):
                return places
        return _MOST_DECIMALS


#: Differences of shares, and what a share changes by along a scale.
POINTS = Scale(factor=100, suffix=" points", long_suffix=" percentage points", decimals=1, signed=True)
PERCENT = Scale(factor=100, suffix=" %", long_suffix=" %", decimals=1)
#: Ratios, areas, scores.
PLAIN = Scale()


def _power_of_ten(size: float, *, digits: int = 1) -> str:
    mantissa, _, exponent = f"{size:.{digits}e}".partition("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(_RAISED)}"


def _side(value: float, limit: float) -> int:
    return (value > limit) - (value < limit)


#: Sizes without a direction, and details of studies: as their scores have points, those of shares are named in full.
_SIZES: Final = {DETECTABLE_DIFFERENCE, LEVEL_SD}
_BESIDE_SCORES: Final = {"level_difference", "level_spread"}

#: How values of a unit are printed that is no share; a difference has its sign.
_SCALES: Final = {
    "points": Scale(suffix=" points", long_suffix=" points", decimals=1),
    "standard deviations": Scale(suffix=" SD", long_suffix=" standard deviations", decimals=2),
    "words": Scale(decimals=1),
    "rank": Scale(decimals=2),
    "place": Scale(decimals=0),
    "share squared": Scale(decimals=5),
}


def scale_of(finding: Finding) -> Scale:
    """Return how a finding's values are printed, by its unit."""
    contrast = is_difference(finding)
    if finding.measured_in.startswith("share per"):
        return POINTS
    if finding.measured_in == "share":
        unsigned = finding.measure in _SIZES
        if finding.details.tag() in _BESIDE_SCORES:
            return replace(POINTS, signed=not unsigned, suffix=POINTS.long_suffix)
        return replace(POINTS, signed=False) if unsigned else POINTS if contrast else PERCENT
    scale = _SCALES.get(finding.measured_in)
    if scale is not None:
        return replace(
            scale,
            signed=contrast and finding.measure not in _SIZES,
            decimals=scale.decimals + (contrast and finding.measured_in == "points"),
        )
    return Scale(decimals=3, signed=finding.measured_in != "ratio" and contrast)


def is_difference(finding: Finding) -> bool:
    """Return whether a finding is a difference: of two groups, or a combination that is 0 by chance."""
    is_share = finding.measure in {AVAILABILITY, POSITIONS_DIFFERING}
    return (bool(finding.reference) and not is_share) or finding.null_value == 0.0


def null_values(finding: Finding) -> tuple[float, ...]:
    """Return the value that stands for no difference, as `Scale` takes it for `apart`; () without one."""
    return () if finding.null_value is None else (finding.null_value,)


def percent_text(share: float | None) -> str:
    """Return a share in percent with one decimal, more where it would round to none or all, a dash without one.

    >>> percent_text(0.2139), percent_text(0.00004), percent_text(None)
    ('21.4 %', '0.004 %', '–')
    """
    return PERCENT.text(share, apart=(1.0,))


def simulated_share(share: float) -> str:
    """Return a share that is known by simulation, in percent with two digits.

    >>> simulated_share(0.0002), simulated_share(0.0514), simulated_share(0.514), simulated_share(1.0)
    ('below 0.1 %', '5.1 %', '51 %', 'above 99.9 %')
    """
    percent = 100 * share
    if percent < 0.1 or percent > 99.9:
        return "below 0.1 %" if percent < 50 else "above 99.9 %"
    return f"{percent:.{1 if percent < 10 else 0}f} %"


def p_text(p: float | None) -> str:
    """Return a p value; small ones as a bound, never 0.

    >>> p_text(0.0496), p_text(0.00004), p_text(1.0)
    ('0.0496', '< 0.001', '1.000')
    """
    if p is None or not isfinite(p):
        return ABSENT
    return marked(p, "< 0.001") if p < SMALLEST_P else Scale(decimals=3).number(p, apart=[SIGNIFICANCE])


def named_p(p: float | None) -> str:
    """Return a p value behind its name.

    >>> named_p(0.0496), named_p(0.00004)
    ('p = 0.0496', 'p < 0.001')
    """
    return f"p {p_text(p)}" if p is not None and p < SMALLEST_P else f"p = {p_text(p)}"


def counted(count: int, noun: str, several: str = "") -> str:
    """Return a count with its noun.

    >>> counted(1, "position"), counted(1200, "position"), counted(2, "person", "people")
    ('1 position', '1,200 positions', '2 people')
    """
    return f"{count_text(count)} {noun if count == 1 else several or f'{noun}s'}"


def count_text(count: object) -> str:
    """Return a count with thousands separators, anything else as it is."""
    return marked(count, f"{count:,}") if isinstance(count, int) and not isinstance(count, bool) else str(count)


def general_text(value: object) -> str:
    """Return a parameter as text; None is 'not given'."""
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(general_text(item) for item in value)
    return count_text(value)


def confidence_text(confidence: float) -> str:
    """Return a confidence level as a percentage.

    >>> confidence_text(0.95)
    '95 %'
    """
    return f"{confidence * 100:g} %"


def significant_text(value: float | None) -> str:
    """Return a number of any size with four significant digits.

    >>> significant_text(0.287), significant_text(1344.0), significant_text(2e-9), significant_text(-3.14159e12)
    ('0.287', '1,344', '2.000 × 10⁻⁹', '−3.142 × 10¹²')
    """
    if value is None or not isfinite(value):
        return ABSENT
    size = abs(value)
    if value == round(value) and size < _LONGEST:
        return Scale(decimals=0).number(value)
    if size >= _LONGEST or size < 1e-4:
        return (MINUS if value < 0 else "") + _power_of_ten(size, digits=3)
    text = Scale(decimals=max(0, 4 - len(str(int(size)))) if size >= 1 else 4).number(value)
    return text.rstrip("0").rstrip(".") if "." in text else text
