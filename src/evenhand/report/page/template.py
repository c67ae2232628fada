"""The templates of pages."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

__all__ = ["page_template"]


@cache
def page_template(name: str) -> Template:
    """Return a template of `report/`, by its name; a suite has many pages of one template."""
    environment = Environment(
        loader=PackageLoader("evenhand.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
