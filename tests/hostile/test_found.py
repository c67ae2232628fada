"""Inputs that damaged files and answers have been found by: each ended in a traceback, or in a message nobody reads."""

import json
from datetime import UTC, datetime

import pytest

from evenhand.analyses.fail_on import check_conditions
from evenhand.analyses.impact_query import query_of
from evenhand.analyses.open_model import split_spec
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.probes import Shards
from evenhand.data.inputs import read_saved_answers
from evenhand.errors import EvenhandError, InputError
from evenhand.models.cost import read_prices
from evenhand.models.http_errors import retry_after_seconds
from evenhand.probes.business_vocabulary.probe import read_templates
from evenhand.probes.hiring_bloomberg.corpus import read_corpus
from evenhand.probes.hiring_bloomberg.layouts import json_block
from evenhand.probes.readers import require_columns
from evenhand.results.messages import spelled
from hostile.readers import FILES
from hostile.seeds import JSON, JSONL, RESUME

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LARGE = 123456789012345678901234567890


def saved(tmp_path, content):
    (tmp_path / "a.jsonl").write_bytes(content)
    return read_saved_answers(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("content", "column", "value"),
    [
        (rb'{"answer": "", "x": ["\ud83d"]}', "x", '["\ufffd"]'),
        (rb'{"answer": "", "x": {"a\ud83d": "\ud83d"}}', "x", '{"a\ufffd":"\ufffd"}'),
        (rb'{"answer": "", "a\ud83e": 1}', "a\ufffd", 1),
        (b'{"answer": "", "x": [%d, "\\ud83d"]}' % LARGE, "x", f'[{LARGE}, "\ufffd"]'),
    ],
    ids=["in a list", "in an object", "in a column's name", "beside a large number"],
)
def test_half_a_surrogate_pair_is_replaced_wherever_it_stands(tmp_path, content, column, value):
    assert saved(tmp_path, content)[column].to_list() == [value]


def test_half_a_surrogate_pair_in_a_ranking_is_no_reason_to_stop():
    first, second, third = (chr(0x17000 + place) for place in range(3))  # the signs that stand for names
    found = json_block(f'["{first}", "{second} \ud83d", "{third}"]')
    assert [entry.text for entry in found.entries] == [first, f"{second} ?", third]
    assert json_block('{"\ud83d') is None


def test_a_number_that_no_column_holds_is_kept_as_text(tmp_path):
    number = "9" * 60
    frame = saved(tmp_path, f'{{"answer": "", "x": {number}, "y": "\\ud83d"}}\n{{"answer": "", "x": 1}}'.encode())
    assert frame["x"].to_list() == [number, "1"]


@pytest.mark.parametrize("content", [b"{}", b'{"n": 1}'])
def test_records_without_a_text_are_refused(tmp_path, content):
    with pytest.raises(InputError, match=r"has no rows|No column .answer."):
        saved(tmp_path, content)


@pytest.mark.parametrize("start", [b"[", b'{"answer": ', b'{"answer": "", "x": [', b'{"a": "\\ud83d", "x": ['])
def test_an_answer_that_is_nested_without_end_is_refused(tmp_path, start):
    closing = b"]" * 50_000 + b"}" if start.endswith(b"[") else b""
    with pytest.raises(InputError, match=r"Line 1 of .* (no JSON|nested too deeply)"):
        saved(tmp_path, start + b"[" * 50_000 + closing)


#: What parsers of Python give up on by an error of their own; what is nested without end is below.
@pytest.mark.parametrize("content", ["9" * 5_000, "a = " + "9" * 5_000, "a = \x01"], ids=["JSON", "digits", "sign"])
@pytest.mark.parametrize("read", [read_corpus, read_templates, read_prices])
def test_what_python_gives_up_on_is_refused_in_one_short_line(tmp_path, read, content):
    path = tmp_path / ("a.json" if content.isdigit() else "a.toml")
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        read(path)
    assert str(refused.value) == spelled(str(refused.value))
    assert len(str(refused.value)) < 600


def deep(ending, depth):
    """Yield files with one value nested so deeply, at every key that a reader knows."""
    lists, objects = "[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth
    if ending == ".toml":
        tables = "{a=" * depth + "1" + "}" * depth
        names = ".a" * depth
        for key in ("rule", "baseline", "models", "currency", "templates", "feature", "x", "sex"):
            yield from (
                f"{key} = {lists}",
                f"{key} = {tables}",
                f"[{key}{names}]\nb = 1",
                f"[[{key}]]\nname{names} = 1",
            )
        return
    yield from (lists, objects)
    for seed in (*JSON, *(line.splitlines()[0].removeprefix(b"\xef\xbb\xbf") for line in JSONL), *RESUME, *MORE):
        row = json.loads(seed)
        for key in row if isinstance(row, dict) else ():
            whole = json.dumps(row | {key: "HERE"})
            yield from (whole.replace('"HERE"', nested) for nested in (lists, objects))


MORE = (
    b'{"id": "1", "text": "a", "known_names": [], "title": "Nurse", "skills": [], "groups": {}, "position": {}}',
    b'{"schema": "evenhand.findings/2", "audit": {}, "findings": [], "payload": "", "signatures": [], "file": ""}',
    b'{"evaluated": "2026-01-01T00:00:00Z", "masking_rates": [], "body": {}, "score": "/a", "spans": [], "origin": ""}',
)


@pytest.mark.parametrize("depth", [300, 1_000, 10_000])
@pytest.mark.parametrize("reader", [name for name, (ending, _) in FILES.items() if ending != ".csv"])
def test_what_is_nested_without_end_is_read_or_refused_in_one_short_line(tmp_path, reader, depth):
    ending, read = FILES[reader]
    told = []
    for content in deep(ending, depth):
        (tmp_path / f"a{ending}").write_text(content)
        try:
            read(tmp_path / f"a{ending}")
        except EvenhandError as error:
            told.append(str(error))
    assert told == [spelled(text) for text in told]
    assert max(map(len, told), default=0) < 900


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "1 Oct 67 7:28999999999"},
        {"Retry-After": "Wed, 21 Oct 99999999999999999999 07:28:00 GMT"},
        {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "9" * 400 + "s"},
    ],
    ids=["a date", "a year", "a limit that is never filled again"],
)
def test_a_time_to_wait_for_that_no_calendar_has_says_nothing(headers):
    assert retry_after_seconds(headers, now=NOW) is None


@pytest.mark.parametrize(
    "read",
    [
        lambda text: check_conditions([text]),
        lambda text: query_of(ImpactOptions(undecided=[f"{text}=a"], selected="b", protected=["c"])),
        split_spec,
        lambda text: split_spec(f"{text}:x"),
        lambda text: split_spec(f"http:{text}"),
        Shards.parse,
    ],
    ids=["--fail-on", "--undecided", "--model", "scheme", "model's name", "--shard"],
)
def test_what_a_user_typed_is_repeated_on_one_short_line(read):
    with pytest.raises(InputError) as refused:
        read("\x1b[2J\n\t\u202e" + "x" * 10_000)
    told = str(refused.value)
    assert told == spelled(told)
    assert not {"\n", "\t"} & set(told)
    assert len(told) < 600


def test_names_of_columns_in_a_message_are_few_and_act_on_no_terminal():
    import polars as pl

    with pytest.raises(InputError) as refused:
        require_columns(pl.DataFrame({f"\x1b[31m{n}": [1] for n in range(500)}), ("name",), probe="hiring-an")
    assert "\x1b" not in str(refused.value)
    assert str(refused.value).endswith("and 480 more.")
