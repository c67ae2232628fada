"""Writing, opening and reading a journal, whole and damaged."""

import os
import resource
from datetime import UTC, datetime

import numpy as np
import orjson
import pytest

from evenhand.errors import Incomplete, InputError
from evenhand.models.journal import Journal, _read_line
from evenhand.models.outcomes import identical_repetitions, read_answers
from evenhand.results.schemas import ANSWERS


def write(folder, lines, **options):
    with Journal(folder, **options) as journal:
        for content in lines:
            journal.append(content)


def read(folder, **options):
    return [row for frame in read_answers(folder, **options) for row in frame.iter_rows(named=True)]


def answered(folder, **options):
    with Journal(folder) as journal:
        return journal.answered(**options).tolist()


def test_what_is_written_is_read_with_the_types_of_the_answers_table(tmp_path, line):
    write(tmp_path, [line(3)])
    [frame] = read_answers(tmp_path)
    assert dict(frame.schema) == ANSWERS
    assert frame.row(0, named=True) == line(3)


def test_a_line_has_its_keys_in_the_order_of_the_answers_table(tmp_path, line):
    write(tmp_path, [line(3)])
    [written] = (tmp_path / "answers-000.jsonl").read_bytes().splitlines()
    assert list(orjson.loads(written)) == list(ANSWERS)
    assert orjson.loads(written)["time"] == "2025-01-02T03:04:05Z"


@pytest.mark.parametrize("text", ["", "a\nb\r\n\u2028c", "NUL \0 end", "\U0001f600 é \u202e", '"}\\', "x" * 300_000])
def test_every_text_survives(tmp_path, line, text):
    write(tmp_path, [line(0, text=text), line(1)])
    assert [row["text"] for row in read(tmp_path)] == [text, "text 1"]


def test_half_an_emoji_is_replaced_visibly_and_a_pair_is_joined(tmp_path, line):
    write(tmp_path, [line(0, text="a\ud83d b", returned_model="\ud83d\ude00")])
    [row] = read(tmp_path)
    assert (row["text"], row["returned_model"]) == ("a\ufffd b", "\U0001f600")


def test_microseconds_and_unknown_values_survive(tmp_path, line):
    moment = datetime(2025, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
    write(tmp_path, [line(0, time=moment, text=None, latency=None, input_tokens=None, error_class="timeout")])
    [row] = read(tmp_path)
    assert row["time"] == moment
    assert (row["text"], row["latency"], row["input_tokens"], row["error_class"]) == (None, None, None, "timeout")


def test_the_last_line_of_an_id_counts(tmp_path, line):
    write(tmp_path, [line(0, text=None, error_class="timeout"), line(1), line(0, text="later")])
    assert [(row["index"], row["text"]) for row in read(tmp_path)] == [(0, "later"), (1, "text 1")]


def test_reading_comes_in_pieces(tmp_path, line):
    write(tmp_path, [line(number) for number in range(7)])
    assert [frame.height for frame in read_answers(tmp_path, chunk=3)] == [3, 3, 1]


def test_an_empty_folder_has_no_answers(tmp_path):
    assert read(tmp_path) == []
    assert answered(tmp_path) == []


def test_a_full_file_is_followed_by_the_next(tmp_path, line):
    size = len(orjson.dumps(line(0))) + 10
    write(tmp_path, [line(number) for number in range(5)], rotate_at=2 * size)
    write(tmp_path, [line(number) for number in range(5, 7)], rotate_at=2 * size)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["answers-000.jsonl", "answers-001.jsonl", "answers-002.jsonl", "answers-003.jsonl"]
    assert [row["index"] for row in read(tmp_path)] == list(range(7))
    assert answered(tmp_path) == list(range(7))


def test_answered_ids_are_sorted_and_passing_errors_can_be_asked_again(tmp_path, line):
    lines = [
        line(2**64 - 1),
        line(5, text=None, error_class="timeout"),
        line(4, text=None, error_class="rejected"),
        line(3, text=None, error_class="rate_limit"),
        line(3),
    ]
    write(tmp_path, lines)
    assert answered(tmp_path) == [3, 4, 5, 2**64 - 1]
    assert answered(tmp_path, retry_errors=True) == [3, 4, 2**64 - 1]


def torn_at(folder, keep):
    path = folder / "answers-000.jsonl"
    data = path.read_bytes()
    os.truncate(path, keep(data))
    return path


@pytest.mark.parametrize("lost", [2, 30, 200])
def test_a_torn_last_line_is_dropped_with_a_notice(tmp_path, line, lost):
    write(tmp_path, [line(0), line(1)])
    path = torn_at(tmp_path, lambda data: len(data) - lost)
    # Reading without the intention to write leaves the file alone.
    assert [row["index"] for row in read(tmp_path)] == [0]
    with Journal(tmp_path) as journal:
        assert journal.answered().tolist() == [0]
        assert len(journal.notices) == 1
        assert "answers-000.jsonl" in journal.notices[0]
        journal.append(line(2))
    assert path.read_bytes().endswith(b"\n")
    assert [row["index"] for row in read(tmp_path)] == [0, 2]


def test_a_last_line_that_lacks_only_its_line_break_is_kept(tmp_path, line):
    write(tmp_path, [line(0), line(1)])
    torn_at(tmp_path, lambda data: len(data) - 1)
    with Journal(tmp_path) as journal:
        assert (journal.answered().tolist(), journal.notices) == ([0, 1], [])
        journal.append(line(2))
    assert [row["index"] for row in read(tmp_path)] == [0, 1, 2]


@pytest.mark.parametrize("end", [b"\0" * 4096, b'{"id": "zz"}\n', b"\n", b"garbage\n"])
def test_a_last_line_that_is_no_line_of_ours_is_dropped(tmp_path, line, end):
    write(tmp_path, [line(0)])
    path = tmp_path / "answers-000.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + end)
    with Journal(tmp_path) as journal:
        assert (journal.answered().tolist(), len(journal.notices)) == ([0], 1)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "damage", [b"garbage", b"", b"[]", b'"text"', b'{"id":"12"}', b'{"id":"00000000000000gg"}', b"\xff{}"]
)
def test_a_damaged_line_in_the_middle_is_named_and_nothing_is_changed(tmp_path, line, damage):
    write(tmp_path, [line(0), line(1), line(2)])
    path = tmp_path / "answers-000.jsonl"
    lines = path.read_bytes().splitlines()
    # A torn end besides: it must not be cut away when the opening fails.
    path.write_bytes(b"\n".join([lines[0], damage, lines[2], lines[2][:20]]))
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"answers-000\.jsonl, line 2"):
        Journal(tmp_path)
    with pytest.raises(InputError, match=r"answers-000\.jsonl, line 2"):
        list(read_answers(tmp_path))
    assert path.read_bytes() == before


def test_a_torn_end_of_a_file_that_is_not_the_last_is_damage(tmp_path, line):
    write(tmp_path, [line(number) for number in range(4)], rotate_at=10)
    os.truncate(tmp_path / "answers-001.jsonl", 40)
    with pytest.raises(InputError, match=r"answers-001\.jsonl, line 1"):
        Journal(tmp_path)


def test_a_disk_that_takes_no_more_is_said_and_half_a_line_is_taken_back(tmp_path, line):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    write(tmp_path, [line(0)])
    path = tmp_path / "answers-000.jsonl"
    whole = path.read_bytes()
    # The kernel writes up to the limit, so the first write is short and the second fails.
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 50, limits[1]))
    try:
        with pytest.raises(Incomplete, match=r"File too large.*--resume"), Journal(tmp_path) as journal:
            journal.append(line(1))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == whole


def test_identical_repetitions_are_counted_per_stimulus(tmp_path, line):
    texts = {(0, 0): "a", (0, 1): "a", (1, 0): "a", (1, 1): "b", (2, 0): "a", (3, 0): "a", (3, 1): None}
    lines = [
        line(number, index=index, attempt=attempt, text=text)
        for number, ((index, attempt), text) in enumerate(texts.items())
    ]
    write(tmp_path, lines)
    found = identical_repetitions(tmp_path)
    # Stimuli 0 and 1 have two texts each; 2 was asked once, and 3 answered once.
    assert (found.compared, found.identical) == (2, 1)


def test_ids_take_eight_bytes_each(tmp_path, line):
    write(tmp_path, [line(number) for number in range(10)])
    with Journal(tmp_path) as journal:
        ids = journal.answered()
    assert (ids.dtype, ids.nbytes) == (np.dtype(np.uint64), 80)


TEXTS = ["plain", '"error_class":null,"time":"2026"}', 'x","error_class":null,"time":"y', "", None, "\x00"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("error_class", [None, "timeout", "refused"])
def test_lines_are_known_by_head_and_tail_as_by_parsing(text, error_class):
    record = {"id": "00000000000000ff", "text": text, "error_class": error_class, "time": "2026-11-21T00:00:00Z"}
    data = orjson.dumps(record) + b"\n"
    kind = {"timeout": 1, "refused": 2, None: 2 * (text == "")}[error_class]
    assert _read_line(data) == (255, kind)
    assert _read_line(data[:-3]) is None
    assert _read_line(data.replace(b"ff", b"zz")) is None
