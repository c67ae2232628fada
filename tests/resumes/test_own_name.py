"""Places of a given name that is also a word, month, town, firm or tool, as they stand in résumés, letters and reviews.

Each row: the name, and a text in which the person's own and other people's names stand in double brackets; the same
word elsewhere is used otherwise and stays.
"""

from pathlib import Path

import pytest

from evenhand.resumes.mask import mask_text
from marked_text import unmarked

ROWS = (Path(__file__).parent / "sentences" / "own_name.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", ROWS)
def test_a_given_name_is_masked_where_it_is_the_person(row):
    name, _, marked = row.partition(" | ")
    text, expected = unmarked(marked.replace("\\n", "\n"))
    spans = [(span.start, span.end) for span in mask_text(text, known_names=[name]).spans if span.category == "NAME"]
    assert spans == expected
