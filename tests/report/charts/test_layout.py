"""No label lies on another or beyond the frame, whatever the data."""

import re

import pytest
from boxes import SVG, covered, mark_places, parsed, text_boxes
from samples import DATA, HOSTILE, KINDS

from evenhand.report.charts.svg import WIDTHS, Drawing, draw


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_labels_lie_within_the_frame_and_apart(kind, data):
    (drawn,) = draw([Drawing(label="chart", chart=lambda width: kind(data, width))])
    for name, svg in drawn.items():
        root = parsed(svg)
        _, _, wide, high = map(float, root.get("viewBox").split())
        assert wide == WIDTHS[name]
        boxes = text_boxes(root)
        assert boxes
        outside = [
            box for box in boxes if box.left < -0.5 or box.top < -0.5 or box.right > wide + 0.5 or box.bottom > high
        ]
        assert outside == []
        assert covered(boxes) == []
        words = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
        assert [text for text in words if "…" in text and text.count("w") <= 10] == []  # one of 501 letters is cut
        assert all(0 <= x <= wide and 0 <= y <= high for x, y in mark_places(root))
        assert not re.search(r"nan|inf|[\"M ]-?\d+e", re.sub(r"<(title|desc|text).*?</\1>", "", svg))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_hostile_labels_stay_text(kind):
    (drawn,) = draw([Drawing(label=HOSTILE, chart=lambda width: kind(DATA["hostile"], width))])
    for svg in drawn.values():
        assert {element.tag.removeprefix(SVG) for element in parsed(svg).iter()} <= {
            *("svg", "title", "desc", "g", "text", "line", "circle", "rect", "path")
        }
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", svg)
        assert not re.search(r"<[^>]*(url\(|javascript:|style=|\son\w+=)", svg)


def drawn_words(svg):
    """Return all letters that are drawn, without spaces and what is shown where a pointer rests."""
    return "".join("".join(box.text for box in text_boxes(parsed(svg))).split())


@pytest.mark.parametrize("name", ["intervals", "ratios", "bars", "lines", "bands", "distributions", "scatter"])
def test_long_labels_are_whole(name):
    (drawn,) = draw([Drawing(label="chart", chart=lambda width: KINDS[name](DATA["long"], width))])
    for svg in drawn.values():
        for label, _ in DATA["long"][:2]:
            assert label.replace(" ", "") in drawn_words(svg)


def test_what_is_farther_than_the_axis_goes_has_an_arrow_at_the_edge():
    (drawn,) = draw([Drawing(label="chart", chart=lambda width: KINDS["intervals"](DATA["three"], width))])
    for svg in drawn.values():
        assert svg.count('class="head"') == 2  # the second row is open on the left, the third on the right


def test_an_estimate_that_is_not_known_is_told_in_words():
    (drawn,) = draw([Drawing(label="chart", chart=lambda width: KINDS["intervals"](DATA["absent"], width))])
    assert all(svg.count(">not computed<") == 2 for svg in drawn.values())


@pytest.mark.parametrize("kind", ["intervals in series", "bars in series", "lines", "distributions", "scatter"])
def test_series_are_named_and_told_apart_without_colour(kind):
    (drawn,) = draw([Drawing(label="chart", chart=lambda width: KINDS[kind](DATA["three"], width))])
    for svg in drawn.values():
        words = {box.text for box in text_boxes(parsed(svg))}
        assert {"women", "men"} <= words
        assert {"s1", "s2"} <= set(re.findall(r'class="(s\d)"', svg))


def test_a_chart_is_named_and_described_for_those_who_do_not_see_it():
    drawn = draw([Drawing(label="Rates & ratios", chart=lambda width: KINDS["bars"](DATA["three"], width))] * 2)
    ids = []
    for svg in (svg for pair in drawn for svg in pair.values()):
        root = parsed(svg)
        assert root.get("role") == "img"
        title, told = root[0], root[1]
        assert (title.tag, title.text, told.tag) == (f"{SVG}title", "Rates & ratios", f"{SVG}desc")
        assert told.text.startswith("3 bars")
        assert root.get("aria-labelledby") == f"{title.get('id')} {told.get('id')}"
        ids += re.findall(r'id="([^"]+)"', svg)
    assert len(ids) == len(set(ids)) == 8
