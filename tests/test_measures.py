from pkgutil import resolve_name

import pytest

from evenhand.probes import PROBES
from evenhand.results.measures import JUDGEMENTS, MarkBands

RATE = MarkBands(centre=0.0, edges=(0.05, 0.15, 0.5, 1.0))
SHARE = MarkBands(centre=0.5, edges=(0.03, 0.08, 0.2, 0.5))


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        (0, "A"),
        (0.05, "A"),
        (-0.05, "A"),
        (0.050001, "B"),
        (0.15, "B"),
        (-0.1501, "C"),
        (0.5, "C"),
        (0.51, "D"),
        (1, "D"),
    ],
)
def test_marks_on_both_sides_of_every_edge(value, mark):
    assert RATE.mark(value) == mark


@pytest.mark.parametrize(
    ("value", "mark"), [(0.47, "A"), (0.53, "A"), (0.54, "B"), (0.42, "B"), (0.7, "C"), (0.29, "D")]
)
def test_marks_around_another_centre_survive_binary_fractions(value, mark):
    assert SHARE.mark(value) == mark


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (-0.01, 0.01, ("A",)),
        (0.04, 0.06, ("A", "B")),
        (0.06, 0.6, ("B", "C", "D")),
        (-0.6, 0.01, ("A", "B", "C", "D")),
        (-0.2, -0.16, ("C",)),
    ],
)
def test_touched_marks(low, high, marks):
    assert RATE.touched(low, high) == marks


def test_edges_must_grow():
    with pytest.raises(ValueError, match="grow"):
        MarkBands(centre=0.0, edges=(0.1, 0.1, 0.2, 0.3))


FUNCTIONS = ("findings", "units", "influence", "effects", "models", "scores", "value")


@pytest.mark.parametrize("name", JUDGEMENTS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_judgement_names_functions_that_are_there(name, function):
    if function == "value":
        pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: evenhand[inspect]")
    assert callable(resolve_name(getattr(JUDGEMENTS[name], function)))


@pytest.mark.parametrize(
    ("probe", "name"),
    [
        ("hiring-an", "rate"),
        ("hiring-bloomberg", "choice"),
        ("business-vocabulary", "aspect"),
        ("an2024", "population"),
    ],
)
def test_measures_say_what_is_judged(probe, name):
    assert PROBES[probe].measured.judgement is JUDGEMENTS[name]
