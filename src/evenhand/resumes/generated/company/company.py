"""The whole company: people, positions, pairs, applications, and what is true of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.resumes.generated.company.advertised import advertised_title, advertisement
from evenhand.resumes.generated.company.decisions import STAGES, Decisions, drawn_decisions
from evenhand.resumes.generated.company.fit import Pairs, drawn_pairs
from evenhand.resumes.generated.company.parameters import PLACE, Size, stream
from evenhand.resumes.generated.company.people import People, drawn_people
from evenhand.resumes.generated.company.positions import LEVELS, Positions, drawn_positions
from evenhand.resumes.generated.company.told import Told, resume_of
from evenhand.resumes.generated.company.trades import trades
from evenhand.resumes.generated.wording import Draws, wording
from evenhand.stats.special import expit

__all__ = ["Company", "synthetic_company"]

_YES: Final = np.array(["no", "yes"])


@dataclass(frozen=True, kw_only=True)
class Company:
    """A synthetic company of a size; its tables and texts are made when they are asked for."""

    size: Size
    people: People
    positions: Positions
    pairs: Pairs
    decisions: Decisions

    def people_rows(self) -> Iterator[dict[str, Any]]:
        """Yield people with their résumés."""
        of, people, names = trades(), self.people, self._names()
        technology = of.is_technology
        skills = np.array(of.skills, dtype=object)
        first = PLACE.first_day.year * 12 + PLACE.first_day.month - 1
        for at, name in enumerate(names):
            had = people.skills[at]
            told = Told(
                key=f"{self.size.seed} {_person(at)}",
                name=name,
                gender=GENDERS[people.gender[at]],
                race=RACES[people.race[at]],
                occupation=of.occupations[people.occupation[at]],
                months=int(people.months[at]),
                break_months=int(people.break_months[at]),
                qualified=bool(people.qualified[at]),
                technology=tuple(skills[had & technology]),
                others=tuple(skills[had & ~technology]),
                month=first + int(people.day[at] / 30.4375),
            )
            yield {
                "id": _person(at),
                "text": resume_of(told),
                "known_names": [name],
                "gender": told.gender,
                "race": told.race,
            }

    def position_rows(self) -> Iterator[dict[str, Any]]:
        """Yield positions with their advertisements."""
        of, wanted = trades(), self.positions
        skills = np.array(of.skills, dtype=object)
        for at, (place, level) in enumerate(zip(wanted.occupation, wanted.level, strict=True)):
            occupation, path = of.occupations[place], of.paths[place]
            draws = Draws(f"{self.size.seed} {_position(at)}")
            title = advertised_title(occupation, level, draws)
            must = tuple(skills[wanted.must[at]])
            nice = tuple(skills[wanted.skills[at] & ~wanted.must[at]])
            years = (int(wanted.low[at]), int(wanted.high[at]))
            location = PLACE.locations[wanted.location[at]]
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
        """Return a row per pair: when they applied, what was decided and came of it, and the scores."""
        decided = self.decisions
        return pl.DataFrame(
            {
                **self._ids(),
                "time": _instants(decided.seconds[:, 0]),
                "advanced": _YES[decided.selected[:, 0].astype(int)],
                "performed_well": _YES[decided.performed.astype(int)],
                "score": decided.score,
                "score_previous": decided.previous,
                **self._groups(),
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
                **self._groups(),
                "department": self.departments(),
                "location": np.array(PLACE.locations)[positions.location[self.pairs.position]],
                "recruiter": np.array([f"R{n + 1}" for n in range(PLACE.recruiters)])[
                    positions.recruiter[self.pairs.position]
                ],
            }
        )
        stages = [self._stage(of_pair, at) for at in range(len(STAGES))]
        return pl.concat(stages).sort("time", "person", "position", maintain_order=True)

    def truth_table(self) -> pl.DataFrame:
        """Return a row per pair: what the fit is made of, the true score, and the career break."""
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
                **self._groups(),
            }
        )

    def _ids(self) -> dict[str, Any]:
        return {
            "person": np.array([_person(at) for at in range(self.size.people)])[self.pairs.person],
            "position": np.array([_position(at) for at in range(self.size.positions)])[self.pairs.position],
        }

    def _groups(self) -> Mapping[str, NDArray[np.str_]]:
        person = self.pairs.person
        return {
            "gender": np.array(GENDERS)[self.people.gender[person]],
            "race": np.array(RACES)[self.people.race[person]],
        }

    def departments(self) -> NDArray[np.str_]:
        """Return the department of each pair's position."""
        fields = np.array([wording().families[path.family].field for path in trades().paths])
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
        rng = stream(self.size.seed, "people").spawn(1)[0]
        drawn = rng.integers(100, size=(self.size.people, 2))
        cells = {
            key: [name.split(" ", 1) for name in rows["name"]]
            for key, rows in bloomberg_names().partition_by("gender", "race", as_dict=True).items()
        }
        of = [
            cells[GENDERS[gender], RACES[race]]
            for gender, race in zip(self.people.gender, self.people.race, strict=True)
        ]
        return [
            f"{names[one % len(names)][0]} {names[two % len(names)][1]}"
            for names, (one, two) in zip(of, drawn, strict=True)
        ]


def synthetic_company(size: Size) -> Company:
    """Return the company of a size and seed: the same one, always.

    >>> company = synthetic_company(Size(people=40, positions=10, pairs=80, seed=1))
    >>> company.pair_table().height, next(company.position_rows())["id"]
    (80, 'J00001')
    """
    people, positions = drawn_people(size), drawn_positions(size)
    pairs = drawn_pairs(size, people, positions)
    return Company(
        size=size,
        people=people,
        positions=positions,
        pairs=pairs,
        decisions=drawn_decisions(size, people, pairs),
    )


def _person(at: int) -> str:
    return f"P{at + 1:06}"


def _position(at: int) -> str:
    return f"J{at + 1:05}"


def _instants(seconds: NDArray[np.int64]) -> pl.Series:
    """Return times in UTC as text, 2024-01-01T09:30:00Z."""
    first = np.datetime64(PLACE.first_day, "ms")
    return pl.Series(first + 1000 * seconds.astype("timedelta64[ms]")).dt.strftime("%Y-%m-%dT%H:%M:%SZ")
