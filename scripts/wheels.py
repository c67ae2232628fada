"""Builds the sdist and from it the wheel, and installs and uses it on each Python that it is for and that is here.

    python scripts/wheels.py

In each new environment no requirement is broken, and commands of all parts run. A Python that isn't here is named and
left out, but one has to be.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
UV = [sys.executable, "-m", "uv", "--no-python-downloads"]
QUIETLY = [*UV, "--quiet"]
VERSION = "Programming Language :: Python :: 3."
#: One command of each part, in a new folder.
COMMANDS = (
    "probe hiring-an --model sim:unbiased --sample 200 --out probe",
    "impact --counts women=557/1100,men=1198/2400 --out impact",
    "data example compas-2016",
    "evaluate compas-2016.csv --label reoffended --score decile_score --cutoff 4 --protected race --count people "
    "--out evaluate",
    "features compas-2016.csv --protected race --label reoffended --sample 0 --out features",
    "perturb --scorer sim:unbiased --margin 2 --sample 6 --out perturb",
    "data company --people 60 --positions 6 --pairs 300 --out company",
    "match train company/pairs.csv --people company/people.jsonl --positions company/positions.jsonl --label advanced "
    "--protected gender,race --out match",
    "mask company/README.md --out masked.md",
    "keys new --out audit.key",
    "bundle probe impact --key audit.key --out runs.zip",
    "verify runs.zip --public-key audit.key.pub",
)
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
    """Install the wheel into a new environment in a folder, and run all commands there."""
    environment = folder / "environment"
    subprocess.run([*QUIETLY, "venv", "--clear", "--python", python, str(environment)], check=True)
    inside = ["--python", str(environment / "bin" / "python")]
    subprocess.run(
        [*QUIETLY, "pip", "install", *inside, *options, f"evenhand[{EXTRAS}] @ {wheel.as_uri()}"], check=True
    )
    subprocess.run([*QUIETLY, "pip", "check", *inside], check=True)
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for line in COMMANDS:
        typed = [environment / "bin" / "evenhand", *shlex.split(line), "--quiet"]
        done = subprocess.run(typed, check=False, cwd=work, env=clean, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"evenhand {line} ends with exit code {done.returncode}: {done.stderr}")


def described(wheel: Path) -> None:
    """End where the wheel lacks its types, a licence, or what a registry shows of it."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = (archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    files = ("evenhand/py.typed", "licenses/LICENSE", "licenses/NOTICE", "FONTS.md")
    fields = ("Summary", "Project-URL", "Keywords", "License-Expression", "Requires-Python", "Description-Content-Type")
    lacking = [file for file in files if not any(name.endswith(file) for name in names)]
    lacking += [field for field in fields if f"\n{field}: " not in metadata]
    if lacking:
        sys.exit(f"{wheel.name} lacks {', '.join(lacking)}.")


def main() -> None:
    """Try all versions, and name those that aren't here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = [each.removeprefix(VERSION[:-2]) for each in project["classifiers"] if each.startswith(VERSION)]
    found = {version: python for version in versions if (python := interpreter(version))}
    if not found:
        sys.exit(f"None of Python {', '.join(versions)} is here.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([*QUIETLY, "build", "--out-dir", str(folder), str(ROOT)], check=True)
        [wheel] = folder.glob("*.whl")
        described(wheel)
        for version, python in found.items():
            tried(folder, wheel, python)
            print(f"Python {version}: installed, no requirement broken, all commands run")
        tried(folder, wheel, next(iter(found.values())), "--resolution", "lowest-direct")
        print(f"Python {next(iter(found))}, lowest versions: installed, no requirement broken, all commands run")
    if missing := [version for version in versions if version not in found]:
        print(f"Not tried, not here: Python {', '.join(missing)}")


if __name__ == "__main__":
    main()
