"""Three people, two positions, and layouts of their arms."""

import json
import signal

import pytest

from evenhand.analyses.perturb_arms import Layout, read_applicants
from evenhand.data.lexicons.names import group_names
from evenhand.synthetic.arms import Arms, choose_names

PEOPLE = [
    {
        "id": "p1",
        "text": "Jane Doe\njane.doe@example.org\n\nNurse for ten years. She led the ward.",
        "known_names": ["Jane Doe"],
        "gender": "female",
        "race": "white",
    },
    {
        "id": "p2",
        "text": "John Smith\njohn.smith@example.org\n\nNurse for two years.",
        "known_names": ["John Smith"],
        "gender": "male",
    },
    {"id": "p3", "text": "Ana Lee\n\nCarpenter of houses.", "known_names": ["Ana Lee"]},
]
POSITIONS = [
    {"id": "n", "title": "Nurse", "text": "Cares for patients.", "skills": ["triage"], "location": "Ohio"},
    {"id": "c", "title": "Carpenter", "text": "Builds houses."},
]


@pytest.fixture
def applicants(tmp_path):
    """Return the people and positions, read from files."""
    for name, rows in (("people", PEOPLE), ("positions", POSITIONS)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_applicants(tmp_path / "people.jsonl", tmp_path / "positions.jsonl")


@pytest.fixture
def layout_of(applicants):
    """Return a function that lays the people out in arms."""

    def make(*kinds, by=("gender",), per_group=2, seed=0, people=applicants):
        choice = choose_names(group_names(), by=by, per_group=per_group, seed=seed)
        return Layout(applicants=people, arms=Arms(choice=choice, kinds=kinds or ("name", "placebo")), seed=seed)

    return make


@pytest.fixture
def interrupts_are_heard():
    """Hear SIGINT also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
