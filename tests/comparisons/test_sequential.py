"""The interval of a measure that was watched holds both what stopping and what names leave uncertain."""

import pytest

from evenhand.comparisons.declared import Estimated, Sequential, with_sequence

SEQUENCE = Sequential(
    measure="diff",
    low=-0.02,
    high=0.08,
    narrow=(-0.01, 0.07),
    method="confidence sequence",
    width=0.1,
    looks=4,
)


def estimated(low, high, narrow):
    return Estimated(
        estimate=0.03,
        low=low,
        high=high,
        equivalence=narrow,
        n=400,
        clusters={"name": 40},
        method="cluster-robust by name",
    )


@pytest.mark.parametrize(
    ("own", "outer", "inner"),
    [
        ((0.01, 0.05, (0.015, 0.045)), (-0.02, 0.08), (-0.01, 0.07)),  # names vary less than stopping allows for
        ((-0.1, 0.16, (-0.08, 0.14)), (-0.1, 0.16), (-0.08, 0.14)),
        ((-0.1, 0.05, (-0.08, 0.04)), (-0.1, 0.08), (-0.08, 0.07)),
    ],
)
def test_the_interval_has_the_outer_limits_of_both(own, outer, inner):
    found = with_sequence(estimated(*own), SEQUENCE)
    assert ((found.low, found.high), found.equivalence) == (outer, inner)
    assert found.method == "confidence sequence, and cluster-robust by name: the outer limits"
    assert [(each.method, each.low, each.high) for each in found.alternatives] == [
        ("confidence sequence", -0.02, 0.08),
        ("cluster-robust by name", own[0], own[1]),
    ]


def test_without_an_interval_of_its_own_the_sequence_stands_alone():
    found = with_sequence(estimated(None, None, None), SEQUENCE)
    assert (found.low, found.high, found.method) == (-0.02, 0.08, "confidence sequence")
