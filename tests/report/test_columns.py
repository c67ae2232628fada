"""Every column of a report on applicants says what it means: where the mouse points, and in a list at the end."""

import random
import re
from html import unescape

import polars as pl
import pytest
from page import written_page

import evenhand

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page

RANDOM = random.Random(3)
PEOPLE = pl.DataFrame(
    [
        {
            "id": n // 2,
            "gender": RANDOM.choice(["women", "men"]),
            "years": RANDOM.randint(20, 65),
            "team": RANDOM.choice("xyz"),
            "degree": RANDOM.choice(["BA", "MA"]),
            "score": RANDOM.gauss(60, 10),
            "last": RANDOM.choice(["applied", "screened", "offered"]),
            "hired": RANDOM.choice(["yes", "yes", "no"]),
            "advert": n % 40,
        }
        for n in range(400)
    ]
)
OPTIONS = {
    "positions": {"selected": "hired", "protected": ["gender"], "position": "team"},
    "scores": {"score": "score", "cutoff": [60.0], "protected": ["gender"]},
    "stages": {"furthest": "last=applied,screened,offered", "protected": ["gender"]},
    "people with several rows": {"selected": "hired", "protected": ["gender"], "cluster": ["id"]},
    "blocks": {"selected": "hired", "protected": ["gender"], "block": ["advert"]},
    "qualifications": {"selected": "hired", "protected": ["gender"], "given": ["degree", "score"]},
    "age": {"selected": "hired", "age": "years"},
}
#: Columns that are named after a group of the table.
GROUPS = {"women", "men"}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_every_column_says_what_it_means(options, tmp_path):
    page = written_page(evenhand.impact(PEOPLE, **options, report=False, out=tmp_path / "run"))
    columns = re.findall(r'<th scope="col"([^>]*)>([^<]*)</th>', page)
    assert len(columns) > 20
    assert {unescape(heading) for attributes, heading in columns if "title=" not in attributes} <= GROUPS
    listed = page.partition("The columns of its tables</h3>")[2]
    explained = [heading for attributes, heading in columns if "title=" in attributes]
    assert [heading for heading in explained if f"<dt>{heading}<" not in listed] == []
