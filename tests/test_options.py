"""An option is declared once, and stands on the command line, in Python, in its check, in manifests and 'reproduce'."""

import importlib.util
import inspect
import re
import shlex
from dataclasses import dataclass, make_dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

import evenhand as eh
from evenhand.analyses.manifest import manifest_of
from evenhand.analyses.open_model import open_model
from evenhand.analyses.options.probes import ModelRequestOptions, ProbeOptions, SuiteOptions, offered
from evenhand.analyses.options.reproduce import reproduce_line, suite_words
from evenhand.analyses.records import check_resumable, probe_manifest
from evenhand.cli import COMMANDS, app
from evenhand.cli._command import command
from evenhand.errors import InputError, option_text
from evenhand.options import Group, Option, declared, from_python, to_manifest, words
from evenhand.probes import PROBES
from evenhand.results.result import RunFolder

ROOT = Path(__file__).parents[1]
PATH_HELD = {"file": "a.csv", "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}


@dataclass(frozen=True)
class Case:
    """An option `added` as it is declared, given, and shown."""

    type: object
    default: object
    typed: str
    given: object
    value: object
    signature: str
    words: str
    kept: object
    shown: tuple[str, ...] = ("--added",)
    more: tuple[tuple[str, object], ...] = ()

    @property
    def group(self):
        option = Option("What it does.", **dict(self.more))
        added = [("added", Annotated[self.type, option], self.default)]
        return make_dataclass("Added", added, bases=(Group,), frozen=True, kw_only=True)


def even(number):
    return number % 2 == 0


def doubled(text: str) -> str:
    return text * 2


CASES = {
    "a whole number": Case(
        int, 3, "--added 4", 4, 4, "added: int = 3", "--added 4", 4, ("--added <int>", "[default: 3]")
    ),
    "a number that may be left out": Case(
        float | None, None, "--added .5", 0.5, 0.5, "added: float | None = None", "--added 0.5", 0.5
    ),
    "text": Case(str | None, None, "--added x", "x", "x", "added: str | None = None", "--added x", "x"),
    "a flag": Case(bool, False, "--added", True, True, "added: bool = False", "--added", True),
    "a flag that takes away": Case(
        bool, True, "--no-added", False, False, "added: bool = True", "--no-added", False, ("--no-added",)
    ),
    "several": Case(
        tuple[str, ...],
        (),
        "--added a --added b,c",
        ["a", "b,c"],
        ("a", "b,c"),
        "added: str | collections.abc.Sequence[str] = ()",
        "--added a --added b,c",
        ["a", "b,c"],
    ),
    "several numbers, with commas between": Case(
        tuple[float, ...],
        (),
        "--added 1,2.5",
        [1, 2.5],
        (1.0, 2.5),
        "added: float | collections.abc.Sequence[float] = ()",
        "--added 1 --added 2.5",
        [1.0, 2.5],
        more=(("commas", True),),
    ),
    "a file": Case(
        Path | None,
        None,
        "--added a.csv",
        "a.csv",
        Path("a.csv"),
        "added: str | pathlib.Path | None = None",
        "--added a.csv",
        PATH_HELD,
        ("--added <path>",),
    ),
    "a day": Case(
        date | None,
        None,
        "--added 2026-11-01",
        date(2026, 11, 1),
        date(2026, 11, 1),
        "added: datetime.date | None = None",
        "--added 2026-11-01",
        "2026-11-01",
    ),
    "a choice": Case(
        str,
        "one",
        "--added two",
        "two",
        "two",
        "added: str = 'one'",
        "--added two",
        "two",
        ("--added <one|two>", "[default: one]"),
        more=(("choices", ("one", "two")),),
    ),
    "what is read": Case(
        str | None,
        None,
        "--added a",
        "a",
        "aa",
        "added: str | None = None",
        "--added aa",
        "aa",
        more=(("read", doubled),),
    ),
    "another name": Case(
        bool, False, "--other", True, True, "added: bool = False", "--other", True, ("--other",), (("flag", "--other"),)
    ),
}


def taking(group):
    """Return a function that takes the group, and the list of what it was called with."""
    seen = []

    def called(options):
        seen.append(options)

    called.__annotations__ = {"options": group}
    return called, seen


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_declaration_is_all_that_an_option_needs(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").touch()
    group = case.group
    wanted = group(added=case.value)

    called, seen = taking(group)
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command()(command()(called))
    done = CliRunner().invoke(alone, shlex.split(case.typed))
    assert (done.exit_code, seen) == (0, [wanted]), done.output
    assert CliRunner().invoke(alone, []).exit_code == 0
    assert seen[1:] == [group()]
    told = " ".join(CliRunner().invoke(alone, ["--help"]).output.split())
    assert all(text in told for text in (*case.shown, "What it does."))

    called, seen = taking(group)
    function = from_python()(called)
    assert str(inspect.signature(function)) == f"(*, {case.signature})"
    function(added=case.given)
    function()
    assert seen == [wanted, group()]

    assert shlex.join(words(wanted)) == case.words
    assert words(group()) == []
    assert to_manifest(wanted) == {"added": case.kept}
    assert (to_manifest(group(), only_given=True), to_manifest(wanted, only_given=True)) == ({}, to_manifest(wanted))


@pytest.mark.parametrize(
    ("type_", "given", "told"),
    [
        (int, "4", "added is '4'; expected a whole number."),
        (int, True, "added is True; expected a whole number."),
        (float, "4", "added is '4'; expected a number."),
        (str, 4, "added is 4; expected text."),
        (bool, "no", "added is 'no'; expected True or False."),
        (tuple[str, ...], [4], "added holds 4; expected texts."),
        (Path, 4, "added is 4; expected a path."),
    ],
)
def test_python_values_of_another_type_are_refused(type_, given, told):
    group = make_dataclass(
        "Added", [("added", Annotated[type_, Option("")])], bases=(Group,), frozen=True, kw_only=True
    )
    with pytest.raises(InputError) as refused:
        from_python()(taking(group)[0])(added=given)
    assert str(refused.value) == told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: eh.probe(3, "sim:random"), "name is of type int; expected str."),
        (lambda: eh.plan(None, "sim:random"), "name is of type NoneType; expected str."),
        (lambda: eh.measure("hiring-an", 3), "answers is of type int; expected str | pathlib.Path."),
        (
            lambda: eh.probe("hiring-an", "sim:random", shard=3),
            "shard is 3; expected a part and how many there are, as in '1/4'.",
        ),
        (
            lambda: eh.impact({}, reference=[3]),
            "reference is [3]; expected 'highest', 'largest', 'ATTRIBUTE=GROUP' or {'ATTRIBUTE': 'GROUP'}.",
        ),
        (
            lambda: eh.impact({}, reference={"a": None}),
            "reference is {'a': None}; expected 'highest', 'largest', 'ATTRIBUTE=GROUP' or {'ATTRIBUTE': 'GROUP'}.",
        ),
        (lambda: eh.probe("an2024", "sim:random", roles=[7]), "roles is [7]; expected '7', '41' or a file."),
        (lambda: eh.audit("sim:random", suite=3), "suite is 3; expected text."),
        (
            lambda: eh.audit("sim:random", suite="standart"),
            "suite='standart' is unknown; expected one of standard, full. Did you mean standard?",
        ),
        (
            lambda: eh.plan("hiring-an", "sim:random", out="x"),
            "plan has no option 'out'. There are affinity, base_templates, batch, corpus, cutoff, design, everything, "
            "frequency_penalty, instructed, inventories, labels, masked, max_tokens, mixed, model, monte_carlo, name, "
            "names, num_reorders, occupations, pile, positions, presence_penalty, preset, prices, pronouns, range, "
            "repetitions, resumes, roles, sample, seed, seeds, smoothing, steps, structured, system, temperature, "
            "templates, top_p.",
        ),
    ],
)
def test_functions_refuse_what_is_no_value_of_theirs_in_one_line(call, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        call()
    assert str(refused.value) == told
    assert not list(tmp_path.iterdir())


def test_what_the_check_denies_is_refused_wherever_it_comes_from():
    group = Case(int, 0, "", 0, 0, "", "", 0, more=(("check", even), ("expected", "an even number"))).group
    told = "--added is 3; expected an even number."
    called, _ = taking(group)
    alone = typer.Typer()
    alone.command()(command()(called))
    for refuse, shown in ((lambda: group(added=3), told), (lambda: from_python()(called)(added=3), told[2:])):
        with pytest.raises(InputError) as refused:
            refuse()
        assert str(refused.value) == shown
    assert str(CliRunner().invoke(alone, ["--added", "3"]).exception) == told


def test_a_check_sees_each_of_several():
    group = Case(tuple[int, ...], (), "", 0, 0, "", "", 0, more=(("check", even), ("expected", "even numbers"))).group
    assert group(added=(2, 4)).added == (2, 4)
    with pytest.raises(InputError, match=r"^--added is 3; expected even numbers\.$"):
        group(added=(2, 3))


@dataclass(frozen=True, kw_only=True)
class Patient(ProbeOptions):
    """The options of a probe, and one more."""

    patience: Annotated[int, Option("Days to wait.")] = 1


def test_a_new_option_of_a_probe_is_in_its_manifest_and_in_what_reproduces_it():
    probe, options = PROBES["hiring-an"], Patient(model="sim:random", sample=4, patience=9)
    model = open_model("sim:random", probe=probe, seed=0, service=options)
    manifest = probe_manifest(probe, probe.designs["card"], model, options, 4)
    assert manifest["parameters"]["patience"] == 9
    assert reproduce_line(probe, probe.designs["card"], options).endswith("--seed 0 --patience 9")


def test_what_is_of_one_machine_is_left_out_of_what_all_machines_ask():
    options = SuiteOptions(model="openai:m", base_url=("http://a/v1",), redact_answers=True, batch=True)
    assert suite_words(options)[-4:] == ["--base-url", "http://a/v1", "--batch", "--redact-answers"]
    assert suite_words(options, machine=False)[-3:] == ["--seed", "0", "--batch"]


def test_runs_that_go_on_are_asked_the_same(tmp_path):
    probe = PROBES["hiring-an"]

    def manifest(**changed):
        options = ProbeOptions(**{"model": "sim:random", "sample": 4, **changed})
        model = open_model(options.model, probe=probe, seed=options.seed, service=options)
        return probe_manifest(probe, probe.designs[options.design or "card"], model, options, 4)

    before = manifest_of(manifest())
    check_resumable(before, manifest(timeout=3.0, repetitions=2), RunFolder(tmp_path))
    for changed in ({"seed": 1}, {"design": "matched"}, {"until_width": 0.2}, {"model": "sim:masculine"}):
        with pytest.raises(InputError, match=f"was run with {next(iter(changed)).replace('_', '-')} "):
            check_resumable(before, manifest(**changed), RunFolder(tmp_path))


def test_settings_are_offered_once_and_by_what_they_change():
    every = [each.name for each in offered()]
    assert len(set(every)) == len(every) >= 10
    # A file as --design is a setting, and the option is there already.
    assert {each.name for name in PROBES for each in declared(PROBES[name].settings)} == {*every, "design"}
    assert [each.name for each in offered(["hiring-an"])] == ["names"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_found_where_the_list_says(name):
    done = CliRunner().invoke(app, [name, "--help"])
    assert done.exit_code == 0, done.output
    assert " ".join(COMMANDS[name][1].split()[:3]) in " ".join(done.output.split()) or name in {
        "collect",
        "export",
        "data",
    }


def test_the_stub_says_what_the_signatures_say():
    place = importlib.util.spec_from_file_location("write_stub", ROOT / "scripts" / "write_stub.py")
    script = importlib.util.module_from_spec(place)
    place.loader.exec_module(script)
    assert script.STUB.read_text("utf-8") == script.stub(), "run python scripts/write_stub.py"
    assert script.STATS_STUB.read_text("utf-8") == script.stats_stub(), "run python scripts/write_stub.py"


def test_lower_layers_name_options_by_their_fields():
    """The command line and Python write them in their own words, where a flag isn't the field's name, too."""
    error = InputError(f"Give {option_text('everything')} or {option_text('protected', 'a,b')}.")
    assert str(error) == "Give --everything or --protected a,b."

    @command()
    def refuse(options: ModelRequestOptions) -> None:
        assert options.model == "sim:unbiased"
        raise error

    with pytest.raises(InputError, match=re.escape("Give --all or --protected a,b.")):
        refuse(model="sim:unbiased")
    again = InputError(f"Give {option_text('report', 'a')}, or {option_text('protected', 'a, b')}.")

    @from_python()
    def refused(options: ModelRequestOptions) -> None:
        assert options.model == "sim:unbiased"
        raise again

    with pytest.raises(InputError, match=re.escape('Give report="a", or protected=["a", "b"].')):
        refused("sim:unbiased")


def test_data_and_comparisons_write_no_option_of_the_command_line():
    """What goes into files is left: readers of reports have no field names."""
    source = ROOT / "src" / "evenhand"
    written = re.compile(r"""raise \w+\([^#]{0,300}?[^-\w"']--[a-z]""")
    hits = [
        f"{path.name}: {match[0][-60:]}"
        for folder in ("comparisons", "data")
        for path in sorted((source / folder).glob("*.py"))
        for match in written.finditer(path.read_text("utf-8"))
    ]
    assert hits == []
