"""A finding: one measure of one slice, with its interval, tests, mark and verdict."""

from dataclasses import dataclass, field
from typing import Any, Literal

from evenhand.tables.audit.written import as_json, keyed, left_out
from evenhand.tables.details import Details

__all__ = ["FINDINGS_SCHEMA", "Alternative", "Finding", "Role", "Test", "Verdict"]

FINDINGS_SCHEMA = "evenhand.findings/1"

Role = Literal["planned", "exploratory", "descriptive"]
Verdict = Literal["difference", "equivalent", "inconclusive"]


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another interval of the same estimate, in detail only; `clusters` as in `Finding`."""

    method: str
    low: float | None
    high: float | None
    clusters: dict[str, int] | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Test:
    """A test of the finding's null value."""

    name: str
    statistic: float | None
    p: float | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Finding:
    """One row of findings.json; `estimate` is null only with a `reason`.

    `slice` restricts the rows, `focal` and `reference` are the two groups compared
    (estimate = focal − reference, or focal / reference). `n` counts the units that
    entered, `clusters` how many of each kind the interval lets vary: items, or names and roles.
    `low` and `high` are the interval that all that is said of a finding follows. In a suite's
    summary `probe` says whose finding it is. `measured_in` is the unit of measurement, `unit`
    in the file.
    """

    probe: str | None = left_out()
    name: str
    measure: str
    slice: dict[str, str] = field(default_factory=dict)
    focal: dict[str, str] = field(default_factory=dict)
    reference: dict[str, str] = field(default_factory=dict)
    role: Role
    estimate: float | None
    low: float | None = None
    high: float | None = None
    confidence: float = 0.95
    measured_in: str = keyed("unit", default="share")
    null_value: float | None = None
    n: int
    clusters: dict[str, int]
    method: str
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...] = ()
    p_adjusted: float | None = None
    adjustment: str | None = None
    mark: str | None = None
    marks_touched: tuple[str, ...] = ()
    verdict: Verdict | None = None
    reason: str | None = None
    details: Details = field(default_factory=Details)

    def __repr__(self) -> str:
        """Return its name, its estimate with the interval, and n."""
        if self.estimate is None:
            return f"<Finding {self.name}: none, {self.reason}>"
        interval = "" if self.low is None or self.high is None else f" ({self.low:.4g} to {self.high:.4g})"
        return f"<Finding {self.name}: {self.estimate:.4g}{interval}, n {self.n:,}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values, keys in the order of the schema."""
        found: dict[str, Any] = as_json(self)
        return found
