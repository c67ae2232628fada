"""The templates of pages."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from evenhand.report.words.unbroken import unbroken

__all__ = ["page_template"]


@cache
def page_template(name: str) -> Template:
    """Return a template of `report/`, by its name; a suite has many pages of one template.

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
    environment.globals |= {"verbatim": escape}
    return environment.get_template(name)


def _together(value: object) -> object:
    return unbroken(value) if isinstance(value, str) and not isinstance(value, Markup) else value
