"""A page of the dashboards: an answer in a sentence, tables and charts, plain forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from evenhand.report.page.html import page_style, page_template
from evenhand.report.page.parts import NextStep, Section, numbered_drawings


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
    click, or open from the start (`more_open`).
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

    @property
    def brings_file(self) -> bool:
        """Return whether the form has a file field."""
        return any(field.kind == "file" for field in self.fields)


@dataclass(frozen=True, kw_only=True)
class LivePage:
    """A view: `answer` is its first sentence. It reloads after `reload_after` seconds, 0 is never."""

    title: str
    answer: str
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
) -> str:
    """Return a view as HTML, with its forms and links to the other `views`; `alone` is one file without them.

    `links` are its exports by their names. Every form that changes something carries `form_token`. `label` is at the
    top of the page.
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
        label=label,
        style=Markup(page_style(live=True)),  # noqa: S704 - our own file
        drawing_of=lambda figure: drawn[id(figure)],
    )
