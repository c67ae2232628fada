"""What is asked of a table of dated judgements."""

from dataclasses import dataclass

__all__ = ["DatedQuery"]


@dataclass(frozen=True, kw_only=True)
class DatedQuery:
    """The columns of a table of judgements, as typed.

    `zone` is the time zone of times that tell none; `future` lets times after now in. `selected_value`,
    `undecided` and `label_value` are values, where yes and no are not the columns' own.
    """

    time: str
    zone: str | None = None
    future: bool = False
    score: str | None = None
    selected: str | None = None
    selected_value: str | None = None
    undecided: tuple[str, ...] = ()
    label: str | None = None
    label_value: str | None = None
    status: str | None = None
    latency: str | None = None
    position: str | None = None
    stage: str | None = None
    decided_by: str | None = None
    by: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    unit: str | None = None
    where: tuple[str, ...] = ()
