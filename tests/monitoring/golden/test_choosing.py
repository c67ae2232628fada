"""Which cases are chosen to be labelled, and the reason that is kept."""

from evenhand.monitoring.golden_cases import Candidate, chosen

PEOPLE = [
    Candidate(id="alike", groups={"gender": "man"}, scores={"a": 0.1, "b": 10}, decided=False),
    Candidate(id="models apart", groups={"gender": "man"}, scores={"a": 0.2, "b": 90}, decided=True),
    Candidate(id="people apart", groups={"gender": "man"}, scores={"a": 0.9, "b": 80}, decided=False),
    Candidate(id="few", groups={"gender": "woman"}, scores={"a": 0.5, "b": 50}, decided=True),
]


def test_each_reason_takes_its_turn():
    there = [{"gender": "man"}] * 3
    assert chosen(PEOPLE, 3, there=there) == {
        "models apart": "models disagree: a 0.2, b 90",
        "people apart": "people said no: a 0.9, b 80",
        "few": "few of gender woman",
    }


def test_what_is_not_known_gives_no_reason():
    bare = [Candidate(id=each.id, groups={}, scores={}) for each in PEOPLE]
    assert chosen(bare, 2) == {}
    assert len(chosen(PEOPLE, 9)) == 4


def test_a_reason_is_true_of_the_case_that_it_is_kept_with():
    bare = [Candidate(id=each.id, groups={}, scores=each.scores, decided=each.decided) for each in PEOPLE]
    assert chosen(bare, 9) == {
        "models apart": "models disagree: a 0.2, b 90",
        "people apart": "people said no: a 0.9, b 80",
        "few": "models disagree: a 0.5, b 50",  # third of four, and second
    }
