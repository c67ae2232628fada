"""scripts/size.py counts lines of code and of imports, and nothing else."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "scripts" / "size.py"

MODULE = '''"""A module.

Two paragraphs.
"""

import ast
from json import (
    dumps,
    loads,
)

# A comment.
LINES = """one

three"""


def function():
    """Documented."""
    return ast, dumps, loads  # and a comment
'''


def size():
    specification = spec_from_file_location("size", SCRIPT)
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_blanks_comments_and_docstrings_are_no_lines_of_code():
    # 5 of imports, 3 of a text that spans lines, and 2 of the function.
    assert size().code_lines(MODULE) == 10


def test_imports_are_counted_with_all_their_lines():
    assert size().import_lines(MODULE) == 5
