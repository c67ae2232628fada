"""Answers are read in the order of sending, whichever came first."""

import orjson

from evenhand.models.journal import Journal, Part, join_journals, journal_index
from evenhand.models.outcomes import read_answers


def read(folder, **options):
    return [number for frame in read_answers(folder, **options) for number in frame["sent_order"].to_list()]


def test_answers_come_in_the_order_of_sending(tmp_path, line):
    with Journal(tmp_path, rotate_at=400) as journal:
        for number in (3, 0, 2, 4, 1):
            journal.append(line(number))
    assert len(list(tmp_path.glob("answers-*.jsonl"))) > 1
    assert read(tmp_path, chunk=2) == [0, 1, 2, 3, 4]


def test_an_attempt_made_again_stands_at_its_place_with_its_last_text(tmp_path, line):
    with Journal(tmp_path) as journal:
        for number, text in ((0, "early"), (1, "b"), (2, "c"), (0, "late")):
            journal.append(line(number, text=text))
    (frame,) = read_answers(tmp_path)
    assert frame["text"].to_list() == ["late", "b", "c"]


def test_lines_that_another_program_wrote_are_parsed(tmp_path, line):
    lines = [dict(reversed(line(number).items())) for number in (1, 0)]
    (tmp_path / "answers-000.jsonl").write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in lines))
    assert read(tmp_path) == [0, 1]
    assert journal_index(tmp_path).ids.tolist() == [0, 1]


def test_an_empty_folder_has_no_answers(tmp_path):
    assert read(tmp_path) == []


def joined(folder, *parts):
    with Journal(folder) as journal:
        result = join_journals(parts, journal)
    (frame,) = read_answers(folder)
    return result, frame


def test_an_answer_goes_before_a_failure_and_the_earlier_before_the_later(tmp_path, line):
    for name, lines in {
        "a": [line(0, text=None, error_class="final"), line(1, text="later", time="2025-01-02T00:00:00Z")],
        "b": [line(0, text="answered"), line(1, text="earlier", time="2025-01-01T00:00:00Z"), line(2)],
    }.items():
        with Journal(tmp_path / name) as journal:
            for each in lines:
                journal.append(each)
    parts = [Part(folder=tmp_path / name, finished=True) for name in "ab"]
    result, frame = joined(tmp_path / "out", *parts)
    assert frame["text"].to_list() == ["answered", "earlier", "text 2"]
    assert (result.lines, result.overlaps, result.conflicts) == (3, 2, (f"{1:016x}",))


def test_a_passing_failure_counts_only_in_a_finished_part(tmp_path, line):
    with Journal(tmp_path / "a") as journal:
        journal.append(line(0))
        journal.append(line(1, text=None, error_class="timeout"))
    for finished, lines in ((False, 1), (True, 2)):
        result, _ = joined(tmp_path / f"out {finished}", Part(folder=tmp_path / "a", finished=finished))
        assert result.lines == lines
