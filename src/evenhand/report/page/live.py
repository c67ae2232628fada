"""A page of the dashboards: an answer in a sentence, tables and charts, plain forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from markupsafe import Markup

from evenhand.patterns import lazy_re
from evenhand.report.charts.svg import spark_line
from evenhand.report.page.html import page_style, page_template
from evenhand.report.page.parts import NextStep, Section, State, numbered_drawings

#: Pixels of a chart whose table stands on its right.
_BESIDE_TABLE: Final = 600
_LINKS: Final = lazy_re("</?a(?: [^>]*)?>")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A select: values and their labels."""

    kind: ClassVar[str] = "select"
    name: str
    label: str
    options: Mapping[str, str]
    chosen: str
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class Field:
    """An input element of type `kind`: a text line, a checkbox, a file; `value` is its content.

    A file may have the endings `accept`.
    """

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    required: bool = True
    hint: str = ""
    accept: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Buttons:
    """Radio buttons; the first has the focus."""

    kind: ClassVar[str] = "radio"
    name: str
    label: str
    options: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """Checkboxes, any number of them ticked: `options` has their labels by name."""

    kind: ClassVar[str] = "boxes"
    label: str
    options: Mapping[str, str]
    ticked: Sequence[str] = ()
    hint: str = ""


Input = Boxes | Buttons | Choice | Field


@dataclass(frozen=True, kw_only=True)
class ActionForm:
    """A form that changes something: its address, fields and hidden values; `note` explains it.

    One that is `first` is above the sections, and stays in view. `more` are fields below a heading that is opened by a
    click, or open from the start (`more_open`). A `folded` form shows its heading until it is opened.
    """

    action: str
    heading: str
    button: str
    note: str = ""
    fields: Sequence[Input] = ()
    hidden: Mapping[str, str] | None = None
    first: bool = False
    more: Sequence[Input] = ()
    more_heading: str = ""
    more_open: bool = False
    folded: bool = False

    @property
    def brings_file(self) -> bool:
        """Return whether the form has a file field."""
        return any(field.kind == "file" for field in self.fields)


@dataclass(frozen=True, kw_only=True)
class Tile:
    """A number at the top of a page, with its state, its `trend` and a link one level deeper."""

    label: str
    value: str
    note: str
    state: State
    link: str
    trend: Sequence[float | None] = ()
    trend_text: str = ""

    @property
    def line(self) -> Markup:
        """Return the trend as a small line, "" without one."""
        return Markup(spark_line(self.trend, label=self.trend_text))  # noqa: S704 - our own, escaped


@dataclass(frozen=True, kw_only=True)
class LivePage:
    """A view: `answer` is its first sentence, and `further` what else is to be known.

    It reloads after `reload_after` seconds, 0 is never.
    """

    title: str
    answer: str
    further: Sequence[str] = ()
    tiles: Sequence[Tile] = ()
    sections: Sequence[Section] = ()
    choices: Sequence[Choice | Field] = ()
    steps: Sequence[NextStep] = ()
    forms: Sequence[ActionForm] = ()
    notes: Sequence[str] = ()
    reload_after: int = 0


def live_html(
    page: LivePage,
    *,
    views: Mapping[str, str],
    here: str,
    links: Mapping[str, str] | None = None,
    form_token: str = "",
    label: str = "",
    alone: bool = False,
    kept: Mapping[str, str] | None = None,
) -> str:
    """Return a view as HTML, with its forms and links to the other `views`; `alone` is one file without them.

    `links` are its exports by their names. Every form that changes something carries `form_token`. `label` is at the
    top of the page. The form of choices keeps the filters `kept` that are not among them.
    """
    figures = [figure for section in page.sections for part in section.parts for figure in part.figures]
    drawn = numbered_drawings(figures, wide=_BESIDE_TABLE)
    others = {field.name for field in page.choices}
    html = page_template("live.html.jinja").render(
        page=page,
        views=views,
        here=here,
        alone=alone,
        links=links or {},
        form_token=form_token,
        label=label,
        kept={name: value for name, value in (kept or {}).items() if name not in others},
        style=Markup(page_style(live=True)),  # noqa: S704 - our own file
        drawing_of=lambda figure: drawn[id(figure)],
    )
    return _LINKS.sub("", html) if alone else html
