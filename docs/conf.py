"""How Sphinx makes HTML of the Markdown pages, which a code host shows as they are: `make docs`.

A page that lists others under its headings gives the navigation, and docs/api.md gets the docstrings of the public
names.
"""

import re
from inspect import signature
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

import evenhand as eh
from evenhand.options import Declared, TakenApart, python_names
from evenhand.results.messages import in_python

project = "evenhand"
author = "The evenhand authors"
release = eh.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    *("*.md", "docs/*.md", "docs/design/*.md", "docs/notebooks/*.ipynb"),
    *("bench/*.md", "bench/masking/*.md", "deploy/*.md", "src/evenhand/probes/*/README.md"),
]
exclude_patterns = [".*", "artifacts", "build", "runs", "**/__pycache__", "src/evenhand/[!p]*", "tests"]
html_theme = "furo"
highlight_language = "none"  # commands and what they print
html_title = "evenhand"
html_show_copyright = False
smartquotes = False  # they make one dash of the two of an option
html_additional_pages = {"index": "redirect.html"}
templates_path = ["."]
myst_heading_anchors = 6
nb_execution_mode = "off"  # make notebooks stores their outputs
default_role = "code"
autodoc_typehints = "none"  # the signature has them
suppress_warnings = ["misc.highlighting_failure"]  # a code host knows more languages than Pygments
#: Pages that list others, each under a heading that the navigation has.
INDEXES = {"docs/index", "docs/extending"}
_LINK = re.compile(r"^[-|] ?\[([^\]]+)\]\(([^)#\s]+)(?:#[^)]*)?\)", re.MULTILINE)
#: Signs of formulas, and of helps, that reStructuredText would read as markup.
_FORMULAS, _SIGNS, _ESCAPED = re.compile(r"\||_(?!\w)"), re.compile(r"[|*]|_(?!\w)"), r"\\\g<0>"


def _add(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the navigation to pages that list others, and the docstrings to the reference."""
    if page in INDEXES:
        source[0] = re.sub(r"^## (.+)\n(?:(?!## ).*\n?)*", _with_navigation, source[0], flags=re.MULTILINE)
    if page == "docs/api":
        source[0] += "".join(map(_documented, eh.__all__))


def _with_navigation(section: re.Match[str]) -> str:
    pages = "\n".join(f"{title} <{path}>" for title, path in _LINK.findall(section[0]))
    return (
        f"{section[0]}\n```{{toctree}}\n:hidden:\n:caption: {section[1]}\n\n{pages}\n```\n\n" if pages else section[0]
    )


def _documented(name: str) -> str:
    """Return the section of a public name; that of a module has its functions and classes, too."""
    value = getattr(eh, name)
    directives = [_directive(value, name)]
    if isinstance(value, ModuleType):
        own = [member for member, each in vars(value).items() if getattr(each, "__module__", "") == value.__name__]
        members = {member: getattr(value, member) for member in getattr(value, "__all__", own)}
        directives += [_directive(each, f"{name}.{member}") for member, each in members.items() if callable(each)]
    return f"\n## {name}\n\n```{{eval-rst}}\n{chr(10).join(directives)}\n```\n"


def _directive(value: object, name: str) -> str:
    kind = "module" if isinstance(value, ModuleType) else "class" if isinstance(value, type) else "function"
    return f".. auto{kind}:: evenhand.{name}"


def _complete(_app: Sphinx, _what: str, _name: str, value: Any, _options: Any, lines: list[str]) -> None:
    """Escape formulas in a docstring, and add the help of each option to that of a command's function."""
    in_example = False
    for place, line in enumerate(lines):
        in_example = line.startswith(">>>") or (in_example and bool(line))
        lines[place] = line if in_example else _FORMULAS.sub(_ESCAPED, line)
    lines.append("")
    lines += [f":param {name}: {_SIGNS.sub(_ESCAPED, text)}" for name, text in _options_of(value).items()]


def _options_of(value: Any) -> dict[str, str]:
    """Return the help of each option of a function, with Python's names of others."""
    if not hasattr(value, "__wrapped__"):
        return {}
    options = [entry for entry in TakenApart(value.__wrapped__).parameters if isinstance(entry, Declared)]
    keywords, known = python_names(options), signature(value).parameters
    return {entry.name: in_python(entry.option.help, keywords) for entry in options if entry.name in known}


def setup(app: Sphinx) -> None:
    """Have Sphinx call what adds to pages."""
    app.connect("source-read", _add)
    app.connect("autodoc-process-docstring", _complete)
