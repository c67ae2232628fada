"""Commands about data: what the package holds, names, labels."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._app import data
from evenhand.cli._options import FileForce, FileQuiet, NumberKind, ResultJson
from evenhand.cli._show import notice, print_data, print_json, print_out, silent, split


@data.callback(invoke_without_command=True)
def data_root(ctx: typer.Context, json: ResultJson = False) -> None:
    """List the data in this package; the commands below choose names and label e-mails."""
    if ctx.invoked_subcommand is None:
        from evenhand.commands.data_list import listed_data

        (print_json if json else print_out)(listed_data(json=json))


@data.command("names")
def data_names(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="CSV or Parquet, one row per first name.")],
    top: Annotated[int, typer.Option("--top", help="Names per race and gender.")] = 50,
    min_count: Annotated[float, typer.Option("--min-count", help="A name occurs more often than this.")] = 1000,
    min_share: Annotated[float, typer.Option("--min-share", help="Majorities are larger than this.")] = 0.5,
    name_column: Annotated[str | None, typer.Option("--name-column", help="Column of the names.")] = None,
    count_column: Annotated[str | None, typer.Option("--count-column", help="Column of the counts.")] = None,
    race: Annotated[
        list[str] | None, typer.Option("--race", metavar="GROUP=COLUMN", help="Column of a race; give each.")
    ] = None,
    gender: Annotated[
        list[str] | None, typer.Option("--gender", metavar="GROUP=COLUMN", help="Column of a gender; give each.")
    ] = None,
    races_as: Annotated[NumberKind | None, typer.Option("--races-as", help="Default: what they look like.")] = None,
    genders_as: Annotated[NumberKind | None, typer.Option("--genders-as", help="Default: what they look like.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="CSV to write; default: stdout.")] = None,
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Choose names that signal one race and one gender, as An et al. 2024 did."""
    from evenhand.commands.data_names import NameOptions, choose_names

    options = NameOptions(
        top=top,
        min_count=min_count,
        min_share=min_share,
        name_column=name_column,
        count_column=count_column,
        races=split(race or []),
        genders=split(gender or []),
        races_as=None if races_as is None else races_as.value,
        genders_as=None if genders_as is None else genders_as.value,
    )
    found = choose_names(table, options, out=out, force=force, notice=silent if quiet else notice)
    if json:
        print_json(found.json)
    elif out is None:
        print_data(found.csv.rstrip("\n"))
        if not quiet:
            notice(found.summary)
    else:
        print_out(str(out) if quiet else found.summary)


@data.command("label-sheet")
def data_label_sheet(
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="Saved answers (JSONL, Parquet) or a probe's run.")
    ],
    out: Annotated[Path, typer.Option("--out", help="CSV for the annotators; the key is written beside it.")],
    sample: Annotated[int, typer.Option("--sample", help="E-mails to draw, spread over the groups.")] = 200,
    force: FileForce = False,
    seed: Annotated[int, typer.Option("--seed", help="Fixes which e-mails are drawn, and their order.")] = 0,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Write e-mails without names or groups, for two people to label accept, reject or none."""
    from evenhand.commands.data_label_sheet import write_label_sheet

    say = silent if quiet else notice
    written = write_label_sheet(answers, out=out, sample=sample, seed=seed, force=force, notice=say)
    if json:
        print_json(written.json)
    else:
        print_out(str(out) if quiet else written.text)


@data.command("agreement")
def data_agreement(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="A sheet filled in by both, or by the first.")],
    second: Annotated[Path | None, typer.Argument(metavar="SHEET2", help="The second annotator's sheet.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="CSV or JSONL of labels, for --labels.")] = None,
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Compare two people's labels: Cohen's kappa, confusion table, and labels to train on."""
    from evenhand.commands.data_agreement import measure_agreement

    sheets = [sheet] if second is None else [sheet, second]
    found = measure_agreement(sheets, out=out, force=force, notice=silent if quiet else notice)
    if json:
        print_json(found.json)
    elif not quiet:
        print_out(found.text)
    elif out is not None:
        print_out(str(out))


@data.command("example")
def data_example(
    name: Annotated[
        str, typer.Argument(metavar="EXAMPLE", help="berkeley-1973: admissions, pooled and by department.")
    ],
    out: Annotated[Path | None, typer.Option("--out", help="CSV to write; default: EXAMPLE.csv.")] = None,
    force: FileForce = False,
) -> None:
    """Write the applicants of a real selection process, to try `evenhand impact` on."""
    from evenhand.commands.data_example import write_example

    print_out(str(write_example(name, out=out, force=force)))
