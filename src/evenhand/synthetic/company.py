"""The synthetic company: positions, pairs, applications, decisions and the ground truth.

The truth of a pair is how well the person would do, from the facts in the résumé.
As the data are simulated, parameters, injected effects, expected differences and the true AUC are known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from importlib import resources
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.data.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.data.lexicons.occupations import Occupation
from evenhand.stats import auc
from evenhand.stats.special import expit
from evenhand.synthetic import company_people
from evenhand.synthetic.company_people import INJECTED, MODEL, PLACE, People, Size, stream, trades
from evenhand.synthetic.positions import Draws, listed, lower, path_of, present, series, with_article, wording

_TASKS = 4


def advertised_title(occupation: Occupation, level: int, draws: Draws) -> str:
    """Return the title of a position; at a middle level also one of those that O*NET reports."""
    path = path_of(occupation)
    middle = draws.one((path.position, path.position, *occupation.titles[:2]))
    return (path.junior, middle, path.senior)[level]


def advertisement(
    occupation: Occupation,
    *,
    title: str,
    location: str,
    years: tuple[int, int],
    must: tuple[str, ...],
    nice: tuple[str, ...],
    draws: Draws,
) -> str:
    """Return the text of a position."""
    path = path_of(occupation)
    family = wording().families[path.family]
    opening = draws.one(
        (
            f"Our team in {location} is looking for {with_article(title)}.",
            f"We have an open position in {location}: {title}, full-time.",
            f"{title} wanted for a team of {draws.number(4, 12)} in {location}.",
        )
    )
    low, high = years
    requirements = [
        f"{low} to {high} years of experience in {family.field}." if low else f"Up to {high} years of experience.",
        path.qualification + (f" and {lower(path.licence)}" if path.licence else "") + ".",
        f"{draws.one(('You must know', 'Required:', 'Sound knowledge of'))} {series(must)}.",
        f"{draws.one(('Nice to have:', 'Welcome:', 'A plus:'))} {series(nice)}.",
    ]
    heading, bring = draws.one((("What you will do", "What you bring"), ("Your work", "What we ask for")))
    tasks = [f"{present(task)}." for task in draws.some(occupation.tasks, _TASKS)]
    return f"{title}\n\n{opening}\n\n{heading}\n{listed(tasks)}\n\n{bring}\n{listed(requirements)}"


LEVELS = ("junior", "position", "senior")
_TECHNOLOGY, _OTHERS, _MUST = 5, 3, 2


@dataclass(frozen=True, kw_only=True)
class Positions:
    """Positions as columns, a row each: `skills` and those of them that are a `must` as matrices, years from and to."""

    occupation: NDArray[np.int64]
    level: NDArray[np.int64]
    skills: NDArray[np.bool_]
    must: NDArray[np.bool_]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    degree: NDArray[np.int64]
    location: NDArray[np.int64]
    recruiter: NDArray[np.int64]


def sampled_positions(size: Size) -> Positions:
    """Return the positions of a seed, spread over the occupations."""
    rng, n, table = stream(size.seed, "positions"), size.positions, trades()
    rounds = -(-n // len(table.occupations))
    occupation = np.concatenate([rng.permutation(len(table.occupations)) for _ in range(rounds)])[:n]
    level = np.searchsorted([0.3, 0.75], rng.random(n), side="right")
    zone = np.array([trade.zone for trade in table.occupations])[occupation]
    low = np.select([level == 0, level == 1], [rng.integers(0, 2, n), np.maximum(1, zone - 1)], zone + 2)
    drawn = np.where(table.pool[occupation], rng.random((n, len(table.skills))), 2)
    skills = _first(np.where(table.is_technology, drawn, 2), _TECHNOLOGY)
    skills |= _first(np.where(table.is_technology, 2, drawn), _OTHERS)
    return Positions(
        occupation=occupation,
        level=level,
        skills=skills,
        must=_first(np.where(skills, rng.random(drawn.shape), 2), _MUST),
        low=low,
        high=low + np.where(level == 0, 3, 5),
        degree=table.degree[occupation],
        location=rng.integers(len(PLACE.locations), size=n),
        recruiter=rng.integers(PLACE.recruiters, size=n),
    )


def _first(drawn: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Return the places of the smallest numbers of each row; 2 is none."""
    limit = np.partition(drawn, count - 1, axis=1)[:, count - 1 : count]
    return np.asarray((drawn <= limit) & (drawn < 2))


#: How much likelier a position of the person's own occupation and field is than any other.
_OWN, _FIELD, _ANY = 1.0, 0.25, 0.02
_AT_A_TIME = 4096


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs as columns: places of person and position, the parts of the fit, and the fit as log odds."""

    person: NDArray[np.int64]
    position: NDArray[np.int64]
    skills: NDArray[np.float64]
    must: NDArray[np.float64]
    years: NDArray[np.float64]
    title: NDArray[np.float64]
    education: NDArray[np.float64]
    fit: NDArray[np.float64]


def sampled_pairs(size: Size, people: People, positions: Positions) -> Pairs:
    """Return the pairs of a seed: each person applies to about as many positions, mostly in the own field."""
    person, position = _applied(size, people, positions)
    skills, must = np.empty(len(person)), np.empty(len(person))
    for start in range(0, len(person), _AT_A_TIME):
        part = slice(start, start + _AT_A_TIME)
        had, required = people.skills[person[part]], positions.skills[position[part]]
        skills[part] = (had & required).sum(axis=1) / required.sum(axis=1)
        must[part] = ~(positions.must[position[part]] & ~had).any(axis=1)
    table = trades()
    occupation, wanted = people.occupation[person], positions.occupation[position]
    required_years = np.maximum(positions.low[position], 1)
    years = np.minimum(people.months[person] / 12 / required_years, 1)
    near = np.where(table.field[occupation] == table.field[wanted], MODEL.same_field, 0)
    title = np.where(occupation == wanted, 1.0, near)
    education = (people.degree[person] >= positions.degree[position]).astype(np.float64)
    score = skills * MODEL.skills + must * MODEL.must + years * MODEL.years
    fit = MODEL.constant + score + title * MODEL.title + education * MODEL.education
    return Pairs(
        person=person,
        position=position,
        skills=skills,
        must=must,
        years=years,
        title=title,
        education=education,
        fit=fit,
    )


def _applied(size: Size, people: People, positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of persons and positions, drawn without replacement by how near their occupations are."""
    rng, table = stream(size.seed, "pairs"), trades()
    wanted = positions.occupation
    near = np.where(table.field[:, None] == table.field[wanted], _FIELD, _ANY)
    near[np.arange(len(table.field))[:, None] == wanted] = _OWN
    wait = (1 / near).astype(np.float32)
    least, more = divmod(size.pairs, size.people)
    applications = []
    for start in range(0, size.people, _AT_A_TIME):
        occupation = people.occupation[start : start + _AT_A_TIME]
        # The shortest waiting time is first: waiting times are exponential, with the weights as rates.
        waited = wait[occupation] * rng.standard_exponential((len(occupation), size.positions), np.float32)
        order = np.argsort(waited, axis=1, kind="stable")[:, : least + 1]
        rank = np.arange(order.shape[1])
        number = start + np.arange(len(occupation))
        selected = rank[None, :] < (least + (number < more))[:, None]
        applications.append((np.broadcast_to(number[:, None], order.shape)[selected], order[selected]))
    return tuple(np.concatenate(part) for part in zip(*applications, strict=True))  # type: ignore[return-value]


STAGES = ("applied", "screened", "interviewed", "offered", "hired")
#: Days from one stage to the next, from and to; the first is after the person's first application.
_DAYS = ((0, 30), (2, 8), (7, 15), (3, 8), (7, 22))


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Per pair: scores, whether it performed well; per pair and stage: time, chance, selected, whether it got there.

    `chance` is the probability of being passed on at the stage as it was drawn, `without` the one it would have been
    without what was injected. Times are in seconds from the first day.
    """

    score: NDArray[np.float64]
    previous: NDArray[np.float64]
    latency: NDArray[np.int64]
    by_ai: NDArray[np.bool_]
    performed: NDArray[np.bool_]
    seconds: NDArray[np.int64]
    chance: NDArray[np.float64]
    without: NDArray[np.float64]
    selected: NDArray[np.bool_]
    reached: NDArray[np.bool_]


def day_of(day: date) -> int:
    """Return the number of days since the first."""
    return (day - PLACE.first_day).days


def sampled_decisions(size: Size, people: People, pairs: Pairs) -> Decisions:
    """Return the decision about each pair at each stage, also at those that it did not reach."""
    rng, n = stream(size.seed, "decisions"), len(pairs.person)
    seconds = _times(rng, people.day[pairs.person])
    day = seconds // 86_400
    broken = (people.break_months > 0)[pairs.person]
    by_ai = rng.random(n) < MODEL.by_ai
    stepped = np.where(day[:, 0] >= day_of(INJECTED.step_day), INJECTED.step, 0)
    noise, other = rng.logistic(scale=MODEL.noise, size=(2, n))
    seen = pairs.fit + stepped * by_ai
    score = expit(pairs.fit + INJECTED.break_effect * broken + stepped + noise).round(4)
    drift = INJECTED.drift_per_day * np.maximum(day[:, 0] - day_of(INJECTED.drift_since), 0)
    previous = expit(pairs.fit + drift + rng.logistic(scale=MODEL.noise, size=n)).round(4)
    of_race = (people.race == RACES.index(INJECTED.interview_race))[pairs.person]
    disfavoured = of_race & (day[:, STAGES.index("interviewed")] >= day_of(INJECTED.interview_since))
    fits = expit(pairs.fit)
    limit = np.log(MODEL.cutoff / (1 - MODEL.cutoff))
    without = np.column_stack(
        [
            expit((seen - limit) / MODEL.noise),
            *(base + more * fits for base, more in (MODEL.screened, MODEL.interviewed)),
            np.full(n, MODEL.offered),
            np.ones(n),
        ]
    )
    chance = without.copy()
    chance[:, 0] = expit((seen + INJECTED.break_effect * broken - limit) / MODEL.noise)
    chance[:, 2] += INJECTED.interview_effect * disfavoured
    selected = rng.random(chance.shape) < chance
    by_person = pairs.fit + INJECTED.break_effect * broken + other >= limit
    selected[:, 0] = np.where(by_ai, score >= MODEL.cutoff, by_person)
    reached = np.column_stack([np.ones(n, dtype=bool), np.logical_and.accumulate(selected[:, :-1], axis=1)])
    return Decisions(
        score=score,
        previous=previous,
        latency=np.rint(rng.lognormal(5.2, 0.35, n)).astype(np.int64),
        by_ai=by_ai,
        performed=rng.random(n) < fits,
        seconds=seconds,
        chance=chance,
        without=without,
        selected=selected,
        reached=reached,
    )


def _times(rng: np.random.Generator, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the times of each stage, in working hours, each later than the one before."""
    days = np.column_stack([rng.integers(low, high, size=len(first)) for low, high in _DAYS]).cumsum(axis=1)
    within = rng.integers(8 * 3600, 18 * 3600, size=days.shape)
    return np.asarray((first[:, None] + days) * 86_400 + within)


_YES: Final = np.array(["no", "yes"])


@dataclass(frozen=True, kw_only=True)
class Company:
    """A synthetic company of a size; its tables and texts are made on request."""

    size: company_people.Size
    people: company_people.People
    positions: Positions
    pairs: Pairs
    decisions: Decisions

    def people_rows(self) -> Iterator[dict[str, Any]]:
        """Yield people with their résumés."""
        trades, people, names = company_people.trades(), self.people, self._names()
        technology = trades.is_technology
        skills = np.array(trades.skills, dtype=object)
        first = company_people.PLACE.first_day.year * 12 + company_people.PLACE.first_day.month - 1
        for at, name in enumerate(names):
            had = people.skills[at]
            facts = company_people.ResumeFacts(
                key=f"{self.size.seed} {_person(at)}",
                name=name,
                gender=GENDERS[people.gender[at]],
                race=RACES[people.race[at]],
                occupation=trades.occupations[people.occupation[at]],
                months=int(people.months[at]),
                break_months=int(people.break_months[at]),
                qualified=bool(people.qualified[at]),
                technology=tuple(skills[had & technology]),
                others=tuple(skills[had & ~technology]),
                month=first + int(people.day[at] / 30.4375),
            )
            yield {
                "id": _person(at),
                "text": company_people.resume_of(facts),
                "known_names": [name],
                "gender": facts.gender,
                "race": facts.race,
            }

    def position_rows(self) -> Iterator[dict[str, Any]]:
        """Yield positions with their advertisements."""
        trades, wanted = company_people.trades(), self.positions
        skills = np.array(trades.skills, dtype=object)
        for at, (place, level) in enumerate(zip(wanted.occupation, wanted.level, strict=True)):
            occupation, path = trades.occupations[place], trades.paths[place]
            draws = Draws(f"{self.size.seed} {_position(at)}")
            title = advertised_title(occupation, level, draws)
            must = tuple(skills[wanted.must[at]])
            nice = tuple(skills[wanted.skills[at] & ~wanted.must[at]])
            years = (int(wanted.low[at]), int(wanted.high[at]))
            location = company_people.PLACE.locations[wanted.location[at]]
            yield {
                "id": _position(at),
                "title": title,
                "text": advertisement(
                    occupation, title=title, location=location, years=years, must=must, nice=nice, draws=draws
                ),
                "skills": [*must, *nice],
                "must": must,
                "nice": nice,
                "years": years,
                "location": location,
                "department": wording().families[path.family].field,
                "level": LEVELS[level],
                "recruiter": f"R{wanted.recruiter[at] + 1}",
                "occupation": occupation.code,
            }

    def pair_table(self) -> pl.DataFrame:
        """Return one row per pair: times, decisions, outcomes and scores."""
        decided = self.decisions
        return pl.DataFrame(
            {
                **self._ids(),
                "time": _instants(decided.seconds[:, 0]),
                "advanced": _YES[decided.selected[:, 0].astype(int)],
                "performed_well": _YES[decided.performed.astype(int)],
                "score": decided.score,
                "score_previous": decided.previous,
                **self.groups(),
                "department": self.departments(),
            }
        )

    def application_table(self) -> pl.DataFrame:
        """Return a row per pair and stage that was reached, in the order of time."""
        decided, positions = self.decisions, self.positions
        of_pair = pl.DataFrame(
            {
                **self._ids(),
                "score": decided.score,
                "score_previous": decided.previous,
                "latency_ms": decided.latency,
                "by_ai": decided.by_ai,
                "performed_well": _YES[decided.performed.astype(int)],
                **self.groups(),
                "department": self.departments(),
                "location": np.array(company_people.PLACE.locations)[positions.location[self.pairs.position]],
                "recruiter": np.array([f"R{n + 1}" for n in range(company_people.PLACE.recruiters)])[
                    positions.recruiter[self.pairs.position]
                ],
            }
        )
        stages = [self._stage(of_pair, at) for at in range(len(STAGES))]
        return pl.concat(stages).sort("time", "person", "position", maintain_order=True)

    def truth_table(self) -> pl.DataFrame:
        """Return one row per pair: the parts of the fit, the true score, and the career break."""
        pairs = self.pairs
        return pl.DataFrame(
            {
                **self._ids(),
                "skills_share": pairs.skills,
                "must_met": pairs.must,
                "years_share": pairs.years,
                "title_similarity": pairs.title,
                "education_met": pairs.education,
                "fit": pairs.fit,
                "true_score": expit(pairs.fit),
                "career_break_months": self.people.break_months[pairs.person],
                "chance_advanced": self.decisions.chance[:, 0],
                "chance_offer": self.decisions.chance[:, 2],
                **self.groups(),
            }
        )

    def _ids(self) -> dict[str, Any]:
        return {
            "person": np.array([_person(at) for at in range(self.size.people)])[self.pairs.person],
            "position": np.array([_position(at) for at in range(self.size.positions)])[self.pairs.position],
        }

    def groups(self) -> Mapping[str, NDArray[np.str_]]:
        """Return the gender and the race of each pair's person."""
        person = self.pairs.person
        return {
            "gender": np.array(GENDERS)[self.people.gender[person]],
            "race": np.array(RACES)[self.people.race[person]],
        }

    def departments(self) -> NDArray[np.str_]:
        """Return the department of each pair's position."""
        fields = np.array([wording().families[path.family].field for path in company_people.trades().paths])
        return np.asarray(fields[self.positions.occupation[self.pairs.position]])

    def _stage(self, of_pair: pl.DataFrame, at: int) -> pl.DataFrame:
        """Return the rows of a stage: the model works at the first, and the outcome is known at the last."""
        decided = self.decisions
        first, last = at == 0, at == len(STAGES) - 1
        blank = pl.lit(None)
        rows = of_pair.select(
            "person",
            "position",
            pl.lit(STAGES[at]).alias("stage"),
            pl.Series("time", _instants(decided.seconds[:, at])),
            pl.Series("day", _instants(decided.seconds[:, at]).str.head(10)),
            pl.Series("selected", _YES[decided.selected[:, at].astype(int)]),
            pl.when(pl.col("by_ai") & first).then(pl.lit("ai")).otherwise(pl.lit("person")).alias("decided_by"),
            *((pl.col(name) if first else blank.cast(pl.Float64).alias(name)) for name in ("score", "score_previous")),
            pl.when(pl.lit(first)).then("latency_ms").alias("latency_ms"),
            pl.when(pl.lit(last)).then("performed_well").alias("performed_well"),
            "gender",
            "race",
            "department",
            "location",
            "recruiter",
        )
        return rows.filter(pl.Series(decided.reached[:, at]))

    def _names(self) -> list[str]:
        """Return a first and a last name for each person, both of names that signal the person's groups."""
        rng = company_people.stream(self.size.seed, "people").spawn(1)[0]
        drawn = rng.integers(100, size=(self.size.people, 2))
        cells = {
            key: [name.split(" ", 1) for name in rows["name"]]
            for key, rows in bloomberg_names().partition_by("gender", "race", as_dict=True).items()
        }
        pools = [
            cells[GENDERS[gender], RACES[race]]
            for gender, race in zip(self.people.gender, self.people.race, strict=True)
        ]
        return [
            f"{names[first % len(names)][0]} {names[second % len(names)][1]}"
            for names, (first, second) in zip(pools, drawn, strict=True)
        ]


def synthetic_company(size: company_people.Size) -> Company:
    """Return the company of a size and seed: the same one, always.

    >>> company = synthetic_company(company_people.Size(people=40, positions=10, pairs=80, seed=1))
    >>> company.pair_table().height, next(company.position_rows())["id"]
    (80, 'J00001')
    """
    people, positions = company_people.sampled_people(size), sampled_positions(size)
    pairs = sampled_pairs(size, people, positions)
    return Company(
        size=size,
        people=people,
        positions=positions,
        pairs=pairs,
        decisions=sampled_decisions(size, people, pairs),
    )


def _person(at: int) -> str:
    return f"P{at + 1:06}"


def _position(at: int) -> str:
    return f"J{at + 1:05}"


def _instants(seconds: NDArray[np.int64]) -> pl.Series:
    """Return times in UTC as text, 2024-01-01T09:30:00Z."""
    first = np.datetime64(company_people.PLACE.first_day, "ms")
    return pl.Series(first + 1000 * seconds.astype("timedelta64[ms]")).dt.strftime("%Y-%m-%dT%H:%M:%SZ")


SCHEMA: Final = "evenhand.company/1"
_LABELS: Final = {"gender": GENDERS, "race": RACES}
_REFERENCE: Final = {"gender": "male", "race": "white"}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How much likelier a group is passed on at a stage than the reference group, as a share; None: one is empty.

    `expected` is the difference of the mean chances of those who got there, `injected` the part of it that would not
    be there without what was injected at this stage; `since` is the first day that is looked at, None for all.
    """

    stage: str
    attribute: str
    focal: str
    reference: str
    since: date | None
    n_focal: int
    n_reference: int
    expected: float | None
    injected: float | None


def description(company: Company) -> dict[str, Any]:
    """Return company.json: the parameters of the draw and its ground truth."""
    return {
        "schema": SCHEMA,
        "synthetic": True,
        "size": asdict(company.size),
        "place": asdict(company_people.PLACE),
        "truth": asdict(company_people.MODEL),
        "injected": asdict(company_people.INJECTED),
        "career_breaks": _breaks(company),
        "differences": [asdict(difference) for difference in _differences(company)],
        "true_score_auc": _aucs(company),
    }


def injected(company: Company) -> tuple[Difference, Difference]:
    """Return the two that were injected: of women when applications are read, of one race at the interview."""
    differences = {(entry.stage, entry.focal, entry.since): entry for entry in _differences(company)}
    return (
        differences["applied", "female", None],
        differences["interviewed", company_people.INJECTED.interview_race, company_people.INJECTED.interview_since],
    )


def readme(company: Company) -> str:
    """Return README.md: every file and column, and the injected effects with the sizes of this draw."""
    template = (resources.files("evenhand.synthetic") / "company_readme.md").read_text("utf-8")
    size, auc = company.size, _aucs(company)
    applied, interview = injected(company)
    return template.format(
        people=f"{size.people:,}",
        positions=f"{size.positions:,}",
        pairs=f"{size.pairs:,}",
        command=f"--people {size.people} --positions {size.positions} --pairs {size.pairs} --seed {size.seed}",
        departments=", ".join(sorted(set(company.departments()))),
        breaks={label: "none drawn" if share is None else f"{share:.1%}" for label, share in _breaks(company).items()},
        injected=company_people.INJECTED,
        truth=company_people.MODEL,
        share=company_people.INJECTED.break_share,
        interview_points=-100 * company_people.INJECTED.interview_effect,
        applied=points(applied.injected),
        applied_expected=points(applied.expected),
        interview=points(interview.injected),
        interview_expected=points(interview.expected),
        auc_performed=_range(auc["performed_well"]),
        auc_advanced=_range(auc["advanced"]),
    )


def points(share: float | None) -> str:
    """Return a difference of shares in percentage points.

    >>> points(-0.076), points(None)
    ('−7.6 percentage points', 'not defined (a group is empty)')
    """
    if share is None:
        return "not defined (a group is empty)"
    return f"{100 * share:+.1f} percentage points".replace("-", "−")


def _range(auc: dict[str, Any]) -> str:
    """Return the AUC of all, and the smallest and largest of a group."""
    values = [value for name in ("gender", "race") for value in auc[name].values() if value is not None]
    if auc["all"] is None or not values:
        return "not defined, as all have one label"
    return f"{auc['all']:.3f} (of groups {min(values):.3f} to {max(values):.3f})"


def _breaks(company: Company) -> dict[str, float | None]:
    """Return the share of people with a career break, by gender."""
    broken = company.people.break_months > 0
    return {label: _mean(broken, company.people.gender == at) for at, label in enumerate(GENDERS)}


def _differences(company: Company) -> Iterator[Difference]:
    """Yield the difference of each group at each stage."""
    decided, first = company.decisions, company_people.INJECTED.interview_since
    late = decided.seconds[:, STAGES.index("interviewed")] >= day_of(first) * 86_400
    for at, stage in enumerate(STAGES[:-1]):
        chance, without = decided.chance[:, at], decided.without[:, at]
        for attribute, of in company.groups().items():
            reference = _REFERENCE[attribute]
            for focal in _LABELS[attribute]:
                for since in (None, first) if stage == "interviewed" else (None,):
                    present = decided.reached[:, at] & (late if since else True)
                    rows = present & (of == focal), present & (of == reference)
                    if focal != reference:
                        yield Difference(
                            stage=stage,
                            attribute=attribute,
                            focal=focal,
                            reference=reference,
                            since=since,
                            n_focal=int(rows[0].sum()),
                            n_reference=int(rows[1].sum()),
                            expected=_difference(chance, *rows),
                            injected=_difference(chance - without, *rows),
                        )


def _difference(values: NDArray[Any], group_rows: NDArray[np.bool_], others: NDArray[np.bool_]) -> float | None:
    """Return the difference of two groups' means, None where one is empty."""
    means = _mean(values, group_rows), _mean(values, others)
    return None if means[0] is None or means[1] is None else means[0] - means[1]


def _mean(values: NDArray[Any], rows: NDArray[np.bool_]) -> float | None:
    return float(values[rows].mean()) if rows.any() else None


def _aucs(company: Company) -> dict[str, dict[str, Any]]:
    """Return the AUC of the true score for each label, over all pairs and by group."""
    truth, groups = expit(company.pairs.fit), company.groups()
    labels = {"performed_well": company.decisions.performed, "advanced": company.decisions.selected[:, 0]}
    return {
        name: {
            "all": auc(truth, label).estimate,
            **{
                attribute: {group: auc(truth[of == group], label[of == group]).estimate for group in _LABELS[attribute]}
                for attribute, of in groups.items()
            },
        }
        for name, label in labels.items()
    }
