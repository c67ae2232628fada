"""Screening: how does a model screen a pile of applications, step by step? The card is README.md."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import product
from math import inf
from pathlib import Path
from typing import Any, Final

from evenhand.data.lexicons.names import GENDERS
from evenhand.errors import InputError
from evenhand.probes.probe import OTHER_RACES, REFERENCE_RACE, Design, Probe, mean_measures, reference_values
from evenhand.probes.readers import compared_races, read_names
from evenhand.probes.resume_score.stimuli import Applications, given_applications
from evenhand.probes.screening import piles
from evenhand.probes.screening.outcomes import SAVED_KEY, outcomes, saved_stimuli
from evenhand.probes.screening.respond import KINDS, SHIFTS, respond
from evenhand.probes.screening.settings import STEPS, Settings
from evenhand.results.audit import Reference, Wording
from evenhand.results.measures import (
    DECIDED,
    TEXT_CODED,
    TEXT_WORDS,
    Contrast,
    MeasureSet,
    Scored,
    Slice,
    Steps,
)

#: Blocks that are drawn unless the user says otherwise.
BLOCKS: Final = 36
#: Of each step: its measure, what it is called, and what happens to somebody, more often or higher.
MEASURES: Final[Mapping[str, tuple[str, str, str]]] = {
    "shortlist": ("shortlist_rate", "shortlisted", "were shortlisted"),
    "questions": ("unlawful_question_rate", "asked about a protected fact", "were asked about a protected fact"),
    "scores": ("score", "score", "were scored"),
    "decision": ("offer_rate", "offered the position", "were offered the position"),
}
_POINTS: Final = "scores"
#: What varies in the intervals, where there is enough of it.
CLUSTERS: Final = ("name", "pile", "resume", "position")
#: Of the steps with texts: what a text is called, and how texts about applications are named.
TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "shortlist": ("reason", "the reasons for shortlisted applications"),
    "decision": ("email", "the e-mails on applications"),
}
#: What is counted in a text: its unit, what it is, and more or less of it.
COUNTED: Final[Mapping[str, tuple[str, str, str, str]]] = {
    TEXT_WORDS: ("words", "length in words", "were {size} words longer", "were {size} words shorter"),
    TEXT_CODED: (
        "share",
        "male-coded share of gender-coded terms",
        "had a male-coded share of gender-coded terms {size} higher",
        "had a male-coded share of gender-coded terms {size} lower",
    ),
}
#: What limits our own applications, and a user's.
SYNTHETIC: Final = (
    "evenhand's positions and applications are synthetic; how well each fits its position is our judgement."
)
GIVEN: Final = "Positions and applications, and how well each fits where that is stated, are those of the files given."


def _step_measures(step: str, races: tuple[str, ...] = OTHER_RACES) -> MeasureSet:
    """Return what is measured of one step: group means, the genders' difference, and the races' against white names."""
    measures = _measures(MEASURES[step][0], "points" if step == _POINTS else "share", races)
    # To be asked about a protected fact is no selection: the fewer, the better.
    return replace(measures, impact_ratios=step != "questions")


def _text_measures(step: str, counted: str, races: tuple[str, ...]) -> MeasureSet:
    """Return the same of what is counted in the texts of a step: texts of the same decision are compared."""
    measures = _measures(f"{TEXTS[step][0]}_{counted}", COUNTED[counted][0], races)
    assert measures.scored is not None
    scored = replace(measures.scored, sets=(*measures.scored.sets, DECIDED))
    return replace(measures, headline=(), slices=(), scored=scored)


def _measures(rate: str, points: str, races: tuple[str, ...]) -> MeasureSet:
    measures = mean_measures(rate, rate=rate, measured_in=points, races=races)
    headline = tuple(measure.name for measure in measures if isinstance(measure, Contrast))
    return MeasureSet(
        rate=rate,
        measures=measures,
        headline=headline,
        slices=(
            Slice(columns=("race",), prefix="race_{race}_", measures=headline[:1]),
            Slice(columns=("quality",), prefix="quality_{quality}_", measures=headline[:1]),
        ),
        groups=("race", "gender"),
        clusters=CLUSTERS,
        order={"gender": GENDERS, "quality": tuple(piles.QUALITIES)},
        scored=Scored(
            low=0.0,
            high={"share": 1.0, "points": 100.0}.get(points, inf),
            sets=("matched",),
            ranked_within="pile",
            qualification="quality",
            centred=True,
        ),
    )


def _measured(steps: tuple[str, ...], arms: tuple[str, ...], races: tuple[str, ...] = OTHER_RACES) -> MeasureSet:
    measures = {step: _step_measures(step, races) for step in steps}
    return MeasureSet(
        rate=STEPS[0],
        measures=tuple(measure for of_step in measures.values() for measure in of_step.measures),
        headline=tuple(name for of_step in measures.values() for name in of_step.headline),
        groups=("race", "gender"),
        clusters=CLUSTERS,
        order={"gender": GENDERS},
        impact_ratios=False,
        steps=Steps(
            measures=measures,
            arms=arms,
            merit="merit",
            texts={
                step: {counted: _text_measures(step, counted, races) for counted in COUNTED}
                for step in steps
                if step in TEXTS
            },
        ),
    )


def _wordings() -> dict[str, Wording]:
    """Return how the headline differences, and those of texts, are told."""
    result = {}
    pairs = {
        "": ("male", "female"),
        **{f"_{race}": (race.capitalize(), REFERENCE_RACE.capitalize()) for race in OTHER_RACES},
    }
    for step, (rate, heading, done) in MEASURES.items():
        unit = "mean score" if step == _POINTS else f"share {heading}"
        more, less = ("higher", "lower") if step == _POINTS else ("more often", "less often")
        for race, (focal, reference) in pairs.items():
            same = f"in the step {step}, applications under {focal} names {done}"
            other = f"than the same applications under {reference} names"
            result[f"diff_{rate}{race}"] = Wording(
                heading=f"{step.capitalize()}: {unit}, {focal} − {reference} names",
                topic=f"the {unit} under {focal} and {reference} names in the step {step}",
                higher=f"{same} {{size}} {more} {other}",
                lower=f"{same} {{size}} {less} {other}",
                larger=f"under {focal} names applications {done} {more} in the step {step}",
            )
    for (name, texts), (counted, (_, what, more, less)), (race, (focal, reference)) in product(
        TEXTS.values(), COUNTED.items(), pairs.items()
    ):
        of, other = f"{texts} under {focal} names", f"than those on the same applications under {reference} names"
        result[f"diff_{name}_{counted}{race}"] = Wording(
            heading=f"{name.capitalize()}: {what}, {focal} − {reference} names",
            topic=f"the {what} of {texts} under {focal} and {reference} names",
            higher=f"{of} {more} {other}",
            lower=f"{of} {less} {other}",
            larger=f"{of} {more.replace('{size} ', '')}",
        )
    return result


def _references() -> dict[str, tuple[Reference, ...]]:
    result: dict[str, tuple[Reference, ...]] = {}
    for step, (rate, *_) in MEASURES.items():
        shift = -SHIFTS[step] if step == "questions" else SHIFTS[step]
        result[f"diff_{rate}"] = reference_values(0.0, shift)
    return result


def layout_of(settings: Settings) -> piles.Layout:
    """Return the layout that the settings describe: a file's or our own, with other names, pile, steps or arms."""
    layout = piles.builtin_layout() if settings.design is None else piles.read_design(settings.design)
    applications = given_applications(settings.positions, settings.resumes)
    if applications is not None:
        if settings.design is not None:
            raise InputError(
                f"--design {settings.design} and --positions are both given; the design has its own positions: drop "
                "one."
            )
        layout = replace(layout, **_applications(applications))
    changes: dict[str, Any] = {}
    if settings.names is not None:
        names = read_names(settings.names)
        changes["people"] = lambda: names
    if settings.pile is not None:
        changes["pile"] = settings.pile
    if settings.steps is not None:
        steps = settings.steps.split(",")
        changes["steps"] = piles.chosen_steps(steps, lambda message: InputError(f"--steps: {message}"))
    if settings.system is not None:
        changes["system"] = _text(settings.system)
    changes["structured"] = settings.structured
    arms = {piles.INSTRUCTED: settings.instructed, piles.MASKED: settings.masked}
    changes["arms"] = (piles.PLAIN, *(arm for arm, chosen in arms.items() if chosen))
    return replace(layout, **changes)


def _text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--system {path} can't be read; expected a text file in UTF-8.") from error
    if not text:
        raise InputError(f"--system {path} is empty; expected the text of a system prompt.")
    return text


def _applications(read: Applications) -> dict[str, Any]:
    """Return the user's positions, each with all of the user's résumés; nobody has stated their quality."""
    applications = tuple(
        tuple(piles.Application(id=f"{place}/{one.template.id}", text="", template=one.template) for one in of_position)
        for place, of_position in enumerate(read.resumes)
    )
    rows = [piles.Position(id=str(place), title=one.title, text=one.text) for place, one in enumerate(read.positions)]
    return {"positions": tuple(rows), "applications": applications}


def configured(settings: Settings) -> Probe:
    """Return the probe with another layout."""
    layout = layout_of(settings)
    design = layout.design()
    given = settings.design is not None or settings.positions is not None
    return replace(
        PROBE,
        limits=tuple(GIVEN if given and limit == SYNTHETIC else limit for limit in PROBE.limits),
        designs={design.name: design},
        default_sample=BLOCKS * design.block,
        measured=_measured(layout.steps, layout.arms, compared_races(layout.people())),
        saved=partial(saved_stimuli, names=layout.people()),
    )


@cache
def _builtin() -> Design:
    return piles.builtin_layout().design()


PROBE = Probe(
    name="screening",
    version="1",
    title="Screening",
    question=(
        "When a language model screens a pile of applications step by step, does the gender or race that a name "
        "signals change who is shortlisted, what is asked, how applications are scored, and who gets an offer?"
    ),
    success="selected",
    designs={_builtin().name: _builtin()},
    default_sample=BLOCKS * _builtin().block,
    measured=_measured(STEPS, (piles.PLAIN,)),
    references=_references(),
    limits=(
        "Names signal how a person is perceived in the United States. They don't show who a person is.",
        SYNTHETIC,
        "Results among the survivors of a shortlist don't show what a later step does by itself, because the "
        "shortlist decides who is left. The claims are about the whole pile.",
        "With fewer than ten positions, résumés or piles, the intervals hold for these alone; the built-in positions "
        "are six.",
        "Hiring is more than piles of applications, and the wording of each step is one of many.",
        "Only English prompts, two genders and four racial groups are covered.",
    ),
    kinds=KINDS,
    read=outcomes,
    respond=respond,
    saved=saved_stimuli,
    saved_key=SAVED_KEY,
    settings=Settings,
    configure=configured,
    subject="applications",
    quantities={
        name: ("mean score" if step == _POINTS else f"share {MEASURES[step][1]}")
        for step in STEPS
        for name in _step_measures(step).headline
    },
    wordings=_wordings(),
)
