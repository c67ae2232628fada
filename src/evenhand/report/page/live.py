"""A page of the dashboards: a sentence that answers, tables and charts, plain forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from evenhand.report.page.html import page_style, page_template
from evenhand.report.page.parts import NextStep, Section, numbered_drawings


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What can be chosen of a view: values and what they are called."""

    kind: ClassVar[str] = "select"
    name: str
    label: str
    options: Mapping[str, str]
    chosen: str
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class Field:
    """A line that is typed, a box that is ticked, a file; `kind` is that of the input element, `value` what is in it.

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
    """What one is chosen of, by radio buttons; the first has the focus."""

    kind: ClassVar[str] = "radio"
    name: str
    label: str
    options: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Boxes:
    """Boxes of which any number are ticked: `options` has what each is called, by its name."""

    kind: ClassVar[str] = "boxes"
    label: str
    options: Mapping[str, str]
    ticked: Sequence[str] = ()
    hint: str = ""


Input = Boxes | Buttons | Choice | Field


@dataclass(frozen=True, kw_only=True)
class ActionForm:
    """A form that changes something: where it goes, what is typed, what goes with it; `note` says what it does.

    One that is `first` stands above what it is about, and stays in view. `more` stands below a heading that is opened
    by a click, and is open where it matters (`more_open`).
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
        """Return whether a file comes with it."""
        return any(each.kind == "file" for each in self.fields)


@dataclass(frozen=True, kw_only=True)
class LivePage:
    """A view: `answer` is its first sentence. It is asked for `again` after so many seconds, 0 is never."""

    title: str
    answer: str
    sections: Sequence[Section] = ()
    choices: Sequence[Choice | Field] = ()
    steps: Sequence[NextStep] = ()
    deeds: Sequence[ActionForm] = ()
    notes: Sequence[str] = ()
    again: int = 0


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
    """Return a view as HTML: with its forms, and links to the other `views`; `alone` is one file without them.

    `links` leads to its exports, by what they are called. Every form that changes something carries `form_token`.
    `label` stands above all.
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
