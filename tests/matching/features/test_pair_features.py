"""Features of a pair, from a masked text and a position: what each is, and what is unknown."""

import numpy as np
import pytest

from evenhand.data.inputs import Position
from evenhand.matching.features import (
    NAMES,
    block_features,
    pair_features,
    people_facts,
    position_facts,
    position_labels,
)
from evenhand.matching.terms import LabelledTexts, vocabulary_of
from evenhand.matching.texts import lines_of

POSITION = Position(
    id="1",
    title="Software Developer",
    text="At least four years of experience. A bachelor's degree is required.",
    skills=("Python", "C++", "Java"),
    must=("Python",),
    nice=("Rust",),
)
RESUME = """[NAME]
Senior Software Developer, 2014 - 2020
Web Developer, 2011 - 2012
Bachelor of Science
Skills: Python, C++
"""
OTHERS = ("", "[NAME]\nGardener since 2019\n")


def words_of(positions, texts):
    """Return the vocabulary of texts, every person paired with every position, with a label of no use."""
    rows, columns = (each.ravel() for each in np.indices((len(texts), len(positions))))
    label = np.zeros(len(rows))
    return vocabulary_of(LabelledTexts(positions=positions, people=texts, rows=rows, columns=columns, label=label))


def features(text, position=POSITION, *, as_of=2022.0):
    positions = [position]
    vocabulary = words_of(positions, [lines_of(text)])
    labels = position_labels(positions, vocabulary)
    facts = (
        people_facts([lines_of(text)], labels, vocabulary, as_of=as_of),
        position_facts(positions, labels, vocabulary),
    )
    found = pair_features(*facts, np.array([0]), np.array([0]))[0]
    return dict(zip(NAMES, found.tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("skills", 0.5),  # Python and C++ of Python, Rust, C++, Java
        ("must", 1.0),
        ("nice", 0.0),
        ("title", 1.0),
        ("occupation", 1.0),
        ("years", 7 / 4),  # six years and one
        ("gap", 2.0),  # 2012 to 2014
        ("recency", 2.0),  # 2020 to 2022
        ("seniority", 1.0),  # senior is 3, a plain title 2
        ("education", 0.0),
    ],
)
def test_what_is_found_is_held_against_what_is_asked(name, value):
    assert features(RESUME)[name] == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("name", ["years", "gap", "recency", "occupation"])
def test_what_no_text_tells_is_unknown(name):
    assert np.isnan(features("[NAME]\nLikes gardens.\n")[name])


@pytest.mark.parametrize("name", ["skills", "must", "nice", "technology"])
def test_what_nobody_asks_for_is_unknown(name):
    assert np.isnan(features(RESUME, Position(id="2", title="Xyzzy"))[name])


@pytest.mark.parametrize("text", [RESUME, *OTHERS])
def test_all_pairs_at_once_are_those_one_by_one(text):
    positions = [POSITION, Position(id="2", title="Gardener", skills=("Pruning",))]
    texts = [lines_of(each) for each in (text, *OTHERS)]
    vocabulary = words_of(positions, texts)
    labels = position_labels(positions, vocabulary)
    facts = people_facts(texts, labels, vocabulary, as_of=2022.0), position_facts(positions, labels, vocabulary)
    rows, columns = (each.ravel() for each in np.indices((3, 2)))
    block = block_features(*facts, 0, 3).reshape(-1, len(NAMES))
    assert np.array_equal(block, pair_features(*facts, rows, columns), equal_nan=True)


def test_a_name_that_masking_missed_changes_nothing_unless_a_position_has_it_as_a_word():
    assert features(RESUME + "\nJaroslava\n") == pytest.approx(features(RESUME), nan_ok=True)
