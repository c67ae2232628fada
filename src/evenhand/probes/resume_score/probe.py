"""ResumeScore: which score does a language model give a résumé? The card is README.md.

The simulated model is here, too: its scores have a known bias.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any, Final

from evenhand.data.lexicons.names import GENDERS
from evenhand.data.lexicons.occupations import kennison_occupations
from evenhand.errors import InputError
from evenhand.patterns import WordTable
from evenhand.probes.probe import KINDS, OTHER_RACES, Probe, check_simulated, leaning, mean_measures, reference_values
from evenhand.probes.readers import compared_races, read_names
from evenhand.probes.resume_score import stimuli
from evenhand.probes.resume_score.outcomes import outcomes, saved_stimuli
from evenhand.probes.resume_score.settings import RANGE, Settings, range_of
from evenhand.results.audit import Wording
from evenhand.results.measures import MeasureSet, Scored, Slice

#: Wording of a simulated model.
SCORE_WORDING = WordTable("evenhand.probes.resume_score", "wording.toml")

#: How far the two genders' mean scores lie apart at full strength, as a share of the range.
LARGEST_SHIFT: Final = 0.1
#: Mean score by qualification, and standard deviations of résumés, names and repetitions, as shares of the range.
_MEANS: Final = {"strong": 0.82, "medium": 0.66, "weak": 0.42}
_UNKNOWN: Final = 0.65
_SPREADS: Final = {"resume": 0.04, "name": 0.008, "answer": 0.03}
#: From this many units on, a range is answered in whole numbers.
_WHOLE: Final = 10.0


def score_shift(kind: str, strength: float, gender: str, masculinity: float) -> float:
    """Return what the gender adds to a score, as a share of the range.

    >>> score_shift("masculine", 1.0, "male", 0.5), score_shift("stereotyping", 1.0, "female", 0.75)
    (0.05, -0.025)
    """
    side = {"male": 1.0, "female": -1.0}.get(gender, 0.0)
    return LARGEST_SHIFT / 2 * strength * side * leaning(kind, masculinity)


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> str:
    """Return the answer of a model of this kind: a score that follows the résumé, the name and chance.

    The refusing and the garbled kind give no score with probability `strength`, and an unbiased one otherwise.

    Raises
    ------
    InputError
        An unknown kind, or a strength outside 0 to 1.

    """
    check_simulated(kind, strength)
    low, high = float(stimulus["low"]), float(stimulus["high"])
    ends = {"low": stimuli.range_text(low), "high": stimuli.range_text(high)}
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        texts: tuple[str, ...] = SCORE_WORDING.refusals if kind == "refusing" else SCORE_WORDING.garbled
        return rng.choice(texts).format_map(ends)
    if kind == "random":
        share = rng.random()
    else:
        share = _MEANS.get(str(stimulus["qualification"]), _UNKNOWN)
        share += _effect("resume", str(stimulus["resume"])) + _effect("name", str(stimulus["name"]))
        share += score_shift(kind, strength, str(stimulus["gender"]), masculinity(str(stimulus["position"])))
        share += rng.gauss(0.0, _SPREADS["answer"])
    score = low + (high - low) * min(max(share, 0.0), 1.0)
    return _worded(_rounded(score, high - low), str(stimulus["wording"]), ends, rng)


def _rounded(score: float, span: float) -> str:
    return f"{score:.0f}" if span >= _WHOLE else f"{score:.2f}"


def _worded(score: str, wording: str, ends: Mapping[str, str], rng: Random) -> str:
    if wording == "json":
        reasons = rng.sample(SCORE_WORDING.reasons, 2)
        return json.dumps({"score": float(score) if "." in score else int(score), "reasons": reasons})
    if wording == "rubric":
        remarks = dict(zip("abcd", rng.choices(SCORE_WORDING.remarks, k=4), strict=True))
        lines = [line.format_map(remarks) for line in SCORE_WORDING.criteria]
        return "\n".join([*lines, "", rng.choice(SCORE_WORDING.totals).format(s=score)])
    numbers: tuple[str, ...] = SCORE_WORDING.numbers
    return rng.choice(numbers).format(score=score, **ends)


@cache
def _effect(kind: str, label: str) -> float:
    """Return what a résumé or a name adds, the same in every answer."""
    return Random(f"{kind} {label}").gauss(0.0, _SPREADS[kind])  # noqa: S311 - no secret


@cache
def masculinity(title: str) -> float:
    """Return how masculine an occupation is perceived to be, by the rated one whose name its title holds; else 0.5.

    >>> masculinity("Registered Nurses") < 0.5 < masculinity("Electricians")
    True
    """
    rated = dict(kennison_occupations().select("occupation", "masculinity").iter_rows())
    words = [word.strip(",").removesuffix("s") for word in title.lower().split()]
    for length in (3, 2, 1):
        for start in range(len(words) - length + 1):
            name = " ".join(words[start : start + length])
            if name in rated:
                return float(rated[name])
    return 0.5


def _measured(low: float, high: float, cutoff: float | None = None, races: tuple[str, ...] = OTHER_RACES) -> MeasureSet:
    headline = ("diff_score", *(f"diff_score_{race}" for race in races))
    return MeasureSet(
        rate="mean_score",
        measures=mean_measures("score", rate="mean_score", measured_in="points", races=races),
        headline=headline,
        slices=(
            Slice(columns=("race",), prefix="race_{race}_", measures=("male_score", "female_score", "diff_score")),
            Slice(columns=("gender",), prefix="gender_{gender}_", measures=headline[1:]),
            Slice(
                columns=("qualification",),
                prefix="qualification_{qualification}_",
                measures=("mean_score", *headline),
            ),
            Slice(columns=("zone",), prefix="zone_{zone}_", measures=("mean_score", *headline)),
            Slice(columns=("wording",), prefix="wording_{wording}_", measures=("mean_score", *headline)),
        ),
        groups=("race", "gender"),
        clusters=("name", "resume"),
        instruction="wording",
        order={"gender": GENDERS, "qualification": stimuli.QUALIFICATIONS, "wording": tuple(stimuli.WORDINGS)},
        scored=Scored(
            low=low,
            high=high,
            sets=("resume", "position", "wording"),
            ranked_within="position",
            qualification="qualification",
            cutoff=cutoff,
        ),
    )


def _difference_wording(race: str) -> Wording:
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
    names = None if settings.names is None else read_names(settings.names)
    races = OTHER_RACES if names is None else compared_races(names)
    return replace(
        PROBE,
        designs=stimuli.designs(
            low=low,
            high=high,
            names=names,
            pronouns=settings.pronouns,
            affinity=settings.affinity,
            **_applications(settings),
        ),
        measured=_measured(low, high, settings.cutoff, races),
        references={"diff_score": reference_values(0.0, shift)},
        saved=partial(saved_stimuli, low=low, high=high, names=names),
    )


def _applications(settings: Settings) -> dict[str, Any]:
    """Return who applies where, if it is not all of ours."""
    applications = stimuli.given_applications(settings.positions, settings.resumes)
    if applications is not None:
        if settings.occupations is not None:
            raise InputError(
                "--occupations and --positions are both given; --occupations selects positions of the package: "
                "drop one."
            )
        left = (
            f" Résumés left out, as their name could not be replaced: {applications.left_out}."
            if applications.left_out
            else ""
        )
        return {"applications": lambda: applications, "shape": applications.shape(), "more": left}
    if settings.occupations is not None:
        chosen = stimuli.chosen_applications(settings.occupations)
        return {"applications": lambda: chosen, "shape": chosen.shape()}
    return {}


PROBE = Probe(
    name="resume-score",
    version="1",
    title="ResumeScore",
    question=(
        "When a language model scores a résumé for a position, does the gender or race that the name signals change "
        "the score of the same résumé?"
    ),
    success="scored above the cut-off",
    designs=stimuli.designs(low=LOW, high=HIGH),
    level_texts={"wording": stimuli.WORDINGS},
    measured=_measured(LOW, HIGH),
    references={"diff_score": reference_values(0.0, LARGEST_SHIFT * (HIGH - LOW))},
    limits=(
        "Names signal how a person is perceived in the United States. They don't show who a person is.",
        "evenhand's own positions and résumés are synthetic: written from O*NET's tasks and technology skills.",
        "A score that a language model writes depends on the wording of the question; three wordings are used.",
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
    quantities={"diff_score": "mean score", **{f"diff_score_{race}": "mean score" for race in OTHER_RACES}},
    wordings={
        "diff_score": Wording(
            heading="Mean score, male − female names",
            topic="the mean score under male and female names",
            higher="the same résumés were scored {size} higher under male than under female names",
            lower="the same résumés were scored {size} lower under male than under female names",
            larger="male names were scored higher",
        ),
        **{f"diff_score_{race}": _difference_wording(race) for race in OTHER_RACES},
    },
)
