"""`evenhand perturb --scores`: scores or decisions that exist, analysed as a perturbation study."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import polars as pl

from evenhand.analyses.options.scores import StudyOptions
from evenhand.analyses.run import Run, refuse_clearing_input, table_facts, written_run
from evenhand.comparisons.perturbation import margin_of
from evenhand.comparisons.study import StudyDesign, study_findings, summary_findings
from evenhand.data.labels import comma_separated, fold, parted
from evenhand.data.roles import name_words
from evenhand.data.studies import Study, StudyQuery, arm_named, read_study
from evenhand.data.tables import open_table
from evenhand.errors import InputError, option_text
from evenhand.options import refuse
from evenhand.results.finding import copied
from evenhand.results.messages import Notices, listed, number_of, quoted
from evenhand.results.result import Result
from evenhand.results.score_audit import PLACEBO
from evenhand.results.study_audit import StudyAudit, StudyGroups

NO_DECISION: Final = "A score is not a decision: the effect of a difference depends on how the scores are used."
INDEPENDENT: Final = (
    "The table has no single scores, and those of its rows are taken as independent: where both groups were judged on "
    "the same jobs, intervals are too wide, and where few jobs were judged often, too narrow."
)
INDEPENDENT_NAMES: Final = (
    "The table has no single scores, and its names are taken as independent: where all of them were judged on the same "
    "jobs, intervals are too wide."
)
#: An item is named by its unit and at most so many columns that vary.
MOST_CLUSTERS: Final = 2


@dataclass(frozen=True, kw_only=True, repr=False)
class StudyRun(Run):
    """A finished study."""

    audit: StudyAudit


def run_study(source: Any, options: StudyOptions, *, notice: Notices) -> StudyRun:
    """Analyse a table of scores as a perturbation study; return the finished run.

    Raises
    ------
    InputError
        Columns, values or options can't be used.
    ServiceError
        A database can't be reached.

    """
    refuse_clearing_input(options.out, [source], force=options.force)
    result = analyse_study(source, options)
    return written_run(StudyRun, result, options, "perturb", notice=notice)


def analyse_study(source: Any, options: StudyOptions) -> Result[StudyAudit, StudyGroups]:
    """Return the analysis of a table of scores that exist.

    Raises
    ------
    InputError, ServiceError
        As `run_study`.

    """
    with open_table(source, **options.opening) as table:
        columns = {column: str(kind) for column, kind in table.expr.schema().items()}
        query = query_of(options, tuple(columns))
        study = read_study(table, query)
        name, fingerprints, notes = table.name, dict(table.fingerprints), table.notes
    design = _design(options, query, study)
    cells = study.rows.drop_nulls("score").group_by(pl.exclude("score", "run")).len()["len"]
    summary = bool(query.summary)
    names = len({*study.rows["name"].unique()} - {""})
    audit = StudyAudit(
        question=_question(design),
        source=name,
        attribution=attribution_of(fingerprints),
        **copied(design, "arms placebo baseline references unit"),
        units=study.labels.get("unit", ()),
        clusters={column: len(study.labels[f"item_{place}"]) for place, column in enumerate(design.clusters)},
        name=query.name,
        names=names if query.name is not None else None,
        outcome=query.decision or query.score or query.summary.get("mean", query.summary.get("selected", "score")),
        grades=study.grades,
        rows=study.rows.height,
        rows_left_out=study.without_item,
        runs=None if summary else (int(cells.min()), int(cells.max())),  # type: ignore[arg-type]
        limits=_limits(query, study),
        warnings=() if summary else _warnings(design, query),
        **table_facts(["perturb", "--scores"], source, options, fingerprints),
    )
    left = [
        f"--where {entry['expression']} leaves out {number_of(entry['rows_left_out'], 'row')}."
        for entry in study.left_out
    ]
    if study.without_item:
        left.append(
            f"{number_of(study.without_item, 'row')} without an arm, a level or a column of the item: left out."
        )
    return Result(
        audit=audit,
        findings=summary_findings(study.rows, design) if summary else study_findings(study.rows, design),
        input={"rows": study.rows.height, "columns": columns},
        notes=(*notes, *study.notes, *left),
    )


def _question(design: StudyDesign) -> str:
    what = "decisions" if design.grades else "scores"
    compared = design.placebo and design.arms.keys() - {*design.placebo, design.baseline}
    more = ", and does it move them more than edits without meaning" if compared else ""
    return f"What moves the {what}{more}?"


def _limits(query: StudyQuery, study: Study) -> tuple[str, ...]:
    """Return what the result does not hold for, by what the table has."""
    independent = INDEPENDENT if query.name is None else INDEPENDENT_NAMES
    fixed = "these levels" if query.unit is None else f"these levels, and these values of {query.unit}"
    text = "A level" if query.name is None else "A name"
    other = "scores" if not study.grades else "decisions"
    lines = (
        independent if query.summary else "",
        f"The result is about {fixed}; others may move {other} differently.",
        f"{text} is one text. Anything else that it signals or changes, such as class, length or position in the text, "
        "is part of the difference."
        if not query.summary or query.name is not None
        else "",
        "" if study.grades else NO_DECISION,
    )
    return tuple(filter(None, lines))


def _warnings(design: StudyDesign, query: StudyQuery) -> tuple[str, ...]:
    if design.placebo:
        return ()
    repair = "--placebo-arm names one" if query.arm is not None else "--arm and --placebo-arm name one"
    decided = "decisions" if design.grades else "scores"
    return (
        f"No arm is a placebo (an edit without meaning), so how far any edit moves these {decided} is not known; "
        f"{repair}.",
    )


def query_of(options: StudyOptions, columns: tuple[str, ...]) -> StudyQuery:
    """Return the query of the table; the names of its `columns` may contain commas and signs.

    Raises
    ------
    InputError
        Columns are missing, or too many.

    """
    decision, values = parted(options.selected, "=", columns)
    summary = _summary(options)
    items = comma_separated(options.item, columns)
    clusters = tuple(name for name in items if name != options.compare_by)
    wide = comma_separated(options.wide, columns)
    score, decided = options.score is not None, options.selected is not None
    refuse(
        {
            "--summary is for rows with many scores; leave out --item and --run.": summary
            and (clusters or options.run is not None),
            "--item is missing: give the columns that stay the same across levels, such as the job and the "
            "résumé, in addition to the column of --compare-by.": not clusters and not summary,
            f"{option_text('item', quoted(','.join(items)))} names {len(clusters)} columns besides that of "
            f"{option_text('compare_by')}; expected {MOST_CLUSTERS} at most: combine some into one column.": (
                len(clusters) > MOST_CLUSTERS
            ),
            "--level is missing: give the column with the level, or --wide COLUMNS with a column per group.": (
                options.level is None and not wide
            ),
            "--wide gives the levels and their scores; leave out --level, --score and --selected.": wide
            and (options.level is not None or decided or score),
            "--summary gives the columns of scores; leave out --wide, --score and --selected.": summary
            and (wide or decided or score),
            "--score is missing: give the column with the score, or --selected COLUMN=VALUE (or all values, "
            "from the worst to the best).": not wide and not summary and score == decided,
            f"{option_text('selected')} is {quoted(options.selected)}; expected COLUMN=VALUE, or all values "
            "from the worst to the best.": decided and not values,
            "--baseline needs --arm COLUMN: it is a value of that column.": options.baseline is not None
            and options.arm is None,
        }
    )
    return StudyQuery(
        **copied(options, "level arm baseline name run score where unknown"),
        items=clusters,
        unit=options.compare_by,
        decision=decision or None,
        selected=tuple(value.strip() for value in values.split(",") if value.strip()),
        wide=wide,
        summary=summary,
        mapped=options.map,
    )


#: The columns that --summary names.
SUMMARIES: Final = ({"mean", "sd", "n"}, {"selected", "n"})


def _summary(options: StudyOptions) -> dict[str, str]:
    """Return the columns of a table whose rows are many scores."""
    if options.summary is None:
        return {}
    parts = [part.partition("=") for part in options.summary.split(",")]
    named = {key.strip(): column.strip() for key, _, column in parts}
    if named.keys() not in SUMMARIES or not all(named.values()):
        raise InputError(
            f"{option_text('summary')} is {quoted(options.summary)}; expected mean=COLUMN,sd=COLUMN,n=COLUMN, or "
            "selected=COLUMN,n=COLUMN."
        )
    return named


def _design(options: StudyOptions, query: StudyQuery, study: Study) -> StudyDesign:
    """Return what is compared with what."""
    pairs = study.rows.select("arm", "level").unique().sort("arm", "level")
    arms: dict[str, tuple[str, ...]] = {}
    for arm, level in pairs.iter_rows():
        arms[arm] = (*arms.get(arm, ()), level)
    baseline = None if options.baseline is None else next(arm for arm in arms if fold(arm) == fold(options.baseline))
    references = _references(options.reference, {arm: levels for arm, levels in arms.items() if arm != baseline})
    if baseline is None and not references:
        or_baseline = ", or --baseline VALUE of the column --arm" if query.arm is not None else ""
        raise InputError(
            f"--reference is missing: give the level to compare with{or_baseline}. Levels: "
            f"{listed(sorted({*pairs['level']}), quotes=True)}."
        )
    placebo = _placebo(options.placebo_arm, arms)
    without = [arm for arm, levels in arms.items() if arm not in {*references, *placebo} and len(levels) > 1]
    if baseline is None and without:
        raise InputError(
            f"Nothing is compared in the {'arms' if len(without) > 1 else 'arm'} {listed(without, quotes=True)}: add "
            f"ARM=LEVEL to {option_text('reference')}, or leave {'them' if len(without) > 1 else 'it'} out by "
            f"{option_text('where')}."
        )
    if all(len(levels) < 2 for levels in arms.values()) and baseline is None:
        option = "wide" if query.wide else "level"
        raise InputError(f"Each arm has one level in {option_text(option)}; a comparison needs two.")
    return StudyDesign(
        arms=arms,
        placebo=placebo,
        baseline=baseline,
        references=references,
        unit=query.unit,
        clusters=query.items,
        grades=study.grades,
        margin=None if options.margin is None else margin_of(options.margin),
    )


def _references(typed: str | None, arms: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the reference level of arms; commas separate LEVEL, or ARM=LEVEL where several arms have it."""
    references: dict[str, str] = {}
    if typed is None:
        return references
    known = {fold(level) for levels in arms.values() for level in levels}
    for text in [typed] if fold(typed) in known else typed.split(","):
        named, _, own = text.rpartition("=")
        level, within = (text, "") if fold(text) in known else (own, named)
        found = {
            arm: label
            for arm, levels in arms.items()
            for label in levels
            if fold(label) == fold(level) and (not within or fold(arm) == fold(within))
        }
        if not found:
            levels = sorted({level for own_levels in arms.values() for level in own_levels})
            raise InputError(
                f"{option_text('reference')} is {quoted(text.strip())}; expected a level, or ARM=LEVEL. Levels: "
                f"{listed(levels, quotes=True)}."
            )
        references |= found
    return references


def _placebo(typed: tuple[str, ...], arms: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the placebo arms: those that are named, or else those that call themselves so."""
    if not typed:
        return tuple(arm for arm in arms if PLACEBO in name_words(arm))
    chosen = (arm_named(text, tuple(arms), "placebo_arm") for text in comma_separated(typed, tuple(arms)))
    return tuple(dict.fromkeys(chosen))


def attribution_of(fingerprints: Mapping[str, str]) -> str | None:
    """Return how the data of the package that a table is are to be cited; None of any other table."""
    sources = tomllib.loads((resources.files("evenhand.data") / "SOURCES.toml").read_text("utf-8"))
    used = [entry for entry in sources.values() if entry["sha256"] in fingerprints.values()]
    return f"{used[0]['citation']} Licence: {used[0]['licence']}." if used else None
