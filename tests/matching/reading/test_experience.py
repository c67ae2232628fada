"""Years of work as dates of several spellings tell them."""

import pytest

from evenhand.masking.documents.json_resume import resume_text
from evenhand.matching.texts import experience_in, lines_of

EARLIER = {"name": "Inn", "position": "Cook", "startDate": "2019-05", "endDate": "2023-01-31"}
NOW = {"name": "Bistro", "position": "Chef", "startDate": "2024-07-01"}


@pytest.mark.parametrize(
    ("text", "years", "since"),
    [
        ("Cook at the Inn, 2019-05 to 2023-01", 44 / 12, 3.5),
        ("Cook at the Inn, 2019-05-01 – 2023-01-31", 44 / 12, 3.5),
        ("Cook at the Inn, 05/2019 – 01/2023", 44 / 12, 3.5),
        ("Cook at the Inn, 2010-2014", 4, 12.5),
        (resume_text({"basics": {}, "work": [EARLIER, NOW]})[0], 44 / 12 + 2, 0),
        (
            resume_text({"basics": {}, "education": [{"institution": "Hill College", "startDate": "2024"}]})[0],
            None,
            None,
        ),
    ],
)
def test_dates_of_jobs_tell_years_of_work(text, years, since):
    found = experience_in(lines_of(text), as_of=2026.5)
    assert (found.years, found.since) == (pytest.approx(years), pytest.approx(since))
