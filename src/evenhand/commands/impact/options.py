"""What `evenhand impact` is asked: options as the user typed them → query and choices."""

from collections.abc import Sequence
from math import isfinite

from evenhand.errors import InputError
from evenhand.findings.impact.analysis import ImpactChoices
from evenhand.findings.impact.references import HIGHEST, LARGEST, REFERENCE_FLOOR, References
from evenhand.hiring import ApplicantQuery
from evenhand.runs.options.impact import ImpactOptions
from evenhand.tables.messages.quoting import quoted, shortened

__all__ = ["choices_of", "listed", "parted", "query_of", "references_of", "undecided_values"]

#: Cut-offs that show the sensitivity to the cut-off, at equally spaced ranks of the scores.
SWEEP = 19
#: What --count is where no column counts people.
NO_COUNT = "none"


def query_of(options: ImpactOptions, *, columns: Sequence[str] = (), run: bool = False) -> ApplicantQuery:
    """Return what the table is asked; `run` says that it is a probe's run, whose decisions are known.

    `columns` are those of the table: one of them is meant as a whole, whatever commas and signs it has.

    Raises
    ------
    InputError
        Options that contradict each other, or that say too little.

    """
    _check(options, run=run)
    column, value = parted(options.selected, "=", columns)
    stage, order = parted(options.stage, "=", columns)
    race, hispanic = parted(options.eeo1, ",", columns)
    score_alone = options.score is not None and not (options.cutoff or options.median or options.means or options.ll144)
    scored, low = options.score is not None, options.at_most or options.below
    return ApplicantQuery(
        protected=listed(options.protected, columns),
        people=bool(options.share),
        selected=column or None,
        selected_value=value or None,
        undecided=undecided_values(options.undecided, column, columns),
        count=None if options.count == NO_COUNT and NO_COUNT not in columns else options.count,
        no_count=options.count == NO_COUNT and NO_COUNT not in columns,
        applicants=options.applicants,
        selected_count=options.selected_count,
        score=options.score,
        cutoffs=tuple(sorted(set(options.cutoff))),
        median=options.median or score_alone or (options.ll144 and scored),
        means=options.means or (score_alone and not low),
        at_least=options.at_least or options.at_most,
        low=low,
        sweep=SWEEP if scored else 0,
        position=options.position,
        stage=stage or None,
        stages=tuple(part.strip() for part in order.split(",") if part.strip()),
        unit=options.unit,
        where=tuple(options.where),
        given=listed(options.given, columns),
        clusters=_shared(options, "--cluster", options.cluster, columns),
        blocks=_shared(options, "--block", options.block, columns),
        eeo1=(race, hispanic or None) if race else None,
        age=options.age,
        age_at=options.age_at,
        unknown=tuple(options.unknown),
    )


def _shared(options: ImpactOptions, option: str, typed: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of clusters, one or two, or of blocks, that are named for nothing that is compared."""
    found = listed(typed, columns)
    if option == "--cluster" and len(found) > 2:
        raise InputError(f"--cluster names {len(found)} columns, {', '.join(map(shortened, found))}; give one or two.")
    compared = {"--protected": listed(options.protected, columns), "--selected": (options.selected,)}
    compared |= {"--score": (options.score,), "--count": (options.count,), "--stage": (options.stage,)}
    for name in found:
        twice = next((other for other, named in compared.items() if name in named), None)
        if twice is not None:
            raise InputError(
                f"{option} and {twice} both name {quoted(name)}; it is for what several rows share, such as an "
                "advertisement or a person."
            )
    return found


def undecided_values(typed: Sequence[str], selected: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the values that are no decision, as the decision column's are written; '' is that no other one is."""
    values = []
    for each in typed:
        column, value = parted(each, "=", columns)
        if "=" not in each[len(column) :]:
            raise InputError(
                f"--undecided is {quoted(each)}; expected COLUMN=VALUE, such as --undecided hired=pending."
            )
        if column != selected:
            raise InputError(
                f"--undecided {quoted(each)} names {quoted(column)}; "
                f"the decisions are in {quoted(selected)} (--selected)."
            )
        values.append(value)
    return tuple(values)


def listed(values: Sequence[str], columns: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns that were named; commas separate, unless the whole is a column.

    >>> listed(["sex,race", "a, b"], ["sex", "race", "a, b"])
    ('sex', 'race', 'a, b')
    """
    found = []
    for value in values:
        found += [value] if value in columns else [part.strip() for part in value.split(",") if part.strip()]
    return tuple(dict.fromkeys(found))


def parted(text: str | None, sign: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return what stands before and behind the sign, which may be part of a column's name."""
    if text is None or text in columns:
        return text or "", ""
    for column in sorted(columns, key=len, reverse=True):
        if text.startswith(column + sign):
            return column, text.removeprefix(column + sign)
    before, _, behind = text.partition(sign)
    return before, behind.strip() if sign == "," else behind


def choices_of(options: ImpactOptions, attributes: Sequence[str] = ()) -> ImpactChoices:
    """Return how groups are compared.

    Raises
    ------
    InputError
        A reference that can't be understood, or a value out of its range.

    """
    return ImpactChoices(
        references=references_of(options.reference, attributes, floor=_floor(options)),
        intersectional=options.intersectional,
        min_share=options.min_share,
        rule="two_sided" if options.four_fifths == "two-sided" else "against_highest",
        missing_bounds=options.missing == "bounds",
        seed=options.seed,
    )


def references_of(typed: Sequence[str], attributes: Sequence[str], *, floor: float) -> References:
    """Return whom groups are compared with, from what --reference says.

    Raises
    ------
    InputError
        It can't be understood, or names no attribute.

    """
    rule, named = HIGHEST, {}
    for each in typed:
        attribute, equals, group = each.partition("=")
        if not equals and attribute.strip() in {HIGHEST, LARGEST}:
            rule = attribute.strip()
        elif equals and attribute.strip() and group.strip():
            named[attribute.strip()] = group.strip()
        else:
            raise InputError(
                f"--reference {quoted(each)} is not understood; expected highest, largest or ATTRIBUTE=GROUP."
            )
    for attribute in named:
        if attributes and attribute not in attributes:
            among = ",".join(map(shortened, attributes))
            raise InputError(f"--reference names {quoted(attribute)}, which is not in --protected {among}.")
    return References(rule=rule, named=named, floor=floor)


def _floor(options: ImpactOptions) -> float:
    """Return the share of the applicants below which a group is no reference; Local Law 144 has none."""
    if options.ll144:
        return 0.0
    return REFERENCE_FLOOR if options.reference_floor is None else options.reference_floor


def _check(options: ImpactOptions, *, run: bool) -> None:
    if not options.protected and options.age is None and not run:
        raise InputError("Which groups are compared? Give --protected COLUMNS, such as --protected gender,race.")
    if options.age_at is not None and options.age is None:
        raise InputError("--age-at needs --age COLUMN.")
    _check_counts(options, run=run)
    _check_selection(options, run=run)
    _check_ll144(options)


def _check_selection(options: ImpactOptions, *, run: bool) -> None:
    if options.selected is not None and options.score is not None:
        raise InputError("--selected and --score are both given; a selection is one or the other.")
    if options.undecided and options.selected is None:
        raise InputError("--undecided needs --selected COLUMN: it says which of its values are no decision.")
    nobody = options.selected is None and options.score is None and options.applicants is None
    if nobody and not run and not options.share:
        raise InputError(
            "Who is selected? Give --selected COLUMN, --score COLUMN with --cutoff T or --median, or for a table with "
            "a row per group --applicants COLUMN --selected-count COLUMN."
        )
    asked = {"--cutoff": options.cutoff, "--median": options.median, "--means": options.means}
    sides = {"--at-least": options.at_least, "--at-most": options.at_most, "--below": options.below}
    asked |= sides
    extra = [name for name, value in asked.items() if value]
    if extra and options.score is None:
        raise InputError(f"{extra[0]} needs --score COLUMN: it says who is selected by score.")
    given = [name for name, value in sides.items() if value]
    if len(given) > 1:
        raise InputError(f"{given[0]} and {given[1]} are both given; a cut-off has one side: drop one.")
    if given and given != ["--below"] and not options.cutoff:
        raise InputError(f"{given[0]} needs --cutoff T: then scores of T count as selected (the median stays strict).")
    _check_low(options, given)
    if not all(isfinite(cutoff) for cutoff in options.cutoff):
        raise InputError("--cutoff must be a finite number.")


def _check_low(options: ImpactOptions, given: Sequence[str]) -> None:
    """Raise InputError for what can't be asked where low scores are good."""
    if options.at_most or options.below:
        if options.means:
            raise InputError(
                f"--means and {given[0]} are both given; a ratio of mean scores reads only where high scores are good."
            )
        if options.ll144:
            raise InputError(
                f"--ll144 and {given[0]} are both given; Local Law 144 counts scores above the median: give scores of "
                "which high ones are good."
            )


def _check_once(options: ImpactOptions) -> None:
    """Raise InputError where a column of counts is named for something else, too."""
    column = options.count if options.count != NO_COUNT else None
    wide = {"--count": column, "--applicants": options.applicants, "--selected-count": options.selected_count}
    others = {"--protected": listed(options.protected), "--selected": (options.selected,)}
    others |= {"--score": (options.score,), "--position": (options.position,), "--given": listed(options.given)}
    for name, counts in wide.items():
        twice = [other for other, columns in others.items() if counts is not None and counts in columns]
        if twice:
            raise InputError(
                f"{name} and {twice[0]} both name {quoted(counts)}; a count is no group, decision or score."
            )


def _check_counts(options: ImpactOptions, *, run: bool) -> None:
    wide = {"--applicants": options.applicants, "--selected-count": options.selected_count}
    count_columns = [name for name, column in wide.items() if column is not None]
    if len(count_columns) == 1:
        other = next(name for name in wide if name not in count_columns)
        raise InputError(
            f"{count_columns[0]} needs {other} COLUMN: a row is a group, with how many applied and were selected."
        )
    counted = [*count_columns, *(["--count"] if options.count not in {None, NO_COUNT} else [])]
    if not counted:
        return
    if run:
        raise InputError(f"{counted[0]} belongs to tables of counts; in the run of a probe a row is one answer.")
    if len(counted) > 2:
        raise InputError("--count and --applicants are both given; a row is that many people, or a group: drop one.")
    if count_columns:
        both = {"--selected": options.selected, "--score": options.score}
        for name, column in both.items():
            if column is not None:
                raise InputError(f"{name} and --selected-count are both given; drop {name} {column}.")
    _check_once(options)
    if options.applicants is not None and options.applicants == options.selected_count:
        raise InputError(
            f"--applicants and --selected-count both name {quoted(options.applicants)}; name a column for each."
        )
    if options.unit is not None:
        raise InputError(
            f"--unit {options.unit} and {counted[0]} are both given; a table of counts has no persons: drop one."
        )


def _check_ll144(options: ImpactOptions) -> None:
    if options.ll144 and options.min_share:
        raise InputError(
            "--min-share and --ll144 are both given; Local Law 144 leaves out categories below 2 % only, and with "
            '--exclusion-reason "…": drop --min-share.'
        )
    if options.ll144 and options.reference_floor:
        raise InputError(
            "--reference-floor and --ll144 are both given; Local Law 144 compares with the most selected category, "
            "whatever its size: drop --reference-floor."
        )
    if options.exclusion_reason is None:
        return
    if not options.ll144:
        raise InputError("--exclusion-reason needs --ll144: it is the auditor's reason to leave out small categories.")
    if not options.exclusion_reason.strip():
        raise InputError("--exclusion-reason is blank; the rule asks for the auditor's written reason.")
