"""ResumeScore: which score does a language model give a résumé? The card is README.md."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from evenhand.errors import InputError
from evenhand.lexicons.names import GENDERS, RACES
from evenhand.measures import Contrast, MeasureSet, Scored, Slice, Summary
from evenhand.probes.resume_score.applications import QUALIFICATIONS, chosen_applications, read_applications
from evenhand.probes.resume_score.names_file import read_names
from evenhand.probes.resume_score.outcomes import outcomes, saved_stimuli
from evenhand.probes.resume_score.respond import KINDS, LARGEST_SHIFT, respond
from evenhand.probes.resume_score.settings import RANGE, Settings, range_of
from evenhand.probes.resume_score.stimuli import designs
from evenhand.probes.resume_score.wordings import WORDINGS
from evenhand.probes.shared.probe import Probe, Reference
from evenhand.tables.audit.measured import Wording

__all__ = ["PROBE"]

MALE, FEMALE = {"gender": "male"}, {"gender": "female"}
#: The race whose names the others are compared with.
REFERENCE: Final = "white"
OTHERS: Final = tuple(race for race in RACES if race != REFERENCE)
OWN: Final = ("diff_score", *(f"diff_score_{race}" for race in OTHERS))


def _race(race: str) -> Contrast:
    return Contrast(
        name=f"diff_score_{race}",
        statistic="rate",
        focal={"race": race},
        reference={"race": REFERENCE},
        measured_in="points",
    )


def _measured(low: float, high: float, cutoff: float | None = None) -> MeasureSet:
    return MeasureSet(
        rate="mean_score",
        measures=(
            Summary(name="mean_score", statistic="rate", measured_in="points"),
            Summary(name="male_score", statistic="rate", group=MALE, measured_in="points"),
            Summary(name="female_score", statistic="rate", group=FEMALE, measured_in="points"),
            Contrast(name="diff_score", statistic="rate", focal=MALE, reference=FEMALE, measured_in="points"),
            *(_race(race) for race in OTHERS),
        ),
        headline=OWN,
        slices=(
            Slice(columns=("race",), prefix="race_{race}_", measures=("male_score", "female_score", "diff_score")),
            Slice(columns=("gender",), prefix="gender_{gender}_", measures=OWN[1:]),
            Slice(columns=("qualification",), prefix="qualification_{qualification}_", measures=("mean_score", *OWN)),
            Slice(columns=("zone",), prefix="zone_{zone}_", measures=("mean_score", *OWN)),
            Slice(columns=("wording",), prefix="wording_{wording}_", measures=("mean_score", *OWN)),
        ),
        groups=("race", "gender"),
        clusters=("name", "resume"),
        instruction="wording",
        against=None,
        bands={},
        order={"gender": GENDERS, "qualification": QUALIFICATIONS, "wording": tuple(WORDINGS)},
        scored=Scored(
            low=low,
            high=high,
            sets=("resume", "position", "wording"),
            ranked_within="position",
            qualification="qualification",
            cutoff=cutoff,
        ),
    )


def _told(race: str) -> Wording:
    name = race.capitalize()
    return Wording(
        heading=f"Mean score, {name} − White names",
        topic=f"the mean score under {name} and White names",
        higher=f"the same résumés were scored {{size}} higher under {name} than under White names",
        lower=f"the same résumés were scored {{size}} lower under {name} than under White names",
        larger=f"{name} names were scored higher",
    )


LOW, HIGH = range_of(RANGE)


def configured(settings: Settings) -> Probe:
    """Return the probe with another range, other names, positions or résumés, or another cut-off."""
    low, high = range_of(settings.range or RANGE)
    if settings.cutoff is not None and not low <= settings.cutoff < high:
        raise InputError(f"--cutoff is {settings.cutoff:g}; expected a score from {low:g} to below {high:g}.")
    shift = LARGEST_SHIFT * (high - low)
    return replace(
        PROBE,
        designs=designs(
            low=low,
            high=high,
            names=None if settings.names is None else read_names(settings.names),
            pronouns=settings.pronouns,
            affinity=settings.affinity,
            **_applications(settings),
        ),
        measured=_measured(low, high, settings.cutoff),
        references={"diff_score": _references(shift)},
        saved=partial(saved_stimuli, low=low, high=high),
    )


def _applications(settings: Settings) -> dict[str, Any]:
    """Return who applies where, if it is not all of ours."""
    if (settings.positions is None) != (settings.resumes is None):
        given, lacking = ("--positions", "--resumes") if settings.resumes is None else ("--resumes", "--positions")
        raise InputError(f"{given} needs {lacking}: our own belong to our own. Give both, or neither.")
    if settings.positions is not None and settings.resumes is not None:
        if settings.occupations is not None:
            raise InputError("--occupations chooses among the embedded positions. Leave it out, or --positions.")
        found = read_applications(settings.positions, settings.resumes)
        left = f" Résumés left out, as their name could not be replaced: {found.left_out}." if found.left_out else ""
        return {"applications": lambda: found, "shape": found.shape(), "more": left}
    if settings.occupations is not None:
        chosen = chosen_applications(settings.occupations)
        return {"applications": lambda: chosen, "shape": chosen.shape()}
    return {}


def _references(shift: float) -> tuple[Reference, ...]:
    return (
        Reference(kind="unbiased", value=0.0),
        Reference(kind="pro-masculine", value=shift),
        Reference(kind="pro-feminine", value=-shift),
    )


PROBE = Probe(
    name="resume-score",
    version="1",
    title="ResumeScore",
    question=(
        "When a language model scores a résumé for a position, does the gender or race that the name signals change "
        "the score of the same résumé?"
    ),
    success="scored above the cut-off",
    designs=designs(low=LOW, high=HIGH),
    default_sample=None,
    level_texts={"wording": WORDINGS},
    against_label="",
    measured=_measured(LOW, HIGH),
    references={"diff_score": _references(LARGEST_SHIFT * (HIGH - LOW))},
    limits=(
        "Names signal how a person is perceived in the United States. They don't tell who a person is.",
        "evenhand's own positions and résumés are synthetic: written from O*NET's tasks and technology skills.",
        "A score that a language model writes depends on the wording of the question; three are asked.",
        "What a score leads to depends on who uses it: the cut-off here is the median unless one is given.",
        "Only English prompts, two genders and four racial groups are covered.",
    ),
    kinds=KINDS,
    read=outcomes,
    respond=respond,
    saved=partial(saved_stimuli, low=LOW, high=HIGH),
    saved_key=("name", "resume", "position", "wording"),
    settings=Settings,
    configure=configured,
    subject="names",
    quantities={"diff_score": "mean score", **{f"diff_score_{race}": "mean score" for race in OTHERS}},
    wordings={
        "diff_score": Wording(
            heading="Mean score, male − female names",
            topic="the mean score under male and female names",
            higher="the same résumés were scored {size} higher under male than under female names",
            lower="the same résumés were scored {size} lower under male than under female names",
            larger="male names were scored higher",
        ),
        **{f"diff_score_{race}": _told(race) for race in OTHERS},
    },
)
