"""CVs and job ads of each role: our own, synthetic ones, or a file in Bloomberg's layout."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from evenhand.data.lexicons.occupations import Occupation, occupations
from evenhand.errors import InputError
from evenhand.results.files import file_bytes
from evenhand.results.messages import quoted
from evenhand.synthetic.positions import position_text, position_title
from evenhand.synthetic.resumes import Level, resume_text, without_email

#: The roles of the card, whose measures are the headline, in its order.
CARD_ROLES = ("software engineer", "HR specialist", "retail", "financial analyst")
CVS_PER_PROMPT = 8
#: Where a CV takes the candidate's name. All other braces are text.
SLOT = "{name}"

#: So many synthetic CVs has each role, all of one level.
GENERATED_CVS = 24
_LEVEL: Level = "medium"
#: What positions are called on the card.
_ON_CARD = {"Human Resources Specialist": "HR specialist", "Retail Salesperson": "retail"}

_SPELLING = {role.lower(): role for role in CARD_ROLES}
_LAYOUT = 'a JSON object of role -> {"resumes": [8 or more texts with {name}], "jd": text}'


@dataclass(frozen=True)
class Role:
    """A position: its job ad, and CVs with a slot for the candidate's name.

    `card` says that the role is one of the card's four.
    """

    name: str
    ad: str
    cvs: tuple[str, ...]
    card: bool


@cache
def builtin_corpus() -> tuple[Role, ...]:
    """Return our own roles: the card's four first, then the others by name."""
    return _ordered([_builtin_role(file) for file in _builtin_files()])


def builtin_role_count() -> int:
    """Return how many roles of our own there are, without reading them."""
    return len(_builtin_files())


@cache
def generated_corpus() -> tuple[Role, ...]:
    """Return synthetic roles: the card's four first, then all other occupations that there are positions for by name.

    The CVs of a role fit its position equally well. They have the name's slot, and no e-mail address.
    """
    return _ordered([_generated_role(occupation) for occupation in occupations()])


def _generated_role(occupation: Occupation) -> Role:
    title = position_title(occupation)
    versions = range(1, GENERATED_CVS + 1)
    return _role(
        _ON_CARD.get(title, " ".join(word if word.isupper() else word.lower() for word in title.split(" "))),
        # The prompt has the title before the ad.
        ad=position_text(occupation).removeprefix(title),
        cvs=[without_email(resume_text(occupation, version=version, level=_LEVEL)) for version in versions],
        where=occupation.code,
    )


def read_corpus(path: Path) -> tuple[Role, ...]:
    """Return the roles of a file in the layout of Bloomberg's resumes_to_rank.json.

    The file is one JSON object: role -> {"resumes": texts with {name}, "jd": the ad}.
    The card's roles are known whatever their case and stand first.

    Raises
    ------
    InputError
        The file can't be read, or is laid out in another way.

    """
    roles: list[Role] = []
    for name, entry in _json_object(path).items():
        where = f"{path.name}: role {quoted(name)}"
        if not isinstance(entry, dict) or not {"resumes", "jd"} <= set(entry):
            raise InputError(f"{where} has no resumes and jd. Expected {_LAYOUT}.")
        role = _role(name, ad=entry["jd"], cvs=entry["resumes"], where=where)
        if role.name.lower() in {other.name.lower() for other in roles}:
            raise InputError(f"{where} occurs more than once. Give all its resumes in one entry.")
        roles.append(role)
    if not roles:
        raise InputError(f"{path.name} has no role. Expected {_LAYOUT}.")
    return _ordered(roles)


def _builtin_files() -> list[Traversable]:
    folder = resources.files("evenhand.probes.hiring_bloomberg") / "corpus"
    return [file for file in folder.iterdir() if file.name.endswith(".toml")]


def _builtin_role(file: Traversable) -> Role:
    entry = tomllib.loads(file.read_text(encoding="utf-8"))
    return _role(entry["role"], ad=entry["ad"], cvs=entry["cvs"], where=file.name)


def _ordered(roles: Sequence[Role]) -> tuple[Role, ...]:
    """Put the card's roles first, so that its design is the start of every larger one."""
    place = {name: number for number, name in enumerate(CARD_ROLES)}
    return tuple(sorted(roles, key=lambda role: (place.get(role.name, len(place)), role.name.lower())))


def _role(name: str, *, ad: object, cvs: object, where: str) -> Role:
    """Return a role whose texts were checked; the card's roles get its spelling."""
    spelled = " ".join(name.split())
    spelled = _SPELLING.get(spelled.lower(), spelled)
    if not spelled or not _is_text(spelled):
        raise InputError(f"{where} is not the name of a role. Expected a position, for instance 'retail'.")
    if not _is_text(ad) or not (description := _trimmed(str(ad))):
        raise InputError(f"{where}: its jd is not text. Expected the job ad.")
    if not isinstance(cvs, list) or len(cvs) < CVS_PER_PROMPT:
        count = f"{len(cvs)}" if isinstance(cvs, list) else "no list of"
        raise InputError(f"{where} has {count} resumes. A prompt ranks {CVS_PER_PROMPT}, so give at least as many.")
    for number, cv in enumerate(cvs, start=1):
        if not _is_text(cv) or SLOT not in cv:
            problem = f"has no slot {SLOT}" if _is_text(cv) else "is not text"
            raise InputError(f"{where}: resume {number} {problem}. Write {SLOT} where the candidate's name belongs.")
    return Role(spelled, description, tuple(_trimmed(cv) for cv in cvs), spelled in CARD_ROLES)


def _is_text(value: object) -> bool:
    r"""Return whether a value is text that can be sent; JSON allows halves of a character (\ud800)."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _trimmed(text: str) -> str:
    """Return a text without blank lines around it; the first line keeps its indent."""
    text = text.replace("\r\n", "\n").rstrip()
    start = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    return text[start:]


def _json_object(path: Path) -> Mapping[str, Any]:
    try:
        # Editors on Windows put a mark of the encoding before the first character.
        content = json.loads(file_bytes(path).decode("utf-8-sig"), object_pairs_hook=_unique_keys)
    except FileNotFoundError:
        raise InputError(f"No corpus {path}. Expected a file with {_LAYOUT}.") from None
    except OSError as error:
        raise InputError(f"The corpus {path} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not UTF-8. Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path.name} is not valid JSON: line {error.lineno}, column {error.colno}. Expected {_LAYOUT}."
        ) from None
    except ValueError:
        raise InputError(f"{path.name} holds a number of thousands of digits. Expected {_LAYOUT}.") from None
    except RecursionError:
        raise InputError(f"{path.name} is nested too deeply. Expected {_LAYOUT}.") from None
    except _RepeatedKeyError as error:
        raise InputError(
            f"{path.name}: {quoted(error.args[0])} occurs more than once in one object. Keep one."
        ) from None
    if not isinstance(content, dict):
        raise InputError(f"{path.name} is not an object. Expected {_LAYOUT}.")
    return content


class _RepeatedKeyError(Exception):
    """A key that occurs twice in one JSON object, where the first would be lost."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _RepeatedKeyError(key)
        result[key] = value
    return result
