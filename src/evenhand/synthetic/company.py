"""The synthetic company: people, positions, pairs, applications and the ground truth.

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
from evenhand.stats import auc
from evenhand.stats.special import expit
from evenhand.synthetic import company_decisions, company_people
from evenhand.synthetic.positions import Draws, wording

_YES: Final = np.array(["no", "yes"])


@dataclass(frozen=True, kw_only=True)
class Company:
    """A synthetic company of a size; its tables and texts are made on request."""

    size: company_people.Size
    people: company_people.People
    positions: company_decisions.Positions
    pairs: company_decisions.Pairs
    decisions: company_decisions.Decisions

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
            title = company_decisions.advertised_title(occupation, level, draws)
            must = tuple(skills[wanted.must[at]])
            nice = tuple(skills[wanted.skills[at] & ~wanted.must[at]])
            years = (int(wanted.low[at]), int(wanted.high[at]))
            location = company_people.PLACE.locations[wanted.location[at]]
            yield {
                "id": _position(at),
                "title": title,
                "text": company_decisions.advertisement(
                    occupation, title=title, location=location, years=years, must=must, nice=nice, draws=draws
                ),
                "skills": [*must, *nice],
                "must": must,
                "nice": nice,
                "years": years,
                "location": location,
                "department": wording().families[path.family].field,
                "level": company_decisions.LEVELS[level],
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
        stages = [self._stage(of_pair, at) for at in range(len(company_decisions.STAGES))]
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
        first, last = at == 0, at == len(company_decisions.STAGES) - 1
        blank = pl.lit(None)
        rows = of_pair.select(
            "person",
            "position",
            pl.lit(company_decisions.STAGES[at]).alias("stage"),
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
    people, positions = company_people.sampled_people(size), company_decisions.sampled_positions(size)
    pairs = company_decisions.sampled_pairs(size, people, positions)
    return Company(
        size=size,
        people=people,
        positions=positions,
        pairs=pairs,
        decisions=company_decisions.sampled_decisions(size, people, pairs),
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
    late = decided.seconds[:, company_decisions.STAGES.index("interviewed")] >= company_decisions.day_of(first) * 86_400
    for at, stage in enumerate(company_decisions.STAGES[:-1]):
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
