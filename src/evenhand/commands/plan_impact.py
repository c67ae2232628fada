"""`evenhand plan impact`: how many decisions until an impact ratio of a size would be detected."""

from dataclasses import dataclass
from pathlib import Path

import orjson

from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.report.files.planned import PlannedSizes, sizes_table, told_sizes, write_plan_page
from evenhand.runs.options.impact import ImpactPlanOptions
from evenhand.stats import decisions_needed

__all__ = ["DecisionPlan", "plan_decisions"]

LEVEL = 0.05
#: Impact ratios of the table, and of the curve.
SHOWN = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
CURVE = tuple(round(0.5 + 0.01 * step, 2) for step in range(46))


@dataclass(frozen=True, kw_only=True)
class DecisionPlan:
    """How many decisions are needed, as JSON and for the terminal."""

    planned: PlannedSizes
    out: Path | None

    @property
    def json(self) -> str:
        """Return the plan as JSON."""
        planned = self.planned
        content = {
            "schema": "evenhand.plan/1",
            "kind": "impact",
            "rate": planned.rate,
            "ratio": planned.ratio,
            "groups": planned.groups,
            "power": planned.power,
            "level": planned.level,
            "per_group": planned.per_group,
            "decisions": planned.per_group * planned.groups,
            "curve": [{"ratio": ratio, "per_group": n} for ratio, n in planned.curve],
        }
        return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()

    @property
    def text(self) -> str:
        """Return the plan for the terminal."""
        screen = Screen()
        first, *others = told_sizes(self.planned)
        screen.say(first)
        screen.say()
        screen.draw(sizes_table(self.planned, SHOWN))
        for line in others:
            screen.say(f"\n{line}")
        if self.out is not None:
            screen.say()
            screen.keep(str(self.out))
        return screen.text


def plan_decisions(options: ImpactPlanOptions) -> DecisionPlan:
    """Return the plan, with `out` written as a page with the curve.

    Raises
    ------
    InputError
        The page is there already, or can't be written.

    """
    if options.out is not None and options.out.exists() and not options.force:
        raise InputError(f"--out {options.out} is there already; use --force to replace it.")
    pairs = options.groups * (options.groups - 1) // 2
    ratios = sorted({*CURVE, *SHOWN, options.ratio})
    found = decisions_needed(options.rate, ratios, power=options.power, confidence=1 - LEVEL / pairs)
    curve = tuple(zip(ratios, found.estimate.astype(int).tolist(), strict=True))
    planned = PlannedSizes(
        rate=options.rate,
        ratio=options.ratio,
        groups=options.groups,
        power=options.power,
        level=LEVEL / pairs,
        per_group=dict(curve)[options.ratio],
        curve=curve,
    )
    if options.out is not None:
        write_plan_page(planned, options.out, SHOWN)
    return DecisionPlan(planned=planned, out=options.out)
