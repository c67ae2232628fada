"""`evenhand demo`: a synthetic company through every stage, with known differences.

Each stage (`demo_steps.toml`) runs its commands, then compares the results (`STAGE_RESULTS`) with the differences
injected. `demo_page` and `demo_text` show both.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from importlib import resources
from importlib.util import find_spec
from math import log
from operator import itemgetter
from pathlib import Path
from shlex import quote, split
from typing import Any, Final

import orjson
import polars as pl
from markupsafe import Markup

from evenhand.analyses.data import check_described
from evenhand.analyses.options.output import Output
from evenhand.analyses.progress import Progress
from evenhand.errors import InputError
from evenhand.report.page.html import page_policy, page_style, page_template
from evenhand.report.page.parts import Table, headings
from evenhand.report.words.numbers import ABSENT, POINTS, Scale
from evenhand.report.words.results import corrected_p
from evenhand.results.files import write_file
from evenhand.results.result import read_result
from evenhand.results.terminal import Screen, continued
from evenhand.stats import auc, selection_rate

STORE: Final = "history.db"
_MATCHED: Final = ("match", "perturb-matcher")


@dataclass(frozen=True, kw_only=True)
class Step:
    """A stage: commands, injected differences, pages by title, and the extra it needs."""

    name: str
    heading: str
    injected: str
    commands: Sequence[str]
    pages: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""


def steps(out: Path, *, seed: int, matched: bool) -> list[Step]:
    """Return the stages in order; with `matched` the bundle includes the runs of the extra `match`."""
    text = (resources.files("evenhand.analyses") / "demo_steps.toml").read_text("utf-8")
    folder = quote(str(out))
    runs = " ".join(f"{folder}/{run}" for run in _MATCHED) if matched else ""
    result = []
    for name, step in tomllib.loads(text).items():
        filled = [
            command.format(out=folder, seed=seed, matched=runs).replace("  ", " ") for command in step["commands"]
        ]
        result.append(Step(name=name, **(step | {"commands": filled})))
    return result


#: As in demo_steps.toml: the strength of the simulated model, the points that the simulated scorer subtracts, and the
#: day of the change.
STRENGTH: Final = 0.3
SHIFT: Final = -5.0
_SINCE: Final = "2025-01-01"
NOT_DETECTED: Final = "not detected"


@dataclass(frozen=True, kw_only=True)
class Row:
    """A measure: expected value, estimate and interval; dates are texts without an interval.

    `expected` is a text if the injected difference fixes no value; `reason` says why there is no interval, or gives
    another note. `direction` names whom or what the difference is for; `answer` is a sentence for the first screen.
    """

    label: str
    unit: str
    expected: float | str | None
    estimate: float | str | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    direction: str = ABSENT
    answer: str = ""

    @property
    def holds(self) -> bool | None:
        """Return whether the interval contains the expected value; None without interval or value."""
        if self.low is None or self.high is None or not isinstance(self.expected, int | float):
            return None
        return self.low <= self.expected <= self.high


@dataclass(frozen=True)
class Finds:
    """The folder of the demo, and the output of its last command."""

    out: Path
    printed: str

    @cached_property
    def company(self) -> dict[str, Any]:
        """Return company.json."""
        return dict(orjson.loads((self.out / "company" / "company.json").read_bytes()))

    @cached_property
    def truth(self) -> pl.DataFrame:
        """Return truth.parquet, whose rows are those of pairs.csv."""
        return pl.read_parquet(self.out / "company" / "truth.parquet")

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """Return pairs.csv."""
        return pl.read_csv(self.out / "company" / "pairs.csv")

    def row(self, run: str, name: str, *, ends: tuple[str, str] | None = None, **changes: Any) -> Row:
        """Return a finding of a run as a row, with `changes`; `ends` name a value below and above no difference."""
        rows = orjson.loads((self.out / run / "findings.json").read_bytes())["findings"]
        finding = next(row for row in rows if row["name"] == name)
        values = {key: finding[key] for key in ("unit", "estimate", "low", "high", "reason")}
        if ends is not None:
            above = finding["estimate"] is not None and finding["estimate"] > finding["null_value"]
            differs = finding["claim"]["verdict"] == "difference"
            values["direction"] = ends[above] if differs else NOT_DETECTED
        return Row(**values | changes)

    def proxy(self, run: str, feature: str) -> Mapping[str, Any]:
        """Return how well a feature predicts women."""
        table = pl.read_csv(self.out / run / "proxies.csv")
        return table.row(by_predicate=(pl.col("feature") == feature) & (pl.col("attribute") == "gender"), named=True)

    @property
    def break_auc(self) -> float:
        """Return the AUC of a career break for women: breaks of both sexes last equally long."""
        breaks = self.company["career_breaks"]
        return float(0.5 + (breaks["female"] - breaks["male"]) / 2)


def _study(finds: Finds) -> Sequence[Row]:
    """Return how far names move scores of real models: one name minus another, and next to the placebo."""
    result = read_result(finds.out / "study")
    rows = {
        "firstName_aisha-okonkwo_james-smith_score_difference": (
            "Score of real models: Aisha Okonkwo − James Smith",
            "points",
            ("Aisha lower", "Aisha higher"),
        ),
        "firstName_floor_ratio": (
            "Real models' variance: first names ÷ placebo edits",
            "variance ratio",
            ("names less", "names more"),
        ),
    }
    known = {finding.name: finding.claim for finding in result.findings if finding.claim is not None}
    return [
        finds.row(
            "study", name, label=label, unit=unit, ends=ends, expected=None, reason=f"{corrected_p(known[name])}."
        )
        for name, (label, unit, ends) in rows.items()
    ]


def _probes(finds: Finds) -> Sequence[Row]:
    """Return the slope of the probe of hiring e-mails: men's and women's move apart by twice the strength."""
    label = "Acceptance, men − women: from all-female to all-male occupations"
    ends = ("against stereotypes", "with stereotypes")
    return [finds.row("probes/hiring-an", "diff_regression", label=label, ends=ends, expected=2 * STRENGTH)]


def _mask(finds: Finds) -> Sequence[Row]:
    """Return the share of masked résumés with the person's name in them."""
    people = [orjson.loads(line) for line in (finds.out / "company" / "people.jsonl").read_bytes().splitlines()]
    masked = [orjson.loads(line)["text"] for line in (finds.out / "masked.jsonl").read_bytes().splitlines()]
    left = sum(
        any(name.casefold() in text.casefold() for name in person["known_names"])
        for person, text in zip(people, masked, strict=True)
    )
    rate = selection_rate(left, len(masked))
    label = "Résumés whose full name is still readable"
    return [Row(label=label, unit="share", expected=0.0, estimate=rate.estimate, low=rate.low, high=rate.high)]


def _features(finds: Finds) -> Sequence[Row]:
    proxy = finds.proxy("features", "career_break_months")
    return [_area("AUC of the career break for women", proxy, expected=finds.break_auc)]


def _match(finds: Finds) -> Sequence[Row]:
    """Return how well the score ranks, and how well the gap in masked texts predicts women."""
    best = auc(finds.truth["chance_advanced"].to_numpy(), (finds.pairs["advanced"] == "yes").to_numpy()).estimate
    gap = finds.proxy("match", "gap")
    label = "AUC of the trained score on held-out pairs"
    return [
        finds.row("match", "auc", label=label, expected=f"at most {best:.3f}"),
        _area("AUC of the gap in masked texts for women", gap, expected=finds.break_auc),
    ]


def _evaluate(finds: Finds) -> Sequence[Row]:
    """Return the difference in selection of those who would perform well.

    The expected share weights each pair's chance of a score above the cut-off by its chance of performing well.
    """
    truth, injected = finds.company["truth"], finds.company["injected"]
    limit = log(truth["cutoff"] / (1 - truth["cutoff"]))
    fit = pl.col("fit") + injected["break_effect"] * (pl.col("career_break_months") > 0)
    fit += injected["step"] * (pl.col("time").str.slice(0, 10) >= injected["step_day"])
    above = 1 / (1 + ((limit - fit) / truth["noise"]).exp())
    pairs = finds.truth.with_columns(finds.pairs["time"])
    share = (above * pl.col("true_score")).sum() / pl.col("true_score").sum()
    shares = dict(pairs.group_by("gender").agg(share).iter_rows())
    return [
        finds.row(
            "evaluate",
            "diff_tpr_gender_female",
            label="Good performers selected by the score: women − men",
            unit="difference",
            ends=("women lower", "women higher"),
            answer="Among people who perform well, women's selection rate by the score minus men's is {}",
            expected=shares["female"] - shares["male"],
        )
    ]


def _perturb(finds: Finds, *, run: str, scorer: str, expected: float) -> Sequence[Row]:
    """Return the difference of scores under women's names."""
    label = f"{scorer} of one résumé: women's − men's names"
    ends = ("women lower", "women higher")
    return [finds.row(run, "name_female_male_score_difference", label=label, ends=ends, expected=expected)]


def _impact(finds: Finds) -> Sequence[Row]:
    """Return the impact ratios at both stages; the expected ones follow from the chances in the truth."""
    pairs = finds.truth
    table = pl.scan_csv(finds.out / "company" / "applications.csv")
    late = table.filter((pl.col("stage") == "interviewed") & (pl.col("day") >= _SINCE)).select("person", "position")
    interviews = pairs.join(late.collect(), on=["person", "position"])
    return [
        finds.row(
            "stages",
            "impact_ratio_gender_female_applied",
            label="Impact ratio of applications: women ÷ men",
            ends=("women lower", "women higher"),
            answer="The company advances women's applications at {} times the rate of men's",
            expected=_ratio(pairs, "chance_advanced", "gender", "female", "male"),
        ),
        finds.row(
            "interviews",
            "impact_ratio_race_black",
            label="Impact ratio of interviews since 2025: Black ÷ white",
            ends=("Black lower", "Black higher"),
            answer="Since 2025 it offers positions to interviewed Black candidates at {} times the rate of white ones",
            expected=_ratio(interviews, "chance_offer", "race", "black", "white"),
        ),
    ]


def _monitor(finds: Finds) -> Sequence[Row]:
    """Return the day of each change, by the alarms."""
    alarms = [alarm for alarm in orjson.loads(finds.printed)["alarms"] if alarm["measure"] == "median_score"]
    since = {alarm["model"]: alarm["since"] for alarm in sorted(alarms, key=itemgetter("since"))}
    injected = finds.company["injected"]
    return [
        Row(
            label="Alarm: step in the median score since",
            unit="date",
            expected=injected["step_day"],
            estimate=since.get("score"),
        ),
        Row(
            label="Alarm: drift of the other model's median since",
            unit="date",
            expected=f"after {injected['drift_since']}",
            estimate=since.get("score_previous"),
            reason="An alarm detects a slow drift after it has grown.",
        ),
    ]


def _verify(finds: Finds) -> Sequence[Row]:
    """Return how many findings were reproduced."""
    runs = orjson.loads(finds.printed)["runs"]
    recomputed, total = (sum(run[name] for run in runs) for name in ("recomputed", "findings"))
    left = [f"{row['what']}, as {row['why']}" for run in runs for row in run["not_recomputed"] if row["findings"]]
    return [
        Row(
            label="Findings reproduced from the bundle",
            unit="count",
            expected=None,
            estimate=f"{recomputed:,} of {total:,}",
            reason=f"Not recomputed: {'; '.join(left)}." if left else None,
        )
    ]


def _area(label: str, result: Mapping[str, Any], *, expected: float) -> Row:
    low, high = result["low"], result["high"]
    differs = low is not None and not low <= 0.5 <= high
    direction = ("women less", "women more")[result["auc"] > 0.5] if differs else NOT_DETECTED
    return Row(
        label=label, unit="AUC", expected=expected, estimate=result["auc"], low=low, high=high, direction=direction
    )


def _ratio(pairs: pl.DataFrame, chance: str, attribute: str, focal: str, reference: str) -> float | None:
    means = dict(pairs.group_by(attribute).agg(pl.col(chance).mean()).iter_rows())
    return means[focal] / means[reference] if means.get(focal) and means.get(reference) else None


STAGE_RESULTS: Final[Mapping[str, Callable[[Finds], Sequence[Row]]]] = {
    "study": _study,
    "company": lambda _: (),
    "probes": _probes,
    "mask": _mask,
    "features": _features,
    "match": _match,
    "evaluate": _evaluate,
    "perturb": partial(_perturb, run="perturb", scorer="Simulated score", expected=SHIFT),
    "perturb-matcher": partial(_perturb, run="perturb-matcher", scorer="Trained score", expected=0.0),
    "impact": _impact,
    "monitor": _monitor,
    "bundle": _verify,
    "pipeline": lambda _: (),
}

PAGE: Final = "index.html"
SYNTHETIC: Final = (
    "SIMULATED: the company, the language model and one scorer are synthetic, with known differences. The first stage "
    "analyses scores of real models."
)
_SCALES: Final = {
    "share": Scale(factor=100, suffix=" %", decimals=2),
    "share per unit": replace(POINTS, suffix=" points", long_suffix=" percentage points"),
    "AUC": Scale(suffix="", long_suffix="AUC"),
    "area": Scale(suffix="", long_suffix="AUC"),
    "ratio": Scale(suffix="", long_suffix="impact ratio"),
    "variance ratio": Scale(suffix="", long_suffix="ratio of variances", decimals=2),
    "points": Scale(suffix=" points", long_suffix="points", decimals=2, signed=True),
    "difference": replace(POINTS, suffix=" points", long_suffix=" percentage points"),
}
_WORDS: Final = ("Direction", "Contained")
_COLUMNS: Final = headings("Measure", "Found", "95 % CI", *_WORDS[:1], "True value", *_WORDS[1:], words=_WORDS)
_HOLDS: Final = {True: "yes", False: "no", None: ABSENT}


def rows_table(stages: Sequence["Stage"], *, directed: bool) -> Table:
    """Return what all stages found as a table, with a link to each stage: differences with a direction, or the rest."""
    rows = [(stage.step.name, row) for stage in stages for row in stage.found if directed is (row.direction != ABSENT)]
    contained = "contained: whether the confidence interval contains the true value"
    return Table(
        caption=f"Differences; {contained}" if directed else "Other results",
        folded=not directed,
        columns=_COLUMNS,
        rows=[[row.label, *_found(row), row.direction, _expected(row), _HOLDS[row.holds]] for _, row in rows],
        links=[f"#{name}" for name, _ in rows],
    )


def answers(stages: Sequence["Stage"]) -> list[str]:
    """Return what the stages of the company showed, in a sentence each."""
    rows = [row for stage in stages for row in stage.found if row.answer]
    return [f"{row.answer.format(_found(row)[0])}{_in_brackets(row)}." for row in rows]


def check_text(stages: Sequence["Stage"]) -> str:
    """Return how many of the confidence intervals contain their true value, and those that don't."""
    known = [row for stage in stages for row in stage.found if row.holds is not None]
    outside = [row.label for row in known if not row.holds]
    if not known:
        return "No confidence interval has a known true value."
    if len(known) == 1 and not outside:
        return "The confidence interval with a known true value contains it."
    inside = len(known) - len(outside)
    count = f"{inside} of the {len(known)}" if outside else f"All {len(known)}"
    left = f" Outside: {'; '.join(outside)}." if outside else ""
    return f"{count} confidence intervals with a known true value {'contains' if inside == 1 else 'contain'} it.{left}"


def demo_page(stages: Sequence["Stage"]) -> bytes:
    """Return the index page: what the stages found, then each stage with its commands and links."""
    style = page_style()
    page = page_template("demo.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        stages=stages,
        typed=lambda command: "\n".join(continued(command, 76)),
        row_text=_row_text,
        answers=answers(stages),
        directed=rows_table(stages, directed=True),
        others=rows_table(stages, directed=False),
        check=check_text(stages),
    )
    return page.encode()


def demo_text(demo: "Demo") -> str:
    """Return the text for the terminal: what the stages found, and where their commands stand."""
    screen = Screen()
    screen.say(SYNTHETIC)
    screen.say()
    rows = [row for stage in demo.stages for row in stage.found]
    cells = [[row.label, f"{_found(row)[0]}{_in_brackets(row, level='')}", _expected(row)] for row in rows]
    screen.draw(Table(caption="", columns=headings("Measure", "Found (95 % CI)", "True value"), rows=cells))
    screen.say()
    screen.say(check_text(demo.stages))
    for stage in demo.stages:
        if stage.skipped:
            screen.say(f"{stage.step.heading}: {stage.skipped}")
    screen.keep(f"Open {demo.path / PAGE}, which has each stage's commands and report.")
    return screen.text


def _found(row: Row) -> list[str]:
    """Return the estimate and its interval."""
    scale = _SCALES.get(row.unit, Scale())
    estimate = row.estimate if isinstance(row.estimate, str) else scale.text(row.estimate)
    return [estimate, ABSENT if row.low is None else f"{scale.number(row.low)} to {scale.number(row.high)}"]


def _expected(row: Row) -> str:
    scale = _SCALES.get(row.unit, Scale())
    return row.expected if isinstance(row.expected, str) else scale.number(row.expected)


def _in_brackets(row: Row, *, level: str = "95 % CI ") -> str:
    interval = _found(row)[1]
    return "" if interval == ABSENT else f" ({level}{interval})"


def _row_text(row: Row) -> str:
    """Return estimate and true value in a sentence, with the reason."""
    expected = _expected(row)
    known = "" if expected == ABSENT else f"; true value {expected}"
    sentence = f"{row.label}: {_found(row)[0]}{_in_brackets(row)}{known}."
    return sentence if row.reason is None else f"{sentence} {row.reason}"


#: Runs a command line (without the word evenhand) and returns its output.
Typed = Callable[[Sequence[str]], str]

SCHEMA: Final = "evenhand.demo/1"
ABOUT: Final = "demo.json"
_EXTRA: Final = "Not run: it needs LightGBM, scikit-learn and rapidfuzz. Install them by: pip install 'evenhand[match]'"


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A stage and its results; `skipped` says why it was not run."""

    step: Step
    found: Sequence[Row]
    skipped: str = ""


@dataclass(frozen=True, kw_only=True)
class Demo:
    """The finished demo: its folder and stages."""

    path: Path
    stages: Sequence[Stage]

    @property
    def json(self) -> str:
        """Return demo.json."""
        return _json([asdict(stage) for stage in self.stages]).decode()


def run_demo(options: Output, typed: Typed, *, progress: Progress | None = None) -> Demo:
    """Take a synthetic company through every stage; return the results.

    Raises
    ------
    InputError
        The folder exists already, without --force.
    ForeignFolder
        The folder holds no demo.

    """
    out = options.folder("demo")
    check_described(out, ABOUT, schema=SCHEMA, what="demo", force=options.force)
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_file(out / ABOUT, _json([]))
    except OSError as error:
        raise InputError(f"--out {out} can't be made: {error.strerror}.") from error
    for name in (STORE, f"{STORE}-wal", f"{STORE}-shm"):
        (out / name).unlink(missing_ok=True)
    matched = all(map(find_spec, ("lightgbm", "sklearn", "rapidfuzz")))
    todo = steps(out, seed=options.seed, matched=matched)
    stages = []
    for number, step in enumerate(todo):
        if progress is not None:
            progress(f"demo: {step.name}", number, len(todo))
        skipped = step.needs and not matched
        stages.append(Stage(step=step, found=(), skipped=_EXTRA) if skipped else _stage(step, out, typed))
    demo = Demo(path=out, stages=stages)
    write_file(out / PAGE, demo_page(stages))
    write_file(out / ABOUT, demo.json.encode())
    return demo


def _stage(step: Step, out: Path, typed: Typed) -> Stage:
    printed = [typed(split(command)[1:]) for command in step.commands]
    return Stage(step=step, found=STAGE_RESULTS[step.name](Finds(out, printed[-1])))


def _json(stages: Sequence[Any]) -> bytes:
    return orjson.dumps({"schema": SCHEMA, "stages": stages}, option=orjson.OPT_INDENT_2)
