"""The templates of pages."""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from evenhand.report.words.unbroken import unbroken

__all__ = ["page_template"]


def page_template(name: str, **called: Any) -> Template:
    """Return a template of `report/`, by its name; `called` are functions that it and its macros call.

    Numbers and units are held together in every text but those that the template calls `verbatim`: what others
    wrote, and commands that are copied.
    """
    environment = Environment(
        loader=PackageLoader("evenhand.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_together,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"verbatim": escape, **called}
    return environment.get_template(name)


def _together(value: object) -> object:
    return unbroken(value) if isinstance(value, str) and not isinstance(value, Markup) else value
