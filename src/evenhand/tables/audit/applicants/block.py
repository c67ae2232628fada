"""What the blocks of all analyses of a table of people say."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.accounting import Accounting

__all__ = ["TableAudit"]


@dataclass(frozen=True, kw_only=True)
class TableAudit:
    """What the page of an analysis of a table prints besides the findings, whatever was analysed."""

    kind: str
    title: str
    question: str | None = None
    source: str = ""
    simulated: bool = False
    simulated_note: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    accounting: Accounting = field(default_factory=Accounting)
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reproduce: str = ""
    started: str | None = None
    finished: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """Return no model: people were selected, or their scores were given."""
        return ""
