from collections import Counter

import pytest

from evenhand.data.lexicons.occupations import occupation, occupations
from evenhand.errors import InputError


def test_occupations_are_of_all_job_zones_and_each_has_its_facts():
    zones = Counter(each.zone for each in occupations())
    assert set(zones) == {1, 2, 3, 4, 5}
    assert min(zones.values()) >= 8
    assert len({each.code for each in occupations()}) == len(occupations()) >= 60
    for each in occupations():
        assert each.title
        assert 6 <= len(set(each.tasks)) == len(each.tasks) <= 10
        assert len(set(each.technology)) == len(each.technology) <= 12
        assert len(set(each.titles)) == len(each.titles) <= 5


def test_facts_are_those_of_the_database():
    # O*NET 29.2, 35-9021.00: job zone, the first core task, titles that workers report.
    found = occupation("35-9021.00")
    assert (found.title, found.zone) == ("Dishwashers", 1)
    assert found.tasks[0] == "Wash dishes, glassware, flatware, pots, or pans, using dishwashers or by hand"
    assert found.titles == (
        "Dish Machine Operator",
        "Dish Room Worker",
        "Dish Technician",
        "Dishwasher",
        "Kitchen Helper",
    )


def test_an_occupation_that_is_not_there_is_said_in_one_line():
    with pytest.raises(
        InputError, match=r"^No occupation has the code '99-0000\.00'\. Expected one of 82 such as .*\.$"
    ):
        occupation("99-0000.00")
