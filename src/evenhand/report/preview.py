"""Tables of a preview: what the columns of a table hold, and whom the options count."""

from collections.abc import Callable, Sequence

from evenhand.errors import flag
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.results.applicant_audit import ColumnPreview, TablePreview
from evenhand.results.messages import listed, one_line, shortened


def option_of(column: ColumnPreview) -> str:
    """Return the option of a column, with a question mark where it is guessed."""
    return column.given or (f"{flag(column.role)}?" if column.role else "")


def columns_table(
    columns: Sequence[ColumnPreview], *, use: Callable[[ColumnPreview], str] = option_of, heading: str = "Option"
) -> Table:
    """Return what the columns hold, and the use of each."""
    heads = ("Column", heading, "Holds", "Values", "Empty", "Most frequent")
    rows = [
        [
            one_line(shortened(column.name)),
            use(column) or ABSENT,
            column.holds,
            column.told,
            count_text(column.empty),
            listed([f"{one_line(shortened(label))} ({n:,})" for label, n in column.values.items() if label], most=3)
            or ABSENT,
        ]
        for column in columns
    ]
    numeric = {"Values", "Empty"}
    return Table(
        caption="Columns of the table",
        columns=[Column(label=head, numeric=head in numeric) for head in heads],
        rows=rows,
    )


def _range(fewest: int, most: int | None) -> str:
    return count_text(fewest) + ("" if most is None or most == fewest else f" to {count_text(most)}")


def groups_tables(preview: TablePreview) -> list[Table]:
    """Return the people of each attribute's groups, stage by stage; nothing where nobody is counted."""
    tables = []
    for name in dict.fromkeys(group.attribute for group in preview.groups or ()):
        groups = [group for group in preview.groups or () if group.attribute == name]
        staged, decided = any(group.stage for group in groups), any(group.selected is not None for group in groups)
        heads = [
            one_line(shortened(name)),
            *(["Stage"] if staged else []),
            "Counted",
            *(["Selected"] if decided else []),
        ]
        rows = [
            [
                one_line(shortened(group.group)) or "unknown",
                *([one_line(shortened(group.stage))] if staged else []),
                _range(group.counted, group.most_counted),
                *(
                    [ABSENT if group.selected is None else _range(group.selected, group.most_selected)]
                    if decided
                    else []
                ),
            ]
            for group in groups
        ]
        numeric = {"Counted", "Selected"}
        columns = [Column(label=head, numeric=head in numeric) for head in heads]
        tables.append(Table(caption=f"Counted by {heads[0]}", columns=columns, rows=rows))
    return tables
