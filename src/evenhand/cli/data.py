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
    """List the data in this package; the commands below choose names and label e-mails."""
    if ctx.invoked_subcommand is None:
        from evenhand.analyses.data import listed_data

        (print_json if output.json else print_out)(listed_data(json=output.json))


@data.command("names")
@command()
def data_names(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="CSV or Parquet, one row per first name.")],
    options: NameOptions,
    output: ResultOutputOptions,
) -> None:
    """Choose names that signal one race and one gender, as An et al. 2024 did."""
    from evenhand.analyses.data import choose_names

    chosen = choose_names(table, options, notice=notices(output))
    if output.json:
        print_json(chosen.json)
    elif options.out is None:
        print_data(chosen.csv.rstrip("\n"))
        if not output.quiet:
            for line in chosen.summary.splitlines():
                notice(line)
    else:
        print_out(str(options.out) if output.quiet else chosen.summary)


@data.command("label-sheet")
@command()
def data_label_sheet(
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS",
            help="Saved answers (JSONL, Parquet), a probe's run, or the folder of perturb --write-arms.",
        ),
    ],
    options: SheetOptions,
    output: ResultOutputOptions,
) -> None:
    """Write answers without names or groups for two people to label: a decision, a score; or arms, if plausible."""
    from evenhand.analyses.labelling import write_label_sheet

    written = write_label_sheet(answers, options, notice=notices(output))
    if output.json:
        print_json(written.json)
    else:
        print_out(str(options.out) if output.quiet else written.text)


@data.command("prompts")
@command(settings=offered(where=lambda field: field.option.changes == "prompts"))
def data_prompts(name: ProbeName, options: PromptsOptions, output: ResultOutputOptions) -> None:
    """Write a probe's prompts, each with its id, for other tools and for batches."""
    from evenhand.analyses.saved_answers import write_prompts

    print_result(write_prompts(name, options, notice=notices(output)), output)


@data.command("answers")
@command(settings=offered(where=lambda field: field.option.changes == "prompts"))
def data_answers(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Output and input of batches, logs of evaluation tools, tables."),
    ],
    options: AnswersOptions,
    output: ResultOutputOptions,
) -> None:
    """Turn answers that other tools saved into saved answers for `measure` and `replay:`."""
    from evenhand.analyses.saved_answers import write_answers

    print_result(write_answers(files, options, notice=notices(output)), output)


@data.command("agreement")
@command()
def data_agreement(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="A sheet filled in by both, or by the first.")],
    options: AgreementOptions,
    output: ResultOutputOptions,
    second: Annotated[Path | None, typer.Argument(metavar="SHEET2", help="The second annotator's sheet.")] = None,
) -> None:
    """Compare two people's labels, and with --key the reader's: kappa, confusion tables, labels to train on."""
    from evenhand.analyses.labelling import measure_agreement

    sheets = [sheet] if second is None else [sheet, second]
    agreement = measure_agreement(sheets, options, notice=notices(output))
    if output.json:
        print_json(agreement.json)
    elif not output.quiet:
        print_out(agreement.text)
    elif options.out is not None:
        print_out(str(options.out))


@data.command("example")
@command()
def data_example(
    name: Annotated[
        str,
        typer.Argument(metavar="EXAMPLE", help="Such as hiring-bias-2026; evenhand data says what there is."),
    ],
    options: ExampleOptions,
    output: ResultOutputOptions,
) -> None:
    """Write the rows of a real selection process, to try other commands on."""
    from evenhand.analyses.data import write_example

    print_path(write_example(name, out=options.out, force=options.force, notice=notices(output)), output)


@data.command("company")
@command()
def data_company(options: CompanyOptions, output: ResultOutputOptions) -> None:
    """Write a synthetic company whose truth is known: people, positions, applications and decisions of two years."""
    from evenhand.analyses.data import write_company

    written = write_company(options)
    if output.json:
        print_json(written.json)
    else:
        print_out(str(written.path) if output.quiet else written.text)
