"""What a report shows of rankings, of words, and of models side by side."""

from invented import FEMALE, MALE, finding
from page import rendered

from evenhand.results.finding import FINDINGS_SCHEMA


def document(rows, **audit):
    block = {"kind": "probe", "title": "Test", "model": "m", "headline": [], "simulated": False, **audit}
    return {"schema": FINDINGS_SCHEMA, "audit": block, "findings": rows}


def word(text, estimate, **details):
    row = finding(
        f"word_{text}_log_odds",
        "word_log_odds",
        estimate,
        0.2,
        slice={"word": text},
        focal=MALE,
        reference=FEMALE,
        unit="log odds ratio",
        null_value=0.0,
    )
    return row | {"details": {"type": "word", "count_focal": 12, "count_reference": 3, "coded": None, **details}}


def test_words_of_programming_languages_are_labels_like_any_other():
    page = rendered(document([word("if", 1.2), word("else", -0.7, coded="female in wan"), word("null", 0.5)]))
    assert "Words that differ most" in page
    assert "Terms of the inventories that differ most" in page
    for text in ("if", "else", "null"):
        assert f">{text}<" in page


def test_slots_and_the_common_test_are_told():
    slots = [
        finding(f"position_{n}_win_rate", "position_win_rate", share, 0.02, slice={"slot": str(n)})
        for n, share in enumerate((0.3, 0.2, 0.5), start=1)
    ]
    test = {
        "name": "all 3 slots win equally often, Hotelling's T² on items",
        "statistic": 7.5,
        "p": 0.00001,
        "reason": None,
    }
    gap = finding(
        "position_win_rate_range",
        "position_win_rate_range",
        0.3,
        focal={"slot": "3"},
        reference={"slot": "2"},
        tests=[test],
    )
    page = rendered(document([*slots, gap]))
    assert "Place 3 +30.0 points above place 2" in page
    assert "&lt; 0.001" in page


def test_candidates_left_out_are_told_per_group():
    rows = [
        finding("unranked_rate_male", "unranked_rate_male", 0.02, 0.01, focal=MALE),
        finding("unranked_rate_female", "unranked_rate_female", 0.05, 0.01, focal=FEMALE),
    ]
    page = rendered(document(rows))
    assert "Candidates left out of rankings" in page
    assert "not the last" in page


def test_models_without_a_detected_difference_are_not_called_equal():
    rows = [
        finding(f"p_masculine_rate_{name}", "masculine_rate", value, 0.03, slice={"model": name}, null_value=0.5)
        for name, value in (("a", 0.5), ("b", 0.51))
    ]
    difference = finding(
        "p_masculine_rate_a_minus_b",
        "masculine_rate",
        -0.01,
        0.04,
        focal={"model": "a"},
        reference={"model": "b"},
        null_value=0.0,
        verdict="no_difference_detected",
        p_adjusted=0.6,
        role="planned",
    )
    block = {"probe": "p", "title": "P", "headline": ["masculine_rate"], "bands": {}, "runs": []}
    page = rendered(document([*rows, difference], kind="compare", probes=[block]))
    assert "No statistically significant difference between a and b was detected in the masculine rate (P)." in page
    assert "equal" not in page.split("The result")[1].split("How to read")[0]
