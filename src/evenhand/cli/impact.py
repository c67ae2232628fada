"""The command that analyses whom a process selects."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from evenhand.cli._app import app
from evenhand.cli._options import FailOn, Force, Json, Out, Quiet, Seed, UnpackLimit
from evenhand.cli._show import notice, show, split
from evenhand.tables.unpacking import UNPACK_LIMIT


class FourFifthsName(StrEnum):
    """Which side of the rule counts."""

    against_highest = "against-highest"
    two_sided = "two-sided"


class MissingName(StrEnum):
    """What is told about people whose group is not known."""

    bounds = "bounds"


TABLE_HELP = (
    ".csv, .parquet or .xlsx; the folder of a finished probe; or a connection URL with --table "
    "(duckdb://, sqlite://, postgres://, pyspark://)."
)
Names = list[str] | None


@app.command()
def impact(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP)] = None,
    selected: Annotated[
        str | None, typer.Option("--selected", help="Column that says who was selected, or COLUMN=VALUE,….")
    ] = None,
    undecided: Annotated[
        Names, typer.Option("--undecided", help="COLUMN=VALUE,…: values that are no decision, such as pending.")
    ] = None,
    count: Annotated[
        str | None,
        typer.Option("--count", help="Column of whole numbers: a row is that many people; none: a row is one person."),
    ] = None,
    applicants: Annotated[
        str | None, typer.Option("--applicants", help="A row is a group: column with how many applied.")
    ] = None,
    selected_count: Annotated[
        str | None, typer.Option("--selected-count", help="… and the column with how many were selected.")
    ] = None,
    counts: Annotated[
        Names,
        typer.Option("--counts", help="No table but numbers, selected of all: 'women=557/1835,men=1198/2691'."),
    ] = None,
    score: Annotated[str | None, typer.Option("--score", help="Column with scores.")] = None,
    cutoff: Annotated[Names, typer.Option("--cutoff", help="Selected are scores above it; repeat for several.")] = None,
    median: Annotated[
        bool, typer.Option("--median", help="Selected are scores above the median of the sample.")
    ] = False,
    means: Annotated[bool, typer.Option("--means", help="Compare mean scores.")] = False,
    at_least: Annotated[bool, typer.Option("--at-least", help="A score equal to the cut-off is selected.")] = False,
    protected: Annotated[Names, typer.Option("--protected", help="Columns with the groups.")] = None,
    position: Annotated[str | None, typer.Option("--position", help="Column with the position.")] = None,
    reference: Annotated[
        Names, typer.Option("--reference", help="highest (default), largest, or ATTRIBUTE=GROUP; repeatable.")
    ] = None,
    intersectional: Annotated[bool, typer.Option("--intersectional", help="Cross the attributes, too.")] = False,
    min_share: Annotated[
        float, typer.Option("--min-share", help="Groups of a smaller share of the sample are counted, not judged.")
    ] = 0.0,
    reference_floor: Annotated[
        float | None,
        typer.Option(
            "--reference-floor",
            help="Groups of a smaller share of the sample, or under 30 people, are no reference (.02; 0: any may be).",
        ),
    ] = None,
    four_fifths: Annotated[
        FourFifthsName, typer.Option("--four-fifths", help="against-highest: below .8; two-sided: above 1.25, too.")
    ] = FourFifthsName.against_highest,
    stage: Annotated[
        str | None, typer.Option("--stage", help="Column with the stage, or COLUMN=FIRST,SECOND,… in order.")
    ] = None,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Column with the applicant: repeated rows count once.")
    ] = None,
    where: Annotated[
        Names, typer.Option("--where", help="Condition on the rows, in SQL; repeatable, each is counted.")
    ] = None,
    given: Annotated[Names, typer.Option("--given", help="Columns with qualifications to hold fixed.")] = None,
    ll144: Annotated[bool, typer.Option("--ll144", help="Tables and page of New York Local Law 144.")] = False,
    exclusion_reason: Annotated[
        str | None,
        typer.Option("--exclusion-reason", help="The auditor's reason to leave out categories below 2 %."),
    ] = None,
    tool: Annotated[str | None, typer.Option("--tool", help="Name of the tool, for the page.")] = None,
    auditor: Annotated[str | None, typer.Option("--auditor", help="Independent auditor, for the page.")] = None,
    audit_date: Annotated[str | None, typer.Option("--audit-date", help="Date of the audit, for the page.")] = None,
    distribution_date: Annotated[
        str | None, typer.Option("--distribution-date", help="Since when the tool is used, for the page.")
    ] = None,
    data_source: Annotated[
        str | None, typer.Option("--data-source", help="Source and explanation of the data, for the page.")
    ] = None,
    missing: Annotated[
        MissingName | None, typer.Option("--missing", help="bounds: what the ratio could be with unknown groups.")
    ] = None,
    eeo1: Annotated[
        str | None,
        typer.Option("--eeo1", help="Map a race column to EEO-1 categories: RACE, or RACE,HISPANIC."),
    ] = None,
    age: Annotated[
        str | None, typer.Option("--age", help="Column with ages or dates of birth: adds the groups 40 or older.")
    ] = None,
    age_at: Annotated[
        datetime | None, typer.Option("--age-at", formats=["%Y-%m-%d"], help="The day for dates of birth.")
    ] = None,
    unknown: Annotated[Names, typer.Option("--unknown", help="Further labels that mean: not known.")] = None,
    sheet: Annotated[str | None, typer.Option("--sheet", help="Sheet of an .xlsx.")] = None,
    table_name: Annotated[str | None, typer.Option("--table", help="Table behind a connection URL.")] = None,
    unpack_limit: UnpackLimit = UNPACK_LIMIT,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write tables and findings only.")] = False,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Adverse impact of a selection process: who is selected less, and whether chance explains it."""
    from evenhand.commands.impact import run_impact
    from evenhand.commands.impact_options import ImpactOptions, PublishedFields

    options = ImpactOptions(
        protected=tuple(protected or ()),
        selected=selected,
        undecided=tuple(undecided or ()),
        count=count,
        applicants=applicants,
        selected_count=selected_count,
        counts=tuple(counts or ()),
        score=score,
        cutoffs=numbers(split(cutoff or []), option="--cutoff"),
        median=median,
        means=means,
        at_least=at_least,
        position=position,
        references=tuple(split_references(reference or [])),
        intersectional=intersectional,
        min_share=min_share,
        reference_floor=reference_floor,
        four_fifths=four_fifths.value,
        stage=stage,
        unit=unit,
        where=tuple(where or ()),
        given=tuple(given or ()),
        ll144=ll144,
        exclusion_reason=exclusion_reason,
        published=PublishedFields(
            tool=tool,
            auditor=auditor,
            audit_date=audit_date,
            distribution_date=distribution_date,
            data_source=data_source,
        ),
        missing=None if missing is None else missing.value,
        eeo1=eeo1,
        age=age,
        age_at=None if age_at is None else age_at.date(),
        unknown=tuple(split(unknown or [])),
        sheet=sheet,
        table=table_name,
        unpack_limit=unpack_limit,
        seed=seed,
        out=out,
        force=force,
        report=not no_report,
    )
    show(lambda _: run_impact(table, options, notice=notice), json, quiet, fail_on)


def numbers(values: list[str], *, option: str) -> tuple[float, ...]:
    """Return values as numbers.

    >>> numbers(["3.5", "4"], option="--cutoff")
    (3.5, 4.0)
    """
    from evenhand.errors import InputError

    found = []
    for value in values:
        try:
            found.append(float(value))
        except ValueError as error:
            raise InputError(f"{option} is {value!r}; expected a number, such as 3.5.") from error
    return tuple(found)


def split_references(values: list[str]) -> list[str]:
    """Return the references: commas separate ATTRIBUTE=GROUP pairs, but not within a group's name.

    >>> split_references(["gender=male,race=White", "race=Two, or more"])
    ['gender=male', 'race=White', 'race=Two, or more']
    """
    found: list[str] = []
    for value in values:
        for place, part in enumerate(value.split(",")):
            own = "=" in part or part.strip() in {"highest", "largest"} or place == 0
            if own:
                found.append(part.strip())
            else:
                found[-1] += f",{part}"
    return found
