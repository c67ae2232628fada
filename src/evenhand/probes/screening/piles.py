"""The piles of screening, and its prompts: balanced names, steps, arms, and a user's design.

A block is one pile of applications in one order, shown once for each group of names. From one pile of the block to the
next, the groups move one place along the applications: so in each block every application stands at the same place
under every group once, and what differs between groups in a block is no application's quality or place. Neighbours
change from block to block, as the order of the groups does.

A prompt's index is a number in mixed radix: block, pile of the block, request (an arm, a step, who is shown), the last
running fastest. All steps are put to the whole pile. Steps behind the shortlist are also put to those whom the model
itself shortlisted, with its own answers so far; these requests are rounds, each built from the answers before it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.data.toml_files import TomlFile, read_toml
from evenhand.masking.mask import mask_text
from evenhand.patterns import WordTable
from evenhand.probes.probe import Design, Texts
from evenhand.probes.resume_score.stimuli import builtin_names
from evenhand.probes.screening.reading import Reading, read
from evenhand.probes.screening.settings import PILES, STEPS
from evenhand.results.messages import listed, quoted
from evenhand.synthetic.own_name import full_name
from evenhand.synthetic.templates import Template

WORDING = WordTable("evenhand.probes.screening", "wording.toml")

#: How well an application fits, the best first, and the value that scores are regressed on.
QUALITIES: Final = {"clear": 1.0, "borderline": 0.5, "none": 0.0}
#: Who is shown: the whole pile, or those whom the model itself shortlisted.
PILE, SURVIVORS = "pile", "survivors"
PLAIN, INSTRUCTED, MASKED = "plain", "instructed", "masked"
#: Orders of the applications for each position.
ORDERS: Final = 24
#: Keeps the draw of orders apart from others.
_STREAM: Final = 0x50494C45


@dataclass(frozen=True, kw_only=True)
class Position:
    """A position and its advertisement."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Application:
    """A résumé, perhaps with a cover letter; `{name}` stands for the name; `quality` is None where nobody stated it.

    A `template` takes the place of the texts; pronouns in it follow the name.
    """

    id: str
    text: str
    quality: str | None = None
    cover_letter: str = ""
    template: Template | None = None

    def filled(self, name: str, gender: str) -> str:
        """Return the texts under a name."""
        if self.template is not None:
            return self.template.filled(full_name(name), gender=gender, lines={})
        letter = f"\n\nCover letter:\n{self.cover_letter.strip()}" if self.cover_letter else ""
        return (self.text.strip() + letter).replace("{name}", name)

    @property
    def shows_name(self) -> bool:
        """Say whether the name stands in the texts, so that no line above them has to."""
        return self.template is not None or "{name}" in self.text + self.cover_letter


class Request(NamedTuple):
    """One of the prompts about a pile: its arm, its step, who is shown, and its round."""

    arm: str
    step: str
    shown: str
    round: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """Positions with their applications, and how they are asked about."""

    positions: tuple[Position, ...]
    applications: tuple[tuple[Application, ...], ...]
    pile: int = 8
    steps: tuple[str, ...] = STEPS
    system: str = ""
    rule: str = ""
    asks: Mapping[str, str] = field(default_factory=dict)
    arms: tuple[str, ...] = (PLAIN,)
    structured: bool = False
    people: Callable[[], pl.DataFrame] = builtin_names
    note: str = ""

    @cached_property
    def requests(self) -> tuple[Request, ...]:
        """Return the prompts about a pile."""
        later = self.steps[1:] if self.steps[0] == STEPS[0] else ()
        return tuple(
            request
            for arm in self.arms
            for request in (
                *(Request(arm, step, PILE, 0) for step in self.steps),
                *(Request(arm, step, SURVIVORS, place) for place, step in enumerate(later, 1)),
            )
        )

    @cached_property
    def groups(self) -> int:
        """Return how many groups the names are of."""
        return self.people().select("gender", "race").n_unique()

    def design(self) -> Design:
        """Return the design of all prompts."""
        per_block = self.groups * len(self.requests)
        return Design(
            name="piles",
            size=len(self.positions) * ORDERS * per_block,
            block=per_block,
            stimuli=self.stimuli,
            note=(
                f"Each pile has {self.pile} applications. In a block of {self.groups} piles each application stands at "
                f"the same place under a name of each of the {self.groups} groups once. All steps "
                f"({', '.join(self.steps)}) are put to the whole pile, and those behind the shortlist also to whom the "
                f"model itself shortlisted.{self.note}"
            ),
            rounds=1 + max(number for *_, number in self.requests),
            follow=self.follow,
        )

    def stimuli(self, indices: NDArray[np.int64]) -> pl.DataFrame:
        """Return the stimuli at `indices`, in their order; later rounds as if all were shortlisted."""
        rows = [self._row(int(index)) for index in indices]
        return pl.DataFrame(rows, schema_overrides=_TYPED, infer_schema_length=None)

    def _row(self, index: int) -> dict[str, Any]:
        pile, request = divmod(index, len(self.requests))
        block, turn = divmod(pile, self.groups)
        asked = self.requests[request]
        position, candidates = self._candidates(block, turn)
        system = "\n\n".join(filter(None, [self.system, WORDING.instruction[0] if asked.arm == INSTRUCTED else ""]))
        return {
            "index": index,
            "item": str(pile),
            "unit": str(index),
            "pair": None,
            **asked._asdict(),
            "block": str(block),
            "position": position.title,
            "quality": " ".join(one["quality"] or "unknown" for one in candidates),
            "lineup": " | ".join(f"{one['resume']}: {one['name']}" for one in candidates),
            "candidates": candidates,
            "offered": " ".join(_named(candidates)),
            "system": system,
            "prompt": self._prompt(position, candidates, asked),
            **({"schema": schema_of(asked.step, _named(candidates))} if self.structured else {}),
        }

    def _candidates(self, block: int, turn: int) -> tuple[Position, list[dict[str, Any]]]:
        """Return the position of a block, and the candidates in one of its piles."""
        place, order = block % len(self.positions), block // len(self.positions)
        rng = np.random.default_rng([_STREAM, place, order])
        chosen = _mixed(self.applications[place], self.pile, rng)
        groups, names = rng.permutation(self.groups), self._names
        rounds = len(names) // self.groups
        candidates = []
        for slot, application in enumerate(chosen):
            copy, group = divmod(slot + turn, self.groups)
            # Of one group the names in a pile are different, and from pile to pile they go round.
            who = names[(block * 3 + turn + copy) % rounds * self.groups + int(groups[group])]
            candidates.append(
                {"number": str(slot + 1), **who, "resume": application.id, "quality": application.quality}
            )
        return self.positions[place], candidates

    @cached_property
    def _names(self) -> list[dict[str, str]]:
        return self.people().select("name", "gender", "race").to_dicts()

    @cached_property
    def _texts(self) -> dict[str, Application]:
        return {one.id: one for of_position in self.applications for one in of_position}

    def _prompt(self, position: Position, shown: Sequence[Mapping[str, Any]], request: Request, *earlier: str) -> str:
        """Return the prompt of a request about some candidates; `earlier` are the model's own answers so far."""
        head = WORDING.head[0].format(
            title=position.title, text=position.text.strip(), rule=self.rule or WORDING.rule[0]
        )
        filled = self._masked if request.arm == MASKED else self._filled
        people = [filled(one["number"], one["resume"], one["name"], one["gender"]) for one in shown]
        before = [WORDING.earlier[0] + "\n\n".join(earlier)] if earlier else []
        ask = self.asks.get(request.step) or WORDING.asks[request.step]
        return "\n\n".join([head + "\n\n---\n\n".join(people), *before, ask])

    @lru_cache(maxsize=50_000)  # noqa: B019 - as long as its layout
    def _filled(self, number: str, resume: str, name: str, gender: str) -> str:
        application = self._texts[resume]
        head = f"Candidate {number}{'' if application.shows_name else f': {name}'}"
        return f"{head}\n{application.filled(name, gender)}"

    @lru_cache(maxsize=50_000)  # noqa: B019 - as long as its layout
    def _masked(self, number: str, resume: str, name: str, gender: str) -> str:
        return f"Candidate {number}\n{mask_text(self._texts[resume].filled(name, gender), known_names=[name]).text}"

    def follow(self, rows: pl.DataFrame, texts: Texts) -> pl.DataFrame:
        """Return the rows that can be asked, those of later rounds with whom the model shortlisted and its answers."""
        kept, changed = list[int](), list[tuple[str | None, ...]]()
        for place, (index, attempt) in enumerate(rows.select("index", "attempt").iter_rows()):
            if self.requests[index % len(self.requests)].round == 0:
                kept.append(place)
                changed.append((None,) * 3)
            elif (built := self._followed(index, attempt, texts)) is not None:
                kept.append(place)
                changed.append(built)
        columns = ("offered", "prompt", "schema")
        built_rows = pl.DataFrame(changed, schema=dict.fromkeys(columns, pl.String()), orient="row")
        rows = rows[kept]
        return rows.with_columns(
            pl.coalesce(built_rows[name], rows[name]).alias(name) for name in columns if name in rows.columns
        )

    def _followed(self, index: int, attempt: int, texts: Texts) -> tuple[str, str, str] | None:
        """Return who is shown in a later round, prompt and schema; None where an answer is lacking, or nobody."""
        pile, request = divmod(index, len(self.requests))
        asked = self.requests[request]
        first = self.requests.index(Request(asked.arm, STEPS[0], PILE, 0))
        before = [first, *range(request - asked.round + 1, request)]
        earlier = [texts.get((pile * len(self.requests) + place, attempt)) for place in before]
        if None in earlier:
            return None
        answers = [text for text in earlier if text is not None]
        position, candidates = self._candidates(*divmod(pile, self.groups))
        selected = reading_of(STEPS[0], answers[0], tuple(_named(candidates).items())).selected
        shown = [one for one in candidates if one["number"] in selected]
        if not shown:
            return None
        numbers = _named(shown)
        return " ".join(numbers), self._prompt(position, shown, asked, *answers), schema_of(asked.step, numbers)


_CANDIDATE: Final = dict.fromkeys(("number", "name", "gender", "race", "resume", "quality"), pl.String())


#: Types of stimuli that don't follow from a few rows.
_TYPED: Final = {"pair": pl.String(), "candidates": pl.List(pl.Struct(_CANDIDATE))}


#: What an answer says of each candidate, as JSON schemas.
_TEXT: Final = {"type": "string"}
_FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "shortlist": {"reason": _TEXT},
    "questions": {"questions": {"type": "array", "items": _TEXT}},
    "scores": {"score": {"type": "number"}},
    "decision": {"decision": {"type": "string", "enum": ["offer", "rejection"]}, "email": _TEXT},
}


def schema_of(step: str, numbers: Iterable[str]) -> str:
    """Return the JSON schema of an answer to a step: a list with an object for each candidate, as strict modes take it.

    >>> '"enum":["2","5"]' in schema_of("scores", ["2", "5"])
    True
    """
    row = _closed({"candidate": {"type": "string", "enum": list(numbers)}, **_FIELDS[step]})
    return orjson.dumps(_closed({step: {"type": "array", "items": row}})).decode()


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _named(candidates: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {one["number"]: one["name"] for one in candidates}


@lru_cache(maxsize=50_000)
def reading_of(step: str, text: str, names: tuple[tuple[str, str], ...]) -> Reading:
    """Return what an answer says of those who were shown, by number and name; it is read once."""
    return read(step, text, [number for number, _ in names], dict(names))


def _mixed(applications: Sequence[Application], size: int, rng: np.random.Generator) -> list[Application]:
    """Return applications in a random order, of each quality about as many; where there are too few, they come again.

    An application that is there twice has another name each time.
    """
    shuffled = [applications[place] for place in rng.permutation(len(applications))]
    by_quality = [[one for one in shuffled if one.quality == quality] for quality in (*QUALITIES, None)]
    dealt = [row[n] for n in range(len(shuffled)) for row in by_quality if n < len(row)]
    chosen = [dealt[n % len(dealt)] for n in range(size)]
    return [chosen[place] for place in rng.permutation(size)]


@cache
def builtin_layout() -> Layout:
    """Return our own positions and applications; all texts are synthetic."""
    with resources.as_file(resources.files("evenhand.probes.screening") / "design.toml") as path:
        return read_design(path)


#: Keys of a design, of its positions and of its résumés: their types, and whether they are needed.
_KEYS: Final[Mapping[str, Mapping[str, tuple[type, bool]]]] = {
    "": {
        "name": (str, False),
        "pile": (int, False),
        "steps": (list, False),
        "system": (str, False),
        "rule": (str, False),
        "prompts": (dict, False),
        "positions": (list, True),
        "resumes": (list, True),
    },
    "positions": {"id": (str, True), "title": (str, True), "text": (str, True)},
    "resumes": {
        **dict.fromkeys(("id", "position", "quality", "text"), (str, True)),
        "cover_letter": (str, False),
    },
    "prompts": dict.fromkeys(STEPS, (str, False)),
}
_TYPES: Final = {str: "text", int: "a whole number", list: "a list", dict: "a table"}


def read_design(path: Path) -> Layout:
    """Return the layout of a TOML file.

    Raises
    ------
    InputError
        The file can't be read, has an unknown key, lacks one, or has a value that is none; key and line are named.

    """
    file = read_toml(path, option="--design")
    values = _checked(file, file.values, "")
    prompts = _checked(file, values.get("prompts", {}), "prompts")
    positions = [Position(**_checked(file, row, "positions")) for row in _rows(file, "positions")]
    by_position: dict[str, list[Application]] = {position.id: [] for position in positions}
    if len(by_position) < len(positions):
        raise file.refuse(("positions",), "two positions have the same id.")
    known = set[str]()
    for row in _rows(file, "resumes"):
        values_of = dict(_checked(file, row, "resumes"))
        named, position = f"résumé {quoted(values_of['id'])}", values_of.pop("position")
        if values_of["id"] in known:
            raise file.refuse(("resumes",), f"{named} is there twice; give it another id.")
        if position not in by_position:
            raise file.refuse(
                ("resumes",), f"{named} has the position {quoted(position)}; expected one of {listed(by_position)}."
            )
        if values_of["quality"] not in QUALITIES:
            raise file.refuse(
                ("resumes",),
                f"{named} has the quality {quoted(values_of['quality'])}; expected one of {listed(QUALITIES)}.",
            )
        known.add(values_of["id"])
        by_position[position].append(Application(**values_of))
    empty = next((name for name, rows in by_position.items() if not rows), None)
    if empty is not None:
        raise file.refuse(("positions",), f"position {quoted(empty)} has no résumé; add one, or delete it.")
    pile = values.get("pile", Layout.pile)
    if not PILES[0] <= pile <= PILES[1]:
        raise file.refuse(("pile",), f"pile is {pile}; expected a number from {PILES[0]} to {PILES[1]}.")
    again = " Where a position has fewer résumés than the pile, they come again under other names."
    return Layout(
        positions=tuple(positions),
        applications=tuple(map(tuple, by_position.values())),
        pile=pile,
        steps=chosen_steps(values.get("steps", STEPS), lambda message: file.refuse(("steps",), message)),
        system=values.get("system", "").strip(),
        rule=values.get("rule", "").strip(),
        asks=prompts,
        note=again * (min(map(len, by_position.values())) < pile),
    )


def chosen_steps(steps: Sequence[Any], refuse: Callable[[str], Exception]) -> tuple[str, ...]:
    """Return steps in the order in which they are asked; `refuse` makes the error of an unknown one."""
    for step in steps:
        if step not in STEPS:
            raise refuse(f"the step {quoted(str(step))} is unknown; expected some of {listed(STEPS)}.")
    if not steps:
        raise refuse(f"there is no step; expected some of {listed(STEPS)}.")
    return tuple(step for step in STEPS if step in steps)


def _rows(file: TomlFile, table: str) -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = file.values[table]
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise file.refuse((table,), f"{table} is not a list of tables; expected [[{table}]], one for each.")
    return rows


def _checked(file: TomlFile, values: Mapping[str, Any], table: str) -> Mapping[str, Any]:
    """Return the values of a table whose keys are known and of their types."""
    keys, within = _KEYS[table], f" of {table}" if table else ""
    for key, value in values.items():
        place = tuple(filter(None, (table, key)))
        if key not in keys:
            near = get_close_matches(key, keys, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise file.refuse(place, f"the key {quoted(key)}{within} is unknown; expected {listed(keys)}.{hint}")
        kind = keys[key][0]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise file.refuse(place, f"{key}{within} is {quoted(str(value))}; expected {_TYPES[kind]}.")
        if kind is str and not str(value).strip():
            raise file.refuse(place, f"{key}{within} is empty; write it, or leave it out.")
    lacking = next((key for key, (_, needed) in keys.items() if needed and key not in values), None)
    if lacking is not None:
        named = f" {quoted(values['id'])}" if "id" in values else ""
        raise file.refuse((table,), f"{table.removesuffix('s') or 'the design'}{named} has no {lacking}.")
    return values
