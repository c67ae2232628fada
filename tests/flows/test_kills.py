"""Commands that are killed, or that a disk fails, at stated moments of writing.

The same command again, or with the option that it names, leaves what a run leaves that nothing stopped.
"""

import json
import shutil
from contextlib import suppress

import pytest
from _files_named import decisions, recorded_texts
from _golden import POSITIONS, golden_cases
from _killed import Processes, tree

from evenhand.analyses.run import COMPANY
from evenhand.errors import InputError
from evenhand.monitoring.recording import missing_counts
from evenhand.monitoring.store import opened_store, verified_log
from evenhand.results.result import manifest_values

SIM = ("--model", "sim:unbiased")
PEOPLE = ("--people", "co/people.jsonl", "--positions", "co/positions.jsonl")
TRAIN = ("match", "train", "co/pairs.csv", *PEOPLE, "--label", "advanced")
RECORD = ("monitor", "record", "decisions.csv", "--store", "o.db", "--model", "m", "--time", "decided_at")
SCORED = ("--store", "closed.db", "--model", "m", "--scorer", "sim:shift?female=0")
GOLDEN = ("monitor", "golden")
STREAM = ("--store", "stream.db", "--model", "m")

#: Labels all that is open to ben, as a browser would.
LABELLING = """
import re
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards
access = Access(host="127.0.0.1", user_header="X-User", roles={"ben": "labeller"})
browser, named = Browser(application(Dashboards(access=access, store="ana.db"))), {"X-User": "ben"}
while "name=\\"case\\"" in (page := browser.get("/labelling", headers=named).text):
    fields = {name: re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("form", "case")}
    label = "yes" if int(re.search(r"for (\\d+) years", page)[1]) > 3 else "no"
    assert browser.post("/labelling", headers=named, data=fields | {"label": label}).status_code == 303
"""

#: Brings a table to New analysis and computes it, or goes on where somebody stopped.
ANALYSIS = """
import re, time
from pathlib import Path
from evenhand.dashboard.access import Access
from evenhand.dashboard.analyses import Analyses, private_folder
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards
kept = Analyses(folder=private_folder(Path("o")), largest=1, days=7)
browser = Browser(application(Dashboards(access=Access(host="127.0.0.1"), analyses=kept)))
def send(address, **more):
    page = address.rpartition("/")[0] if address.count("/") > 1 else address
    token = re.search('name="form" value="([^"]+)"', browser.get(page).text)[1]
    assert (answer := browser.post(address, data={"form": token} | more.pop("data", {}), **more)).status_code == 303
    while "refresh" in browser.get(answer.headers["location"]).headers:
        time.sleep(0.05)
    return answer.headers["location"]
known = [f"/analyses/{analysis.number}" for analysis in kept.all()]
table = b"sex,hired\\n" + b"f,yes\\nm,no\\n" * 40
address = known[0] if known else send("/analyses", files={"table": ("t.csv", table)})
(analysis,) = kept.all()
if analysis.look.result is None:
    send(f"{address}/look")
if analysis.count.result is None:
    send(f"{address}/columns", data={"protected0": "yes", "selected": "1"})
if analysis.run.result is None:
    assert browser.get(f"{address}/files/report.html").status_code == 404
    send(f"{address}/compute")
assert browser.get(f"{address}/files/report.html").status_code == 200, kept.all()[0].run.failure
"""

#: Each command, what goes on with it or replaces what it wrote, and moments: after the first write, in the middle of a
#: batch, between a file and the next, before and after a file takes its name. Marked slow is every moment of each.
COMMANDS = {
    "audit": (("audit", *SIM, "--sample", 8, "--no-report", "--out", "o"), "--resume", "named:7"),
    "probe": (
        ("probe", "hiring-an", *SIM, "--sample", 12, "--redact-answers", "--out", "o"),
        "--resume",
        "written:1 append:4 written:6",
    ),
    "perturb": (
        ("perturb", "--scorer", "sim:shift?female=-1", "--margin", 2, "--sample", 3, "--out", "o"),
        "--resume",
        "appended:9",
    ),
    "arms": (("perturb", "--write-arms", "o", "--margin", 2, "--sample", 3), "", "named:1 named:2"),
    "impact": (("impact", "--counts", "women=30/100,men=60/100", "--out", "o"), "--force", "written:1 named:5"),
    "train": (
        (*TRAIN, "--protected", "gender", "--cache", "masked.db", "--no-report", "--out", "o"),
        "--force",
        "named:2",
    ),
    "record": (
        (*RECORD, "--time-zone", "UTC", "--selected", "invited", "--unit", "case"),
        "",
        "statement:9 committed:2",
    ),
    "golden add": (
        (*GOLDEN, "add", "cases.jsonl", "--store", "o.db", "--positions", "positions.jsonl", "--reason", "x"),
        "",
        "statement:53",
    ),
    "golden propose": (
        (*GOLDEN, "propose", "recorded.jsonl", *STREAM, "--draw", "30", "--positions", "positions.jsonl"),
        "",
        "statement:9 commit:1 committed:1",
    ),
    "golden label": ((*GOLDEN, "label", "ana.csv", "--store", "ana.db", "--by", "ben"), "", "committed:1"),
    "golden close": ((*GOLDEN, "close", "--store", "both.db", "--by", "carla"), "", "statement:2"),
    "golden run": (
        (*GOLDEN, "run", *SCORED, "--cutoff", "65", "--range", "0-100", "--out", "o"),
        "--resume",
        "commit:1 committed:1",
    ),
    "bundle": (("bundle", "run", "--out", "o.zip"), "--force", "written:1"),
    "mask": (("mask", "cvs", "--out", "o"), "", "written:1 appended:1 append:3"),
    "mask --jsonl": (("mask", "--jsonl", "rows.jsonl", "--out", "o.jsonl"), "--force", "written:1"),
    "merge": (("collect", "merge", "p1", "p2", "--out", "o"), "--force", "written:1 named:4"),
    "company": (("data", "company", "--out", "o", "--people", 20, "--positions", 4), "--force", "named:3"),
    "labelling": (("python", LABELLING), "", "commit:3"),
    "New analysis": (("python", ANALYSIS), "", "written:2"),
}
MOMENTS = [(name, fault) for name, (_, _, faults) in COMMANDS.items() for fault in faults.split()]
POINTS = ("open", "written", "named", "append", "appended", "statement", "commit", "committed")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs a command in a process of its own."""
    processes = Processes(tmp_path_factory.mktemp("printed"))
    yield processes
    processes.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory, run):
    """Return a folder with all that the commands read."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "decisions.csv").write_text(decisions())
    (folder / "cases.jsonl").write_text(golden_cases(6))
    (folder / "positions.jsonl").write_text(POSITIONS)
    (folder / "recorded.jsonl").write_text(recorded_texts())
    labels = [f"{years}-{sex},{'yes' if years > 3 else 'no'}\n" for years in range(6) for sex in ("female", "male")]
    (folder / "ana.csv").write_text("case,label\n" + "".join(labels))
    (folder / "cvs").mkdir()
    for number in range(3):
        (folder / "cvs" / f"Jane_Doe_{number}.txt").write_text(f"Jane Doe\n\nMs Doe led team {number}.\n")
    rows = [{"id": number, "text": f"Jane Doe, she/her, {number}"} for number in range(130)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    part = ("probe", "hiring-an", *SIM, "--sample", 12, "--no-report", "--shard")
    for words in (
        ("impact", "--counts", "women=30/100,men=60/100", "--out", "run"),
        (*part, "1/2", "--out", "p1"),
        (*part, "2/2", "--out", "p2"),
        ("data", "company", "--out", "co", "--people", 30, "--positions", 12, "--pairs", 220),
        (*RECORD, "--time-zone", "UTC", "--selected", "invited", "--unit", "case", "--store", "stream.db"),
        (*GOLDEN, "propose", "--store", "stream.db", "--switch-on", "--by", "carla"),
        (*GOLDEN, "add", "cases.jsonl", "--store", "ana.db", "--positions", "positions.jsonl", "--reason", "x"),
        (*GOLDEN, "label", "ana.csv", "--store", "ana.db", "--by", "ana"),
    ):
        assert run(*words, cwd=folder).returncode == 0
    for before, after, words in (
        ("ana.db", "both.db", ("label", "ana.csv", "--by", "ben")),
        ("both.db", "closed.db", ("close", "--by", "carla")),
    ):
        shutil.copy(folder / before, folder / after)
        assert run(*GOLDEN, *words, "--store", after, cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory, made, run):
    """Return a function that gives what a command leaves that nothing stops."""
    known = {}

    def left_by(name):
        if name not in known:
            folder = tmp_path_factory.mktemp("whole") / "folder"
            shutil.copytree(made, folder)
            done = run(*COMMANDS[name][0], cwd=folder)
            assert done.returncode == 0, done.stderr
            known[name] = tree(folder)
        return known[name]

    return left_by


def looks_whole(folder):
    """Say whether what is in a folder passes for a finished run; stores must be whole at any moment."""
    for store in folder.glob("*.db"):
        with suppress(InputError), opened_store(store) as opened:  # masked texts are in no store
            assert verified_log(opened).wrong is None
            assert missing_counts(opened) is None
    manifest = manifest_values(folder / "o") if (folder / "o").is_dir() else None
    return manifest is not None and manifest.get("status") == "finished"


def goes_on(name, folder, whole, run):
    """Run the command again until it is done, and compare what is there with what it leaves that nothing stopped."""
    words, more, _ = COMMANDS[name]
    if looks_whole(folder):
        assert tree(folder / "o") == {
            path.removeprefix("o/"): content for path, content in whole(name).items() if path.startswith("o/")
        }
    again = run(*words, cwd=folder)
    if again.returncode:
        assert (again.returncode, again.stderr.count("\n")) == (2, 1), again.stderr
        if "choose another --out" in again.stderr:
            assert not (folder / "o" / COMPANY).exists()  # half a company passes for none
            return
        assert more in again.stderr
        again = run(*words, more, cwd=folder) if more else again
        assert again.returncode == (0 if more else 2), again.stderr
    if name != "New analysis":  # which says itself what is there
        assert tree(folder) == whole(name)


@pytest.mark.parametrize(("name", "fault"), MOMENTS)
def test_after_kill_9_the_same_command_ends_as_if_nothing_had_happened(tmp_path, made, whole, run, name, *, fault):
    folder = shutil.copytree(made, tmp_path / "folder")
    assert run(*COMMANDS[name][0], cwd=folder, fault=fault).returncode == -9
    goes_on(name, folder, whole, run)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("point", POINTS)
def test_after_kill_9_at_any_moment(tmp_path, made, whole, run, name, *, point):
    for time in (1, 2, 3, 5, 8, 13, 40):
        folder = shutil.copytree(made, tmp_path / str(time))
        killed = run(*COMMANDS[name][0], cwd=folder, fault=f"{point}:{time}")
        if killed.returncode == 0:
            break
        goes_on(name, folder, whole, run)
        shutil.rmtree(folder)


#: Moments from which on the disk takes nothing more, and the exit code then.
FULL = {
    "probe": ("written:4", 2),
    "perturb": ("open:4", 2),
    "impact": ("open:3", 2),
    "mask": ("append:2", 2),
    "mask --jsonl": ("written:1", 2),
    "bundle": ("written:1", 2),
    "merge": ("append:4", 4),
    "golden run": ("append:5", 4),
}


@pytest.mark.parametrize("name", FULL)
def test_a_full_disk_is_said_in_a_line_and_nothing_is_lost(tmp_path, made, whole, run, name):
    fault, code = FULL[name]
    folder = shutil.copytree(made, tmp_path / "folder")
    stopped = run(*COMMANDS[name][0], cwd=folder, fault=f"{fault}:ENOSPC")
    assert (stopped.returncode, "No space left on device" in stopped.stderr.splitlines()[-1]) == (code, True)
    assert not list(folder.rglob("*.part"))
    goes_on(name, folder, whole, run)
