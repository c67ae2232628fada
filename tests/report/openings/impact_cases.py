"""Small tables of applicants with known outcomes, and the sentences that open the report of each."""

from evenhand.data.examples import berkeley_applicants

#: Selected and applicants of each group, by outcome, with the options of the run; the sentences were read one by one.
COUNTS = {
    # Bickel, Hammel and O'Connell (1975): the six largest departments together.
    "fewer": ({"women": (557, 1835), "men": (1198, 2691)}, {}),
    "more": ({"women": (557, 1835), "men": (1198, 2691)}, {"reference": ("group=women",)}),
    "none detected": ({"women": (95, 200), "men": (105, 200)}, {}),
    # Q. 21 of the Questions and Answers on the Uniform Guidelines, 44 FR 11996 (1979).
    "too little data": ({"black": (3, 20), "white": (16, 80)}, {}),
    "nobody selected": ({"women": (0, 5), "men": (0, 7)}, {}),
    "large": ({"f": (2450, 5000), "m": (2600, 5001)}, {}),
    "everybody selected": ({"a": (31, 31), "b": (50, 50)}, {}),
    "nobody in the reference": ({"a": (40, 100), "b": (0, 29)}, {"reference": ("group=b",)}),
    "three groups": ({"a": (20, 100), "b": (38, 100), "c": (40, 110)}, {}),
}


def _people(counts):
    """Return one row per applicant of (columns, selected, applicants)."""
    return [
        {**columns, "hired": "yes" if number < selected else "no"}
        for columns, selected, applicants in counts
        for number in range(applicants)
    ]


def _by_position(**positions):
    """Return rows of women and men by position: selected and applicants of each."""
    return _people(
        ({"sex": sex, "job": job}, selected, applicants)
        for job, pairs in positions.items()
        for sex, (selected, applicants) in zip("fm", pairs, strict=True)
    )


def _scores():
    """Return 120 women and 120 men; 30 women and 60 men have a score of 4, 60 and 90 one of 3 or more."""
    steps = {"f": ((4, 30), (3, 30), (2, 60)), "m": ((4, 60), (3, 30), (2, 30))}
    return [{"sex": sex, "score": score} for sex, pairs in steps.items() for score, n in pairs for _ in range(n)]


def _stages():
    rows = []
    for sex, (screened, hired) in {"f": (60, 50), "m": (90, 75)}.items():
        for number in range(120):
            rows.append({"id": f"{sex}{number}", "sex": sex, "step": "screen", "hired": number < screened})
            if number < screened:
                rows.append({"id": f"{sex}{number}", "sex": sex, "step": "offer", "hired": number < hired})
    return rows


BY_SEX = {"selected": "hired", "protected": ("sex",)}
#: Rows of applicants, with the options of the run.
TABLES = {
    "reversal": (
        berkeley_applicants().to_dicts(),
        {"selected": "admitted", "protected": ("gender",), "position": "department"},
    ),
    "no position with both": (
        _by_position(first=((10, 40), (0, 0)), second=((0, 0), (30, 50))),
        BY_SEX | {"position": "job"},
    ),
    # One rate for both in each position.
    "gone within positions": (
        _by_position(one=((8, 80), (2, 20)), two=((10, 20), (40, 80))),
        BY_SEX | {"position": "job"},
    ),
    # More women apply where many are selected.
    "hidden by positions": (
        _by_position(low=((8, 80), (24, 120)), high=((66, 120), (60, 80))),
        BY_SEX | {"position": "job"},
    ),
    "opposite within positions": (
        _by_position(low=((2, 40), (30, 200)), high=((110, 200), (31, 40))),
        BY_SEX | {"position": "job"},
    ),
    "remains within positions": (
        _by_position(one=((10, 50), (25, 50)), two=((12, 50), (26, 50))),
        BY_SEX | {"position": "job"},
    ),
    "cut-off": (_scores(), {"score": "score", "cutoff": (2.5, 3.5), "protected": ("sex",)}),
    "means": (_scores(), {"score": "score", "means": True, "protected": ("sex",)}),
    "stages": (_stages(), BY_SEX | {"stage": "step=screen,offer", "unit": "id"}),
    "intersectional": (
        _people(
            ({"sex": sex, "race": race}, selected, 100)
            for sex, race, selected in (("f", "Asian", 20), ("f", "White", 40), ("m", "Asian", 45), ("m", "White", 50))
        ),
        {"selected": "hired", "protected": ("sex", "race"), "intersectional": True},
    ),
    "stated shares": (
        _people([({"sex": "f"}, 0, 30), ({"sex": "m"}, 0, 70)]),
        {"protected": ("sex",), "share": {"f": 0.45, "m": 0.55}},
    ),
    "enough people": (
        _people([({"sex": "f"}, 0, 45), ({"sex": "m"}, 0, 55)]),
        {"protected": ("sex",), "share": {"f": 0.5}},
    ),
    "advertisements": (
        _people(
            ({"sex": sex, "race": race, "ad": ad}, min(ad % 3, 1 + (race == "White")) * (ad % 5 > (sex == "m")), 2)
            for ad in range(40)
            for sex, race in (("f", "Black"), ("f", "White"), ("m", "Black"), ("m", "White"))
        ),
        {"selected": "hired", "protected": ("sex", "race"), "cluster": ("ad",), "block": ("ad",)},
    ),
    "one group": (_people([({"sex": "f"}, 3, 4)]), BY_SEX),
}
