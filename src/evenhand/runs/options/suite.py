"""Which suite of probes a model is asked, with the options that its probes share."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Final

from evenhand.errors import InputError
from evenhand.options import Group, Option
from evenhand.runs.options.probe import ProbeOptions
from evenhand.tables.messages.quoting import quoted

__all__ = ["SUITES", "Suite", "SuiteOptions"]

#: The probes of each suite.
SUITES: Final[dict[str, tuple[str, ...]]] = {
    "standard": ("hiring-an", "hiring-bloomberg", "business-vocabulary", "resume-score")
}


@dataclass(frozen=True, kw_only=True)
class Suite(Group):
    """Which suite."""

    suite: Annotated[str, Option("Which probes to run.", kept=False, again=False)] = "standard"

    def __post_init__(self) -> None:
        """Refuse a suite that there is not; the nearest name is offered."""
        super().__post_init__()
        if self.suite not in SUITES:
            near = get_close_matches(self.suite, SUITES, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise InputError(f"--suite {quoted(self.suite)} is unknown; expected one of {', '.join(SUITES)}.{hint}")


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(ProbeOptions, Suite):
    """The options of `evenhand audit`."""
