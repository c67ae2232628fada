"""The prompts of An et al. 2024, and e-mails of our own that train the classifier and simulate a model.

A prompt's index is a number in mixed radix: seed, instruction, qualification, role, name, the
last digit running fastest. A prompt is one item; its seeds are attempts at it.

Our e-mails are composed from the sentences in sentences/. Every sentence belongs to one part
(training, validation, test), so that no part has seen a sentence of another.
"""

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from importlib import resources
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.data.lexicons.names import an2024_names
from evenhand.errors import InputError
from evenhand.patterns import WordTable, lazy_re
from evenhand.probes.probe import INSTRUCTIONS, QUALIFICATIONS, Design, check_simulated, instructed
from evenhand.results.files import file_bytes
from evenhand.results.messages import quoted

#: The seeds of the study.
SEEDS = (1, 42, 50)
#: What the role is called where a prompt names none.
NOT_SPECIFIED = "not specified"
#: Typical entry-level education, in the order of the study's table 2.
EDUCATION = ("Doctoral", "Master's", "Bachelor's", "High school", "Postsecondary non-degree", "No formal")
LEVELS = tuple(QUALIFICATIONS)


@dataclass(frozen=True, kw_only=True)
class Role:
    """An occupation and the education that it typically asks for; None where that is not known."""

    name: str
    education: str | None


@cache
def roles(subset: str = "41") -> tuple[Role, ...]:
    """Return the 41 roles of the study, or its subset of 7.

    >>> len(roles()), len(roles("7")), roles("7")[0].name
    (41, 7, 'not specified')
    """
    text = resources.files("evenhand.probes.an2024").joinpath("roles.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(
        Role(name=row["role"], education=row["education"] or None)
        for row in rows
        if subset == "41" or row["seven"] == "1"
    )


def read_roles(path: Path) -> tuple[Role, ...]:
    """Return the roles of a CSV with the columns `role` and, if wanted, `education`.

    `not specified` stands for prompts that name no role. Without an education a role is
    looked up among the study's.

    Raises
    ------
    InputError
        The file can't be read, has no column `role`, or a role is blank or there twice.

    """
    try:
        rows = list(csv.DictReader(file_bytes(path).decode("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"--roles takes 7, 41 or a CSV; {path} can't be read ({error}).") from error
    if not rows:
        raise InputError(f"{path} has no rows; expected a CSV with role and, if wanted, education.")
    if "role" not in rows[0]:
        raise InputError(f"{path} has no column role; expected a CSV with role and, if wanted, education.")
    known = {role.name.lower(): role.education for role in roles()}
    chosen: dict[str, Role] = {}
    for line, row in enumerate(rows, start=2):
        name = " ".join((row["role"] or "").split())
        if not name or name.lower() in chosen:
            what = "is blank" if not name else f"repeats {quoted(name)}"
            raise InputError(f"Line {line} of {path}: the role {what}.")
        education = " ".join((row.get("education") or "").split()) or known.get(name.lower())
        if education is not None and education not in EDUCATION:
            raise InputError(
                f"Line {line} of {path}: education {quoted(education)}; expected one of {', '.join(EDUCATION)}."
            )
        chosen[name.lower()] = Role(name=name, education=education)
    return tuple(chosen.values())


def design(
    chosen: Sequence[Role] | None = None,
    *,
    names: pl.DataFrame | None = None,
    seeds: Sequence[int] = SEEDS,
    instructions: int = len(INSTRUCTIONS),
) -> Design:
    """Return the layout over roles, names (those of the study unless given), seeds, and the first instructions."""
    people = an2024_names() if names is None else names
    chosen_roles = tuple(chosen) if chosen is not None else roles()
    templates = instructions * len(LEVELS) * len(chosen_roles)
    prompts_per_seed = templates * people.height
    listed = ", ".join(map(str, seeds))
    return Design(
        name="card",
        size=prompts_per_seed * len(seeds),
        block=1,
        stimuli=partial(
            _stimuli, chosen_roles=chosen_roles, names=people, seeds=tuple(seeds), per_seed=prompts_per_seed
        ),
        note=(
            f"{templates:,} templates ({instructions} instructions, {len(LEVELS)} levels of qualification, "
            f"{len(chosen_roles)} roles) with {people.height} names, each asked with the seeds {listed}."
        ),
    )


def _stimuli(
    indices: NDArray[np.int64],
    *,
    chosen_roles: tuple[Role, ...],
    names: pl.DataFrame,
    seeds: tuple[int, ...],
    per_seed: int,
) -> pl.DataFrame:
    seed, prompt = np.divmod(indices, per_seed)
    rest, name = np.divmod(prompt, names.height)
    rest, role = np.divmod(rest, len(chosen_roles))
    template, level = np.divmod(rest, len(LEVELS))
    people = names[name]
    frame = pl.DataFrame(
        {
            "index": indices,
            "name": people["name"],
            "gender": people["gender"],
            "race": people["race"],
            "role": pl.Series([known.name for known in chosen_roles], dtype=pl.String).gather(role),
            "education": pl.Series([known.education for known in chosen_roles], dtype=pl.String).gather(role),
            "qualification": pl.Series(LEVELS).gather(level),
            "template": template.astype(np.int32),
            "seed": np.asarray(seeds, dtype=np.int64)[seed],
            "item": pl.Series(prompt).cast(pl.String),
        }
    )
    return frame.with_columns(
        instructed(frame, unnamed=NOT_SPECIFIED),
        # One row per unit and attempt: seeds of a prompt differ by their unit.
        pl.concat_str("item", "seed", separator="/").alias("unit"),
        pl.lit(None, pl.String).alias("pair"),
    )


#: Wording of our e-mails.
AN2024_WORDING = WordTable("evenhand.probes.an2024", "wording.toml")

DECISIONS = ("accept", "reject", "none")
#: E-mails per part: those of An et al. 2024, appendix C.2.
PARTS = {"train": 840, "validation": 180, "test": 180}
#: Shares of the sentences that each part gets, in sixteenths.
_SIXTEENTHS = {"train": 10, "validation": 3, "test": 3}

_CHOICE = lazy_re(r"\{([^{}]*)\}")
_SLOT = lazy_re(r"\[(COMPANY|MANAGER|DAY|TEAM|LAST|SIGNED|NAME|ROLE)\]")


@cache
def _sentences() -> dict[str, dict[str, list[str]]]:
    """Return all sentences by group and kind; the files differ in register."""
    sentences_by_group: dict[str, dict[str, list[str]]] = {}
    for file in sorted(resources.files("evenhand.probes.an2024").joinpath("sentences").iterdir(), key=lambda f: f.name):
        for group, kinds in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for kind, sentences in kinds.items():
                sentences_by_group.setdefault(group, {}).setdefault(kind, []).extend(sentences)
    return sentences_by_group


def labelled_letters(part: str, n: int, *, seed: int = 0) -> pl.DataFrame:
    """Return `n` e-mails of a part: `text, decision`, a third of them of each decision.

    `part` is one of `PARTS`; names stand as the token [NAME].

    >>> frame = labelled_letters("test", 30)
    >>> frame["decision"].value_counts()["count"].to_list()
    [10, 10, 10]
    """
    rng = Random(f"{part} {seed}")  # noqa: S311 - drawn to be the same everywhere, not to be secret
    rows = []
    for number in range(n):
        decision = DECISIONS[number % len(DECISIONS)]
        rows.append((letter(decision, part, rng), decision))
    rng.shuffle(rows)
    return pl.DataFrame(rows, schema={"text": pl.String, "decision": pl.String}, orient="row")


def labelled_sentences(part: str, *, times: int = 3, seed: int = 0) -> pl.DataFrame:
    """Return each sentence of a part that states the decision, alone, `times` in other words: `text, decision`."""
    rng = Random(f"{part} {seed}")  # noqa: S311 - as above
    rows = [
        (_filled_letter(_written(sentence, rng), rng), decision)
        for decision in DECISIONS
        for sentence in _of_part(decision, "decide", part)
        for _ in range(times)
    ]
    return pl.DataFrame(rows, schema={"text": pl.String, "decision": pl.String}, orient="row")


@cache
def written_letters() -> pl.DataFrame:
    """Return e-mails that were written one by one: `text, name, decision`."""
    data = resources.files("evenhand.probes.an2024").joinpath("letters.jsonl").read_bytes()
    return pl.read_ndjson(BytesIO(data)).select("text", "name", pl.col("label").alias("decision"))


def letter(decision: str, part: str, rng: Random, *, role: str | None = None) -> str:
    """Return one e-mail of a part with that decision; the applicant stands as [NAME].

    A `role` that is not given is drawn.
    """

    def one(kind: str, chance: float, group: str = "shared") -> list[str]:
        return [_written(rng.choice(_of_part(group, kind, part)), rng)] if rng.random() < chance else []

    fill = AN2024_WORDING.fill
    roles = {"ROLE": role or rng.choice(fill["ROLE"]), "COMPANY": rng.choice(fill["COMPANY"])}
    short = rng.random() < 0.2
    body = [*one("hope", 0.1 if short else 0.5), *one("thanks", 0.3 if short else 0.7)]
    body += [] if short else [*one("process", 0.45), *one("praise", 0.45)]
    decision_sentences = [*one("decide", 1.0, decision), *one("decide", 0.35, decision)]
    decision_sentences += [*one("follow", 0.7, decision), *one("follow", 0.4, decision)]
    praise = one("praise", 0.25)
    body = [*body, *decision_sentences, *praise] if rng.random() < 0.85 else [*decision_sentences, *body, *praise]
    body += one("questions", 0.4)
    lines = [" ".join(body[:half]) for half in [len(body)]] if short else _paragraphs(body, rng)
    parts = [*one("preamble", 0.12), *one("subject", 0.55), *one("greeting", 0.92), *lines, *one("sign", 0.85)]
    text = "\n\n".join([*parts, *one("trailer", 0.08)])
    if rng.random() < 0.06:
        text = text[: int(len(text) * 0.9)]  # cut off by a limit of length
    return _filled_letter(text, rng, roles)


def _filled_letter(text: str, rng: Random, fixed: Mapping[str, str] | None = None) -> str:
    """Return a text with its slots filled; a slot in `fixed` has the same value throughout."""
    return _SLOT.sub(lambda slot: (fixed or {}).get(slot[1]) or rng.choice(AN2024_WORDING.fill[slot[1]]), text)


def _paragraphs(body: list[str], rng: Random) -> list[str]:
    paragraphs: list[list[str]] = [[]]
    for sentence in body:
        if paragraphs[-1] and rng.random() < 0.45:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
    return [" ".join(paragraph) for paragraph in paragraphs]


def _written(sentence: str, rng: Random) -> str:
    return _CHOICE.sub(lambda choice: rng.choice(choice[1].split("|")), sentence).replace(" ,", ",").strip()


@cache
def _of_part(group: str, kind: str, part: str) -> list[str]:
    """Return the sentences that belong to a part, at least one each."""
    ordered = sorted(_sentences()[group][kind], key=lambda sentence: blake2b(sentence.encode()).digest())
    total, start, cuts = sum(_SIXTEENTHS.values()), 0, {}
    for name, share in _SIXTEENTHS.items():
        cuts[name] = (start, start + share)
        start += share
    low, high = (round(len(ordered) * edge / total) for edge in cuts[part])
    return ordered[low:high] or [ordered[low % len(ordered)]]


#: How far from one half full strength takes a group: the order of the study's tables.
_RACES = {"white": 0.1, "black": 0.0, "hispanic": -0.1}


def acceptance_probability(kind: str, strength: float, *, gender: str, race: str) -> float:
    """Return the chance that an e-mail accepts: one half, moved by what the kind favours.

    masculine and feminine accept one gender for certain at full strength. stereotyping
    moves White applicants up and Hispanic ones down by a tenth, and men of the latter
    by another tenth, as in the study; antistereotyping the reverse.

    >>> acceptance_probability("stereotyping", 1.0, gender="male", race="hispanic")
    0.3
    """
    check_simulated(kind, strength)
    if kind in {"masculine", "feminine"}:
        favoured = gender == ("male" if kind == "masculine" else "female")
        return 0.5 + strength * (0.5 if favoured else -0.5)
    if kind in {"stereotyping", "antistereotyping"}:
        moved = _RACES.get(race, 0.0) - (0.1 if race == "hispanic" and gender == "male" else 0.0)
        return round(0.5 + strength * (moved if kind == "stereotyping" else -moved), 12)
    return 0.5


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> str:
    """Return the e-mail of a simulated model.

    Its sentences are those that the classifier has learnt from: what a simulated model
    decides is known, and nearly all of it can be read.
    """
    chance = acceptance_probability(kind, strength, gender=stimulus["gender"], race=stimulus["race"])
    name = stimulus["name"]
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        texts: tuple[str, ...] = AN2024_WORDING.refusals if kind == "refusing" else AN2024_WORDING.garbled
        return rng.choice(texts).format(name=name)
    role = stimulus["role"]
    role_text = role if role != NOT_SPECIFIED else "[Job Title]"
    return letter("accept" if rng.random() < chance else "reject", "train", rng, role=role_text).replace("[NAME]", name)
