"""The example at the end of each command's help; tests run every one of them."""

from typing import Final

__all__ = ["EXAMPLES", "example"]

EXAMPLES: Final = {
    "demo": "demo --out runs/demo",
    "audit": "audit --model sim:masculine --sample 60 --out runs/audit",
    "probe": "probe hiring-an --model sim:masculine --sample 200 --out runs/first",
    "plan": "plan hiring-an --model sim:unbiased",
    "plan impact": "plan impact --rate .3 --ratio .8 --groups 4 --out plan.html",
    "measure": "measure hiring-an answers.jsonl --out runs/measured",
    "compare": "compare runs/first runs/second --out runs/compared",
    "impact": "impact --counts women=557/1835,men=1198/2691 --out runs/impact",
    "evaluate": "evaluate compas-2016.csv --label reoffended --score decile_score --cutoff 4 --protected race "
    "--count people --out runs/evaluate",
    "features": "features bertrand-2004.csv --protected race,gender --sample 1000 --out runs/features",
    "perturb": "perturb --scorer sim:unbiased --margin 2 --sample 12 --out runs/perturb",
    "match train": "match train company/pairs.csv --people company/people.jsonl --positions company/positions.jsonl "
    "--label advanced --protected gender,race --out runs/match",
    "match score": "match score --matcher runs/match/matcher.json --people company/people.jsonl "
    "--positions company/positions.jsonl --pairs company/pairs.csv --out runs/scores",
    "match explain": "match explain --matcher runs/match/matcher.json --people company/people.jsonl "
    "--positions company/positions.jsonl --pairs company/pairs.csv --out runs/explained",
    "match recommend": "match recommend --matcher runs/match/matcher.json --people company/people.jsonl "
    "--positions company/positions.jsonl --for positions --top 5 --out runs/recommended",
    "monitor record": "monitor record decisions.csv --store history.db --model screener --time decided_at "
    "--time-zone Europe/Berlin --score score --selected invited --protected gender",
    "monitor check": "monitor check --store history.db",
    "monitor acknowledge": "monitor acknowledge 1 --store history.db --by ana --note 'New job titles'",
    "monitor golden add": "monitor golden add cases.jsonl --store golden.db --positions positions.jsonl "
    "--reason 'Audit of March'",
    "monitor golden label": "monitor golden label --store golden.db --by ana --out ana.csv",
    "monitor golden adjudicate": "monitor golden adjudicate --store golden.db --by carla --out carla.csv",
    "monitor golden agreement": "monitor golden agreement --store golden.db",
    "monitor golden import": "monitor golden import labelled.jsonl --store golden.db",
    "monitor golden close": "monitor golden close --store golden.db --by carla",
    "monitor golden run": "monitor golden run --store golden.db --model screener --scorer sim:unbiased --cutoff 65 "
    "--out runs/golden",
    "monitor golden export": "monitor golden export --store golden.db --out golden.jsonl",
    "monitor golden forget": "monitor golden forget 3-female --store golden.db",
    "monitor status": "monitor status --store history.db",
    "monitor verify": "monitor verify --store history.db",
    "serve": "serve --store history.db --runs runs",
    "mask": "mask resume.txt --out masked.txt",
    "bundle": "bundle runs/first --out first.zip",
    "verify": "verify evidence.zip",
    "keys new": "keys new --out audit.key",
    "report": "report runs/first --out page.html",
    "data names": "data names names.csv --out chosen.csv",
    "data label-sheet": "data label-sheet runs/an2024 --out sheet.csv",
    "data agreement": "data agreement first.csv second.csv --out labels.csv",
    "data example": "data example berkeley-1973",
    "data company": "data company --out company",
    "collect merge": "collect merge runs/part-1 runs/part-2 --out runs/whole",
    "export inspect": "export inspect runs/first --out log.eval",
}


def example(command: str) -> str:
    """Return the last line of a command's help.

    >>> example("data example")
    'Example: evenhand data example berkeley-1973'
    """
    return f"Example: evenhand {EXAMPLES[command]}"
