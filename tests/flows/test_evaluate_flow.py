"""`evenhand evaluate` as a user runs it: published figures, other packages' figures, versions, gates, wrong input."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from _cli import evenhand, findings

import evenhand as eh
from evenhand.errors import InputError, ServiceError
from loopback_rankers import Ranker
from loopback_scorer import running

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "predictions.json").read_text("utf-8"))
COMPAS = "--label reoffended --score decile_score --cutoff 4 --protected race --count people --out run"
SERVER = "http://127.0.0.1:9/v1"
PROBABILITIES = ("auc", "brier", "calibration_intercept", "calibration_slope")
RATES = ("selection_rate", "tpr", "tnr", "fpr", "fnr", "precision", "f1")


@pytest.fixture(scope="module")
def compas(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compas")
    evenhand("data example compas-2016", cwd=folder)
    done = evenhand(f"evaluate compas-2016.csv {COMPAS}", cwd=folder)
    return folder, done


@pytest.fixture(scope="module")
def invented(tmp_path_factory):
    """The people of the oracle, with both versions of the score, evaluated."""
    folder = tmp_path_factory.mktemp("invented")
    people = ORACLE["people"]
    frame = pl.DataFrame(people).with_columns(
        person=pl.int_range(pl.len()), label=pl.col("label").replace_strict({1: "yes", 0: "no"})
    )
    frame.write_csv(folder / "people.csv")
    asked = ("--label", "label", "--score", "score", "--cutoff", ORACLE["cutoff"], "--protected", "group")
    asked += ("--against", "previous", "--against-cutoff", ORACLE["previous_cutoff"], "--reference-floor", "0")
    evenhand("evaluate people.csv", *asked, "--out", "run", cwd=folder)
    return folder, asked


def test_rates_of_compas_are_those_that_propublica_published(compas):
    # Larson, Mattu, Kirchner and Angwin (2016), "Two-year recidivism": FP 23.45 and 44.85, FN 47.72 and 27.99, PPV .59
    # and .63, of White and Black defendants; 32.35, 37.40 and .61 of all.
    by_name, audit = findings(compas[0] / "run")

    def told(measure, group):
        return round(by_name[f"{measure}_race_{group}" if group else measure]["estimate"], 4)

    assert [told("fpr", group) for group in ("Caucasian", "African-American", "")] == [0.2345, 0.4485, 0.3235]
    assert [told("fnr", group) for group in ("Caucasian", "African-American", "")] == [0.4772, 0.2799, 0.3740]
    assert [round(told("precision", group), 2) for group in ("Caucasian", "African-American", "")] == [0.59, 0.63, 0.61]
    assert audit["accounting"]["rows_used"] == 7214
    (tension,) = audit["tensions"]
    assert (tension["group"], tension["reference"]) == ("African-American", "Caucasian")
    # Chouldechova 2017, 2.6: base rate .514 with the other group's precision and TPR.
    expected = 0.51434 / 0.48566 * (1 - 0.59133) / 0.59133 * 0.52277
    assert tension["fpr_if_equal"] == pytest.approx(expected, rel=1e-4)


def test_screen_and_page_begin_with_the_answer(compas):
    folder, done = compas
    shown = " ".join(done.stdout.split())
    first = "By race, groups differ statistically significantly in selection rate, FNR and FPR"
    assert first in shown
    assert "against 28.0 % (African-American)" in shown
    page = (folder / "run/report.html").read_text("utf-8")
    assert "Criteria that cannot hold together" in page
    assert "Other cut-offs" in page
    cutoffs = pl.read_csv(folder / "run/cutoffs.csv")
    assert cutoffs["cutoff"].unique().sort().to_list() == list(range(1, 10))
    asked = cutoffs.filter((pl.col("cutoff") == 4) & (pl.col("group") == "Caucasian")).row(0, named=True)
    assert round(asked["fpr"], 4) == 0.2345


@pytest.mark.parametrize("group", ["", "north", "south", "west"])
def test_measures_agree_with_scikit_learn_fairlearn_and_statsmodels(invented, group):
    by_name, _ = findings(invented[0] / "run")
    expected = ORACLE["groups"][group] if group else ORACLE["all"]
    for measure in (*PROBABILITIES, *RATES):
        found = by_name[f"{measure}_group_{group}" if group else measure]
        wanted = expected[measure]
        estimate, error = wanted if isinstance(wanted, list) else (wanted, None)
        assert found["estimate"] == pytest.approx(estimate, abs=1e-9), measure
        if error is not None:  # Wald's interval
            assert (found["high"] - found["low"]) / 2 == pytest.approx(1.959963984540054 * error, rel=1e-6)
    auc = by_name[f"auc_group_{group}" if group else "auc"]
    assert auc["details"]["standard_error"] ** 2 == pytest.approx(expected["auc_variance"], abs=1e-12)


def test_criteria_of_groups_agree_with_fairlearn(invented):
    by_name, _ = findings(invented[0] / "run")

    def of(measure):
        return [abs(each["estimate"]) for each in by_name.values() if each["measure"] == measure]

    assert max(of("diff_selection_rate")) == pytest.approx(ORACLE["demographic_parity_difference"], abs=1e-9)
    assert min(of("impact_ratio")) == pytest.approx(ORACLE["demographic_parity_ratio"], abs=1e-9)
    assert max(of("equalised_odds")) == pytest.approx(ORACLE["equalized_odds_difference"], abs=1e-9)
    assert max(of("diff_tpr")) == pytest.approx(ORACLE["equal_opportunity_difference"], abs=1e-9)


def test_versions_are_compared_on_the_same_people(invented):
    by_name, _ = findings(invented[0] / "run")
    now, before = ORACLE["all"], ORACLE["all_previous"]
    for measure in ("auc", "brier", *RATES):
        assert by_name[f"change_{measure}"]["estimate"] == pytest.approx(now[measure] - before[measure], abs=1e-9)
    # DeLong, DeLong and Clarke-Pearson 1988: z of two correlated AUCs.
    variance = now["auc_variance"] + before["auc_variance"] - 2 * ORACLE["auc_covariance"]
    change = by_name["change_auc"]
    from scipy.stats import norm

    z = (now["auc"] - before["auc"]) / variance**0.5
    assert change["tests"] == [
        {
            "name": "DeLong, paired",
            "statistic": pytest.approx(z, rel=1e-9),
            "p": pytest.approx(2 * norm.sf(abs(z)), rel=1e-9),
            "reason": None,
        }
    ]


@pytest.mark.parametrize(
    ("condition", "code", "told"),
    [
        ("gap:tpr=.05", 1, "diff_tpr_group_south"),
        ("gap:tpr=.2", 0, ""),
        ("gap:auc=0", 1, "diff_auc_group"),
        ("worse:auc=.01", 0, ""),
        ("worse:tpr=.9", 0, ""),
        ("worse:specificity=.1", 2, "is not understood"),
    ],
)
def test_release_gates(invented, condition, code, told):
    folder, asked = invented
    gate = ("--no-report", "--fail-on", condition, "--out", "gate", "--force")
    done = evenhand("evaluate people.csv", *asked, *gate, cwd=folder, code=code)
    assert told in done.stderr, done.stderr


def test_a_worse_version_is_stopped(invented):
    folder, _ = invented
    swapped = ("--label", "label", "--score", "previous", "--against", "score", "--no-report", "--quiet", "--force")
    done = evenhand("evaluate people.csv", *swapped, "--fail-on", "worse:auc=.01", "--out", "gate", cwd=folder, code=1)
    by_name, _ = findings(folder / "gate")
    assert "change_auc -" in done.stderr
    assert by_name["change_auc"]["details"]["worse_by"] > 0.01
    done = evenhand("evaluate people.csv", *swapped, "--fail-on", "worse:tpr=.01", "--out", "gate", cwd=folder, code=6)
    assert "it needs --against (for golden cases an earlier run), and for decisions --cutoff" in done.stderr


def test_ranks_are_selected_up_to_a_place():
    frame = pl.DataFrame(
        {"sex": ["f", "m"] * 6, "stayed": [1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0], "place": list(range(1, 13))}
    )
    with pytest.warns(UserWarning, match="ranks are not probabilities"):
        run = eh.evaluate(frame, label="stayed", score="place", top=4, protected=["sex"], out=None, report=False)
    assert run.finding("selection_rate").estimate == 4 / 12
    assert run.finding("precision").estimate == 3 / 4  # places 1, 2 and 4 of 1 to 4
    assert run.finding("tpr").estimate == 3 / 5
    # Of 5 × 7 pairs those with the outcome stand ahead in 7 + 7 + 6 + 6 + 4.
    assert run.finding("auc").estimate == pytest.approx(30 / 35)


ASKED = {"label": "stayed", "score": "fit", "protected": ["sex"]}


def frame_of(**columns):
    base = {"sex": ["f", "m"] * 20, "stayed": ["yes", "no", "no", "yes"] * 10, "fit": [n / 41 for n in range(40)]}
    return pl.DataFrame(base | columns)


def evaluated(folder, frame=None, **options):
    """Return the run of a frame, or of one with a value for each combination, at a cut-off of .5 and without a page."""
    options = ASKED | {"cutoff": 0.5, "report": False, "out": folder / "run"} | options
    return eh.evaluate(frame_of() if frame is None else frame, **options)


@pytest.mark.parametrize(
    ("columns", "options", "told"),
    [
        ({"stayed": ["a", "b", "c", "a"] * 10}, {}, "holds 3 different values.*expected two outcomes"),
        ({"stayed": ["won", "lost"] * 20}, {}, "label=.stayed=lost"),
        ({"stayed": ["yes"] * 40}, {}, "holds 'yes' only; expected two outcomes"),
        ({}, {"label": "fit"}, "can't be compared with itself"),
        ({}, {"label": "left"}, "[Nn]o column 'left'"),
        ({}, {"protected": ["fit"]}, "protected and score both name 'fit'"),
        ({}, {"cutoff": 0.5, "top": 3}, "top is for ranks"),
        ({}, {"top": 3}, "reads 'fit' as ranks, of which 1 is the best, but it holds 0; for a score"),
        ({"job": [None, "a"] * 20}, {"cluster": "job"}, "20 of the rows of .* have no value in it"),
        ({"job": ["a", "b"] * 20, "who": [1] * 40}, {"cluster": "job", "unit": "who"}, "have several values"),
        ({}, {"cluster": ""}, "cluster is ''; expected the name of a column"),
        ({"fit": [True, False] * 20}, {}, "holds boolean and is not a score; expected numbers"),
        ({}, {"at_least": True}, "at_least=True needs cutoff"),
        ({}, {"score": None}, "score is missing"),
        ({}, {"reference": ["sex=x"]}, "sex has no such group; its groups are f, m"),
        ({"n": list(range(1, 41))}, {"count": "n", "unit": "sex"}, "unit needs a row per person"),
        ({"fit": ["high", "low"] * 20}, {}, "fit"),
    ],
)
def test_wrong_input_is_one_line(columns, options, told, tmp_path):
    with pytest.raises(eh.errors.InputError, match=told) as raised:
        eh.evaluate(frame_of(**columns), **ASKED | {"out": tmp_path / "run"} | options)
    assert "\n" not in str(raised.value)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_cannot_be_computed_is_null_with_its_reason(tmp_path):
    one_class = ["yes" if sex == "f" else ("no", "yes")[n % 4 // 2] for n, sex in enumerate(["f", "m"] * 20)]
    run = evaluated(tmp_path, frame_of(stayed=one_class))
    for name in ("auc_sex_f", "fpr_sex_f", "diff_fpr_sex_f", "calibration_slope_sex_f"):
        found = run.finding(name)
        assert found.estimate is None
        assert found.low is None
        assert found.reason
    assert run.finding("tpr_sex_f").estimate is not None
    scores = eh.evaluate(frame_of(fit=list(range(40))), **ASKED, out=tmp_path / "scores")
    assert "brier" not in {each.measure for each in scores.findings}
    assert scores.audit.decided.no_probabilities == "'fit' holds 39, and probabilities lie from 0 to 1"
    assert "No calibration and no Brier score" in (tmp_path / "scores/report.html").read_text("utf-8")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rows_without_the_previous_score_are_told_and_in_no_count(tmp_path):
    frame = frame_of(sex=["f", None, "m", "m"] * 10, before=[None, None, *[n / 41 for n in range(38)]])
    run = evaluated(tmp_path, frame, against="before", cutoff=None)
    held = run.audit.accounting
    assert (held.without_previous, held.rows_used, held.unknown) == (2, 38, {"sex": 9})
    assert "2 rows were not counted: without the previous version's score." in held.notes


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_named_reference_below_the_smallest_share_is_tested_against(tmp_path):
    frame = frame_of(sex=["f", "m", "f", "f", "f"] * 8)
    run = evaluated(tmp_path, frame, reference=["sex=m"], min_share=0.3)
    assert run.finding("diff_fpr_sex_f").p_adjusted is not None


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("cutoff", "who"), [(2, "nobody"), (-1, "everybody")])
def test_a_cutoff_that_selects_nobody_or_everybody_is_told(cutoff, who, tmp_path):
    run = evaluated(tmp_path, cutoff=cutoff)
    assert run.audit.warnings == (f"At this cut-off {who} is selected, so the error rates say nothing of the score.",)


def test_p_of_two_aucs_is_on_the_scale_of_their_intervals(invented):
    from scipy.special import logit
    from scipy.stats import norm

    by_name, _ = findings(invented[0] / "run")
    gaps = [each for each in by_name.values() if each["measure"] == "diff_auc" and not each["slice"]]
    assert gaps
    for gap in gaps:
        both = [by_name["auc_group_" + end["group"]] for end in (gap["focal"], gap["reference"])]
        at = [each["estimate"] for each in both]
        errors = [each["details"]["standard_error"] / (v * (1 - v)) for each, v in zip(both, at, strict=True)]
        z = (logit(at[0]) - logit(at[1])) / (errors[0] ** 2 + errors[1] ** 2) ** 0.5
        assert gap["tests"][0]["p"] == pytest.approx(2 * norm.sf(abs(z)), rel=1e-9)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_score_that_was_made_from_the_outcome_is_told(tmp_path):
    run = evaluated(tmp_path, frame_of(fit=[0.9, 0.1, 0.2, 0.8] * 10))
    assert any("computed from the outcome" in line for line in run.audit.warnings)
    assert run.finding("auc").estimate == 1
    assert run.finding("auc").low is None


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_slices_clusters_and_similar_people(tmp_path):
    frame = frame_of(
        language=["en"] * 20 + ["es"] * 20, person=[n // 2 for n in range(40)], years=[n // 4 for n in range(40)]
    )
    more = {"by": ["language"], "cluster": "person", "similar_by": ["years"]}
    run = evaluated(tmp_path, frame, **more, report=True)
    assert run.finding("auc").clusters == {"cluster": 20}
    assert run.finding("auc_language_en").slice == {"language": "en"}
    assert run.finding("diff_tpr_sex_f_language_es").role == "exploratory"
    page = (tmp_path / "run/report.html").read_text("utf-8")
    assert "Within slices" in page
    assert "Similar people" in page
    # Rows of one person are no pair. The nearest five of each are two of the same years, and three of the next ones.
    assert run.finding("individual_fairness").clusters == {"cluster": 20}
    across = run.finding("individual_fairness_across_sex")
    assert across.role == "planned"
    assert across.claim is not None
    assert across.details.pairs == 2 * across.n


def favouring(men, *, people=600, seed=5):
    """Return people who are selected by years and a degree; `men` are selected on two years fewer."""
    rng = np.random.default_rng(seed)
    sex = np.where(rng.random(people) < 0.4, "f", "m")
    years, degree = rng.integers(0, 12, people), rng.choice(["ba", "ma"], people)
    fit = years + 2 * (degree == "ma") + men * (sex == "m") + rng.normal(0, 0.3, people)
    vector = [f"[{a}, {b}, 1]" for a, b in zip(years, 2 * (degree == "ma"), strict=True)]
    columns = {"sex": sex, "tenure": years, "degree": degree, "fit": fit, "vector": vector}
    columns["numbers"] = [json.loads(cell) for cell in vector]
    return pl.DataFrame({**columns, "stayed": (fit + rng.normal(0, 3, people) > 7).astype(int)})


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("by", ["tenure:2,degree", "embedding:vector", "embedding:numbers"])
@pytest.mark.parametrize("men", [0, 2])
def test_similar_people_of_two_groups_are_held_against_those_of_one(tmp_path, by, men):
    run = evaluated(tmp_path, favouring(men), cutoff=7.5, similar_by=[by], report=True)
    across = run.finding("individual_fairness_across_sex")
    details = across.details
    assert across.estimate == pytest.approx(details.across - details.within)
    assert details.distance_across == pytest.approx(details.distance_within, rel=0.1)
    assert across.is_difference is (men > 0)
    assert (across.low > 0) is (men > 0)
    if men:
        assert details.chosen["m"] > 0.9
        assert details.chosen["f"] == pytest.approx(1 - details.chosen["m"])
    page = " ".join((tmp_path / "run/report.html").read_text("utf-8").split())
    assert ("Similar people of different sex were decided differently" in page) is (men > 0)
    quotient = run.finding("lipschitz_quotient")
    first, second = quotient.details.pair
    assert quotient.estimate == pytest.approx(abs(first.score - second.score) / quotient.details.distance)
    assert f"{first.score:.4g}" in page


class Directions(Ranker):
    """Embeds `3 years, ma` as the column `vector` has it; refuses a text about nothing."""

    def vector(self, text):
        years, _, degree = text.replace(",", "").split()
        return [float(years), 2.0 * (degree == "ma"), 1.0]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_similar_people_by_embeddings_of_a_server_are_those_by_the_same_vectors(tmp_path):
    frame = favouring(2).with_columns(text=pl.format("{} years, {}", "tenure", "degree"))
    frame = frame.with_columns(
        text=pl.when(pl.int_range(pl.len()) < 3).then(None).otherwise("text"),
        numbers=pl.when(pl.int_range(pl.len()) < 3).then(None).otherwise("numbers"),
    )
    options = ASKED | {"cutoff": 7.5, "report": False}
    by_column = eh.evaluate(frame, similar_by=["embedding:numbers"], **options, out=tmp_path / "column")
    with running(Directions(None, (), faults=["500", "ok", "429"])) as server:
        embedding = {"similar_by": ["embedding:stub"], "base_url": server.url}
        by_model = eh.evaluate(frame, **embedding, **options, out=tmp_path / "model")
    assert sorted(server.texts) == sorted(frame["text"].drop_nulls().unique())
    for name in ("individual_fairness", "individual_fairness_across_sex", "lipschitz_quotient"):
        first, other = (run.finding(name) for run in (by_column, by_model))
        assert (other.estimate, other.low, other.high, other.n) == (first.estimate, first.low, first.high, first.n)
    assert by_model.audit.similar.incomplete == by_column.audit.similar.incomplete == 3
    with (
        running(Directions(None, (), then="short")) as server,
        pytest.raises(ServiceError, match="expected one for each"),
    ):
        eh.evaluate(frame, **embedding | {"base_url": server.url}, **options, out=tmp_path / "short")
    assert not (tmp_path / "short").exists()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"similar_by": ["tenure:0"]}, "expected a weight above 0 after the colon, such as tenure:2"),
        ({"similar_by": ["tenure", "tenure:2"]}, "names 'tenure' twice"),
        ({"similar_by": ["sex"]}, "names 'sex', which is a group, the score or the outcome"),
        ({"similar_by": ["fit"]}, "names 'fit', which is a group, the score or the outcome"),
        ({"similar_by": ["features"]}, 'of the matcher\'s features. Give match_run="RUN", a run of match'),
        ({"similar_by": ["embedding:vectors"]}, "no column 'vectors'; expected a column of vectors, such as"),
        ({"similar_by": ["embedding:m"]}, "no column 'm'; expected a column of vectors"),
        ({"similar_by": ["embedding:m"], "base_url": SERVER}, "no column is called text or resume; give text="),
        ({"similar_by": ["embedding:m"], "base_url": SERVER, "text": "cv"}, "the table has no column 'cv'; give text="),
        ({"similar_by": ["embedding:vector"], "base_url": SERVER}, "names a column, and base_url is the server"),
        ({"similar_by": ["tenure"], "base_url": SERVER}, "base_url is the server of"),
        ({"similar_by": ["embedding:m"], "text": "degree"}, "text needs similar_by"),
        ({"match_run": "."}, "needs similar_by="),
        ({"similar_by": ["empty"]}, "these columns have no value in any row"),
        ({"similar_by": ["vector"]}, "For vectors give embedding:vector."),
        ({"similar_by": ["numbers"]}, "has lists as cells; for vectors give embedding:numbers."),
        ({"similar_by": ["embedding:degree"]}, "expected the same number of numbers in every cell, such as"),
        ({"similar_by": ["embedding:vector", "tenure"]}, "defines the distance alone; drop the other columns"),
        ({"similar_by": ["tenure"], "cutoff": None}, "compares decisions: add cutoff=T, or top=K"),
        ({"similar_within": 0.1}, "needs similar_by="),
    ],
)
def test_what_cannot_make_people_similar_is_refused_in_a_line(tmp_path, options, told):
    frame = favouring(0).with_columns(
        vector=pl.col("vector") + pl.int_range(pl.len()).cast(pl.String) + " ", empty=None
    )
    with pytest.raises(InputError, match=re.escape(told)):
        evaluated(tmp_path, frame, **{"cutoff": 7.5} | options)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_duplicated_rows_in_clusters_keep_the_estimate_and_the_interval(tmp_path):
    frame = frame_of(person=list(range(40)))
    once = evaluated(tmp_path, frame, cluster="person", out=tmp_path / "once")
    twice = evaluated(tmp_path, pl.concat([frame, frame]), cluster="person")
    for name in ("auc", "tpr_sex_f", "brier", "precision", "diff_auc_sex_f", "calibration_slope"):
        mine, theirs = once.finding(name), twice.finding(name)
        assert [theirs.estimate, theirs.low, theirs.high] == pytest.approx(
            [mine.estimate, mine.low, mine.high], abs=1e-9
        )


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_repeated_rows_of_a_person_count_once(tmp_path):
    frame = frame_of(person=list(range(40)))
    once = evaluated(tmp_path, frame, out=tmp_path / "once")
    twice = evaluated(tmp_path, pl.concat([frame, frame[:7]]), unit="person")
    assert [each.as_dict() for each in twice.findings] == [each.as_dict() for each in once.findings]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("columns", "options", "told"),
    [
        ({"sex": [None] * 40}, {"cutoff": 0.5}, "By sex there are no groups to compare: it is known of nobody."),
        ({"sex": ["f"] * 40}, {"cutoff": 0.5}, "By sex there are no groups to compare: all people are f."),
        ({"sex": ["f", None] * 20}, {"cutoff": 0.5}, "By sex there are no groups to compare: all people are f."),
        ({"fit": [0.5] * 40}, {"cutoff": 0.5}, "no statistically significant difference was detected"),
        ({}, {"cutoff": 2.0}, "no statistically significant difference was detected"),
        ({"sex": ["f"] + ["m"] * 39}, {"cutoff": 0.5}, "By sex, no statistically significant difference"),
        ({}, {"protected": []}, "fit ranks people by stayed = yes with an AUC of"),
    ],
)
def test_tables_with_little_in_them_are_told_as_they_are(columns, options, told, tmp_path):
    frame = pl.DataFrame(frame_of().to_dict(as_series=False) | columns, schema_overrides={"sex": pl.String})
    run = eh.evaluate(frame, **ASKED | {"out": tmp_path / "run"} | options)
    assert told in " ".join((tmp_path / "run/report.html").read_text("utf-8").split())
    for each in run.findings:
        assert each.estimate is not None or each.reason, each.name
        assert each.low is None or each.low <= (each.estimate or 0.0), each.name


def test_two_people_are_few(tmp_path):
    run = evaluated(tmp_path, frame_of()[:2])
    assert run.finding("tpr_sex_m").estimate is None
    assert run.finding("tpr_sex_m").reason == "Nobody in the group has the outcome."
