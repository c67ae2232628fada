"""The templates of pages."""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

__all__ = ["page_template"]


def page_template(name: str, **called: Any) -> Template:
    """Return a template of `report/`, by its name; `called` are functions that it and its macros call."""
    environment = Environment(
        loader=PackageLoader("evenhand.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= called
    return environment.get_template(name)
