"""A manifest is read once: what it says has its type, or is refused with a line."""

import orjson
import pytest

from evenhand.analyses.manifest import manifest_of, read_manifest
from evenhand.errors import InputError
from evenhand.results.audit import Price


def written(folder, **values):
    (folder / "manifest.json").write_bytes(orjson.dumps({"schema": "evenhand.run/1", **values}))
    return read_manifest(folder)


def test_what_a_manifest_does_not_say_or_says_as_null_is_empty(tmp_path):
    manifest = written(tmp_path, kind="probe", settings=None, cost=None)
    assert (manifest.settings, manifest.cost, manifest.requests, manifest.is_finished) == ({}, None, None, False)


def test_blocks_of_a_manifest_are_objects(tmp_path):
    price = {"input": 1.0, "output": 2.0, "currency": None, "batch_discount": 0.0}
    manifest = written(tmp_path, kind="probe", price=price, merged={"answers": 3, "requests": 4})
    assert manifest.price == Price(input=1.0, output=2.0)
    assert manifest.merged.requests == 4


def test_a_run_of_a_later_version_is_of_no_known_kind_and_keeps_what_it_says(tmp_path):
    manifest = written(tmp_path, kind="from the future", invented=[1])
    kind = manifest.run_kind
    assert (kind.asks, kind.one_probe, kind.probes_below) == (False, False, False)
    assert manifest.as_written["invented"] == [1]


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        ({"probes": "hiring-an"}, "probes"),
        ({"requests": "many"}, "requests"),
        ({"usage": {"answers": []}}, r"usage\.answers"),
        ({"settings": [1]}, "settings"),
    ],
)
def test_a_value_of_another_type_is_named_in_one_line(tmp_path, damage, place):
    with pytest.raises(InputError, match=rf"^.*manifest\.json is damaged \({place}: [^\n]*\); nothing was changed\.$"):
        written(tmp_path, kind="probe", **damage)


def test_a_folder_without_a_manifest_of_ours_has_none(tmp_path):
    assert read_manifest(tmp_path) is None
    (tmp_path / "manifest.json").write_text('{"schema": "another/1"}')
    assert read_manifest(tmp_path) is None


def test_parameters_are_compared_as_they_were_asked_for():
    rows = [
        {"parameter": "temperature", "requested": 0.5, "sent": None},
        {"parameter": "seed", "requested": 1, "sent": None},
        {"parameter": "max_tokens", "requested": 5, "sent": "max_completion_tokens"},
    ]
    asked = {"temperature": None, "seed": 1, "max_tokens": 9}
    manifest = manifest_of({"kind": "probe", "parameters": asked, "adaptations": rows})
    assert manifest.requested_parameters == {"temperature": 0.5, "seed": 1, "max_tokens": 9}
