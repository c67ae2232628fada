"""`evenhand match` from the shell: trained on a company, scored, and what of a person reaches a score."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from _cli import evenhand, findings, refused, words_of

import evenhand as evenhand_package
from evenhand.masking.mask import mask_text

COMPANY = ("--people", 240, "--positions", 30, "--pairs", 3_000)
WHOM = ("--people", "company/people.jsonl", "--positions", "company/positions.jsonl")
TRAIN = ("match", "train", "company/pairs.csv", *WHOM, "--protected", "gender,race", "--label", "advanced")
MATCHER = ("--matcher", "run/matcher.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a company and a matcher that was trained on it."""
    folder = tmp_path_factory.mktemp("match")
    for line in (("data", "company", *COMPANY, "--out", "company"), (*TRAIN, "--out", "run")):
        evenhand(*line, cwd=folder)
    return folder


def scored(folder, out, *args, people="company/people.jsonl"):
    """Return scores.csv; no page is drawn."""
    line = ("match", "score", *MATCHER, "--people", people, "--positions", "company/positions.jsonl", *args)
    evenhand(*line, "--out", out, "--force", "--quiet", "--no-report", cwd=folder)
    assert not (folder / out / "report.html").exists()
    return pl.read_csv(folder / out / "scores.csv")


def rows_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_training_leaves_a_matcher_its_card_and_how_it_does_for_each_group(folder):
    found, audit = findings(folder / "run")
    trained = audit["trained"]
    card = json.loads((folder / "run" / "matcher.json").read_text("utf-8"))["card"]
    assert card == trained["card"]
    assert {row["name"] for part in ("evaluation", "vetting") for row in card[part]} == set(found)
    assert {"auc", "auc_gender_female", "brier_race_black", "calibration_slope"} <= set(found)
    assert "On 120 real résumés" in card["masking"]
    assert found["auc"]["estimate"] > 0.75
    outcomes = pl.read_parquet(folder / "run" / "outcomes.parquet")
    assert outcomes.height == trained["parts"]["test"]
    every = pl.read_csv(folder / "company" / "pairs.csv")
    assert every.height == sum(trained["parts"][name] for name in ("fit", "validation", "test", "left_out"))
    frontier = pl.read_csv(folder / "run" / "frontier.csv")
    gaps = frontier["gap_gender"].to_list()
    assert gaps[-1] < gaps[0]


def test_the_page_and_the_card_name_the_group_that_stopped_training(folder):
    _, audit = findings(folder / "run")
    stopped = audit["trained"]["stopped"]
    assert stopped == audit["trained"]["card"]["stopping"]
    by, rows = stopped["by"], stopped["groups"]
    counting = [row for row in rows if row["counts"]]
    assert by == max(counting, key=lambda row: row["loss"])
    assert [row["group"] for row in rows] == ["", "female", "male", "asian", "black", "hispanic", "white"]
    assert sum(row["pairs"] for row in rows[1:3]) == rows[0]["pairs"] == audit["trained"]["parts"]["validation"]
    page = " ".join((folder / "run" / "report.html").read_text("utf-8").split())
    assert f"Training kept {stopped['rounds']} rounds: the highest validation loss of a group" in page
    assert f"with enough pairs, here {by['group']} ({by['attribute']}), did not fall" in page
    few = [row["group"] for row in rows[1:] if not row["counts"]]
    warning = "".join(text for text in audit["warnings"] if "Fewer than 20 validation pairs" in text)
    assert few
    assert all(f"{group} (" in warning for group in few)
    found = pl.read_csv(folder / "run" / "stopping.csv")
    assert found["loss"].to_list() == [row["loss"] for row in rows]


@pytest.mark.parametrize(
    ("stop_on", "told"),
    [
        ("all", "the validation loss of all pairs did not fall in the 25 after them."),
        ("none", "Training ran for all 300 rounds, whatever the validation loss."),
    ],
)
def test_what_stops_training_can_be_chosen(folder, stop_on, told):
    done = evenhand(*TRAIN, "--stop-on", stop_on, "--out", stop_on, "--no-report", cwd=folder)
    assert told in " ".join(done.stdout.split())
    _, audit = findings(folder / stop_on)
    assert audit["trained"]["stopped"]["by"] is None
    assert "through the loss alone" in audit["trained"]["card"]["groups"]
    assert not any("Fewer than" in text for text in audit["warnings"])


def test_what_features_tell_of_groups_stands_in_the_run_of_one_pair_per_person(folder):
    found, _ = findings(folder / "run")
    break_ = found["proxy_power_gap_gender_female"]
    tells = {
        each["slice"]["feature"]
        for name, each in found.items()
        if name.startswith("proxy_power_") and (each["claim"] or {}).get("verdict") == "difference"
    }
    people = pl.read_csv(folder / "company" / "pairs.csv").unique("person")
    assert break_["details"]["n_group"] + break_["details"]["n_rest"] == break_["n"] == people.height
    assert break_["details"]["n_group"] == people.filter(gender="female").height
    assert 0.5 < break_["low"] < break_["estimate"] < 0.9
    assert tells == {"gap"}
    assert any(name.startswith("joint_proxy_power_gender") for name in found)
    features = pl.read_csv(folder / "run" / "features.csv")
    verdicts = dict(features.select("feature", "verdict").rows())
    assert verdicts["skills"] == "meets"
    assert verdicts["gap"] == "not checked"
    assert verdicts["masked"] is None
    page = re.sub("</?span[^>]*>", "", (folder / "run" / "report.html").read_text("utf-8"))
    assert "One pair of each person was drawn" in page
    assert f"was drawn to vet the features. gap predicts gender (AUC {break_['estimate']:.3f}" in page


def test_the_same_files_give_the_same_matcher(folder):
    evenhand(*TRAIN, "--out", "again", "--no-report", cwd=folder)
    for name in ("matcher.json", "evaluation.csv"):
        assert (folder / "again" / name).read_bytes() == (folder / "run" / name).read_bytes()


def test_everybody_is_scored_for_every_position_or_pairs_alone_with_the_same_scores(folder):
    every, some = scored(folder, "every"), scored(folder, "some", "--pairs", "company/pairs.csv")
    assert every.height == 240 * 30
    both = some.join(every, on=["person", "position"], validate="1:1")
    assert both.height == some.height == 3_000
    assert (both["score"] - both["score_right"]).abs().max() < 1e-12
    assert set(every["match"]) <= {step / 2 for step in range(11)}


def test_what_is_masked_changes_no_score(folder):
    people = rows_of(folder / "company" / "people.jsonl")[:60]
    assert len({person["text"].splitlines()[0] for person in people}) > 50
    others = [
        {**person, "text": exchanged(person), "known_names": ["Ngozi Oyelaran"], "gender": "male", "race": "black"}
        for person in people
    ]
    assert all(new["text"] != old["text"] for new, old in zip(others, people, strict=True))
    for name, rows in (("these", people), ("others", others)):
        write_rows(folder / f"{name}.jsonl", rows)
    these, those = (scored(folder, name, people=f"{name}.jsonl") for name in ("these", "others"))
    assert these.equals(those)


def exchanged(person):
    """Return the text with another name wherever the person's stood."""
    masked = mask_text(person["text"], known_names=person["known_names"])
    text, end = [], 0
    for span in masked.spans:
        own = person["text"][span.start : span.end]
        text += [person["text"][end : span.start], "Ngozi Oyelaran" if span.category == "NAME" else own]
        end = span.end
    return "".join([*text, person["text"][end:]])


def explained(folder, *args):
    line = ("match", "explain", *MATCHER, *WHOM, *args, "--out", "explained", "--force", "--quiet")
    evenhand(*line, cwd=folder)
    return rows_of(folder / "explained" / "explanations.jsonl")


def test_what_features_add_sums_to_the_margin_of_the_score_that_is_given(folder):
    pairs = pl.read_csv(folder / "company" / "pairs.csv").head(200)
    rows = explained(folder, "--pairs", table(folder, "some.csv", pairs))
    scores = scored(folder, "some", "--pairs", "some.csv")
    assert [(row["person"], row["position"], row["score"]) for row in rows] == scores.drop("match").rows()
    for row in rows:
        assert row["base"] + sum(row["contributions"].values()) == pytest.approx(row["margin"], abs=1e-9)
        told = [each["feature"] for each in row["words"]]
        assert {name for name, added in row["contributions"].items() if abs(added) > 1e-9} >= set(told) - {"must"}
    texts = " ".join(each["text"] for row in rows for each in row["words"])
    for words in ("Matching skills (", "Must-have met: ", "Must-have not found: ", " years of experience asked, "):
        assert words in texts
    names = {name for person in rows_of(folder / "company" / "people.jsonl") for name in person["known_names"]}
    assert not any(name in texts for name in names)


def recommended(folder, out, *args):
    evenhand("match recommend", *MATCHER, *WHOM, *args, "--out", out, "--force", cwd=folder)
    return rows_of(folder / out / "recommendations.jsonl"), pl.read_parquet(folder / out / "outcomes.parquet")


def test_similar_by_the_matchers_features_are_pairs_of_the_table_that_explain_writes(folder):
    pairs = pl.read_csv(folder / "company" / "pairs.csv").head(400)
    table(folder, "some.csv", pairs)
    line = ("match", "explain", *MATCHER, *WHOM, "--pairs", "some.csv", "--out", "features", "--quiet", "--no-report")
    evenhand(*line, cwd=folder)
    groups = pairs.select("person", "position", "advanced", "gender")
    features = pl.read_csv(folder / "features" / "pairs.csv").join(groups, on=["person", "position"])
    table(folder, "joined.csv", features)
    options = words_of("--label advanced --score score --cutoff .2 --protected gender --cluster person")
    twice = ("--similar-by", "features,gap:2", "--out", "twice")
    refused("evaluate joined.csv", *options, *twice, told="--similar-by names 'gap' twice", cwd=folder)
    evenhand("evaluate joined.csv", *options, "--similar-by", "features", "--out", "similar", cwd=folder)
    found, audit = findings(folder / "similar")
    assert {"skills", "years", "gap"} <= set(audit["similar"]["columns"])
    # The run itself brings its features to a table of outcomes, and the score.
    table(folder, "outcomes.csv", groups)
    joined = ("evaluate", "outcomes.csv", *options, "--similar-by", "features", "--match-run")
    evenhand(*joined, "features", "--out", "of-run", cwd=folder)
    assert findings(folder / "of-run")[0] == found
    told = "expected pairs.csv of a run of match explain"
    refused(*joined, "company", "--out", "none", told=told, cwd=folder)
    evenhand("bundle of-run --out of-run.zip --quiet", cwd=folder)
    lacking = ("outcomes.csv", "features/pairs.csv")
    with_all = ("bundle", "of-run", *(f"--with={name}" for name in lacking), "--out", "all.zip", "--quiet")
    evenhand(*with_all, cwd=folder)
    verified = evenhand("verify all.zip", cwd=folder)
    assert f"{len(found)} of {len(found)} findings" in " ".join(verified.stdout.split()), verified.stderr
    across = found["individual_fairness_across_gender"]
    assert across["details"]["distance_across"] == pytest.approx(across["details"]["distance_within"], rel=0.25)
    assert 0 < across["n"] <= 400


def test_candidates_are_ranked_for_each_position_without_names_and_impact_reads_the_ranks(folder):
    lists, outcomes = recommended(folder, "candidates", "--for", "positions", "--top", 24, "--listed", 5)
    scores = scored(folder, "every")
    assert len(lists) == 30
    for row in lists:
        assert [each["rank"] for each in row["candidates"]] == [1, 2, 3, 4, 5]
        best = scores.filter(position=row["position"])["score"].sort(descending=True).head(5).to_list()
        assert [each["score"] for each in row["candidates"]] == best
    assert outcomes.group_by("set").agg(pl.col("successes").sum())["successes"].unique().to_list() == [24]
    page = (folder / "candidates" / "recommendations.html").read_text("utf-8")
    assert "Masked résumé" in page
    people = rows_of(folder / "company" / "people.jsonl")
    assert not any(name in page for person in people for name in (*person["known_names"], person["id"]))
    evenhand("impact candidates --protected gender --out impact --force", cwd=folder)
    rows, audit = findings(folder / "impact")
    assert audit["source"] == "ranks by matcher.json"
    claim = rows["impact_ratio_gender_female"]["claim"]
    assert claim["test"] == "CR2 t"  # a person is ranked for several positions
    (row,) = pl.read_csv(folder / "impact" / "impact.csv").iter_rows(named=True)
    for group, rate in ((row["focal"], row["rate_focal"]), (row["reference"], row["rate_reference"])):
        own = outcomes.filter(pl.col("protected.gender") == group)["successes"]
        assert rate == pytest.approx(own.mean())


def test_people_get_positions_as_cards_and_equal_scores_are_not_ordered_by_the_file(folder):
    lists, outcomes = recommended(folder, "positions", "--listed", 3)
    assert len(lists) == 240
    assert outcomes["successes"].sum() == 240
    page = (folder / "positions" / "recommendations.html").read_text("utf-8")
    assert "Strong match" in page
    assert "The first 50 of 240 people" in page
    first = next(row for row in lists if row["positions"][0]["strong"])["positions"][0]
    assert first["match"] >= 4
    assert first["matching_skills"]


def test_names_move_no_score_of_a_matcher_and_the_report_says_that_masking_is_why(folder):
    write_rows(folder / "few.jsonl", rows_of(folder / "company" / "people.jsonl")[:8])
    whom = ("few.jsonl", "--positions", "company/positions.jsonl")
    line = ("perturb", *whom, "--scorer", "matcher:run/matcher.json", "--arms", "name,name+pronouns", "--margin", 0.02)
    done = evenhand(*line, "--names-per-group", 2, "--out", "perturb", cwd=folder)
    differences = [row["difference"] for row in pl.read_csv(folder / "perturb" / "perturb.csv").iter_rows(named=True)]
    assert set(differences) == {0.0}
    assert "no score changed in " in done.stdout.replace("\n", " ").lower()
    assert "masks texts before it scores them, and that is why no score moved" in done.stdout.replace("\n", " ")


def test_texts_are_masked_once(folder):
    kept = folder / "runs" / "masked.sqlite"
    before = kept.read_bytes()
    scored(folder, "every")
    assert kept.read_bytes() == before


def test_nothing_but_the_masked_text_of_people_is_read_by_what_scores():
    """The one place where a person's text is read is where it is masked; features are given masked texts alone."""
    package = Path(evenhand_package.__file__).parent
    modules = [*package.glob("analyses/match*.py"), *package.glob("matching/*.py")]
    read = {
        path.relative_to(package).as_posix()
        for path in modules
        if re.search(r"(person|people\[\w+\])\.text\b", path.read_text("utf-8"))
    }
    assert read == {"analyses/match_people.py"}


def table(folder, name, frame):
    frame.write_csv(folder / name)
    return name


def altered(folder, kind):
    """Return the words that train on a table of pairs with something wrong."""
    pairs = pl.read_csv(folder / "company" / "pairs.csv")
    tables = {
        "person": pairs.with_columns(
            pl.when(pl.int_range(pl.len()) == 4).then(pl.lit("P9")).otherwise("person").alias("person")
        ),
        "twice": pl.concat([pairs, pairs[:1]]),
        "one": pairs.with_columns(advanced=pl.lit("yes")),
        "few": pairs[:100],
        "column": pairs.drop("position"),
        "none": pairs[:0],
    }
    return ("match", "train", table(folder, f"{kind}.csv", tables[kind]), *TRAIN[3:])


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("person", "names 'P9', which --people does not hold (1 of 3,000 rows have such an id)"),
        ("twice", "more than once, 2 rows have such a pair; give each pair once."),
        ("one", "The label 'advanced' holds 'yes' only; expected two outcomes"),
        ("few", "has 100 pairs with a label; a model needs 200 at least."),
        ("column", "No column 'position' in column.csv."),
        ("none", "has no rows"),
    ],
)
def test_pairs_that_nothing_can_be_learned_from_are_refused_in_one_line(folder, kind, told):
    refused(*altered(folder, kind), "--out", "refused", told=told, cwd=folder)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--label", "promoted"), "No column 'promoted' in company/pairs.csv (--label)."),
        (("--label", "advanced=hired"), "--label advanced=hired: no value 'hired'"),
        (("--label", "department"), "--label department=VALUE."),
        (("--protected", "person"), "The column 'person' identifies the pair; it is neither a group nor a label."),
        (("--label", "gender"), "--label and --protected both name gender"),
        (("--protected", "age"), "No column 'age' in company/pairs.csv or among people (--protected)."),
        (("--protected", "gender", "--fairness", "-1"), "--fairness is -1"),
        (("--protected", "gap"), "'gap' is also the name of a feature of match scores; rename the column"),
        (("--test-share", "1"), "--test-share is 1"),
        (("--without", "name"), "--without is 'name'"),
        (("--stop-on", "gender"), "--stop-on"),
        (("--positions", "company/pairs.csv"), "No column 'title' in company/pairs.csv"),
        (("--people", "nobody.jsonl"), "nobody.jsonl"),
    ],
)
def test_options_that_cannot_be_used_are_refused_in_one_line(folder, more, told):
    refused(*TRAIN, *more, "--out", "refused", told=told, cwd=folder)


def test_a_matcher_that_was_changed_is_refused_in_one_line(folder):
    shutil.copy(folder / "run" / "matcher.json", folder / "other.json")
    text = (folder / "other.json").read_text("utf-8")
    (folder / "other.json").write_text(text.replace('"seed": 0', '"seed": 1'), encoding="utf-8")
    refused("match score --matcher other.json", *WHOM, "--out", "refused", told="was changed", cwd=folder)


def test_the_least_test_has_pairs_of_both_labels_or_training_is_refused(folder):
    pairs = pl.read_csv(folder / "company" / "pairs.csv")
    rng = np.random.default_rng(0)
    rare = pairs.with_columns(
        advanced=pl.Series(["yes" if each < 0.001 else "no" for each in rng.random(pairs.height)])
    )
    line = ("match", "train", table(folder, "rare.csv", rare), *TRAIN[3:])
    assert "a model needs both" in evenhand(*line, "--out", "refused", cwd=folder, code=2).stderr
