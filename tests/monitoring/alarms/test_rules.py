"""Rules as files have them: what they say, and what is refused."""

from datetime import date

import pytest

from evenhand.errors import InputError
from evenhand.monitoring.rules import read_rules

SCORE = '[[rule]]\nmeasure = "median_score"\n'
LEVEL = '[[rule]]\nkind = "level"\n'


def read(folder, text):
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return read_rules(path)


def test_a_rule_says_all_that_can_be_said(tmp_path):
    found = read(
        tmp_path,
        "[baseline]\ndays = 35\n[baseline.from]\nscreener = 2026-03-01\n"
        "[calendar]\nholidays = [2026-12-25, 2026-04-03]\n"
        '[[rule]]\nname = "few"\nmeasure = "selection_rate"\nslice = { stage = "screen", gender = "*" }\n'
        'comparison = "below"\nthreshold = 0.1\nfor = 3\nseverity = "critical"\nminimum_n = 50\n'
        'models = ["screener"]\n',
    )
    (rule,) = found.rules
    assert (rule.name, rule.comparison, rule.threshold, rule.days) == ("few", "below", 0.1, 3)
    assert (rule.severity, rule.minimum_n, rule.models) == ("critical", 50, ("screener",))
    assert found.baseline.days == 35
    assert found.baseline.since_of("screener") == date(2026, 3, 1)
    assert found.baseline.since_of("other") is None
    assert found.holidays == (date(2026, 4, 3), date(2026, 12, 25))


def test_a_rule_of_levels_stands_among_the_others(tmp_path):
    found = read(tmp_path, f'{SCORE}{LEVEL}threshold = 0.9\nmonths = 6\nminimum_n = 50\nmodels = ["screener"]\n')
    assert [rule.name for rule in found.rules] == ["median score"]
    (level,) = found.levels
    assert (level.name, level.threshold, level.months) == ("standing disparity", 0.9, 6)
    assert (level.severity, level.minimum_n, level.models) == ("critical", 50, ("screener",))


@pytest.mark.parametrize(
    ("rule", "slice_", "falls"),
    [
        ("", {}, True),
        ("", {"gender": "female"}, False),
        ('slice = "overall"', {}, True),
        ('slice = "each"', {"gender": "female"}, True),
        ('slice = "each"', {"stage": "screen", "gender": "female"}, False),
        ('slice = { gender = "female" }', {"gender": "female"}, True),
        ('slice = { gender = "female" }', {"gender": "male"}, False),
        ('slice = { gender = "female" }', {"gender": "female", "stage": "screen"}, False),
        ('slice = { stage = "screen", gender = "*" }', {"stage": "screen", "gender": "male"}, True),
        ('slice = { stage = "screen", gender = "*" }', {"stage": "offer", "gender": "male"}, False),
        ('models = ["other"]', {}, False),
    ],
)
def test_series_fall_under_a_rule_by_model_and_slice(rule, slice_, falls, tmp_path):
    (found,) = read(tmp_path, f"{SCORE}{rule}\n").rules
    assert found.watches("screener", "median_score", slice_) is falls
    assert not found.watches("screener", "auc", slice_)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no rules; each begins with a line [[rule]]"),
        ("rule = 3", "has no rules"),
        ("[[rule]", "is not valid TOML"),
        ('[[rule]]\nmeasure = "median"', "rule 1: measure is 'median'; expected one of"),
        ("[[rule]]\nmeasure = 3", "rule 1: measure is 3"),
        ("[[rule]]\n", "rule 1 names no measure; expected one of"),
        (SCORE + "limit = 3", "rule 1 has the unknown key 'limit'; known keys: name, measure"),
        (LEVEL + 'slice = "each"', "rule 1 has the unknown key 'slice'; known keys: kind, name, threshold"),
        (SCORE + 'kind = "change"', "kind is 'change'; expected \"level\""),
        (LEVEL + "threshold = 1.25", "threshold is 1.25; expected a ratio up to 1"),
        (LEVEL + "threshold = 0", "threshold is 0; expected a ratio"),
        (LEVEL + "months = 0", "months is 0; expected a whole number from 1"),
        (LEVEL + LEVEL, "has 'standing disparity' twice"),
        (SCORE + SCORE, "has 'median score' twice"),
        (SCORE + 'comparison = "above"', "needs a threshold"),
        (SCORE + "threshold = 3", "computes its limit; leave out threshold"),
        (SCORE + 'comparison = "over"\nthreshold = 3', "comparison is 'over'; expected changes, above or below"),
        (SCORE + 'comparison = "above"\nthreshold = "3"', "expected a number"),
        (SCORE + 'comparison = "above"\nthreshold = nan', "expected a number"),
        (
            SCORE.replace("median_score", "selection_rate") + 'comparison = "below"\nthreshold = 5',
            "a share from 0 to 1",
        ),
        (SCORE + "for = 0", "for is 0; expected a whole number from 1"),
        (SCORE + "for = true", "expected a whole number from 1"),
        (SCORE + 'severity = "fatal"', "expected info, warning or critical"),
        (SCORE + "minimum_n = 1.5", "expected a whole number from 1"),
        (SCORE + 'models = "m"', "expected a list of names"),
        (SCORE + "slice = {}", 'expected "overall", "each" or a table'),
        (SCORE + "slice = { gender = 3 }", 'expected "overall", "each" or a table'),
        (SCORE + 'name = " "', "expected text"),
        ("[baseline]\ndays = 7\n" + SCORE, "days is 7; expected a whole number from 21"),
        ('[baseline]\nfrom = "March"\n' + SCORE, "expected a date such as 2026-03-01"),
        ("baseline = 3\n" + SCORE, "expected a table [baseline]"),
        ("calendar = 3\n" + SCORE, "expected a table [calendar]"),
        ("[calendar]\nholidays = [3]\n" + SCORE, "expected dates such as [2026-12-25]"),
        ("[calendar]\ndays = []\n" + SCORE, "has the unknown key 'days'; known keys: holidays"),
        ("other = 3\n" + SCORE, "has the unknown key 'other'; known keys: baseline, calendar, rule"),
    ],
)
def test_a_file_that_can_not_be_understood_is_refused_by_name(text, told, tmp_path):
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    message = str(refused.value)
    assert told in message
    assert "rules.toml" in message
    assert "\n" not in message


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml can't be read: No such file"):
        read_rules(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_rules(tmp_path / "bytes.toml")
