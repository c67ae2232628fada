"""docs/published.md is what the commands compute now, and each difference from a published figure has a reason."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "published.py"


@pytest.fixture(scope="module")
def published():
    spec = importlib.util.spec_from_file_location("published", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_published_figure_is_computed_or_its_difference_has_a_reason(published):
    found = published.rows()
    assert [row.line for row in found if row.difference and not row.why] == []
    assert [row.line for row in found if row.why and not row.difference] == []
    assert published.page(found) == published.PAGE.read_text("utf-8")


@pytest.mark.parametrize(
    ("printed", "ours", "difference", "line"),
    [
        ("0.92", 0.9249, 0, "| c | w | 0.92 | 0.9249 | 0 |"),
        ("0.92", 0.9251, 0.01, "| c | w | 0.92 | 0.9251 | +0.01 (why) |"),
        ("688", 688.17, 0, "| c | w | 688 | 688.17 | 0 |"),
        ("143", 144, 1, "| c | w | 143 | 144 | +1 (why) |"),
        ("-1.0", -0.94, 0.1, "| c | w | -1.0 | -0.940 | +0.1 (why) |"),
    ],
)
def test_a_difference_is_that_of_the_printed_digits(published, printed, ours, difference, line):
    row = published.Row("c", "w", printed, ours, "why" if difference else "")
    assert (row.difference, row.line) == (difference, line)
