"""The weights that tell a person from a word come from the contexts beside their script."""

import csv
import importlib.util
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evenhand.masking.names.mentions import features, is_likely

ROOT = Path(__file__).parents[2]


spec = importlib.util.spec_from_file_location("train_own_name", ROOT / "scripts" / "train_own_name.py")
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)


def shipped(*, small):
    with script.weights_file(small=small).open(encoding="utf-8", newline="") as file:
        return {row["feature"]: float(row["weight"]) for row in csv.DictReader(file)}


@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True])
def test_the_weights_are_what_the_script_learns(small):
    weights, learned = shipped(small=small), script.learned(small=small)
    assert learned.keys() == weights.keys()
    # Among many features that say the same, the optimiser stops at another place on each kind of processor.
    assert np.corrcoef([learned[name] for name in weights], [*weights.values()])[0, 1] > 0.999


@pytest.mark.parametrize("small", [False, True])
def test_a_step_of_learning_leaves_the_weights_where_they_are(small):
    """At the minimum of a logistic regression with an L2 penalty the gradient of each weight is 0."""
    weights, rows = shipped(small=small), script.contexts(small=small)
    seen = [set(features(*row[:4])) for row in rows]
    counts = Counter(name for row in seen for name in row)
    often = [name for name, times in counts.items() if times >= script.LEAST]
    assert {"intercept", *often} == weights.keys()
    gradient, curvature = Counter(), Counter()
    for names, (*_, person) in zip(seen, rows, strict=True):
        held = {"intercept", *names}
        p = 1 / (1 + math.exp(-sum(weights.get(name, 0.0) for name in held)))
        for name in held:
            gradient[name] += p - person
            curvature[name] += p * (1 - p)
    assert abs(gradient["intercept"]) < 1  # it has no penalty
    old = np.array([weights[name] for name in often])
    slope, bend = (script.STRENGTH * np.array([sums[name] for name in often]) for sums in (gradient, curvature))
    stepped = old - (slope + old) / (1 + bend)
    # .9905 and .9938; with noise of a twentieth of the weights' spread .987 and .990.
    assert np.corrcoef(old, stepped)[0, 1] > 0.988


@pytest.mark.parametrize(
    ("line", "word", "kind"),
    [
        ("Neighbours still bring May their broken radios.", "May", "month"),
        ("The night shift swears by Ruby, who never hurries.", "Ruby", "tool"),
        ("Since the flood everybody rings Grace before the council.", "Grace", "word"),
        ("when the pump fails they ask grace for a second opinion.", "grace", "word"),
        ("the night shift swears by ruby, who never hurries.", "ruby", "tool"),
    ],
)
def test_a_sentence_in_no_rule_is_weighed(line, word, kind):
    start = line.index(word)
    assert is_likely(line, start, start + len(word), kind)


@pytest.mark.parametrize(
    ("line", "word", "kind"),
    [
        ("Opened in May 2019 with two nurses.", "May", "month"),
        ("Leave from 1 May to the 12th of May, in full.", "May", "month"),
        ("Moved to an office in Jordan last year.", "Jordan", "place"),
        ("Mark the date.", "Mark", "word"),
        ("Price: 40 dollars", "Price", "organisation"),
        ("Strong verbal skills.", "Strong", "word"),
        ("Will travel within 50 miles.", "Will", "word"),
        ("Joined Ford as a trainee.", "Ford", "organisation"),
        ("Bachelor of Art", "Art", "word"),
        ("Mark-up was cut to 40 %.", "Mark", "word"),
        ("Built models of generative AI.", "AI", "short"),
        ("opened in may 2019 with two nurses.", "may", "month"),
        ("available at once and will travel within 50 miles.", "will", "word"),
        ("kept the books up to the front page.", "page", "word"),
    ],
)
def test_what_is_plainly_a_word_is_not(line, word, kind):
    start = line.index(word)
    assert not is_likely(line, start, start + len(word), kind)
