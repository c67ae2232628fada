"""The built-in positions and applications have no cue of identity but the name, and are short."""

import tomllib
from collections import Counter
from importlib import resources

import pytest

from evenhand.data.lexicons.names import an2024_names
from evenhand.masking.mask import mask_text

DESIGN = tomllib.loads(resources.files("evenhand.probes.screening").joinpath("design.toml").read_text("utf-8"))
NAME = an2024_names()["name"][0]


def test_each_position_has_as_many_applications_of_each_quality():
    qualities = {
        position["id"]: Counter(row["quality"] for row in DESIGN["resumes"] if row["position"] == position["id"])
        for position in DESIGN["positions"]
    }
    assert len(qualities) == 6
    assert {tuple(sorted(counts.items())) for counts in qualities.values()} == {
        (("borderline", 2), ("clear", 3), ("none", 3))
    }
    assert len(DESIGN["resumes"]) == len({row["id"] for row in DESIGN["resumes"]}) == 48


@pytest.mark.parametrize("row", DESIGN["resumes"], ids=lambda row: row["id"])
def test_an_application_is_short_and_masking_finds_nothing_but_the_name(row):
    assert len(row["text"].split()) <= 90
    assert len(row["cover_letter"].split()) <= 50
    for part in (row["text"], row["cover_letter"]):
        text = part.replace("{name}", NAME).strip()
        assert "{name}" in part
        masked = mask_text(text, known_names=[NAME])
        found = {text[span.start : span.end] for span in masked.spans}
        assert found == {NAME}, found
