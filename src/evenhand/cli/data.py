"""Commands on data: the package's tables, names, labels, a synthetic company."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options.output import AgreementOptions, CompanyOptions, ExampleOptions, NameOptions, SheetOptions
from evenhand.analyses.options.probes import AnswersOptions, PromptsOptions, offered
from evenhand.cli._command import (
    AsJson,
    ResultOutputOptions,
    command,
    notice,
    notices,
    print_data,
    print_json,
    print_out,
    print_path,
    print_result,
)
from evenhand.cli._help import family
from evenhand.cli.probes import ProbeName

data = family()


@data.callback(invoke_without_command=True)
@command()
def data_root(ctx: typer.Context, output: AsJson) -> None:
    """List the data in this package; the commands below make names, labels, prompts and companies."""
    if ctx.invoked_subcommand is None:
        from evenhand.analyses.data import listed_data

        (print_json if output.json else print_out)(listed_data(json=output.json))


@data.subcommand("names")
def data_names(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="CSV or Parquet with one row per first name.")],
    options: NameOptions,
    output: ResultOutputOptions,
) -> None:
    """Choose names that signal one race and one gender, as An et al. 2024 did."""
    from evenhand.analyses.data import choose_names

    chosen = choose_names(table, options, notice=notices(output))
    if options.out is not None or output.json:
        print_result(chosen, output, path=options.out)
        return
    print_data(chosen.csv.rstrip("\n"))
    if not output.quiet:
        for line in chosen.text.splitlines():
            notice(line)


@data.subcommand("label-sheet")
def data_label_sheet(
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS",
            help="Saved answers (JSONL, Parquet), the run of a probe, or the folder of perturb --write-arms.",
        ),
    ],
    options: SheetOptions,
    output: ResultOutputOptions,
) -> None:
    """Write a sheet of answers, or of perturbed texts, without names and groups for two people to label."""
    from evenhand.analyses.labelling import write_label_sheet

    print_result(write_label_sheet(answers, options, notice=notices(output)), output, path=options.out)


@data.subcommand("prompts", settings=offered(where=lambda field: field.option.changes == "prompts"))
def data_prompts(name: ProbeName, options: PromptsOptions, output: ResultOutputOptions) -> None:
    """Write the prompts of a probe, each with an id, for other tools and for batch APIs."""
    from evenhand.analyses.saved_answers import write_prompts

    print_result(write_prompts(name, options, notice=notices(output)), output)


@data.subcommand("answers", settings=offered(where=lambda field: field.option.changes == "prompts"))
def data_answers(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Output and input of batches, logs of evaluation tools, or tables."),
    ],
    options: AnswersOptions,
    output: ResultOutputOptions,
) -> None:
    """Convert answers that other tools saved, for `measure` and `replay:`."""
    from evenhand.analyses.saved_answers import write_answers

    print_result(write_answers(files, options, notice=notices(output)), output)


@data.subcommand("agreement")
def data_agreement(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="Sheet of both annotators, or of the first.")],
    options: AgreementOptions,
    output: ResultOutputOptions,
    second: Annotated[Path | None, typer.Argument(metavar="SHEET2", help="Sheet of the second annotator.")] = None,
) -> None:
    """Measure the agreement of two annotators: kappa, confusion tables, agreed labels."""
    from evenhand.analyses.labelling import measure_agreement

    sheets = [sheet] if second is None else [sheet, second]
    print_result(measure_agreement(sheets, options, notice=notices(output)), output, path=options.out)


@data.subcommand("example")
def data_example(
    name: Annotated[
        str,
        typer.Argument(
            metavar="EXAMPLE", help="Name of the example, such as hiring-bias-2026; evenhand data lists them."
        ),
    ],
    options: ExampleOptions,
    output: ResultOutputOptions,
) -> None:
    """Write an example table with real data, to try the commands on."""
    from evenhand.analyses.data import write_example

    print_path(write_example(name, out=options.out, force=options.force, notice=notices(output)), output)


@data.subcommand("company")
def data_company(options: CompanyOptions, output: ResultOutputOptions) -> None:
    """Write a synthetic company with known differences: people, positions, applications, two years of decisions."""
    from evenhand.analyses.data import write_company

    print_result(write_company(options), output, path=options.out)
