"""The help of each command: its options in panels by purpose, and the example at its end.

`--help` shows the options that are used most, `--help-all` every one.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from evenhand.cli._command import command, print_out
from evenhand.options import Declared
from evenhand.results.kinds import kind_commands, run_kind

#: The commands that kinds of run declare.
KINDS: Final = kind_commands()
#: The example at the end of the help of each other command; tests run all of them.
EXAMPLES: Final = {
    "demo": "demo --out runs/demo",
    "doctor": "doctor",
    "plan": "plan hiring-an --model sim:unbiased",
    "plan impact": "plan impact --rate .3 --ratio .8 --groups 4 --out plan.html",
    "match train": "match train company/pairs.csv --people company/people.jsonl --positions company/positions.jsonl "
    "--label advanced --protected gender,race --out runs/match",
    "match score": "match score --matcher runs/match/matcher.json --people company/people.jsonl "
    "--positions company/positions.jsonl --pairs company/pairs.csv --out runs/scores",
    "match explain": "match explain --matcher runs/match/matcher.json --people company/people.jsonl "
    "--positions company/positions.jsonl --pairs company/pairs.csv --out runs/explained",
    "match recommend": "match recommend --matcher runs/match/matcher.json --people company/people.jsonl "
    "--positions company/positions.jsonl --for positions --top 5 --out runs/recommended",
    "monitor record": "monitor record decisions.csv --store history.db --model screener --time decided_at "
    "--time-zone Europe/Berlin --score score --selected invited --protected gender",
    "monitor check": "monitor check --store history.db",
    "monitor report": "monitor report --store history.db --model ranker --period 2026-02 --out runs/2026-02",
    "monitor acknowledge": "monitor acknowledge 1 --store history.db --by ana --note 'New job titles'",
    "monitor alarms": "monitor alarms --store history.db",
    "monitor assign": "monitor assign 1 --store history.db --to 'model owner' --by ana",
    "monitor mute": "monitor mute 1 --store history.db --days 30 --by ana --note 'Audit in January'",
    "monitor golden add": "monitor golden add cases.jsonl --store golden.db --positions positions.jsonl "
    "--reason 'Audit of March'",
    "monitor golden propose": "monitor golden propose --store golden.db --switch-on --by carla --keep-days 90",
    "monitor golden label": "monitor golden label --store golden.db --by ana --out ana.csv",
    "monitor golden adjudicate": "monitor golden adjudicate --store golden.db --by carla --out carla.csv",
    "monitor golden agreement": "monitor golden agreement --store golden.db",
    "monitor golden import": "monitor golden import labelled.jsonl --store golden.db",
    "monitor golden close": "monitor golden close --store golden.db --by carla",
    "monitor golden run": "monitor golden run --store golden.db --model screener --scorer sim:unbiased --cutoff 65 "
    "--out runs/golden",
    "monitor golden export": "monitor golden export --store golden.db --out golden.jsonl",
    "monitor golden forget": "monitor golden forget 3-female --store golden.db",
    "monitor status": "monitor status --store history.db",
    "monitor verify": "monitor verify --store history.db",
    "monitor backup": "monitor backup --store history.db --out backup.db",
    "monitor restore": "monitor restore backup.db --store restored.db",
    "serve": "serve --store history.db --runs runs",
    "mask": "mask resume.txt --out masked.txt",
    "bundle": "bundle runs/first --out first.zip",
    "verify": "verify evidence.zip",
    "keys new": "keys new --out audit.key",
    "report": "report runs/first --out page.html",
    "data names": "data names names.csv --out chosen.csv",
    "data label-sheet": "data label-sheet runs/an2024 --out sheet.csv",
    "data prompts": "data prompts hiring-an --sample 400 --format openai-batch --model gpt-4o --out requests.jsonl",
    "data answers": "data answers output.jsonl --probe hiring-an --out saved.jsonl",
    "data agreement": "data agreement first.csv second.csv --out labels.csv",
    "data example": "data example berkeley-1973",
    "data company": "data company --out company",
    "collect merge": "collect merge runs/part-1 runs/part-2 --out runs/whole",
    "export inspect": "export inspect runs/first --out log.eval",
}

#: A command with more options than this shows the most used, and `--help-all` the others.
FEW: Final = 12
#: A command with more options than this shows them in panels.
ONE_PANEL: Final = 16

#: The options by purpose, in the order of the help.
PANELS: Final = {
    heading: tuple(names.split())
    for heading, names in {
        "Model or scorer": "model suite scorer request score_at wording version base_url",
        "Sample and design": "everything sample design repetitions",
        "Store and times": "store time time_zone future batch_id latency rules",
        "Groups": "protected by reference intersectional min_share reference_floor age age_at age_bands eeo1 unknown "
        "map missing",
        "Scores, labels and selection": "selected label score cutoff undecided median means at_least at_most below "
        "range margin top status decided_by",
        "Counts instead of one row per person": "counts count applicants selected_count selection_rate weight totals "
        "suppressed",
        "Comparison": "position cluster given block four_fifths share availability against against_cutoff",
        "Stages, periods and repeated rows": "stage funnel furthest sheets period unit",
        "Names, résumés and prompts": "people positions pairs names names_per_group arms placebo resumes corpus "
        "num_reorders occupations roles templates base_templates seeds inventories pronouns affinity pile steps masked "
        "instructed structured system cache",
        "Features and training": "without expect compare_with scan fairness stop_on test_share similar_by "
        "similar_within text match_run",
        "Existing scores and answers": "scores arm level baseline placebo_arm item name run compare_by wide summary "
        "write_arms join probe answer on",
        "Reading of answers and measures": "judge judge_base_url labels compat smoothing mixed monte_carlo",
        "Requests and cost": "resume retry_errors shard timeout concurrency rpm tpm prices batch max_requests max_cost "
        "until_width",
        "Decoding": "preset temperature max_tokens top_p frequency_penalty presence_penalty",
        "Table": "where table sheet header_row footer unpack_limit",
        "New York Local Law 144": "ll144 ll144_tables exclude exclusion_reason exclusion_base tool audit_date auditor "
        "distribution_date data_source",
        "Output": "out check format fail_on junit markdown force seed report redact_answers show_pairs json quiet "
        "help help_all",
    }.items()
}

#: The most used options of commands with many; required options, --out and --fail-on are added.
MOST_USED: Final = {
    "plan": "sample everything design repetitions prices batch json",
    "plan impact": "groups sizes reference cluster_size intraclass power",
    "match train": "fairness test_share",
    "match recommend": "ranked top listed pairs",
    "monitor record": "model time time_zone score selected protected label position",
    "monitor report": "model by reference",
    "monitor golden propose": "model positions unit draw keep_days switch_on switch_off by",
    "monitor golden run": "scorer version against base_url resume",
    "serve": "store runs analyses cutoffs host port browser",
    "mask": "known_names optional strict pronouns mapping jsonl evaluate",
    "data names": "top min_count min_share name_column count_column race gender",
    "data prompts": "model sample everything design names",
    "data answers": "probe answer item join on map names",
    "collect merge": "names redact_answers",
    "export inspect": "sample",
}
_ALWAYS: Final = ("out", "fail_on", "help", "help_all")
#: The kinds of run that a command with --fail-on makes, where no kind alone declares it.
MADE: Final = {
    "impact": ("impact", "availability"),
    "perturb": ("perturb", "study"),
    "match train": ("match",),
    "monitor report": ("impact",),
    "monitor golden run": ("golden",),
    "collect merge": ("merge",),
}
#: What help calls a value: by the option, else by the first word of its help, else by its type.
_VALUES: Final = {
    way: value
    for value, ways in {
        "COLUMN": "Column applicants selected_count selection_rate arm level",
        "COLUMNS": "Columns",
        "COLUMN=VALUE,…": "undecided",
        "GROUP": "reference",
        "GROUP=N/M,…": "counts",
        "FILE": "inputs path",
        "DATE": "%Y-%m-%d",
        "FOLDER": "Folder",
        "HOST": "host",
        "MODEL": "model judge",
        "NAME": "design preset sheet table",
        "NUMBER": "cutoff float",
        "N": "int",
        "N/M": "shard",
        "PROBE": "probe",
        "SCORER": "scorer",
        "SQL": "where",
        "TABLE": "compare_with",
        "TEXT": "str",
        "URL": "base_url judge_base_url",
    }.items()
    for way in ways.split()
}
_EVERY = "evenhand.help_all"


def _show_all(ctx: Any, _: Any, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_EVERY] = True
        print_out(ctx.get_help())
        ctx.exit()


class Command(TyperCommand):
    """A command whose help has panels, an example, and `--help-all`."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return its parameters, `--help` and `--help-all`."""
        every = TyperOption(
            param_decls=["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit.",
        )
        return [*super().get_params(ctx), every]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, options by panel, and the conditions of --fail-on."""
        params = self.get_params(ctx)
        options = [param for param in params if param.param_type_name == "option"]
        for param in options:
            param.metavar = param.metavar or _metavar(param, ctx)
        shown = options if ctx.meta.get(_EVERY) else self._most_used(ctx, options)
        panels = {"Arguments": [param for param in params if param not in options]} | _panels(options, shown)
        for heading, members in panels.items():
            if records := [record for param in members if (record := param.get_help_record(ctx)) is not None]:
                with formatter.section(heading):
                    formatter.write_dl(records)
        if any(param.name == "fail_on" for param in shown):
            _write_conditions(formatter, _path(ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write where more options are, and the example."""
        path = _path(ctx)
        options = [param for param in self.get_params(ctx) if param.param_type_name == "option"]
        more = len(options) > len(self._most_used(ctx, options)) + 1 and not ctx.meta.get(_EVERY)
        lines = [f"More options: evenhand {path} --help-all"] if more else []
        lines += [f"Example: evenhand {example_of(path)}"] if path in KINDS | EXAMPLES else []
        for line in lines:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(line)

    @staticmethod
    def _most_used(ctx: Any, options: list[Any]) -> list[Any]:
        """Return the options that --help shows."""
        if len(options) <= FEW + 1:
            return [param for param in options if param.name != "help_all"]
        names = (*most_used(_path(ctx)), *_ALWAYS)
        return [param for param in options if param.required or param.name in names]


class Group(TyperGroup):
    """A command with commands below it, whose summaries are shown whole."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take --help-all as --help, which shows all that there is."""
        return super().parse_args(ctx, ["--help"] if args[:1] == ["--help-all"] else args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help or "") for name, command in commands if command is not None])


def example_of(path: str) -> str:
    """Return the example of a command."""
    return run_kind(KINDS[path][0]).example if path in KINDS else EXAMPLES[path]


def most_used(path: str) -> list[str]:
    """Return the options of a command that --help shows, by name."""
    return (run_kind(KINDS[path][0]).most_used if path in KINDS else MOST_USED.get(path, "")).split()


class Family(typer.Typer):
    """A typer application whose commands have this help."""

    def command(self, *args: Any, **named: Any) -> Any:
        """Return the decorator of a command."""
        return super().command(*args, **({"cls": Command} | named))

    def subcommand(
        self, name: str, *, settings: Iterable[Declared] = (), without: Collection[str] = ()
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Return a decorator that makes a function a command below this one, its groups options (see `command`)."""
        return lambda function: self.command(name)(command(settings=settings, without=without)(function))


def family(**more: Any) -> Family:
    """Return a typer application with our defaults."""
    defaults = {"cls": Group, "rich_markup_mode": None, "add_completion": False, "pretty_exceptions_enable": False}
    return Family(**(defaults | more))


def _panels(options: list[Any], shown: list[Any]) -> dict[str, list[Any]]:
    """Return the shown options by panel, in each the order of the table; one panel where there are few."""
    if len(options) <= ONE_PANEL:
        return {"Options": sorted(shown, key=lambda param: not param.required)}
    by_name = {param.name: param for param in shown}
    panels = {heading: [by_name.pop(name) for name in names if name in by_name] for heading, names in PANELS.items()}
    return panels | {"Options": [*by_name.values()]}


def _metavar(param: Any, ctx: Any) -> str:
    """Return what help calls the value of an option."""
    kind = param.make_metavar(ctx).strip("<>")
    ways = (param.name, (param.help or "").partition(" ")[0], kind)
    return next((_VALUES[way] for way in ways if way in _VALUES), kind)


def _path(ctx: Any) -> str:
    """Return the name of a command below evenhand, such as 'data example'."""
    names: list[str] = []
    while ctx.parent is not None:
        names, ctx = [ctx.info_name, *names], ctx.parent
    return " ".join(names)


def _write_conditions(formatter: Any, path: str) -> None:
    """Write which conditions a command's --fail-on can have."""
    from evenhand.analyses.options.conditions import conditions_of

    made = MADE.get(path) or KINDS.get(path, ())[:1]
    if conditions := conditions_of(made):
        with formatter.section("Conditions of --fail-on"):
            formatter.write_dl([(condition.form, condition.described(made)) for condition in conditions.values()])
