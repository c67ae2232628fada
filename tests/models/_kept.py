"""What a run folder holds of the plan of `conftest`."""

from evenhand.models.outcomes import read_answers
from loopback import answer_to


def rows(folder):
    return [row for frame in read_answers(folder) for row in frame.iter_rows(named=True)]


def texts(folder):
    return {row["index"]: row["text"] for row in rows(folder)}


def expected(indices):
    return {index: answer_to(f"ask {index}") for index in indices}
