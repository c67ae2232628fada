"""The example at the end of each command's help; tests run every one of them."""

from typing import Final

__all__ = ["EXAMPLES", "example"]

EXAMPLES: Final = {
    "demo": "demo --out runs/demo",
    "audit": "audit --model sim:masculine --sample 60 --out runs/audit",
    "probe": "probe hiring-an --model sim:masculine --sample 200 --out runs/first",
    "plan": "plan hiring-an --model sim:unbiased",
    "measure": "measure hiring-an answers.jsonl --out runs/measured",
    "compare": "compare runs/first runs/second --out runs/compared",
    "impact": "impact --counts women=557/1835,men=1198/2691 --out runs/impact",
    "perturb": "perturb --scorer sim:unbiased --margin 2 --sample 12 --out runs/perturb",
    "mask": "mask resume.txt --out masked.txt",
    "bundle": "bundle runs/first --out first.zip",
    "verify": "verify evidence.zip",
    "keys new": "keys new --out audit.key",
    "report": "report runs/first --out page.html",
    "data names": "data names names.csv --out chosen.csv",
    "data label-sheet": "data label-sheet runs/an2024 --out sheet.csv",
    "data agreement": "data agreement first.csv second.csv --out labels.csv",
    "data example": "data example berkeley-1973",
    "collect merge": "collect merge runs/part-1 runs/part-2 --out runs/whole",
    "export inspect": "export inspect runs/first --out log.eval",
}


def example(command: str) -> str:
    """Return the last line of a command's help.

    >>> example("data example")
    'Example: evenhand data example berkeley-1973'
    """
    return f"Example: evenhand {EXAMPLES[command]}"
