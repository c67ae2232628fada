"""`evenhand doctor`: what is installed, which extras are there and what they unlock, which model servers answer.

Nothing secret is sent: of a key it shows only whether the variable is set, and it requests only the list of models of
servers on this machine, without a key.
"""

import os
import platform
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any, Final

import orjson
from packaging.requirements import Requirement

from evenhand.models.dialects import DIALECTS
from evenhand.models.rankers import SERVERS
from evenhand.report.page.parts import table
from evenhand.report.words.numbers import counted
from evenhand.results.terminal import CommandOutput, Screen

#: What each extra is for, by its name in pyproject.toml.
UNLOCKS: Final = {
    "bundle": "signatures of bundles",
    "documents": "mask Word, PDF, HTML and OpenDocument files",
    "formats": "tables of Stata, SPSS and SAS, .zst files",
    "inspect": "probes as inspect_ai tasks, export inspect",
    "local": "hf: and st: models in this process; install torch first",
    "match": "match train and score, joint proxies in features",
    "mixed": "the mixed logistic model of an2024",
    "monitor": "metrics for Prometheus",
    "pandas": "frames of pandas and PyArrow",
    "postgres": "postgres:// tables and stores",
    "serve": "serve: dashboards, and tables in the browser",
    "spark": "pyspark:// tables; needs Java 17",
    "sqlite": "sqlite:// tables",
    "train": "training the e-mail classifier of an2024",
}
#: What an extra needs that pip should not choose: which build of it depends on the machine.
BY_HAND: Final = {"local": "torch"}
#: Packages that something of the system can stand in for, and the module that imports where either is there.
OR_OF_THE_SYSTEM: Final = {"psycopg-binary": "psycopg"}
KEYS: Final = [
    *(dialect.key_variable for dialect in DIALECTS.values()),
    SERVERS["rerank"].key_variable,
]
#: Ports that model servers listen at on this machine unless told otherwise.
LOCAL: Final = {"llama.cpp": 8080, "LM Studio": 1234, "Ollama": 11434, "SGLang": 30000, "vLLM": 8000}
SECONDS: Final = 1.0
PATH: Final = "/v1/models"


def doctor() -> CommandOutput:
    """Return what is installed and what answers, as JSON values and as text."""
    extras = _extras()
    with ThreadPoolExecutor() as pool:
        servers = dict(zip(LOCAL, pool.map(_server, LOCAL.values()), strict=True))
    content: dict[str, Any] = {
        "evenhand": version("evenhand"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "core": {"missing": extras[""]},
        "extras": {
            name: {"installed": not extras[name], "missing": extras[name], "unlocks": unlocks}
            for name, unlocks in UNLOCKS.items()
        },
        "keys": {name: bool(os.environ.get(name)) for name in KEYS},
        "servers": servers,
    }
    return CommandOutput(content=content, text=_text(content))


def _extras() -> dict[str, list[str]]:
    """Return what each extra lacks, and the core under "": a package, or another version than it needs."""
    lacking: dict[str, list[str]] = {name: [] for name in ("", *UNLOCKS)}
    for name, package in BY_HAND.items():
        lacking[name] += _problems(Requirement(package))
    for requirement in map(Requirement, requires("evenhand") or ()):
        for name, missing in lacking.items():
            here = requirement.marker is None or requirement.marker.evaluate({"extra": name})
            # Requirements of the core hold for every extra; they are named once.
            core = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if here and core is (not name):
                missing.extend(_problems(requirement))
    return {name: list(dict.fromkeys(missing)) for name, missing in lacking.items()}


def _problems(requirement: Requirement) -> list[str]:
    """Return what is missing of a requirement, or what its own extras require."""
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return [] if _imports(OR_OF_THE_SYSTEM.get(requirement.name)) else [requirement.name]
    if not requirement.specifier.contains(installed, prereleases=True):
        return [f"{requirement.name} is {installed}, needs {requirement.specifier}"]
    inner = map(Requirement, requires(requirement.name) or () if requirement.extras else ())
    return [
        problem
        for needed in inner
        if needed.marker is not None and not needed.marker.evaluate({"extra": ""})
        if any(needed.marker.evaluate({"extra": extra}) for extra in requirement.extras)
        for problem in _problems(needed)
    ]


def _imports(module: str | None) -> bool:
    try:
        return module is not None and bool(import_module(module))
    except ImportError:
        return False


def _server(port: int) -> dict[str, Any]:
    """Return where a server would be, whether one answers, and how many models it lists; None where it lists none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    answers, models = False, None
    try:
        connection.request("GET", PATH)
        answer = connection.getresponse()
        answers = True
        listed = orjson.loads(answer.read(1_000_000)).get("data")
        models = len(listed) if isinstance(listed, list) else None
    except (OSError, HTTPException, ValueError, AttributeError):
        pass  # nothing is there, or it speaks otherwise
    finally:
        connection.close()
    return {"base_url": f"http://127.0.0.1:{port}/v1", "answers": answers, "models": models}


def _state(server: Mapping[str, Any]) -> str:
    if server["models"] is not None:
        return counted(server["models"], "model")
    return "answers, but lists no models without a key" if server["answers"] else "no answer"


def _text(content: Mapping[str, Any]) -> str:
    screen = Screen()
    screen.say(f"evenhand {content['evenhand']}, Python {content['python']}, {content['platform']}")
    screen.say()
    extras = [
        (name, "yes" if extra["installed"] else f"no: {', '.join(extra['missing'])}", extra["unlocks"])
        for name, extra in content["extras"].items()
    ]
    screen.draw(table("", ["Extra", "Installed", "What it is for"], extras))
    if any(not extra["installed"] for extra in content["extras"].values()):
        screen.say("\nAdd one with: pip install 'evenhand[NAME]'")
    screen.say()
    keys = [(name, "set" if there else "not set") for name, there in content["keys"].items()]
    screen.draw(table("", ["Key", "State"], keys))
    screen.say()
    servers = [(name, server["base_url"], _state(server)) for name, server in content["servers"].items()]
    screen.draw(table("", ["Server on its usual port", "Base URL", "State"], servers))
    return screen.text
