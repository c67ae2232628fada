"""matcher.json: a matcher as a file that can be read, with a sum by which a change is seen."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from evenhand.errors import InputError
from evenhand.matching.features.declared import NAMES
from evenhand.matching.features.terms import Terms
from evenhand.matching.features.vocabulary import Vocabulary
from evenhand.matching.matcher import Matcher
from evenhand.matching.training.calibration import Calibration
from evenhand.tables.fingerprints import sha256_of

__all__ = ["SCHEMA", "matcher_json", "read_matcher"]

SCHEMA: Final = "evenhand.matcher/1"
_ONET: Final = ("onet_occupations.csv", "onet_tasks.csv", "onet_technology.csv", "onet_titles.csv")


def matcher_json(matcher: Matcher) -> bytes:
    """Return a matcher as JSON, with the sha256 over all else in it, keys sorted."""
    terms = matcher.vocabulary.terms
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "features": list(NAMES),
        "onet": _onet(),
        "model": matcher.model,
        "start": matcher.start,
        "centres": list(matcher.centres),
        "vocabulary": dict(zip(matcher.vocabulary.words, matcher.vocabulary.weights.tolist(), strict=True)),
        "terms": {
            "phrases": [" ".join(phrase) for phrase in sorted(terms.phrases)],
            "weights": {" ".join(term): weight for term, weight in sorted(terms.weights.items())},
        },
        "calibration": {
            "pooled": asdict(matcher.pooled),
            "families": {name: asdict(each) for name, each in matcher.families.items()},
        },
        "as_of": matcher.as_of,
        "card": dict(matcher.card),
    }
    plain = orjson.loads(orjson.dumps(content))  # tuples as lists, so that what is read has the same sum
    return orjson.dumps({"sha256": _sum(plain), **plain}, option=orjson.OPT_INDENT_2)


def read_matcher(path: Path) -> Matcher:
    """Return the matcher of a file.

    Raises
    ------
    InputError
        It is none, of another version, or was changed after it was written.

    """
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"--matcher {path} can't be read: {error.strerror}; expected a matcher.json.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"--matcher {path} is no JSON ({error}); expected a matcher.json.") from error
    schema = content.get("schema") if isinstance(content, dict) else None
    if not isinstance(schema, str) or not schema.startswith("evenhand.matcher/"):
        raise InputError(f"--matcher {path} is no matcher; expected the matcher.json of `evenhand match train`.")
    if schema != SCHEMA:
        raise InputError(f"--matcher {path} is of version {schema}; this one reads {SCHEMA}: train it anew.")
    said = content.pop("sha256", None)
    if said != _sum(content):
        raise InputError(f"--matcher {path} was changed after it was written: its sha256 differs. Train it anew.")
    if content.get("features") != list(NAMES) or content.get("onet") != _onet():
        raise InputError(f"--matcher {path} was trained with other features or another O*NET: train it anew.")
    try:
        return _matcher(content)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"--matcher {path} is damaged ({type(error).__name__}). Train it anew.") from error


def _matcher(content: Mapping[str, Any]) -> Matcher:
    words = content["vocabulary"]
    phrases, weights = content["terms"]["phrases"], content["terms"]["weights"]
    terms = Terms(
        phrases=frozenset(tuple(phrase.split()) for phrase in phrases),
        weights={tuple(term.split()): weight for term, weight in weights.items()},
    )
    calibration = content["calibration"]
    return Matcher.of(
        model=content["model"],
        start=content["start"],
        centres=tuple(content["centres"]),
        vocabulary=Vocabulary(words=tuple(words), weights=np.asarray(list(words.values())), terms=terms),
        pooled=_calibration(calibration["pooled"]),
        families={name: _calibration(each) for name, each in calibration["families"].items()},
        as_of=content["as_of"],
        card=content["card"],
    )


def _calibration(said: Mapping[str, Any]) -> Calibration:
    lists = {name: tuple(said[name]) for name in ("margins", "scores")}
    return Calibration(**{**said, **lists})


def _sum(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


@cache
def _onet() -> dict[str, str]:
    """Return the fingerprints of what features read of O*NET."""
    folder = Path(str(files("evenhand.lexicons")))
    return {name: sha256_of(folder / name) for name in _ONET}
