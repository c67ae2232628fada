"""Widths, wrapped labels, and places where none covers another."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.report.charts.svg import ELLIPSIS, clamped, levels, spread, text_width, wrapped


@pytest.mark.parametrize(
    ("text", "widest"),
    [
        # Widths in pixels at 1,000 pixels a letter, in DejaVu Sans and Liberation Sans as Chromium measures them.
        ("women", 3_254),
        ("0.8", 1_590),
        ("é", 616),
        ("漢字", 2_000),
        ("العربية", 3_361),
    ],
)
def test_a_text_is_counted_at_least_as_wide_as_the_usual_fonts_draw_it(text, widest):
    assert text_width(text, 1000) >= widest


@given(st.text(max_size=200), st.floats(20, 300))
def test_a_wrapped_text_fits_and_no_letter_of_it_is_lost(text, width):
    found = wrapped(text, width)
    assert all(text_width(line) <= width for line in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_what_fits_is_left_as_it_is():
    assert wrapped("women of colour", 200) == ("women of colour",)


def test_a_word_wider_than_its_place_is_broken():
    assert wrapped("a Donaudampfschifffahrtsgesellschaft", 120) == ("a", "Donaudampfschif", "ffahrtsgesellschaf", "t")


def test_of_a_label_longer_than_any_name_the_ends_are_kept():
    shown = ["".join(wrapped("w" * 500 + end, 120)) for end in "ab"]
    assert [text[-2:] for text in shown] == ["wa", "wb"]
    assert all(ELLIPSIS in text and len(text) < 410 for text in shown)


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(1, 60)), max_size=20))
def test_labels_on_one_line_do_not_touch(given_spans):
    spans = [(start, start + wide) for start, wide in given_spans]
    placed = list(zip(levels(spans, gap=4), spans, strict=True))
    for number, (level, (start, end)) in enumerate(placed):
        for other, (low, high) in placed[number + 1 :]:
            assert level != other or end + 4 <= low or high + 4 <= start


@given(st.lists(st.floats(0, 200), max_size=12))
def test_labels_that_are_spread_keep_their_order_and_do_not_touch(wishes):
    centres = spread(wishes, [15.0] * len(wishes), low=0, high=200)
    ordered = sorted(range(len(wishes)), key=lambda place: wishes[place])
    for one, other in pairwise(ordered):
        assert centres[other] - centres[one] >= 15 - 1e-9
    assert all(7.5 - 1e-9 <= centre <= 192.5 + 1e-9 for centre in centres)


def test_labels_with_room_stay_where_they_belong():
    assert spread([20, 60, 100], [15, 15, 15], low=0, high=200) == [20, 60, 100]
    assert clamped(95, 20, low=0, high=100) == 90
