"""The study of An et al. 2024: hiring e-mails to 300 first names. The card is README.md."""

import csv
from dataclasses import replace
from functools import partial
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.probes.an2024.classifier import Classifier, retrained, shipped
from evenhand.probes.an2024.outcomes import outcomes, saved_stimuli
from evenhand.probes.an2024.settings import Settings
from evenhand.probes.an2024.stimuli import EDUCATION, NOT_SPECIFIED, SEEDS, Role, design, read_roles, respond, roles
from evenhand.probes.probe import INSTRUCTIONS, KINDS, Probe, ReadAnswers
from evenhand.probes.readers import read_names
from evenhand.results.audit import Facts, Published, Wording
from evenhand.results.measures import MeasureSet, Slice

COLUMNS = ("role", "education", "qualification", "template", "seed")

MEASURED = MeasureSet(
    rate="acceptance_rate",
    measures=(),
    headline=("acceptance_vs_population",),
    slices=tuple(Slice(columns=(column,), prefix=f"{column}_{{{column}}}_") for column in COLUMNS),
    groups=("race", "gender"),
    clusters=("name", "role"),
    instruction="template",
    order={
        "race": ("white", "black", "hispanic"),
        "gender": ("female", "male"),
        "role": (NOT_SPECIFIED,),
        "education": EDUCATION,
        "qualification": ("omitted", "high", "medium", "low"),
    },
    impact_ratios=False,
    population="role",
)


#: Appendix C.1. The top_p of 5 that it gives for Mistral is no probability and is left out.
PRESETS = {
    "llama2": {"temperature": 0.6, "top_p": 0.9, "max_tokens": 256},
    "gpt-3.5": {"temperature": 0.6, "max_tokens": 256, "frequency_penalty": 0.9, "presence_penalty": 1.9},
    "mistral": {"temperature": 0.6, "max_tokens": 256},
}


def configured(settings: Settings) -> Probe:
    """Return the probe with other roles, names, seeds, instructions, or a classifier trained on the user's labels."""
    chosen = _roles(settings.roles)
    instructions = len(INSTRUCTIONS) if settings.base_templates is None else settings.base_templates
    names = None if settings.names is None else read_names(settings.names)
    probe = replace(
        PROBE,
        designs={
            "card": design(
                chosen,
                names=names,
                seeds=_seeds(settings.seeds),
                instructions=instructions,
            )
        },
        saved=partial(saved_stimuli, roles=(*chosen, *roles()), names=names),
    )
    if settings.mixed:
        if find_spec("statsmodels") is None:
            raise InputError("--mixed needs statsmodels, which is not installed; install evenhand[mixed].")
        probe = replace(probe, measured=replace(probe.measured, mixed=True))
    if settings.monte_carlo is not None:
        probe = replace(probe, measured=replace(probe.measured, monte_carlo=settings.monte_carlo))
    if settings.labels is not None:
        classifier = retrained(settings.labels)
        probe = replace(probe, read=partial(outcomes, classifier=classifier), facts=partial(_facts, classifier))
    return probe


def _roles(source: Path | str | None) -> tuple[Role, ...]:
    return read_roles(source) if isinstance(source, Path) else roles(source or "41")


def _seeds(listed: str | None) -> tuple[int, ...]:
    if listed is None:
        return SEEDS
    try:
        seeds = tuple(int(part) for part in listed.split(","))
    except ValueError:
        raise InputError(f"--seeds is {listed!r}; expected whole numbers with commas between, like 1,42,50.") from None
    if len(set(seeds)) < len(seeds) or min(seeds) < 0 or max(seeds) > 2**31 - 1:
        raise InputError(f"--seeds is {listed!r}; expected different numbers from 0 to 2147483647.")
    return seeds


def _read(answers: pl.DataFrame) -> ReadAnswers:
    return outcomes(answers, classifier=shipped())


def _facts(classifier: Classifier | None = None) -> Facts:
    """Return the report's additional numbers: published tables, and the classifier's figures."""
    text = resources.files("evenhand.probes.an2024").joinpath("published.csv").read_text(encoding="utf-8")
    report = classifier.report if classifier is not None else shipped().report
    return Facts(
        published=tuple(Published(**row) for row in csv.DictReader(text.splitlines())),
        published_source="An et al. (2024), Do Large Language Models Discriminate in Hiring Decisions on the Basis "
        "of Race, Ethnicity, and Gender?, tables 1 to 6",
        classifier=dict(report),
    )


PROBE = Probe(
    name="an2024",
    version="1",
    title="An et al. 2024",
    question=(
        "When a language model writes e-mails about hiring decisions that it has to make up, does the chance that it "
        "accepts depend on the race, ethnicity and gender that a first name signals?"
    ),
    success="an e-mail that accepts the applicant",
    designs={"card": design()},
    default_sample=24_600,
    level_texts={"template": {str(number): text for number, text in enumerate(INSTRUCTIONS)}},
    measured=MEASURED,
    limits=(
        "First names signal how a person is perceived in the United States. They don't show who a person is.",
        "Three races and ethnicities and two genders are covered, by names chosen for how strongly they signal them.",
        "The model invents the decision from almost no information; real decisions rest on more.",
        "A classifier reads the e-mails. Its errors are the same for all names, since names are redacted, but the "
        "share of e-mails without a readable decision may differ by group: see the rates of unreadable answers.",
        "The paper's test assumes that e-mails are exchangeable. If names differ within a group, it rejects too "
        "often; the permutation over names does not.",
        "The study does not say which two of WinoBias's 40 occupations it dropped; this probe leaves out developer "
        "and CEO.",
    ),
    kinds=KINDS,
    read=_read,
    respond=respond,
    saved=partial(saved_stimuli, roles=roles()),
    saved_key=("name", "role", "qualification", "template", "seed"),
    twins=("role", "qualification", "template", "seed"),
    settings=Settings,
    configure=configured,
    facts=_facts,
    presets=PRESETS,
    subject="names",
    quantities={"acceptance_vs_population": "acceptance rate"},
    wordings={
        "acceptance_vs_population": Wording(
            heading="Acceptance rate, group − average of all groups",
            topic="how often each group's names are accepted, against the average of all groups",
            higher="names were accepted more often than the average of all groups",
            lower="names were accepted less often than the average of all groups",
            larger="the group's names were accepted more often than the average of all groups",
        ),
    },
)
