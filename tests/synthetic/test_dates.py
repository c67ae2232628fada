"""Dates: which there are, and that arms move all of them and keep what they say they keep."""

import pytest

from evenhand.masking.people import Person
from evenhand.synthetic.dates import dates_of, latest_year, lengthened, moved, with_break
from evenhand.synthetic.templates import template_of

#: A text; all of it 20 years earlier; the same but the end of the last job; two years of a break before the last job.
MOVED = [
    (
        "Potter, Kiln Ltd, 2003 - 2011; BA 1999",
        "Potter, Kiln Ltd, 1983 - 1991; BA 1979",
        "Potter, Kiln Ltd, 1983 - 2011; BA 1979",
        "Potter, Kiln Ltd, 2003 - 2011; BA 1997",
    ),
    (
        "Potter, May 2015 to present. Glazier, 04/2010 – 03/2015",
        "Potter, May 1995 to 2000. Glazier, 04/1990 – 03/1995",
        "Potter, May 1995 to present. Glazier, 04/1990 – 03/1995",
        "Potter, May 2015 to present. Glazier, 04/2008 – 03/2013",
    ),
    (
        "Since June 2014 potter, before that glazier ('08-'14).",
        "From June 1994 to 2000 potter, before that glazier ('88-'94).",
        "Since June 1994 potter, before that glazier ('88-'94).",
        "Since June 2014 potter, before that glazier ('06-'12).",
    ),
    (
        "Welder since 2015-03-01, before that potter (2010-05 - 2015-02)",
        "Welder from 1995-03-01 to 2000, before that potter (1990-05 - 1995-02)",
        "Welder since 1995-03-01, before that potter (1990-05 - 1995-02)",
        "Welder since 2015-03-01, before that potter (2008-05 - 2013-02)",
    ),
    ("Welder since 2015", "Welder from 1995 to 2000", "Welder since 1995", "Welder since 2015"),
    (
        "Born 3 May 1980, age 41. Potter 2001-05-31 until 2019-02.",
        "Born 3 May 1960, age 61. Potter 1981-05-31 until 1999-02.",
        "Born 3 May 1960, age 61. Potter 1981-05-31 until 2019-02.",
        "Born 3 May 1978, age 43. Potter 2001-05-31 until 2019-02.",
    ),
    (
        "Fired 2000 pots a year, $2010 each, in 2016 2,020 of them.",
        "Fired 2000 pots a year, $2010 each, in 1996 2,020 of them.",
        "Fired 2000 pots a year, $2010 each, in 1996 2,020 of them.",
        None,
    ),
    ("Potter 2012 - 2020, glazier 2014 - 2018", "Potter 1992 - 2000, glazier 1994 - 1998", None, ...),
    ("A potter without dates.", "A potter without dates.", "A potter without dates.", None),
]


def edited(text, edits):
    return (
        template_of(Person(id="1", text=f"Jane Doe\n\n{text}", known_names=("Jane Doe",)))
        .edited([(start + 10, end + 10, instead) for start, end, instead in edits])
        .original[10:]
    )


@pytest.mark.parametrize(("text", "earlier", "longer", "broken"), MOVED)
def test_dates_are_moved(text, earlier, longer, broken):
    dates = dates_of(text)
    assert edited(text, moved(text, dates, -20, until=2020)) == earlier
    if longer is not None:
        assert edited(text, lengthened(dates, -20)) == longer
    if broken is not ...:
        found = with_break(dates, 2)
        assert (found and edited(text, found[0])) == broken


def test_a_break_needs_a_job_that_no_other_goes_on_into():
    assert with_break(dates_of("Potter 2012 - 2020, glazier 2010 - 2014"), 2) is None
    assert with_break(dates_of("Potter 2012 - 2020, glazier 2010 - 2012"), 2)[1] == (2010, 2012)


def test_durations_stay_and_ages_go_with_births():
    text = "Born 1984, aged 40. Potter, 2003 - 2011, glazier 2011 to 2020, BA 1999"
    earlier = edited(text, moved(text, dates_of(text), -20, until=0))
    before, after = ([date.value for date in dates_of(each) if date.kind == "year"] for each in (text, earlier))
    assert {old - new for old, new in zip(before, after, strict=True)} == {20}
    assert "aged 60" in earlier


@pytest.mark.parametrize(("text", "year"), [("2004 - 2012, valid 2030", 2012), ("BA 2001", 2001), ("none", 0)])
def test_an_open_end_is_the_latest_year_of_work(text, year):
    assert latest_year(dates_of(text)) == year
