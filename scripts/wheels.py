"""Builds the wheel, and installs and uses it on each Python there is of those that it is for, lowest versions included.

    python scripts/wheels.py

In each new environment: no requirement is broken, and the demo goes through all stages. A Python that isn't here is
named and left out, but one has to be.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
UV = [sys.executable, "-m", "uv", "--no-python-downloads"]
QUIETLY = [*UV, "--quiet"]
VERSION = "Programming Language :: Python :: 3."
#: What a tour of all stages needs, and what reads and writes files of others.
EXTRAS = "bundle,documents,formats,match,monitor,serve,sqlite"


def interpreter(version: str) -> str | None:
    """Return the path of this Python, None where it isn't here."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin"))
    path = os.pathsep.join([*map(str, kept), os.environ["PATH"]])
    found = subprocess.run(
        [*UV, "python", "find", version], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or None


def tried(folder: Path, wheel: Path, python: str, *options: str) -> None:
    """Install the wheel into a new environment in a folder, and go through the demo there."""
    environment = folder / "environment"
    subprocess.run([*QUIETLY, "venv", "--clear", "--python", python, str(environment)], check=True)
    inside = ["--python", str(environment / "bin" / "python")]
    subprocess.run(
        [*QUIETLY, "pip", "install", *inside, *options, f"evenhand[{EXTRAS}] @ {wheel.as_uri()}"], check=True
    )
    subprocess.run([*QUIETLY, "pip", "check", *inside], check=True)
    subprocess.run(
        [environment / "bin" / "evenhand", "demo", "--quiet", "--force", "--out", folder / "demo"],
        check=True,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )


def main() -> None:
    """Try all versions, and name those that aren't here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = [each.removeprefix(VERSION[:-2]) for each in project["classifiers"] if each.startswith(VERSION)]
    found = {version: python for version in versions if (python := interpreter(version))}
    if not found:
        sys.exit(f"None of Python {', '.join(versions)} is here.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([*QUIETLY, "build", "--wheel", "--out-dir", str(folder), str(ROOT)], check=True)
        [wheel] = folder.glob("*.whl")
        for version, python in found.items():
            tried(folder, wheel, python)
            print(f"Python {version}: installed, no requirement broken, demo done")
        tried(folder, wheel, next(iter(found.values())), "--resolution", "lowest-direct")
        print(f"Python {next(iter(found))}, lowest versions: installed, no requirement broken, demo done")
    if missing := [version for version in versions if version not in found]:
        print(f"Not tried, not here: Python {', '.join(missing)}")


if __name__ == "__main__":
    main()
