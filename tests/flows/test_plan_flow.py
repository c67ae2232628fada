"""Planning, pacing and paying from the command line."""

import time

import orjson
import pytest
from _cli import evenhand, findings, journal, loopback, refused, seen

PRICES = 'currency = "EUR"\n[models.m]\ninput = 1000\noutput = 2000\n'


@pytest.fixture
def prices(tmp_path):
    (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
    return "prices.toml"


def manifest(folder):
    return orjson.loads((folder / "manifest.json").read_bytes())


def test_a_plan_needs_no_key_and_leaves_no_file(tmp_path):
    done = evenhand("plan hiring-an --model openai:gpt-4o --sample 200 --json", cwd=tmp_path)
    found = orjson.loads(done.stdout)
    assert {"requests", "input_tokens", "output_tokens", "cost", "cost_reason", "detectable_effect"} <= set(found)
    assert (found["requests"], found["cost"]) == (200, None)
    assert list(tmp_path.iterdir()) == []


def test_a_plan_of_a_suite_is_a_table_with_its_sum(tmp_path):
    done = evenhand("plan standard --model openai:gpt-4o --sample 20", cwd=tmp_path)
    for part in ("hiring-bloomberg", "together", "unknown", "HiringBloomberg: Rankings"):
        assert part in done.stdout
    assert evenhand("plan standard --model sim:unbiased --quiet", cwd=tmp_path).stdout == ""


def test_a_perturbation_test_has_no_plan(tmp_path):
    done = evenhand("plan perturb --model sim:unbiased", cwd=tmp_path, code=2)
    assert done.stdout == ""
    assert done.stderr.startswith("A perturbation test has no plan: evenhand perturb says how many scores")


def test_what_was_paid_is_in_manifest_audit_block_and_report(tmp_path, prices):
    with loopback() as url:
        asked = ("probe", "hiring-an", "--model", "openai:m", "--base-url", url, "--sample", 40, "--out", "run")
        evenhand(*asked, "--prices", prices, "--quiet", cwd=tmp_path)
    lines = journal(tmp_path / "run")
    expected = sum(line["input_tokens"] * 1000 + line["output_tokens"] * 2000 for line in lines) / 1e6
    _, audit = findings(tmp_path / "run")
    for block in (audit, manifest(tmp_path / "run")):
        assert block["cost"] == pytest.approx(expected)
        assert (block["currency"], block["cost_reason"], block["requests"]) == ("EUR", None, 40)
    assert f"{expected:.4f} EUR" in (tmp_path / "run" / "report.html").read_text("utf-8")


def test_a_cost_that_is_not_known_is_null_with_its_reason(tmp_path):
    with loopback() as url:
        asked = ("probe", "hiring-an", "--model", "openai:m", "--base-url", url, "--sample", 20, "--out", "run")
        evenhand(*asked, "--quiet", cwd=tmp_path)
    _, audit = findings(tmp_path / "run")
    assert audit["cost"] is None
    assert audit["cost_reason"] == "No prices were given; --prices FILE names them."
    assert "No prices were given" in (tmp_path / "run" / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--max-cost", 1), "--prices FILE"),
        (("--max-cost", 1, "--prices", "none.toml"), "none.toml"),
        (("--max-cost", 0, "--prices", "prices.toml"), "--max-cost is 0"),
        (("--max-cost", 1, "--prices", "prices.toml", "--model", "openai:other"), "no price for openai:other"),
        (("--rpm", 0), "--rpm is 0"),
    ],
)
@pytest.mark.usefixtures("prices")
def test_a_budget_without_a_price_is_refused_before_anything_is_asked(tmp_path, options, said):
    model = () if "--model" in options else ("--model", "openai:m")
    asked = ("probe", "hiring-an", *model, "--base-url", "http://127.0.0.1:9/v1", "--out", "run", *options)
    refused(*asked, told=said, cwd=tmp_path)


def test_max_cost_holds_over_resumed_runs_and_ends_in_the_same_findings(tmp_path, prices):
    with loopback(faults="ok*5,429,500,ok*3,reset") as url:
        asked = ("probe", "hiring-an", "--model", "openai:m", "--base-url", url, "--sample", 60, "--max-tokens", 20)
        asked = (*asked, "--prices", prices, "--quiet", "--no-report")
        spent = []
        for limit in (1, 2):
            resume = ("--resume",) if spent else ()
            done = evenhand(*asked, "--out", "run", "--max-cost", limit, *resume, cwd=tmp_path, code=4)
            assert "--max-cost" in done.stderr
            assert "--resume" in done.stderr
            found = manifest(tmp_path / "run")
            assert found["status"] == "incomplete"
            spent.append(found["cost"])
            assert found["cost"] + found["cost_uncertain"] <= limit
        assert 0 < spent[0] < spent[1]
        done = evenhand(*asked, "--out", "run", "--max-cost", 100, "--resume", cwd=tmp_path)
        evenhand(*asked, "--out", "other", cwd=tmp_path)
        found = manifest(tmp_path / "run")
        assert found["cost"] == pytest.approx(manifest(tmp_path / "other")["cost"])
        assert found["requests"] == seen(url)["requests"] - 60
    assert findings(tmp_path / "run")[0] == findings(tmp_path / "other")[0]


def test_tries_without_an_answer_cost_at_most_what_is_told_or_it_is_told_to_be_unknown(tmp_path, prices):
    with loopback(faults="malformed*3") as url:
        asked = ("probe", "hiring-an", "--model", "openai:m", "--base-url", url, "--sample", 40, "--max-tokens", 20)
        asked = (*asked, "--quiet", "--no-report", "--out")
        evenhand(*asked, "run", "--prices", prices, cwd=tmp_path)
        # Each of the three: 20 tokens of answer at 2,000 a million, and a prompt of at least 64 at 1,000.
        assert manifest(tmp_path / "run")["cost_uncertain"] > 3 * (0.040 + 0.064)
        assert findings(tmp_path / "run")[1]["cost_uncertain"] == manifest(tmp_path / "run")["cost_uncertain"]
        # What a part of the run without prices may have cost besides is not known any more.
        evenhand(*asked, "other", "--max-requests", 10, cwd=tmp_path, code=4)
        assert manifest(tmp_path / "other")["cost_uncertain"] is None
        evenhand(*asked, "other", "--resume", "--prices", prices, cwd=tmp_path)
    found = manifest(tmp_path / "other")
    assert found["cost"] > 0
    assert found["cost_uncertain"] is None


def test_limits_of_a_suite_hold_for_all_its_probes_together(tmp_path, prices):
    with loopback() as url:
        asked = ("audit", "--model", "openai:m", "--base-url", url, "--sample", 20, "--out", "run", "--quiet")
        asked = (*asked, "--no-report")
        evenhand(*asked, "--max-requests", 30, cwd=tmp_path, code=4)
        assert seen(url)["requests"] == 30
        evenhand(*asked, "--max-requests", 20, "--resume", cwd=tmp_path, code=4)
        assert seen(url)["requests"] == 50
        third = evenhand(*asked, "--max-requests", 26, "--resume", "--prices", prices, cwd=tmp_path)
        assert seen(url)["requests"] == 76, third.stderr
    _, audit = findings(tmp_path / "run")
    assert audit["requests"] == 76
    assert audit["cost"] == pytest.approx(sum(manifest(tmp_path / "run" / name)["cost"] for name in PROBES))


PROBES = ("hiring-an", "hiring-bloomberg", "business-vocabulary", "resume-score")


def test_requests_per_minute_pace_a_run(tmp_path):
    with loopback() as url:
        asked = ("probe", "hiring-an", "--model", "openai:m", "--base-url", url, "--sample", 31, "--rpm", 900)
        before = time.monotonic()
        evenhand(*asked, "--out", "run", "--quiet", "--no-report", cwd=tmp_path)
        # 30 gaps of a fifteenth of a second.
        assert time.monotonic() - before > 1.9
        assert seen(url)["most_at_once"] <= 3


def test_decisions_needed_for_an_impact_ratio_are_told_and_drawn(tmp_path):
    asked = ("plan", "impact", "--rate", 0.75, "--ratio", 2 / 3, "--power", 0.9)
    done = evenhand(*asked, "--out", "plan.html", cwd=tmp_path)
    # The Z test would need 77 (76.7 by R's power.prop.test) for .5 against .75.
    assert done.stdout.startswith("With 85 decisions per group, 170 for 2 groups")
    assert "Fisher's exact test decides" in done.stdout
    page = (tmp_path / "plan.html").read_text("utf-8")
    assert page.count('class="chart"') == 2
    assert "85 decisions per group" in page
    found = orjson.loads(evenhand(*asked, "--groups", 3, "--json", cwd=tmp_path).stdout)
    assert (found["level"], found["decisions"]) == (pytest.approx(0.05 / 3), 3 * found["per_group"])
    assert found["per_group"] > 85
    assert found["test"] == "Fisher exact, two-sided"
    sizes = [each["per_group"] for each in found["curve"]]
    assert sizes == sorted(sizes)


def plan(*more):
    return orjson.loads(evenhand("plan impact --rate 0.4 --ratio 0.75", *more, "--json", cwd=".").stdout)


@pytest.mark.parametrize(
    ("args", "tests", "family", "computed_by"),
    [
        ((), ["Fisher exact"], 1, "exact enumeration"),
        (("--groups", 4), ["Fisher exact"], 6, "exact enumeration"),
        (("--groups", 4, "--reference", "named"), ["Fisher exact"], 3, "exact enumeration"),
        (("--sizes", ".15,.85"), ["Fisher exact"], 1, "exact enumeration"),
        (("--positions", 3), ["Fisher exact", "Mantel-Haenszel", "Fisher exact"], 3, "exact enumeration"),
        (("--cluster-size", 12, "--intraclass", 0.2, "--crossed"), ["CR2 t"], 1, "simulation of"),
    ],
)
def test_a_plan_has_the_power_of_the_test_that_decides(args, tests, family, computed_by):
    found = plan(*args)
    assert [each["test"] for each in found["comparisons"]] == tests
    assert found["family_size"] == family
    first = found["comparisons"][0]
    assert first["level"] == pytest.approx(0.05 / family)
    assert first["computed_by"].startswith(computed_by)
    assert 0.8 <= first["power_at_ratio"] < 0.84
    assert found["decisions"] == sum(found["sizes"])


def test_with_given_sizes_a_plan_tells_power_and_the_ratio_that_is_found(tmp_path):
    found = plan("--sizes", "150,400,700", "--reference", "named")
    small, large = found["comparisons"]
    assert (small["n_focal"], large["n_focal"], small["n_reference"]) == (150, 400, 700)
    assert small["power_at_ratio"] < large["power_at_ratio"] < 0.95
    assert small["detectable_ratio"] < large["detectable_ratio"] < 1
    assert found["per_group"] is None
    assert all(set(point) == {"ratio", "power"} for point in found["curve"])
    asked = ("--sizes", "240,240", "--cluster-size", 6, "--intraclass", 0.1)
    done = evenhand("plan impact --rate 0.4 --ratio 0.75", *asked, "--out", "p.html", cwd=tmp_path)
    # Half as much again as of independent people: .1 over √(1.5 (.3 · .7 + .4 · .6)/240) is 1.9, so that power is .47.
    power = float(done.stdout.split("detected with ")[1].split(" %")[0].split()[-1])
    assert power == pytest.approx(47, abs=3)
    assert "1.5 times the variance" in " ".join(done.stdout.split())
    assert "statistical power, %" in (tmp_path / "p.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--ratio", ".8"], "--rate"),
        (["--rate", "30", "--ratio", ".8"], "--rate is 30.0; expected a share between 0 and 1, such as 0.3."),
        (["--rate", ".3", "--ratio", "1.2"], "--ratio is 1.2; expected a ratio between 0 and 1, such as 0.8."),
        (["--rate", ".3", "--ratio", ".8", "--groups", "1"], "--groups is 1; expected a whole number from 2 to 100."),
        (["--rate", ".3", "--ratio", ".8", "--power", ".2"], "--power is 0.2; expected a share from 0.5 up to 1"),
        (["--rate", ".3", "--ratio", ".8", "--sizes", ".2,.3"], "--sizes is 0.2,0.3, which adds up to 0.5"),
        (["--rate", ".3", "--ratio", ".8", "--sizes", ".2,30"], "--sizes is 0.2,30; expected two numbers or more"),
        (["--rate", ".3", "--ratio", ".8", "--sizes", "9,9", "--groups", "3"], "leave out --groups"),
        (["--rate", ".3", "--ratio", ".8", "--cluster-size", "4"], "--cluster-size needs --intraclass"),
        (["--rate", ".3", "--ratio", ".8", "--intraclass", ".1"], "--intraclass needs --cluster-size"),
        (["--rate", ".3", "--ratio", ".8", "--crossed"], "--crossed needs --cluster-size"),
        (
            ["--rate", ".3", "--ratio", ".8", "--positions", "3", "--cluster-size", "4", "--intraclass", ".1"],
            "take the larger",
        ),
        (["--rate", ".3", "--ratio", ".8", "--out", "there"], "--out there already exists; use --force"),
    ],
)
def test_a_plan_of_decisions_refuses_in_one_line(tmp_path, args, told):
    (tmp_path / "there").write_text("mine", encoding="utf-8")
    refused("plan impact", *args, told=told, cwd=tmp_path)
    assert (tmp_path / "there").read_text("utf-8") == "mine"
