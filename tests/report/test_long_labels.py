from evenhand.report.charts._layers import chart_data
from evenhand.report.charts.svg import LONGEST_LABEL, Drawing, _cut, _specification


def test_long_labels_stay_apart_and_in_their_order():
    long = [f"{'w' * 500}{end}" for end in "ab"]
    found = _cut(long)
    assert len(set(found.values())) == 2
    assert all(len(label) < LONGEST_LABEL + 10 for label in found.values())


def test_rows_and_the_order_of_labels_are_cut_alike():
    long = [f"{'w' * 500}{end}" for end in "ab"]
    data = chart_data([{"group": label} for label in (*long, "short")]).to_dict()
    made = _specification(Drawing(label="x", chart=lambda _: {"data": data, "sort": [*long, "short"]}), 600)
    assert made["sort"][2] == "short"
    assert all(f'"{label}"' in made["data"]["values"] for label in made["sort"])
    assert long[0] not in made["data"]["values"]
