"""Every command line of README, docs and the examples of help, typed in order in a terminal of 80 columns.

Each document has a folder of its own, with the files that it names; the README's is empty. What needs a key, a
service or an accelerator is not run: its options are read, and where a later line needs its run, a simulated model
stands in. Recipes are carried out by tests/test_recipes.py.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from _cli import environment, evenhand
from _files_named import answer_requests, counted_admissions, label, score_arms, write_files
from _golden import fill_in
from _promises import command_of, options
from _typed import Typed, in_a_terminal, read, understood

from evenhand.cli._help import EXAMPLES as OTHER_EXAMPLES
from evenhand.cli._help import KINDS, example_of
from evenhand.report.page.contents import run_text
from evenhand.results.result import read_result

ROOT = Path(__file__).parents[2]
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): read(path)
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if path.name != "recipes.md" and read(path)[0]
}
COLUMNS, WIDE = 80, 240
OPTION = re.compile(r"--[a-z0-9][a-z0-9-]*")
#: Why lines of other programs are not typed.
OTHERS = {
    "export": "sets a key",
    "make": "sets everything up; what the lines do is told in CONTRIBUTING.md",
    "inspect": "asks a provider; tests/integrations/inspect runs its tasks",
    "pip": "downloads packages",
    "python": "serves a model on an accelerator",
    "vllm": "serves a model on an accelerator",
}
#: What models need that is not here.
NEEDED = {
    "anthropic": "a key and the service",
    "hf": "weights and torch",
    "openai": "a key and the service, or a server on this machine",
    "rerank": "a server",
}
#: Runs of such models that later lines name: a simulated model stands in.
STOOD_IN_FOR = {"runs/first", "runs/part1"}
STAND_IN = "sim:unbiased"
SAMPLE = "16"
#: Conditions are judged from twenty prompts on, four parts need as many blocks, and a screening has larger ones.
LEAST = {"--fail-on": "24", "--shard": "32", "screening": "168"}
FEWER = {"features": "60", "perturb": "4"}
#: The examples of help are a document, too, without those that another one types.
HELP = "the examples of help"
TYPED = [each.words for typed, _ in DOCUMENTS.values() for each in typed]
#: `demo` has a test of its own, and `serve` does not end.
#: The run that a probe makes is what others take for given.
EXAMPLES = {command: example_of(command) for command in sorted(KINDS | OTHER_EXAMPLES, key="probe".__ne__)}
EXAMPLE_LINES = [Typed(f"evenhand {line}") for name, line in EXAMPLES.items() if name not in {"demo", "serve"}]
DOCUMENTS[HELP] = [each for each in EXAMPLE_LINES if each.words not in TYPED], {}
#: What a document takes for given, besides files.
QUIET = ("--quiet", "--no-report")
ASKED = ("--model", "sim:masculine", "--sample", SAMPLE, *QUIET)
FIRST = ("probe", "hiring-an", *ASKED, "--out", "runs/first/hiring-an")
RECORDED = ("--time", "decided_at", "--score", "score", "--selected", "invited", "--protected", "gender")
BEFORE = {
    "docs/impact.md": [FIRST],
    "docs/inspect.md": [FIRST],
    "docs/models.md": [
        (
            "audit",
            "--model",
            STAND_IN,
            "--sample",
            LEAST["--shard"],
            *QUIET,
            "--shard",
            f"{n}/4",
            "--out",
            f"runs/part{n}",
        )
        for n in (2, 3, 4)
    ],
    HELP: [
        ("probe", "hiring-an", *ASKED, "--out", "runs/second"),
        *(("probe", "hiring-an", *ASKED, "--shard", f"{n}/2", "--out", f"runs/part-{n}") for n in (1, 2)),
        ("data example bertrand-2004",),
        ("data example compas-2016",),
        ("data company --people 80 --positions 20 --pairs 800 --out company",),
        (EXAMPLES["match train"],),
        ("monitor record days.csv --store history.db --model ranker", *RECORDED),
        ("monitor check --store history.db",),
        ("monitor backup --store history.db --out backup.db",),
        (EXAMPLES["data prompts"],),
    ],
}
#: Typed in a folder that is empty.
FROM_NOTHING = {"README.md", "docs/ci.md"}
#: Lines that are typed in a shell whose streams are a terminal; the others run in this process.
IN_A_TERMINAL = (
    "evenhand mask - ",
    "evenhand probe hiring-an --model 'sim:",
)


def test_every_line_is_typed_or_has_a_reason_not_to_be():
    programs = {each.words[0] for typed, _ in DOCUMENTS.values() for each in typed if each.words}
    assert programs - {"evenhand"} == set(OTHERS)
    assert set(DOCUMENTS) >= {"README.md", "docs/impact.md", "docs/inspect.md", "docs/models.md", "docs/probes.md"}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Return a folder with the files that documents take for given."""
    folder = tmp_path_factory.mktemp("given")
    write_files(folder)
    evenhand("data example berkeley-1973", cwd=folder)
    counted_admissions(folder / "berkeley-1973.csv", folder / "UCBAdmissions.csv")
    (folder / "berkeley-1973.csv").unlink()
    return folder


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_a_document_says_to_type_does_what_it_says(name, given, tmp_path):
    typed, files = DOCUMENTS[name]
    if name not in FROM_NOTHING:
        shutil.copytree(given, tmp_path, dirs_exist_ok=True)
    for file, content in files.items():
        (tmp_path / file).write_text(content, encoding="utf-8")
    for words in BEFORE.get(name, ()):
        evenhand(*words, cwd=tmp_path)
    for each in typed:
        if each.words and each.words[0] == "evenhand":
            check(each, tmp_path)


def check(each, folder):
    """Type a line, or read its options, and look at what the terminal shows."""
    if "[--" in each.line:
        assert_synopsis(each.line)
        return
    words = each.words[1:]
    if "<" not in words:
        understood(words)
    words = runnable(words)
    if words is None:
        return
    if words[0] in FEWER and "--sample" in words and not each.shown:
        words[words.index("--sample") + 1] = FEWER[words[0]]
    fill_in_what_others_do(words, folder)
    if each.line.startswith(IN_A_TERMINAL):
        code, lines = in_a_terminal(
            shlex.join(["evenhand", *words]).replace("'<'", "<").replace("'>'", ">"), cwd=folder
        )
    else:
        # Pages are drawn in screens and elsewhere; what is shown of a run names its page.
        less = () if each.shown or "--no-report" not in options()[command_of(words)] else ("--no-report",)
        done = evenhand(*words, *less, cwd=folder, env=environment(COLUMNS=str(COLUMNS)))
        code, lines = done.returncode, done.stdout.splitlines()
    assert code == 0, "\n".join([each.line, *lines])
    assert [line for line in lines if len(line) > COLUMNS] == [], each.line
    assert "…" in each.line or not [line for line in lines if "…" in line], each.line
    shown = "\n".join(each.shown)
    assert f"\n{shown}\n" in "\n".join(["", *lines, ""]) or not shown, "\n".join(lines)
    for line in lines:
        if line.startswith("Open "):
            assert_nothing_cut(lines, Path(line.removeprefix("Open ")), folder=folder)


def fill_in_what_others_do(words, folder):
    """Write what somebody else would have written before a line is typed."""
    if "sheet-key.csv" in words:
        label(folder)
    if "arms" in words and "--join" in words:
        score_arms(folder)
    if words[:2] == ["data", "answers"]:
        answer_requests(folder)
    if words[:2] == ["monitor", "golden"] and words[3].endswith(".csv"):
        fill_in(folder / words[3])


def assert_synopsis(line):
    """Check the options that a line only names."""
    command = next(
        name for name in sorted(KINDS | EXAMPLES, key=len, reverse=True) if line.startswith(f"evenhand {name}")
    )
    known = set(OPTION.findall(evenhand(command, "--help-all", cwd=ROOT).stdout))
    assert set(OPTION.findall(line)) <= known, line


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_commands_in_running_text_have_the_options_that_it_names(path):
    for line in re.findall(r"`(evenhand \w[^`]*--[^`]*)`", path.read_text("utf-8")):
        if "COMMAND" not in line:
            assert_synopsis(line.replace("\\|", "|"))


def runnable(words):
    """Return the words as they can be typed here and now, None where something is lacking."""
    words = list(words)
    asked = next((option for option in ("--model", "--scorer") if option in words), None)
    if asked is not None and words[0] != "plan":
        place = words.index(asked) + 1
        if words[place].partition(":")[0] in NEEDED:
            if "--out" not in words or words[words.index("--out") + 1] not in STOOD_IN_FOR:
                return None
            words[place] = STAND_IN
    if words[0] in {"audit", "probe"}:
        words = [word for word in words if word != "--all"]
        words = [*words, "--sample", SAMPLE] if "--sample" not in words else words
        words[words.index("--sample") + 1] = next((LEAST[word] for word in words if word in LEAST), SAMPLE)
    return words


def assert_nothing_cut(lines, report, *, folder):
    """Check that a terminal of any width shows the same words and numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(WIDE))
        patch.chdir(folder)
        wide = run_text(read_result(report.parent), report.parent)
    told = wide[: wide.index("\nOpen ")].split()
    seen = " ".join(lines).split()
    assert [word for word in told if seen.count(word) < told.count(word)] == []


def test_the_python_of_the_page_on_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text("utf-8"), re.DOTALL):
        exec(block.replace("sample=2000", f"sample={SAMPLE}"), names)
    assert names["run"].report_path.is_file()


def test_a_line_with_a_remark_and_what_it_shows_are_found(tmp_path):
    document = tmp_path / "a.md"
    blocks = ["`a.csv`:", "```\nx,y\n```", "```\nevenhand data   # lists\n```", "```\nData\n```", "```python\n1\n```\n"]
    document.write_text("\n\n".join(blocks), encoding="utf-8")
    typed, files = read(document)
    assert typed == [Typed("evenhand data   # lists", ("Data",))]
    assert typed[0].words == ["evenhand", "data"]
    assert files == {"a.csv": "x,y\n"}
