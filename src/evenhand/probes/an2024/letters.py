"""E-mails of our own that state a decision, or none: what the classifier is trained on.

They come from the sentences in sentences/. Every sentence belongs to one part
(training, validation, test), so that no part has seen a sentence of another.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib import resources
from io import BytesIO
from random import Random

import polars as pl

from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

__all__ = [
    "AN2024_WORDING",
    "DECISIONS",
    "PARTS",
    "labelled_letters",
    "labelled_sentences",
    "letter",
    "written_letters",
]

#: What our e-mails are made of.
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
    found: dict[str, dict[str, list[str]]] = {}
    for file in sorted(resources.files("evenhand.probes.an2024").joinpath("sentences").iterdir(), key=lambda f: f.name):
        for group, kinds in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for kind, sentences in kinds.items():
                found.setdefault(group, {}).setdefault(kind, []).extend(sentences)
    return found


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
    """Return each sentence of a part that tells the decision, alone, `times` with other words: `text, decision`."""
    rng = Random(f"{part} {seed}")  # noqa: S311 - as above
    rows = [
        (_filled(_written(sentence, rng), rng), decision)
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
    said = [*one("decide", 1.0, decision), *one("decide", 0.35, decision)]
    said += [*one("follow", 0.7, decision), *one("follow", 0.4, decision)]
    praise = one("praise", 0.25)
    body = [*body, *said, *praise] if rng.random() < 0.85 else [*said, *body, *praise]
    body += one("questions", 0.4)
    lines = [" ".join(body[:half]) for half in [len(body)]] if short else _paragraphs(body, rng)
    parts = [*one("preamble", 0.12), *one("subject", 0.55), *one("greeting", 0.92), *lines, *one("sign", 0.85)]
    text = "\n\n".join([*parts, *one("trailer", 0.08)])
    if rng.random() < 0.06:
        text = text[: int(len(text) * 0.9)]  # cut off by a limit of length
    return _filled(text, rng, roles)


def _filled(text: str, rng: Random, said: Mapping[str, str] | None = None) -> str:
    """Return a text with its slots filled; what is `said` stays the same throughout."""
    return _SLOT.sub(lambda slot: (said or {}).get(slot[1]) or rng.choice(AN2024_WORDING.fill[slot[1]]), text)


def _paragraphs(body: list[str], rng: Random) -> list[str]:
    paragraphs: list[list[str]] = [[]]
    for sentence in body:
        if paragraphs[-1] and rng.random() < 0.45:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
    return [" ".join(each) for each in paragraphs]


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
