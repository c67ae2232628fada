"""A page of the dashboards: a sentence that answers, tables and charts, plain forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from evenhand.report.page.drawn import numbered_drawings
from evenhand.report.page.parts import NextStep, Section
from evenhand.report.page.style import page_style
from evenhand.report.page.template import page_template

__all__ = ["Choice", "Deed", "Field", "LivePage", "live_html"]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What can be chosen of a view: values and what they are called."""

    name: str
    label: str
    options: Mapping[str, str]
    chosen: str


@dataclass(frozen=True, kw_only=True)
class Field:
    """What is typed or chosen; `kind` is that of the input element, or select, or checks.

    `options` has values and what they are called: of a select; of checks, each with a name of its own; of a file, the
    endings that it may have. `chosen` has the values that stand there at first.
    """

    name: str
    label: str
    kind: str = "text"
    options: Mapping[str, str] = field(default_factory=dict)
    chosen: Sequence[str] = ()
    hint: str = ""
    required: bool = True


@dataclass(frozen=True, kw_only=True)
class Deed:
    """A form that changes something: where it goes, what is typed, what goes with it; `more` is folded at first."""

    action: str
    heading: str
    button: str
    fields: Sequence[Field] = ()
    hidden: Mapping[str, str] | None = None
    more: Sequence[Field] = ()
    more_heading: str = ""

    @property
    def brings_file(self) -> bool:
        """Return whether a file comes with it."""
        return any(each.kind == "file" for each in self.fields)


@dataclass(frozen=True, kw_only=True)
class LivePage:
    """A view: `answer` is its first sentence; `reload` is after how many seconds a browser asks for it again."""

    title: str
    answer: str
    sections: Sequence[Section] = ()
    choices: Sequence[Choice] = ()
    steps: Sequence[NextStep] = ()
    deeds: Sequence[Deed] = ()
    notes: Sequence[str] = ()
    reload: int | None = None


def live_html(
    page: LivePage,
    *,
    views: Mapping[str, str],
    here: str,
    links: Mapping[str, str] | None = None,
    form_token: str = "",
    alone: bool = False,
) -> str:
    """Return a view as HTML: with its forms, and links to the other `views`; `alone` is one file without them.

    `links` leads to its exports, by what they are called. Every form that changes something carries `form_token`.
    """
    figures = [figure for section in page.sections for part in section.parts for figure in part.figures]
    drawn = numbered_drawings(figures)
    return page_template("live.html.jinja").render(
        page=page,
        views=views,
        here=here,
        alone=alone,
        links=links or {},
        form_token=form_token,
        style=Markup(page_style(live=True)),  # noqa: S704 - our own file
        drawing_of=lambda figure: drawn[id(figure)],
    )
