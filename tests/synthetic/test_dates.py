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


#: What of a date is moved, 20 years earlier, and numbers that are none.
ALSO_MOVED = [
    ("Hired June 28, 2011, left Aug. 9 2014", "Hired June 28, 1991, left Aug. 9 1994"),
    ("Fair on May 19-21, 2016", "Fair on May 19-21, 1996"),
    ("Glazier 03/11 - 10/14, potter 11/2/14 to now", "Glazier 03/91 - 10/94, potter 11/2/94 to 2000"),
    ("DOB 17.04.81", "DOB 17.04.61"),
    ("Born 17/04/1981, 34 years old", "Born 17/04/1961, 54 years old"),
    ("Potter 2014 –\nKiln Ltd", "Potter 1994 – 2000\nKiln Ltd"),
    ("Potter (2014-), glazier from 2009 onwards", "Potter (1994-2000), glazier from 1989 to 2000"),
    ("Saved 4% in FY 2015 and FY17", "Saved 4% in FY 1995 and FY97"),
    ("Class of 2008", "Class of 1988"),
    (
        "Office manager 2012 - 2014, head of office 2014 - 2018",
        "Office manager 1992 - 1994, head of office 1994 - 1998",
    ),
]
NOT_MOVED = [
    "Tel. (312) 555-2013",
    "Tel. 312 555 1994",
    "1985 Fullerton Ave, Chicago, IL 60614-2004",
    "example.org/2016/kilns",
    "Windows Server 2012, SQL Server 2014/2016, AutoCAD 2018 and 2020",
    "Clean Air Act of 1963, Equality Act 2010",
    "ISO 45001:2018",
    "A budget of 1990 euros, 2000+ kilns",
    "Fired 1/10 of 12/20 kilns",
]


@pytest.mark.parametrize(("text", "earlier"), [*ALSO_MOVED, *((text, text) for text in NOT_MOVED)])
def test_dates_of_many_forms_are_moved_and_no_other_numbers(text, earlier):
    assert edited(text, moved(text, dates_of(text), -20, until=2020)) == earlier


RESUME = """EXPERIENCE
Potter, Kiln Ltd, 2014 - 2020
Glazier, Pane Ltd, 2009 - 2014

EDUCATION
BSc Physics, Leeds University, 2002 - 2005
{}
"""


@pytest.mark.parametrize(
    "also",
    ["MSc Physics, Leeds University, 2021 - 2022", "VOLUNTEERING\nRowing club, 2011 - present"],
)
def test_the_last_job_is_no_study_and_no_spare_time(also):
    text = RESUME.format(also)
    assert "Potter, Kiln Ltd, 1994 - 2020" in edited(text, lengthened(dates_of(text), -20))
    assert with_break(dates_of(text), 2)[1] == (2012, 2014)


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
    assert with_break(dates_of("Potter 2012 - 2020, glazier 2006 - 2009"), 2) is None


def test_durations_stay_and_ages_go_with_births():
    text = "Born 1984, aged 40. Potter, 2003 - 2011, glazier 2011 to 2020, BA 1999"
    earlier = edited(text, moved(text, dates_of(text), -20, until=0))
    before, after = ([date.value for date in dates_of(each) if date.kind == "year"] for each in (text, earlier))
    assert {old - new for old, new in zip(before, after, strict=True)} == {20}
    assert "aged 60" in earlier


@pytest.mark.parametrize(("text", "year"), [("2004 - 2012, valid 2030", 2012), ("BA 2001", 2001), ("none", 0)])
def test_an_open_end_is_the_latest_year_of_work(text, year):
    assert latest_year(dates_of(text)) == year
