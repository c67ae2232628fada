"""Every kind of chart as Chromium draws it: on a desk, on a phone and on paper, in light and dark."""

import pytest
from samples import DATA, KINDS

from evenhand.report.charts.svg import Drawing, draw, text_width
from evenhand.report.page.html import page_policy, page_style

#: Width, colour scheme and medium; A4 within its margins is 673 pixels wide.
LOOKS = {
    "desk": (1280, "light", "screen"),
    "desk, dark": (1280, "dark", "screen"),
    "phone": (400, "light", "screen"),
    "phone, dark": (400, "dark", "screen"),
    "small phone": (320, "light", "screen"),
    "paper": (673, "dark", "print"),
}
#: Chromium gives the boxes of letters in whole pixels.
ROUNDED = 1
#: Each visible drawing with its texts: their boxes in the drawing's own units, and the colours of letters and ground.
MEASURED = """() => {
  const ground = getComputedStyle(document.body).backgroundColor;
  return [...document.querySelectorAll('svg.chart')].filter(svg => svg.checkVisibility()).map(svg => {
    const frame = svg.getBoundingClientRect(), scale = frame.width / svg.viewBox.baseVal.width;
    const bands = [...svg.querySelectorAll('rect.band')].map(rect => [rect.getBoundingClientRect(), rect]);
    const texts = [...svg.querySelectorAll('text')].map(text => {
      const box = text.getBoundingClientRect(), style = getComputedStyle(text);
      const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      const on = bands.filter(([r]) => r.left <= x && x <= r.right && r.top <= y && y <= r.bottom);
      const size = parseFloat(style.fontSize);
      return {
        words: [...text.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join(''),
        left: (box.left - frame.left) / scale, right: (box.right - frame.left) / scale,
        top: (box.top - frame.top) / scale, bottom: (box.bottom - frame.top) / scale,
        size, shown: size * scale, fill: style.fill,
        ground: on.length ? getComputedStyle(on[on.length - 1][1]).fill : ground,
      };
    });
    const chart = svg.closest('figure').dataset.chart;
    return {chart, scale, width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height, texts};
  });
}"""
STROKES = """() => [...document.querySelectorAll('svg.chart')].filter(svg => svg.checkVisibility()).flatMap(svg =>
  [...svg.querySelectorAll('.dot, .hollow, .span, .thin, .line, .closed, .marked')].map(mark => {
    const style = getComputedStyle(mark);
    return [style.fill !== 'none' && mark.matches('.dot') ? style.fill : style.stroke, mark.getAttribute('class')];
  }))"""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    """One page with every kind of chart of all data, under the policy of a report."""
    names = [(kind, data) for data in DATA for kind in KINDS]
    drawn = draw([Drawing(label=kind, chart=lambda w, k=kind, d=data: KINDS[k](DATA[d], w)) for kind, data in names])
    figures = [
        f'<figure data-chart="{kind}: {data}">'
        + "".join(f'<div class="{name}">{svg}</div>' for name, svg in pair.items())
        + "</figure>"
        for (kind, data), pair in zip(names, drawn, strict=True)
    ]
    style = page_style()
    path = tmp_path_factory.mktemp("gallery") / "charts.html"
    path.write_text(
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{page_policy(style)}"><title>Charts</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        f"<body>{''.join(figures)}</body></html>",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="module", params=LOOKS.values(), ids=LOOKS)
def page(request, browser, gallery):
    width, scheme, medium = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    shown = context.new_page()
    shown.complaints = []
    shown.on("console", lambda message: shown.complaints.append(message.text))
    shown.emulate_media(media=medium, color_scheme=scheme)
    shown.goto(gallery.as_uri())
    yield shown
    context.close()


@pytest.fixture(scope="module")
def charts(page):
    return page.evaluate(MEASURED)


def test_one_drawing_of_each_chart_is_shown_and_the_page_complains_of_nothing(page, charts):
    assert len(charts) == len(KINDS) * len(DATA)
    narrow = page.viewport_size["width"] < 500
    assert {chart["width"] for chart in charts} == ({350} if narrow else {720})
    assert page.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_no_text_is_cut_off_or_lies_on_another(charts):
    wrong = []
    for chart in charts:
        texts, rounded = chart["texts"], ROUNDED / chart["scale"]
        for place, text in enumerate(texts):
            if text["left"] < -0.5 or text["top"] < -0.5:
                wrong.append((chart["chart"], "before the frame", text["words"]))
            if text["right"] > chart["width"] + 0.5 or text["bottom"] > chart["height"] + 0.5:
                wrong.append((chart["chart"], "beyond the frame", text["words"]))
            for other in texts[place + 1 :]:
                across = min(text["right"], other["right"]) - max(text["left"], other["left"])
                upwards = min(text["bottom"], other["bottom"]) - max(text["top"], other["top"])
                if across > rounded and upwards > rounded:
                    wrong.append((chart["chart"], text["words"], other["words"]))
    assert wrong == []


def test_texts_are_no_wider_than_our_table_says(charts):
    wider, seen = set(), 0
    for chart in charts:
        for text in chart["texts"]:
            seen += 1
            most = text_width(text["words"], text["size"]) + ROUNDED / chart["scale"]
            if text["right"] - text["left"] > most:
                wider.add(text["words"])
    assert seen > 1_000
    assert wider == set()


def test_letters_are_large_enough_and_stand_out_from_their_ground(charts):
    texts = [text for chart in charts for text in chart["texts"]]
    assert min(text["shown"] for text in texts) >= 9.5
    faint = {
        (text["words"], text["fill"], text["ground"])
        for text in texts
        if contrast(rgb(text["fill"]), rgb(text["ground"])) < 4.5  # WCAG 2.2, 1.4.3
    }
    assert faint == set()


def test_marks_stand_out_from_the_page(page):
    ground = rgb(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    marks = {(colour, kind) for colour, kind in page.evaluate(STROKES)}
    assert len(marks) > 6
    assert [mark for mark in marks if contrast(rgb(mark[0]), ground) < 3] == []  # WCAG 2.2, 1.4.11


def rgb(text):
    return [float(part) for part in text[text.index("(") + 1 : text.index(")")].split(",")[:3]]


def luminance(colour):
    parts = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_of_black_on_white_is_21():
    assert contrast(rgb("rgb(0, 0, 0)"), rgb("rgb(255, 255, 255)")) == pytest.approx(21)
