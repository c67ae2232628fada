"""What a text tells that its person is called: nicknames, names under messages, earlier names, other scripts.

Each row: the name that was given, and what stands below a text; names are in double brackets, all else stays.
"""

from pathlib import Path

import pytest

from evenhand.resumes.mask import mask_text
from marked_text import unmarked

ROWS = (Path(__file__).parent / "sentences" / "other_forms.txt").read_text("utf-8").splitlines()
ABOVE = "Ran the desk of a mill and taught two clerks. " * 6 + "\n"
GREETINGS = ("Hi all", "hello")


@pytest.mark.parametrize("row", ROWS)
def test_what_the_text_says_the_person_is_called_is_masked(row):
    name, _, marked = row.partition(" | ")
    text, expected = unmarked(marked.replace("\\n", "\n").replace("\\\\", "\\"))
    above = "" if text.startswith(GREETINGS) else ABOVE.lower() if text.islower() else ABOVE
    spans = mask_text(above + text, known_names=[name]).spans
    assert [(span.start - len(above), span.end - len(above)) for span in spans if span.category == "NAME"] == expected
