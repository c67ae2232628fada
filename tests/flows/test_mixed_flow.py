"""`--mixed`: the mixed logistic model from command to report, and where there is none."""

import csv
import json
import sys
from importlib import resources

import pytest
from _cli import evenhand, findings, refused

NAMES = "white_female", "white_male", "black_female", "black_male", "hispanic_female", "hispanic_male"
ROLES = ["nurse", "cook", "lawyer", None]


def people(each):
    """Return the first names of each race and gender of the study."""
    text = resources.files("evenhand.data.lexicons").joinpath("names_an2024.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return [row for group in NAMES for row in rows if f"{row['race']}_{row['gender']}" == group][:: 50 // each]


def saved(path, accepts, *, each=5, roles=ROLES):
    """Write decisions that are known: `accepts(person's number, person, role's number, template)`."""
    rows = [
        {key: person[key] for key in ("name", "race", "gender")}
        | {"role": role, "qualification": "omitted", "template": template, "seed": seed, "answer": None}
        | {"accepted": bool(accepts(number, person, place, template))}
        for number, person in enumerate(people(each))
        for place, role in enumerate(roles)
        for template in range(5)
        for seed in (1, 42)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def uneven(number, person, place, template):
    """White women are accepted more often, and names and roles differ."""
    return (7 * number + 3 * place + 5 * template) % 10 < 4 + place % 2 + 3 * (
        person["race"] == "white" and person["gender"] == "female"
    )


def test_groups_have_odds_ratios_and_names_and_roles_a_spread(tmp_path):
    path = saved(tmp_path / "a.jsonl", uneven)
    evenhand("measure an2024", path, "--mixed", "--out", "r", cwd=tmp_path)
    found, audit = findings(tmp_path / "r")
    ratios = [found[f"{group}_mixed_logistic_odds_ratio"] for group in NAMES]
    assert all(row["low"] < row["estimate"] < row["high"] for row in ratios)
    assert ratios[0]["estimate"] > 1.5
    # Deviations from the mean of the log odds: the ratios multiply to 1.
    product = 1.0
    for row in ratios:
        product *= row["estimate"]
    assert product == pytest.approx(1.0, rel=1e-9)
    assert ratios[0]["details"]["formula"] == "accepted ~ race × gender + (1 | name) + (1 | role)"
    assert ratios[0]["details"]["cells"] == 30 * 4
    assert ratios[0]["alternatives"][0]["low"] is not None
    assert found["mixed_logistic_sd_name"]["clusters"] == {"name": 30}
    assert found["mixed_logistic_sd_role"]["clusters"] == {"role": 4}
    assert audit["reproduce"].endswith("--mixed")
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert "Mixed logistic model" in page
    assert "Odds of acceptance over the mean of all groups" in page


@pytest.mark.parametrize(
    ("accepts", "options", "told"),
    [
        (lambda *_: True, {}, "All decisions are the same"),
        (lambda _, person, __, template: person["race"] == "white" or template == 1, {}, "one group are the same"),
        (uneven, {"each": 2}, "A group has 2 names"),
        (lambda number, *_: number % 2, {}, "variance is not finite"),
    ],
)
def test_what_cannot_be_fitted_is_null_with_a_reason(tmp_path, accepts, options, told):
    path = saved(tmp_path / "a.jsonl", accepts, **options)
    evenhand("measure an2024", path, "--mixed", "--out", "r", cwd=tmp_path)
    found, _ = findings(tmp_path / "r")
    for name in ("white_female_mixed_logistic_odds_ratio", "mixed_logistic_sd_name"):
        assert (found[name]["estimate"], found[name]["low"]) == (None, None)
        assert told in found[name]["reason"]
    assert told in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")


def test_one_role_has_no_random_effect_and_it_is_said(tmp_path):
    path = saved(tmp_path / "a.jsonl", uneven, roles=["nurse"])
    evenhand("measure an2024", path, "--mixed", "--out", "r", "--no-report", cwd=tmp_path)
    found, _ = findings(tmp_path / "r")
    row = found["white_female_mixed_logistic_odds_ratio"]
    assert row["estimate"] is not None
    assert row["details"]["formula"] == "accepted ~ race × gender + (1 | name)"
    assert "one role only" in found["mixed_logistic_sd_role"]["reason"]


def test_a_model_is_asked_and_the_model_fitted(tmp_path):
    evenhand("probe an2024 --model sim:unbiased --sample 240 --roles 7 --mixed --no-report --out r", cwd=tmp_path)
    found, audit = findings(tmp_path / "r")
    assert found["white_female_mixed_logistic_odds_ratio"]["estimate"] is not None
    assert audit["settings"]["mixed"] is True


def test_without_the_extra_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    path = saved(tmp_path / "a.jsonl", uneven)
    told = "--mixed needs statsmodels, which is not installed; install evenhand[mixed].\n"
    refused("measure an2024", path, "--mixed", "--out", "r", told=told, cwd=tmp_path)


def test_other_probes_have_no_such_option(tmp_path):
    refused(
        "measure hiring-an a.jsonl --mixed",
        told="--mixed is not an option of measure hiring-an; it belongs to an2024",
        cwd=tmp_path,
    )


def test_python_code_asks_for_it_likewise(tmp_path):
    import evenhand as eh

    path = saved(tmp_path / "a.jsonl", uneven)
    run = eh.measure("an2024", path, out=tmp_path / "r", mixed=True, report=False)
    assert run.finding("mixed_logistic_sd_name").measured_in == "log odds"
    run = eh.measure("an2024", path, out=tmp_path / "s", mixed=False, report=False)
    assert not [row for row in run.findings if "mixed" in row.name]
